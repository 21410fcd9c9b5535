//! Lines in the log about hooks and signals, for those who switched them on.

use godot::global::godot_print;
use godot::prelude::*;
use riposte_core::behavior::{LayerId, RouteId, Signal, Step};

use super::driver::{node_of, with};
use super::state::row;
use crate::action::logs_execution;
use crate::base::messages;

/// Prints a step, if the node logs that.
pub(super) fn step(id: InstanceId, step: Step) {
    let own = with(id, |state| state.logs).unwrap_or(false);
    if !own && !logs_execution() {
        return;
    }
    let Some(node) = node_of(id) else { return };
    let now = with(id, |state| state.now).unwrap_or(0.0);
    if let Some(text) = text(id, step) {
        godot_print!("{} {now:.2} s: {text}", messages::label(&node.upcast()));
    }
}

fn text(id: InstanceId, step: Step) -> Option<String> {
    let layer =
        |layer: LayerId| with(id, |state| state.core.layer_name(layer).to_owned()).unwrap_or_default();
    let or_none = |of: Option<LayerId>| of.map_or_else(|| "-".to_owned(), layer);
    let name = |route: RouteId| name(id, route);
    Some(match step {
        Step::Tick(_) | Step::Over(..) => return None,
        Step::Enter(route) => format!("enter({})", name(route)),
        Step::Suspend(route) => format!("suspend({})", name(route)),
        Step::Resume(route) => format!("resume({})", name(route)),
        Step::Exit(route, reason) => format!("exit({},{})", name(route), reason.code()),
        Step::Tell(Signal::Entered(on, route)) => format!("entered({},{route})", layer(on)),
        Step::Tell(Signal::Suspended(on, route)) => format!("suspended({},{route})", layer(on)),
        Step::Tell(Signal::Resumed(on, route)) => format!("resumed({},{route})", layer(on)),
        Step::Tell(Signal::Exited(on, route, reason)) => {
            format!("exited({},{route},{})", layer(on), reason.code())
        }
        Step::Tell(Signal::ActiveChanged(old, new)) => format!("active({}→{})", or_none(old), or_none(new)),
    })
}

fn name(id: InstanceId, route: RouteId) -> String {
    let root = row(id, route).and_then(|row| row.runner.root());
    root.map_or_else(|| format!("#{route}"), |root| root.get_name().to_string())
}
