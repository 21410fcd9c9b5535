//! The signals of a [`ReactionEvaluator`] and the setters of its properties. The binding library looks for both in one
//! block, whose hidden names come from the file of the class.

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::{Settings, TagQueries};

use super::ReactionSet;
use super::driver::{self, following, recording};
use super::evaluator_running::{EvaluatorNode, apply_seed};
use super::reaction_evaluator::*;
use crate::base::numbers::Checked;
use crate::base::tags;
use crate::base::ticking;

#[godot_api]
impl ReactionEvaluator {
    /// A reaction began to run. [param target] is null without one. [param run_id] names this run.
    #[signal]
    pub fn reaction_started(reaction_id: StringName, target: Option<Gd<Node>>, run_id: i64);

    /// A run ended; exactly once for each that started. [param reason] is one of the [code]END_*[/code] constants.
    #[signal]
    pub fn reaction_ended(reaction_id: StringName, reason: i64, run_id: i64);

    /// A reaction was chosen and starts after [param delay] seconds, if its gates still pass then. Followed by
    /// [signal reaction_started] or [signal reaction_refused].
    #[signal]
    pub fn reaction_pending(reaction_id: StringName, delay: f64);

    /// No reaction came of an event: none answered it, none could start, or the one that waited lost its place. Empty for a
    /// forced start without an event.
    #[signal]
    pub fn reaction_refused(event_tag: StringName);

    /// A reaction can't be chosen for some seconds.
    #[signal]
    pub fn cooldown_started(reaction_id: StringName, duration: f64);

    /// The cooldown of a reaction is over.
    #[signal]
    pub fn cooldown_expired(reaction_id: StringName);

    /// The agent uses another set. [param source] is one of the [code]SET_*[/code] constants.
    #[signal]
    pub fn reaction_set_changed(reaction_set: Option<Gd<ReactionSet>>, source: i64);

    #[func]
    pub(super) fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        let this = self.to_gd();
        let mut base = self.base_mut();
        if base.is_inside_tree() {
            Self::find_agent(&this);
        }
        base.update_configuration_warnings();
    }

    #[func]
    pub(super) fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        let callback = self.process_callback;
        driver::with(self.id, |state| state.callback = callback);
        let this = self.to_gd();
        let _released = self.base_mut();
        Self::update_ticking(&this);
    }

    #[func]
    pub(super) fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        driver::with(self.id, |state| state.time_scale = self.time_scale);
    }

    #[func]
    pub(super) fn set_default_reaction_set(&mut self, value: Option<Gd<ReactionSet>>) {
        self.default_reaction_set = value.clone();
        driver::sources(self.id, |sources| sources.own = value.map(Gd::upcast));
        let this = self.to_gd();
        let mut base = self.base_mut();
        base.update_configuration_warnings();
        if base.is_inside_tree() && !Engine::singleton().is_editor_hint() {
            Self::resolve_set(&this);
        }
    }

    #[func]
    pub(super) fn set_authority_only(&mut self, value: bool) {
        self.authority_only = value;
        let id = self.id;
        driver::with(id, |state| state.following.everywhere = !value);
        // A run may end by it.
        let _released = self.base_mut();
        following::follows(id);
    }

    #[func]
    pub(super) fn get_sync_state(&self) -> VarDictionary {
        let last = self.synced.borrow().clone();
        let published = following::published(self.id, &last);
        self.synced.replace(published.clone());
        published
    }

    #[func]
    pub(super) fn set_sync_state(&mut self, value: VarDictionary) {
        let this = self.to_gd();
        let received = {
            let _released = self.base_mut();
            following::receive(&this.upcast(), &value)
        };
        if received {
            self.synced.replace(value);
        }
    }

    #[func]
    pub(super) fn set_random_seed(&mut self, value: i64) {
        self.random_seed = value;
        driver::with(self.id, |state| state.random_seed = value);
        apply_seed(self.id);
    }

    #[func]
    pub(super) fn set_jitter_amount(&mut self, value: f64) {
        self.jitter_amount = self.clamped("jitter_amount", value, self.jitter_amount, 0.0, 0.5);
        self.apply(|settings| settings.jitter_amount = self.jitter_amount);
    }

    #[func]
    pub(super) fn set_live_seed(&mut self, value: bool) {
        self.live_seed = value;
        driver::with(self.id, |state| state.core.set_live_seed(value));
    }

    #[func]
    pub(super) fn set_repeat_reset_time(&mut self, value: f64) {
        self.repeat_reset_time = self.not_negative("repeat_reset_time", value, self.repeat_reset_time);
        self.apply(|settings| settings.repeat_reset_time = self.repeat_reset_time);
    }

    #[func]
    pub(super) fn set_cooldown_scale(&mut self, value: f64) {
        self.cooldown_scale = self.not_negative("cooldown_scale", value, self.cooldown_scale);
        self.apply(|settings| settings.cooldown_scale = self.cooldown_scale);
    }

    #[func]
    pub(super) fn get_global_block_tags(&self) -> PackedStringArray {
        self.global_block_tags.typed()
    }

    #[func]
    pub(super) fn set_global_block_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.global_block_tags.assign(&this, "global_block_tags", value);
        self.push_block_tags();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    pub(super) fn set_record_decisions(&mut self, value: bool) {
        self.record_decisions = value;
        recording::change(self.id, |recording| recording.tells = value);
    }

    #[func]
    pub(super) fn set_history_size(&mut self, value: i64) {
        self.history_size = self.clamped_int("history_size", value, 0, 100_000);
        driver::with(self.id, |state| state.core.set_history_size(self.history_size as usize));
    }

    #[func]
    pub(super) fn set_debug_log_decisions(&mut self, value: bool) {
        self.debug_log_decisions = value;
        recording::change(self.id, |recording| recording.log_decisions = value);
    }

    #[func]
    pub(super) fn set_debug_log_execution(&mut self, value: bool) {
        self.debug_log_execution = value;
        recording::change(self.id, |recording| recording.log_execution = value);
    }
}

impl ReactionEvaluator {
    fn apply(&self, change: impl FnOnce(&mut Settings)) {
        driver::with(self.id, |state| state.core.change_settings(change));
    }

    pub(super) fn push_block_tags(&self) {
        let ids = self.global_block_tags.ids().iter().copied();
        let queries = tags::with_table(|table| TagQueries::new(table, ids));
        self.apply(|settings| settings.global_block_tags = queries);
    }
}
