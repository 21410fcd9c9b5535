//! What time does.

use std::collections::BTreeSet;

use super::super::building::times_of;
use super::super::fixture::{NodeSpec, On, Payload};
use super::{BLOCK, Input, MOMENTS, Reference, Run, units};

impl Reference {
    /// What ends in the instant it starts.
    pub(super) fn settle_instant(&mut self) {
        while !self.looped
            && self.run.as_ref().is_some_and(|run| run.length.is_some_and(|length| run.time >= length))
        {
            self.complete();
        }
    }

    fn complete(&mut self) {
        let run = self.run.as_mut().expect("a run");
        run.scripted.clear();
        run.closed = (0..run.windows.len()).collect();
        let id = run.id.clone();
        let blocked = self.holds(BLOCK);
        let mut at = 0;
        while let Some(mut input) = self.waiting.get(at).cloned() {
            input.rerun = false;
            if blocked && input.moment == 0 {
                self.drop_input(&input, Some(at));
                continue;
            }
            let fresh = self.restart == 0 || input.age <= self.restart;
            let own = self.winner(&id, &input);
            let winner = own.or_else(|| (fresh && !blocked).then(|| self.winner("root", &input)).flatten());
            match winner {
                Some(wire) if self.take(wire, &mut input, Some(at), "Completed") => return,
                Some(_) => self.drop_input(&input, Some(at)),
                None => at += 1,
            }
        }
        while let Some(input) = self.waiting.first().cloned() {
            self.drop_input(&input, Some(0));
        }
        let completed = (0..self.wires.len())
            .filter(|at| self.wires[*at].from == id && self.wires[*at].on == On::Completed);
        let winner = if blocked { None } else { self.best(completed.filter(|at| self.passes(*at, true))) };
        let mut nobody =
            Input { tag: String::new(), moment: 0, age: 0, combo: false, live: true, rerun: true };
        if winner.is_some_and(|wire| self.take(wire, &mut nobody, None, "Completed")) {
            return;
        }
        if self.looped {
            return;
        }
        self.leave("Completed");
        self.tell("reset".to_owned());
        if !blocked {
            self.finished = Some((id, 0));
        }
    }

    /// One unit of time.
    pub fn step(&mut self) {
        self.entries = 0;
        if self.frozen > 0 {
            self.frozen -= 1;
            return;
        }
        self.expire();
        for (id, charges) in &mut self.charges {
            let (seconds, count) = self.nodes[id].cooldown.expect("a cooldown");
            if charges.left < count {
                charges.until -= 1;
                if charges.until == 0 {
                    charges.left += 1;
                    charges.until = units(seconds);
                }
            }
        }
        if let Some((_, since)) = &mut self.finished {
            *since += 1;
        }
        self.waiting.iter_mut().for_each(|input| input.age += 1);
        let Some(run) = &mut self.run else { return };
        run.time += 1;
        let opened: Vec<String> = run
            .windows
            .iter()
            .filter(|(_, start, end)| *start == run.time && end > start)
            .map(|(kind, ..)| kind.clone())
            .collect();
        for kind in opened {
            if self.open(&kind) {
                self.settle_instant();
                return;
            }
        }
        self.settle_instant();
    }

    /// Inputs whose time is over are told when time goes on.
    fn expire(&mut self) {
        let (combo, restart) = (self.combo_lifetime, self.restart);
        let is_over = |input: &Input| {
            let limit = if input.combo { combo } else { restart };
            limit > 0 && input.age >= limit
        };
        while let Some(at) = self.waiting.iter().position(is_over) {
            let old = self.waiting.remove(at);
            self.tell(format!("drop {}{}", old.tag, MOMENTS[old.moment as usize]));
        }
    }

    /// A window is open now; true if something was taken.
    fn open(&mut self, kind: &str) -> bool {
        let mut at = 0;
        while at < self.waiting.len() {
            let mut input = self.waiting[at].clone();
            input.rerun = false;
            let id = self.here();
            let has_turn = kind.is_empty() || input.combo;
            if has_turn && self.holds(BLOCK) && input.moment == 0 {
                self.drop_input(&input, Some(at));
                continue;
            }
            if kind.is_empty() && !input.combo {
                self.drop_input(&input, Some(at));
                continue;
            }
            let fits = |at: &usize| {
                let kinds = &self.wires[*at].kinds;
                self.passes(*at, false) && (kind.is_empty() || kinds.iter().any(|of| of == kind))
            };
            let winner = if input.combo {
                self.best(self.candidates(&id, &input).into_iter().filter(fits))
            } else {
                None
            };
            match winner {
                Some(wire) if self.take(wire, &mut input, Some(at), "Chained") => return true,
                Some(_) => self.drop_input(&input, Some(at)),
                None => at += 1,
            }
        }
        false
    }

    /// Cut from outside.
    pub fn interrupt(&mut self) {
        self.entries = 0;
        if self.run.is_none() {
            return;
        }
        self.clear();
        self.leave("Cancelled");
        self.tell("reset".to_owned());
    }

    /// Nothing waits any more.
    pub fn clear(&mut self) {
        for old in std::mem::take(&mut self.waiting) {
            self.tell(format!("drop {}{}", old.tag, MOMENTS[old.moment as usize]));
        }
    }
}

/// The run of a node at its start.
pub(super) fn begin(id: &str, node: &NodeSpec, tag: Option<String>) -> Run {
    let always = |open: bool| if open { vec![(String::new(), 0, i64::MAX)] } else { Vec::new() };
    let (length, mut windows) = match &node.payload {
        Some(Payload::Hold(open)) => (None, always(*open)),
        Some(Payload::Delay(seconds)) => (Some(units(*seconds)), always(true)),
        Some(Payload::Clip(_) | Payload::Section { .. }) => {
            let times = times_of(node).expect("times");
            let windows =
                times.windows.iter().map(|one| (one.kind.to_string(), units(one.start), units(one.end)));
            (Some(units(times.length)), windows.collect())
        }
        _ => (Some(0), Vec::new()),
    };
    if node.from_entry == Some(true) && !windows.iter().any(|(kind, ..)| kind.is_empty()) {
        windows.push((String::new(), 0, i64::MAX));
    }
    Run {
        id: id.to_owned(),
        time: 0,
        length,
        windows,
        scripted: Vec::new(),
        closed: BTreeSet::new(),
        tag,
        locked: BTreeSet::new(),
    }
}
