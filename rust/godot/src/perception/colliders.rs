//! Whose the things are that rays hit. Known once per collider, because the same walls are hit again and again and to look
//! one up costs as much as a ray.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use godot::builtin::{Rid, VarDictionary, Variant};
use godot::classes::{CharacterBody2D, CharacterBody3D, Node};
use godot::meta::ToGodot as _;
use godot::obj::{Gd, InstanceId};
use parking_lot::Mutex;
use riposte_core::perception::NodeId;

use crate::base::callbacks;
use crate::base::id_map::{IdMap, id_map};
use crate::base::lookup::{self, Part};

use super::arguments::lineage;
use super::state;

/// `blocks_sight`: the agent decides by what it is.
pub(crate) const BLOCKS_AUTO: i64 = 0;
/// `blocks_sight`: others look through the agent.
pub(crate) const BLOCKS_NEVER: i64 = 1;
/// `blocks_sight`: nobody looks through the agent.
pub(crate) const BLOCKS_ALWAYS: i64 = 2;

/// Watched colliders that left the tree since the last look, or went to another place in it.
static GONE: Mutex<BTreeSet<NodeId>> = Mutex::new(BTreeSet::new());

/// Tells when a collider leaves the place in the tree that was learnt.
pub(super) fn watch(node: &Gd<Node>) {
    callbacks::connect(node, "tree_exiting", node.instance_id(), "riposte_collider", |id| {
        GONE.lock().insert(id.to_i64());
    });
}

/// The watched colliders that have gone since this was asked last.
pub(super) fn take_gone() -> BTreeSet<NodeId> {
    std::mem::take(&mut *GONE.lock())
}

/// What a ray hit, for who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Struck {
    /// The target, or what belongs to it.
    Target,
    /// A collider of who looks, or one that it was told to ignore.
    Own,
    /// An agent that can be looked through.
    Agent,
    Wall,
}

/// Who looks, as far as it matters for what is hit.
pub(super) struct Eyes<'a> {
    /// The agent that is looked at.
    pub(super) target: NodeId,
    /// The agent that looks; 0: none.
    pub(super) own: NodeId,
    /// Nodes that are ignored with all below them.
    pub(super) ignored: &'a [NodeId],
    /// Agents are walls too.
    pub(super) blocked_by_agents: bool,
}

/// A collider in the tree.
struct Known {
    /// The collider and the nodes above it.
    line: Vec<NodeId>,
    owner: Owner,
    /// When the owner was found out.
    epoch: u64,
}

impl Known {
    fn learn(id: InstanceId) -> Option<Self> {
        let node = Gd::<Node>::try_from_instance_id(id).ok().filter(|node| node.is_inside_tree())?;
        watch(&node);
        let line = lineage(&node);
        Some(Self { owner: Owner::of(&line), line, epoch: lookup::epoch() })
    }
}

/// The agent that a collider belongs to.
#[derive(Clone, Copy, Default)]
struct Owner {
    /// 0: none.
    agent: NodeId,
    /// It is a character or has senses.
    is_alive: bool,
}

/// All colliders that were hit.
pub(super) struct Colliders {
    collider_id: Variant,
    rid: Variant,
    position: Variant,
    normal: Variant,
    known: IdMap<Known>,
    /// `blocks_sight` by the index of the source's key.
    blocks_sight: Vec<i64>,
}

impl Default for Colliders {
    fn default() -> Self {
        let key = |name: &str| name.to_variant();
        Self {
            collider_id: key("collider_id"),
            rid: key("rid"),
            position: key("position"),
            normal: key("normal"),
            known: id_map(),
            blocks_sight: Vec::new(),
        }
    }
}

impl Colliders {
    /// What an agent's source says of the view through its bodies.
    pub(super) fn set_blocks_sight(&mut self, source: usize, value: i64) {
        if self.blocks_sight.len() <= source {
            self.blocks_sight.resize(source + 1, BLOCKS_AUTO);
        }
        self.blocks_sight[source] = value;
    }

    /// Forgets what has gone.
    pub(super) fn forget(&mut self, gone: &BTreeSet<NodeId>) {
        for id in gone {
            self.known.remove(id);
        }
    }

    /// The collider of a hit; none for a body without a node.
    pub(super) fn id(&self, hit: &VarDictionary) -> Option<NodeId> {
        hit.get_or_nil(&self.collider_id).try_to::<i64>().ok().filter(|id| *id != 0)
    }

    /// The body of a hit.
    pub(super) fn rid(&self, hit: &VarDictionary) -> Option<Rid> {
        hit.get_or_nil(&self.rid).try_to().ok()
    }

    /// The place of a hit.
    pub(super) fn position(&self, hit: &VarDictionary) -> Option<Variant> {
        hit.get(&self.position)
    }

    /// Which way the surface of a hit faces.
    pub(super) fn normal(&self, hit: &VarDictionary) -> Option<Variant> {
        hit.get(&self.normal)
    }

    /// What a hit means.
    pub(super) fn judge(&mut self, hit: &VarDictionary, eyes: &Eyes<'_>) -> Struck {
        let Some((line, owner)) = self.known(hit) else { return Struck::Wall };
        if line.contains(&eyes.target) {
            return Struck::Target;
        }
        if eyes.own != 0 && line.contains(&eyes.own) {
            return Struck::Own;
        }
        if !eyes.ignored.is_empty() && eyes.ignored.iter().any(|ignored| line.contains(ignored)) {
            return Struck::Own;
        }
        let through = owner.agent != 0 && !eyes.blocked_by_agents && self.is_see_through(owner);
        if through { Struck::Agent } else { Struck::Wall }
    }

    /// True if a hit is one of these nodes or below it.
    pub(super) fn is_below(&mut self, hit: &VarDictionary, nodes: [NodeId; 2]) -> bool {
        let known = self.known(hit);
        known.is_some_and(|(line, _)| nodes.iter().any(|node| *node != 0 && line.contains(node)))
    }

    fn is_see_through(&self, owner: Owner) -> bool {
        let source = state::with(|state| {
            let target = state.world.target_of(owner.agent)?;
            let active = state.world.active_source(target.key);
            active.or_else(|| state.world.sources_of(target.key).first().copied())
        });
        let blocks = source.and_then(|key| self.blocks_sight.get(key.index())).copied();
        match blocks.unwrap_or(BLOCKS_AUTO) {
            BLOCKS_NEVER => true,
            BLOCKS_ALWAYS => false,
            _ => owner.is_alive,
        }
    }

    /// The nodes above what was hit, itself included, and whose it is. None for a body without a node: it belongs to nobody.
    fn known(&mut self, hit: &VarDictionary) -> Option<(&[NodeId], Owner)> {
        let id = self.id(hit)?;
        let epoch = lookup::epoch();
        let known = match self.known.entry(id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Known::learn(InstanceId::try_from_i64(id)?)?),
        };
        if known.epoch != epoch {
            known.owner = Owner::of(&known.line);
            known.epoch = epoch;
        }
        Some((&known.line, known.owner))
    }
}

impl Owner {
    /// The nearest agent that senses or can be sensed.
    fn of(line: &[NodeId]) -> Self {
        let Some(agent) = lookup::nearest_with(line, &[Part::Perception, Part::StimulusSource]) else {
            return Self::default();
        };
        let is_character = || {
            let node = Gd::<Node>::try_from_instance_id(agent).ok();
            node.is_some_and(|node| {
                node.clone().try_cast::<CharacterBody3D>().is_ok()
                    || node.try_cast::<CharacterBody2D>().is_ok()
            })
        };
        let is_alive = lookup::part_of(agent, Part::Perception).is_some() || is_character();
        Self { agent: agent.to_i64(), is_alive }
    }
}
