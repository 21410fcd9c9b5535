//! The border between the driver of orders and the executions that carry them out.
//!
//! A class of the family implements [`BuiltinExecution`] on its `Gd`. All calls come with nothing bound or locked: whatever an
//! execution runs (scripts, abilities, behaviours) may call back into the CommandSystem.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::command::Reason;

use super::{
    AbilityExecution, ActionExecution, CommandExecution, CommandHandle, CommandRequest, MethodExecution,
};
use crate::base::family::Family;
use crate::behavior::BehaviorStackExecution;
use crate::graph::GraphInputExecution;

/// How orders are carried out. The resource is a stateless adapter that agents share; what belongs to one start is kept with
/// its handle (see [`CommandHandle::keep`]).
pub(crate) trait BuiltinExecution {
    /// Empty, or the reason why this agent cannot be served. Asked before acceptance; changes nothing.
    fn is_available(&self, agent: &Gd<Node>, request: &dyn Fn() -> Gd<CommandRequest>) -> StringName;

    /// Begins the work of exactly this start. It may report at once, or at any time later.
    fn start(&self, handle: &Gd<CommandHandle>);

    /// Stops what this start began, and reports: cancelled, or the true result if it had just ended. It may answer later.
    fn cancel(&self, handle: &Gd<CommandHandle>);

    /// The start is over, whoever reported it and however, also without an answer to `cancel`: gives back what it still holds.
    /// Nothing that is reported now has an effect. Comes once, before the signals of the end.
    fn left(&self, _handle: &Gd<CommandHandle>) {}
}

/// The classes that carry out orders, in the order of the inspector's picker.
pub(crate) struct Executions;

impl Family for Executions {
    const CLASSES: &'static [&'static str] = &[
        "BehaviorStackExecution",
        "AbilityExecution",
        "ActionExecution",
        "GraphInputExecution",
        "MethodExecution",
        "CommandExecution",
    ];
}

/// How a resource of the family is called; `None` for a stand-in of a class that is not there.
pub(crate) fn execution_of(resource: &Gd<Resource>) -> Option<Rc<dyn BuiltinExecution>> {
    fn found<T>(resource: &Gd<Resource>) -> Option<Rc<dyn BuiltinExecution>>
    where
        T: GodotClass + Inherits<Resource>,
        Gd<T>: BuiltinExecution,
    {
        let found: Gd<T> = resource.clone().try_cast().ok()?;
        Some(Rc::new(found))
    }
    found::<CommandExecution>(resource)
        .or_else(|| found::<MethodExecution>(resource))
        .or_else(|| found::<AbilityExecution>(resource))
        .or_else(|| found::<ActionExecution>(resource))
        .or_else(|| found::<GraphInputExecution>(resource))
        .or_else(|| found::<BehaviorStackExecution>(resource))
}

/// Whether an execution can serve an agent. Runs scripts: nothing may be bound or locked.
pub(crate) fn availability(
    execution: &Gd<Resource>,
    agent: &Gd<Node>,
    request: &dyn Fn() -> Gd<CommandRequest>,
) -> Reason {
    let Some(found) = execution_of(execution) else { return Reason::NoExecution };
    let reason = found.is_available(agent, request);
    if reason.is_empty() { Reason::None } else { Reason::named(&reason.to_string()) }
}

/// What carries out orders that name nothing, where the system names nothing either.
pub(crate) fn default_execution() -> Option<Gd<Resource>> {
    Some(BehaviorStackExecution::new_gd().upcast())
}
