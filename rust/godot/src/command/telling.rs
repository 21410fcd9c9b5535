//! Signals of orders, and what getters show. Nothing is built that nobody hears.

use std::rc::Rc;
use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::command::{Effect, Info, OrderKey, Reason, RunResult, Step};

use super::aim::Aim;
use super::command_info::InfoData;
use super::driver::{node_of, read, with};
use super::order::{Held, Order};
use super::{CommandInfo, CommandReceipt, CommandSystem, logging, starting};
use crate::base::engine_reads::has_connections;
use crate::base::messages;

macro_rules! signal_names {
    ($($name:ident)*) => {
        struct Names { $($name: StringName,)* }

        fn names() -> &'static Names {
            static NAMES: OnceLock<Names> = OnceLock::new();
            NAMES.get_or_init(|| Names { $($name: StringName::from(stringify!($name)),)* })
        }
    };
}

signal_names! {
    current_command_changed command_started command_resumed command_retried command_suspended command_ended
    last_result_changed command_rejected cancel_timed_out command_queue_changed became_idle
}

/// True if somebody listens to a signal of the node.
fn is_heard(node: &Gd<CommandSystem>, signal: &StringName) -> bool {
    has_connections(node.instance_id_unchecked(), signal)
}

/// What a signal tells of an order, if somebody listens.
fn heard(node: &Gd<CommandSystem>, signal: &StringName, info: Info) -> Option<Gd<CommandInfo>> {
    if is_heard(node, signal) { show(node.instance_id(), info) } else { None }
}

/// Tells what a signal is about, if somebody listens.
pub(super) fn tell(id: InstanceId, step: Step) {
    if !is_wanted(id, &step) && !logging::wanted(id) {
        return;
    }
    let Some(node) = node_of(id) else { return };
    let names = names();
    let Some(effect) = read(id, |state| state.core.with_info(step)) else { return };
    logging::effect(id, &effect);
    match effect {
        Effect::CurrentChanged { previous, current } if is_heard(&node, &names.current_command_changed) => {
            let (previous, current) =
                (previous.map(|info| show(id, info)), current.map(|info| show(id, info)));
            node.signals()
                .current_command_changed()
                .emit(previous.flatten().as_ref(), current.flatten().as_ref());
        }
        Effect::CurrentChanged { .. } => {}
        Effect::Started(info) => {
            if let Some(info) = heard(&node, &names.command_started, info) {
                node.signals().command_started().emit(&info);
            }
        }
        Effect::Resumed(info) => {
            if let Some(info) = heard(&node, &names.command_resumed, info) {
                node.signals().command_resumed().emit(&info);
            }
        }
        Effect::Retried(info) => {
            let attempt = i64::from(info.attempt);
            if let Some(info) = heard(&node, &names.command_retried, info) {
                node.signals().command_retried().emit(&info, attempt);
            }
        }
        Effect::Suspended(info) => {
            if let Some(info) = heard(&node, &names.command_suspended, info) {
                node.signals().command_suspended().emit(&info);
            }
        }
        Effect::Ended { info, started } => tell_end(id, node, info, started),
        Effect::CancelTimedOut(info) => tell_time_out(id, &node, info),
        Effect::StartsHeld => {
            let limit = node.bind().max_starts_per_turn;
            let text = format!(
                "{limit} orders started in one go, so the next one waits for the next step. Let executions report later, \
                 or raise max_starts_per_turn."
            );
            messages::warning(&node, "max_starts_per_turn", "held", &text);
        }
        Effect::QueueChanged => node.signals().command_queue_changed().emit(),
        Effect::Rejected(number) => tell_refusal(id, &node, number),
        Effect::BecameIdle => node.signals().became_idle().emit(),
        _ => {}
    }
}

/// False for what nobody would hear of, and that changes nothing.
fn is_wanted(id: InstanceId, step: &Step) -> bool {
    let names = names();
    let signal = match step {
        Effect::QueueChanged => &names.command_queue_changed,
        Effect::BecameIdle => &names.became_idle,
        Effect::CurrentChanged { .. } => &names.current_command_changed,
        Effect::Started(_) => &names.command_started,
        Effect::Resumed(_) => &names.command_resumed,
        Effect::Retried(_) => &names.command_retried,
        Effect::Suspended(_) => &names.command_suspended,
        _ => return true,
    };
    has_connections(id, signal)
}

fn tell_end(id: InstanceId, node: Gd<CommandSystem>, info: Info, started: bool) {
    let names = names();
    let order = starting::order_of(id, info.order);
    let result = info.result;
    let reason = reason_name(&info.reason);
    let receipt = order.as_ref().and_then(|order| {
        order.life.end.replace(Some((result, reason.clone())));
        order.life.receipt.take()
    });
    let heard =
        [is_heard(&node, &names.command_ended), started && is_heard(&node, &names.last_result_changed)];
    if heard != [false, false]
        && let Some(shown) = show(id, info)
    {
        node.signals().command_ended().emit(&shown, result.code(), &reason);
        if started && node.is_instance_valid() {
            node.signals().last_result_changed().emit(&shown);
        }
    }
    if let Some(receipt) = receipt {
        CommandReceipt::end(&receipt, result, &reason);
    }
}

/// The name of a reason, as scripts see it.
pub(super) fn reason_name(reason: &Reason) -> StringName {
    if reason.is_none() { StringName::default() } else { StringName::from(reason.name()) }
}

fn tell_time_out(id: InstanceId, node: &Gd<CommandSystem>, info: Info) {
    if let Some(order) = starting::order_of(id, info.order) {
        let execution = order.accepted.execution.as_ref().map(messages::class_label).unwrap_or_default();
        let name = &order.accepted.name;
        let text = format!(
            "the order \"{name}\" did not stop in time, so it ended without an answer. Report cancelled() in \
             _cancel_execution() of {execution}, or give it more cancel_timeout."
        );
        messages::warning(node, "cancel_timeout", &format!("{name} {execution}"), &text);
    }
    if let Some(info) = heard(node, &names().cancel_timed_out, info) {
        node.signals().cancel_timed_out().emit(&info);
    }
}

fn tell_refusal(id: InstanceId, node: &Gd<CommandSystem>, number: u64) {
    let refused = with(id, |state| {
        let at = state.refused.iter().position(|known| known.0 == number)?;
        Some(state.refused.remove(at))
    });
    if let Some((_, request, reason)) = refused.flatten() {
        node.signals().command_rejected().emit(request.as_ref(), &reason);
    }
}

/// True if somebody hears of refusals.
pub(super) fn hears_refusals(node: &Gd<CommandSystem>) -> bool {
    is_heard(node, &names().command_rejected)
}

/// What scripts see of an order.
fn show(id: InstanceId, info: Info) -> Option<Gd<CommandInfo>> {
    let order = starting::order_of(id, info.order)?;
    Some(shown(info, &order))
}

fn shown(info: Info, order: &Order) -> Gd<CommandInfo> {
    let known = &order.accepted;
    let aim = |aim: Option<Aim>| aim.map_or_else(Variant::nil, Aim::to_script);
    CommandInfo::make(InfoData {
        command_id: info.order.id as i64,
        execution_id: info.execution as i64,
        definition: Some(known.request.definition.clone()),
        command_name: known.name.clone(),
        variant: known.request.variant,
        targets: known.request.targets.clone(),
        location: aim(known.request.location),
        direction: aim(known.request.direction),
        payload: known.request.payload.clone(),
        source: known.request.source.clone(),
        phase: info.phase,
        is_suspended: info.suspended,
        is_cancelable: info.cancelable,
        attempt: i64::from(info.attempt),
        age: info.age,
        result: info.result,
        reason: StringName::from(info.reason.name()),
    })
}

fn show_now(id: InstanceId, key: OrderKey) -> Option<Gd<CommandInfo>> {
    let (info, order) = read(id, |state| {
        let info = state.core.info(key)?;
        Some((info, state.core.data(key).map(Held::order)?))
    })
    .flatten()?;
    Some(shown(info, &order))
}

/// The current order.
pub(super) fn current(id: InstanceId) -> Option<Gd<CommandInfo>> {
    show_now(id, read(id, |state| state.core.current()).flatten()?)
}

/// The last result.
pub(super) fn last_result(id: InstanceId) -> Option<Gd<CommandInfo>> {
    show_now(id, read(id, |state| state.core.last_result()).flatten()?)
}

/// An order that lives, or the last result.
pub(super) fn command(id: InstanceId, command: i64) -> Option<Gd<CommandInfo>> {
    let command = u64::try_from(command).ok()?;
    let key = read(id, |state| {
        let living =
            |key: &OrderKey| state.core.result(*key).is_none() || state.core.last_result() == Some(*key);
        state.core.find(command).filter(living)
    });
    show_now(id, key.flatten()?)
}

/// What an order carries that lives here, by its number.
pub(super) fn order_by_number(id: InstanceId, command: i64) -> Option<Rc<Order>> {
    let command = u64::try_from(command).ok()?;
    read(id, |state| {
        let key = state.core.find(command).filter(|key| state.core.result(*key).is_none())?;
        state.core.data(key).map(Held::order)
    })
    .flatten()
}

/// The orders that wait.
pub(super) fn queue(id: InstanceId) -> Array<Gd<CommandInfo>> {
    let keys = read(id, |state| state.core.queue().collect::<Vec<_>>()).unwrap_or_default();
    keys.into_iter().filter_map(|key| show_now(id, key)).collect()
}

/// A report that came too late, for the log.
pub(super) fn note_late(id: InstanceId, execution: u64, result: RunResult) {
    logging::line(id, || format!("report {result:?} of execution {execution} came too late"));
}
