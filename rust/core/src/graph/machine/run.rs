//! The run of a node.

use std::sync::Arc;

use glam::DVec2;

use crate::graph::{FiresOn, Graph, MoveTimes, Node};
use crate::tags::TagId;

/// What there is to know of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Names it; never reused.
    pub run: u64,
    /// Its node by index.
    pub node: u32,
    /// Its node was deleted in the meantime; `node` is an index of the graph before that.
    pub deleted: bool,
    /// The node before it by index.
    pub from: u32,
    /// The input that led to it.
    pub tag: Option<TagId>,
    /// The moment of that.
    pub moment: FiresOn,
    /// The stick then.
    pub stick: DVec2,
    /// The direction in the world then.
    pub direction: DVec2,
    /// The kind of window that was used.
    pub window_kind: Arc<str>,
    /// Forward, back, left, right.
    pub variant: u8,
    /// Node time.
    pub node_time: f64,
    /// Node time that is left; infinite if it lasts until it is ended.
    pub time_left: f64,
    /// It comes from a saved state.
    pub restored: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Run {
    pub id: u64,
    /// The graph that its node is in.
    pub graph: Arc<Graph>,
    pub node: u32,
    pub deleted: bool,
    /// The graph and the node that it started with: its hooks and its payload are those.
    pub first: (Arc<Graph>, u32),
    pub from: u32,
    pub tag: Option<TagId>,
    pub moment: FiresOn,
    pub stick: DVec2,
    pub direction: DVec2,
    pub kind: Arc<str>,
    pub variant: u8,
    /// Player time of its start.
    pub since: f64,
    pub times: Arc<MoveTimes>,
    /// Node time that its times count from.
    pub origin: f64,
    /// It lasts until it is finished: its times say nothing about its end.
    pub endless: bool,
    pub next_window: usize,
    pub next_marker: usize,
    /// Hooks that have begun.
    pub hooks: usize,
    /// Its payload was told to start.
    pub started: bool,
    /// Its start was told.
    pub told: bool,
    /// Its payload is over.
    pub done: bool,
    pub restored: bool,
    /// Nothing but what is seen of it: another peer plays it.
    pub shown: bool,
}

impl Run {
    pub fn plan(&self) -> &Node {
        self.graph.node(self.node)
    }

    /// The node as it was when the run started.
    pub fn first_plan(&self) -> &Node {
        self.first.0.node(self.first.1)
    }

    /// Node time of its end.
    pub fn end(&self) -> f64 {
        if self.endless { f64::INFINITY } else { self.origin + self.times.length }
    }

    /// Its node lets it be cut at this node time.
    pub fn is_past_cancel_start(&self, time: f64) -> bool {
        time >= self.plan().cancel_window_start - crate::time::TIME_TOLERANCE
    }

    pub fn may_be_cut(&self, time: f64) -> bool {
        self.plan().can_be_cancelled && self.is_past_cancel_start(time)
    }

    pub fn info(&self, time: f64) -> RunInfo {
        RunInfo {
            run: self.id,
            node: self.node,
            deleted: self.deleted,
            from: self.from,
            tag: self.tag,
            moment: self.moment,
            stick: self.stick,
            direction: self.direction,
            window_kind: self.kind.clone(),
            variant: self.variant,
            node_time: time,
            time_left: (self.end() - time).max(0.0),
            restored: self.restored,
        }
    }
}
