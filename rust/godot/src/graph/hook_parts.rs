//! Hooks: the family, and what its members compile to.

use std::cell::OnceCell;
use std::rc::Rc;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use riposte_core::graph::parts::{HookCalls, HookPlan};

use super::findings::Finding;
use super::run_parts::{HookPart, HookRun, RunRef};
use super::script_names::names;
use super::{ActionGraphHook, CancelOnMovementHook, DrainVitalHook, LocomotionModifierHook};
use crate::action::private_copy::{self, stored_properties};
use crate::action::script_calls::{call, overrides};
use crate::base::messages;

/// A built-in hook.
pub(super) trait BuiltInHook {
    /// What it does; `None`: nothing.
    fn plan(&self) -> Option<HookPlan>;
    /// What is wrong with it.
    fn findings(&self) -> Vec<Finding>;
}

/// What validation asks of a hook.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HookFacts {
    /// It can end the node.
    pub finishes: bool,
    /// It may open a window.
    pub opens_window: bool,
    /// It does nothing on a node that cannot be cancelled.
    pub needs_cancel: bool,
}

/// Reads a built-in hook; `None` for a scripted one.
fn with_built_in<R>(hook: &Gd<Resource>, f: impl Fn(&dyn BuiltInHook) -> R) -> Option<R> {
    fn read<T, R>(hook: &Gd<Resource>, f: impl Fn(&dyn BuiltInHook) -> R) -> Option<R>
    where
        T: Inherits<Resource> + BuiltInHook + Bounds<Declarer = bounds::DeclUser>,
    {
        hook.clone().try_cast::<T>().ok().map(|part| f(&*part.bind()))
    }
    read::<LocomotionModifierHook, R>(hook, &f)
        .or_else(|| read::<CancelOnMovementHook, R>(hook, &f))
        .or_else(|| read::<DrainVitalHook, R>(hook, &f))
}

/// Compiles a hook; `None`: it does nothing.
pub(crate) fn hook_plan(hook: &Gd<Resource>) -> Option<HookPlan> {
    with_built_in(hook, |part| part.plan())
        .unwrap_or_else(|| ScriptedHook::of(hook).map(|hook| HookPlan::Script(hook.calls)))
}

/// What rides runs for a hook; none for one that the core decides.
pub(crate) fn hook_part(hook: &Gd<Resource>) -> Option<Rc<dyn HookPart>> {
    ScriptedHook::of(hook).map(|hook| Rc::new(hook) as Rc<dyn HookPart>)
}

/// What validation asks of a hook.
pub(crate) fn hook_facts(hook: &Gd<Resource>) -> HookFacts {
    let Some(plan) = hook_plan(hook) else { return HookFacts::default() };
    HookFacts {
        finishes: plan.may_finish(),
        opens_window: matches!(plan, HookPlan::Script(_)),
        needs_cancel: matches!(plan, HookPlan::CancelOnMovement { .. }),
    }
}

/// What is wrong with a hook.
pub(crate) fn hook_findings(hook: &Gd<Resource>) -> Vec<Finding> {
    with_built_in(hook, |part| part.findings()).unwrap_or_else(|| {
        let virtuals = [&names().enter, &names().exit, &names().tick, &names().marker];
        let idle = !virtuals.into_iter().any(|name| hook.has_method(name));
        let text = format!(
            "{} overrides none of _enter, _exit, _tick and _marker, so it does nothing. Override one, or remove the hook.",
            messages::class_label(hook)
        );
        idle.then(|| Finding::new("W21", text)).into_iter().collect()
    })
}

/// The definition of a scripted hook: what to copy for a run, and which virtuals the script has. Found out when the graph is
/// compiled.
struct ScriptedHook {
    definition: Gd<ActionGraphHook>,
    copied: Vec<StringName>,
    calls: HookCalls,
}

impl ScriptedHook {
    /// `None` if no virtual is overridden.
    fn of(hook: &Gd<Resource>) -> Option<Self> {
        let definition = hook.clone().try_cast::<ActionGraphHook>().ok()?;
        let (ticks, finishes) = {
            let hook = definition.bind();
            (hook.tick, hook.finishes_node)
        };
        let names = names();
        let calls = HookCalls {
            enter: overrides(hook, &names.enter),
            exit: overrides(hook, &names.exit),
            tick: ticks && overrides(hook, &names.tick),
            marker: overrides(hook, &names.marker),
            finishes,
        };
        let idle = !calls.enter && !calls.exit && !calls.tick && !calls.marker;
        (!idle).then(|| Self { copied: stored_properties(hook), definition, calls })
    }
}

impl HookPart for ScriptedHook {
    fn begin(&self) -> Rc<dyn HookRun> {
        let mut copy = ActionGraphHook::new_gd();
        if let Some(script) = self.definition.get_script() {
            copy.set_script(&script);
        }
        private_copy::fill(&self.definition, &mut copy, &self.copied);
        Rc::new(ScriptedHookRun { copy: copy.upcast(), calls: self.calls, handle: OnceCell::new() })
    }
}

/// The private copy of a hook for one run.
struct ScriptedHookRun {
    copy: Gd<Resource>,
    calls: HookCalls,
    handle: OnceCell<Variant>,
}

impl ScriptedHookRun {
    /// What the script gets of the run: it may finish the node only where the hook says so.
    fn run(&self, run: &RunRef) -> Variant {
        self.handle.get_or_init(|| run.hook_handle(self.calls.finishes).to_variant()).clone()
    }
}

impl HookRun for ScriptedHookRun {
    fn enter(&self, run: &RunRef) {
        if self.calls.enter {
            call(&self.copy, &names().enter, &[self.run(run)]);
        }
    }

    fn exit(&self, run: &RunRef, reason: i64) {
        if self.calls.exit {
            call(&self.copy, &names().exit, &[self.run(run), reason.to_variant()]);
        }
    }

    fn tick(&self, run: &RunRef, delta: f64) {
        if self.calls.tick {
            call(&self.copy, &names().tick, &[self.run(run), delta.to_variant()]);
        }
    }

    fn marker(&self, run: &RunRef, name: &StringName) {
        if self.calls.marker {
            call(&self.copy, &names().marker, &[self.run(run), name.to_variant()]);
        }
    }
}
