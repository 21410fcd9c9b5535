//! What scripts call on an [`ActionEvaluator`].

use godot::prelude::*;
use riposte_core::action::{EndReason, Outcome, TargetWish};

use super::driver::{self, following};
use super::evaluator_calls::EvaluatorCalls;
use super::evaluator_running::EvaluatorNode;
use super::{ActionContext, ActionDecision, ActionEvaluator, ActionSet, DecisionContext};
use crate::base::{messages, network, ticking};
use crate::optional::Optional;

#[godot_api(secondary)]
impl ActionEvaluator {
    /// Begins to act, with [member auto_start] off or after [method stop].
    #[func(gd_self)]
    pub fn start(this: Gd<Self>) {
        Self::resolve_set(&this);
        Self::begin(&this);
    }

    /// Ends a running action with [constant END_CANCELLED] and decides nothing more, until [method start]. Cooldowns are kept
    /// and stand still.
    #[func(gd_self)]
    pub fn stop(this: Gd<Self>) {
        driver::call(this.instance_id(), |state| state.core.stop());
        if this.is_instance_valid() {
            Self::update_ticking(&this);
        }
    }

    /// True between [method start] and [method stop].
    #[func(gd_self)]
    pub fn is_started(this: Gd<Self>) -> bool {
        driver::with(this.instance_id(), |state| state.core.is_started()).unwrap_or(false)
    }

    /// Clears cooldowns, recovery, novelty, chains and the counts of uses in a row. A running action goes on.
    #[func(gd_self)]
    pub fn reset_state(this: Gd<Self>) {
        driver::call(this.instance_id(), |state| state.core.reset_state());
    }

    /// One step of some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let read = driver::with(this.instance_id(), |state| (state.callback, state.stepping));
        let (callback, stepping) = read.unwrap_or_default();
        if ticking::may_advance(&this, callback, stepping, delta) {
            network::look();
            Self::step(&this, delta);
        }
    }

    // Deciding.

    /// Scores all actions and names the best one, without starting anything or changing any later decision. With a
    /// [param context] of your own its fields take the place of the world. Never null; nothing valid is
    /// [constant ActionDecision.DECISION_NONE].
    #[func(gd_self)]
    pub fn evaluate_best_action(
        this: Gd<Self>,
        #[opt(default = Optional::null())] context: Optional<DecisionContext>,
    ) -> Gd<ActionDecision> {
        let id = this.instance_id();
        let mend = "Use the context that the virtual was given.";
        if !Self::is_scoring(&this, "evaluate_best_action", mend) {
            let given = context.0.map(|context| context.bind().data().lock().clone());
            driver::call_with(id, given.as_ref(), |state| state.core.preview(TargetWish::Focus));
            if let Some(Outcome::Decision(decision)) = driver::with(id, |state| state.core.take_outcome()) {
                return ActionDecision::from_core(*decision);
            }
        }
        ActionDecision::from_core(riposte_core::action::Decision::default())
    }

    /// Decides now, whatever the interval says. True if an action started. Inside a start or an end it waits until that is
    /// through (true). False while something runs, and before [method start].
    #[func(gd_self)]
    pub fn evaluate_now(this: Gd<Self>) -> bool {
        let id = this.instance_id();
        if Self::is_scoring(&this, "evaluate_now", "The next step evaluates instead.") {
            Self::request_evaluation(this);
            return false;
        }
        if following::follows(id) {
            return false;
        }
        driver::with(id, driver::State::count_holders);
        let queued = driver::call(id, |state| state.agent.is_some() && state.core.evaluate_now());
        let started = driver::with(id, |state| matches!(state.core.take_outcome(), Outcome::Started(_)));
        queued.unwrap_or(false) || started.unwrap_or(false)
    }

    /// The next step decides.
    #[func(gd_self)]
    pub fn request_evaluation(this: Gd<Self>) {
        driver::with(this.instance_id(), |state| state.core.request_evaluation());
    }

    /// The score of one action for a target (null: the focus target), 0 if it is refused. Changes nothing. An unknown
    /// id is an error.
    #[func(gd_self)]
    pub fn score_action(
        this: Gd<Self>,
        action_id: StringName,
        #[opt(default = Optional::null())] target: Optional<Node>,
    ) -> f64 {
        let Some(action) = Self::find(&this, "score_action", &action_id) else { return 0.0 };
        if Self::is_scoring(&this, "score_action", "Score it before.") {
            return 0.0;
        }
        let wish =
            target.0.map_or(TargetWish::Focus, |node| TargetWish::Key(driver::key_of(node.instance_id())));
        driver::call(this.instance_id(), |state| state.core.score(action, wish));
        match driver::with(this.instance_id(), |state| state.core.take_outcome()) {
            Some(Outcome::Score(score)) => score,
            _ => 0.0,
        }
    }

    /// The decision made last, forced starts included. Never null.
    #[func(gd_self)]
    pub fn get_last_decision(this: Gd<Self>) -> Gd<ActionDecision> {
        ActionDecision::last_of(this.instance_id())
    }

    /// Whom the actions are aimed at now: [member target] if it is there, else the Perception's choice. Null: nobody.
    #[func(gd_self)]
    pub fn get_focus_target(this: Gd<Self>) -> Option<Gd<Node>> {
        driver::focus_target(this.instance_id()).and_then(|id| Gd::try_from_instance_id(id).ok())
    }

    /// Factor of the score of one action, on top of [member global_multiplier]; 0 rules it out. An unknown id is an
    /// error.
    #[func(gd_self)]
    pub fn set_action_override(this: Gd<Self>, action_id: StringName, multiplier: f64) {
        let Some(action) = Self::find(&this, "set_action_override", &action_id) else { return };
        if !multiplier.is_finite() || multiplier < 0.0 {
            let text = format!(
                "set_action_override() got {multiplier} for \"{action_id}\". Give a number of 0 or more."
            );
            messages::error(&this, "set_action_override", "number", &text);
            return;
        }
        driver::with(this.instance_id(), |state| state.core.set_multiplier(action, Some(multiplier)));
    }

    /// The factor that was set for one action; 1 without.
    #[func(gd_self)]
    pub fn get_action_override(this: Gd<Self>, action_id: StringName) -> f64 {
        let Some(action) = Self::find(&this, "get_action_override", &action_id) else { return 1.0 };
        driver::with(this.instance_id(), |state| state.core.multiplier(action)).unwrap_or(1.0)
    }

    /// Takes the factor of one action back. False if there was none.
    #[func(gd_self)]
    pub fn clear_action_override(this: Gd<Self>, action_id: StringName) -> bool {
        let Some(action) = Self::find(&this, "clear_action_override", &action_id) else { return false };
        driver::with(this.instance_id(), |state| state.core.set_multiplier(action, None)).unwrap_or(false)
    }

    /// Takes the factors of all actions back.
    #[func(gd_self)]
    pub fn clear_action_overrides(this: Gd<Self>) {
        driver::with(this.instance_id(), |state| state.core.clear_multipliers());
    }

    // Running.

    /// Starts an action at once, whatever its score; what runs is interrupted. With [param respect_gates] it must pass its
    /// gates and may interrupt nothing. The id of the run, 0 if the start was refused, see [signal start_refused]. Inside a start,
    /// an end or a scorer it waits until that is through.
    #[func(gd_self)]
    pub fn execute_action(
        this: Gd<Self>,
        action_id: StringName,
        #[opt(default = false)] respect_gates: bool,
    ) -> i64 {
        Self::execute(&this, "execute_action", &action_id, None, respect_gates)
    }

    /// Like [method execute_action], with a target, an object, a number and tags for the action. Works on a copy of the
    /// context. Without a target in it the focus target is used.
    #[func(gd_self)]
    pub fn execute_action_with_context(
        this: Gd<Self>,
        action_id: StringName,
        context: Option<Gd<ActionContext>>,
        #[opt(default = false)] respect_gates: bool,
    ) -> i64 {
        Self::execute(&this, "execute_action_with_context", &action_id, context, respect_gates)
    }

    /// Ends the running action. [param reason] is [constant END_CANCELLED] or [constant END_INTERRUPTED], another one is an
    /// error. False if nothing runs.
    #[func(gd_self)]
    pub fn abort_action(this: Gd<Self>, #[opt(default = EndReason::Cancelled as i64)] reason: i64) -> bool {
        Self::abort(&this, "abort_action", reason)
    }

    /// Ends this run only, with [constant END_CANCELLED]. False if it is over already.
    #[func(gd_self)]
    pub fn cancel_action(this: Gd<Self>, run_id: i64) -> bool {
        driver::call(this.instance_id(), |state| state.core.cancel(run_id)).unwrap_or(false)
    }

    /// True while an action runs.
    #[func(gd_self)]
    pub fn is_executing(this: Gd<Self>) -> bool {
        Self::get_run_id(this) != 0
    }

    /// The id of the run, 0 if nothing runs.
    #[func(gd_self)]
    pub fn get_run_id(this: Gd<Self>) -> i64 {
        Self::run_id(&this)
    }

    /// The running action, empty if nothing runs.
    #[func(gd_self)]
    pub fn get_running_action(this: Gd<Self>) -> StringName {
        Self::running_name(&this)
    }

    /// The target of the running action. Null without one, when it was freed, and when nothing runs.
    #[func(gd_self)]
    pub fn get_running_target(this: Gd<Self>) -> Option<Gd<Node>> {
        Self::run_target(&this)
    }

    /// Seconds for which the action has run; 0 if nothing runs.
    #[func(gd_self)]
    pub fn get_running_time(this: Gd<Self>) -> f64 {
        Self::run_time(&this)
    }

    /// What the running action was started with; null if nothing runs.
    #[func(gd_self)]
    pub fn get_running_context(this: Gd<Self>) -> Option<Gd<ActionContext>> {
        let run = Self::running(&this, |_, run| run.id())?;
        driver::running_context(this.instance_id(), run)
    }

    // Set.

    /// The set in use; null if there is none.
    #[func(gd_self)]
    pub fn get_active_action_set(this: Gd<Self>) -> Option<Gd<ActionSet>> {
        Self::active_set(&this).0.and_then(|set| set.try_cast().ok())
    }

    /// Where the set in use comes from, one of the [code]SET_*[/code] constants.
    #[func(gd_self)]
    pub fn get_action_set_source(this: Gd<Self>) -> i64 {
        Self::active_set(&this).1
    }

    /// The ids of the actions that may be chosen, in order.
    #[func(gd_self)]
    pub fn get_action_ids(this: Gd<Self>) -> PackedStringArray {
        Self::known_ids(&this).iter().map(GString::from).collect()
    }

    // Cooldowns.

    /// Seconds until the action is free again; 0 if it is free.
    #[func(gd_self)]
    pub fn get_remaining_cooldown(this: Gd<Self>, action_id: StringName) -> f64 {
        Self::cooldown_left(&this, "get_remaining_cooldown", &action_id)
    }

    /// True while the action is on cooldown.
    #[func(gd_self)]
    pub fn is_action_on_cooldown(this: Gd<Self>, action_id: StringName) -> bool {
        Self::cooldown_left(&this, "is_action_on_cooldown", &action_id) > 0.0
    }

    /// All cooldowns: id → seconds left.
    #[func(gd_self)]
    pub fn get_all_active_cooldowns(this: Gd<Self>) -> VarDictionary {
        Self::cooldowns(&this)
    }

    /// Puts an action on cooldown for some seconds; 0 frees it. Negative or not finite is an error without effect.
    #[func(gd_self)]
    pub fn set_cooldown(this: Gd<Self>, action_id: StringName, seconds: f64) {
        Self::cool_down(&this, &action_id, seconds);
    }

    /// Frees an action from its cooldown. False if it had none.
    #[func(gd_self)]
    pub fn reset_cooldown(this: Gd<Self>, action_id: StringName) -> bool {
        let Some(action) = Self::find(&this, "reset_cooldown", &action_id) else { return false };
        driver::call(this.instance_id(), |state| state.core.reset_cooldown(action)).unwrap_or(false)
    }

    /// Frees all actions from their cooldowns.
    #[func(gd_self)]
    pub fn reset_all_cooldowns(this: Gd<Self>) {
        driver::call(this.instance_id(), |state| state.core.reset_all_cooldowns());
    }
}
