//! The constants of AbilitySystem, and of abilities.

use godot::prelude::*;
use riposte_core::ability::AbilityRefusal;
use riposte_core::action::EndReason;

use super::{AbilitySystem, GameplayAbility};
use crate::base::step_constants::step_constants;

step_constants!(AbilitySystem);

/// How an activation ends.
macro_rules! ends {
    ($($class:ident),*) => { $(
        #[godot_api(secondary)]
        impl $class {
            /// The ability ended itself with success.
            #[constant]
            const END_COMPLETED: i64 = EndReason::Completed as i64;
            /// Another ability or another action took over, or it was started anew.
            #[constant]
            const END_INTERRUPTED: i64 = EndReason::Interrupted as i64;
            /// A script cancelled it, it was revoked, or the agent left the tree.
            #[constant]
            const END_CANCELLED: i64 = EndReason::Cancelled as i64;
            /// The time-out of the action that started it.
            #[constant]
            const END_TIMED_OUT: i64 = EndReason::TimedOut as i64;
            /// The ability ended itself without success.
            #[constant]
            const END_FAILED: i64 = EndReason::Failed as i64;
        }
    )* };
}

ends!(AbilitySystem, GameplayAbility);

#[godot_api(secondary)]
impl AbilitySystem {
    /// It is not granted, or not any more.
    #[constant]
    const ABILITY_UNKNOWN: i64 = AbilityRefusal::Unknown as i64;
    /// It is active, or about to be.
    #[constant]
    const ABILITY_ALREADY_ACTIVE: i64 = AbilityRefusal::AlreadyActive as i64;
    /// Its cooldown runs.
    #[constant]
    const ABILITY_COOLDOWN: i64 = AbilityRefusal::Cooldown as i64;
    /// A tag of [member GameplayAbility.required_tags] is missing.
    #[constant]
    const ABILITY_REQUIRED_TAGS: i64 = AbilityRefusal::RequiredTags as i64;
    /// A tag of [member GameplayAbility.blocked_tags] is there.
    #[constant]
    const ABILITY_BLOCKED_TAGS: i64 = AbilityRefusal::BlockedTags as i64;
    /// Its [method GameplayAbility._can_activate] said no.
    #[constant]
    const ABILITY_SCRIPT: i64 = AbilityRefusal::Script as i64;
}
