//! One question of the core, performed with nothing held.

use godot::prelude::*;
use riposte_core::action::{Answer, Question};

use super::judging::Calls;
use super::{contexts, hooks, reacting, resuming, runs, sight, telling, tokens};
use crate::action::method_run::Delta;
use crate::action::{numbers, set_use};

pub(super) fn perform(id: InstanceId, question: Question, calls: &mut Calls) -> Answer {
    match question {
        Question::Sight(target) => return Answer::Bool(sight::answer(id, target)),
        Question::Gate(call) => return calls.gate(id, &call),
        Question::BuildContext(target, seed) => contexts::build(id, target, seed),
        Question::MayExecute(call) => return calls.may_execute(id, &call),
        Question::Modify(call, base) => return calls.modify(id, &call, base),
        Question::Prepare(prepare) => return runs::prepare(id, &prepare),
        Question::TakeTokens(run) => return tokens::take(id, run),
        Question::ReleaseTokens(run) => tokens::give_back(id, run),
        Question::Resume(prepare) => return resuming::resume(id, &prepare),
        Question::Begin(run) => return runs::begin(id, run),
        Question::Retarget(run, target) => return runs::retarget(id, run, target),
        Question::Hook(call) => return hooks::call(id, &call),
        Question::TargetLost(run, target) => return runs::is_lost(id, run, target),
        Question::Tick(run, delta) => runs::tick(id, run, &Delta::new(delta)),
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
