//! What scripts say about a candidate: gates, scorers, and the evaluator's own script.

use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{Answer, ScriptCall, Ticket, is_factor};

use super::sides::SharedContext;
use super::{STATES, reacting, sides, with, world};
use crate::action::compiled::{ActionSide, CompiledSet};
use crate::action::names::{Judge, names};
use crate::action::parts;
use crate::action::script_calls::{number, truth};
use crate::base::script_method;

/// What the calls of one decision have in common, looked up once: a decision can make dozens of them.
#[derive(Default)]
pub(super) struct Calls {
    list: Option<(u64, Arc<CompiledSet>)>,
    context: Option<Rc<SharedContext>>,
    /// Calls of script scorers in a row, and what they said.
    row: Vec<ScriptCall>,
    said: Vec<f64>,
}

/// One candidate, and what scripts are told of it.
struct Candidate<'a> {
    side: &'a ActionSide,
    context: &'a Variant,
}

impl Candidate<'_> {
    /// The resource to call.
    fn script(&self, call: &ScriptCall) -> Option<&Gd<Resource>> {
        self.side.scripts.get(call.slot)
    }
}

impl Calls {
    pub fn gate(&mut self, id: InstanceId, call: &ScriptCall) -> Answer {
        let candidate = self.candidate(id, call);
        let asked = candidate.and_then(|asked| Some(parts::passes_gate(asked.script(call)?, asked.context)));
        Answer::Bool(asked.unwrap_or(true))
    }

    /// What the script scorer says that is asked about, and those that come after it, up to one whose answer or doings may
    /// change what comes next.
    pub fn scores(&mut self, id: InstanceId, ticket: Ticket, first: ScriptCall) -> &[f64] {
        let mut row = std::mem::take(&mut self.row);
        with(id, |state| state.core.scores_in_a_row(ticket, &mut row));
        if row.is_empty() {
            row.push(first);
        }
        self.said.clear();
        let mut looks = STATES.looks();
        for (n, call) in row.iter().enumerate() {
            let candidate = self.candidate(id, call);
            if n == 0 {
                looks = STATES.looks();
            } else if STATES.looks() != looks {
                // The context was aimed at somebody else, which asks the game.
                break;
            }
            let said = candidate
                .and_then(|asked| Some(parts::score_multiplier(asked.script(call)?, asked.context)))
                .unwrap_or(1.0);
            self.said.push(said);
            if STATES.looks() != looks || !is_factor(said) {
                break;
            }
        }
        self.row = row;
        &self.said
    }

    /// Gate 11; a veto if the answer is no bool.
    pub fn may_execute(&mut self, id: InstanceId, call: &ScriptCall) -> Answer {
        let answer = self.candidate(id, call).and_then(|asked| {
            let node = Gd::<Node>::try_from_instance_id(id).ok()?;
            let arguments = [asked.side.id.to_variant(), asked.context.clone()];
            Some(script_method::call(&node, &judge(id).may_execute, &arguments))
        });
        Answer::Bool(answer.is_none_or(|answer| truth(&answer)))
    }

    /// The last word on a score; NaN if the answer is no number.
    pub fn modify(&mut self, id: InstanceId, call: &ScriptCall, base: f64) -> Answer {
        let answer = self.candidate(id, call).and_then(|asked| {
            let node = Gd::<Node>::try_from_instance_id(id).ok()?;
            let arguments = [asked.side.id.to_variant(), base.to_variant(), asked.context.clone()];
            Some(script_method::call(&node, &judge(id).modify, &arguments))
        });
        Answer::Number(answer.map_or(base, |answer| number(&answer)))
    }

    /// The context with this candidate's part filled in, and its action.
    fn candidate(&mut self, id: InstanceId, call: &ScriptCall) -> Option<Candidate<'_>> {
        if self.list.as_ref().is_none_or(|(version, _)| *version != call.list) {
            self.list = Some((call.list, sides::list(id, call.list)?));
        }
        let target = call.target.and_then(|key| InstanceId::try_from_i64(key.0.cast_signed()));
        let (_, list) = self.list.as_ref()?;
        let side = list.sides.get(call.index)?;
        let context = self.context.get_or_insert_with(|| sides::shared_context(id));
        // The candidate before was on somebody else, or a script asked something that was about somebody else.
        let mut data = context.data.lock();
        if data.target != target {
            drop(data);
            world::aim_context(id, target.filter(|target| world::is_live(*target)), context);
            data = context.data.lock();
        }
        data.action_id = side.id.clone();
        data.seed = call.seed.cast_signed();
        data.action_seed = call.action_seed.cast_signed();
        drop(data);
        Some(Candidate { side, context: &context.argument })
    }
}

fn judge(id: InstanceId) -> &'static Judge {
    names().judge(reacting::is_reacting(id))
}
