//! What the script of an evaluator adds to contexts, kept for the evaluation by target.

use std::slice::from_ref;

use godot::prelude::*;
use riposte_core::action::TargetKey;

use super::sides::{self, SharedContext, side};
use super::with;
use super::world::{self, node_of};
use crate::action::context_data::ContextData;
use crate::action::names::names;
use crate::base::script_method;

/// Another evaluation begins.
pub(super) fn forget(id: InstanceId) {
    // A script may hear of what is dropped.
    let old = side(id, |side| std::mem::take(&mut side.built));
    drop(old);
}

/// Keeps a context as that of its target.
pub(super) fn keep(id: InstanceId, content: ContextData) {
    side(id, |side| side.built.push(content));
}

/// The context of this target, if it was built.
pub(super) fn find(id: InstanceId, target: Option<InstanceId>) -> Option<ContextData> {
    side(id, |side| side.built.iter().find(|built| built.target == target).cloned())
}

/// Lets the script add to the context of a target; not to one that a script brought.
pub(super) fn build(id: InstanceId, target: Option<TargetKey>, seed: u64) {
    let context = sides::shared_context(id);
    let node = target.and_then(node_of).map(|node| node.instance_id());
    if find(id, node).is_some() {
        return;
    }
    world::aim_context(id, node, &context);
    begin(&context, seed);
    let Ok(evaluator) = Gd::<Node>::try_from_instance_id(id) else { return };
    script_method::call(&evaluator, &names().build_context, from_ref(&context.argument));
    let content = ContextData { target: node, ..context.data.lock().clone() };
    // It may have freed the evaluator.
    if with(id, |_| ()).is_some() {
        keep(id, content);
    }
}

/// No candidate yet, and nothing from another target.
fn begin(context: &SharedContext, seed: u64) {
    let mut data = context.data.lock();
    data.seed = seed.cast_signed();
    data.action_seed = 0;
    data.action_id = StringName::default();
    let old = data.extra.take();
    drop(data);
    drop(old);
}
