//! Performs the steps of starts and ends. Nothing is bound or locked while scripts and handlers run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::ability::{AbilityEnd, Activation, EndRequest, JobId, Request, Step};
use riposte_core::action::EndReason;

use super::definition::{Definition, Overrides, names};
use super::state::{Row, SYSTEMS, State, side};
use super::{AbilitySystem, GameplayAbility};
use crate::action::ActionContext;
use crate::agent;
use crate::base::lookup;
use crate::base::{messages, script_method, ticking};

/// Reads or changes the state of a system. Nothing of the engine may be called inside.
pub(super) fn with<R>(id: InstanceId, act: impl FnOnce(&mut State) -> R) -> Option<R> {
    SYSTEMS.lock().get_mut(id).map(act)
}

/// The agent of a system.
pub(super) fn agent_of(id: InstanceId) -> Option<InstanceId> {
    lookup::agent_of(id)
}

/// The node of a system.
pub(super) fn node_of(id: InstanceId) -> Option<Gd<AbilitySystem>> {
    Gd::try_from_instance_id(id).ok()
}

/// The frame that it is now for a system: nothing steps in the frame in which it began.
fn frame_of(id: InstanceId) -> u64 {
    let (callback, advances) = with(id, |state| (state.callback, state.advances)).unwrap_or_default();
    match callback {
        ticking::PROCESS_PHYSICS => Engine::singleton().get_physics_frames(),
        ticking::PROCESS_IDLE => Engine::singleton().get_process_frames(),
        _ => advances,
    }
}

/// Whom an activation is aimed at, and how it was asked for.
#[derive(Clone, Copy, Default)]
pub(super) struct Wish<'a> {
    pub context: Option<&'a Gd<ActionContext>>,
    /// Started by an event.
    pub event: Option<&'a StringName>,
}

/// Starts an ability, with all that this entails: the row of its activation, which may be over already.
pub(super) fn start(id: InstanceId, handle: i64, wish: Wish) -> Option<Rc<Row>> {
    let Some(agent) = agent_of(id) else {
        if let Some(node) = node_of(id) {
            let text = "an ability was activated without an agent. Add the node to the tree, below the agent, first.";
            messages::error(&node, "activate", "agent", text);
        }
        return None;
    };
    let frame = frame_of(id);
    // The tags stay locked meanwhile; nobody locks them the other way round.
    let request = agent::read_tags(agent, |tags, _| with(id, |state| state.core.start(handle, tags, frame)))?;
    match request {
        Request::Job(job) => run_start(id, agent, job, wish),
        Request::Refused(refusal) => {
            perform(id, Step::Refused(handle, refusal));
            None
        }
        Request::TooDeep => {
            if let Some(node) = node_of(id) {
                let text = "abilities start each other without end, so a start was dropped. Start the next one in a later step.";
                messages::error(&node, "activate", "depth", text);
            }
            None
        }
    }
}

fn run_start(id: InstanceId, agent: InstanceId, job: JobId, wish: Wish) -> Option<Rc<Row>> {
    let mut row: Option<Rc<Row>> = None;
    let mut active = false;
    while let Some(step) = with(id, |state| state.core.next(job)).flatten() {
        match (step, &mut row) {
            (Step::Receive(handle), row) => *row = receive(id, agent, handle, wish).map(Rc::new),
            (Step::Ask(_), Some(row)) => {
                let yes = asked(row);
                with(id, |state| state.core.answer(job, yes));
            }
            (Step::Take(which), Some(row)) => {
                take(id, agent, which, row);
                active = true;
            }
            (Step::Run(_), Some(row)) => run(row),
            (Step::End(activation, reason), _) => {
                end(id, activation, reason);
            }
            (step, _) => perform(id, step),
        }
    }
    update_ticking(id);
    row.filter(|_| active)
}

/// The private copy, which receives its context.
fn receive(id: InstanceId, agent: InstanceId, handle: i64, wish: Wish) -> Option<Row> {
    let definition = definition(id, handle)?;
    let row = make_row(id, agent, &definition, wish);
    if row.own.context_received {
        call(&row.copy, &names().context_received, &[row.context.to_variant()]);
    }
    Some(row)
}

fn make_row(id: InstanceId, agent: InstanceId, definition: &Definition, wish: Wish) -> Row {
    let mut context = ActionContext::for_ability(wish.context, agent);
    if let Some(event) = wish.event {
        context.bind_mut().event_tag = event.clone();
    }
    let copy = definition.copy(id, &context);
    let event = wish.event.cloned();
    Row {
        activation: Cell::new(0),
        own: definition.own,
        copy,
        context,
        event,
        tagged: RefCell::new(None),
        moving: RefCell::new(None),
        end: Rc::default(),
    }
}

fn definition(id: InstanceId, handle: i64) -> Option<Rc<Definition>> {
    side(id, |side| side.definitions.get(&handle).cloned())
}

fn asked(row: &Row) -> bool {
    if !row.own.can_activate {
        return true;
    }
    let answer = call(&row.copy, &names().can_activate, &[row.context.to_variant()]);
    answer.try_to_relaxed::<bool>().unwrap_or_else(|_| {
        let text =
            "_can_activate() returned neither true nor false, so the ability did not start. Return one.";
        messages::warning(&row.copy, "_can_activate", text, text);
        false
    })
}

/// Whether an ability could start now. Changes nothing.
pub(super) fn can_start(id: InstanceId, handle: i64, wish: Wish) -> bool {
    can_start_after(id, handle, wish, &[])
}

/// Whether it could start after these activations have ended.
pub(super) fn can_start_after(id: InstanceId, handle: i64, wish: Wish, ending: &[i64]) -> bool {
    let Some(agent) = agent_of(id) else { return false };
    let check = |state: &mut State, tags: &_| {
        !state.core.is_closed() && state.core.check_after(handle, tags, ending).is_ok()
    };
    if agent::read_tags(agent, |tags, _| with(id, |state| check(state, tags))) != Some(true) {
        return false;
    }
    let Some(definition) = definition(id, handle) else { return false };
    if !definition.own.can_activate {
        return true;
    }
    let row = make_row(id, agent, &definition, wish);
    let yes = asked(&row);
    leave(&row);
    yes
}

/// Its tags go on the agent.
fn take(id: InstanceId, agent: InstanceId, which: Activation, row: &Rc<Row>) {
    row.activation.set(which.id);
    row.copy.clone().bind_mut().begin_run(which.id);
    let tags = with(id, |state| state.core.granted_tags(which.handle)).unwrap_or_default();
    let container = if tags.is_empty() { None } else { agent::add_tags(agent, &tags) };
    row.tagged.replace(container.map(|container| (container, tags)));
    side(id, |side| side.rows.push(row.clone()));
    let (target, movement) = (row.context.bind().get_target(), row.copy.bind().movement());
    let moving = movement.begin(agent, id, target.as_ref());
    row.moving.replace(Some(moving));
    // Whoever heard of the guard may have freed the system.
    if with(id, |_| ()).is_none() {
        let_go(row);
    }
}

fn run(row: &Row) {
    let context = row.context.to_variant();
    match &row.event {
        Some(event) if row.own.activate_from_event => {
            call(&row.copy, &names().activate_from_event, &[event.to_variant(), context]);
        }
        _ if row.own.activate => {
            call(&row.copy, &names().activate, &[context]);
        }
        _ => {}
    }
}

/// Ends an activation. Nothing happens if it is over; if its start was not told yet, it ends right after that.
pub(super) fn end(id: InstanceId, activation: i64, reason: EndReason) -> bool {
    let request = with(id, |state| state.core.end(activation, reason));
    settle(id, request.unwrap_or(EndRequest::Unknown))
}

/// Performs what an end or a revoke asks for. False: there was nothing to do.
pub(super) fn settle(id: InstanceId, request: EndRequest) -> bool {
    if let EndRequest::Job(job) = request {
        finish(id, job);
        update_ticking(id);
    }
    request != EndRequest::Unknown
}

fn finish(id: InstanceId, job: JobId) {
    while let Some(step) = with(id, |state| state.core.next(job)).flatten() {
        perform(id, step);
    }
}

/// The system leaves the tree: all that runs ends, and ends that are under way (one of their scripts may be what removes it)
/// are told now, as they might find nothing left to tell by.
pub(super) fn close(id: InstanceId) {
    let (unfinished, running) =
        with(id, |state| (state.core.unfinished_ends(), state.core.close())).unwrap_or_default();
    for job in unfinished {
        finish(id, job);
    }
    for activation in running {
        end(id, activation, EndReason::Cancelled);
    }
}

/// A step that needs nothing of a start.
pub(super) fn perform(id: InstanceId, step: Step) {
    match step {
        Step::Release(which, how) => release(id, which, how),
        Step::Finish(which, reason) => {
            if let Some(row) = row(id, which.id).filter(|row| row.own.end) {
                call(&row.copy, &names().end, &[reason.code().to_variant()]);
            }
        }
        Step::Ended(which, reason) => {
            let gone = side(id, |side| {
                let at = side.rows.iter().position(|row| row.activation.get() == which.id)?;
                Some(side.rows.remove(at))
            });
            if let Some(row) = gone {
                leave(&row);
            }
            if let Some(node) = node_of(id) {
                node.signals().ability_ended().emit(which.handle, reason.code(), which.id);
            }
        }
        Step::Announce(which) => {
            if let Some(node) = node_of(id) {
                node.signals().ability_activated().emit(which.handle, which.id);
            }
        }
        Step::Refused(handle, refusal) => {
            if let Some(node) = node_of(id) {
                node.signals().ability_refused().emit(handle, refusal.code());
            }
        }
        Step::Revoked(handle) => {
            if let Some(node) = node_of(id) {
                node.signals().ability_revoked().emit(handle);
            }
            super::granting::forget(id, handle);
        }
        _ => {}
    }
}

/// Its tags go off the agent, and who watches it learns of the end.
fn release(id: InstanceId, which: Activation, how: AbilityEnd) {
    if let Some(row) = row(id, which.id) {
        row.end.set(Some(how));
        let_go(&row);
    }
}

/// Gives back what an activation holds of the agent; once.
pub(super) fn let_go(row: &Row) {
    let (moving, tagged) = (row.moving.take(), row.tagged.take());
    if let Some((container, tags)) = tagged {
        agent::remove_tags(container, &tags);
    }
    if let Some(moving) = moving {
        moving.release();
    }
}

/// One step of an activation, if it still runs.
pub(super) fn tick(id: InstanceId, activation: i64, delta: f64) {
    let runs = with(id, |state| state.core.elapsed(activation).is_some()).unwrap_or(false);
    if let Some(row) = row(id, activation).filter(|row| runs && row.own.tick) {
        call(&row.copy, &names().tick, &[delta.to_variant()]);
    }
}

/// The frame in which a step is made, and the activations to call.
pub(super) fn advance(id: InstanceId, delta: f64) -> Option<(f64, Vec<i64>)> {
    with(id, |state| state.advances += 1);
    let frame = frame_of(id);
    with(id, |state| {
        let dt = delta * state.time_scale;
        if dt <= 0.0 || state.stepping {
            return None;
        }
        state.stepping = true;
        Some((dt, state.core.advance(dt, frame)))
    })
    .flatten()
}

/// The node is stepped only while something runs or cools down.
pub(super) fn update_ticking(id: InstanceId) {
    let order = with(id, |state| state.driven.order(state.callback, state.core.is_moving())).flatten();
    if order.is_some()
        && let Some(node) = node_of(id)
    {
        ticking::drive(&node, order);
    }
}

/// The row of an activation that is not over.
pub(super) fn row(id: InstanceId, activation: i64) -> Option<Rc<Row>> {
    side(id, |side| side.rows.iter().find(|row| row.activation.get() == activation).cloned())
}

/// Which virtuals the script of a granted ability has.
pub(super) fn overrides_of(id: InstanceId, handle: i64) -> Option<Overrides> {
    definition(id, handle).map(|definition| definition.own)
}

fn leave(row: &Row) {
    let context = row.copy.clone().bind_mut().leave_run();
    drop(context);
}

fn call(copy: &Gd<GameplayAbility>, method: &StringName, arguments: &[Variant]) -> Variant {
    script_method::call(copy, method, arguments)
}
