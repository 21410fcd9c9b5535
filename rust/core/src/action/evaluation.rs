//! A decision: built-in gates and factors in one pass, scripts one question at a time, then the choice.

use std::sync::Arc;

use super::asking::Cursor;
use super::choice::wish_of;
use super::decision::DecisionOutcome;
use super::list::List;
use super::machine::{Flow, Outcome};
use super::score::{self, Pass, Scratch};
use super::switching::Held;
use super::{
    ActionRef, Answer, Detail, Evaluator, Event, Question, Refusal, RunId, Snapshot, TargetKey, TargetWish,
};
use crate::random::mix;

/// What an evaluation is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The winner is started.
    #[default]
    Decide,
    /// The winner is started, or waits for its delay: a reaction to an event.
    React,
    /// The winner is only named.
    Preview,
    /// One action's score, 0 if it is refused.
    Score(ActionRef),
    /// Another target for an action that lost its own: the best one.
    Replace(ActionRef),
    /// One action's gates; its score is ignored.
    Gates(ActionRef),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// The question for the world is out, or the answer was no snapshot.
    #[default]
    Blind,
    /// The evaluator's script is asked about the targets from this number on.
    Build(u32),
    Scripts,
    Choose,
    Try(usize),
    /// The winner is looked at again, because scripts had their say.
    Recheck(usize),
    /// The winner is what runs, on another target.
    Retarget(usize),
    Retargeted(usize),
    Settle,
    TellNothing,
    Fallback,
    FallbackGates(ActionRef),
    FallbackStart(ActionRef, Option<TargetKey>),
    TellDecision,
    Over,
}

/// One evaluation. Its memory is used again: an evaluation allocates nothing after the first.
#[derive(Debug, Default)]
pub(super) struct EvaluationFrame {
    pub(super) purpose: Purpose,
    wish: TargetWish,
    pub(super) stage: Stage,
    asked: bool,
    pub(super) list: Arc<List>,
    /// Its number, for those who are asked.
    pub(super) list_version: u64,
    pub(super) scratch: Scratch,
    pub(super) seed: u64,
    pub(super) index: u64,
    pub(super) cursor: Cursor,
    pub(super) scripted: bool,
    pub(super) attempts: u32,
    pub(super) notice: Option<Event>,
    pub(super) started: Option<RunId>,
    /// The reaction that starts or waits.
    pub(super) reacted: Option<ActionRef>,
    /// What ran when the world was seen.
    pub(super) held: Option<RunId>,
    /// What that is worth, if its action is not listed.
    pub(super) unlisted: f64,
}

impl EvaluationFrame {
    /// An evaluation in the memory of an earlier one. Candidates and list are replaced when the world is seen.
    pub fn reuse(mut self: Box<Self>, purpose: Purpose, wish: TargetWish) -> Box<Self> {
        (self.purpose, self.wish) = (purpose, wish);
        (self.stage, self.asked) = (Stage::Blind, false);
        (self.cursor, self.scripted, self.attempts) = (Cursor::default(), false, 0);
        (self.notice, self.started, self.reacted, self.held) = (None, None, None, None);
        self
    }

    pub fn poll(&mut self, evaluator: &mut Evaluator) -> Flow {
        if let Some(event) = self.notice.take() {
            return Flow::Ask(Question::Tell(event));
        }
        match self.stage {
            Stage::Blind if !std::mem::replace(&mut self.asked, true) => {
                Flow::Ask(Question::Snapshot(self.wish))
            }
            Stage::Blind => self.over(Outcome::None),
            Stage::Build(from) => self.build_contexts(evaluator, from),
            Stage::Scripts => self.ask_scripts(evaluator),
            Stage::Choose => self.choose(evaluator),
            Stage::Try(row) => self.try_row(evaluator, row),
            Stage::Recheck(row) => Flow::Ask(Question::Snapshot(wish_of(&evaluator.last.scratch.rows[row]))),
            Stage::Retarget(row) => self.retarget(evaluator, row),
            Stage::Retargeted(row) => self.retargeted(evaluator, row),
            Stage::Settle => self.settle(evaluator),
            Stage::TellNothing => self.tell_nothing(evaluator),
            Stage::Fallback => self.fall_back(evaluator),
            Stage::FallbackGates(_) => self.go(Stage::TellDecision),
            Stage::FallbackStart(action, target) => self.start_fallback(evaluator, action, target),
            Stage::TellDecision => {
                self.stage = Stage::Over;
                if !evaluator.is_recording() || self.list.entries.is_empty() {
                    return Flow::Again;
                }
                evaluator.remember_decision();
                Flow::Ask(Question::Tell(Event::DecisionMade))
            }
            Stage::Over => self.over(Outcome::None),
        }
    }

    /// Gates and scorers of scripts are being asked.
    pub(super) fn asks_scripts(&self) -> bool {
        self.stage == Stage::Scripts
    }

    /// What they are asked next, or told before that; `None` when they are through.
    pub(super) fn next_script(&mut self, evaluator: &mut Evaluator) -> Option<Question> {
        while self.asks_scripts() {
            if let Some(event) = self.notice.take() {
                return Some(Question::Tell(event));
            }
            if let Flow::Ask(question) = self.ask_scripts(evaluator) {
                return Some(question);
            }
        }
        None
    }

    pub(super) fn over(&self, outcome: Outcome) -> Flow {
        let reacted = self.reacted.map(Outcome::Reacted);
        Flow::Done(reacted.or(self.started.map(Outcome::Started)).unwrap_or(outcome))
    }

    /// The world, asked for by [`Question::Snapshot`].
    pub fn see(&mut self, evaluator: &mut Evaluator, snapshot: &Snapshot) {
        if let Stage::Recheck(row) = self.stage {
            return self.look_again(evaluator, row, snapshot);
        }
        (self.list, self.list_version) = (evaluator.list.clone(), evaluator.list_version);
        self.index = evaluator.memory.evaluation;
        self.seed = snapshot.seed.unwrap_or_else(|| evaluator.context_seed());
        let only = match self.purpose {
            Purpose::Score(action) | Purpose::Gates(action) | Purpose::Replace(action) => Some(action),
            Purpose::Decide | Purpose::React | Purpose::Preview => None,
        };
        let decides = matches!(self.purpose, Purpose::Decide | Purpose::React);
        let held = evaluator
            .run
            .as_ref()
            .filter(|_| self.purpose == Purpose::Decide)
            .map(|run| Held::of(run, &evaluator.settings));
        self.held = held.map(|held| held.run.id);
        let replaces = matches!(self.purpose, Purpose::Replace(_));
        let pass = Pass { held, replaces, ..pass(evaluator, &self.list, only, self.seed) };
        score::run(&pass, snapshot, &mut self.scratch);
        if let Some(held) = held.filter(|_| self.scratch.hold.is_none()) {
            self.unlisted = score::unlisted(&pass, &held, snapshot, &self.scratch);
        }
        // Nothing may take the place of what runs: as if nobody had looked.
        if decides && !self.scratch.contested {
            return self.stage = Stage::Over;
        }
        if decides && !self.list.entries.is_empty() {
            self.scratch.targets.keys().for_each(|key| evaluator.memory.meet_target(key));
            evaluator.memory.evaluation += 1;
        }
        self.stage = if evaluator.virtuals.builds { Stage::Build(0) } else { Stage::Scripts };
        self.rewind(0);
    }

    pub(super) fn go(&mut self, stage: Stage) -> Flow {
        self.stage = stage;
        Flow::Again
    }

    pub fn answer(&mut self, evaluator: &mut Evaluator, answer: Answer) {
        match self.stage {
            Stage::Scripts => {}
            Stage::Retargeted(row) if answer == Answer::Bool(true) => return self.turn(evaluator, row),
            Stage::Retargeted(row) => return self.refuse_row(evaluator, row, Refusal::NoToken, Detail::None),
            // No snapshot came: the winner stays as it is.
            Stage::Recheck(row) => return self.stage = Stage::Try(row),
            _ => return,
        }
        self.take_answer(evaluator, answer);
    }

    /// How the start of the winner went.
    pub fn child(&mut self, evaluator: &mut Evaluator, outcome: Outcome) {
        match (self.stage, &outcome) {
            (Stage::FallbackGates(action), Outcome::Gates(Refusal::None, target)) => {
                return self.stage = Stage::FallbackStart(action, *target);
            }
            (Stage::Try(row), Outcome::Started(_)) if self.purpose == Purpose::React => {
                self.reacted = evaluator.last.scratch.rows.get(row).map(|row| row.action);
                self.notice = evaluator.drop_waiting();
            }
            (Stage::FallbackStart(..), Outcome::Started(run)) => self.started = Some(*run),
            (Stage::FallbackStart(..), _) => evaluator.last.outcome = DecisionOutcome::StartRefused,
            _ => {}
        }
        if let Stage::FallbackStart(..) | Stage::FallbackGates(_) = self.stage {
            return self.stage = Stage::TellDecision;
        }
        let Stage::Try(row) = self.stage else {
            return;
        };
        match outcome {
            Outcome::Refused(refusal) => return self.refuse_row(evaluator, row, refusal, Detail::None),
            Outcome::Started(run) => self.started = Some(run),
            _ => {}
        }
        self.stage = Stage::Settle;
    }
}

pub(super) fn pass<'a>(
    evaluator: &'a Evaluator,
    list: &'a List,
    only: Option<ActionRef>,
    seed: u64,
) -> Pass<'a> {
    let Evaluator { settings, memory, .. } = evaluator;
    let reacting = evaluator.reacting.as_deref();
    // Only reactions ask what they would have to push away.
    let reacts = reacting.and_then(|_| evaluator.rival());
    Pass {
        settings,
        memory,
        entries: &list.entries,
        only,
        seed,
        replaces: false,
        held: None,
        reacting,
        reacts,
        virtuals: evaluator.virtuals,
        flat: list.flat.as_deref(),
    }
}

/// `seeded_random` of scripts: a number in [0, 1) from the action seed and a salt.
pub fn seeded_random(action_seed: u64, salt: u64) -> f64 {
    crate::random::unit(mix(action_seed ^ mix(salt)))
}
