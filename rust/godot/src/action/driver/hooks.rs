//! The hooks of runs: found when a run is prepared, called when the core says so.

use godot::prelude::*;
use riposte_core::action::{Answer, HookCall, HookMoment, RunHooks, RunId};

use super::{runs, with};
use crate::action::hook_part::HookPart;
use crate::action::method_run::RunLink;
use crate::action::names::names;
use crate::action::{ActionContext, ActionHookContext, script_calls, sources};

/// The hooks of one run, the global one first, and what they are given.
#[derive(Clone)]
pub(super) struct Hooks {
    parts: [Option<HookPart>; 2],
    context: Gd<ActionHookContext>,
}

/// The hooks of a run that is prepared; `None` if it has none.
pub(super) fn find(
    id: InstanceId,
    run: RunId,
    own: Option<&HookPart>,
    context: &Gd<ActionContext>,
) -> Option<Hooks> {
    let parts = [global(id), own.cloned()];
    if parts.iter().all(Option::is_none) {
        return None;
    }
    let calls: RunHooks = [0, 1].map(|n| parts[n].as_ref().map(|part| part.calls).unwrap_or_default());
    with(id, |state| state.core.set_hooks(run, calls));
    let link = RunLink { evaluator: id, run };
    Some(Hooks { parts, context: ActionHookContext::of_run(link, context.clone()) })
}

/// The hook of all actions of the agent.
fn global(id: InstanceId) -> Option<HookPart> {
    let hook = sources::config(id)?.bind().global_hook()?;
    HookPart::of(&hook)
}

/// One call.
pub(super) fn call(id: InstanceId, call: &HookCall) -> Answer {
    let Some(hooks) = runs::hooks(id, call.run) else { return Answer::Done };
    let Some(part) = &hooks.parts[call.slot as usize] else { return Answer::Done };
    let mut context = hooks.context.clone();
    context.bind_mut().enter(call.moment);
    let (name, delta) = match call.moment {
        HookMoment::Before => (&names().pre_execute, None),
        HookMoment::Tick(delta) => (&names().tick_execute, Some(delta)),
        HookMoment::After { .. } => (&names().post_execute, None),
    };
    let mut arguments = vec![context.to_variant()];
    arguments.extend(delta.map(|delta| delta.to_variant()));
    script_calls::call(&part.resource, name, &arguments);
    match call.moment {
        HookMoment::Before => Answer::Bool(!context.bind().veto_execution),
        _ => Answer::Done,
    }
}

/// A hook wants more recovery after its run. False: the run is over.
pub(in crate::action) fn request_recovery(link: RunLink, seconds: f64) -> bool {
    with(link.evaluator, |state| state.core.request_recovery(link.run, seconds)).unwrap_or(false)
}
