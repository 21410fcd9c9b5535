//! Names of the virtuals of the scriptable classes and of signals that are often unheard, made once: making one costs a third of a call.

use std::sync::OnceLock;

use godot::builtin::StringName;

/// The names.
pub(crate) struct Names {
    pub(crate) score_multiplier: StringName,
    pub(crate) passes_gate: StringName,
    pub(crate) display_name: StringName,
    pub(crate) has_valid_data: StringName,
    pub(crate) preload_assets: StringName,
    pub(crate) ability_to_grant: StringName,
    pub(crate) execution_timeout: StringName,
    pub(crate) can_begin: StringName,
    pub(crate) begin_execute: StringName,
    pub(crate) tick_execute: StringName,
    pub(crate) abort_execute: StringName,
    pub(crate) retarget: StringName,
    pub(crate) pre_execute: StringName,
    pub(crate) post_execute: StringName,
    pub(crate) export_state: StringName,
    pub(crate) import_state: StringName,
    pub(crate) candidate_targets: StringName,
    action: Judge,
    reaction: Judge,
    pub(crate) resolve_number: StringName,
    pub(crate) build_context: StringName,
    pub(crate) action_started: StringName,
    pub(crate) action_ended: StringName,
    pub(crate) cooldown_started: StringName,
    pub(crate) cooldown_expired: StringName,
}

/// Names of the virtuals by which an evaluator's script judges candidates.
pub(crate) struct Judge {
    pub(crate) may_execute: StringName,
    pub(crate) modify: StringName,
}

impl Judge {
    fn new(what: &str) -> Self {
        let name = |name: String| StringName::from(name.as_str());
        let (may_execute, modify) = (format!("_can_execute_{what}"), format!("_modify_{what}_score"));
        Self { may_execute: name(may_execute), modify: name(modify) }
    }
}

impl Names {
    /// Those of a node that answers events, or of one that chooses actions.
    pub(crate) fn judge(&self, reacts: bool) -> &Judge {
        if reacts { &self.reaction } else { &self.action }
    }
}

static NAMES: OnceLock<Names> = OnceLock::new();

/// The names.
pub(crate) fn names() -> &'static Names {
    NAMES.get_or_init(|| Names {
        score_multiplier: StringName::from("_score_multiplier"),
        passes_gate: StringName::from("_passes_gate"),
        display_name: StringName::from("_get_display_name"),
        has_valid_data: StringName::from("_has_valid_data"),
        preload_assets: StringName::from("_preload_assets"),
        ability_to_grant: StringName::from("_get_ability_to_grant"),
        execution_timeout: StringName::from("_get_execution_timeout"),
        can_begin: StringName::from("_can_begin"),
        begin_execute: StringName::from("_begin_execute"),
        tick_execute: StringName::from("_tick_execute"),
        abort_execute: StringName::from("_abort_execute"),
        retarget: StringName::from("_retarget"),
        pre_execute: StringName::from("_pre_execute"),
        post_execute: StringName::from("_post_execute"),
        export_state: StringName::from("_export_state"),
        import_state: StringName::from("_import_state"),
        candidate_targets: StringName::from("_get_candidate_targets"),
        action: Judge::new("action"),
        reaction: Judge::new("reaction"),
        resolve_number: StringName::from("_resolve_number"),
        build_context: StringName::from("_build_decision_context"),
        action_started: StringName::from("action_started"),
        action_ended: StringName::from("action_ended"),
        cooldown_started: StringName::from("cooldown_started"),
        cooldown_expired: StringName::from("cooldown_expired"),
    })
}
