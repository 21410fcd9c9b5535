//! Signals of a player. Nothing is built that nobody hears.

use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::graph::{Effect, Fail};
use riposte_core::tags::TagId;

use super::living::living;
use super::state::with;
use super::{ActionGraphPlayer, logging, paying, problems, sources};
use crate::base::{lookup, script_method, tags};

macro_rules! signal_names {
    ($($name:ident)*) => {
        struct Names { $($name: StringName,)* set_locomotion_scale: StringName }

        fn names() -> &'static Names {
            static NAMES: OnceLock<Names> = OnceLock::new();
            NAMES.get_or_init(|| Names {
                $($name: StringName::from(stringify!($name)),)*
                set_locomotion_scale: StringName::from("_set_locomotion_scale"),
            })
        }
    };
}

signal_names! {
    action_started action_ended graph_reset graph_changed action_cancelled action_failed window_opened window_closed
    marker_reached input_buffered input_dropped sequence_ended cooldown_started cooldown_expired locomotion_scale_changed
    replay_ended replay_diverged state_imported move_rejected
}

/// The node, if somebody listens to this signal of it.
fn heard(id: InstanceId, signal: &StringName) -> Option<Gd<ActionGraphPlayer>> {
    let node = Gd::<ActionGraphPlayer>::try_from_instance_id(id).ok()?;
    let heard = node.has_connections(signal);
    if heard {
        with(id, |state| state.world.spoil());
    }
    heard.then_some(node)
}

fn name(tag: TagId) -> StringName {
    tags::name(tag)
}

/// Tells what a signal is about.
pub(super) fn tell(id: InstanceId, effect: Effect) {
    logging::effect(id, &effect);
    let names = names();
    match effect {
        Effect::WindowOpened(kind) => {
            if let Some(node) = heard(id, &names.window_opened) {
                node.signals().window_opened().emit(&StringName::from(&*kind));
            }
        }
        Effect::WindowClosed(kind) => {
            if let Some(node) = heard(id, &names.window_closed) {
                node.signals().window_closed().emit(&StringName::from(&*kind));
            }
        }
        Effect::Started { .. } | Effect::Ended { .. } | Effect::Cancelled { .. } | Effect::Failed { .. } => {
            tell_run(id, effect);
        }
        Effect::InputBuffered { tag, moment } => {
            if let Some(node) = heard(id, &names.input_buffered) {
                node.signals().input_buffered().emit(&name(tag), moment.code());
            }
        }
        Effect::InputDropped { tag, moment, why, .. } => {
            if let Some(node) = heard(id, &names.input_dropped) {
                node.signals().input_dropped().emit(&name(tag), moment.code(), why.code());
            }
        }
        Effect::CooldownStarted { key, duration } => {
            if let Some(node) = heard(id, &names.cooldown_started) {
                node.signals().cooldown_started().emit(&StringName::from(&*key), duration);
            }
        }
        Effect::CooldownExpired { key } => {
            if let Some(node) = heard(id, &names.cooldown_expired) {
                node.signals().cooldown_expired().emit(&StringName::from(&*key));
            }
        }
        Effect::SequenceEnded { handle, reason } => {
            if let Some(node) = heard(id, &names.sequence_ended) {
                node.signals().sequence_ended().emit(handle, reason.code());
            }
        }
        Effect::LocomotionChanged(scale) => tell_locomotion(id, scale),
        effect => tell_graph(id, effect),
    }
}

fn tell_graph(id: InstanceId, effect: Effect) {
    let names = names();
    match effect {
        Effect::GraphReset => {
            if let Some(node) = heard(id, &names.graph_reset) {
                node.signals().graph_reset().emit();
            }
        }
        Effect::GraphChanged => {
            if let Some(node) = heard(id, &names.graph_changed) {
                node.signals().graph_changed().emit(sources::active(id).as_ref());
            }
        }
        Effect::StateImported => {
            if let Some(node) = heard(id, &names.state_imported) {
                node.signals().state_imported().emit();
            }
        }
        Effect::ReplayBegan => sources::begin_replay(id),
        Effect::ReplayGraph(at) => sources::replayed(id, at),
        Effect::ReplayEnded => {
            sources::end_replay(id);
            if let Some(node) = heard(id, &names.replay_ended) {
                node.signals().replay_ended().emit();
            }
        }
        Effect::ReplayDiverged { tick } => {
            if let Some(node) = heard(id, &names.replay_diverged) {
                node.signals().replay_diverged().emit(tick as i64);
            }
        }
        Effect::MoveRejected { node: refused } => {
            if let Some(node) = heard(id, &names.move_rejected) {
                let name = with(id, |state| Some(StringName::from(&*state.core.graph()?.node(refused).id)));
                node.signals().move_rejected().emit(&name.flatten().unwrap_or_default());
            }
        }
        Effect::Record => {
            let old = with(id, |state| {
                tags::with_table(|table| state.core.record(table));
                state.sources.begin_recording()
            });
            drop(old);
        }
        Effect::LoopError => problems::looped(id),
        Effect::Overflow => problems::overflow(id),
        _ => {}
    }
}

fn tell_run(id: InstanceId, effect: Effect) {
    let names = names();
    match effect {
        Effect::Started { run, .. } => {
            let Some(living) = living(id, run) else { return };
            if let Some(node) = heard(id, &names.action_started) {
                node.signals().action_started().emit(&living.run.data().node_id, &living.run.handle());
            }
        }
        Effect::Ended { run, reason, .. } => {
            let Some(ended) = living(id, run) else { return };
            with(id, |state| state.last_node = ended.run.data().node_id.clone());
            if let Some(node) = heard(id, &names.action_ended) {
                node.signals().action_ended().emit(&ended.run.data().node_id, reason.code());
            }
        }
        Effect::Cancelled { run, tag, .. } => {
            let Some(living) = living(id, run) else { return };
            if let Some(node) = heard(id, &names.action_cancelled) {
                node.signals().action_cancelled().emit(&living.run.data().node_id, &name(tag));
            }
        }
        Effect::Failed { node: failed, fail, tag } => {
            if fail == Fail::Cost {
                paying::tell_missing(id, failed);
            }
            let Some(node) = heard(id, &names.action_failed) else { return };
            let id_of = with(id, |state| {
                let parts = state.graph()?.nodes.get(failed as usize)?;
                Some(parts.id.clone())
            });
            let tag = tag.map(name).unwrap_or_default();
            node.signals().action_failed().emit(&id_of.flatten().unwrap_or_default(), fail.code(), &tag);
        }
        _ => {}
    }
}

/// An animation passed a marker.
pub(super) fn marker(id: InstanceId, marker: &StringName) {
    if let Some(node) = heard(id, &names().marker_reached) {
        node.signals().marker_reached().emit(marker);
    }
}

fn tell_locomotion(id: InstanceId, scale: [f64; 3]) {
    let [speed, acceleration, turn] = scale;
    let vector = Vector3::new(speed as f32, acceleration as f32, turn as f32);
    with(id, |state| state.locomotion = vector);
    if let Some(node) = heard(id, &names().locomotion_scale_changed) {
        node.signals().locomotion_scale_changed().emit(speed, acceleration, turn);
    }
    let method = &names().set_locomotion_scale;
    let agent = lookup::agent_of(id).and_then(|agent| Gd::<Node>::try_from_instance_id(agent).ok());
    if let Some(agent) = agent.filter(|agent| agent.get_script().is_some() && agent.has_method(method)) {
        script_method::call(&agent, method, &scale.map(|factor| factor.to_variant()));
        with(id, |state| state.world.spoil());
    }
}
