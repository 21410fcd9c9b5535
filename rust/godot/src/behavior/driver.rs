//! Performs the steps of a turn. Nothing is bound or locked while scripts and handlers run.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::behavior::{BehaviorStack as Core, RouteId, Signal, Step};
use riposte_core::runner::{ExitReason, RunnerStatus};

use super::state::{Row, STACKS, State, row, rows, take_row};
use super::{BehaviorStack, BehaviorState, logging, properties};
use crate::base::{lookup, messages, ticking};

/// Reads or changes the state of a stack. Nothing of the engine may be called inside.
pub(super) fn with<R>(id: InstanceId, act: impl FnOnce(&mut State) -> R) -> Option<R> {
    STACKS.lock().get_mut(id).map(act)
}

/// The node of a stack.
pub(super) fn node_of(id: InstanceId) -> Option<Gd<BehaviorStack>> {
    Gd::try_from_instance_id(id).ok()
}

/// The agent of a stack.
pub(super) fn agent_of(id: InstanceId) -> Option<Gd<Node>> {
    Gd::try_from_instance_id(lookup::agent_of(id)?).ok()
}

/// Changes the layers, with all that this entails.
pub(super) fn change<R>(id: InstanceId, act: impl FnOnce(&mut Core) -> R) -> Option<R> {
    let (answer, begins) = with(id, |state| (act(&mut state.core), state.core.begin_turn()))?;
    if begins {
        finish_turn(id);
    }
    Some(answer)
}

/// Performs all steps of a turn that was begun, and ends it.
pub(super) fn finish_turn(id: InstanceId) {
    perform_all(id);
    with(id, |state| state.core.end_turn());
    update_ticking(id);
}

/// Takes exactly one route away.
pub(crate) fn remove(id: InstanceId, route: RouteId) -> bool {
    change(id, |core| core.remove(route)).unwrap_or(false)
}

/// A behaviour says that it is done.
pub(super) fn finish(id: InstanceId, row: &Row, status: RunnerStatus) -> bool {
    let loops = loops(row);
    change(id, |core| core.ended(row.route, status, loops)).unwrap_or(false)
}

/// The stack leaves the tree: everything leaves now, also in the middle of a turn, as its caller may find nothing left to
/// tell by.
pub(super) fn close(id: InstanceId) {
    let Some(begins) = with(id, |state| {
        state.core.close();
        state.core.begin_turn()
    }) else {
        return;
    };
    perform_all(id);
    if begins {
        with(id, |state| state.core.end_turn());
    }
    with(id, |state| state.driven.forget());
}

/// One step of a stack.
pub(super) fn tick(id: InstanceId, delta: f64) {
    let goes = with(id, |state| {
        let delta = delta * state.time_scale;
        if delta <= 0.0 || state.core.is_in_turn() || state.core.is_closed() {
            return false;
        }
        state.delta = delta;
        state.now += delta;
        true
    });
    if goes != Some(true) {
        return;
    }
    let gone: Vec<RouteId> =
        rows(id, |rows| rows.iter().filter(|row| !row.runner.is_alive()).map(|row| row.route).collect());
    change(id, |core| {
        for route in gone {
            core.freed(route);
        }
        core.tick();
    });
}

/// The node is stepped only while a layer holds a behaviour.
pub(super) fn update_ticking(id: InstanceId) {
    let order = with(id, |state| state.driven.order(state.callback, state.core.wants_ticks())).flatten();
    if order.is_some()
        && let Some(node) = node_of(id)
    {
        ticking::drive(&node, order);
    }
}

fn perform_all(id: InstanceId) {
    while let Some(step) = with(id, |state| state.core.take_step()).flatten() {
        logging::step(id, step);
        match step {
            Step::Tell(signal) => tell(id, signal),
            Step::Over(route, reason) => over(id, route, reason),
            Step::Tick(route) => on_row(id, route, tick_row),
            Step::Enter(route) => on_row(id, route, enter),
            Step::Suspend(route) => on_row(id, route, |_, row| row.runner.pause(true)),
            Step::Resume(route) => on_row(id, route, |_, row| row.runner.pause(false)),
            Step::Exit(route, reason) => on_row(id, route, |_, row| exit(row, reason)),
        }
    }
}

fn on_row(id: InstanceId, route: RouteId, act: impl FnOnce(InstanceId, &Rc<Row>)) {
    if let Some(row) = row(id, route) {
        act(id, &row);
    }
}

fn tick_row(id: InstanceId, row: &Rc<Row>) {
    let delta = with(id, |state| state.delta).unwrap_or(0.0);
    let status = row.runner.tick(delta).unwrap_or_else(|why| {
        complain(id, row, &why);
        RunnerStatus::Failed
    });
    // One that freed itself goes in the next tick, as any other that is freed.
    if status != RunnerStatus::Running && row.runner.is_alive() {
        let loops = loops(row);
        with(id, |state| state.core.ended(row.route, status, loops));
    }
}

fn enter(id: InstanceId, row: &Rc<Row>) {
    row.entered.set(true);
    let Err(why) = try_enter(id, row) else { return };
    complain(id, row, &why);
    with(id, |state| state.core.ended(row.route, RunnerStatus::Failed, false));
}

fn try_enter(id: InstanceId, row: &Row) -> Result<(), String> {
    let agent = agent_of(id);
    place(id, row)?;
    if let Some(agent) = agent.as_ref().filter(|agent| agent.is_instance_valid()) {
        row.runner.adopt(agent);
    } else if row.runner.is_tree() {
        return Err(
            "is a tree and there is no agent. Make the BehaviorStack a child of the agent.".to_owned()
        );
    }
    properties::apply(row);
    row.runner.give_keys(&keys(id, row));
    row.runner.enter()
}

/// Puts a behaviour that was instanced for the stack under it, if it is not there yet.
pub(super) fn place(id: InstanceId, row: &Row) -> Result<(), String> {
    if matches!(row.source, super::state::Source::Node(_)) || row.runner.is_placed() {
        return Ok(());
    }
    let Some(stack) = node_of(id) else { return Ok(()) };
    let agent = agent_of(id).unwrap_or_else(|| stack.clone().upcast());
    row.runner.place_under(&stack.upcast(), &agent)
}

fn keys(id: InstanceId, row: &Row) -> [(StringName, Variant); 3] {
    let owner = row.owner.as_ref();
    let command = owner.map_or_else(Variant::nil, |owner| owner.command());
    let target = owner.and_then(|owner| owner.target());
    [
        (StringName::from("riposte_command"), command),
        (StringName::from("riposte_agent"), agent_of(id).to_variant()),
        (StringName::from("riposte_target"), target.to_variant()),
    ]
}

fn exit(row: &Row, reason: ExitReason) {
    row.runner.leave(reason);
    properties::restore(row);
    row.entered.set(false);
}

/// A route is over: who ordered it is told before the next behaviour takes over, so that another order follows at once.
fn over(id: InstanceId, route: RouteId, reason: ExitReason) {
    let Some(row) = take_row(id, route) else { return };
    if let Some(owner) = &row.owner {
        owner.over(route, reason);
    }
}

/// True if it stays on its layer after its own end.
fn loops(row: &Row) -> bool {
    let state = row.runner.root().and_then(|root| root.try_cast::<BehaviorState>().ok());
    state.is_some_and(|state| state.bind().loops())
}

fn tell(id: InstanceId, signal: Signal) {
    let name = |layer| with(id, |state| StringName::from(state.core.layer_name(layer))).unwrap_or_default();
    let named = |layer: Option<_>| layer.map(name).unwrap_or_default();
    if with(id, |state| state.quiet) != Some(false) {
        return;
    }
    let Some(node) = node_of(id) else { return };
    match signal {
        Signal::Entered(layer, route) => node.signals().behavior_entered().emit(&name(layer), route),
        Signal::Suspended(layer, route) => node.signals().behavior_suspended().emit(&name(layer), route),
        Signal::Resumed(layer, route) => node.signals().behavior_resumed().emit(&name(layer), route),
        Signal::Exited(layer, route, reason) => {
            node.signals().behavior_exited().emit(&name(layer), route, reason.code());
        }
        Signal::ActiveChanged(old, new) => {
            node.signals().active_layer_changed().emit(&named(old), &named(new));
        }
    }
}

fn complain(id: InstanceId, row: &Row, why: &str) {
    if let Some(node) = node_of(id) {
        let text = format!("the behavior on layer \"{}\" {why}", row.layer);
        messages::error(&node, "set_behavior", &text, &text);
    }
}
