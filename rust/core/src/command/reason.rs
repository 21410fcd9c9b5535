//! Why an order was refused, waits, or ended.

use std::fmt;
use std::sync::Arc;

/// Writes the type from its table: variant, name in scripts, sentence for players.
macro_rules! reasons {
    ($($(#[$help:meta])* $variant:ident $name:literal $text:literal;)*) => {
        /// A reason by its name. Scripts see the name; executions and hooks may give names of their own.
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Reason {
            /// No reason: nothing is wrong.
            #[default]
            None,
            $(#[doc = $text] $variant,)*
            /// A name that a script gave.
            Custom(Arc<str>),
        }

        impl Reason {
            /// All reasons of ours, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name that scripts see; empty for no reason.
            pub fn name(&self) -> &str {
                match self {
                    Self::None => "",
                    $(Self::$variant => $name,)*
                    Self::Custom(name) => name,
                }
            }

            /// The reason of a name.
            pub fn named(name: &str) -> Self {
                match name {
                    "" => Self::None,
                    $($name => Self::$variant,)*
                    other => Self::Custom(Arc::from(other)),
                }
            }

            /// A sentence in English; none for names that a script gave.
            pub fn text(&self) -> Option<&'static str> {
                match self {
                    Self::None | Self::Custom(_) => None,
                    $(Self::$variant => Some($text),)*
                }
            }
        }
    };
}

reasons! {
    InvalidRequest "invalid_request" "The order is not valid.";
    Disabled "disabled" "Orders are switched off.";
    OutsideTree "outside_tree" "The unit is not in the game.";
    AgentMissing "agent_missing" "The unit is gone.";
    NotAuthority "not_authority" "Only the authority can give orders.";
    RecursionLimit "recursion_limit" "Too many orders were given from inside one another.";
    AgentBlocked "agent_blocked" "The unit can't take orders now.";
    NotInPalette "not_in_palette" "The unit does not know this order.";
    BadVariant "bad_variant" "This form of the order is not available.";
    TargetMissing "target_missing" "The order needs a target.";
    TargetUnexpected "target_unexpected" "The order takes no target.";
    LocationMissing "location_missing" "The order needs a place.";
    LocationUnexpected "location_unexpected" "The order takes no place.";
    DirectionMissing "direction_missing" "The order needs a direction.";
    DirectionUnexpected "direction_unexpected" "The order takes no direction.";
    TooManyTargets "too_many_targets" "There are too many targets.";
    WrongDimension "wrong_dimension" "The place or direction is of the wrong dimension.";
    NotFinite "not_finite" "The place or direction is not a finite one.";
    DirectionZero "direction_zero" "The direction has no length.";
    TargetLost "target_lost" "The target is gone.";
    TargetIsSelf "target_is_self" "The unit can't be its own target.";
    TargetNotInGroup "target_not_in_group" "The target is not of the right kind.";
    AgentMissingTag "agent_missing_tag" "The unit lacks what the order needs.";
    AgentBlockedTag "agent_blocked_tag" "The state of the unit forbids the order.";
    TargetMissingTag "target_missing_tag" "The target lacks what the order needs.";
    TargetBlockedTag "target_blocked_tag" "The state of the target forbids the order.";
    TooClose "too_close" "The target is too close.";
    TooFar "too_far" "The target is too far away.";
    NoExecution "no_execution" "Nothing can carry the order out.";
    ExecutionUnavailable "execution_unavailable" "The unit has not what carries the order out.";
    InsertOnlySource "insert_only_source" "This order may not replace the orders of others.";
    NotCancelable "not_cancelable" "The current order can't be stopped.";
    BehindEndless "behind_endless" "The order before it never ends by itself.";
    QueueFull "queue_full" "There are too many waiting orders.";
    NotAtomic "not_atomic" "Another order of the list was refused.";
    WaitsForCancel "waits_for_cancel" "The current order is being stopped.";
    WaitsForCurrent "waits_for_current" "The current order has to end first.";
    StartDeferred "start_deferred" "The order starts a little later.";
    Handover "handover" "The order starts next.";
    InQueue "in_queue" "The order waits for those before it.";
    AlreadyRunning "already_running" "The order is being carried out already.";
    AlreadyWaiting "already_waiting" "The order is waiting already.";
    AlreadyCancelling "already_cancelling" "The order is being stopped already.";
    AlreadyEnding "already_ending" "The order will end already.";
    NoCurrent "no_current" "There is no current order.";
    UnknownCommand "unknown_command" "There is no such order.";
    QueueEmpty "queue_empty" "No order is waiting.";
    NothingToClear "nothing_to_clear" "There are no orders.";
    BadIndex "bad_index" "No order waits at this place.";
    Replaced "replaced" "Another order took its place.";
    Cancelled "cancelled" "The order was cancelled.";
    Cleared "cleared" "The orders were cleared.";
    Skipped "skipped" "The order was skipped.";
    Removed "removed" "The order was taken out of the queue.";
    Interrupted "interrupted" "Another order came first.";
    EndlessEnded "endless_ended" "The next order ended it.";
    TimedOut "timed_out" "The order took too long.";
    CancelTimeout "cancel_timeout" "The order did not stop in time.";
    AgentRemoved "agent_removed" "The unit left the game.";
    Imported "imported" "A saved state was loaded.";
    Failed "failed" "The order failed.";
    SelfCancelled "self_cancelled" "The order stopped itself.";
    ChainFailed "chain_failed" "An order before it failed.";
    ChainCancelled "chain_cancelled" "An order before it was cancelled.";
    NotRestored "not_restored" "The order that interrupted it did not succeed.";
    ExecutorFreed "executor_freed" "What carried the order out is gone.";
    NotImplemented "not_implemented" "What carries the order out does nothing yet.";
    BehaviorFailed "behavior_failed" "The behaviour failed.";
    BehaviorReplaced "behavior_replaced" "Another behaviour took over.";
    AbilityFailed "ability_failed" "The ability failed.";
    AbilityRefused "ability_refused" "The ability can't start now.";
    AbilityCancelled "ability_cancelled" "The ability was cut short.";
    ActionFailed "action_failed" "The action failed.";
    ActionRefused "action_refused" "The action can't start now.";
    ActionInterrupted "action_interrupted" "The action was cut short.";
    InputRefused "input_refused" "The move can't start now.";
    GraphInterrupted "graph_interrupted" "The move was cut short.";
    MethodFailed "method_failed" "The order could not be carried out.";
    SentToAuthority "sent_to_authority" "The order was sent to the authority.";
    NotOwner "not_owner" "The unit belongs to somebody else.";
    RateLimited "rate_limited" "Orders were sent too quickly.";
    Malformed "malformed" "The order could not be read.";
    UnknownDefinition "unknown_definition" "The unit does not know this order.";
}

impl Reason {
    /// True for no reason.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// This reason, or another one if it is none.
    pub fn or(self, other: Self) -> Self {
        if self.is_none() { other } else { self }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_reason() {
        for reason in Reason::ALL {
            assert_eq!(Reason::named(reason.name()), *reason);
            assert!(reason.text().is_some());
        }
        assert_eq!(Reason::named(""), Reason::None);
        assert_eq!(Reason::named("stuck").name(), "stuck");
        assert_eq!(Reason::named("stuck").text(), None);
        assert_eq!(Reason::named("stuck").or(Reason::Failed).name(), "stuck");
        assert_eq!(Reason::None.or(Reason::Failed), Reason::Failed);
    }

    #[test]
    fn no_name_stands_twice() {
        let mut names: Vec<&str> = Reason::ALL.iter().map(|reason| reason.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
