//! Noises and damage that scripts report.

use glam::DVec3;
use godot::classes::{Engine, SceneTree};
use godot::prelude::*;
use riposte_core::perception::{Damage, NodeId, Noise, Reported, Stimulation, TargetRef};
use riposte_core::tags::TagSet;

use crate::base::{messages, tags};

use super::arguments::{NodeArg, lineage, named_perceiver, target_with_source, victim_agent};
use super::dimension::Placed;
use super::perception_server::PerceptionServer;
use super::{mirror, state};

const NOISE: &str = "report_noise";
const STIMULUS: &str = "report_stimulus";

/// A noise as a script gives it.
pub(super) struct GivenNoise<'a> {
    /// The method that was called.
    pub(super) member: &'static str,
    pub(super) location: DVec3,
    pub(super) loudness: f64,
    pub(super) instigator: Option<Gd<Node>>,
    pub(super) tag: &'a StringName,
    /// The `World3D` or `World2D` in which it is heard.
    pub(super) world: Option<InstanceId>,
    pub(super) planar: bool,
}

/// `report_noise` of a StimulusSource.
pub(super) fn noise_of(source: &Gd<Node>, loudness: f64, tag: &StringName) -> bool {
    let place = Placed::of(source).filter(|_| source.is_inside_tree());
    let Some(place) = place else {
        let text = "report_noise() was called outside the tree. Add the source to the tree first.";
        messages::error(source, NOISE, "outside the tree", text);
        return false;
    };
    let (location, planar) = (place.frame().origin, place.is_planar());
    let instigator = Some(source.clone());
    noise(source, &GivenNoise { member: NOISE, location, loudness, instigator, tag, world: None, planar })
}

/// Checks a noise and queues it. Messages name `about`, the node or singleton whose method was called.
pub(super) fn noise<T: Inherits<Object>>(about: &Gd<T>, given: &GivenNoise<'_>) -> bool {
    let member = given.member;
    let finite = is_finite(about, member, "location", given.location.is_finite(), &given.location)
        && is_finite(about, member, "loudness", given.loudness.is_finite(), &given.loudness);
    if !finite {
        return false;
    }
    if !is_positive(about, member, "loudness", given.loudness) {
        return false;
    }
    let Some(tag) = noise_tag(about, member, given.tag) else { return false };
    let Some(space) = space_of_noise(given) else { return false };
    let noise = Noise {
        space,
        location: given.location,
        loudness: given.loudness,
        tag,
        lineage: given.instigator.as_ref().map(lineage).unwrap_or_default(),
    };
    let source = given.instigator.as_ref().and_then(target_with_source);
    accepted(state::with(|state| state.world.report_noise(noise, source)))
}

/// The tag with its ancestors; an error and `None` if it is no tag.
fn noise_tag<T: Inherits<Object>>(about: &Gd<T>, member: &str, tag: &StringName) -> Option<TagSet> {
    if tag.is_empty() {
        return Some(TagSet::default());
    }
    let id = tags::from_script(about, member, &tag.to_string())?;
    Some(tags::with_table(|table| TagSet::new(table, [id])))
}

/// The world that was given, else the instigator's if it is of the same dimension, else the main one.
fn space_of_noise(given: &GivenNoise<'_>) -> Option<riposte_core::perception::SpaceId> {
    let planar = given.planar;
    if let Some(world) = given.world {
        return Some(state::with(|state| state.space_of(world, planar)));
    }
    let instigator = given.instigator.as_ref().and_then(Placed::of).filter(|node| node.is_planar() == planar);
    if let Some(space) = instigator.and_then(|node| node.space()) {
        return Some(space);
    }
    let tree = Engine::singleton().get_main_loop()?.try_cast::<SceneTree>().ok()?;
    let root = tree.get_root()?;
    let world = if planar { root.get_world_2d()?.instance_id() } else { root.get_world_3d()?.instance_id() };
    Some(state::with(|state| state.space_of(world, planar)))
}

/// `PerceptionServer.report_damage` and `report_damage_2d`; `member` is which of them.
pub(super) fn damage(member: &str, victim: &NodeArg, instigator: &NodeArg, hit: DVec3, amount: f64) -> bool {
    let server = PerceptionServer::singleton();
    let Some(victim) = &victim.0 else {
        let text = format!("{member}() got no victim. Give the node that was hurt.");
        messages::error(&server, member, "no victim", &text);
        return false;
    };
    let finite = is_finite(&server, member, "hit_location", hit.is_finite(), &hit)
        && is_finite(&server, member, "amount", amount.is_finite(), &amount);
    if !finite {
        return false;
    }
    if !is_positive(&server, member, "amount", amount) {
        return false;
    }
    let Some(victim) = victim_agent(victim) else { return false };
    let instigator = instigator.0.as_ref();
    if instigator.is_some_and(|by| lineage(by).contains(&victim)) {
        return false;
    }
    let attacker = instigator.and_then(attacker_of);
    let report = Damage { victim, attacker, hit, amount };
    accepted(state::with(|state| state.world.report_damage(report)))
}

/// `PerceptionServer.report_stimulus`.
pub(super) fn stimulus(perceiver: &NodeArg, target: &NodeArg, sense: &StringName, strength: f64) -> bool {
    let server = PerceptionServer::singleton();
    let Some(perceiver) = named_perceiver(STIMULUS, perceiver) else { return false };
    // Elsewhere than on the authority reports are ignored.
    let is_copy = state::with(|state| state.perceiver_node(perceiver)).is_some_and(mirror::is_mirror);
    let Some(target) = &target.0 else {
        let text = "report_stimulus() got no target. Give the node that is sensed.";
        messages::error(&server, STIMULUS, "no target", text);
        return false;
    };
    if !is_finite(&server, STIMULUS, "strength", strength.is_finite(), &strength) {
        return false;
    }
    if !is_positive(&server, STIMULUS, "strength", strength) {
        return false;
    }
    let Some(sense) = tags::from_script(&server, STIMULUS, &sense.to_string()) else { return false };
    let Some((target, location)) = attacker_of(target).filter(|_| !is_copy) else { return false };
    let report = Stimulation { perceiver, target, location, sense, strength };
    accepted(state::with(|state| state.world.report_stimulus(report)))
}

/// Who a node is to those whom it hurts, and where it stands: the target that its source makes, else it itself.
fn attacker_of(node: &Gd<Node>) -> Option<(TargetRef, DVec3)> {
    if let Some(target) = target_with_source(node) {
        let source = state::with(|state| state.active_source_node(target))?;
        return Some((target, Placed::by_id(source)?.origin()?));
    }
    let placed = Placed::of(node)?;
    let (space, place) = (placed.space()?, placed.origin()?);
    let above: Vec<NodeId> = super::placement::ancestors_of(node);
    let target = state::with(|state| state.world.stray(node.instance_id().to_i64(), &above, space));
    Some((target, place))
}

fn is_finite<T: Inherits<Object>>(
    about: &Gd<T>,
    member: &str,
    what: &str,
    finite: bool,
    value: &dyn std::fmt::Display,
) -> bool {
    if !finite {
        let text = format!("{member}() got {what} {value}. Give finite numbers.");
        messages::error(about, member, what, &text);
    }
    finite
}

/// 0 is ignored silently, a negative number with a warning.
fn is_positive<T: Inherits<Object>>(about: &Gd<T>, member: &str, what: &str, value: f64) -> bool {
    if value < 0.0 {
        let text = format!("{member}() got {what} {value}, it is ignored. Give a number above 0.");
        messages::warning(about, member, "negative", &text);
    }
    value > 0.0
}

fn accepted(reported: Reported) -> bool {
    if reported == Reported::AcceptedDroppingOldest {
        let text = "more reports wait than riposte/perception/max_queued_reports, the oldest is dropped. Advance \
                    MANUAL perceivers more often, or raise the setting.";
        messages::warning(&PerceptionServer::singleton(), "reports", "full", text);
    }
    reported != Reported::Ignored
}
