//! The part of a decision that takes answers: lines of sight, scripted gates and scorers, and the evaluator's own
//! script, one question at a time, candidate by candidate.

use super::evaluation::{EvaluationFrame, Purpose, Stage};
use super::list::{Entry, LARGEST, factor, is_factor};
use super::machine::Flow;
use super::plan::ScorerKind;
use super::score::{self, FactorKey, Pending, Product};
use super::{Answer, Detail, Evaluator, Event, Question, Refusal};

/// What the evaluator's own script has a say in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Virtuals {
    /// It may veto a candidate: [`Question::MayExecute`].
    pub may_execute: bool,
    /// It may change a score: [`Question::Modify`].
    pub modify: bool,
    /// It adds to what scripts see: [`Question::BuildContext`].
    pub builds: bool,
}

/// What the question is about that is out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asked {
    #[default]
    Nothing,
    Sight,
    Gate,
    Veto,
    Scorer,
    Score,
}

/// The place in the questions of one candidate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    pending: usize,
    gate: usize,
    scorer: usize,
    score: f64,
    /// The evaluator's script let the candidate pass.
    vetted: bool,
    asked: Asked,
}

impl Cursor {
    /// The place among the candidates that wait.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// The scorer that comes next, or is asked.
    pub fn scorer(&self) -> usize {
        self.scorer
    }

    /// The product up to there.
    pub fn score(&self) -> f64 {
        self.score
    }
}

impl Evaluator {
    /// What the evaluator's own script has a say in.
    pub fn set_virtuals(&mut self, virtuals: Virtuals) {
        self.virtuals = virtuals;
    }
}

impl EvaluationFrame {
    pub(super) fn rewind(&mut self, pending: usize) {
        let (score, scorer) =
            self.scratch.pending.get(pending).map_or((0.0, 0), |pending| (pending.score, pending.scorer));
        self.cursor = Cursor { pending, score, scorer, ..Cursor::default() };
    }

    /// The next target from this number on that some candidate is about.
    pub(super) fn build_contexts(&mut self, evaluator: &Evaluator, from: u32) -> Flow {
        let numbers = self.scratch.rows.iter().map(|row| row.seen).filter(|seen| *seen >= from);
        let Some(number) = numbers.min().filter(|_| evaluator.virtuals.builds) else {
            return self.go(Stage::Scripts);
        };
        self.stage = Stage::Build(number + 1);
        self.scripted = true;
        Flow::Ask(Question::BuildContext(self.scratch.targets.get(number).key, self.seed))
    }

    pub(super) fn ask_scripts(&mut self, evaluator: &mut Evaluator) -> Flow {
        let Some(pending) = self.scratch.pending.get(self.cursor.pending).copied() else {
            self.stage = Stage::Choose;
            return Flow::Again;
        };
        let list = self.list.clone();
        let entry = &list.entries[self.scratch.rows[pending.row].index];
        if !pending.runs
            && let Some(flow) = self.gates(evaluator, entry, &pending)
        {
            return flow;
        }
        let record = evaluator.settings.record;
        if matches!(self.purpose, Purpose::Gates(_)) || (pending.hopeless && !record) {
            return self.finish_candidate(&pending, 0.0);
        }
        self.scorers(evaluator, entry, &pending, record)
    }

    /// Gates 9 to 11.
    fn gates(&mut self, evaluator: &Evaluator, entry: &Entry, pending: &Pending) -> Option<Flow> {
        let row = self.scratch.rows[pending.row];
        if entry.plan.require_line_of_sight
            && let Some(target) = row.target
        {
            match self.scratch.targets.get(row.seen).sight {
                None => {
                    self.cursor.asked = Asked::Sight;
                    return Some(Flow::Ask(Question::Sight(target)));
                }
                Some(false) => return Some(self.refuse(pending, Refusal::NoLineOfSight, Detail::None)),
                Some(true) => {}
            }
        }
        while let Some(gate) = entry.plan.gates.get(self.cursor.gate) {
            if pending.gate == Some(self.cursor.gate) {
                let detail = Detail::Gate(self.cursor.gate as u32);
                return Some(self.refuse(pending, Refusal::Gate, detail));
            }
            if let Some(slot) = gate.slot() {
                return Some(self.ask(Asked::Gate, pending, slot));
            }
            self.cursor.gate += 1;
        }
        let asks = evaluator.virtuals.may_execute && !self.cursor.vetted;
        asks.then(|| self.ask(Asked::Veto, pending, 0))
    }

    fn scorers(&mut self, evaluator: &Evaluator, entry: &Entry, pending: &Pending, record: bool) -> Flow {
        while let Some(scorer) = entry.plan.scorers.get(self.cursor.scorer) {
            if let ScorerKind::Script { slot } = scorer.kind {
                return self.ask(Asked::Scorer, pending, slot);
            }
            let value = self.scratch.built_in(&scorer.kind, pending.row).unwrap_or(1.0);
            self.multiply(pending.row, value, record);
        }
        let mut product = Product::new(self.cursor.score, pending.row, record, &mut self.scratch.factors);
        let score = score::finish(&mut product, pending.runtime, pending.jitter);
        if score > 0.0 && evaluator.virtuals.modify {
            self.cursor.score = score;
            return self.ask(Asked::Score, pending, 0);
        }
        self.finish_candidate(pending, score)
    }

    fn multiply(&mut self, row: usize, value: f64, record: bool) {
        let mut product = Product::new(self.cursor.score, row, record, &mut self.scratch.factors);
        product.mul(FactorKey::Scorer(self.cursor.scorer as u32), value);
        self.cursor.score = product.value;
        self.cursor.scorer += 1;
    }

    fn finish_candidate(&mut self, pending: &Pending, score: f64) -> Flow {
        score::settle(&mut self.scratch.rows[pending.row], score);
        self.rewind(self.cursor.pending + 1);
        Flow::Again
    }

    fn refuse(&mut self, pending: &Pending, refusal: Refusal, detail: Detail) -> Flow {
        let row = &mut self.scratch.rows[pending.row];
        (row.refusal, row.detail) = (refusal, detail);
        self.rewind(self.cursor.pending + 1);
        Flow::Again
    }

    fn ask(&mut self, about: Asked, pending: &Pending, slot: usize) -> Flow {
        self.scripted = true;
        self.cursor.asked = about;
        let call = self.script_call(pending, slot);
        Flow::Ask(match about {
            Asked::Gate => Question::Gate(call),
            Asked::Veto => Question::MayExecute(call),
            Asked::Score => Question::Modify(call, self.cursor.score),
            _ => Question::Score(call),
        })
    }

    /// The script scorer that is asked, by its slot.
    pub(super) fn asked_scorer(&self) -> Option<usize> {
        if self.cursor.asked != Asked::Scorer {
            return None;
        }
        let pending = self.scratch.pending.get(self.cursor.pending)?;
        let plan = &self.list.entries[self.scratch.rows[pending.row].index].plan;
        match plan.scorers.get(self.cursor.scorer)?.kind {
            ScorerKind::Script { slot } => Some(slot),
            _ => None,
        }
    }

    pub(super) fn take_answer(&mut self, evaluator: &mut Evaluator, answer: Answer) {
        let Some(pending) = self.scratch.pending.get(self.cursor.pending).copied() else {
            return;
        };
        match (std::mem::take(&mut self.cursor.asked), answer) {
            (Asked::Sight, Answer::Bool(seen)) => {
                let target = self.scratch.rows[pending.row].seen;
                self.scratch.targets.note_sight(target, seen);
            }
            (Asked::Gate, Answer::Bool(true)) => self.cursor.gate += 1,
            (Asked::Gate, Answer::Bool(false)) => {
                let detail = Detail::Gate(self.cursor.gate as u32);
                self.refuse(&pending, Refusal::Gate, detail);
            }
            (Asked::Veto, Answer::Bool(true)) => self.cursor.vetted = true,
            (Asked::Veto, Answer::Bool(false)) => {
                self.refuse(&pending, Refusal::ScriptVeto, Detail::None);
            }
            (Asked::Scorer, Answer::Number(value)) => self.take_factor(evaluator, &pending, value),
            (Asked::Score, Answer::Number(value)) => self.take_score(evaluator, &pending, value),
            _ => {}
        }
    }

    /// A script scorer's answer.
    fn take_factor(&mut self, evaluator: &mut Evaluator, pending: &Pending, value: f64) {
        self.check(evaluator, pending, Some(self.cursor.scorer as u32), value);
        let record = evaluator.settings.record;
        self.multiply(pending.row, factor(value), record);
        if self.cursor.score <= 0.0 && !record {
            self.finish_candidate(pending, 0.0);
        }
    }

    /// What the evaluator's script makes of a score.
    fn take_score(&mut self, evaluator: &mut Evaluator, pending: &Pending, value: f64) {
        self.check(evaluator, pending, None, value);
        let base = self.cursor.score;
        let ratio = if is_factor(value) { factor(value / base) } else { 0.0 };
        if evaluator.settings.record {
            self.scratch.factors.push((pending.row as u32, FactorKey::Script, ratio));
        }
        // Not the ratio times the base where that is not the number itself.
        let score = if is_factor(value) { value.min(base * LARGEST) } else { 0.0 };
        self.finish_candidate(pending, score);
    }

    /// A number that is no factor is told once per action and script.
    fn check(&mut self, evaluator: &mut Evaluator, pending: &Pending, scorer: Option<u32>, value: f64) {
        let action = self.scratch.rows[pending.row].action;
        if !is_factor(value) && !evaluator.warned.contains(&(action, scorer)) {
            evaluator.warned.push((action, scorer));
            self.notice = Some(Event::BadFactor { action, scorer, value });
        }
    }
}
