//! The numbers of one evaluator that a designer tunes.

use std::sync::Arc;

use super::{ChangePolicy, TagQueries};

/// Settings of an evaluator; `Default` gives those of a new node.
#[derive(Clone, Debug, PartialEq)]
#[repr(C)]
pub struct Settings {
    // In memory in this order: what every decision reads comes first.
    /// Decide in the same step in which a run ended.
    pub evaluate_on_end: bool,
    /// Off: evaluations only on request.
    pub auto_evaluate: bool,
    /// Compute every factor of a decision and keep it.
    pub record: bool,
    /// The first evaluation is due at a random part of the interval, so that agents do not all decide at once.
    pub random_phase: bool,
    /// How many candidates are tried when starts are refused.
    pub max_start_attempts: u32,
    /// Seconds between two evaluations; 0: every step.
    pub evaluation_interval: f64,
    /// Factor of every score; 0 blocks all.
    pub global_multiplier: f64,
    /// Scores vary by ± this share.
    pub jitter_amount: f64,
    /// One of them on the agent: no selection.
    pub global_block_tags: TagQueries,
    /// How much a use just ended lowers the score, 0 to 1.
    pub novelty_penalty: f64,
    /// Seconds until a use is forgotten; 0 switches novelty off.
    pub novelty_window: f64,
    /// Novelty never lowers a score below this share.
    pub novelty_floor: f64,
    /// Seconds for which the bonus of a chain lasts.
    pub chain_bonus_window: f64,
    /// Seconds for which follow-ups may skip recovery; 0: never.
    pub chain_followup_window: f64,
    /// Seconds of recovery after completion and time-out.
    pub action_recovery_time: f64,
    /// Seconds of recovery after an interruption or a cancel.
    pub interrupt_recovery_time: f64,
    /// ± share of the recovery after completion and time-out.
    pub action_recovery_randomization: f64,
    /// Factor of every recovery.
    pub recovery_scale: f64,
    /// What becomes of a running action when the list changes.
    pub change_policy: ChangePolicy,
    /// Seconds after the last end of an action until its repeat counter clears; 0: never by time.
    pub repeat_reset_time: f64,
    /// Factor of every stamped cooldown.
    pub cooldown_scale: f64,
    /// How many targets an action that tries each of them is scored on.
    pub max_candidate_targets: usize,
    /// By which share another candidate must be better than what runs.
    pub switch_margin: f64,
    /// Seconds for which what runs is kept, unless the action has its own.
    pub min_commitment: f64,
    /// Time-out of a run whose method has none.
    pub hard_timeout: f64,
    /// How many recorded decisions are kept.
    pub history_size: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            jitter_amount: 0.05,
            novelty_penalty: 0.3,
            novelty_window: 6.0,
            novelty_floor: 0.1,
            chain_bonus_window: 2.0,
            chain_followup_window: 0.6,
            action_recovery_time: 0.0,
            interrupt_recovery_time: 0.0,
            action_recovery_randomization: 0.0,
            recovery_scale: 1.0,
            change_policy: ChangePolicy::EndIfMissing,
            repeat_reset_time: 10.0,
            global_multiplier: 1.0,
            cooldown_scale: 1.0,
            evaluation_interval: 0.1,
            random_phase: true,
            evaluate_on_end: true,
            auto_evaluate: true,
            max_start_attempts: 3,
            max_candidate_targets: 8,
            switch_margin: 0.15,
            min_commitment: 0.3,
            hard_timeout: 30.0,
            global_block_tags: TagQueries::default(),
            record: false,
            history_size: 32,
        }
    }
}

impl Settings {
    /// The name of a tag that blocks the agent, if there are so many.
    pub(super) fn block_name(&self, at: usize) -> Option<Arc<str>> {
        self.global_block_tags.try_name(at).cloned()
    }
}
