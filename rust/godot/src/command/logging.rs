//! Lines in the log about orders, for those who switched them on.

use godot::global::godot_print;
use godot::prelude::*;
use riposte_core::command::{Effect, Info, OrderKey, RunResult};

use super::driver::{node_of, read, with};
use super::starting;
use crate::action;
use crate::base::messages;

pub(super) fn wanted(id: InstanceId) -> bool {
    action::logs_execution() || read(id, |state| state.logs).unwrap_or(false)
}

/// Prints a line, if the node logs.
pub(super) fn line(id: InstanceId, text: impl FnOnce() -> String) {
    if !wanted(id) {
        return;
    }
    let now = read(id, |state| state.core.now()).unwrap_or(0.0);
    if let Some(node) = node_of(id) {
        godot_print!("{} {now:.2} s: {}", messages::label(&node.upcast()), text());
    }
}

/// A hook is about to be called.
pub(super) fn hook(id: InstanceId, hook: &str, order: OrderKey) {
    line(id, || format!("{hook}({})", name(id, order)));
}

/// A signal is about to be told.
pub(super) fn effect(id: InstanceId, effect: &Effect) {
    line(id, || text(id, effect));
}

fn text(id: InstanceId, effect: &Effect) -> String {
    let of = |info: &Info| name(id, info.order);
    let place = |info: &Option<Info>| info.as_ref().map_or_else(|| "-".to_owned(), of);
    match effect {
        Effect::CurrentChanged { previous, current } => {
            format!("cur({}→{})", place(previous), place(current))
        }
        Effect::Started(info) => format!("started({})", of(info)),
        Effect::Resumed(info) => format!("resumed({})", of(info)),
        Effect::Retried(info) => format!("retried({},{})", of(info), info.attempt),
        Effect::Suspended(info) => format!("susp({})", of(info)),
        Effect::Ended { info, .. } => {
            let reason = info.reason.name();
            let reason = if reason.is_empty() { String::new() } else { format!(",{reason}") };
            format!("end({},{}{reason})", of(info), letter(info.result))
        }
        Effect::CancelTimedOut(info) => format!("timeout({})", of(info)),
        Effect::StartsHeld => "held".to_owned(),
        Effect::QueueChanged => "queue".to_owned(),
        Effect::BecameIdle => "idle".to_owned(),
        Effect::Rejected(number) => {
            let reason = with(id, |state| {
                let refused = state.refused.iter().find(|known| known.0 == *number);
                refused.map(|known| known.2.to_string())
            });
            format!("rejected({})", reason.flatten().unwrap_or_default())
        }
        _ => String::new(),
    }
}

/// The order by the id of its definition and its own number.
fn name(id: InstanceId, order: OrderKey) -> String {
    let name = starting::order_of(id, order).map(|known| known.accepted.name.to_string());
    format!("{}#{}", name.unwrap_or_default(), order.id)
}

fn letter(result: RunResult) -> &'static str {
    match result {
        RunResult::None => "-",
        RunResult::Succeeded => "S",
        RunResult::Failed => "F",
        RunResult::Cancelled => "C",
        RunResult::Dropped => "D",
    }
}
