//! The state of all perception nodes: one world of the core behind one lock, and which node is what in it.
//!
//! Inside [`with`] nothing of the engine may be called that could call a script.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::obj::InstanceId;
use parking_lot::Mutex;
use riposte_core::perception::{
    Affiliation, NodeId, PerceiverKey, PerceiverSettings, PerceptionWorld, SourceKey, SourceSettings,
    SpaceId, TargetRef, WorldSettings,
};
use riposte_core::tags::{TagId, TagSet};

use crate::awareness::{Minds, SourceStance};
use crate::base::settings;

use super::stats::Timings;

/// Everything about perception that is not in a node.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) world: PerceptionWorld,
    /// Beliefs about what the perceivers of the world sense.
    pub(crate) minds: Minds,
    perceivers: BTreeMap<NodeId, PerceiverKey>,
    sources: BTreeMap<NodeId, SourceKey>,
    /// Own tags of each source, and whether those of its agent count too.
    identities: BTreeMap<NodeId, (Vec<TagId>, bool)>,
    /// Nodes by the index of their key.
    perceiver_nodes: Vec<NodeId>,
    source_nodes: Vec<NodeId>,
    /// What each source says of its stance, by the index of its key.
    stances: Vec<SourceStance>,
    /// `World3D`s and `World2D`s with their spaces.
    worlds: Vec<World>,
    /// `PerceptionServer.process_callback` is MANUAL.
    pub(crate) manual: bool,
    /// A common tick is under way, dispatch included.
    pub(crate) ticking: bool,
    /// Of the last tick.
    pub(crate) timings: Timings,
}

/// A `World3D` or `World2D`.
struct World {
    id: NodeId,
    space: SpaceId,
    planar: bool,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

/// How often the state was read or changed.
static LOOKS: AtomicU64 = AtomicU64::new(0);

/// Reads or changes the state.
pub(crate) fn with<R>(f: impl FnOnce(&mut State) -> R) -> R {
    let mut state = STATE.lock();
    // Only who has the lock writes it.
    LOOKS.store(LOOKS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    f(&mut state)
}

/// Another number when anybody has read or changed the state meanwhile.
pub(crate) fn looks() -> u64 {
    LOOKS.load(Ordering::Relaxed)
}

/// Takes over the project settings, when the first perceiver enters and when one changes.
pub(crate) fn read_project_settings() {
    let settings = WorldSettings {
        grid_cell_size_3d: settings::GRID_CELL_SIZE_3D.read(),
        grid_cell_size_2d: settings::GRID_CELL_SIZE_2D.read(),
        stagger: settings::STAGGER.read(),
        max_queued_reports: settings::MAX_QUEUED_REPORTS.read() as usize,
        max_rays_per_tick: settings::MAX_RAYS_PER_TICK.read() as u32,
        workers: settings::WORKERS.read() as i32,
    };
    with(|state| state.world.set_settings(settings));
}

impl State {
    /// The perceiver that a Perception node is.
    pub(crate) fn perceiver(&self, node: InstanceId) -> Option<PerceiverKey> {
        self.perceivers.get(&node.to_i64()).copied()
    }

    /// The source that a StimulusSource node is.
    pub(crate) fn source(&self, node: InstanceId) -> Option<SourceKey> {
        self.sources.get(&node.to_i64()).copied()
    }

    /// All Perception nodes, in the order in which they entered the tree first.
    pub(crate) fn perception_nodes(&self) -> Vec<InstanceId> {
        let mut nodes: Vec<_> = self.perceivers.iter().map(|(node, key)| (*key, *node)).collect();
        nodes.sort_unstable();
        nodes.into_iter().filter_map(|(_, node)| InstanceId::try_from_i64(node)).collect()
    }

    /// All perceivers by their node.
    pub(crate) fn perceivers_by_node(&self) -> BTreeMap<NodeId, PerceiverKey> {
        self.perceivers.clone()
    }

    /// All Perception and StimulusSource nodes.
    pub(crate) fn placed_nodes(&self) -> Vec<InstanceId> {
        self.perceivers
            .keys()
            .chain(self.sources.keys())
            .filter_map(|id| InstanceId::try_from_i64(*id))
            .collect()
    }

    /// The Perception node of a perceiver.
    pub(crate) fn perceiver_node(&self, key: PerceiverKey) -> Option<InstanceId> {
        self.perceiver_nodes.get(key.index()).copied().and_then(InstanceId::try_from_i64)
    }

    /// The StimulusSource node of a source.
    pub(crate) fn source_node(&self, key: SourceKey) -> Option<InstanceId> {
        self.source_nodes.get(key.index()).copied().and_then(InstanceId::try_from_i64)
    }

    /// The source that counts for a target.
    pub(crate) fn active_source_node(&self, target: TargetRef) -> Option<InstanceId> {
        self.source_node(self.world.active_source(target.key)?)
    }

    /// The source that tells what happens to a target: the one that counts, else the first of its agent.
    pub(crate) fn speaking_source_node(&self, target: TargetRef) -> Option<InstanceId> {
        let first = || self.source_node(*self.world.sources_of(target.key).first()?);
        self.active_source_node(target).or_else(first)
    }

    /// Registers a Perception node at its first entry.
    pub(crate) fn add_perceiver(
        &mut self,
        node: InstanceId,
        settings: PerceiverSettings,
        affiliation: Affiliation,
    ) -> PerceiverKey {
        let key = self.world.add_perceiver(settings, affiliation);
        self.perceivers.insert(node.to_i64(), key);
        put(&mut self.perceiver_nodes, key.index(), node.to_i64());
        key
    }

    /// Changes what a Perception node says about itself.
    pub(crate) fn change_perceiver(
        &mut self,
        key: PerceiverKey,
        settings: PerceiverSettings,
        affiliation: Affiliation,
    ) {
        let known = self.world.perceiver_settings(key);
        let min_points_by_stance = known.and_then(|known| known.min_points_by_stance);
        self.world.set_perceiver(key, PerceiverSettings { min_points_by_stance, ..settings });
        self.world.set_affiliation(key, affiliation);
    }

    /// Registers a StimulusSource node at its first entry. Its tags follow by [`State::set_identity`].
    pub(crate) fn add_source(&mut self, node: InstanceId, settings: SourceSettings) -> SourceKey {
        let key = self.world.add_source(settings, TagSet::default());
        self.sources.insert(node.to_i64(), key);
        put(&mut self.source_nodes, key.index(), node.to_i64());
        key
    }

    /// Keeps a source's own tags, and whether those of its agent count too.
    pub(crate) fn set_identity(&mut self, node: InstanceId, own: Vec<TagId>, use_agent_tags: bool) {
        self.identities.insert(node.to_i64(), (own, use_agent_tags));
    }

    /// A source's own tags, and whether those of its agent count too.
    pub(crate) fn identity(&self, node: InstanceId) -> Option<&(Vec<TagId>, bool)> {
        self.identities.get(&node.to_i64())
    }

    /// The StimulusSource nodes of an agent.
    pub(crate) fn sources_of_agent(&self, agent: InstanceId) -> Vec<InstanceId> {
        let target = self.world.target_of(agent.to_i64());
        let sources = target.map_or(&[][..], |target| self.world.sources_of(target.key));
        sources.iter().filter_map(|key| self.source_node(*key)).collect()
    }

    /// What a source says of its stance.
    pub(crate) fn set_stance(&mut self, source: SourceKey, stance: SourceStance) {
        if self.stances.len() <= source.index() {
            self.stances.resize(source.index() + 1, SourceStance::UNREPORTED);
        }
        self.stances[source.index()] = stance;
    }

    /// What the source that counts for a target says of its stance; `None` if it has no source.
    pub(crate) fn stance_of(&self, target: TargetRef) -> Option<SourceStance> {
        stance_in(&self.world, &self.stances, target)
    }

    /// The minds, and [`Self::stance_of`] for their updates.
    pub(crate) fn minds_and_stances(
        &mut self,
    ) -> (&mut Minds, impl Fn(TargetRef) -> Option<SourceStance> + '_) {
        let Self { minds, world, stances, .. } = self;
        let (world, stances) = (&*world, &*stances);
        (minds, move |target| stance_in(world, stances, target))
    }

    /// How many aim points awareness wants to be visible, by stance; `None`: the Perception's own number holds.
    pub(crate) fn set_min_points(&mut self, key: PerceiverKey, points: Option<[u32; 3]>) {
        let before = self.world.perceiver_settings(key);
        if let Some(before) = before.filter(|before| before.min_points_by_stance != points).cloned() {
            self.world.set_perceiver(key, PerceiverSettings { min_points_by_stance: points, ..before });
        }
    }

    /// Forgets a Perception node, when it is freed.
    pub(crate) fn remove_perceiver(&mut self, key: PerceiverKey) {
        if let Some(node) = self.perceiver_node(key) {
            self.perceivers.remove(&node.to_i64());
        }
        self.world.remove_perceiver(key);
    }

    /// Forgets a StimulusSource node, when it is freed.
    pub(crate) fn remove_source(&mut self, key: SourceKey) {
        if let Some(node) = self.source_node(key) {
            self.sources.remove(&node.to_i64());
            self.identities.remove(&node.to_i64());
        }
        self.world.remove_source(key);
    }

    /// All perceivers, in or out of the tree, in the order of their keys.
    pub(crate) fn perceiver_keys(&self) -> Vec<PerceiverKey> {
        let mut keys: Vec<_> = self.perceivers.values().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// The space of a `World3D`, or (`planar`) of a `World2D`.
    pub(crate) fn space_of(&mut self, world: InstanceId, planar: bool) -> SpaceId {
        let id = world.to_i64();
        if let Some(world) = self.worlds.iter().find(|world| world.id == id) {
            return world.space;
        }
        let space = self.world.add_space(planar);
        self.worlds.push(World { id, space, planar });
        space
    }

    /// The `World3D` of a space, or (true) its `World2D`.
    pub(crate) fn world_of(&self, space: SpaceId) -> Option<(InstanceId, bool)> {
        self.world_numbered(space.number())
    }

    /// As [`State::world_of`], by the number of the space.
    pub(crate) fn world_numbered(&self, number: u16) -> Option<(InstanceId, bool)> {
        let world = self.worlds.iter().find(|world| world.space.number() == number)?;
        Some((InstanceId::try_from_i64(world.id)?, world.planar))
    }
}

fn put(list: &mut Vec<NodeId>, index: usize, node: NodeId) {
    if list.len() <= index {
        list.resize(index + 1, 0);
    }
    list[index] = node;
}

fn stance_in(world: &PerceptionWorld, stances: &[SourceStance], target: TargetRef) -> Option<SourceStance> {
    let active = world.active_source(target.key);
    let source = active.or_else(|| world.sources_of(target.key).first().copied())?;
    stances.get(source.index()).copied()
}
