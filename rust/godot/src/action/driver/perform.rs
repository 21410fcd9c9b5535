//! One question of the core, performed with nothing held.

use godot::prelude::*;
use riposte_core::action::{Answer, Question, ScriptCall};

use super::{reacting, runs, sides, telling, world};
use crate::action::{numbers, parts, set_use};

pub(super) fn perform(id: InstanceId, question: Question) -> Answer {
    match question {
        Question::Gate(call) => return ask_gate(id, &call),
        Question::Score(call) => return ask_scorer(id, &call),
        Question::Prepare(prepare) => return runs::prepare(id, &prepare),
        Question::Begin(run) => return runs::begin(id, run),
        Question::Retarget(run, target) => return runs::retarget(id, run, target),
        Question::Tick(run, delta) => runs::tick(id, run, delta),
        Question::Abort(run, reason) => runs::abort(id, run, reason),
        Question::AddTags(run) => runs::add_tags(id, run),
        Question::RemoveTags(run) => runs::remove_tags(id, run),
        Question::Release(run) => runs::release(id, run),
        Question::Refresh => set_use::resolve(id),
        Question::Numbers(action) => numbers::read_action(id, action),
        Question::InterruptAction(_) => reacting::interrupt_action(id),
        Question::Tell(event) => telling::tell(id, event),
        // Answered elsewhere, or of a later version of the core.
        _ => {}
    }
    Answer::Done
}

fn ask_gate(id: InstanceId, call: &ScriptCall) -> Answer {
    let passes = script(id, call).is_none_or(|(script, context)| parts::passes_gate(&script, &context));
    Answer::Bool(passes)
}

fn ask_scorer(id: InstanceId, call: &ScriptCall) -> Answer {
    let factor = script(id, call).map_or(1.0, |(script, context)| parts::score_multiplier(&script, &context));
    Answer::Number(factor)
}

/// The resource to call, and the context with this candidate's part filled in.
fn script(id: InstanceId, call: &ScriptCall) -> Option<(Gd<Resource>, Gd<crate::action::DecisionContext>)> {
    let set = sides::list(id, call.list)?;
    let side = set.sides.get(call.index)?;
    let context = sides::shared_context(id);
    world::aim_context(id, call.target, &context);
    {
        let mut data = context.data.lock();
        data.action_id = side.id.clone();
        data.seed = call.seed.cast_signed();
        data.action_seed = call.action_seed.cast_signed();
    }
    Some((side.scripts.get(call.slot)?.clone(), context.object))
}
