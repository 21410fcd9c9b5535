//! Whom a copy of a policy works for.

use godot::prelude::*;

use super::AgentAwareness;
use crate::base::lookup;

/// Set on the copy that an agent works on.
#[derive(Clone, Copy, Default)]
pub(super) struct PolicyOwner {
    node: Option<InstanceId>,
}

impl PolicyOwner {
    /// Of a copy.
    pub(super) fn of(node: InstanceId) -> Self {
        Self { node: Some(node) }
    }

    /// The agent of the node.
    pub(super) fn agent(&self) -> Option<Gd<Node>> {
        let agent = lookup::agent_of(self.node?)?;
        Gd::try_from_instance_id(agent).ok()
    }

    /// The node.
    pub(super) fn awareness(&self) -> Option<Gd<AgentAwareness>> {
        Gd::try_from_instance_id(self.node?).ok()
    }
}
