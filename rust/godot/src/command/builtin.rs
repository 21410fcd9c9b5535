//! The family of executions: what carries orders out.

use godot::prelude::*;
use riposte_core::command::Reason;

use super::CommandRequest;
use crate::base::family::Family;

/// Classes that may stand in `execution`, in the order of the inspector's picker.
pub(crate) struct Executions;

impl Family for Executions {
    const CLASSES: &'static [&'static str] = &["CommandExecution"];
}

/// Whether an execution can serve an agent. The request is made for who asks for it. Runs scripts: nothing may be bound or
/// locked.
pub(crate) fn availability(
    _execution: &Gd<Resource>,
    _agent: &Gd<Node>,
    _request: &dyn Fn() -> Gd<CommandRequest>,
) -> Reason {
    Reason::None
}
