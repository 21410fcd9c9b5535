//! Requests and controls, from the call of a script to its receipt.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::command::{Commands, Entry, NewOrder, OrderPlan, Outcome, Reason, Receipt, RunResult};

use super::driver::{self, agent_of, call, on_main, read, with};
use super::order::{Held, Order};
use super::request_data::RequestData;
use super::validation::{self, Accepted, Refusal, Stage, SystemView};
use super::{CommandReceipt, CommandRequest, CommandSystem, builtin, peers, telling};
use crate::base::lookup::{self, Part};
use crate::base::messages;

/// The entry point of a number; an error for another one.
pub(super) fn entry(this: &Gd<CommandSystem>, member: &str, code: i64) -> Option<Entry> {
    let entry = Entry::from_code(code);
    if entry.is_none() {
        let text = format!("{member}() got the entry point {code}. Use one of the ENTRY_* constants.");
        messages::error(this, member, "entry_point", &text);
    }
    entry
}

/// What checks have to know of a system. `None`: it is gone.
pub(super) fn view(id: InstanceId) -> Option<SystemView> {
    view_of(&driver::node_of(id)?, Peer::Authority)
}

/// On which peers an order is legal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Peer {
    /// Where it would be taken.
    Authority,
    /// Also where it could be sent from.
    Sender,
}

fn view_of(node: &Gd<CommandSystem>, peer: Peer) -> Option<SystemView> {
    // Hooks that were asked before may have freed it.
    if !node.is_instance_valid() {
        return None;
    }
    let id = node.instance_id();
    let agent = agent_of(id).and_then(|agent| Gd::try_from_instance_id(agent).ok());
    let mut view = read(id, |state| {
        let rules = &state.rules;
        SystemView {
            system: node.clone().upcast(),
            enabled: state.core.is_enabled(),
            agent,
            is_authority: true,
            is_flooded: state.core.is_exhausted(),
            block_tags: rules.block_tags.clone(),
            restricted: rules.restricted,
            default_execution: rules.default_execution.clone(),
            asks_can_accept: rules.asks_can_accept,
        }
    })?;
    view.is_authority = peers::decides(node) || peer == Peer::Sender && peers::is_owner(node);
    if !node.is_instance_valid() {
        return None;
    }
    if view.default_execution.is_none() {
        view.default_execution = fallback(id);
    }
    Some(view)
}

/// What carries out orders that name nothing, where the node names nothing either; made once for each node.
fn fallback(id: InstanceId) -> Option<Gd<Resource>> {
    if let Some(made) = read(id, |state| state.rules.fallback.clone()).flatten() {
        return Some(made);
    }
    let made = builtin::default_execution();
    with(id, |state| state.rules.fallback = made.clone());
    made
}

/// A request.
pub(super) fn request(
    this: &Gd<CommandSystem>,
    member: &str,
    request: Option<Gd<CommandRequest>>,
    entry: Entry,
) -> Gd<CommandReceipt> {
    if !on_main(this, member) {
        return rejected(&Refusal::plain(Reason::InvalidRequest));
    }
    let order = match checked(this, member, request.as_ref(), entry) {
        Ok(accepted) => Order::new(accepted, entry),
        Err(refusal) => return refuse_with_error(this, member, request, &refusal),
    };
    take(this, request, &order)
}

/// A request that another peer sent.
pub(super) fn request_data(this: &Gd<CommandSystem>, data: &RequestData, entry: Entry) -> Gd<CommandReceipt> {
    let request = data.to_request();
    match check_data(this, data, entry, Peer::Authority) {
        Ok(accepted) => take(this, Some(request), &Order::new(accepted, entry)),
        Err(refusal) => refuse_with_error(this, "request_command", Some(request), &refusal),
    }
}

fn take(
    this: &Gd<CommandSystem>,
    request: Option<Gd<CommandRequest>>,
    order: &Rc<Order>,
) -> Gd<CommandReceipt> {
    let (id, entry) = (this.instance_id_unchecked(), order.life.entry);
    let new = new_order(order);
    let Some(receipt) = call(id, |core| core.submit(entry, new)) else {
        return refuse(this, request, &Refusal::plain(Reason::OutsideTree));
    };
    if receipt.is_rejected() {
        return refuse(this, request, &Refusal::plain(receipt.reason));
    }
    settled(id, receipt, order)
}

/// The receipt of what was refused.
pub(super) fn rejected(refusal: &Refusal) -> Gd<CommandReceipt> {
    CommandReceipt::make(Outcome::Rejected, &refusal.reason, &refusal.detail, 0)
}

/// The receipt of an accepted request, after the turn of its call.
fn settled(id: InstanceId, receipt: Receipt, order: &Rc<Order>) -> Gd<CommandReceipt> {
    let receipt = with(id, |state| state.core.settle(receipt.clone())).unwrap_or(receipt);
    let end = order.life.end.borrow().clone().filter(|_| receipt.is_accepted());
    let waits = receipt.is_accepted() && end.is_none();
    let number = receipt.command as i64;
    let made = CommandReceipt::make_ended(receipt.outcome, &receipt.reason, "", number, end);
    if waits {
        order.life.receipt.replace(Some(made.clone()));
    }
    made
}

fn new_order(order: &Rc<Order>) -> NewOrder<Held> {
    NewOrder { plan: plan_of(order), data: Held::new(order.clone()) }
}

/// The rules for the life of an order. What a start gives back is seen to without an effect.
pub(super) fn plan_of(order: &Order) -> OrderPlan {
    OrderPlan { tells_left: false, ..order.accepted.plan }
}

/// A request that was refused is told in its place.
pub(super) fn refuse(
    this: &Gd<CommandSystem>,
    request: Option<Gd<CommandRequest>>,
    refusal: &Refusal,
) -> Gd<CommandReceipt> {
    let receipt = rejected(refusal);
    let id = this.instance_id_unchecked();
    if !this.is_instance_valid() || !telling::hears_refusals(this) && !super::logging::wanted(id) {
        return receipt;
    }
    let reason = StringName::from(refusal.reason.name());
    let number = with(id, |state| {
        state.refusals += 1;
        state.refused.push((state.refusals, request.clone(), reason.clone()));
        state.refusals
    });
    match number {
        Some(number) => {
            call(id, |core| core.refuse(number));
        }
        // A system that was never in the tree has no turns.
        None => this.signals().command_rejected().emit(request.as_ref(), &reason),
    }
    receipt
}

/// The same; too many requests from inside hooks and handlers are an error.
fn refuse_with_error(
    this: &Gd<CommandSystem>,
    member: &str,
    request: Option<Gd<CommandRequest>>,
    refusal: &Refusal,
) -> Gd<CommandReceipt> {
    if refusal.reason == Reason::RecursionLimit
        && read(this.instance_id_unchecked(), |state| state.core.is_exhausted()) == Some(true)
    {
        tell_limit(this, member);
    }
    refuse(this, request, refusal)
}

/// All that is checked before the state of the queue.
fn checked(
    this: &Gd<CommandSystem>,
    member: &str,
    request: Option<&Gd<CommandRequest>>,
    entry: Entry,
) -> Result<Accepted, Refusal> {
    if !this.is_instance_valid() {
        return Err(Refusal::plain(Reason::OutsideTree));
    }
    let data = RequestData::read(&this.clone().upcast(), member, request)?;
    check_data(this, &data, entry, Peer::Authority)
}

fn check_data(
    this: &Gd<CommandSystem>,
    data: &RequestData,
    entry: Entry,
    peer: Peer,
) -> Result<Accepted, Refusal> {
    let idle = read(this.instance_id_unchecked(), |state| state.core.is_idle()).unwrap_or(true);
    let starts = idle || matches!(entry, Entry::Issue | Entry::Interrupt);
    let Some(view) = view_of(this, peer) else { return Err(Refusal::plain(Reason::OutsideTree)) };
    validation::validate(&view, data, Stage::Accept { entry: entry.code(), starts })
}

/// What a request would come to: the order, or why it is refused. Changes nothing.
pub(super) fn judge(this: &Gd<CommandSystem>, data: &RequestData, entry: Entry) -> Result<Accepted, Refusal> {
    let accepted = check_data(this, data, entry, Peer::Sender)?;
    let receipt = dry(this, accepted.clone(), entry);
    if receipt.is_rejected() { Err(Refusal::plain(receipt.reason)) } else { Ok(accepted) }
}

/// What the core would say to an order that was checked.
fn dry(this: &Gd<CommandSystem>, accepted: Accepted, entry: Entry) -> Receipt {
    let new = new_order(&Order::new(accepted, entry));
    let receipt = read(this.instance_id_unchecked(), |state| state.core.check(entry, &new));
    drop(new);
    super::order::bury();
    receipt.unwrap_or_else(|| Receipt::rejected(Reason::OutsideTree))
}

/// A dry run.
pub(super) fn check(
    this: &Gd<CommandSystem>,
    request: Option<Gd<CommandRequest>>,
    entry: Entry,
) -> Gd<CommandReceipt> {
    if !on_main(this, "check_command") {
        return rejected(&Refusal::plain(Reason::InvalidRequest));
    }
    match checked(this, "check_command", request.as_ref(), entry) {
        Ok(accepted) => {
            let receipt = dry(this, accepted, entry);
            CommandReceipt::make(receipt.outcome, &receipt.reason, "", 0)
        }
        Err(refusal) => rejected(&refusal),
    }
}

/// The first instead of everything, and the rest behind it.
pub(super) fn replace(this: &Gd<CommandSystem>, requests: &AnyArray) -> Array<Gd<CommandReceipt>> {
    const MEMBER: &str = "replace_commands";
    if !on_main(this, MEMBER) {
        return Array::new();
    }
    let requests: Vec<Option<Gd<CommandRequest>>> =
        requests.iter_shared().map(|element| request_of(&element)).collect();
    let (mut orders, mut refusals) = (Vec::new(), Vec::new());
    for (index, request) in requests.iter().enumerate() {
        let entry = if index == 0 { Entry::Issue } else { Entry::Enqueue };
        match checked(this, MEMBER, request.as_ref(), entry) {
            Ok(accepted) => {
                orders.push(Order::new(accepted, entry));
                refusals.push(None);
            }
            Err(refusal) => refusals.push(Some(refusal)),
        }
    }
    let id = this.instance_id_unchecked();
    if refusals.iter().all(Option::is_none) {
        let news: Vec<_> = orders.iter().map(new_order).collect();
        let receipts = call(id, |core| core.replace(news)).unwrap_or_default();
        if receipts.len() == orders.len() && !receipts.iter().any(Receipt::is_rejected) {
            let both = receipts.into_iter().zip(&orders);
            return both.map(|(receipt, order)| settled(id, receipt, order)).collect();
        }
        refusals = receipts.into_iter().map(|receipt| Some(Refusal::plain(receipt.reason))).collect();
        refusals.resize_with(requests.len(), || Some(Refusal::plain(Reason::OutsideTree)));
    }
    let not_atomic = || Refusal::plain(Reason::NotAtomic);
    let each = requests.into_iter().zip(refusals);
    each.map(|(request, refusal)| refuse(this, request, &refusal.unwrap_or_else(not_atomic))).collect()
}

/// The request in an element of an array.
fn request_of(element: &Variant) -> Option<Gd<CommandRequest>> {
    element.object_id_unchecked().and_then(|id| Gd::try_from_instance_id(id).ok())
}

/// One order to many agents.
pub(super) fn submit_many(
    agents: &AnyArray,
    request: Option<&Gd<CommandRequest>>,
    entry_point: i64,
) -> Array<Gd<CommandReceipt>> {
    let answer = |element: Variant| match system_of(&element) {
        Some(system) => {
            CommandSystem::submit(system, crate::optional::Optional(request.cloned()), entry_point)
        }
        None => rejected(&Refusal::plain(Reason::AgentMissing)),
    };
    agents.iter_shared().map(answer).collect()
}

/// The system of an agent, or the system itself.
fn system_of(element: &Variant) -> Option<Gd<CommandSystem>> {
    let id = element.object_id_unchecked()?;
    let node = Gd::<Node>::try_from_instance_id(id).ok()?;
    node.try_cast()
        .or_else(|_| {
            let system = lookup::part_of(id, Part::Commands).ok_or(());
            system.and_then(|system| Gd::try_from_instance_id(system).map_err(|_| ()))
        })
        .ok()
}

/// What takes orders away.
pub(super) enum Control {
    Cancel(i64),
    ClearQueue(StringName),
    ClearAll,
    Skip,
    Remove(i64, i64),
    RemoveLast,
}

impl Control {
    fn apply(self, core: &mut Commands<Held>) -> Receipt {
        match self {
            Self::Cancel(command) => core.cancel(u64::try_from(command).unwrap_or(u64::MAX)),
            Self::ClearQueue(source) => core.clear_queue(Some(&source).filter(|source| !source.is_empty())),
            Self::ClearAll => core.clear(),
            Self::Skip => core.skip(),
            Self::Remove(from, count) => core.remove_range(from, count),
            Self::RemoveLast => core.remove_last(),
        }
    }
}

/// A control.
pub(super) fn control(this: &Gd<CommandSystem>, member: &str, control: Control) -> Gd<CommandReceipt> {
    if !on_main(this, member) {
        return rejected(&Refusal::plain(Reason::InvalidRequest));
    }
    if !peers::decides(this) {
        return rejected(&Refusal::plain(Reason::NotAuthority));
    }
    let id = this.instance_id_unchecked();
    let receipt = call(id, |core| control.apply(core)).unwrap_or_default();
    let receipt = with(id, |state| state.core.settle(receipt.clone())).unwrap_or(receipt);
    if receipt.reason == Reason::RecursionLimit {
        tell_limit(this, member);
    }
    CommandReceipt::make(receipt.outcome, &receipt.reason, "", 0)
}

fn tell_limit(this: &Gd<CommandSystem>, member: &str) {
    if !this.is_instance_valid() {
        return;
    }
    let text = format!(
        "{member}() was refused, because hooks and handlers order without end. Order from a later step, or raise \
         max_events_per_turn."
    );
    messages::error(this, "max_events_per_turn", "reached", &text);
}

/// A report by the number of a start.
pub(super) fn report(this: &Gd<CommandSystem>, execution: i64, result: i64, reason: StringName) -> bool {
    if !on_main(this, "report_result") {
        return false;
    }
    let Some(result) = reported(this, "report_result", result) else { return false };
    let Ok(execution) = u64::try_from(execution) else { return false };
    driver::report(this.instance_id_unchecked(), execution, result, &reason)
}

/// The result of a number that can be reported; an error for another one.
pub(super) fn reported<T: Inherits<Object>>(about: &Gd<T>, member: &str, code: i64) -> Option<RunResult> {
    let found =
        RunResult::from_code(code).filter(|result| !matches!(result, RunResult::None | RunResult::Dropped));
    if found.is_none() {
        let text = format!(
            "{member}() got the result {code}. Use RESULT_SUCCEEDED, RESULT_FAILED or RESULT_CANCELLED."
        );
        messages::error(about, member, "result", &text);
    }
    found
}
