//! The nodes that a player works with: who plays its animations, and where the agent looks.

use glam::DVec2;
use godot::classes::{AnimationPlayer, AnimationTree};
use godot::prelude::*;

use super::state::with;
use crate::agent;
use crate::base::engine_reads::{Reader, Stand};
use crate::base::lookup::{self, Part};
use crate::perception;

/// The paths of a player, as set.
#[derive(Clone, Default)]
pub(super) struct Paths {
    pub animation_player: NodePath,
    pub animation_tree: NodePath,
    pub facing: NodePath,
    pub model_front: bool,
    pub direction_reference: NodePath,
}

/// What the paths led to, until they or the tree change.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    animation_player: Option<InstanceId>,
    facing: Option<InstanceId>,
}

/// What plays the animations of this player; looked for again when it is gone.
pub(crate) fn animation_player(player: InstanceId) -> Option<Gd<AnimationPlayer>> {
    let (path, known) =
        with(player, |state| (state.paths.animation_player.clone(), state.found.animation_player))?;
    if let Some(found) = known.and_then(|id| Gd::<AnimationPlayer>::try_from_instance_id(id).ok())
        && found.is_inside_tree()
    {
        return Some(found);
    }
    let found = find_animation_player(player, &path);
    let id = found.as_ref().map(Gd::instance_id);
    with(player, |state| state.found.animation_player = id);
    found
}

fn find_animation_player(player: InstanceId, path: &NodePath) -> Option<Gd<AnimationPlayer>> {
    if !path.is_empty() {
        return at(player, path)?.try_cast().ok();
    }
    let agent = Gd::<Node>::try_from_instance_id(lookup::agent_of(player)?).ok()?;
    let all = agent.find_children_ex("*").type_("AnimationPlayer").owned(false).done();
    all.iter_shared().find_map(|node| node.try_cast().ok())
}

/// The tree that plays animations, if one is set.
pub(crate) fn animation_tree(player: InstanceId) -> Option<Gd<AnimationTree>> {
    let path = with(player, |state| state.paths.animation_tree.clone())?;
    if path.is_empty() { None } else { at(player, &path)?.try_cast().ok() }
}

/// The node whose directions the stick is read in, if one is set.
pub(crate) fn direction_reference(player: InstanceId) -> Option<Gd<Node>> {
    let path = with(player, |state| state.paths.direction_reference.clone())?;
    if path.is_empty() { None } else { at(player, &path) }
}

fn at(player: InstanceId, path: &NodePath) -> Option<Gd<Node>> {
    let node = Gd::<Node>::try_from_instance_id(player).ok()?;
    // Asking for an absolute path outside the tree is an engine error.
    if node.is_inside_tree() { node.get_node_or_null(path) } else { None }
}

/// Where the agent looks, seen from above in 3D; zero if it has no place. Runs a method of its script.
pub(crate) fn facing(player: InstanceId) -> DVec2 {
    let Some(agent) = lookup::agent_of(player) else { return DVec2::ZERO };
    let flat = is_planar(agent);
    let asked = agent::facing::asked(agent).map(|forward| planar(forward, flat));
    let by_node = || facing_node(player).and_then(|(node, model_front)| forward_of(node, model_front));
    let perceived = || {
        let forward = perception::forward(lookup::part_of(agent, Part::Perception)?)?;
        Some(planar(forward, flat))
    };
    let facing = asked.or_else(by_node).or_else(perceived).or_else(|| forward_of(agent, false));
    facing.unwrap_or_default().normalize_or_zero()
}

/// Where a node without a player looks.
pub(crate) fn facing_of(node: InstanceId) -> DVec2 {
    let flat = is_planar(node);
    let asked = agent::facing::asked(node).map(|forward| planar(forward, flat));
    asked.or_else(|| forward_of(node, false)).unwrap_or_default().normalize_or_zero()
}

/// True if the agent lives on a plane.
pub(crate) fn is_planar(agent: InstanceId) -> bool {
    Reader::of(agent).is_some_and(|agent| agent.is_flat())
}

/// A direction seen from above, or as it is on the plane.
pub(crate) fn planar(direction: Vector3, flat: bool) -> DVec2 {
    DVec2::new(f64::from(direction.x), f64::from(if flat { direction.y } else { direction.z }))
}

fn facing_node(player: InstanceId) -> Option<(InstanceId, bool)> {
    let (path, model_front, known) =
        with(player, |state| (state.paths.facing.clone(), state.paths.model_front, state.found.facing))?;
    if path.is_empty() {
        return None;
    }
    let known = known.filter(|id| id.lookup_validity());
    let id = known.or_else(|| at(player, &path).map(|node| node.instance_id()))?;
    with(player, |state| state.found.facing = Some(id));
    Some((id, model_front))
}

fn forward_of(node: InstanceId, model_front: bool) -> Option<DVec2> {
    let reader = Reader::of(node)?;
    let live = reader.live()?;
    if !live.is_inside_tree() {
        return None;
    }
    match live.stand()? {
        Stand::Space(place) => {
            let back = place.basis.col_c();
            Some(planar(if model_front { back } else { -back }, false))
        }
        Stand::Plane(place) => Some(DVec2::new(f64::from(place.a.x), f64::from(place.a.y))),
    }
}
