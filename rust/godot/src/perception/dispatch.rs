//! Tells what happened: each event on the node, then on the server, then on the source. Nothing is held meanwhile, and
//! a handler may do anything. Where nobody listens nothing is made.

use godot::prelude::*;
use riposte_core::perception::{Event, EventKind};

use super::perception_event::PerceptionEvent;
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
    let mut told = Told { event, agent, perception: perception.to_i64(), planar, made: None };
    told.on(&mut node, signal_of(event.kind));
    if matches!(event.kind, EventKind::Perceived | EventKind::Lost) {
        told.on(&mut PerceptionServer::singleton().upcast(), signal_of(event.kind));
        tell_source(event.kind == EventKind::Perceived, agent, source);
    }
    true
}

fn signal_of(kind: EventKind) -> &'static str {
    match kind {
        EventKind::SightLost => "target_sight_lost",
        EventKind::Lost => "target_lost",
        EventKind::Perceived => "target_perceived",
        EventKind::SightGained => "target_sight_gained",
        EventKind::NoiseHeard => "noise_heard",
        EventKind::DamageSensed => "damage_sensed",
        EventKind::DetectionStarted => "detection_started",
        EventKind::DetectionAborted => "detection_aborted",
    }
}

/// An event, and the object that carries it, once somebody wants it.
struct Told<'a> {
    event: &'a Event,
    agent: i64,
    perception: i64,
    planar: bool,
    made: Option<Gd<PerceptionEvent>>,
}

impl Told<'_> {
    fn on(&mut self, object: &mut Gd<Object>, signal: &str) {
        if object.has_connections(signal) {
            let make = || PerceptionEvent::create(self.event, self.agent, self.perception, self.planar);
            let made = self.made.get_or_insert_with(make);
            stats::count_signal();
            object.emit_signal(signal, &[made.to_variant()]);
        }
    }
}

fn tell_source(begins: bool, agent: i64, source: Option<InstanceId>) {
    let object = |id: InstanceId| Gd::<Object>::try_from_instance_id(id).ok();
    let signal = if begins { "perceived_by" } else { "lost_by" };
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
