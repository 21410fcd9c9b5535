//! What a definition says about the life of its orders, and the numbers of the vocabulary.

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($(#[$about:meta])* $name:ident: $($(#[$each:meta])* $variant:ident = $code:literal,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$each])* $variant = $code,)*
        }

        impl $name {
            /// The integer that scripts use.
            pub fn code(self) -> i64 {
                i64::from(self as u8)
            }

            /// The value of an integer.
            pub fn from_code(code: i64) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

codes! {
    /// What a failure does to the waiting orders.
    FailurePolicy:
    /// They all end.
    #[default]
    Clear = 0,
    /// They go on.
    Continue = 1,
}

codes! {
    /// What an order does that is queued directly behind an endless one.
    EndlessPolicy:
    /// It ends the endless one.
    #[default]
    End = 0,
    /// It waits.
    Wait = 1,
    /// It is refused.
    Reject = 2,
}

codes! {
    /// What happens to a running order whose last target is gone.
    LostPolicy:
    /// It goes on.
    Continue = 0,
    /// It fails.
    #[default]
    Fail = 1,
    /// It starts again on another target, or fails.
    Retarget = 2,
    /// It succeeds.
    Succeed = 3,
}

codes! {
    /// What happens to a waiting order that is no longer legal when its turn comes.
    InvalidPolicy:
    /// Only this one ends.
    #[default]
    Skip = 0,
    /// It ends as if it had failed.
    Fail = 1,
}

codes! {
    /// What an order does that is equal to the current one and takes its place.
    SameRequest:
    /// The current one goes on.
    #[default]
    Keep = 0,
    /// As any other order.
    Restart = 1,
}

codes! {
    /// What became of a request or a control.
    Outcome:
    /// Refused; nothing changed.
    #[default]
    Rejected = 0,
    /// There was nothing to do.
    NoChange = 1,
    /// Accepted; it waits.
    Queued = 2,
    /// Accepted and started.
    Started = 3,
    /// Done.
    Applied = 4,
    /// Under way.
    Pending = 5,
}

codes! {
    /// How an order ended.
    RunResult:
    /// It did not.
    #[default]
    None = 0,
    /// It succeeded.
    Succeeded = 1,
    /// It failed.
    Failed = 2,
    /// It was stopped.
    Cancelled = 3,
    /// It never started.
    Dropped = 4,
}

codes! {
    /// What the current order does.
    Phase:
    /// No current order and none that waits.
    #[default]
    Idle = 0,
    /// Its execution runs.
    Running = 1,
    /// Its execution was asked to stop and has not answered yet.
    Cancelling = 2,
    /// It failed and is about to be tried again.
    RetryWait = 3,
    /// No current order; the next is about to start.
    Handover = 4,
}

codes! {
    /// How a request goes in.
    Entry:
    /// In the place of everything.
    #[default]
    Issue = 0,
    /// Behind everything.
    Enqueue = 1,
    /// Before everything that waits.
    InsertNext = 2,
    /// Now; the current order comes back after it.
    Interrupt = 3,
}

/// The rules for the life of one order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderPlan {
    /// Seconds that one start may take; 0: no limit.
    pub time_limit: f64,
    /// Seconds that the answer to a cancel may take; below 0: the system's.
    pub cancel_timeout: f64,
    /// Seconds between a failure and the next start.
    pub retry_delay: f64,
    /// Extra starts after failures.
    pub retry_count: u32,
    /// Requests may stop it.
    pub cancelable: bool,
    /// The queue goes on after it was cancelled.
    pub cancelled_counts_as_success: bool,
    /// It never ends by itself.
    pub endless: bool,
    /// Something is to be given back when a start of it is over, as its tags: [`super::Effect::Left`] is told.
    pub tells_left: bool,
    /// What its failure does to the others.
    pub failure: FailurePolicy,
    /// What being queued behind it does, if it is endless.
    pub endless_policy: EndlessPolicy,
    /// Its last target is gone.
    pub lost: LostPolicy,
    /// It is no longer legal.
    pub invalid: InvalidPolicy,
    /// It is issued again.
    pub same: SameRequest,
}

impl Default for OrderPlan {
    fn default() -> Self {
        Self {
            time_limit: 0.0,
            cancel_timeout: -1.0,
            retry_delay: 0.0,
            retry_count: 0,
            cancelable: true,
            cancelled_counts_as_success: false,
            endless: false,
            tells_left: false,
            failure: FailurePolicy::default(),
            endless_policy: EndlessPolicy::default(),
            lost: LostPolicy::default(),
            invalid: InvalidPolicy::default(),
            same: SameRequest::default(),
        }
    }
}

/// The settings of one system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Orders that may wait; suspended ones do not count.
    pub max_queue_length: u32,
    /// Starts in one turn.
    pub max_starts_per_turn: u32,
    /// Effects in one turn, after which calls from inside it are refused.
    pub max_events_per_turn: u32,
    /// Seconds that the answer to a cancel may take.
    pub cancel_timeout: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_queue_length: 32, max_starts_per_turn: 64, max_events_per_turn: 4096, cancel_timeout: 1.0 }
    }
}
