//! Questions of an input, asked one after the other: scripted conditions of one transition in a row, with one look at the
//! player before and one after all of them.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::graph::parts::{ConditionKind, ConditionPlan};
use riposte_core::graph::{Answer, Candidate, Question, Ticket};

use super::compiled::CompiledGraph;
use super::living::considered;
use super::performing;
use super::run_parts::RunRef;
use super::state::{State, looks, with};

/// A question that is out, and the graph that it is about.
struct Asked {
    ticket: Ticket,
    question: Question,
    graph: Option<Rc<CompiledGraph>>,
}

/// What scripts said: so many conditions hold, and this of the one behind them.
struct Said {
    held: u32,
    last: bool,
}

/// Asks, and asks on, as long as nothing comes between that is to be told or done, and nothing has to be read anew.
pub(super) fn ask(id: InstanceId, ticket: Ticket, question: Question) {
    let graph = with(id, |state| state.graph().cloned()).flatten();
    let (mut run, mut next) = (None, Some(Asked { ticket, question, graph }));
    while let Some(asked) = next {
        let said = asked
            .conditions(&mut run, id)
            .unwrap_or_else(|| Said { held: 0, last: performing::answer(id, &asked.question) });
        next = with(id, |state| state.go_on(asked.ticket, &said, asked.graph)).flatten();
    }
}

impl Asked {
    /// Asks scripted conditions of one transition, up to one that does not hold, or whose script looked at a player: what comes
    /// next may depend on that. `None` if the question is about something else.
    fn conditions(&self, known: &mut Option<(Candidate, RunRef)>, id: InstanceId) -> Option<Said> {
        let Question::Condition { from, transition, index, candidate } = &self.question else { return None };
        let graph = self.graph.as_ref()?;
        let (at, first) = (*transition as usize, *index as usize);
        let plans = graph.core.nodes().get(*from as usize)?.wires.get(at)?.conditions.get(first..)?;
        let parts = graph.nodes.get(*from as usize)?.conditions.get(at)?.get(first..)?;
        if known.as_ref().is_none_or(|(about, _)| about != candidate) {
            *known = considered(id, candidate).map(|run| (*candidate, run));
        }
        let (_, run) = known.as_ref()?;
        let (before, mut said) = (looks(), None);
        for (held, (plan, part)) in
            plans.iter().zip(parts).take_while(|(plan, _)| is_scripted(plan)).enumerate()
        {
            let last = part.as_ref().is_none_or(|part| part.evaluate(run));
            said = Some(Said { held: held as u32, last });
            if !plan.answered(last) || looks() != before {
                break;
            }
        }
        said
    }
}

fn is_scripted(plan: &ConditionPlan) -> bool {
    matches!(plan.kind, ConditionKind::Script)
}

impl State {
    /// Takes an answer; the next question, if that comes at once and what was read of the world is right.
    fn go_on(&mut self, ticket: Ticket, said: &Said, graph: Option<Rc<CompiledGraph>>) -> Option<Asked> {
        let Self { core, world, .. } = self;
        core.answer_row(ticket, said.held, Answer::Bool(said.last));
        if !world.is_right(core.recorder()) {
            world.spoil();
            return None;
        }
        let (ticket, question) = core.ask_on(&world.view())?;
        Some(Asked { ticket, question, graph })
    }
}
