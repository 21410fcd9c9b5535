//! What becomes of an input, and the moves that follow.

use super::super::fixture::{Buffer, NodeSpec, On, Payload};
use super::time::begin;
use super::{BLOCK, Charges, Fate, Input, MOMENTS, Reference, Run, is_below, units};

impl Reference {
    /// An input of a script.
    pub fn input(&mut self, tag: &str, moment: u8) -> Fate {
        self.entries = 0;
        match moment {
            0 => drop(self.held.insert(tag.to_owned())),
            _ => drop(self.held.remove(tag)),
        }
        let mut input = Input { tag: tag.to_owned(), moment, age: 0, combo: false, live: true, rerun: false };
        self.lock(&input);
        let fate = self.walk(&mut input, None);
        self.settle_instant();
        fate
    }

    /// A press before a better window loses it.
    fn lock(&mut self, input: &Input) {
        let Some(run) = &self.run else { return };
        if self.nodes[&run.id].mash_lock != Some(true) || input.moment != 0 || self.holds(BLOCK) {
            return;
        }
        let comes = |kind: &String| {
            run.windows.iter().any(|(of, start, _)| {
                of == kind && *start > run.time && run.length.is_none_or(|length| *start < length)
            })
        };
        let early = |at: &usize| {
            let wire = &self.wires[*at];
            let opens = wire.kinds.iter().any(|kind| run.is_open(kind));
            !wire.kinds.is_empty() && !wire.buffered && !opens && wire.kinds.iter().any(comes)
        };
        let locked: Vec<usize> = self.candidates(&run.id, input).into_iter().filter(early).collect();
        self.run.as_mut().expect("a run").locked.extend(locked);
    }

    /// The walk. `place`: where it waits, if it does.
    fn walk(&mut self, input: &mut Input, place: Option<usize>) -> Fate {
        let blocked = self.holds(BLOCK);
        if blocked && input.moment == 0 {
            self.drop_input(input, place);
            return Fate::Blocked;
        }
        let Some(run) = self.run.clone() else {
            let fresh = input.live || self.restart == 0 || input.age <= self.restart;
            let winner = if blocked || !fresh { None } else { self.winner_at_root(input) };
            let taken = winner.is_some_and(|wire| self.take(wire, input, place, "Chained"));
            if !taken {
                self.drop_input(input, place);
            }
            return if taken { Fate::Entered } else { Fate::Dropped };
        };
        let node = self.nodes[&run.id].clone();
        let may_cut = run.time >= units(node.cancel_start.unwrap_or(0.1));
        let winner = self.winner(&run.id, input).filter(|at| self.wires[*at].interrupts && may_cut);
        if let Some(wire) = winner {
            return self.took(wire, input, place, "Chained");
        }
        if !blocked && may_cut && self.may_cancel(&node, &run, input) && self.open_winner(input).is_none() {
            if let Some(wire) = self.winner("root", input) {
                return self.took(wire, input, place, "Cancelled");
            }
            if node.cancel_needs_root_move == Some(false) && input.moment == 0 {
                self.leave("Cancelled");
                self.arrive(input, place);
                return Fate::Entered;
            }
        }
        if let Some(wire) = self.open_winner(input) {
            return self.took(wire, input, place, "Chained");
        }
        self.wait(input, place, blocked)
    }

    fn may_cancel(&self, node: &NodeSpec, run: &Run, input: &Input) -> bool {
        let lists = |list: &Option<Vec<String>>| {
            list.as_deref().unwrap_or_default().iter().any(|tag| is_below(&input.tag, tag))
        };
        let any = node.cancelled_by.as_ref().is_none_or(Vec::is_empty);
        node.cancellable == Some(true)
            && run.tag.as_deref() != Some(&input.tag)
            && (any || lists(&node.cancelled_by))
            && !lists(&node.ignored_cancels)
    }

    fn took(&mut self, wire: usize, input: &mut Input, place: Option<usize>, reason: &str) -> Fate {
        if self.take(wire, input, place, reason) {
            return Fate::Entered;
        }
        self.drop_input(input, place);
        Fate::Dropped
    }

    fn wait(&mut self, input: &mut Input, place: Option<usize>, blocked: bool) -> Fate {
        let run = self.run.clone().expect("something runs");
        input.combo = self.answers(&run.id, input);
        let root_only = !input.combo && !blocked && self.answers("root", input) && !run.is_open("");
        if !input.combo && !root_only {
            self.drop_input(input, place);
            return Fate::Dropped;
        }
        let mode = self.nodes[&run.id].buffer.unwrap_or(self.buffer);
        if let Some(place) = place {
            if input.moment == 0 && mode == Buffer::Ignore {
                self.drop_input(input, Some(place));
                return Fate::Dropped;
            }
            self.waiting[place].combo = input.combo;
            return Fate::Buffered;
        }
        let full = if input.moment == 0 {
            match mode {
                Buffer::Ignore => true,
                Buffer::AcceptFirst => self.waiting.iter().any(|other| other.moment == 0),
                Buffer::AcceptLast => false,
            }
        } else {
            let same = |other: &Input| other.tag == input.tag && other.moment == input.moment;
            self.waiting.iter().filter(|other| other.moment != 0).count() >= 8
                || self.waiting.iter().any(same)
        };
        if full {
            return Fate::Dropped;
        }
        if input.moment == 0
            && let Some(old) = self.waiting.iter().position(|other| other.moment == 0)
        {
            let old = self.waiting.remove(old);
            self.tell(format!("drop {}{}", old.tag, MOMENTS[old.moment as usize]));
        }
        self.tell(format!("wait {}{}", input.tag, MOMENTS[input.moment as usize]));
        let mut waits = input.clone();
        waits.live = false;
        self.waiting.push(waits);
        Fate::Buffered
    }

    /// An input is gone; only of what waited there is a word.
    pub(super) fn drop_input(&mut self, input: &Input, place: Option<usize>) {
        if let Some(place) = place {
            self.waiting.remove(place);
            self.tell(format!("drop {}{}", input.tag, MOMENTS[input.moment as usize]));
        }
    }

    fn fault(&self, id: &str) -> Option<&'static str> {
        let node = &self.nodes[id];
        if let Some((_, count)) = node.cooldown
            && self.charges.get(id).map_or(count, |charges| charges.left) == 0
        {
            return Some("Cooldown");
        }
        if node.cost.as_ref().is_some_and(|(_, amount)| self.vital < *amount) {
            return Some("Cost");
        }
        (node.payload == Some(Payload::NeedsTarget)).then_some("Payload")
    }

    /// Takes a transition; false if nothing came of it.
    pub(super) fn take(
        &mut self,
        wire: usize,
        input: &mut Input,
        place: Option<usize>,
        reason: &str,
    ) -> bool {
        let mut wire = wire;
        for _ in 0..9 {
            let to = self.wires[wire].to.clone();
            if to == "root" {
                self.leave(reason);
                self.arrive(input, place);
                return true;
            }
            let Some(fault) = self.fault(&to) else {
                self.leave(reason);
                self.enter(&to, Some(input.clone()), place);
                return true;
            };
            self.tell(format!("fail {to} {fault}"));
            let failed = (0..self.wires.len())
                .filter(|at| self.wires[*at].from == to && self.wires[*at].on == On::Failed);
            if let Some(next) = self.best(failed.filter(|at| self.passes(*at, true))) {
                wire = next;
                continue;
            }
            if self.nodes[&to].retrigger != Some(true) || input.rerun || input.tag.is_empty() {
                return false;
            }
            input.rerun = true;
            let candidates = self.candidates("root", input).into_iter();
            let other = candidates.filter(|at| self.wires[*at].to != to && self.passes(*at, input.live));
            match self.best(other) {
                Some(next) => wire = next,
                None => return false,
            }
        }
        self.looped = true;
        false
    }

    pub(super) fn leave(&mut self, reason: &str) {
        self.finished = None;
        self.left = self.run.take();
        if let Some(run) = &self.left {
            let word = format!("end {} {reason}", run.id);
            self.tell(word);
        }
    }

    /// The root is reached by an input.
    fn arrive(&mut self, input: &Input, place: Option<usize>) {
        if self.left.is_some() {
            self.tell("reset".to_owned());
        }
        self.follow(input, place);
    }

    fn enter(&mut self, id: &str, input: Option<Input>, place: Option<usize>) {
        self.entries += 1;
        if self.entries > 32 {
            self.looped = true;
            return;
        }
        let node = self.nodes[id].clone();
        if let Some((_, amount)) = node.cost {
            self.vital = (self.vital - amount).max(0.0);
        }
        if let Some((seconds, count)) = node.cooldown {
            let charges = self.charges.entry(id.to_owned()).or_insert(Charges { left: count, until: 0 });
            if charges.left == count {
                charges.until = units(seconds);
            }
            charges.left -= 1;
        }
        self.run = Some(begin(
            id,
            &node,
            input.as_ref().filter(|input| !input.tag.is_empty()).map(|input| input.tag.clone()),
        ));
        self.finished = None;
        self.tell(format!("start {id}"));
        let Some(input) = input else {
            self.walk_again(0);
            return;
        };
        self.follow(&input, place);
        if self.resync && input.moment == 0 && !input.tag.is_empty() && !self.held.contains(&input.tag) {
            let release = Input { moment: 1, live: true, age: 0, ..input };
            let still = self.run.as_ref().is_some_and(|run| run.id == id && run.time == 0);
            if still && !self.candidates(id, &release).is_empty() {
                self.walk(&mut release.clone(), None);
            }
        }
    }

    /// What waited before the input that acted is dropped, what came after it is walked again.
    fn follow(&mut self, input: &Input, place: Option<usize>) {
        let before = match place {
            Some(place) => {
                self.waiting.remove(place);
                place
            }
            None if input.tag.is_empty() => 0,
            None => self.waiting.len(),
        };
        for _ in 0..before {
            let old = self.waiting.remove(0);
            self.tell(format!("drop {}{}", old.tag, MOMENTS[old.moment as usize]));
        }
        self.walk_again(0);
    }

    fn walk_again(&mut self, from: usize) {
        let mut at = from;
        while at < self.waiting.len() {
            let mut input = self.waiting[at].clone();
            input.rerun = false;
            match self.walk(&mut input, Some(at)) {
                Fate::Entered => return,
                Fate::Buffered => at += 1,
                Fate::Dropped | Fate::Blocked => {}
            }
        }
    }
}
