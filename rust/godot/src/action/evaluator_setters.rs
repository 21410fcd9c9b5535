//! The signals of an [`ActionEvaluator`] and the setters of its properties. The binding library looks for both in one
//! block, whose hidden names come from the file of the class.

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::ChangePolicy;

use super::action_evaluator::*;
use super::driver::{self, following, recording};
use super::evaluator_running::{EvaluatorNode, apply_seed};
use super::{ActionDecision, ActionSet, AgentConfig, weapon};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::tags;
use crate::base::ticking;

#[godot_api]
impl ActionEvaluator {
    /// An action began to run. [param target] is null without one. [param run_id] names this run.
    #[signal]
    pub fn action_started(action_id: StringName, target: Option<Gd<Node>>, run_id: i64);

    /// A run ended; exactly once for each that started. [param reason] is one of the [code]END_*[/code] constants.
    #[signal]
    pub fn action_ended(action_id: StringName, reason: i64, run_id: i64);

    /// The running action goes on with another target.
    #[signal]
    pub fn action_retargeted(action_id: StringName, target: Option<Gd<Node>>, run_id: i64);

    /// An action that was chosen or asked for did not start. [param refusal] is one of the [code]REFUSAL_*[/code] constants.
    #[signal]
    pub fn start_refused(action_id: StringName, refusal: i64, run_id: i64);

    /// An evaluation found nothing to do, after something could be done. Not told again until an action was chosen.
    #[signal]
    pub fn no_valid_action();

    /// An action can't be chosen for some seconds.
    #[signal]
    pub fn cooldown_started(action_id: StringName, duration: f64);

    /// The cooldown of an action is over.
    #[signal]
    pub fn cooldown_expired(action_id: StringName);

    /// The agent uses another set. [param source] is one of the [code]SET_*[/code] constants.
    #[signal]
    pub fn action_set_changed(action_set: Option<Gd<ActionSet>>, source: i64);

    /// The agent recovers for some seconds, in which nothing is chosen.
    #[signal]
    pub fn recovery_started(duration: f64);

    /// The recovery is over.
    #[signal]
    pub fn recovery_ended();

    /// [member role] changed.
    #[signal]
    pub fn role_changed(role: StringName);

    /// A decision was made. Only while [member record_decisions] is on.
    #[signal]
    pub fn decision_made(decision: Gd<ActionDecision>);

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
        driver::frames::join(self.id);
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
    pub(super) fn set_auto_start(&mut self, value: bool) {
        self.auto_start = value;
        driver::with(self.id, |state| state.auto_start = value);
    }

    #[func]
    pub(super) fn set_auto_evaluate(&mut self, value: bool) {
        self.auto_evaluate = value;
        self.apply(|settings| settings.auto_evaluate = value);
    }

    #[func]
    pub(super) fn set_default_action_set(&mut self, value: Option<Gd<ActionSet>>) {
        self.default_action_set = value.clone();
        driver::sources(self.id, |sources| sources.own = value.map(Gd::upcast));
        let this = self.to_gd();
        self.base_mut().update_configuration_warnings();
        let _released = self.base_mut();
        Self::sources_changed(&this);
    }

    #[func]
    pub(super) fn set_config(&mut self, value: Option<Gd<AgentConfig>>) {
        self.config = value.clone();
        let this = self.to_gd();
        Self::use_config(&this, value);
        self.base_mut().update_configuration_warnings();
        let _released = self.base_mut();
        Self::sources_changed(&this);
    }

    #[func]
    pub(super) fn set_role(&mut self, value: StringName) {
        let this = self.to_gd();
        let name = value.to_string();
        let editing = Engine::singleton().is_editor_hint();
        let sound = name.is_empty() || editing || tags::from_script(&this, "role", &name).is_some();
        if !sound || self.role == value {
            return;
        }
        self.role = value.clone();
        driver::sources(self.id, |sources| sources.role = value.clone());
        self.base_mut().update_configuration_warnings();
        let _released = self.base_mut();
        if this.is_inside_tree() && !editing {
            weapon::ask(&this);
            this.signals().role_changed().emit(&value);
            if this.is_instance_valid() {
                Self::sources_changed(&this);
            }
        }
    }

    #[func]
    pub(super) fn set_weapon_path(&mut self, value: NodePath) {
        self.weapon_path = value;
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    pub(super) fn set_set_change_policy(&mut self, value: i64) {
        let Some(policy) = ChangePolicy::from_code(value) else {
            let old = self.set_change_policy;
            let text =
                format!("set_change_policy can't be {value}, it stays {old}. Use a CHANGE_* constant.");
            messages::error(&self.to_gd(), "set_change_policy", "unknown", &text);
            return;
        };
        self.set_change_policy = value;
        self.apply(|settings| settings.change_policy = policy);
    }

    #[func]
    pub(super) fn set_chain_followup_window(&mut self, value: f64) {
        self.chain_followup_window =
            self.not_negative("chain_followup_window", value, self.chain_followup_window);
        self.apply(|settings| settings.chain_followup_window = self.chain_followup_window);
    }

    #[func]
    pub(super) fn set_recovery_scale(&mut self, value: f64) {
        self.recovery_scale = self.not_negative("recovery_scale", value, self.recovery_scale);
        self.apply(|settings| settings.recovery_scale = self.recovery_scale);
    }

    #[func]
    pub(super) fn get_target(&self) -> Option<Gd<Node>> {
        let target = driver::with(self.id, |state| state.target).flatten();
        target.and_then(|id| Gd::try_from_instance_id(id).ok())
    }

    #[func]
    pub(super) fn set_target(&mut self, target: Option<Gd<Node>>) {
        let target = target.map(|node| node.instance_id());
        driver::with(self.id, |state| state.target = target);
    }

    #[func]
    pub(super) fn set_use_perception(&mut self, value: bool) {
        self.use_perception = value;
        driver::with(self.id, |state| state.use_perception = value);
    }

    #[func]
    pub(super) fn set_evaluation_interval(&mut self, value: f64) {
        self.evaluation_interval = self.not_negative("evaluation_interval", value, self.evaluation_interval);
        self.apply(|settings| settings.evaluation_interval = self.evaluation_interval);
    }

    #[func]
    pub(super) fn set_random_phase(&mut self, value: bool) {
        self.random_phase = value;
        self.apply(|settings| settings.random_phase = value);
    }

    #[func]
    pub(super) fn set_evaluate_on_end(&mut self, value: bool) {
        self.evaluate_on_end = value;
        self.apply(|settings| settings.evaluate_on_end = value);
    }

    #[func]
    pub(super) fn set_lod_enabled(&mut self, value: bool) {
        self.lod_enabled = value;
        self.apply_lod();
    }

    #[func]
    pub(super) fn set_lod_near(&mut self, value: f64) {
        self.lod_near = self.not_negative("lod_near", value, self.lod_near);
        self.apply_lod();
    }

    #[func]
    pub(super) fn set_lod_far(&mut self, value: f64) {
        self.lod_far = self.not_negative("lod_far", value, self.lod_far);
        self.apply_lod();
    }

    #[func]
    pub(super) fn set_lod_max_scale(&mut self, value: f64) {
        self.lod_max_scale = self.clamped("lod_max_scale", value, self.lod_max_scale, 1.0, f64::INFINITY);
        self.apply_lod();
    }

    #[func]
    pub(super) fn set_max_start_attempts(&mut self, value: i64) {
        self.max_start_attempts = self.clamped_int("max_start_attempts", value, 1, 8);
        self.apply(|settings| settings.max_start_attempts = self.max_start_attempts as u32);
    }

    #[func]
    pub(super) fn set_random_seed(&mut self, value: i64) {
        self.random_seed = value;
        driver::with(self.id, |state| state.random_seed = value);
        apply_seed(self.id);
    }

    #[func]
    pub(super) fn set_max_candidate_targets(&mut self, value: i64) {
        self.max_candidate_targets = self.clamped_int("max_candidate_targets", value, 1, 64);
        self.apply(|settings| settings.max_candidate_targets = self.max_candidate_targets as usize);
    }

    #[func]
    pub(super) fn set_switch_margin(&mut self, value: f64) {
        self.switch_margin = self.not_negative("switch_margin", value, self.switch_margin);
        self.apply(|settings| settings.switch_margin = self.switch_margin);
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    pub(super) fn set_min_commitment(&mut self, value: f64) {
        self.min_commitment = self.not_negative("min_commitment", value, self.min_commitment);
        self.apply(|settings| settings.min_commitment = self.min_commitment);
    }

    #[func]
    pub(super) fn set_jitter_amount(&mut self, value: f64) {
        self.jitter_amount = self.clamped("jitter_amount", value, self.jitter_amount, 0.0, 0.5);
        self.apply(|settings| settings.jitter_amount = self.jitter_amount);
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    pub(super) fn set_novelty_penalty(&mut self, value: f64) {
        self.novelty_penalty = self.clamped("novelty_penalty", value, self.novelty_penalty, 0.0, 1.0);
        self.apply(|settings| settings.novelty_penalty = self.novelty_penalty);
    }

    #[func]
    pub(super) fn set_novelty_window(&mut self, value: f64) {
        self.novelty_window = self.not_negative("novelty_window", value, self.novelty_window);
        self.apply(|settings| settings.novelty_window = self.novelty_window);
    }

    #[func]
    pub(super) fn set_novelty_floor(&mut self, value: f64) {
        self.novelty_floor = self.clamped("novelty_floor", value, self.novelty_floor, 0.0, 1.0);
        self.apply(|settings| settings.novelty_floor = self.novelty_floor);
    }

    #[func]
    pub(super) fn set_chain_bonus_window(&mut self, value: f64) {
        self.chain_bonus_window = self.not_negative("chain_bonus_window", value, self.chain_bonus_window);
        self.apply(|settings| settings.chain_bonus_window = self.chain_bonus_window);
    }

    #[func]
    pub(super) fn set_repeat_reset_time(&mut self, value: f64) {
        self.repeat_reset_time = self.not_negative("repeat_reset_time", value, self.repeat_reset_time);
        self.apply(|settings| settings.repeat_reset_time = self.repeat_reset_time);
    }

    /// Sets the factor of every score; 0: nothing is chosen.
    #[func]
    pub(super) fn set_global_multiplier(&mut self, value: f64) {
        self.global_multiplier = self.not_negative("global_multiplier", value, self.global_multiplier);
        self.apply(|settings| settings.global_multiplier = self.global_multiplier);
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
