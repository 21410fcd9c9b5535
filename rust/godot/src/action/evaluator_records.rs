//! What an [`ActionEvaluator`] remembers of its decisions, and its state in and out.

use godot::prelude::*;

use super::evaluator_calls::EvaluatorCalls;
use super::{ActionDecision, ActionEvaluator, driver, evaluator_state};

#[godot_api(secondary)]
impl ActionEvaluator {
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

    /// Clock, cooldowns, uses, counters and settings made at run time as plain values, for saving and rollback. Nodes are
    /// named by their path in the tree. See [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        evaluator_state::export(&this)
    }

    /// Takes back what [method export_state] gave, also after JSON; a running action ends with [constant END_CANCELLED] first, and
    /// the one of the state does not run on. No other signal is raised. False, with an error and without effect, if the version or
    /// the structure is another, or while an action starts or ends. What is not there any more is left out with a
    /// warning.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        evaluator_state::import(&this, &state)
    }
}
