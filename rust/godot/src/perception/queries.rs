//! What scripts ask about a perceiver. Targets that are gone, or queued for deletion, are left out at once.

use glam::DVec3;
use godot::prelude::*;
use riposte_core::perception::{PerceiverKey, Record, Senses, TargetRef, TargetState};

use super::arguments::{NodeArg, live_agent, target_of};
use super::dimension::Placed;
use super::line_of_sight;
use super::perception_node::AnyPerception;
use super::state;

/// The known targets of a perception node, closest first.
pub(super) fn known_targets(perception: InstanceId) -> Vec<Gd<Node>> {
    let Some(key) = state::with(|state| state.perceiver(perception)) else { return Vec::new() };
    let node = Placed::by_id(perception).filter(|node| node.node().is_inside_tree());
    let Some(node) = node else { return Vec::new() };
    let origin = node.frame().origin;
    let mut targets = Vec::new();
    state::with(|state| state.world.targets(key, origin, &mut targets));
    targets.into_iter().filter_map(live_agent).collect()
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

pub(super) fn target_state(perception: InstanceId, target: &NodeArg) -> i64 {
    let known = record(perception, target)
        .map(|record| if record.senses.is_empty() { TargetState::Remembered } else { TargetState::Sensed });
    known.unwrap_or(TargetState::Unknown) as i64
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
    let Some((target, _)) = record_of(key, target) else { return false };
    state::with(|state| state.world.forget(key, target))
}
