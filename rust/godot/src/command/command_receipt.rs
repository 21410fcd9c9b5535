use godot::prelude::*;
use riposte_core::command::{Outcome, Reason, RunResult};

use super::constants::api_with_results;
use super::telling::reason_name;

/// The answer to a request or a control, and the way to wait for the end of the order.
///
/// Read-only. A [CommandSystem] fills in the end when it comes.
///
/// ```gdscript
/// var receipt := orders.issue_command(CommandRequest.to_location(move, point))
/// if not receipt.is_ended():
///     await receipt.ended
/// print(receipt.result == CommandReceipt.RESULT_SUCCEEDED)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = RefCounted)]
pub struct CommandReceipt {
    /// What became of the request, one of the `OUTCOME_*` constants.
    #[var(no_set)]
    outcome: i64,
    /// Why; empty for OUTCOME_STARTED and OUTCOME_APPLIED. [method CommandSystem.describe_reason] says it in words.
    #[var(no_set)]
    reason: StringName,
    /// What the reason is about: the tag, the distance in world units. Empty if there is nothing to add.
    #[var(no_set)]
    detail: GString,
    /// The new order; 0 if there is none.
    #[var(no_set)]
    command_id: i64,
    /// How the order ended, one of the `RESULT_*` constants; RESULT_NONE until then.
    #[var(no_set)]
    result: i64,
    /// Why the order ended so.
    #[var(no_set)]
    end_reason: StringName,
    /// The number of a request that was sent to the authority, see [signal CommandSystem.request_answered]; else 0.
    #[var(no_set)]
    token: i64,
    base: Base<RefCounted>,
}

api_with_results! {
CommandReceipt {
    /// The request was refused, and nothing changed.
    #[constant]
    const OUTCOME_REJECTED: i64 = Outcome::Rejected as i64;
    /// There was nothing to do, or it is done already.
    #[constant]
    const OUTCOME_NO_CHANGE: i64 = Outcome::NoChange as i64;
    /// The order was accepted and waits.
    #[constant]
    const OUTCOME_QUEUED: i64 = Outcome::Queued as i64;
    /// The order was accepted and has started.
    #[constant]
    const OUTCOME_STARTED: i64 = Outcome::Started as i64;
    /// What was asked for is done.
    #[constant]
    const OUTCOME_APPLIED: i64 = Outcome::Applied as i64;
    /// What was asked for is under way.
    #[constant]
    const OUTCOME_PENDING: i64 = Outcome::Pending as i64;

    /// The order ended, right after [signal CommandSystem.command_ended]. [param result] is one of the `RESULT_*` constants.
    #[signal]
    pub fn ended(result: i64, reason: StringName);

    /// True if nothing was done: the request was refused.
    #[func]
    pub fn is_rejected(&self) -> bool {
        self.outcome == Outcome::Rejected.code()
    }

    /// True if there is a new order: it has started or waits.
    #[func]
    pub fn is_accepted(&self) -> bool {
        self.outcome == Outcome::Started.code() || self.outcome == Outcome::Queued.code()
    }

    /// True if there is nothing to wait for: the order has ended, or there is no new order.
    #[func]
    pub fn is_ended(&self) -> bool {
        self.command_id == 0 || self.result != RunResult::None.code()
    }
}
}

impl CommandReceipt {
    /// An answer.
    pub(crate) fn make(outcome: Outcome, reason: &Reason, detail: &str, command_id: i64) -> Gd<Self> {
        Self::make_ended(outcome, reason, detail, command_id, None)
    }

    /// An answer to what may have ended already. Nobody can have heard of that: nobody knew the receipt.
    pub(crate) fn make_ended(
        outcome: Outcome,
        reason: &Reason,
        detail: &str,
        command_id: i64,
        end: Option<(RunResult, StringName)>,
    ) -> Gd<Self> {
        let (result, end_reason) = end.unwrap_or((RunResult::None, StringName::default()));
        Gd::from_init_fn(|base| Self {
            outcome: outcome.code(),
            reason: reason_name(reason),
            detail: if detail.is_empty() { GString::new() } else { GString::from(detail) },
            command_id,
            result: result.code(),
            end_reason,
            token: 0,
            base,
        })
    }

    /// The answer to a request that is on its way to the authority.
    pub(crate) fn sent(token: i64) -> Gd<Self> {
        let mut made = Self::make(Outcome::Pending, &Reason::SentToAuthority, "", 0);
        made.bind_mut().token = token;
        made
    }

    /// What became of the request, as scripts read it.
    pub(crate) fn outcome(&self) -> i64 {
        self.outcome
    }

    /// Why.
    pub(crate) fn reason(&self) -> StringName {
        self.reason.clone()
    }

    /// The new order; 0 if there is none.
    pub(crate) fn command_id(&self) -> i64 {
        self.command_id
    }

    /// The order ended: fills it in and tells. Nothing may be bound or locked.
    pub(crate) fn end(this: &Gd<Self>, result: RunResult, reason: &StringName) {
        {
            let mut own = this.clone();
            let mut own = own.bind_mut();
            own.result = result.code();
            own.end_reason = reason.clone();
        }
        this.signals().ended().emit(result.code(), reason);
    }
}
