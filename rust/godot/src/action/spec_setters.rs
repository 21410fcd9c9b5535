//! The setters of an [`ActionSpec`]. The binding library looks for them in one block, whose hidden names come from the file
//! of the class.

use godot::prelude::*;

use super::action_spec::*;
use super::{ChainLink, NumberBinding};
use crate::base::family::ArrayOf;
use crate::base::numbers::Checked;
use crate::base::tag_numbers::NumbersByTag;

#[godot_api]
impl ActionSpec {
    #[func]
    pub(super) fn set_require_target(&mut self, value: bool) {
        self.require_target = value;
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_target_mode(&mut self, value: i64) {
        self.target_mode = self.constant("target_mode", value, self.target_mode, 0, 2);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_retarget_policy(&mut self, value: i64) {
        self.retarget_policy = self.constant("retarget_policy", value, self.retarget_policy, 0, 2);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_interrupt_class(&mut self, value: i64) {
        self.interrupt_class = self.constant("interrupt_class", value, self.interrupt_class, 0, 3);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_priority(&mut self, value: i64) {
        self.priority = self.clamped_int("priority", value, -100, 100);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_commitment_time(&mut self, value: f64) {
        self.commitment_time = self.clamped("commitment_time", value, self.commitment_time, -1.0, f64::MAX);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_cooldown_starts(&mut self, value: i64) {
        self.cooldown_starts = self.clamped_int("cooldown_starts", value, Self::ON_START, Self::ON_END);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_override_recovery_time(&mut self, value: bool) {
        self.override_recovery_time = value;
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_recovery_time(&mut self, value: f64) {
        self.recovery_time = self.not_negative("recovery_time", value, self.recovery_time);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_ignore_recovery(&mut self, value: bool) {
        self.ignore_recovery = value;
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn get_bindings(&self) -> ArrayOf<NumberBinding> {
        self.bindings.stored()
    }

    #[func]
    pub(super) fn set_bindings(&mut self, value: ArrayOf<NumberBinding>) {
        let this = self.to_gd();
        if self.bindings.assign(&this, "bindings", &value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    pub(super) fn set_action_id(&mut self, value: StringName) {
        self.action_id = value;
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_enabled(&mut self, value: bool) {
        self.enabled = value;
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn get_execution_method(&self) -> Option<Gd<Resource>> {
        self.execution_method.stored()
    }

    #[func]
    pub(super) fn set_execution_method(&mut self, value: Option<Gd<Resource>>) {
        let this = self.to_gd();
        if self.execution_method.assign(&this, "execution_method", value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    pub(super) fn get_add_tags(&self) -> PackedStringArray {
        self.add_tags.typed()
    }

    #[func]
    pub(super) fn set_add_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.add_tags.assign(&this, "add_tags", value);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_selection_weight(&mut self, value: f64) {
        self.selection_weight = self.not_negative("selection_weight", value, self.selection_weight);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_risk_penalty(&mut self, value: f64) {
        self.risk_penalty = self.clamped("risk_penalty", value, self.risk_penalty, 0.01, 100.0);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn get_scorers(&self) -> AnyArray {
        self.scorers.stored()
    }

    #[func]
    pub(super) fn set_scorers(&mut self, value: AnyArray) {
        let this = self.to_gd();
        if self.scorers.assign(&this, "scorers", &value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    pub(super) fn get_gates(&self) -> AnyArray {
        self.gates.stored()
    }

    #[func]
    pub(super) fn set_gates(&mut self, value: AnyArray) {
        let this = self.to_gd();
        if self.gates.assign(&this, "gates", &value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    pub(super) fn get_requires_tags(&self) -> PackedStringArray {
        self.requires_tags.typed()
    }

    #[func]
    pub(super) fn set_requires_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.requires_tags.assign(&this, "requires_tags", value);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn get_block_tags(&self) -> PackedStringArray {
        self.block_tags.typed()
    }

    #[func]
    pub(super) fn set_block_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.block_tags.assign(&this, "block_tags", value);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn get_tag_score_multipliers(&self) -> NumbersByTag {
        self.tag_score_multipliers.stored()
    }

    #[func]
    pub(super) fn set_tag_score_multipliers(&mut self, value: NumbersByTag) {
        let this = self.to_gd();
        if self.tag_score_multipliers.assign(&this, "tag_score_multipliers", &value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    pub(super) fn set_novelty_weight(&mut self, value: f64) {
        self.novelty_weight = self.clamped("novelty_weight", value, self.novelty_weight, 0.0, 10.0);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_cooldown_duration(&mut self, value: f64) {
        self.cooldown_duration = self.not_negative("cooldown_duration", value, self.cooldown_duration);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_cooldown_initial(&mut self, value: f64) {
        self.cooldown_initial = self.not_negative("cooldown_initial", value, self.cooldown_initial);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_cooldown_randomization(&mut self, value: f64) {
        self.cooldown_randomization =
            self.share("cooldown_randomization", value, self.cooldown_randomization);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_cooldown_interrupt_refund(&mut self, value: f64) {
        self.cooldown_interrupt_refund =
            self.share("cooldown_interrupt_refund", value, self.cooldown_interrupt_refund);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_cooldown_spawn_chance(&mut self, value: f64) {
        self.cooldown_spawn_chance = self.share("cooldown_spawn_chance", value, self.cooldown_spawn_chance);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn set_max_consecutive_uses(&mut self, value: i64) {
        self.max_consecutive_uses = self.clamped_int("max_consecutive_uses", value, -1, 20);
        self.base_mut().emit_changed();
    }

    #[func]
    pub(super) fn get_chain_links(&self) -> ArrayOf<ChainLink> {
        self.chain_links.stored()
    }

    #[func]
    pub(super) fn set_chain_links(&mut self, value: ArrayOf<ChainLink>) {
        let this = self.to_gd();
        if self.chain_links.assign(&this, "chain_links", &value) {
            self.base_mut().emit_changed();
        }
    }
}

impl ActionSpec {
    fn share(&self, member: &str, value: f64, old: f64) -> f64 {
        self.clamped(member, value, old, 0.0, 1.0)
    }
}
