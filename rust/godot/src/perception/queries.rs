//! What scripts ask about a perceiver. Targets that are gone, or queued for deletion, are left out at once.

use glam::DVec3;
use godot::prelude::*;
use riposte_core::perception::{
    self as core, MAX_AIM_POINTS, PerceiverKey, Record, Senses, SourceKey, SourceSettings, TargetRef,
    TargetState,
};

use crate::base::lookup;

use super::arguments::{NodeArg, live_agent, target_of};
use super::dimension::Placed;
use super::nodes::{SourceRules, points_of_paths};
use super::perception_node::AnyPerception;
use super::{line_of_sight, mirror, stances, state};

/// The known targets of a perception node, closest first.
pub(super) fn known_targets(perception: InstanceId) -> Vec<Gd<Node>> {
    if let Some(copied) = mirror::known(perception) {
        return copied_targets(perception, copied);
    }
    let mut targets = Vec::new();
    if let Some((key, origin)) = present(perception) {
        state::with(|state| state.world.targets(key, origin, &mut targets));
    }
    targets.into_iter().filter_map(live_agent).collect()
}

fn copied_targets(perception: InstanceId, copied: Vec<(InstanceId, Known)>) -> Vec<Gd<Node>> {
    let Some(origin) = Placed::by_id(perception).and_then(|node| node.origin()) else { return Vec::new() };
    let mut copied = copied;
    copied.sort_by(|(_, a), (_, b)| {
        let distance = |known: &Known| known.location.distance_squared(origin);
        distance(a).total_cmp(&distance(b))
    });
    let live = |id: InstanceId| {
        Gd::<Node>::try_from_instance_id(id).ok().filter(|node| !node.is_queued_for_deletion())
    };
    copied.into_iter().filter_map(|(agent, _)| live(agent)).collect()
}

/// The first of [`known_targets`].
pub(super) fn closest_target(perception: InstanceId) -> Option<Gd<Node>> {
    if mirror::is_mirror(perception) {
        return known_targets(perception).into_iter().next();
    }
    let (key, origin) = present(perception)?;
    let closest = state::with(|state| state.world.closest_target(key, origin))?;
    // What is queued for deletion still counts to the core.
    live_agent(closest).or_else(|| known_targets(perception).into_iter().next())
}

/// Targets that a perception node is making out, closest first.
pub(super) fn detecting_targets(perception: InstanceId) -> Vec<Gd<Node>> {
    let mut targets = Vec::new();
    if let Some((key, origin)) = present(perception) {
        state::with(|state| state.world.detecting(key, origin, &mut targets));
    }
    targets.into_iter().filter_map(live_agent).collect()
}

/// A perceiver in the tree, and where it is.
fn present(perception: InstanceId) -> Option<(PerceiverKey, DVec3)> {
    let key = state::with(|state| state.perceiver(perception))?;
    let node = Placed::by_id(perception).filter(|node| node.node().is_inside_tree())?;
    Some((key, node.frame().origin))
}

/// The agents that sense a target by one of these senses; with an empty mask those that know it. Each once.
pub(super) fn perceivers_of(target: &Gd<Node>, mask: i64) -> Array<Gd<Node>> {
    let Some(target) = target_of(target) else { return Array::new() };
    let senses = Senses::from_bits(mask);
    let mut agents = Vec::new();
    state::with(|state| {
        let mut keys = Vec::new();
        state.world.perceivers_of(target, senses, &mut keys);
        agents.extend(
            keys.into_iter().filter_map(|key| state.world.perceiver_place(key)).map(|(_, agent)| agent),
        );
    });
    if let Some(target) = InstanceId::try_from_i64(target.agent) {
        let mirrors = mirror::knowing(target, senses).into_iter();
        agents.extend(mirrors.filter_map(lookup::agent_of).map(InstanceId::to_i64));
    }
    let mut once = Vec::new();
    agents.retain(|agent| {
        !once.contains(agent) && {
            once.push(*agent);
            true
        }
    });
    let node = |agent| Gd::<Node>::try_from_instance_id(InstanceId::try_from_i64(agent)?).ok();
    agents.into_iter().filter_map(node).collect()
}

/// The aim points of a source, in the world.
pub(super) fn aim_points(
    source: &Gd<Node>,
    settings: &SourceSettings,
    rules: &SourceRules,
    key: Option<SourceKey>,
) -> Vec<DVec3> {
    let node = Placed::of(source).filter(|_| source.is_inside_tree());
    let Some((node, pose)) = node.and_then(|node| node.frame().pose().map(|pose| (node, pose))) else {
        return Vec::new();
    };
    let stance = key.filter(|_| settings.asks_stance).map_or(settings.stance, stances::stance);
    let mut points: Vec<DVec3> = core::aim_points(settings, &pose, stance).collect();
    points.extend(points_of_paths(&node, &rules.aim_point_paths));
    points.truncate(MAX_AIM_POINTS);
    points
}

/// Puts the known targets into a script's own array.
pub(super) fn fill(perception: InstanceId, buffer: AnyArray) -> i64 {
    let targets = known_targets(perception);
    let array = buffer.to_variant();
    array.call("resize", &[(targets.len() as i64).to_variant()]);
    for (index, target) in targets.iter().enumerate() {
        array.call("set", &[(index as i64).to_variant(), target.to_variant()]);
    }
    targets.len() as i64
}

/// What the perceiver knows of a target that a script named.
pub(super) fn record_of(key: PerceiverKey, target: &NodeArg) -> Option<(TargetRef, Record)> {
    let target = target_of(target.0.as_ref()?)?;
    live_agent(target)?;
    state::with(|state| state.world.record(key, target).map(|record| (target, record.clone())))
}

/// What is known of a target, by whoever senses it: this peer, or the authority that this peer copies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub(super) senses: Senses,
    pub(super) location: DVec3,
    pub(super) velocity: DVec3,
    pub(super) age: f64,
    pub(super) visible_fraction: f64,
    pub(super) visible_mask: u16,
}

/// What a perception node knows of a target that a script named.
pub(super) fn known(perception: InstanceId, target: &NodeArg) -> Option<Known> {
    if let Some(copied) = mirror::known(perception) {
        let node = target.0.as_ref()?;
        let agent = target_of(node).and_then(|target| InstanceId::try_from_i64(target.agent));
        let agent = agent.unwrap_or(node.instance_id());
        return copied.into_iter().find(|(known, _)| *known == agent).map(|(_, known)| known);
    }
    let key = state::with(|state| state.perceiver(perception))?;
    let (target, record) = record_of(key, target)?;
    Some(Known {
        senses: record.senses,
        location: record.location,
        velocity: record.velocity,
        age: state::with(|state| state.world.age(key, target))?,
        visible_fraction: record.visible_fraction(),
        visible_mask: record.visible_mask,
    })
}

pub(super) fn can_sense(perception: InstanceId, target: &NodeArg, mask: i64) -> bool {
    known(perception, target).is_some_and(|known| known.senses.intersects(Senses::from_bits(mask)))
}

/// How far a target has been made out; 1 if it is known.
pub(super) fn detection(perception: InstanceId, target: &NodeArg) -> f64 {
    if known(perception, target).is_some() {
        return 1.0;
    }
    let level = || {
        let key = state::with(|state| state.perceiver(perception))?;
        let target = target_of(target.0.as_ref()?)?;
        live_agent(target)?;
        Some(state::with(|state| state.world.detection(key, target)))
    };
    level().unwrap_or(0.0)
}

pub(super) fn target_state(perception: InstanceId, target: &NodeArg) -> i64 {
    let state = match known(perception, target) {
        Some(known) if known.senses.is_empty() => TargetState::Remembered,
        Some(_) => TargetState::Sensed,
        None if detection(perception, target) > 0.0 => TargetState::Detecting,
        None => TargetState::Unknown,
    };
    state as i64
}

pub(super) fn location(perception: InstanceId, target: &NodeArg) -> Option<DVec3> {
    known(perception, target).map(|known| known.location)
}

/// Where the eye of a Perception is, and where it looks.
pub(super) fn eye_and_forward(perception: InstanceId) -> (DVec3, DVec3) {
    let Some(node) = Placed::by_id(perception) else { return (DVec3::ZERO, DVec3::NEG_Z) };
    let settings = || AnyPerception::of(&node.node()).map(|node| node.settings()).unwrap_or_default();
    line_of_sight::eye_and_forward(&node, settings)
}

pub(super) fn forget(perception: InstanceId, target: &NodeArg) -> bool {
    let Some(key) = state::with(|state| state.perceiver(perception)) else { return false };
    let Some(target) = target.0.as_ref().and_then(target_of) else { return false };
    state::with(|state| state.world.forget(key, target))
}
