//! Why something was not chosen or did not start: constants of every class that tells it.

use godot::prelude::*;
use riposte_core::action::Refusal;

use super::{ActionDecision, ActionEvaluator, ReactionEvaluator};

macro_rules! refusals {
    ($($class:ident),*) => { $(
        #[godot_api(secondary)]
        impl $class {
            /// Not refused.
            #[constant]
            const REFUSAL_NONE: i64 = Refusal::None as i64;
            /// It is switched off.
            #[constant]
            const REFUSAL_DISABLED: i64 = Refusal::Disabled as i64;
            /// A tag of [member ActionEvaluator.global_block_tags] or [member ReactionEvaluator.global_block_tags] is on the agent.
            #[constant]
            const REFUSAL_BLOCKED: i64 = Refusal::Blocked as i64;
            /// There is no execution method, or it lacks data.
            #[constant]
            const REFUSAL_NO_METHOD: i64 = Refusal::NoMethod as i64;
            /// The action is on cooldown.
            #[constant]
            const REFUSAL_COOLDOWN: i64 = Refusal::Cooldown as i64;
            /// The agent recovers from its last action.
            #[constant]
            const REFUSAL_RECOVERY: i64 = Refusal::Recovery as i64;
            /// The action was used too often in a row.
            #[constant]
            const REFUSAL_REPEAT_LIMIT: i64 = Refusal::RepeatLimit as i64;
            /// The target is gone.
            #[constant]
            const REFUSAL_NO_TARGET: i64 = Refusal::NoTarget as i64;
            /// A required tag is missing.
            #[constant]
            const REFUSAL_REQUIRED_TAGS: i64 = Refusal::RequiredTags as i64;
            /// A blocking tag is there.
            #[constant]
            const REFUSAL_BLOCK_TAGS: i64 = Refusal::BlockTags as i64;
            /// The target is not seen.
            #[constant]
            const REFUSAL_NO_LINE_OF_SIGHT: i64 = Refusal::NoLineOfSight as i64;
            /// A gate of the action said no.
            #[constant]
            const REFUSAL_GATE: i64 = Refusal::Gate as i64;
            /// The script of the evaluator said no.
            #[constant]
            const REFUSAL_SCRIPT_VETO: i64 = Refusal::ScriptVeto as i64;
            /// The score is not above 0.
            #[constant]
            const REFUSAL_ZERO_SCORE: i64 = Refusal::ZeroScore as i64;
            /// What runs may not be interrupted by it.
            #[constant]
            const REFUSAL_INTERRUPT_CLASS: i64 = Refusal::InterruptClass as i64;
            /// The action runs already and keeps its target.
            #[constant]
            const REFUSAL_RETARGET_POLICY: i64 = Refusal::RetargetPolicy as i64;
            /// What runs has not run long enough yet.
            #[constant]
            const REFUSAL_COMMITMENT: i64 = Refusal::Commitment as i64;
            /// It does not score higher than what runs by [member ActionEvaluator.switch_margin].
            #[constant]
            const REFUSAL_SWITCH_MARGIN: i64 = Refusal::SwitchMargin as i64;
            /// Another candidate scored higher.
            #[constant]
            const REFUSAL_OUTSCORED: i64 = Refusal::Outscored as i64;
            /// The execution method did not begin.
            #[constant]
            const REFUSAL_BEGIN_FAILED: i64 = Refusal::BeginFailed as i64;
            /// A script stopped the start: it aborted it, or stopped the evaluator.
            #[constant]
            const REFUSAL_HOOK_VETO: i64 = Refusal::HookVeto as i64;
            /// Too few combat tokens were free when the run began.
            #[constant]
            const REFUSAL_NO_TOKEN: i64 = Refusal::NoToken as i64;
            /// The start had to wait, and a later request took its place. Of reactions: what runs does not make room.
            #[constant]
            const REFUSAL_BUSY: i64 = Refusal::Busy as i64;
            /// The event is none that it answers, or too weak or too strong. Reactions only.
            #[constant]
            const REFUSAL_TRIGGER: i64 = Refusal::Trigger as i64;
            /// The dice said no. Reactions only.
            #[constant]
            const REFUSAL_CHANCE: i64 = Refusal::Chance as i64;
            /// There is no action of that name.
            #[constant]
            const REFUSAL_UNKNOWN_ACTION: i64 = Refusal::UnknownAction as i64;
        }
    )* };
}

refusals!(ActionDecision, ActionEvaluator, ReactionEvaluator);
