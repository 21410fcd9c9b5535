//! Script scorers of several candidates in a row: asked about one after the other by the adapter, with one look at the
//! evaluator before and one after all of them.

use super::evaluation::{EvaluationFrame, Purpose};
use super::list::factor;
use super::machine::Frame;
use super::plan::ScorerKind;
use super::score::{self, Pending, Row};
use super::{ActionPlan, Answer, Evaluator, Question, ScriptCall, Ticket};

impl Evaluator {
    /// The call of the script scorer that is asked about under this ticket, and those that come after it as long as the
    /// answers are factors and nothing touches the evaluator meanwhile. Empty if the question is another one.
    pub fn scores_in_a_row(&self, ticket: Ticket, calls: &mut Vec<ScriptCall>) {
        calls.clear();
        if let Some(Frame::Evaluation(frame)) = self.machine.asked(ticket) {
            frame.scores_in_a_row(self, calls);
        }
    }

    /// The answers to the first of those calls, in order. Each but the last has to be a factor.
    pub fn answer_scores(&mut self, ticket: Ticket, values: &[f64]) {
        let Some((first, more)) = values.split_first() else { return };
        self.answer(ticket, Answer::Number(*first));
        if !more.is_empty() {
            self.at_scripts(|evaluator, frame| frame.take_scores(evaluator, more));
        }
    }
}

impl EvaluationFrame {
    fn scores_in_a_row(&self, evaluator: &Evaluator, calls: &mut Vec<ScriptCall>) {
        let Some(first) = self.asked_scorer() else { return };
        let (from, record) = (self.cursor.pending(), evaluator.settings.record);
        let judged = evaluator.virtuals.may_execute || evaluator.virtuals.modify;
        for (at, pending) in self.scratch.pending.iter().enumerate().skip(from) {
            let plan = &self.list.entries[self.scratch.rows[pending.row].index].plan;
            if at > from && asks_before(plan, pending) {
                return;
            }
            if at > from && pending.hopeless && !record {
                continue;
            }
            match only_script(plan) {
                Some(slot) => calls.push(self.script_call(pending, slot)),
                None if at == from => return calls.push(self.script_call(pending, first)),
                None => return,
            }
            if judged || matches!(self.purpose, Purpose::Gates(_)) {
                return;
            }
        }
    }

    pub(super) fn script_call(&self, pending: &Pending, slot: usize) -> ScriptCall {
        let Row { index, target, .. } = self.scratch.rows[pending.row];
        let (list, seed, action_seed) = (self.list_version, self.seed, pending.action_seed);
        ScriptCall { list, index, slot, target, seed, action_seed }
    }

    /// Answers to candidates with one script each; the first one's was taken.
    fn take_scores(&mut self, evaluator: &mut Evaluator, values: &[f64]) {
        let Some((last, mut values)) = values.split_last() else { return };
        if !evaluator.settings.record && !values.is_empty() {
            // What the candidate before is still asked for, and is worth.
            self.next_script(evaluator);
            self.settle_scores(values);
            values = &[];
        }
        values.iter().chain([last]).for_each(|value| self.take_next(evaluator, *value));
    }

    fn take_next(&mut self, evaluator: &mut Evaluator, value: f64) {
        let next = self.next_script(evaluator);
        debug_assert!(matches!(next, Some(Question::Score(_))), "{next:?} after a script scorer");
        self.take_answer(evaluator, Answer::Number(value));
    }

    /// What [`EvaluationFrame::take_next`] makes of factors, without its stages: nothing but this one script is asked about
    /// each of the candidates.
    fn settle_scores(&mut self, values: &[f64]) {
        let Self { list, scratch, cursor, .. } = self;
        let (mut score, mut script, mut values) = (cursor.score(), cursor.scorer(), values.iter());
        let from = cursor.pending();
        let mut at = from;
        while let Some(pending) = scratch.pending.get(at).copied() {
            if at > from {
                (score, script) = (pending.score, pending.scorer);
            }
            if pending.hopeless {
                score = 0.0;
            } else {
                let Some(value) = values.next() else { break };
                score *= factor(*value);
                let plan = &list.entries[scratch.rows[pending.row].index].plan;
                for scorer in &plan.scorers[script + 1..] {
                    score *= scratch.built_in(&scorer.kind, pending.row).unwrap_or(1.0);
                }
                score = score * pending.runtime * pending.jitter;
            }
            score::settle(&mut scratch.rows[pending.row], score);
            at += 1;
        }
        self.rewind(at);
    }
}

/// The script scorer of an action that has one.
fn only_script(plan: &ActionPlan) -> Option<usize> {
    let script = |kind: &ScorerKind| if let ScorerKind::Script { slot } = kind { Some(*slot) } else { None };
    let mut slots = plan.scorers.iter().filter_map(|scorer| script(&scorer.kind));
    slots.next().filter(|_| slots.next().is_none())
}

/// Something else is asked or refused before the scorers of this candidate.
fn asks_before(plan: &ActionPlan, pending: &Pending) -> bool {
    !pending.runs && (plan.require_line_of_sight || !plan.gates.is_empty())
}
