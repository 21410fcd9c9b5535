//! What scripts order of a CommandSystem.

use godot::prelude::*;

use riposte_core::command::{Entry, Reason};

use super::requesting::{self, Control};
use super::validation::Refusal;
use super::{CommandReceipt, CommandRequest, CommandSystem};
use crate::optional::Optional;

#[godot_api(secondary)]
impl CommandSystem {
    /// The latest intent: stops the current order, drops those that wait, and starts this one. If the current order can't be
    /// stopped, this one becomes the only one that waits. The same order again goes on, see
    /// [member CommandDefinition.same_request].
    #[func(gd_self)]
    pub fn issue_command(this: Gd<Self>, request: Optional<CommandRequest>) -> Gd<CommandReceipt> {
        requesting::request(&this, "issue_command", request.0, Entry::Issue)
    }

    /// Starts the order if the agent is idle; else it waits as the last in line.
    #[func(gd_self)]
    pub fn enqueue_command(this: Gd<Self>, request: Optional<CommandRequest>) -> Gd<CommandReceipt> {
        requesting::request(&this, "enqueue_command", request.0, Entry::Enqueue)
    }

    /// Starts the order if the agent is idle; else it comes next. The current order goes on.
    #[func(gd_self)]
    pub fn insert_next(this: Gd<Self>, request: Optional<CommandRequest>) -> Gd<CommandReceipt> {
        requesting::request(&this, "insert_next", request.0, Entry::InsertNext)
    }

    /// Interrupts the current order, which returns when this one has succeeded. Refused if the current order can't be
    /// stopped.
    #[func(gd_self)]
    pub fn interrupt_with(this: Gd<Self>, request: Optional<CommandRequest>) -> Gd<CommandReceipt> {
        requesting::request(&this, "interrupt_with", request.0, Entry::Interrupt)
    }

    /// One of the four by number: [constant ENTRY_ISSUE], [constant ENTRY_ENQUEUE], [constant ENTRY_INSERT_NEXT] or
    /// [constant ENTRY_INTERRUPT].
    #[func(gd_self)]
    pub fn submit(this: Gd<Self>, request: Optional<CommandRequest>, entry_point: i64) -> Gd<CommandReceipt> {
        match requesting::entry(&this, "submit", entry_point) {
            Some(entry) => requesting::request(&this, "submit", request.0, entry),
            None => requesting::refuse(&this, request.0, &Refusal::plain(Reason::InvalidRequest)),
        }
    }

    /// As [method issue_command] of the first request, with the others waiting behind it, in one step. If one of them is
    /// refused, nothing changes, and every receipt is rejected: with [code]not_atomic[/code] for those that were fine.
    #[func(gd_self)]
    pub fn replace_commands(this: Gd<Self>, requests: AnyArray) -> Array<Gd<CommandReceipt>> {
        requesting::replace(&this, &requests)
    }

    /// What the answer to a request would be. Changes nothing and tells no signal. It takes for granted that an execution
    /// that is asked to stop answers at once.
    #[func(gd_self)]
    pub fn check_command(
        this: Gd<Self>,
        request: Optional<CommandRequest>,
        #[opt(default = 0)] entry_point: i64,
    ) -> Gd<CommandReceipt> {
        match requesting::entry(&this, "check_command", entry_point) {
            Some(entry) => requesting::check(&this, request.0, entry),
            None => requesting::rejected(&Refusal::plain(Reason::InvalidRequest)),
        }
    }

    /// Gives one order to many agents: each takes it by its first CommandSystem child, or is one itself. One receipt for each
    /// element, rejected with [code]agent_missing[/code] where there is no CommandSystem.
    #[func]
    pub fn submit_many(
        agents: AnyArray,
        request: Optional<CommandRequest>,
        entry_point: i64,
    ) -> Array<Gd<CommandReceipt>> {
        requesting::submit_many(&agents, request.0.as_ref(), entry_point)
    }

    /// Ends an order, wherever it is: the current one (0), or any by its id.
    #[func(gd_self)]
    pub fn cancel_command(this: Gd<Self>, #[opt(default = 0)] command_id: i64) -> Gd<CommandReceipt> {
        requesting::control(&this, "cancel_command", Control::Cancel(command_id))
    }

    /// Drops the orders that wait; with a source only those of that source.
    #[func(gd_self)]
    pub fn clear_command_queue(
        this: Gd<Self>,
        #[opt(default = "")] source: StringName,
    ) -> Gd<CommandReceipt> {
        requesting::control(&this, "clear_command_queue", Control::ClearQueue(source))
    }

    /// Drops the orders that wait, and ends the current one.
    #[func(gd_self)]
    pub fn clear_commands(this: Gd<Self>) -> Gd<CommandReceipt> {
        requesting::control(&this, "clear_commands", Control::ClearAll)
    }

    /// Ends the current order; the next one starts, whatever the rules of the current one say.
    #[func(gd_self)]
    pub fn skip_current(this: Gd<Self>) -> Gd<CommandReceipt> {
        requesting::control(&this, "skip_current", Control::Skip)
    }

    /// Drops one waiting order by its place; 0 is the next one.
    #[func(gd_self)]
    pub fn remove_at(this: Gd<Self>, index: i64) -> Gd<CommandReceipt> {
        requesting::control(&this, "remove_at", Control::Remove(index, 1))
    }

    /// Drops [param count] waiting orders from a place on; 0 is the next one.
    #[func(gd_self)]
    pub fn remove_range(this: Gd<Self>, from: i64, count: i64) -> Gd<CommandReceipt> {
        requesting::control(&this, "remove_range", Control::Remove(from, count))
    }

    /// Drops the last of the waiting orders.
    #[func(gd_self)]
    pub fn remove_last(this: Gd<Self>) -> Gd<CommandReceipt> {
        requesting::control(&this, "remove_last", Control::RemoveLast)
    }

    /// Reports the end of a start by its number, for those who kept no handle. [param result] is
    /// [constant RESULT_SUCCEEDED], [constant RESULT_FAILED] or [constant RESULT_CANCELLED]. False if that start is over.
    #[func(gd_self)]
    pub fn report_result(
        this: Gd<Self>,
        execution_id: i64,
        result: i64,
        #[opt(default = "")] reason: StringName,
    ) -> bool {
        requesting::report(&this, execution_id, result, reason)
    }
}
