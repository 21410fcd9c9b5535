//! Starts and stops of orders: the hooks.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::command::{Answer, OrderKey, Readings, Reason, RunResult, Start as CoreStart, Ticket};

use super::builtin::execution_of;
use super::command_handle::Start;
use super::driver::{self, agent_of, with};
use super::order::{Held, Order};
use super::state::Living;
use super::steady::{is_there, place_of};
use super::validation::{self, Refusal, Stage};
use super::{CommandHandle, logging, places, requesting};
use crate::agent;
use crate::base::engine_reads::Reader;

/// What an order carries.
pub(super) fn order_of(id: InstanceId, order: OrderKey) -> Option<Rc<Order>> {
    with(id, |state| state.core.data(order).map(Held::order)).flatten()
}

/// An order starts: its tags go on the agent, and its execution begins.
pub(super) fn start(id: InstanceId, start: CoreStart) {
    let Some(order) = order_of(id, start.order) else { return };
    let order = renewed(id, &start, order);
    let agent = agent_of(id).unwrap_or(order.accepted.agent);
    order.life.started.set(true);
    let granted = order.accepted.granted_tags.clone();
    let container = if granted.is_empty() { None } else { agent::add_tags(agent, &granted) };
    let runner = order.accepted.execution.as_ref().and_then(execution_of);
    let resume = order.life.resume.borrow().clone();
    let targets = order.accepted.request.targets.iter().filter_map(|id| Reader::of(*id)).collect();
    let handle = CommandHandle::of(
        Start {
            system: id,
            agent,
            command_id: start.order.id as i64,
            execution_id: start.execution as i64,
            attempt: i64::from(start.attempt),
            is_resumed: start.resumed,
            order,
        },
        resume,
    );
    let living = Living {
        order: start.order,
        execution: start.execution,
        handle: handle.clone(),
        runner: runner.clone(),
        tags: container.map(|container| (container, granted)),
        watched: Vec::new(),
        targets,
        seen_at: None,
    };
    let old = with(id, |state| state.living.replace(living));
    drop(old);
    logging::hook(id, "start", start.order);
    match runner {
        Some(runner) => runner.start(&handle),
        None => {
            driver::report(id, start.execution, RunResult::Failed, &StringName::from("no_execution"));
        }
    }
}

/// A start after the first one takes definition and variant as they are now.
fn renewed(id: InstanceId, start: &CoreStart, order: Rc<Order>) -> Rc<Order> {
    // The first one was checked just now.
    if start.attempt == 1 && !start.resumed {
        return order;
    }
    let Some(view) = requesting::view(id) else { return order };
    let Some(accepted) = validation::renew(&view, &order.accepted) else { return order };
    let order = order.with(accepted);
    let plan = requesting::plan_of(&order);
    with(id, |state| {
        state.core.set_plan(start.order, plan);
        if let Some(data) = state.core.data_mut(start.order) {
            *data = Held::new(order.clone());
        }
    });
    order
}

/// An execution is asked to stop: the one that runs, or one that an imported state knows nothing of.
pub(super) fn cancel(
    id: InstanceId,
    execution: u64,
    forgotten: Option<Living>,
    reason: &Reason,
    will_resume: bool,
) {
    let parts = |living: &Living| (living.handle.clone(), living.runner.clone(), living.order);
    let known = forgotten.as_ref().map(parts).or_else(|| {
        let of_this = |living: &&Living| living.execution == execution;
        with(id, |state| state.living.as_ref().filter(of_this).map(parts)).flatten()
    });
    let Some((mut handle, runner, order)) = known else { return };
    handle.bind_mut().tell_cancel(StringName::from(reason.name()), will_resume);
    logging::hook(id, "cancel", order);
    if let Some(runner) = runner {
        runner.cancel(&handle);
    }
    if let Some(living) = forgotten {
        driver::leave(id, living);
    }
}

/// Whether an order that waited may start.
pub(super) fn validate(id: InstanceId, ticket: Ticket, key: OrderKey) {
    let Some((order, view)) = order_of(id, key).zip(requesting::view(id)) else { return };
    let answer = match validation::validate(
        &view,
        &order.accepted.request,
        Stage::Start { entry: order.life.entry.code() },
    ) {
        Ok(accepted) => {
            let order = order.with(accepted);
            let plan = requesting::plan_of(&order);
            with(id, |state| state.core.set_plan(key, plan));
            Answer::Changed(Held::new(order))
        }
        Err(Refusal { reason: Reason::TargetLost, .. }) => Answer::Lost,
        Err(refusal) => Answer::Refused(refusal.reason),
    };
    with(id, |state| state.core.answer(ticket, answer));
}

/// Another target for an order that lost its own.
pub(super) fn find_target(id: InstanceId, ticket: Ticket, key: OrderKey) {
    let order = order_of(id, key);
    let found = order.as_ref().and_then(|order| {
        let agent = Gd::<Node>::try_from_instance_id(agent_of(id)?).ok()?;
        let target = validation::find_new_target(&order.accepted, &agent)?;
        places::is_live(target).then(|| Held::new(order.with(order.accepted.with_target(target))))
    });
    with(id, |state| state.core.answer(ticket, Answer::Retarget(found)));
}

impl Living {
    /// What a step has to know of nodes; the place of the first target is kept for when it is gone. Only reads.
    pub(super) fn look(&mut self) -> Readings {
        let watched_gone =
            self.watched.iter().any(|node| !node.live().is_some_and(|node| node.is_inside_tree()));
        let mut live = self.targets.iter().filter_map(Reader::live).filter(is_there);
        let first = live.next();
        if let Some(stand) = first.as_ref().and_then(|first| first.stand()) {
            self.seen_at = Some(place_of(stand));
        }
        Readings { watched_gone, targets_lost: first.is_none() && !self.targets.is_empty() }
    }
}

/// The same between two starts.
pub(super) fn look_at_targets(order: &Order) -> Readings {
    let targets = &order.accepted.request.targets;
    let targets_lost = !targets.is_empty() && !targets.iter().any(|target| places::is_live(*target));
    Readings { watched_gone: false, targets_lost }
}
