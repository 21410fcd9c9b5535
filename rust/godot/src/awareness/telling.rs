//! Tells what changed. Nothing is held meanwhile, and a handler may do anything.

use godot::prelude::*;
use riposte_core::awareness::{AttentionReason, Event, Lifecycle, ThreatLevel};
use riposte_core::perception::TargetRef;

use super::{AgentAwareness, AwarenessRecord, state};
use crate::base::messages;
use crate::perception;

/// What has to be told of a tick, in order.
pub(crate) type Told = Vec<Tell>;

/// One thing to tell.
pub(crate) struct Tell {
    pub(super) node: InstanceId,
    pub(super) event: Event,
    /// Of the belief that the event is about.
    pub(super) record: Option<Gd<AwarenessRecord>>,
}

/// Emits the signals. Nothing may be bound or locked.
pub(crate) fn dispatch(told: Told) {
    for tell in told {
        let Ok(node) = Gd::<AgentAwareness>::try_from_instance_id(tell.node) else { continue };
        if node.is_inside_tree() {
            deliver(&node, &tell);
        }
    }
}

fn deliver(node: &Gd<AgentAwareness>, tell: &Tell) {
    if state::with(|minds| minds.mind(tell.node).is_some_and(|mind| mind.logs)) {
        note(node, tell);
    }
    match (tell.event, &tell.record) {
        (Event::State { previous, state, .. }, Some(record)) => {
            AwarenessRecord::tell(record, state);
            node.signals().belief_state_changed().emit(record, previous.to_int());
            AwarenessRecord::told(record);
        }
        (Event::Level { previous, .. }, Some(record)) => {
            node.signals().threat_level_changed().emit(record, previous.to_int());
        }
        (Event::Highest { level, previous }, _) => {
            node.signals().highest_threat_changed().emit(level.to_int(), previous.to_int());
        }
        (Event::Attention { previous, current, reason }, _) => {
            tell_attention(node, previous, current, reason)
        }
        _ => {}
    }
}

/// An attention that changed at once, outside a tick.
pub(super) fn tell_now(node: InstanceId, event: Event) {
    dispatch(vec![Tell { node, event, record: None }]);
}

fn tell_attention(
    node: &Gd<AgentAwareness>,
    previous: Option<TargetRef>,
    current: Option<TargetRef>,
    reason: AttentionReason,
) {
    let previous = previous.and_then(perception::live_agent);
    let current = current.and_then(perception::live_agent);
    // By name, because the typed way takes no null.
    let mut node = node.clone();
    let arguments = [previous.to_variant(), current.to_variant(), reason.to_int().to_variant()];
    node.emit_signal("attention_changed", &arguments);
}

/// The log line about an event.
fn note(node: &Gd<AgentAwareness>, tell: &Tell) {
    let label = messages::label(&node.clone().upcast());
    let now = state::with_mind(tell.node, |minds, key| minds.now(key)).unwrap_or(0.0);
    let what = match tell.event {
        Event::State { target, previous, state, .. } => {
            let numbers = state::with_mind(tell.node, |minds, key| {
                let belief = minds.belief(key, target.id)?;
                Some(format!(
                    " (confidence {:.2}, threat {:.2}, score {:.2})",
                    belief.confidence, belief.threat, belief.score
                ))
            });
            let numbers = numbers.flatten().unwrap_or_default();
            format!("{} is {}, was {}{numbers}", name(target), lifecycle(state), lifecycle(previous))
        }
        Event::Level { target, previous, level, .. } => {
            format!("threat of {} is {}, was {}", name(target), level_name(level), level_name(previous))
        }
        Event::Highest { level, previous } => {
            format!("the highest threat is {}, was {}", level_name(level), level_name(previous))
        }
        Event::Attention { previous, current, reason } => {
            let of = |target: Option<TargetRef>| target.map_or_else(|| "nobody".to_owned(), name);
            format!("attends to {}, before to {} ({})", of(current), of(previous), reason_name(reason))
        }
    };
    godot_print!("{label} {now:.2} s: {what}");
}

fn name(target: TargetRef) -> String {
    match perception::live_agent(target) {
        Some(agent) => agent.get_name().to_string(),
        None => "a node that is gone".to_owned(),
    }
}

fn lifecycle(state: Lifecycle) -> &'static str {
    ["UNDETECTED", "SUSPECTED", "DETECTED", "LOST", "EXPIRED"][state as usize]
}

fn level_name(level: ThreatLevel) -> &'static str {
    ["NONE", "LOW", "MEDIUM", "HIGH", "CRITICAL"][level as usize]
}

fn reason_name(reason: AttentionReason) -> &'static str {
    ["ACQUIRED", "SWITCHED", "EXPIRED", "GONE", "RELEASED", "OVERRIDDEN"][reason as usize]
}
