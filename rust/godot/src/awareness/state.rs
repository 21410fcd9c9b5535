//! The state of all AgentAwareness nodes: the minds of the core, in the one state of perception and behind its lock.

use std::collections::BTreeMap;

use godot::obj::InstanceId;
use riposte_core::awareness::{AwarenessWorld, MindKey, Question, Sample, Update};
use riposte_core::perception::{NodeId, PerceiverKey, TargetRef};

use super::posture;
use crate::base::id_map::IdMap;
use crate::base::watch;
use crate::perception::state as perception_state;

/// Everything about awareness that is not in a node or a resource.
#[derive(Default)]
pub(crate) struct Minds {
    pub(super) world: AwarenessWorld,
    nodes: IdMap<Mind>,
    keys: BTreeMap<MindKey, NodeId>,
    /// Nodes whose settings have to be looked at again.
    changed: Vec<NodeId>,
    /// By the index of a target's key: its agent, and at which revision of what is watched it was known that nobody
    /// tells how it holds itself.
    silent: Vec<(NodeId, u64)>,
}

/// What is known of one node.
#[derive(Clone, Copy)]
pub(super) struct Mind {
    pub(super) key: MindKey,
    pub(super) agent: Option<InstanceId>,
    pub(super) perceiver: Option<PerceiverKey>,
    pub(super) planar: bool,
    /// It counts: enabled, in the tree, the first of its agent, and with a Perception.
    pub(super) active: bool,
    /// Decisions are logged.
    pub(super) logs: bool,
}

/// Reads or changes the state.
pub(super) fn with<R>(f: impl FnOnce(&mut Minds) -> R) -> R {
    perception_state::with(|state| f(&mut state.minds))
}

/// Asks the core about the mind of a node.
pub(super) fn with_mind<R>(node: InstanceId, f: impl FnOnce(&mut AwarenessWorld, MindKey) -> R) -> Option<R> {
    with(|minds| {
        let key = minds.nodes.get(&node.to_i64())?.key;
        Some(f(&mut minds.world, key))
    })
}

/// The agent of a node.
pub(super) fn agent_of(node: InstanceId) -> Option<InstanceId> {
    with(|minds| minds.nodes.get(&node.to_i64())?.agent)
}

/// Something about a node changed: it is looked at before the next tick.
pub(super) fn mark(node: InstanceId) {
    with(|minds| {
        let id = node.to_i64();
        if minds.nodes.contains_key(&id) && !minds.changed.contains(&id) {
            minds.changed.push(id);
        }
    });
}

/// The nodes whose settings changed, in the order of their keys.
pub(super) fn take_changed() -> Vec<InstanceId> {
    with(|minds| {
        if minds.changed.is_empty() {
            return Vec::new();
        }
        let mut changed = std::mem::take(&mut minds.changed);
        changed.sort_by_key(|id| minds.nodes.get(id).map(|mind| mind.key));
        changed.into_iter().filter_map(InstanceId::try_from_i64).collect()
    })
}

impl Minds {
    /// A node entered the tree for the first time.
    pub(super) fn add(&mut self, node: InstanceId) {
        let id = node.to_i64();
        if self.nodes.contains_key(&id) {
            return;
        }
        let key = self.world.add(super::profile_compile::usual(false));
        let mind = Mind { key, agent: None, perceiver: None, planar: false, active: false, logs: false };
        self.nodes.insert(id, mind);
        self.keys.insert(key, id);
    }

    /// A node is freed.
    pub(super) fn remove(&mut self, node: InstanceId) -> Option<Mind> {
        let mind = self.nodes.remove(&node.to_i64())?;
        self.keys.remove(&mind.key);
        self.world.remove(mind.key);
        Some(mind)
    }

    /// What is known of a node.
    pub(super) fn mind(&self, node: InstanceId) -> Option<Mind> {
        self.nodes.get(&node.to_i64()).copied()
    }

    /// What is known of a node, to change.
    pub(super) fn mind_mut(&mut self, node: InstanceId) -> Option<&mut Mind> {
        self.nodes.get_mut(&node.to_i64())
    }

    /// The next question of an update; it ends where it is if its node left the tree meanwhile.
    pub(super) fn next(&mut self, node: InstanceId, update: Update) -> Option<Question> {
        if self.mind(node).is_some_and(|mind| mind.agent.is_some()) {
            return self.world.next(update);
        }
        self.world.abandon(update);
        None
    }

    /// Goes on with the answer of a fusion policy. True if it is asked again: the samples are those of the next belief.
    pub(super) fn fuse_on(
        &mut self,
        asked: (InstanceId, Update),
        fused: f64,
        samples: &mut Vec<Sample>,
    ) -> bool {
        let (node, update) = asked;
        let stays = self.nodes.get(&node.to_i64()).is_some_and(|mind| mind.agent.is_some());
        stays && self.world.fuse_on(update, fused, samples)
    }

    /// True if nobody has to be asked how a target holds itself.
    pub(super) fn nobody_tells(&mut self, target: TargetRef) -> bool {
        let (index, known) = (target.key.index(), (target.agent, watch::revision()));
        if self.silent.get(index) == Some(&known) {
            return true;
        }
        let silent = InstanceId::try_from_i64(target.agent).is_some_and(posture::nobody_tells);
        if silent {
            if self.silent.len() <= index {
                self.silent.resize(index + 1, (0, 0));
            }
            self.silent[index] = known;
        }
        silent
    }

    /// The node of a mind.
    pub(super) fn node(&self, key: MindKey) -> Option<InstanceId> {
        InstanceId::try_from_i64(*self.keys.get(&key)?)
    }

    /// All nodes of an agent.
    pub(super) fn nodes_of(&self, agent: InstanceId) -> Vec<InstanceId> {
        let is_one = |id: &&NodeId| self.nodes.get(*id).is_some_and(|mind| mind.agent == Some(agent));
        self.keys.values().filter(is_one).filter_map(|id| InstanceId::try_from_i64(*id)).collect()
    }

    /// True if lengths are in pixels.
    pub(super) fn is_planar(&self, node: InstanceId) -> bool {
        self.mind(node).is_some_and(|mind| mind.planar)
    }

    /// True if there is any node.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
