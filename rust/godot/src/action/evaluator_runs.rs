//! What scripts ask of both classes of evaluators about runs, cooldowns and state, written once.

use godot::prelude::*;
use riposte_core::action::EndReason;

use super::driver;
use super::evaluator_calls::EvaluatorCalls;
use super::evaluator_running::EvaluatorNode;
use super::{ActionContext, ActionDecision, ActionEvaluator, ReactionEvaluator, evaluator_state};
use crate::base::{network, ticking};

/// Registers the methods. A word of the class stands in a line of help of its own.
macro_rules! run_methods {
    (
        $class:ident, $kind:literal, $kinds:literal, $a_kind:literal, $id:ident;
        $abort:ident, $running:ident, $on_cooldown:ident;
        reset { $reset:literal } state { $state:literal } import { $import:literal }
    ) => {
        #[godot_api(secondary)]
        impl $class {
            // Running.

            /// Ends the running
            #[doc = $kind]
            /// at once. [param reason] is [constant END_CANCELLED] or [constant END_INTERRUPTED], another one is an error.
            /// False if nothing runs.
            #[func(gd_self)]
            pub fn $abort(this: Gd<Self>, #[opt(default = EndReason::Cancelled as i64)] reason: i64) -> bool {
                Self::abort(&this, stringify!($abort), reason)
            }

            /// True while
            #[doc = $a_kind]
            /// runs.
            #[func(gd_self)]
            pub fn is_executing(this: Gd<Self>) -> bool {
                Self::run_id(&this) != 0
            }

            /// The id of the run, 0 if nothing runs.
            #[func(gd_self)]
            pub fn get_run_id(this: Gd<Self>) -> i64 {
                Self::run_id(&this)
            }

            /// The running
            #[doc = $kind]
            /// by its id; empty if nothing runs.
            #[func(gd_self)]
            pub fn $running(this: Gd<Self>) -> StringName {
                Self::running_name(&this)
            }

            /// The target of what runs. Null without one, when it was freed, and when nothing runs.
            #[func(gd_self)]
            pub fn get_running_target(this: Gd<Self>) -> Option<Gd<Node>> {
                Self::run_target(&this)
            }

            /// Seconds for which it has run; 0 if nothing runs.
            #[func(gd_self)]
            pub fn get_running_time(this: Gd<Self>) -> f64 {
                Self::run_time(&this)
            }

            /// What the running
            #[doc = $kind]
            /// was started with; null if nothing runs.
            #[func(gd_self)]
            pub fn get_running_context(this: Gd<Self>) -> Option<Gd<ActionContext>> {
                let run = Self::running(&this, |_, run| run.id())?;
                driver::running_context(this.instance_id(), run)
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

            #[doc = $reset]
            /// What runs goes on.
            #[func(gd_self)]
            pub fn reset_state(this: Gd<Self>) {
                driver::call(this.instance_id(), |state| state.core.reset_state());
            }

            // Cooldowns.

            /// Seconds until the
            #[doc = $kind]
            /// is free again; 0 if it is free.
            #[func(gd_self)]
            pub fn get_remaining_cooldown(this: Gd<Self>, $id: StringName) -> f64 {
                Self::cooldown_left(&this, "get_remaining_cooldown", &$id)
            }

            /// True while the
            #[doc = $kind]
            /// is on cooldown.
            #[func(gd_self)]
            pub fn $on_cooldown(this: Gd<Self>, $id: StringName) -> bool {
                Self::cooldown_left(&this, stringify!($on_cooldown), &$id) > 0.0
            }

            /// All cooldowns: id → seconds left.
            #[func(gd_self)]
            pub fn get_all_active_cooldowns(this: Gd<Self>) -> VarDictionary {
                Self::cooldowns(&this)
            }

            /// Puts
            #[doc = $a_kind]
            /// on cooldown for some seconds; 0 frees it. Negative or not finite is an error without effect.
            #[func(gd_self)]
            pub fn set_cooldown(this: Gd<Self>, $id: StringName, seconds: f64) {
                Self::cool_down(&this, &$id, seconds);
            }

            /// Frees
            #[doc = $a_kind]
            /// from its cooldown. False if it had none.
            #[func(gd_self)]
            pub fn reset_cooldown(this: Gd<Self>, $id: StringName) -> bool {
                let Some(found) = Self::find(&this, "reset_cooldown", &$id) else { return false };
                driver::call(this.instance_id(), |state| state.core.reset_cooldown(found)).unwrap_or(false)
            }

            /// Frees all
            #[doc = $kinds]
            /// from their cooldowns.
            #[func(gd_self)]
            pub fn reset_all_cooldowns(this: Gd<Self>) {
                driver::call(this.instance_id(), |state| state.core.reset_all_cooldowns());
            }

            // Records and state.

            /// The decision made last, forced starts included, with all
            #[doc = $kinds]
            /// and why each was refused. Never null.
            #[func(gd_self)]
            pub fn get_last_decision(this: Gd<Self>) -> Gd<ActionDecision> {
                ActionDecision::last_of(this.instance_id())
            }

            /// The recorded decisions, oldest first, forced starts included; at most [member history_size]. Filled while
            /// decisions are recorded, see [member record_decisions].
            #[func(gd_self)]
            pub fn get_history(this: Gd<Self>) -> Array<Gd<ActionDecision>> {
                Self::history(&this)
            }

            /// Forgets the recorded decisions.
            #[func(gd_self)]
            pub fn clear_history(this: Gd<Self>) {
                driver::with(this.instance_id(), |state| state.core.clear_history());
            }

            #[doc = $state]
            /// Plain values, for saving and rollback; nodes are named by their path in the tree. See [method import_state].
            #[func(gd_self)]
            pub fn export_state(this: Gd<Self>) -> VarDictionary {
                evaluator_state::export(&this)
            }

            /// Takes back what [method export_state] gave, also after JSON; what runs ends with [constant END_CANCELLED] first,
            /// and the run of the state goes on only if its method has [method ExecutionMethod._import_state].
            #[doc = $import]
            /// No other signal is raised. False, with an error and without effect, if the version or the structure is another,
            /// or while something starts or ends. What is not there any more is left out with a warning.
            #[func(gd_self)]
            pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
                evaluator_state::import(&this, &state)
            }
        }
    };
}

run_methods! {
    ActionEvaluator, "action", "actions", "an action", action_id;
    abort_action, get_running_action, is_action_on_cooldown;
    reset { "Clears cooldowns, recovery, novelty, chains and the counts of uses in a row." }
    state { "Clock, cooldowns, uses, counters, role, grants and settings made at run time." }
    import { "Its recovery, chains and settings count again." }
}

run_methods! {
    ReactionEvaluator, "reaction", "reactions", "a reaction", reaction_id;
    abort_reaction, get_running_reaction, is_reaction_on_cooldown;
    reset { "Clears cooldowns and the counts of uses in a row." }
    state { "Clock, cooldowns, counters, role and grants. A reaction that waits for its delay is no part of it." }
    import { "One that waits for its delay is forgotten." }
}
