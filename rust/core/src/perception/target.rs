//! Sources, and the targets they make: an agent with at least one source, or one that did damage without any.

use crate::arena::Handle;
use crate::tags::TagSet;

use super::gaze::mark;
use super::settings::SourceSettings;
use super::space::SpaceId;

/// Names one source node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceKey(pub(super) Handle);

/// Names one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetKey(pub(super) Handle);

impl TargetKey {
    /// Small and dense, for tables of the caller.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// The instance id of a node.
pub type NodeId = i64;

/// A target as records and events name it; says who it was even after it is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetRef {
    /// Stale once the target is gone for good.
    pub key: TargetKey,
    /// Its number: targets of one kind are told in this order.
    pub id: u64,
    /// The agent.
    pub agent: NodeId,
}

impl SourceKey {
    /// Small and dense, for tables of the caller.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// Where a source is and whom it stands for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourcePlace {
    /// Its world; `None` out of the tree.
    pub space: Option<SpaceId>,
    /// Its agent; `None` if it has no valid one.
    pub agent: Option<NodeId>,
    /// The nodes above the agent.
    pub ancestors: Vec<NodeId>,
    /// Position among the agent's sources: of several enabled ones the lowest counts.
    pub order: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) key: SourceKey,
    pub(super) settings: SourceSettings,
    pub(super) tags: TagSet,
    pub(super) space: Option<SpaceId>,
    pub(super) order: u64,
    pub(super) target: Option<TargetKey>,
    /// Queued for deletion: as good as gone.
    pub(super) doomed: bool,
}

impl Source {
    /// Can be sensed, as far as the source itself goes.
    pub(super) fn live(&self) -> bool {
        self.settings.enabled && self.space.is_some() && !self.doomed
    }
}

#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) reference: TargetRef,
    pub(super) ancestors: Vec<NodeId>,
    /// The marks of its agent and the nodes above.
    pub(super) marks: u64,
    /// In order; empty for a target that has done damage without being a source.
    pub(super) sources: Vec<SourceKey>,
    /// The source that counts.
    pub(super) active: Option<SourceKey>,
    /// Where the target can be sensed now; `None`: nowhere.
    pub(super) space: Option<SpaceId>,
    /// Records and queued reports that name it.
    pub(super) uses: u32,
}

impl Target {
    /// The marks of an agent and the nodes above it.
    pub(super) fn marks_of(agent: NodeId, ancestors: &[NodeId]) -> u64 {
        ancestors.iter().fold(mark(agent), |marks, node| marks | mark(*node))
    }

    /// True if the target is `agent` or below it.
    pub(super) fn belongs_to(&self, agent: NodeId) -> bool {
        self.reference.agent == agent || self.ancestors.contains(&agent)
    }
}
