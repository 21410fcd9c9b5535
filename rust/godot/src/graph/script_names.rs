//! Names of the virtuals of scripted conditions, costs and hooks, made once.

use std::sync::OnceLock;

use godot::builtin::StringName;

/// The names.
pub(super) struct Names {
    pub(super) evaluate: StringName,
    pub(super) can_pay: StringName,
    pub(super) pay: StringName,
    pub(super) enter: StringName,
    pub(super) exit: StringName,
    pub(super) tick: StringName,
    pub(super) marker: StringName,
}

static NAMES: OnceLock<Names> = OnceLock::new();

/// The names.
pub(super) fn names() -> &'static Names {
    NAMES.get_or_init(|| Names {
        evaluate: StringName::from("_evaluate"),
        can_pay: StringName::from("_can_pay"),
        pay: StringName::from("_pay"),
        enter: StringName::from("_enter"),
        exit: StringName::from("_exit"),
        tick: StringName::from("_tick"),
        marker: StringName::from("_marker"),
    })
}
