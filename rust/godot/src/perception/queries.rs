//! What scripts ask about a perceiver. Targets that are gone, or queued for deletion, are left out at once.

use glam::DVec3;
use godot::prelude::*;
use riposte_core::perception::{
    self as core, MAX_AIM_POINTS, PerceiverKey, PerceptionWorld, Record, Senses, SourceKey, SourceSettings,
    TargetRef, TargetState,
};

use super::arguments::{NodeArg, live_agent, target_of};
use super::dimension::Placed;
use super::nodes::{SourceRules, points_of_paths};
use super::perception_node::AnyPerception;
use super::{line_of_sight, stances, state};

/// The known targets of a perception node, closest first.
pub(super) fn known_targets(perception: InstanceId) -> Vec<Gd<Node>> {
    let mut targets = Vec::new();
    if let Some((key, origin)) = present(perception) {
        state::with(|state| state.world.targets(key, origin, &mut targets));
    }
    targets.into_iter().filter_map(live_agent).collect()
}

/// The first of [`known_targets`].
pub(super) fn closest_target(perception: InstanceId) -> Option<Gd<Node>> {
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
    let mut agents = Vec::new();
    state::with(|state| {
        let mut keys = Vec::new();
        state.world.perceivers_of(target, Senses::from_bits(mask), &mut keys);
        for (_, agent) in keys.into_iter().filter_map(|key| state.world.perceiver_place(key)) {
            if !agents.contains(&agent) {
                agents.push(agent);
            }
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

/// What a perception node knows of a target that a script named.
pub(super) fn record(perception: InstanceId, target: &NodeArg) -> Option<Record> {
    let key = state::with(|state| state.perceiver(perception))?;
    record_of(key, target).map(|(_, record)| record)
}

/// For how long no sense has sensed a target.
pub(super) fn age(perception: InstanceId, target: &NodeArg) -> Option<f64> {
    let key = state::with(|state| state.perceiver(perception))?;
    let (target, _) = record_of(key, target)?;
    state::with(|state| state.world.age(key, target))
}

pub(super) fn can_sense(perception: InstanceId, target: &NodeArg, mask: i64) -> bool {
    record(perception, target).is_some_and(|record| record.senses.intersects(Senses::from_bits(mask)))
}

/// Asks the world about a target that a script named and that is still there.
fn ask<R>(
    perception: InstanceId,
    target: &NodeArg,
    question: impl FnOnce(&PerceptionWorld, PerceiverKey, TargetRef) -> R,
) -> Option<R> {
    let key = state::with(|state| state.perceiver(perception))?;
    let target = target_of(target.0.as_ref()?)?;
    live_agent(target)?;
    Some(state::with(|state| question(&state.world, key, target)))
}

pub(super) fn target_state(perception: InstanceId, target: &NodeArg) -> i64 {
    ask(perception, target, PerceptionWorld::target_state).unwrap_or(TargetState::Unknown) as i64
}

/// How far a target has been made out; 1 if it is known.
pub(super) fn detection(perception: InstanceId, target: &NodeArg) -> f64 {
    ask(perception, target, PerceptionWorld::detection).unwrap_or(0.0)
}

pub(super) fn location(perception: InstanceId, target: &NodeArg) -> Option<DVec3> {
    record(perception, target).map(|record| record.location)
}

pub(super) fn velocity(perception: InstanceId, target: &NodeArg) -> DVec3 {
    record(perception, target).map_or(DVec3::ZERO, |record| record.velocity)
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
