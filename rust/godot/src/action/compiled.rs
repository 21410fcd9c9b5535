//! What an action set compiles to: the core's plan and, beside it, what only the engine knows.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{ActionId, SetPlan};

use super::hook_part::HookPart;
use super::method_run::Method;
use crate::agent::attributes::Attribute;

/// The engine's side of one compiled action.
pub struct ActionSide {
    /// The id, ready for signals.
    pub id: StringName,
    /// Script scorers and gates that override their virtual: slot `n` of the plan is element `n`.
    pub scripts: Vec<Gd<Resource>>,
    /// Attributes that numbers follow, by the slot of the binding.
    pub attributes: Vec<&'static Attribute>,
    /// The execution method's definition; `None` when the plan says that there is none to use.
    pub method: Option<Box<dyn Method>>,
    /// The resource of that definition.
    pub definition: Option<InstanceId>,
    /// Its own hook, if that has something to do.
    pub hook: Option<HookPart>,
}

/// A compiled set. Row `n` of `sides` belongs to action `n` of `plan`.
///
/// Shared by all agents that use the resource. An [`Arc`], because the resource that caches it may be dropped
/// on a loader thread; it is made and read on the main thread only.
pub struct CompiledSet {
    /// The core's value.
    pub plan: Arc<SetPlan>,
    /// The engine's side of each action.
    pub sides: Vec<Arc<ActionSide>>,
    /// What is done when nothing is valid.
    pub fallback: Option<ActionId>,
}
