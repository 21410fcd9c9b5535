//! What became of an input, and why.

use std::sync::Arc;

use crate::graph::{Drop, Fail, FiresOn, Graph, InputResult, Stop};
use crate::tags::TagId;

/// What the walk said to a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the one.
    Taken,
    /// It would pass, but a better one was taken.
    Outranked,
    /// It passes, but its window is not open.
    Waits,
    /// A press before its window lost it.
    Locked,
    /// This tag is missing on the agent.
    MissingTag(TagId),
    /// This tag is on the agent.
    BlockedTag(TagId),
    /// No window of its kinds is open.
    NoKind,
    /// It does not take inputs that have waited.
    NotBuffered,
    /// A gate of the node it leads to hides it; by index of those that hide.
    Hidden(u32),
    /// The condition with this index failed.
    Condition(u32),
    /// The replay says that it does not pass.
    Recorded,
    /// It was taken, and the node it leads to could not start.
    Failed(Fail),
}

/// A transition that was considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireReport {
    /// The node that it leaves, by index.
    pub node: u32,
    /// Its index in that node.
    pub wire: u32,
    /// What was said.
    pub verdict: Verdict,
}

/// What became of one input.
#[derive(Clone, Debug, PartialEq)]
pub struct InputReport {
    /// The input; `None`: nothing was walked yet.
    pub tag: Option<TagId>,
    /// Its moment.
    pub moment: FiresOn,
    /// It came in, and did not wait before.
    pub live: bool,
    /// The node that ran, by index.
    pub node: u32,
    /// Node time.
    pub node_time: f64,
    /// A plain window was open.
    pub window_open: bool,
    /// The running node answers it.
    pub answered: bool,
    /// The root answers it.
    pub root_answers: bool,
    /// Where the walk ended.
    pub stop: Stop,
    /// What became of it.
    pub result: InputResult,
    /// Why it was dropped.
    pub why: Option<Drop>,
    /// Transitions in the order in which they were considered.
    pub wires: Vec<WireReport>,
    /// The graph that all indices count in.
    pub graph: Option<Arc<Graph>>,
}

impl Default for InputReport {
    fn default() -> Self {
        Self {
            tag: None,
            moment: FiresOn::Pressed,
            live: true,
            node: 0,
            node_time: 0.0,
            window_open: false,
            answered: false,
            root_answers: false,
            stop: Stop::Pick,
            result: InputResult::Dropped,
            why: None,
            wires: Vec::new(),
            graph: None,
        }
    }
}

impl InputReport {
    pub(super) fn note(&mut self, node: u32, wire: u32, verdict: Verdict) {
        self.wires.push(WireReport { node, wire, verdict });
    }

    /// Another word about a transition that was considered.
    pub(super) fn mark(&mut self, node: u32, wire: u32, verdict: Verdict) {
        let known = self.wires.iter_mut().rev().find(|one| one.node == node && one.wire == wire);
        if let Some(known) = known {
            known.verdict = verdict;
        }
    }
}

/// What a decision needs beside the world: the answer to the last question, notes, answers of a replay.
#[derive(Clone, Debug, Default)]
pub(super) struct Desk {
    pub answer: Option<bool>,
    /// So many scripted conditions hold before the one that the answer is of.
    pub held: u32,
    pub report: InputReport,
    /// Notes are wanted.
    pub noting: bool,
    pub tape: super::tape::Tape,
}

/// What happens by itself, such as the end of a move, leaves the report about the last input alone.
impl Desk {
    pub fn stop_at(&mut self, stop: Stop) {
        if self.noting {
            self.report.stop = stop;
        }
    }

    pub fn answered_by(&mut self, running: bool, root: bool) {
        if self.noting {
            (self.report.answered, self.report.root_answers) = (running, root);
        }
    }

    pub fn mark(&mut self, node: u32, wire: u32, verdict: Verdict) {
        if self.noting {
            self.report.mark(node, wire, verdict);
        }
    }
}
