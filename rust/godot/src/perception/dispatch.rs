//! Tells what happened: each event on the node, then on the server, then on the source. Nothing is held meanwhile, and
//! a handler may do anything. Where nobody listens nothing is made.

use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::perception::{Event, EventKind, LossReason, Senses};

use crate::base::lookup;

use super::mirror::News;
use super::perception_event::{Facts, PerceptionEvent};
use super::perception_server::PerceptionServer;
use super::{state, stats};

pub(super) fn dispatch(events: &[Event]) {
    for event in events {
        if !deliver(event) {
            state::with(|state| state.world.not_delivered(event));
        }
    }
}

/// False if the event was skipped, because its perceiver or the target that it begins with is not there any more.
fn deliver(event: &Event) -> bool {
    let found = state::with(|state| {
        let (space, agent) = state.world.perceiver_place(event.perceiver)?;
        let source = event.target.and_then(|target| state.speaking_source_node(target));
        let planar = state.world_of(space).is_some_and(|(_, planar)| planar);
        Some((state.perceiver_node(event.perceiver)?, agent, source, planar))
    });
    let Some((perception, agent, source, planar)) = found else { return false };
    let Ok(mut node) = Gd::<Object>::try_from_instance_id(perception) else { return false };
    let begins =
        matches!(event.kind, EventKind::Perceived | EventKind::SightGained | EventKind::DetectionStarted);
    if begins && event.target.is_some_and(|target| !is_alive(target.agent)) {
        return false;
    }
    let facts = Facts { perceiver: agent, perception: perception.to_i64(), planar, ..Facts::from(event) };
    let mut told = Told { facts, made: None };
    told.on(&mut node, signal_of(event.kind));
    if matches!(event.kind, EventKind::Perceived | EventKind::Lost) {
        told.on(&mut PerceptionServer::singleton().upcast(), signal_of(event.kind));
        tell_source(event.kind == EventKind::Perceived, agent, source);
    }
    true
}

/// Tells what became different in the copy that a mirror holds.
pub(super) fn tell_news(perception: InstanceId, news: &News) {
    let Ok(mut node) = Gd::<Object>::try_from_instance_id(perception) else { return };
    let target = news.record.agent.filter(|agent| agent.lookup_validity());
    if news.begins && target.is_none() {
        return;
    }
    let kind = if news.begins { EventKind::Perceived } else { EventKind::Lost };
    let reason = match (news.begins, target) {
        (true, _) => LossReason::None,
        // The authority publishes no reasons.
        (false, Some(_)) => LossReason::Forgotten,
        (false, None) => LossReason::Gone,
    };
    let senses = news.record.senses;
    let agent = lookup::agent_of(perception).map_or(0, InstanceId::to_i64);
    let facts = Facts {
        perceiver: agent,
        perception: perception.to_i64(),
        planar: node.is_class("Node2D"),
        target: news.record.agent.map_or(0, InstanceId::to_i64),
        location: news.record.location,
        stimulus_location: news.record.location,
        sense: senses.leading(),
        senses: if news.begins { senses } else { Senses::NONE },
        reason,
        ..Facts::default()
    };
    let mut told = Told { facts, made: None };
    told.on(&mut node, signal_of(kind));
    told.on(&mut PerceptionServer::singleton().upcast(), signal_of(kind));
    let source = state::with(|state| {
        let target = state.world.target_of(target?.to_i64())?;
        state.speaking_source_node(target)
    });
    tell_source(news.begins, agent, source);
}

/// Names of signals, made once: to make one takes longer than to find out that nobody listens.
struct Names {
    sight_lost: StringName,
    lost: StringName,
    perceived: StringName,
    sight_gained: StringName,
    noise_heard: StringName,
    damage_sensed: StringName,
    detection_started: StringName,
    detection_aborted: StringName,
    perceived_by: StringName,
    lost_by: StringName,
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names {
        sight_lost: "target_sight_lost".into(),
        lost: "target_lost".into(),
        perceived: "target_perceived".into(),
        sight_gained: "target_sight_gained".into(),
        noise_heard: "noise_heard".into(),
        damage_sensed: "damage_sensed".into(),
        detection_started: "detection_started".into(),
        detection_aborted: "detection_aborted".into(),
        perceived_by: "perceived_by".into(),
        lost_by: "lost_by".into(),
    })
}

fn signal_of(kind: EventKind) -> &'static StringName {
    let names = names();
    match kind {
        EventKind::SightLost => &names.sight_lost,
        EventKind::Lost => &names.lost,
        EventKind::Perceived => &names.perceived,
        EventKind::SightGained => &names.sight_gained,
        EventKind::NoiseHeard => &names.noise_heard,
        EventKind::DamageSensed => &names.damage_sensed,
        EventKind::DetectionStarted => &names.detection_started,
        EventKind::DetectionAborted => &names.detection_aborted,
    }
}

/// An event, and the object that carries it, once somebody wants it.
struct Told {
    facts: Facts,
    made: Option<Gd<PerceptionEvent>>,
}

impl Told {
    fn on(&mut self, object: &mut Gd<Object>, signal: &StringName) {
        if object.has_connections(signal) {
            let made = self.made.get_or_insert_with(|| PerceptionEvent::create(&self.facts));
            stats::count_signal();
            object.emit_signal(signal, &[made.to_variant()]);
        }
    }
}

fn tell_source(begins: bool, agent: i64, source: Option<InstanceId>) {
    let object = |id: InstanceId| Gd::<Object>::try_from_instance_id(id).ok();
    let signal = if begins { &names().perceived_by } else { &names().lost_by };
    let Some(mut source) = source.and_then(object).filter(|source| source.has_connections(signal)) else {
        return;
    };
    if let Some(agent) = InstanceId::try_from_i64(agent).and_then(object) {
        stats::count_signal();
        source.emit_signal(signal, &[agent.to_variant()]);
    }
}

fn is_alive(node: i64) -> bool {
    InstanceId::try_from_i64(node).is_some_and(InstanceId::lookup_validity)
}
