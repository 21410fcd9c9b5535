//! The rules of the action graph once more, in the plainest way: time goes in steps of 1/128 s, and each step looks at
//! everything. Slow, without scripts, and written from the rules alone, to be compared with the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::building::times_of;
use super::fixture::{Buffer, NodeSpec, On, Payload, Row};

pub const UNIT: f64 = 1.0 / 128.0;
const BLOCK: &str = "State.ActionsBlocked";
const MOMENTS: [&str; 3] = ["", "↑", "↟"];

/// Seconds in units.
pub fn units(seconds: f64) -> i64 {
    (seconds / UNIT).round() as i64
}

#[derive(Clone, Debug)]
struct Wire {
    from: String,
    on: On,
    to: String,
    priority: i32,
    interrupts: bool,
    required: Vec<String>,
    blocked: Vec<String>,
    conditions: Vec<bool>,
    kinds: Vec<String>,
    buffered: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Input {
    tag: String,
    moment: u8,
    age: i64,
    /// The running node answers it.
    combo: bool,
    /// Has not waited.
    live: bool,
    /// The root was tried once more for it.
    rerun: bool,
}

#[derive(Clone, Debug)]
struct Run {
    id: String,
    time: i64,
    length: Option<i64>,
    /// Kind, start, end.
    windows: Vec<(String, i64, i64)>,
    scripted: Vec<String>,
    closed: BTreeSet<usize>,
    tag: Option<String>,
    locked: BTreeSet<usize>,
}

impl Run {
    fn is_open(&self, kind: &str) -> bool {
        let authored = self.windows.iter().enumerate().any(|(at, (of, start, end))| {
            of == kind && !self.closed.contains(&at) && (*start..*end).contains(&self.time)
        });
        authored || self.scripted.iter().any(|of| of == kind)
    }
}

#[derive(Clone, Debug)]
struct Charges {
    left: u32,
    until: i64,
}

/// A player of one graph.
pub struct Reference {
    nodes: BTreeMap<String, NodeSpec>,
    wires: Vec<Wire>,
    buffer: Buffer,
    grace: i64,
    restart: i64,
    combo_lifetime: i64,
    resync: bool,
    run: Option<Run>,
    /// What was left last.
    left: Option<Run>,
    waiting: Vec<Input>,
    /// The node that finished, and since when.
    finished: Option<(String, i64)>,
    charges: BTreeMap<String, Charges>,
    pub vital: f64,
    pub tags: BTreeSet<String>,
    held: BTreeSet<String>,
    frozen: i64,
    entries: u32,
    pub looped: bool,
    pub told: Vec<String>,
}

/// What becomes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Entered,
    Buffered,
    Dropped,
    Blocked,
}

fn is_below(tag: &str, query: &str) -> bool {
    tag == query || tag.strip_prefix(query).is_some_and(|rest| rest.starts_with('.'))
}

impl Reference {
    pub fn new(row: &Row) -> Self {
        let wires = row.wires.iter().map(|spec| {
            let (from, on, to) = spec.parts();
            Wire {
                from,
                on,
                to,
                priority: spec.priority,
                interrupts: spec.interrupts,
                required: spec.required.clone(),
                blocked: spec.blocked.clone(),
                conditions: spec.conditions.clone(),
                kinds: spec.kinds.clone(),
                buffered: spec.buffered,
            }
        });
        Self {
            nodes: row.nodes.clone(),
            wires: wires.collect(),
            buffer: row.buffer.unwrap_or(Buffer::AcceptLast),
            grace: units(row.grace.unwrap_or(0.25)),
            restart: units(row.restart_window.unwrap_or(0.35)),
            combo_lifetime: units(row.combo_lifetime.unwrap_or(0.0)),
            resync: row.resync.unwrap_or(true),
            run: None,
            left: None,
            waiting: Vec::new(),
            finished: None,
            charges: BTreeMap::new(),
            vital: row.vitals.values().next().copied().unwrap_or(0.0),
            tags: row.tags.iter().cloned().collect(),
            held: BTreeSet::new(),
            frozen: 0,
            entries: 0,
            looped: false,
            told: Vec::new(),
        }
    }

    fn tell(&mut self, text: String) {
        self.told.push(text);
    }

    fn holds(&self, query: &str) -> bool {
        let applied = self.run.iter().filter_map(|run| self.nodes[&run.id].applied.as_ref()).flatten();
        self.tags.iter().chain(applied).any(|tag| is_below(tag, query))
    }

    fn here(&self) -> String {
        self.run.as_ref().map_or("root".to_owned(), |run| run.id.clone())
    }

    /// Transitions of a node for this input, in the author's order.
    fn candidates(&self, node: &str, input: &Input) -> Vec<usize> {
        let fits = |wire: &Wire| match (&wire.on, input.moment) {
            (On::Press(tag), 0) | (On::Release(tag), 1) | (On::Early(tag), 2) => is_below(&input.tag, tag),
            _ => false,
        };
        (0..self.wires.len()).filter(|at| self.wires[*at].from == node && fits(&self.wires[*at])).collect()
    }

    fn passes(&self, at: usize, live: bool) -> bool {
        let wire = &self.wires[at];
        let run = self.run.as_ref().filter(|run| run.id == wire.from);
        wire.required.iter().all(|tag| self.holds(tag))
            && !wire.blocked.iter().any(|tag| self.holds(tag))
            && (wire.kinds.is_empty()
                || wire.from == "root"
                || wire.kinds.iter().any(|kind| run.is_some_and(|run| run.is_open(kind))))
            && (wire.buffered || live)
            && !run.is_some_and(|run| run.locked.contains(&at))
            && wire.conditions.iter().all(|answer| *answer)
    }

    fn best(&self, from: impl Iterator<Item = usize>) -> Option<usize> {
        let rank = |at: &usize| {
            let wire = &self.wires[*at];
            (-wire.priority, -(wire.conditions.len() as i64), *at)
        };
        from.min_by_key(rank)
    }

    fn winner(&self, node: &str, input: &Input) -> Option<usize> {
        self.best(self.candidates(node, input).into_iter().filter(|at| self.passes(*at, input.live)))
    }

    /// The best transition whose window is open.
    fn open_winner(&self, input: &Input) -> Option<usize> {
        let run = self.run.as_ref()?;
        let open = |at: &usize| !self.wires[*at].kinds.is_empty() || run.is_open("");
        let candidates = self.candidates(&run.id, input);
        self.best(candidates.into_iter().filter(|at| self.passes(*at, input.live) && open(at)))
    }

    fn answers(&self, node: &str, input: &Input) -> bool {
        self.candidates(node, input).iter().any(|at| self.wires[*at].buffered)
    }

    fn winner_at_root(&self, input: &Input) -> Option<usize> {
        if let Some((node, since)) = &self.finished
            && self.grace_of(node) > 0
            && *since <= self.grace_of(node)
        {
            let plain = |at: &usize| self.wires[*at].kinds.is_empty() && self.wires[*at].buffered;
            let candidates = self.candidates(node, input).into_iter();
            let found = self.best(candidates.filter(|at| plain(at) && self.passes(*at, input.live)));
            if found.is_some() {
                return found;
            }
        }
        self.winner("root", input)
    }

    fn grace_of(&self, node: &str) -> i64 {
        self.nodes.get(node).and_then(|node| node.grace).map_or(self.grace, units)
    }

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
    fn drop_input(&mut self, input: &Input, place: Option<usize>) {
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
    fn take(&mut self, wire: usize, input: &mut Input, place: Option<usize>, reason: &str) -> bool {
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

    fn leave(&mut self, reason: &str) {
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

    /// What ends in the instant it starts.
    fn settle_instant(&mut self) {
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

fn begin(id: &str, node: &NodeSpec, tag: Option<String>) -> Run {
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
    let has_own = matches!(node.payload, Some(Payload::Hold(_) | Payload::Delay(_)));
    if node.from_entry == Some(true) && !has_own && !windows.iter().any(|(kind, ..)| kind.is_empty()) {
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
