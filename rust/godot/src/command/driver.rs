//! Performs what the core wants, one by one. Nothing is bound or borrowed while hooks and handlers run, and after each of them
//! the node is looked for again.

use godot::init::is_main_thread;
use godot::prelude::*;
use riposte_core::command::{Commands, Effect, NewOrder, Reason, RunResult, SavedCommands, Step};

use super::aim::Aim;
use super::order::{self, Held};
use super::state::{self, Living, State};
use super::{CommandHandle, CommandSystem, peers, starting, telling};
use crate::agent;
use crate::base::engine_reads::Reader;
use crate::base::{lookup, messages, network, ticking};

pub(super) use super::state::{read, with};

/// The agent of a system.
pub(super) fn agent_of(id: InstanceId) -> Option<InstanceId> {
    lookup::agent_of(id)
}

/// The node of a system.
pub(super) fn node_of(id: InstanceId) -> Option<Gd<CommandSystem>> {
    Gd::try_from_instance_id(id).ok()
}

/// True on the main thread; elsewhere an error.
pub(super) fn on_main<T: Inherits<Object>>(about: &Gd<T>, member: &str) -> bool {
    let fine = is_main_thread();
    if !fine {
        let text = format!("{member}() was called from another thread. Use call_deferred().");
        messages::error(about, member, "thread", &text);
    }
    fine
}

/// Changes something in the core, and runs the turn that follows, unless one is running.
pub(super) fn call<R>(id: InstanceId, act: impl FnOnce(&mut Commands<Held>) -> R) -> Option<R> {
    let (result, runs) = with(id, |state| {
        let result = act(&mut state.core);
        state.part();
        (result, state.core.begin_turn())
    })?;
    if runs {
        run(id);
    }
    Some(result)
}

/// Switches a system on or off; on, what waits may start.
pub(super) fn set_enabled(id: InstanceId, enabled: bool) {
    call(id, |core| core.set_enabled(enabled));
}

/// One step of `delta` seconds, not yet scaled.
pub(super) fn step(id: InstanceId, delta: f64) {
    if !network::is_networked_now() && state::pass(id, delta) || peers::follows(id) {
        return;
    }
    let runs = with(id, |state| {
        let dt = delta * state.time_scale;
        if dt <= 0.0 {
            return false;
        }
        let readings = match &mut state.living {
            Some(living) => living.look(),
            None => {
                let order = state.core.current().and_then(|key| state.core.data(key));
                order.map(|order| starting::look_at_targets(&order.order())).unwrap_or_default()
            }
        };
        state.core.tick(dt, readings);
        state.part();
        state.core.begin_turn()
    });
    if runs == Some(true) {
        run(id);
        state::rest(id);
    }
}

/// The node leaves the tree: what is under way is told, then its orders end, or stand still.
pub(super) fn leave_tree(id: InstanceId) {
    let known = with(id, |state| {
        let ends = !state.exit_keeps;
        state.core.leave_tree(ends);
        state.part();
    });
    // Also inside a turn, which goes on later: all nodes are still there now.
    if known.is_some() {
        run(id);
    }
}

/// Another peer decides from now on: what is under way ends here.
pub(super) fn lose_authority(id: InstanceId) {
    let known = with(id, |state| {
        state.core.lose_authority();
        state.part();
    });
    if known.is_some() {
        run(id);
        call(id, |core| core.enter_tree());
    }
}

/// Takes a saved state over. A start that is not the saved one is stopped without waiting for it.
pub(super) fn import(id: InstanceId, saved: SavedCommands<NewOrder<Held>>) {
    let runs = with(id, |state| {
        state.core.import(saved);
        // Its execution is asked to stop before it is told that it is over.
        if state.living.as_ref().is_some_and(|living| !state.core.is_living(living.execution))
            && let Some(mut living) = state.living.take()
        {
            living.release_tags();
            state.forgotten.push(living);
        }
        state.core.begin_turn()
    });
    if runs == Some(true) {
        run(id);
    }
    // An execution that had been asked already is not asked again.
    while let Some(living) = with(id, |state| state.forgotten.pop()).flatten() {
        leave(id, living);
    }
}

/// What comes next in a turn.
enum Next {
    Leave(Living),
    Step(Step),
}

/// Runs a turn that has begun.
fn run(id: InstanceId) {
    let next = |state: &mut State| {
        state.part();
        let left = state.left.pop().map(Next::Leave);
        left.or_else(|| state.core.next_step().map(Next::Step))
    };
    // After each of them the node may be gone.
    while let Some(Some(next)) = with(id, next) {
        match next {
            Next::Leave(living) => leave(id, living),
            Next::Step(step) => perform(id, step),
        }
    }
    order::bury();
    update_ticking(id);
}

impl State {
    /// A start that is over gives its tags back at once; its execution is told before anything else is.
    fn part(&mut self) {
        if self.living.as_ref().is_some_and(|living| !self.core.is_living(living.execution))
            && let Some(mut living) = self.living.take()
        {
            living.release_tags();
            self.left.push(living);
        }
    }
}

impl Living {
    /// Takes back what it put on the agent; once.
    pub(super) fn release_tags(&mut self) {
        if let Some((container, tags)) = self.tags.take() {
            agent::remove_tags(container, &tags);
        }
    }
}

/// Tells an execution that its start is over.
pub(super) fn leave(id: InstanceId, living: Living) {
    let comes_back = with(id, |state| {
        let ended = state.core.result(living.order).is_some();
        if ended { None } else { state.core.data(living.order).map(Held::order) }
    });
    if let Some(order) = comes_back.flatten() {
        let resume = living.handle.bind().resume_data();
        order.life.resume.replace(resume);
    }
    if let Some(place) = living.seen_at {
        living.handle.clone().bind_mut().saw_target_at(place);
    }
    if let Some(runner) = &living.runner {
        runner.left(&living.handle);
    }
}

/// Where the first target of a start that runs was in the last step.
pub(super) fn seen_at(system: InstanceId, execution: u64) -> Option<Aim> {
    read(system, |state| {
        let living = state.living.as_ref().filter(|living| living.execution == execution);
        living.and_then(|living| living.seen_at)
    })
    .flatten()
}

fn perform(id: InstanceId, step: Step) {
    match step {
        Effect::Start(start) => starting::start(id, start),
        Effect::Cancel { execution, reason, will_resume, .. } => {
            let forgotten = with(id, |state| {
                let at = state.forgotten.iter().position(|living| living.execution == execution)?;
                Some(state.forgotten.remove(at))
            });
            starting::cancel(id, execution, forgotten.flatten(), &reason, will_resume);
        }
        Effect::Validate(ticket, order) => starting::validate(id, ticket, order),
        Effect::FindTarget(ticket, order) => starting::find_target(id, ticket, order),
        // Given back when the start was over.
        Effect::Left { .. } => {}
        step => telling::tell(id, step),
    }
}

/// The node is stepped only while something counts time or may be lost.
pub(super) fn update_ticking(id: InstanceId) {
    let order = with(id, |state| {
        // Who loses the authority has to notice it.
        let moving = state.core.wants_tick() || network::is_networked_now() && !state.core.is_idle();
        state.driven.order(state.callback, moving)
    });
    if let Some(Some(order)) = order
        && let Some(node) = node_of(id)
    {
        ticking::drive(&node, Some(order));
    }
}

// What handles ask.

fn start_of(handle: &Gd<CommandHandle>) -> Option<(InstanceId, u64)> {
    let handle = handle.bind();
    handle.start().map(|start| (start.system, start.execution_id as u64))
}

/// A report by a handle. False: too late.
pub(super) fn report_by_handle(
    handle: &Gd<CommandHandle>,
    member: &str,
    result: RunResult,
    reason: StringName,
) -> bool {
    if !on_main(handle, member) {
        return false;
    }
    let Some((system, execution)) = start_of(handle) else { return false };
    report(system, execution, result, &reason)
}

/// A report by the number of a start. False: too late.
pub(super) fn report(system: InstanceId, execution: u64, result: RunResult, reason: &StringName) -> bool {
    let reason = if reason.is_empty() { Reason::None } else { Reason::named(&reason.to_string()) };
    let taken = call(system, |core| core.report(execution, result, reason)).unwrap_or(false);
    if !taken {
        telling::note_late(system, execution, result);
    }
    taken
}

/// Whether the start of a handle may be stopped from now on.
pub(super) fn set_cancelable(handle: &Gd<CommandHandle>, value: bool) -> bool {
    let start = if on_main(handle, "set_cancelable") { start_of(handle) } else { None };
    start.is_some_and(|(system, execution)| {
        call(system, |core| core.set_cancelable(execution, value)).unwrap_or(false)
    })
}

/// The start of a handle ends with this node.
pub(super) fn watch(handle: &Gd<CommandHandle>, node: InstanceId) -> bool {
    let start = if on_main(handle, "watch") { start_of(handle) } else { None };
    let Some(((system, execution), reader)) = start.zip(Reader::of(node)) else { return false };
    let watched = with(system, |state| {
        let core = &mut state.core;
        let living = state.living.as_mut().filter(|living| living.execution == execution);
        living.is_some_and(|living| {
            living.watched.push(reader);
            core.watch(execution)
        })
    });
    if watched == Some(true) {
        update_ticking(system);
    }
    watched.unwrap_or(false)
}

/// The start of a handle is not over.
pub(super) fn is_living(handle: &Gd<CommandHandle>) -> bool {
    let start = start_of(handle);
    start.is_some_and(|(system, execution)| {
        read(system, |state| state.core.is_living(execution)).unwrap_or(false)
    })
}

/// The start of a handle was asked to stop.
pub(super) fn is_cancelling(handle: &Gd<CommandHandle>) -> bool {
    let start = start_of(handle);
    start.is_some_and(|(system, execution)| {
        read(system, |state| state.core.is_cancelling(execution)).unwrap_or(false)
    })
}

/// The handle of the start that runs.
pub(super) fn current_handle(id: InstanceId) -> Option<Gd<CommandHandle>> {
    read(id, |state| state.living.as_ref().map(|living| living.handle.clone())).flatten()
}

/// Takes everything of a node that is freed: silent, without hooks.
pub(super) fn remove(id: InstanceId) {
    let Some(mut state) = state::take(id) else { return };
    if let Some(living) = &mut state.living {
        living.release_tags();
    }
    drop(state);
    order::bury();
}
