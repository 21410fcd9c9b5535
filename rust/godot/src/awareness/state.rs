//! The state of all AgentAwareness nodes: the minds of the core, in the one state of perception and behind its lock.

use godot::obj::InstanceId;
use riposte_core::awareness::{AwarenessWorld, MindKey, Question, Sample, StanceAnswers, Update};
use riposte_core::perception::{NodeId, PerceiverKey, TargetRef};

use super::posture::{self, SourceStance};
use crate::base::id_map::IdMap;
use crate::base::{lookup, watch};
use crate::perception::state as perception_state;

/// Everything about awareness that is not in a node or a resource.
#[derive(Default)]
pub(crate) struct Minds {
    pub(super) world: AwarenessWorld,
    nodes: IdMap<Mind>,
    /// By the index of the key.
    keys: Vec<Option<(MindKey, NodeId)>>,
    /// Nodes whose settings have to be looked at again.
    changed: Vec<NodeId>,
    silent: Silent,
}

/// By the index of a target's key: its agent, and at which revision of what is watched it was known that nobody tells
/// how it holds itself.
#[derive(Default)]
struct Silent(Vec<(NodeId, u64)>);

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
    /// When it was found out whom to ask for it, and that its own tags are nobody's but its source's.
    pub(super) known: Option<Stamp>,
}

/// As long as it stays the same, no component and no script of any agent has changed.
pub(super) type Stamp = (u64, u64);

/// The stamp of now; take it before looking at what it is about.
pub(super) fn stamp() -> Stamp {
    (watch::revision(), lookup::epoch())
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
        let mind = Mind {
            key,
            agent: None,
            perceiver: None,
            planar: false,
            active: false,
            logs: false,
            known: None,
        };
        self.nodes.insert(id, mind);
        if self.keys.len() <= key.index() {
            self.keys.resize(key.index() + 1, None);
        }
        self.keys[key.index()] = Some((key, id));
    }

    /// A node is freed.
    pub(super) fn remove(&mut self, node: InstanceId) -> Option<Mind> {
        let mind = self.nodes.remove(&node.to_i64())?;
        self.keys[mind.key.index()] = None;
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

    /// Goes on with the answers of a fusion policy. About how many beliefs it is asked then: the samples are theirs.
    pub(super) fn fuse_on(
        &mut self,
        asked: (InstanceId, Update),
        fused: &[f64],
        samples: &mut Vec<Sample>,
    ) -> usize {
        let (node, update) = asked;
        let stays = self.nodes.get(&node.to_i64()).is_some_and(|mind| mind.agent.is_some());
        let asks = stays && self.world.fuse_on(update, fused);
        if asks { self.world.samples_in_a_row(update, samples) } else { 0 }
    }

    /// The next question of an update; it ends where it is if its node left the tree meanwhile. How targets hold
    /// themselves is not asked where nobody would have to be called.
    pub(super) fn next(
        &mut self,
        node: InstanceId,
        update: Update,
        stance_of: impl Fn(TargetRef) -> Option<SourceStance>,
    ) -> Option<Question> {
        if self.mind(node).is_none_or(|mind| mind.agent.is_none()) {
            self.world.abandon(update);
            return None;
        }
        let Self { world, silent, .. } = self;
        world.next_knowing(update, &mut |target| {
            silent.knows(target).then(|| {
                let source = stance_of(target).map(SourceStance::known);
                StanceAnswers { reported: None, source, crouch: None }.posture()
            })
        })
    }

    /// The node of a mind.
    pub(super) fn node(&self, key: MindKey) -> Option<InstanceId> {
        let (_, id) = (*self.keys.get(key.index())?).filter(|(known, _)| *known == key)?;
        InstanceId::try_from_i64(id)
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

impl Silent {
    /// True if nobody has to be asked how a target holds itself.
    fn knows(&mut self, target: TargetRef) -> bool {
        let (index, known) = (target.key.index(), (target.agent, watch::revision()));
        if self.0.get(index) == Some(&known) {
            return true;
        }
        let silent = InstanceId::try_from_i64(target.agent).is_some_and(posture::nobody_tells);
        if silent {
            if self.0.len() <= index {
                self.0.resize(index + 1, (0, 0));
            }
            self.0[index] = known;
        }
        silent
    }
}
