//! The rules of the action graph once more, in the plainest way: time goes in steps of 1/128 s, and each step looks at
//! everything. Slow, without scripts, and written from the rules alone, to be compared with the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::fixture::{Buffer, NodeSpec, On, Row};

mod time;
mod walk;

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
}
