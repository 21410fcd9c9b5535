//! What the rest of the library does with abilities, by the instance id of the AbilitySystem. Main thread only, with
//! nothing bound or locked: scripts and handlers run inside.

use std::cell::Cell;
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::ability::AbilityEnd;
use riposte_core::action::EndReason;
use riposte_core::tags::TagSet;

use super::driver::{self, Wish};
use super::granting;
use super::state::Row;
use super::{AbilitySystem, GameplayAbility};
use crate::action::ActionContext;
use crate::base::lookup::{self, Part};
use crate::base::tags;

/// The AbilitySystem of an agent.
pub(crate) fn system_of(agent: InstanceId) -> Option<InstanceId> {
    lookup::part_of(agent, Part::Abilities)
}

/// Grants an ability once more: its handle. Take it back with [`release`].
pub(crate) fn grant(system: InstanceId, ability: &Gd<GameplayAbility>) -> i64 {
    granting::grant(system, ability)
}

/// Takes one grant back, as soon as no activation runs.
pub(crate) fn release(system: InstanceId, handle: i64) {
    granting::release(system, handle);
}

/// True if it is out of the tree, or on its way out.
pub(crate) fn is_closed(system: InstanceId) -> bool {
    driver::with(system, |state| state.core.is_closed()).unwrap_or(true)
}

/// The handle of an ability that is granted.
pub(crate) fn handle_of(system: InstanceId, ability: &Gd<GameplayAbility>) -> Option<i64> {
    granting::handle_of(system, ability)
}

/// True if an event says to it more than a plain start: its script has `_activate_from_event` and not `_activate`.
pub(crate) fn wants_events(system: InstanceId, handle: i64) -> bool {
    driver::overrides_of(system, handle).is_some_and(|own| own.activate_from_event && !own.activate)
}

/// Whether an ability could start now, or after these activations have ended, with this context. Changes nothing.
pub(crate) fn can_activate(
    system: InstanceId,
    handle: i64,
    context: &Gd<ActionContext>,
    ending: &[i64],
) -> bool {
    driver::can_start_after(system, handle, Wish { context: Some(context), event: None }, ending)
}

/// Starts an ability; with an event by `_activate_from_event`. `None`: it was refused, and nothing ran.
pub(crate) fn activate(
    system: InstanceId,
    handle: i64,
    context: &Gd<ActionContext>,
    event: Option<&StringName>,
) -> Option<Watch> {
    driver::start(system, handle, Wish { context: Some(context), event }).map(|row| Watch::of(system, &row))
}

/// Starts every granted ability with this tag, in grant order.
pub(crate) fn activate_by_tag(
    system: InstanceId,
    tag: &StringName,
    context: &Gd<ActionContext>,
) -> Vec<Watch> {
    let handles = find_by_tag(system, tag);
    handles.into_iter().filter_map(|handle| activate(system, handle, context, None)).collect()
}

/// Sends an event to the abilities that it triggers: those that started, in grant order. `None`: it triggers none.
pub(crate) fn send_event(system: InstanceId, agent: InstanceId, tag: &StringName) -> Option<Vec<Watch>> {
    let known = tags::intern(&tag.to_string()).ok()?;
    let mut context = ActionContext::for_ability(None, agent);
    context.bind_mut().event_tag = tag.clone();
    let node = Gd::<AbilitySystem>::try_from_instance_id(system).ok()?;
    node.signals().event_received().emit(tag, Some(&context));
    let event = tags::with_table(|table| TagSet::new(table, [known]));
    let handles =
        driver::with(system, |state| state.core.triggered_by(&event)).filter(|found| !found.is_empty())?;
    Some(handles.into_iter().filter_map(|handle| activate(system, handle, &context, Some(tag))).collect())
}

/// The granted abilities with this tag, in grant order.
pub(crate) fn find_by_tag(system: InstanceId, tag: &StringName) -> Vec<i64> {
    let Ok(tag) = tags::intern(&tag.to_string()) else { return Vec::new() };
    driver::with(system, |state| state.core.with_tag(tag)).unwrap_or_default()
}

/// What began while something was called.
pub(crate) struct Began {
    /// The activations that still run.
    pub watches: Vec<Watch>,
    /// One of them is over already.
    pub over: bool,
}

/// Calls something, and tells which abilities began meanwhile.
pub(crate) fn began_while(system: InstanceId, act: impl FnOnce()) -> Began {
    let last = || driver::with(system, |state| state.core.last_activation()).unwrap_or_default();
    let before = last();
    act();
    let new: Vec<i64> = (before + 1..=last()).collect();
    let rows: Vec<_> = new.iter().filter_map(|activation| driver::row(system, *activation)).collect();
    let running = rows.iter().filter(|row| row.end.get().is_none());
    let watches: Vec<_> = running.map(|row| Watch::of(system, row)).collect();
    Began { over: watches.len() < new.len(), watches }
}

/// One activation, watched from outside.
#[derive(Clone)]
pub(crate) struct Watch {
    system: InstanceId,
    activation: i64,
    end: Rc<Cell<Option<AbilityEnd>>>,
}

impl Watch {
    fn of(system: InstanceId, row: &Row) -> Self {
        Self { system, activation: row.activation.get(), end: row.end.clone() }
    }

    /// Its id.
    pub(crate) fn activation(&self) -> i64 {
        self.activation
    }

    /// How it ended; `None`: it runs.
    pub(crate) fn ended(&self) -> Option<AbilityEnd> {
        let runs =
            || driver::with(self.system, |state| state.core.elapsed(self.activation).is_some()) == Some(true);
        let vanished = AbilityEnd { reason: EndReason::Cancelled, revoked: true, steps: 0 };
        self.end.get().or_else(|| (!runs()).then_some(vanished))
    }

    /// Ends it with a reason. False: it was over.
    pub(crate) fn end(&self, reason: EndReason) -> bool {
        driver::end(self.system, self.activation, reason)
    }
}
