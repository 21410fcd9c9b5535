//! Lines in the log about inputs and moves, for those who switched them on.

use godot::global::godot_print;
use godot::prelude::*;
use riposte_core::graph::Effect;

use super::state::with;
use super::{debugging, wording};
use crate::base::messages;

/// Prints a line, if the inputs of the player are logged.
pub(super) fn line(id: InstanceId, text: impl FnOnce() -> String) {
    if debugging::is_logged(id)
        && let Ok(node) = Gd::<Object>::try_from_instance_id(id)
    {
        godot_print!("{}: {}", messages::label(&node), text());
    }
}

/// An input was walked.
pub(super) fn effect(id: InstanceId, effect: &Effect) {
    if matches!(effect, Effect::Walked(_)) {
        let report = with(id, |state| state.core.last_report().map(wording::line)).flatten();
        if let Some(report) = report {
            line(id, || report);
        }
    }
}
