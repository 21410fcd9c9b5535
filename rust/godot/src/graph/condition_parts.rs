//! Conditions: the family, and what its members compile to.

use std::rc::Rc;
use std::slice::from_ref;
use std::sync::Arc;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use riposte_core::graph::parts::{ConditionKind, ConditionPlan};

use super::findings::Finding;
use super::run_parts::{ConditionPart, RunRef};
use super::script_names::names;
use super::{
    CooldownReadyCondition, DirectionCondition, PairedActionAvailableCondition, TargetDistanceCondition,
    TargetStateCondition, TransitionCondition, VitalThresholdCondition,
};
use crate::action::script_calls::{call, display_name, overrides, truth};

/// A built-in condition.
pub(super) trait BuiltInCondition {
    /// What it asks.
    fn kind(&self) -> ConditionKind;
    /// The opposite passes.
    fn is_inverted(&self) -> bool;
    /// A few words for the canvas.
    fn caption(&self) -> String;
    /// What is wrong with it.
    fn findings(&self) -> Vec<Finding>;
    /// The cooldown that it asks about.
    fn cooldown_key(&self) -> Option<StringName> {
        None
    }
}

/// Reads a built-in condition; `None` for a scripted one.
fn with_built_in<R>(condition: &Gd<Resource>, f: impl Fn(&dyn BuiltInCondition) -> R) -> Option<R> {
    fn read<T, R>(condition: &Gd<Resource>, f: impl Fn(&dyn BuiltInCondition) -> R) -> Option<R>
    where
        T: Inherits<Resource> + BuiltInCondition + Bounds<Declarer = bounds::DeclUser>,
    {
        condition.clone().try_cast::<T>().ok().map(|part| f(&*part.bind()))
    }
    read::<DirectionCondition, R>(condition, &f)
        .or_else(|| read::<VitalThresholdCondition, R>(condition, &f))
        .or_else(|| read::<TargetStateCondition, R>(condition, &f))
        .or_else(|| read::<TargetDistanceCondition, R>(condition, &f))
        .or_else(|| read::<CooldownReadyCondition, R>(condition, &f))
        .or_else(|| read::<PairedActionAvailableCondition, R>(condition, &f))
}

fn is_scripted_inverse(condition: &Gd<Resource>) -> bool {
    condition.clone().try_cast::<TransitionCondition>().is_ok_and(|one| one.bind().invert)
}

/// Compiles a condition. Runs scripts.
pub(crate) fn condition_plan(condition: &Gd<Resource>) -> ConditionPlan {
    let label = Arc::from(condition_caption(condition));
    let built_in = with_built_in(condition, |part| (part.kind(), part.is_inverted()));
    let (kind, invert) = built_in.unwrap_or_else(|| {
        let asks = overrides(condition, &names().evaluate);
        let kind = if asks { ConditionKind::Script } else { ConditionKind::Always };
        (kind, is_scripted_inverse(condition))
    });
    ConditionPlan { kind, invert, label }
}

/// What answers for a condition at run time; none for one that the core decides.
pub(crate) fn condition_part(condition: &Gd<Resource>) -> Option<Rc<dyn ConditionPart>> {
    let scripted = condition.clone().try_cast::<TransitionCondition>().is_ok();
    let asks = scripted && overrides(condition, &names().evaluate);
    asks.then(|| Rc::new(ScriptedCondition(condition.clone())) as Rc<dyn ConditionPart>)
}

/// A few words about a condition. Runs scripts.
pub(crate) fn condition_caption(condition: &Gd<Resource>) -> String {
    let built_in = with_built_in(condition, |part| (part.caption(), part.is_inverted()));
    let (caption, inverted) =
        built_in.unwrap_or_else(|| (display_name(condition), is_scripted_inverse(condition)));
    if inverted { format!("not {caption}") } else { caption }
}

/// The cooldown that a condition asks about.
pub(crate) fn condition_key(condition: &Gd<Resource>) -> Option<StringName> {
    with_built_in(condition, |part| part.cooldown_key()).flatten().filter(|key| !key.is_empty())
}

/// What is wrong with a condition.
pub(crate) fn condition_findings(condition: &Gd<Resource>) -> Vec<Finding> {
    with_built_in(condition, |part| part.findings()).unwrap_or_else(|| {
        let idle = !condition.has_method(&names().evaluate);
        let text = format!(
            "{} does not override _evaluate, so it always passes. Override it, or remove the condition.",
            display_name(condition)
        );
        idle.then(|| Finding::new("W21", text)).into_iter().collect()
    })
}

/// The sign of a comparison.
pub(super) fn comparison(signs: [&'static str; 3], at: i64) -> &'static str {
    signs[usize::try_from(at).unwrap_or_default().min(2)]
}

struct ScriptedCondition(Gd<Resource>);

impl ConditionPart for ScriptedCondition {
    fn evaluate(&self, run: &RunRef) -> bool {
        truth(&call(&self.0, &names().evaluate, from_ref(run.argument())))
    }
}
