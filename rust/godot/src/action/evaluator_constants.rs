//! The constants of both classes of evaluators.

use godot::prelude::*;
use riposte_core::action::{ChangePolicy, EndReason, SetSource};

use super::{ActionEvaluator, ReactionEvaluator};
use crate::base::step_constants::step_constants;

macro_rules! constants {
    ($class:ident, $default_set:literal) => {
        #[godot_api(secondary)]
        impl $class {
            /// The method finished with success.
            #[constant]
            const END_COMPLETED: i64 = EndReason::Completed as i64;
            /// Something else took over: an action, a reaction or a script.
            #[constant]
            const END_INTERRUPTED: i64 = EndReason::Interrupted as i64;
            /// A script aborted it, the set changed, or the agent left the tree.
            #[constant]
            const END_CANCELLED: i64 = EndReason::Cancelled as i64;
            /// The time-out of the method or of the project settings.
            #[constant]
            const END_TIMED_OUT: i64 = EndReason::TimedOut as i64;
            /// The method finished without success.
            #[constant]
            const END_FAILED: i64 = EndReason::Failed as i64;
            /// There is no set.
            #[constant]
            const SET_NONE: i64 = SetSource::None as i64;
            #[doc = $default_set]
            #[constant]
            const SET_COMPONENT_DEFAULT: i64 = SetSource::ComponentDefault as i64;
            /// The set is the one that the [AgentConfig] has for every role.
            #[constant]
            const SET_CONFIG_DEFAULT: i64 = SetSource::ConfigDefault as i64;
            /// The set is the one that the [AgentConfig] has for the role.
            #[constant]
            const SET_CONFIG_ROLE: i64 = SetSource::ConfigRole as i64;
            /// The set was given by a script of the game (a provided set) or by the weapon.
            #[constant]
            const SET_PROVIDED: i64 = SetSource::Provided as i64;
            /// The set was given by [method set_runtime_override].
            #[constant]
            const SET_RUNTIME_OVERRIDE: i64 = SetSource::RuntimeOverride as i64;
        }
    };
}

step_constants!(ActionEvaluator, ReactionEvaluator);
constants!(ActionEvaluator, "The set is [member default_action_set].");
constants!(ReactionEvaluator, "The set is [member default_reaction_set].");

#[godot_api(secondary)]
impl ActionEvaluator {
    /// A running action ends when it is not in the new list.
    #[constant]
    const CHANGE_END_IF_MISSING: i64 = ChangePolicy::EndIfMissing as i64;
    /// A running action goes on.
    #[constant]
    const CHANGE_LET_FINISH: i64 = ChangePolicy::LetFinish as i64;
    /// A running action ends, whatever is in the new set.
    #[constant]
    const CHANGE_END_ALWAYS: i64 = ChangePolicy::EndAlways as i64;
}
