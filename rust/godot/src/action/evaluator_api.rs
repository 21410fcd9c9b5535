//! What scripts call on an [`ActionEvaluator`].

use godot::prelude::*;
use riposte_core::action::{Outcome, TargetWish};

use super::driver::{self, following};
use super::evaluator_calls::EvaluatorCalls;
use super::evaluator_running::EvaluatorNode;
use super::{ActionContext, ActionDecision, ActionEvaluator, DecisionContext};
use crate::base::messages;
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

    /// Ends this run only, with [constant END_CANCELLED]. False if it is over already.
    #[func(gd_self)]
    pub fn cancel_action(this: Gd<Self>, run_id: i64) -> bool {
        driver::call(this.instance_id(), |state| state.core.cancel(run_id)).unwrap_or(false)
    }
}
