//! What the checks of an order read of the world.

use godot::prelude::*;
use riposte_core::command::CheckWorld;
use riposte_core::tags::TagSet;

use super::aim::Aim;
use crate::agent::read_tags;

/// An agent, whom its order is aimed at, and where.
pub(super) struct World<'a> {
    pub agent: &'a Gd<Node>,
    pub targets: &'a [Gd<Node>],
    pub location: Option<Aim>,
    pub groups: Vec<StringName>,
}

impl CheckWorld for World<'_> {
    fn is_agent(&self, target: usize) -> bool {
        self.targets[target] == *self.agent
    }

    fn is_in_group(&self, target: usize) -> bool {
        self.groups.iter().any(|group| self.targets[target].is_in_group(group))
    }

    fn agent_tags(&self, read: &mut dyn FnMut(&TagSet)) {
        read_tags(self.agent.instance_id(), |tags, _| read(tags));
    }

    fn target_tags(&self, target: usize, read: &mut dyn FnMut(&TagSet)) {
        read_tags(self.targets[target].instance_id(), |tags, _| read(tags));
    }

    fn distance(&self) -> Option<f64> {
        let from = Aim::at(self.agent)?;
        // A point on a target is only where it is touched.
        let to = match self.targets.first() {
            Some(target) => Aim::at(target)?,
            None => self.location?,
        };
        from.vector().distance(to.vector())
    }
}

/// The node, unless it was freed, is about to be, or is outside the tree.
pub(super) fn present(id: InstanceId) -> Option<Gd<Node>> {
    let node = Gd::<Node>::try_from_instance_id(id).ok()?;
    (node.is_inside_tree() && !node.is_queued_for_deletion()).then_some(node)
}
