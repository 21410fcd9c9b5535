//! The choice among the candidates of an evaluation, and what is kept of it.

use std::sync::Arc;

use super::decision::{self, DecisionOutcome};
use super::evaluation::{EvaluationFrame, Purpose, Stage, pass};
use super::executor::StartFrame;
use super::list::List;
use super::machine::{Flow, Frame, Outcome};
use super::score::{self, Row, Scratch};
use super::{
    ActionRef, Decision, Detail, Evaluator, Event, Origin, Question, Refusal, RunId, Snapshot, StartRequest,
    TargetKey, TargetWish, Ticket,
};

/// The decision made last, in the memory of its evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct LastDecision {
    pub(super) scratch: Scratch,
    list: Arc<List>,
    outcome: DecisionOutcome,
    action: Option<Arc<str>>,
    target: Option<TargetKey>,
    score: f64,
    time: f64,
    index: u64,
    seed: u64,
    origin: Origin,
}

impl EvaluationFrame {
    pub(super) fn choose(&mut self, evaluator: &mut Evaluator) -> Flow {
        let first = self.scratch.rows.first();
        match self.purpose {
            Purpose::Gates(_) => {
                let refusal = first.map_or(Refusal::UnknownAction, |row| row.refusal);
                let refusal = if refusal == Refusal::ZeroScore { Refusal::None } else { refusal };
                self.over(Outcome::Gates(refusal))
            }
            Purpose::Score(_) => {
                let open = first.filter(|row| row.refusal == Refusal::None);
                let score = open.map_or(0.0, |row| row.score);
                self.over(Outcome::Score(score))
            }
            Purpose::Preview => {
                let decision = self.preview(evaluator);
                self.over(Outcome::Decision(Box::new(decision)))
            }
            Purpose::Decide => {
                self.keep(evaluator);
                Flow::Again
            }
        }
    }

    fn preview(&mut self, evaluator: &Evaluator) -> Decision {
        let best = self.scratch.best();
        mark(&mut self.scratch, best);
        let row = best.map(|best| self.scratch.rows[best]);
        Decision {
            outcome: if row.is_some() { DecisionOutcome::Preview } else { DecisionOutcome::None },
            action: row.map(|row| self.list.entries[row.index].plan.id.shared_name()),
            target: row.and_then(|row| row.target),
            score: row.map_or(0.0, |row| row.score),
            time: evaluator.memory.now,
            evaluation_index: self.index,
            seed: self.seed,
            origin: Origin::Scored,
            rows: decision::rows(&self.scratch, &self.list, &evaluator.settings),
        }
    }

    /// The candidates become the last decision before anything starts, so that a handler can read it.
    fn keep(&mut self, evaluator: &mut Evaluator) {
        let now = evaluator.memory.now;
        let last = &mut evaluator.last;
        std::mem::swap(&mut last.scratch, &mut self.scratch);
        last.list = self.list.clone();
        (last.time, last.index, last.seed, last.origin) = (now, self.index, self.seed, Origin::Scored);
        last.head(None, DecisionOutcome::None);
        self.next_best(evaluator);
    }

    fn next_best(&mut self, evaluator: &mut Evaluator) {
        let limit = evaluator.settings.max_start_attempts;
        let best = evaluator.last.scratch.best().filter(|_| self.attempts < limit);
        self.stage = match best {
            Some(row) if self.scripted => Stage::Recheck(row),
            Some(row) => Stage::Try(row),
            None => Stage::Settle,
        };
    }

    /// The winner again, after scripts may have changed things.
    pub(super) fn look_again(&mut self, evaluator: &mut Evaluator, row: usize, snapshot: &Snapshot) {
        let Row { action, target, .. } = evaluator.last.scratch.rows[row];
        let gone = target.is_some() && snapshot.focus.map(|view| view.key) != target;
        let list = evaluator.list.clone();
        let pass = pass(evaluator, &list, None, self.seed);
        let veto = match evaluator.entry(action) {
            _ if gone => Some((Refusal::NoTarget, Detail::None)),
            Some(entry) => score::recheck(&pass, entry, snapshot),
            None => Some((Refusal::UnknownAction, Detail::None)),
        };
        match veto {
            // Tag details count in the plan that is listed now, which may be another one.
            Some((refusal, _)) => self.refuse_row(evaluator, row, refusal, Detail::None),
            None => self.stage = Stage::Try(row),
        }
    }

    pub(super) fn refuse_row(
        &mut self,
        evaluator: &mut Evaluator,
        row: usize,
        refusal: Refusal,
        detail: Detail,
    ) {
        let row = &mut evaluator.last.scratch.rows[row];
        (row.refusal, row.detail, row.won) = (refusal, detail, false);
        self.attempts += 1;
        self.next_best(evaluator);
    }

    pub(super) fn try_row(&mut self, evaluator: &mut Evaluator, at: usize) -> Flow {
        if !evaluator.is_active() {
            self.stage = Stage::Settle;
            return Flow::Again;
        }
        evaluator.last.scratch.rows[at].won = true;
        let row = evaluator.last.scratch.rows[at];
        evaluator.last.head(Some(row), DecisionOutcome::Started);
        let id = evaluator.reserve_run();
        let request = StartRequest { action: Some(row.action), target: wish_of(&row), respect_gates: false };
        Flow::Call(Frame::Start(StartFrame::scored(id, request)))
    }

    pub(super) fn settle(&mut self, evaluator: &mut Evaluator) -> Flow {
        let last = &mut evaluator.last;
        if self.started.is_none() {
            let refused = last.action.is_some();
            last.outcome = if refused { DecisionOutcome::StartRefused } else { DecisionOutcome::None };
        }
        let won = last.scratch.rows.iter().position(|row| row.won);
        mark(&mut last.scratch, won);
        self.stage = Stage::TellNothing;
        Flow::Again
    }

    pub(super) fn tell_nothing(&mut self, evaluator: &mut Evaluator) -> Flow {
        self.stage = Stage::TellDecision;
        let nothing = self.started.is_none() && evaluator.is_active() && evaluator.run.is_none();
        if nothing && !std::mem::replace(&mut evaluator.nothing_valid, true) {
            return Flow::Ask(Question::Tell(Event::NoValidAction));
        }
        Flow::Again
    }
}

pub(super) fn wish_of(row: &Row) -> TargetWish {
    row.target.map_or(TargetWish::Focus, TargetWish::Key)
}

/// Everything that still stands beside the winner was outscored.
fn mark(scratch: &mut Scratch, winner: Option<usize>) {
    for (at, row) in scratch.rows.iter_mut().enumerate() {
        row.won = winner == Some(at);
        if row.refusal == Refusal::None && !row.won {
            row.refusal = Refusal::Outscored;
        }
    }
}

impl LastDecision {
    fn head(&mut self, row: Option<Row>, outcome: DecisionOutcome) {
        self.outcome = outcome;
        self.action = row.map(|row| self.list.entries[row.index].plan.id.shared_name());
        self.target = row.and_then(|row| row.target);
        self.score = row.map_or(0.0, |row| row.score);
    }
}

impl Evaluator {
    /// The world for [`Question::Snapshot`].
    pub fn answer_snapshot(&mut self, ticket: Ticket, snapshot: &Snapshot) {
        self.answer_with(ticket, |frame, evaluator| frame.see(evaluator, snapshot));
    }

    /// The decision made last, forced starts included; nothing before the first.
    pub fn last_decision(&self) -> Decision {
        let last = &self.last;
        Decision {
            outcome: last.outcome,
            action: last.action.clone(),
            target: last.target,
            score: last.score,
            time: last.time,
            evaluation_index: last.index,
            seed: last.seed,
            origin: last.origin,
            rows: decision::rows(&last.scratch, &last.list, &self.settings),
        }
    }

    /// Scores the list against a snapshot and names the winner, as the next evaluation would, without starting
    /// it. For agents whose actions need no script: nothing is asked. Consumes one evaluation.
    pub fn decide(&mut self, snapshot: &Snapshot) -> Option<(ActionRef, f64)> {
        let target = snapshot.focus.map(|view| view.key);
        self.memory.meet_target(target);
        let seed = snapshot.seed.unwrap_or_else(|| self.memory.context_seed());
        self.memory.evaluation += 1;
        let mut frame = self.pool.pop().unwrap_or_default();
        let scratch = &mut frame.scratch;
        score::run(&pass(self, &self.list, None, seed), snapshot, scratch);
        let best = scratch.best().map(|best| (scratch.rows[best].action, scratch.rows[best].score));
        self.pool.push(frame);
        best
    }

    /// A start happened or was refused; forced ones are decisions of their own.
    pub(super) fn note_start(
        &mut self,
        origin: Origin,
        action: Option<ActionRef>,
        run: Option<RunId>,
        refusal: Refusal,
    ) {
        let Some(action) = action.filter(|_| origin == Origin::Forced) else {
            return;
        };
        let started = refusal == Refusal::None;
        self.last.scratch.rows.clear();
        self.last.outcome = if started { DecisionOutcome::Started } else { DecisionOutcome::StartRefused };
        self.last.action = Some(self.memory.record(action).id.shared_name());
        self.last.target = run.and_then(|id| self.run(id)).and_then(super::Run::target);
        self.last.score = 0.0;
        (self.last.time, self.last.index) = (self.memory.now, self.memory.evaluation);
        (self.last.seed, self.last.origin) = (self.memory.context_seed(), origin);
    }
}
