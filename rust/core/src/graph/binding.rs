//! The times of a graph's moves with the animations of one agent.

use std::sync::Arc;

use super::MoveTimes;

/// The times of one node in the four directions: forward, back, left, right. `None`: there is no such animation.
pub type NodeTimes = [Option<Arc<MoveTimes>>; 4];

/// How long the animations of one graph are on one agent, by index of the node. Shared by all agents with the same animations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    nodes: Vec<NodeTimes>,
}

impl Binding {
    /// The times by index of the node; what plays no animation may be left empty.
    pub fn new(nodes: Vec<NodeTimes>) -> Self {
        Self { nodes }
    }

    /// The times of a node in a direction.
    pub fn times(&self, node: u32, variant: u8) -> Option<&Arc<MoveTimes>> {
        self.nodes.get(node as usize)?.get(usize::from(variant))?.as_ref()
    }
}
