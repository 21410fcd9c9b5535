//! The families of an action: scorers, gates, execution methods. Which classes they have, and what these compile to.
//!
//! A new built-in class implements its trait, and is named here twice: in the family and in the look-up.

use std::slice::from_ref;
use std::sync::Arc;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use riposte_core::action::{GateKind, GatePlan, ScorerKind, ScorerPlan};
use riposte_core::tags::TagId;

use super::method_run::Method;
use super::names::names;
use super::script_calls::{call, display_name, number, overrides, truth};
use super::{
    AbilityByTagMethod, AbilityMethod, AngleScorer, AnimationMethod, AttributeGate, AttributeScorer,
    BehaviorTreeSequenceMethod, CallMethod, CombatTokenGate, DistanceScorer, ExecutionMethod,
    FireAndForgetAbilityMethod, HealthScorer, SpeedScorer, StaminaGate, TagGate, VitalGate, VitalScorer,
};
use crate::base::family::Family;

/// Classes that may stand in `scorers`.
pub(crate) struct Scorers;

impl Family for Scorers {
    const CLASSES: &'static [&'static str] = &[
        "DistanceScorer",
        "AngleScorer",
        "HealthScorer",
        "SpeedScorer",
        "VitalScorer",
        "AttributeScorer",
        "ActionScorer",
    ];
}

/// Classes that may stand in `gates`.
pub(crate) struct Gates;

impl Family for Gates {
    const CLASSES: &'static [&'static str] =
        &["StaminaGate", "VitalGate", "AttributeGate", "CombatTokenGate", "TagGate", "ActionGate"];
}

/// Classes that may stand in `execution_method`.
pub(crate) struct ExecutionMethods;

impl Family for ExecutionMethods {
    const CLASSES: &'static [&'static str] = &[
        "AbilityMethod",
        "AbilityByTagMethod",
        "FireAndForgetAbilityMethod",
        "BehaviorTreeSequenceMethod",
        "AnimationMethod",
        "CallMethod",
        "ExecutionMethod",
    ];
}

/// Classes that may stand in `payload` of a method with trees.
pub(crate) struct TreePayloads;

impl Family for TreePayloads {
    const CLASSES: &'static [&'static str] = &["AbilityPayload", "BehaviorTreePayload"];
}

/// A built-in scorer.
pub(crate) trait ScorerPart {
    /// What it looks at.
    fn kind(&self) -> ScorerKind;
    /// Class and range, for breakdowns.
    fn label(&self) -> String;
    /// The configuration warning, if there is one to give.
    fn warning(&self) -> Option<String>;
}

/// A built-in gate.
pub(crate) trait GatePart {
    /// What it asks; `None` if it always passes.
    fn kind(&self) -> Option<GateKind>;
    /// Class and what it asks, the detail of a refusal.
    fn label(&self) -> String;
    /// Configuration warnings.
    fn warnings(&self) -> Vec<String>;
}

/// A built-in execution method.
pub(crate) trait MethodPart {
    /// What is missing or wrong, so that it can't run.
    fn missing(&self) -> Option<String>;
    /// The definition that starts runs.
    fn definition(this: Gd<Self>) -> Box<dyn Method>
    where
        Self: GodotClass;
}

/// Reads a built-in scorer; `None` for a scripted one.
fn with_built_in<R>(scorer: &Gd<Resource>, f: impl Fn(&dyn ScorerPart) -> R) -> Option<R> {
    fn read<T, R>(scorer: &Gd<Resource>, f: impl Fn(&dyn ScorerPart) -> R) -> Option<R>
    where
        T: Inherits<Resource> + ScorerPart + Bounds<Declarer = bounds::DeclUser>,
    {
        scorer.clone().try_cast::<T>().ok().map(|part| f(&*part.bind()))
    }
    read::<DistanceScorer, R>(scorer, &f)
        .or_else(|| read::<AngleScorer, R>(scorer, &f))
        .or_else(|| read::<HealthScorer, R>(scorer, &f))
        .or_else(|| read::<SpeedScorer, R>(scorer, &f))
        .or_else(|| read::<VitalScorer, R>(scorer, &f))
        .or_else(|| read::<AttributeScorer, R>(scorer, &f))
}

/// Compiles a scorer; `None` if it has no effect. A scripted one goes into the script table. Runs scripts.
pub(crate) fn scorer_plan(scorer: &Gd<Resource>, scripts: &mut Vec<Gd<Resource>>) -> Option<ScorerPlan> {
    let built_in = |part: &dyn ScorerPart| ScorerPlan { kind: part.kind(), label: Arc::from(part.label()) };
    with_built_in(scorer, built_in).or_else(|| {
        let slot = script_slot(scorer, &names().score_multiplier, scripts)?;
        Some(ScorerPlan { kind: ScorerKind::Script { slot }, label: Arc::from(display_name(scorer)) })
    })
}

/// The configuration warning about a scorer, if there is one to give.
pub(crate) fn scorer_warning(scorer: &Gd<Resource>) -> Option<String> {
    with_built_in(scorer, |part| part.warning()).flatten()
}

/// Reads a built-in gate; `None` for a scripted one.
fn with_built_in_gate<R>(gate: &Gd<Resource>, f: impl Fn(&dyn GatePart) -> R) -> Option<R> {
    fn read<T, R>(gate: &Gd<Resource>, f: impl Fn(&dyn GatePart) -> R) -> Option<R>
    where
        T: Inherits<Resource> + GatePart + Bounds<Declarer = bounds::DeclUser>,
    {
        gate.clone().try_cast::<T>().ok().map(|part| f(&*part.bind()))
    }
    read::<StaminaGate, R>(gate, &f)
        .or_else(|| read::<VitalGate, R>(gate, &f))
        .or_else(|| read::<AttributeGate, R>(gate, &f))
        .or_else(|| read::<CombatTokenGate, R>(gate, &f))
        .or_else(|| read::<TagGate, R>(gate, &f))
}

/// Configuration warnings about a gate.
pub(crate) fn gate_warnings(gate: &Gd<Resource>) -> Vec<String> {
    with_built_in_gate(gate, |part| part.warnings()).unwrap_or_default()
}

/// The combat tokens that a gate asks for.
pub(crate) fn gate_tokens(gate: &Gd<Resource>) -> Option<(TagId, u32)> {
    match with_built_in_gate(gate, |part| part.kind())?? {
        GateKind::Tokens { tag, cost } => Some((tag, cost)),
        _ => None,
    }
}

/// Compiles a gate; `None` if it always passes. Runs scripts.
pub(crate) fn gate_plan(gate: &Gd<Resource>, scripts: &mut Vec<Gd<Resource>>) -> Option<GatePlan> {
    let built_in = |part: &dyn GatePart| {
        let kind = part.kind()?;
        Some(GatePlan { kind, label: Arc::from(part.label()) })
    };
    if let Some(plan) = with_built_in_gate(gate, built_in) {
        return plan;
    }
    let slot = script_slot(gate, &names().passes_gate, scripts)?;
    Some(GatePlan { kind: GateKind::Script { slot }, label: Arc::from(display_name(gate)) })
}

fn script_slot(
    part: &Gd<Resource>,
    virtual_name: &StringName,
    scripts: &mut Vec<Gd<Resource>>,
) -> Option<usize> {
    if !overrides(part, virtual_name) {
        return None;
    }
    scripts.push(part.clone());
    Some(scripts.len() - 1)
}

/// The definition of an execution method, or why it can't run. Runs scripts.
pub(crate) fn method_definition(method: &Gd<Resource>) -> Result<Box<dyn Method>, String> {
    fn read<T>(method: &Gd<Resource>) -> Option<Result<Box<dyn Method>, String>>
    where
        T: Inherits<Resource> + MethodPart + Bounds<Declarer = bounds::DeclUser>,
    {
        let part = method.clone().try_cast::<T>().ok()?;
        let missing = part.bind().missing();
        Some(missing.map_or_else(|| Ok(T::definition(part)), Err))
    }
    read::<AnimationMethod>(method)
        .or_else(|| read::<AbilityMethod>(method))
        .or_else(|| read::<AbilityByTagMethod>(method))
        .or_else(|| read::<FireAndForgetAbilityMethod>(method))
        .or_else(|| read::<CallMethod>(method))
        .or_else(|| read::<BehaviorTreeSequenceMethod>(method))
        .unwrap_or_else(|| ExecutionMethod::scripted_definition(method))
}

/// What a script's `_score_multiplier` says; NaN if it is no number. Runs scripts.
///
/// `context`: a [`DecisionContext`](super::DecisionContext).
pub(crate) fn score_multiplier(scorer: &Gd<Resource>, context: &Variant) -> f64 {
    let answer = call(scorer, &names().score_multiplier, from_ref(context));
    number(&answer)
}

/// What a script's `_passes_gate` says; a veto if it is no bool. Runs scripts.
pub(crate) fn passes_gate(gate: &Gd<Resource>, context: &Variant) -> bool {
    let answer = call(gate, &names().passes_gate, from_ref(context));
    truth(&answer)
}
