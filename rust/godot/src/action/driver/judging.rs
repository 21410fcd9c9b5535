//! What scripts say about a candidate: gates, scorers, and the evaluator's own script.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{Answer, ScriptCall};

use super::{reacting, sides, world};
use crate::action::DecisionContext;
use crate::action::compiled::ActionSide;
use crate::action::names::{Judge, names};
use crate::action::parts;
use crate::action::script_calls::{number, truth};
use crate::base::script_method;

pub(super) fn gate(id: InstanceId, call: &ScriptCall) -> Answer {
    let passes = script(id, call).is_none_or(|(script, context)| parts::passes_gate(&script, &context));
    Answer::Bool(passes)
}

pub(super) fn score(id: InstanceId, call: &ScriptCall) -> Answer {
    let factor = script(id, call).map_or(1.0, |(script, context)| parts::score_multiplier(&script, &context));
    Answer::Number(factor)
}

/// Gate 11; a veto if the answer is no bool.
pub(super) fn may_execute(id: InstanceId, call: &ScriptCall) -> Answer {
    let answer = candidate(id, call).and_then(|(context, side)| {
        let node = Gd::<Node>::try_from_instance_id(id).ok()?;
        let arguments = [side.id.to_variant(), context.to_variant()];
        Some(script_method::call(&node, &judge(id).may_execute, &arguments))
    });
    Answer::Bool(answer.is_none_or(|answer| truth(&answer)))
}

/// The last word on a score; NaN if the answer is no number.
pub(super) fn modify(id: InstanceId, call: &ScriptCall, base: f64) -> Answer {
    let answer = candidate(id, call).and_then(|(context, side)| {
        let node = Gd::<Node>::try_from_instance_id(id).ok()?;
        let arguments = [side.id.to_variant(), base.to_variant(), context.to_variant()];
        Some(script_method::call(&node, &judge(id).modify, &arguments))
    });
    Answer::Number(answer.map_or(base, |answer| number(&answer)))
}

fn judge(id: InstanceId) -> &'static Judge {
    names().judge(reacting::is_reacting(id))
}

/// The resource to call.
fn script(id: InstanceId, call: &ScriptCall) -> Option<(Gd<Resource>, Gd<DecisionContext>)> {
    let (context, side) = candidate(id, call)?;
    Some((side.scripts.get(call.slot)?.clone(), context))
}

/// The context with this candidate's part filled in, and its action.
fn candidate(id: InstanceId, call: &ScriptCall) -> Option<(Gd<DecisionContext>, Arc<ActionSide>)> {
    let side = sides::list(id, call.list)?.sides.get(call.index)?.clone();
    let context = sides::shared_context(id);
    world::aim_context(id, call.target, &context);
    {
        let mut data = context.data.lock();
        data.action_id = side.id.clone();
        data.seed = call.seed.cast_signed();
        data.action_seed = call.action_seed.cast_signed();
    }
    Some((context.object, side))
}
