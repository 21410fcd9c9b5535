//! What scripts call on a [`ReactionEvaluator`].

use godot::prelude::*;
use riposte_core::action::EndReason;

use super::driver;
use super::evaluator_calls::EvaluatorCalls;
use super::evaluator_running::EvaluatorNode;
use super::{ActionContext, ActionDecision, ReactionEvaluator, ReactionSet, evaluator_state};
use crate::base::{tags, ticking};
use crate::optional::Optional;

#[godot_api(secondary)]
impl ReactionEvaluator {
    /// Tells the agent of an event. The reaction that starts or waits for its delay; empty if none does, and inside a start or an
    /// end, where the event waits until that is through.
    ///
    /// The reaction is aimed at [param target_override], else at the target of the [param context], else at whom the agent's
    /// [ActionEvaluator] is aimed at. Works on a copy of the context.
    #[func(gd_self)]
    pub fn react(
        this: Gd<Self>,
        event_tag: StringName,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
        #[opt(default = Optional::null())] target_override: Optional<Node>,
    ) -> StringName {
        let mend = "Tell it of the event before or after.";
        if !Self::is_active(&this, "react") || Self::is_scoring(&this, "react", mend) {
            return StringName::default();
        }
        let Some(tag) = tags::from_script(&this, "react", &event_tag.to_string()) else {
            return StringName::default();
        };
        let mut own = match context.0 {
            Some(context) => ActionContext::copy_of(&context),
            None => ActionContext::new_gd(),
        };
        let target = target_override.0.map(|node| node.instance_id()).filter(|node| driver::is_live(*node));
        let target = {
            let mut own = own.bind_mut();
            own.event_tag = event_tag;
            let target = target.or_else(|| own.target_id().filter(|node| driver::is_live(*node)));
            own.set_target_id(target);
            target
        };
        driver::react(this.instance_id(), tag, own, target).unwrap_or_default()
    }

    /// Starts a reaction at once, whatever its gates and its chance say; what runs is interrupted, and the agent's action too if
    /// [member ReactionSpec.interrupts_action] is on. The id of the run, 0 if it did not start. Inside a start or an end it
    /// waits until that is through.
    #[func(gd_self)]
    pub fn execute_reaction(
        this: Gd<Self>,
        reaction_id: StringName,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
    ) -> i64 {
        Self::execute(&this, "execute_reaction", &reaction_id, context.0, false)
    }

    /// Ends the running reaction. [param reason] is [constant END_CANCELLED] or [constant END_INTERRUPTED], another one is an
    /// error. False if nothing runs.
    #[func(gd_self)]
    pub fn abort_reaction(this: Gd<Self>, #[opt(default = EndReason::Cancelled as i64)] reason: i64) -> bool {
        Self::abort(&this, "abort_reaction", reason)
    }

    /// Forgets the reaction that waits for its delay. False if none does.
    #[func(gd_self)]
    pub fn cancel_pending(this: Gd<Self>) -> bool {
        driver::call(this.instance_id(), |state| state.core.cancel_pending()).unwrap_or(false)
    }

    /// The running reaction, empty if nothing runs.
    #[func(gd_self)]
    pub fn get_running_reaction(this: Gd<Self>) -> StringName {
        Self::running_name(&this)
    }

    /// True while a reaction runs.
    #[func(gd_self)]
    pub fn is_executing(this: Gd<Self>) -> bool {
        Self::run_id(&this) != 0
    }

    /// The id of the run, 0 if nothing runs.
    #[func(gd_self)]
    pub fn get_run_id(this: Gd<Self>) -> i64 {
        Self::run_id(&this)
    }

    /// What the running reaction was started with; null if nothing runs.
    #[func(gd_self)]
    pub fn get_running_context(this: Gd<Self>) -> Option<Gd<ActionContext>> {
        let run = Self::running(&this, |_, run| run.id())?;
        driver::running_context(this.instance_id(), run)
    }

    /// The target of the running reaction. Null without one, when it was freed, and when nothing runs.
    #[func(gd_self)]
    pub fn get_running_target(this: Gd<Self>) -> Option<Gd<Node>> {
        Self::run_target(&this)
    }

    /// Seconds for which the reaction has run; 0 if nothing runs.
    #[func(gd_self)]
    pub fn get_running_time(this: Gd<Self>) -> f64 {
        Self::run_time(&this)
    }

    /// One step of some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let read = driver::with(this.instance_id(), |state| (state.callback, state.stepping));
        let (callback, stepping) = read.unwrap_or_default();
        if ticking::may_advance(&this, callback, stepping, delta) {
            Self::step(&this, delta);
        }
    }

    /// Clears cooldowns and the counts of uses in a row. A running reaction goes on.
    #[func(gd_self)]
    pub fn reset_state(this: Gd<Self>) {
        driver::call(this.instance_id(), |state| state.core.reset_state());
    }

    /// What became of the last event or forced start, with every reaction and why it was refused. Never null.
    #[func(gd_self)]
    pub fn get_last_decision(this: Gd<Self>) -> Gd<ActionDecision> {
        ActionDecision::last_of(this.instance_id())
    }

    /// The recorded decisions, oldest first, forced starts included; at most [member history_size]. Filled while decisions are
    /// recorded, see [member record_decisions].
    #[func(gd_self)]
    pub fn get_history(this: Gd<Self>) -> Array<Gd<ActionDecision>> {
        Self::history(&this)
    }

    /// Forgets the recorded decisions.
    #[func(gd_self)]
    pub fn clear_history(this: Gd<Self>) {
        driver::with(this.instance_id(), |state| state.core.clear_history());
    }

    /// Clock, cooldowns and counters as plain values, for saving and rollback. Nodes are named by their path in the tree. A
    /// reaction that waits for its delay is no part of it. See [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        evaluator_state::export(&this)
    }

    /// Takes back what [method export_state] gave, also after JSON; a running reaction ends with [constant END_CANCELLED] first,
    /// one that waits is forgotten, and the one of the state does not run on. No other signal is raised. False, with an error and
    /// without effect, if the version or the structure is another, or while a reaction starts or ends.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        evaluator_state::import(&this, &state)
    }

    // Set.

    /// The set in use; null if there is none.
    #[func(gd_self)]
    pub fn get_active_reaction_set(this: Gd<Self>) -> Option<Gd<ReactionSet>> {
        Self::active_set(&this).0.and_then(|set| set.try_cast().ok())
    }

    /// Where the set in use comes from, one of the [code]SET_*[/code] constants.
    #[func(gd_self)]
    pub fn get_reaction_set_source(this: Gd<Self>) -> i64 {
        Self::active_set(&this).1
    }

    /// The ids of the reactions that may be chosen, in order.
    #[func(gd_self)]
    pub fn get_reaction_ids(this: Gd<Self>) -> PackedStringArray {
        Self::known_ids(&this).iter().map(GString::from).collect()
    }

    // Cooldowns.

    /// Seconds until the reaction is free again; 0 if it is free.
    #[func(gd_self)]
    pub fn get_remaining_cooldown(this: Gd<Self>, reaction_id: StringName) -> f64 {
        Self::cooldown_left(&this, "get_remaining_cooldown", &reaction_id)
    }

    /// True while the reaction is on cooldown.
    #[func(gd_self)]
    pub fn is_reaction_on_cooldown(this: Gd<Self>, reaction_id: StringName) -> bool {
        Self::cooldown_left(&this, "is_reaction_on_cooldown", &reaction_id) > 0.0
    }

    /// All cooldowns: id → seconds left.
    #[func(gd_self)]
    pub fn get_all_active_cooldowns(this: Gd<Self>) -> VarDictionary {
        Self::cooldowns(&this)
    }

    /// Puts a reaction on cooldown for some seconds; 0 frees it. Negative or not finite is an error without effect.
    #[func(gd_self)]
    pub fn set_cooldown(this: Gd<Self>, reaction_id: StringName, seconds: f64) {
        Self::cool_down(&this, &reaction_id, seconds);
    }

    /// Frees a reaction from its cooldown. False if it had none.
    #[func(gd_self)]
    pub fn reset_cooldown(this: Gd<Self>, reaction_id: StringName) -> bool {
        let Some(reaction) = Self::find(&this, "reset_cooldown", &reaction_id) else { return false };
        driver::call(this.instance_id(), |state| state.core.reset_cooldown(reaction)).unwrap_or(false)
    }

    /// Frees all reactions from their cooldowns.
    #[func(gd_self)]
    pub fn reset_all_cooldowns(this: Gd<Self>) {
        driver::call(this.instance_id(), |state| state.core.reset_all_cooldowns());
    }
}
