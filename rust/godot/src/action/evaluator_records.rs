//! What an [`ActionEvaluator`] remembers of its decisions, and its state in and out.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::EndReason;

use super::{ActionDecision, ActionEvaluator, driver, evaluator_state};
use crate::base::messages;

#[godot_api(secondary)]
impl ActionEvaluator {
    /// The recorded decisions, oldest first, forced starts included; at most [member history_size]. Filled while decisions are
    /// recorded, see [member record_decisions].
    #[func(gd_self)]
    pub fn get_history(this: Gd<Self>) -> Array<Gd<ActionDecision>> {
        let kept = driver::with(this.instance_id(), |state| {
            state.core.history().map(Arc::clone).collect::<Vec<_>>()
        });
        kept.unwrap_or_default().into_iter().map(ActionDecision::from_core).collect()
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
        let id = this.instance_id();
        let Some(read) = evaluator_state::read(&this, &state) else { return false };
        // A handler of the end may start the next action at once.
        for _attempt in 0..MOST_ENDS {
            if !this.is_instance_valid() {
                return false;
            }
            let (free, running) = driver::with(id, |state| {
                (state.core.can_import() && !state.stepping, state.core.running().is_some())
            })
            .unwrap_or_default();
            if !free {
                let text = "import_state() was called while the evaluator steps, decides, or starts or ends an action. Call it \
                            deferred.";
                messages::error(&this, "import_state", "busy", text);
                return false;
            }
            if !running {
                evaluator_state::apply(&this, &read);
                return true;
            }
            driver::call(id, |state| state.core.abort(EndReason::Cancelled));
        }
        let text = "import_state() can't end what runs: another action starts at each end. Do not start one in action_ended \
                    meanwhile.";
        messages::error(&this, "import_state", "restarts", text);
        false
    }
}

/// How many actions are ended before the import gives up.
const MOST_ENDS: usize = 8;
