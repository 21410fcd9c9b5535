//! The choice among the candidates of an evaluation, and what is kept of it.

use std::sync::Arc;

use super::decision::{self, DecisionOutcome};
use super::evaluation::{EvaluationFrame, Purpose, Stage, pass};
use super::executor::StartFrame;
use super::flat_pass;
use super::gating;
use super::list::List;
use super::machine::{Flow, Frame, Outcome};
use super::quiet::Silence;
use super::run::Run;
use super::score::{self, Row, Scratch};
use super::switching::{Held, Standing};
use super::{
    ActionRef, Decision, Detail, Evaluator, Event, Origin, Question, Refusal, RetargetPolicy, RunId,
    Snapshot, StartRequest, TargetKey, TargetWish, Ticket,
};

/// The decision made last, in the memory of its evaluation.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct LastDecision {
    pub(super) list: Arc<List>,
    /// It was a forced start: the candidates are those of the evaluation before.
    pub(super) forced: bool,
    pub(super) origin: Origin,
    /// Nothing was worth anything: the rows are written when somebody reads them.
    pub(super) quiet: Option<Silence>,
    pub(super) outcome: DecisionOutcome,
    pub(super) action: Option<Arc<str>>,
    target: Option<TargetKey>,
    score: f64,
    pub(super) time: f64,
    pub(super) index: u64,
    pub(super) seed: u64,
    /// The candidates. Last, because it is large and a quiet decision leaves it alone.
    pub(super) scratch: Scratch,
}

impl EvaluationFrame {
    pub(super) fn choose(&mut self, evaluator: &mut Evaluator) -> Flow {
        let first = self.scratch.rows.first();
        match self.purpose {
            Purpose::Gates(_) => {
                let open = |row: &&Row| matches!(row.refusal, Refusal::None | Refusal::ZeroScore);
                let passed = self.scratch.rows.iter().find(open);
                let refused = first.map_or(Refusal::UnknownAction, |row| row.refusal);
                let refusal = passed.map_or(refused, |_| Refusal::None);
                self.over(Outcome::Gates(refusal, passed.and_then(|row| row.target)))
            }
            Purpose::Replace(_) => {
                let best = self.scratch.best().map(|best| self.scratch.rows[best].target);
                let refusal = best.map_or(Refusal::NoTarget, |_| Refusal::None);
                self.over(Outcome::Gates(refusal, best.flatten()))
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
            Purpose::React => {
                self.roll(evaluator);
                self.keep(evaluator);
                Flow::Again
            }
            Purpose::Decide => {
                self.judge(evaluator);
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
            rows: decision::rows(&self.scratch, &self.list, &|at| evaluator.settings.block_name(at)),
        }
    }

    /// The candidates become the last decision before anything starts, so that a handler can read it.
    fn keep(&mut self, evaluator: &mut Evaluator) {
        let now = evaluator.memory.now;
        let last = &mut evaluator.last;
        std::mem::swap(&mut last.scratch, &mut self.scratch);
        (last.list, last.forced) = (self.list.clone(), false);
        last.quiet = None;
        (last.time, last.index, last.seed, last.origin) = (now, self.index, self.seed, Origin::Scored);
        last.head(None, DecisionOutcome::None);
        self.next_best(evaluator);
    }

    fn next_best(&mut self, evaluator: &mut Evaluator) {
        let limit = evaluator.settings.max_start_attempts;
        let best = evaluator.last.scratch.best().filter(|_| self.attempts < limit);
        self.stage = match best {
            Some(row) if self.scripted => Stage::Recheck(row),
            Some(row) => self.attempt(evaluator, row),
            None => Stage::Settle,
        };
    }

    /// What a winner needs: a start, or only another target for what runs.
    pub(super) fn attempt(&self, evaluator: &Evaluator, row: usize) -> Stage {
        let turns = evaluator.last.scratch.rows[row].standing == Standing::OtherTarget;
        let switches = |run: &Run| run.plan.retarget_policy == RetargetPolicy::Switch;
        if turns && self.held_run(evaluator).is_some_and(switches) {
            Stage::Retarget(row)
        } else {
            Stage::Try(row)
        }
    }

    /// What ran when the world was seen, if it still runs.
    fn held_run<'a>(&self, evaluator: &'a Evaluator) -> Option<&'a Run> {
        evaluator.run.as_ref().filter(|run| Some(run.id) == self.held)
    }

    /// Candidates against what runs, now that all scores are there.
    fn judge(&mut self, evaluator: &Evaluator) {
        let own = self.scratch.hold.map(|(row, _)| row);
        let Some(run) = self.held_run(evaluator) else {
            // It ended meanwhile: nothing is in the way of the others, and its row is no candidate.
            self.scratch.hold = None;
            return;
        };
        let hold = own.map_or(self.unlisted, |row| self.scratch.rows[row].score);
        if let Some(row) = own {
            self.scratch.hold = Some((row, hold));
            self.scratch.rows[row].refusal = Refusal::None;
        }
        let held = Held::of(run, &evaluator.settings);
        for row in self.scratch.rows.iter_mut().filter(|row| row.standing != Standing::Same) {
            if row.refusal == Refusal::None {
                let plan = &self.list.entries[row.index].plan;
                let veto = held.refuses(plan, row.standing, row.score, hold);
                (row.refusal, row.detail) = veto.unwrap_or_default();
            }
        }
    }

    /// The winner again, after scripts may have changed things.
    pub(super) fn look_again(&mut self, evaluator: &mut Evaluator, row: usize, snapshot: &Snapshot) {
        let Row { action, target, standing, .. } = evaluator.last.scratch.rows[row];
        let gone = target.is_some() && snapshot.focus.map(|view| view.key) != target;
        let list = evaluator.list.clone();
        let pass = pass(evaluator, &list, None, self.seed);
        let veto = match evaluator.entry(action) {
            _ if gone => Some((Refusal::NoTarget, Detail::None)),
            Some(entry) => gating::recheck(&pass, entry, snapshot, standing == Standing::OtherTarget),
            None => Some((Refusal::UnknownAction, Detail::None)),
        };
        match veto {
            // Tag details count in the plan that is listed now, which may be another one.
            Some((refusal, _)) => self.refuse_row(evaluator, row, refusal, Detail::None),
            None => self.stage = self.attempt(evaluator, row),
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
        if self.purpose == Purpose::React {
            return self.answer_event(evaluator, &row);
        }
        let restart = row.standing == Standing::OtherTarget;
        let outcome = match self.held_run(evaluator) {
            Some(_) if restart => DecisionOutcome::Restarted,
            Some(_) => DecisionOutcome::Switched,
            None => DecisionOutcome::Started,
        };
        evaluator.last.head(Some(row), outcome);
        let id = evaluator.reserve_run();
        let request = StartRequest { action: Some(row.action), target: wish_of(&row), respect_gates: false };
        Flow::Call(Frame::Start(StartFrame::scored(id, request, self.seed, restart)))
    }

    /// Asks for the other target; the adapter moves the combat tokens and tells the method.
    pub(super) fn retarget(&mut self, evaluator: &mut Evaluator, at: usize) -> Flow {
        let row = evaluator.last.scratch.rows[at];
        let (Some(target), Some(run)) = (row.target, self.held_run(evaluator).map(|run| run.id)) else {
            return self.go(Stage::Settle);
        };
        evaluator.last.scratch.rows[at].won = true;
        evaluator.last.head(Some(row), DecisionOutcome::Retargeted);
        self.stage = Stage::Retargeted(at);
        Flow::Ask(Question::Retarget(run, target))
    }

    /// It was done.
    pub(super) fn turn(&mut self, evaluator: &mut Evaluator, at: usize) {
        let target = evaluator.last.scratch.rows[at].target;
        if let Some(run) = evaluator.run.as_mut().filter(|run| Some(run.id) == self.held) {
            run.target = target;
            self.started = Some(run.id);
        }
    }

    pub(super) fn retargeted(&mut self, evaluator: &mut Evaluator, at: usize) -> Flow {
        self.stage = Stage::Settle;
        let row = evaluator.last.scratch.rows[at];
        match self.held_run(evaluator).map(|run| run.id) {
            Some(run) if self.started == Some(run) => {
                Flow::Ask(Question::Tell(Event::Retargeted(row.action, row.target, run)))
            }
            _ => Flow::Again,
        }
    }

    pub(super) fn settle(&mut self, evaluator: &mut Evaluator) -> Flow {
        let keeps = self.held_run(evaluator).and(evaluator.last.scratch.hold).map(|(own, _)| own);
        // Of an action that is not listed any more there is no row.
        let kept = self.held_run(evaluator).map(|run| run.plan.id.shared_name());
        let last = &mut evaluator.last;
        if self.started.is_none() && self.reacted.is_none() {
            let refused = last.action.is_some();
            last.outcome = if refused { DecisionOutcome::StartRefused } else { DecisionOutcome::None };
            if let Some(own) = keeps.filter(|_| !refused) {
                let row = &mut last.scratch.rows[own];
                (row.won, row.refusal) = (true, Refusal::None);
                let row = *row;
                last.head(Some(row), DecisionOutcome::Kept);
            } else if let Some(name) = kept.filter(|_| !refused) {
                (last.outcome, last.action) = (DecisionOutcome::Kept, Some(name));
            }
        }
        let won = last.scratch.rows.iter().position(|row| row.won);
        mark(&mut last.scratch, won);
        self.stage = Stage::TellNothing;
        Flow::Again
    }

    pub(super) fn tell_nothing(&mut self, evaluator: &mut Evaluator) -> Flow {
        if self.purpose == Purpose::React {
            return self.tell_unanswered(evaluator);
        }
        self.stage = Stage::Fallback;
        if self.is_at_a_loss(evaluator) && !std::mem::replace(&mut evaluator.nothing_valid, true) {
            return Flow::Ask(Question::Tell(Event::NoValidAction));
        }
        Flow::Again
    }

    fn is_at_a_loss(&self, evaluator: &Evaluator) -> bool {
        let idle = self.started.is_none() && evaluator.is_active() && evaluator.run.is_none();
        idle && evaluator.memory.recovery_left() <= 0.0
    }

    /// The gates of the fallback; its score does not count.
    pub(super) fn fall_back(&mut self, evaluator: &mut Evaluator) -> Flow {
        let named = evaluator.fallback.as_ref().filter(|_| self.is_at_a_loss(evaluator));
        let listed = named.and_then(|id| evaluator.list.entries.iter().find(|entry| entry.plan.id == *id));
        let Some(action) = listed.map(|entry| entry.action) else {
            return self.go(Stage::TellDecision);
        };
        self.stage = Stage::FallbackGates(action);
        Flow::Call(evaluator.new_evaluation(Purpose::Gates(action), TargetWish::Focus))
    }

    pub(super) fn start_fallback(
        &mut self,
        evaluator: &mut Evaluator,
        action: ActionRef,
        target: Option<TargetKey>,
    ) -> Flow {
        if self.started.is_some() || !self.is_at_a_loss(evaluator) {
            return self.go(Stage::TellDecision);
        }
        let last = &mut evaluator.last;
        last.outcome = DecisionOutcome::Fallback;
        (last.action, last.target) = (Some(evaluator.memory.record(action).id.shared_name()), target);
        last.origin = Origin::Fallback;
        let id = evaluator.reserve_run();
        let target = target.map_or(TargetWish::Nobody, TargetWish::Key);
        let request = StartRequest { action: Some(action), target, respect_gates: false };
        Flow::Call(Frame::Start(StartFrame::fallback(id, request, self.seed)))
    }
}

pub(super) fn wish_of(row: &Row) -> TargetWish {
    row.target.map_or(TargetWish::Nobody, TargetWish::Key)
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
    /// What the last quiet decision saw is not kept here any more: there is a next one.
    pub(super) fn forget_silence(&mut self) {
        if let Some(silence) = &mut self.quiet {
            silence.forget();
        }
    }

    pub(super) fn head(&mut self, row: Option<Row>, outcome: DecisionOutcome) {
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
            rows: if last.forced { Vec::new() } else { self.last_rows() },
        }
    }

    /// The candidates of the last evaluation.
    pub(super) fn last_rows(&self) -> Vec<decision::DecisionRow> {
        let last = &self.last;
        let block_name = |at| self.settings.block_name(at);
        match &last.quiet {
            Some(silence) => silence.rows(&last.list, &block_name),
            None => decision::rows(&last.scratch, &last.list, &block_name),
        }
    }

    /// Scores the list against a snapshot and names the winner, as the next evaluation would, without starting
    /// it. For agents whose actions need no script: nothing is asked. Consumes one evaluation.
    pub fn decide(&mut self, snapshot: &Snapshot) -> Option<(ActionRef, f64)> {
        let mut frame = self.pool.pop().unwrap_or_default();
        let best = self.decide_in(&mut frame.scratch, snapshot);
        self.pool.push(frame);
        best
    }

    /// The same in memory that many evaluators use one after the other, so that it is warm.
    pub(super) fn decide_in(
        &mut self,
        scratch: &mut Scratch,
        snapshot: &Snapshot,
    ) -> Option<(ActionRef, f64)> {
        let seed = snapshot.seed.unwrap_or_else(|| self.memory.context_seed());
        let pass = pass(self, &self.list, None, seed);
        let best = flat_pass::best(&pass, snapshot, scratch).unwrap_or_else(|| {
            score::run(&pass, snapshot, scratch);
            scratch.best().map(|best| (scratch.rows[best].action, scratch.rows[best].score))
        });
        scratch.targets.keys().for_each(|key| self.memory.meet_target(key));
        self.memory.evaluation += 1;
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
        self.last.forced = true;
        self.last.outcome = if started { DecisionOutcome::Started } else { DecisionOutcome::StartRefused };
        self.last.action = Some(self.memory.record(action).id.shared_name());
        self.last.target = run.and_then(|id| self.run(id)).and_then(super::Run::target);
        self.last.score = 0.0;
        (self.last.time, self.last.index) = (self.memory.now, self.memory.evaluation);
        (self.last.seed, self.last.origin) = (self.memory.context_seed(), origin);
    }
}
