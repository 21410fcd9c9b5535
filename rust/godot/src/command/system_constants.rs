//! The constants of CommandSystem.

use godot::prelude::*;

use super::CommandSystem;
use crate::base::step_constants::step_constants;

step_constants!(CommandSystem);

#[godot_api(secondary)]
impl CommandSystem {
    /// The request was refused, and nothing changed.
    #[constant]
    const OUTCOME_REJECTED: i64 = 0;
    /// There was nothing to do, or it is done already.
    #[constant]
    const OUTCOME_NO_CHANGE: i64 = 1;
    /// The order was accepted and waits.
    #[constant]
    const OUTCOME_QUEUED: i64 = 2;
    /// The order was accepted and has started.
    #[constant]
    const OUTCOME_STARTED: i64 = 3;
    /// What was asked for is done.
    #[constant]
    const OUTCOME_APPLIED: i64 = 4;
    /// What was asked for is on its way.
    #[constant]
    const OUTCOME_PENDING: i64 = 5;
    /// The order has not ended.
    #[constant]
    const RESULT_NONE: i64 = 0;
    /// The order is done.
    #[constant]
    const RESULT_SUCCEEDED: i64 = 1;
    /// The order failed.
    #[constant]
    const RESULT_FAILED: i64 = 2;
    /// The order was stopped, or stopped itself.
    #[constant]
    const RESULT_CANCELLED: i64 = 3;
    /// The order was dropped before it started.
    #[constant]
    const RESULT_DROPPED: i64 = 4;
    /// No order is current.
    #[constant]
    const PHASE_IDLE: i64 = 0;
    /// The execution of the current order works.
    #[constant]
    const PHASE_RUNNING: i64 = 1;
    /// The execution of the current order was asked to stop.
    #[constant]
    const PHASE_CANCELLING: i64 = 2;
    /// The current order failed and waits for its next try.
    #[constant]
    const PHASE_RETRY_WAIT: i64 = 3;
    /// One order is over and the next is about to start.
    #[constant]
    const PHASE_HANDOVER: i64 = 4;
    /// [method issue_command].
    #[constant]
    const ENTRY_ISSUE: i64 = 0;
    /// [method enqueue_command].
    #[constant]
    const ENTRY_ENQUEUE: i64 = 1;
    /// [method insert_next].
    #[constant]
    const ENTRY_INSERT_NEXT: i64 = 2;
    /// [method interrupt_with].
    #[constant]
    const ENTRY_INTERRUPT: i64 = 3;
    /// Orders end when the node leaves the tree.
    #[constant]
    const EXIT_TREE_END: i64 = 0;
    /// Orders stand still while the node is outside the tree.
    #[constant]
    pub(crate) const EXIT_TREE_KEEP: i64 = 1;
}
