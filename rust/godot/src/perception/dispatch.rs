//! Tells what happened: each event on the node, then on the server, then on the source. Nothing is held meanwhile, and
//! a handler may do anything.

use godot::prelude::*;
use riposte_core::perception::{Event, EventKind};

use super::perception_3d::Perception3D;
use super::perception_event::PerceptionEvent;
use super::perception_server::PerceptionServer;
use super::state;
use super::stimulus_source_3d::StimulusSource3D;

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
        let (_, agent) = state.world.perceiver_place(event.perceiver)?;
        let source = event.target.and_then(|target| state.speaking_source_node(target));
        Some((state.perceiver_node(event.perceiver)?, agent, source))
    });
    let Some((node, agent, source)) = found else { return false };
    let Ok(node) = Gd::<Perception3D>::try_from_instance_id(node) else { return false };
    let begins = matches!(event.kind, EventKind::Perceived | EventKind::SightGained);
    if begins && event.target.is_some_and(|target| !is_alive(target.agent)) {
        return false;
    }
    let told = PerceptionEvent::create(event, agent, node.instance_id().to_i64());
    emit(&node, event.kind, &told);
    if matches!(event.kind, EventKind::Perceived | EventKind::Lost) {
        tell_server_and_source(event, &told, agent, source);
    }
    true
}

fn emit(node: &Gd<Perception3D>, kind: EventKind, told: &Gd<PerceptionEvent>) {
    match kind {
        EventKind::SightLost => node.signals().target_sight_lost().emit(told),
        EventKind::Lost => node.signals().target_lost().emit(told),
        EventKind::Perceived => node.signals().target_perceived().emit(told),
        EventKind::SightGained => node.signals().target_sight_gained().emit(told),
        EventKind::NoiseHeard => node.signals().noise_heard().emit(told),
        EventKind::DamageSensed => node.signals().damage_sensed().emit(told),
        EventKind::DetectionStarted | EventKind::DetectionAborted => {}
    }
}

fn tell_server_and_source(event: &Event, told: &Gd<PerceptionEvent>, agent: i64, source: Option<InstanceId>) {
    let server = PerceptionServer::singleton();
    let begins = event.kind == EventKind::Perceived;
    if begins {
        server.signals().target_perceived().emit(told);
    } else {
        server.signals().target_lost().emit(told);
    }
    let source = source.and_then(|id| Gd::<StimulusSource3D>::try_from_instance_id(id).ok());
    let agent = InstanceId::try_from_i64(agent).and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    if let (Some(source), Some(agent)) = (source, agent) {
        if begins {
            source.signals().perceived_by().emit(&agent);
        } else {
            source.signals().lost_by().emit(&agent);
        }
    }
}

fn is_alive(node: i64) -> bool {
    InstanceId::try_from_i64(node).is_some_and(InstanceId::lookup_validity)
}
