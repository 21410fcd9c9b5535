//! One step of an evaluator, and plain sequences of events.

use super::ending::EndFrame;
use super::machine::{Flow, Frame, Outcome};
use super::run::Phase;
use super::{ActionRef, EndReason, Evaluator, Event, Question, RunId};
use crate::time::expired;

#[derive(Clone, Copy, Debug)]
enum Stage {
    Advance,
    Expire(usize),
    Rested,
    Refresh,
    Run,
    Ticked(RunId),
    Evaluate,
    Over,
}

/// Clock, expired timers, changes, the running action, the evaluation if one is due: in this order.
#[derive(Debug)]
pub(super) struct StepFrame {
    stage: Stage,
    delta: f64,
    expired: Vec<ActionRef>,
    rested: bool,
}

impl StepFrame {
    pub fn new(delta: f64) -> Self {
        Self { stage: Stage::Advance, delta, expired: Vec::new(), rested: false }
    }

    pub fn poll(&mut self, evaluator: &mut Evaluator) -> Flow {
        match self.stage {
            Stage::Advance => self.advance(evaluator),
            Stage::Expire(n) => match self.expired.get(n) {
                Some(action) => {
                    self.stage = Stage::Expire(n + 1);
                    Flow::Ask(Question::Tell(Event::CooldownExpired(*action)))
                }
                None => self.go(Stage::Rested),
            },
            Stage::Rested => {
                self.stage = Stage::Refresh;
                let rested = std::mem::take(&mut self.rested);
                if rested { Flow::Ask(Question::Tell(Event::RecoveryEnded)) } else { Flow::Again }
            }
            Stage::Refresh => {
                self.stage = Stage::Run;
                if std::mem::take(&mut evaluator.stale) { Flow::Ask(Question::Refresh) } else { Flow::Again }
            }
            Stage::Run => self.run(evaluator),
            Stage::Ticked(run) => self.ticked(evaluator, run),
            Stage::Evaluate => {
                self.stage = Stage::Over;
                let waited = evaluator.take_waited();
                waited.or_else(|| evaluator.due_evaluation(self.delta)).map_or(Flow::Again, Flow::Call)
            }
            Stage::Over => Flow::Done(Outcome::None),
        }
    }

    /// The only answers that mean anything here are those to a tick, and it means that the tick returned.
    pub fn answer(&mut self, evaluator: &mut Evaluator) {
        if let Stage::Ticked(run) = self.stage
            && let Some(run) = evaluator.run.as_mut().filter(|running| running.id == run)
        {
            run.ticking = false;
        }
    }

    fn go(&mut self, stage: Stage) -> Flow {
        self.stage = stage;
        Flow::Again
    }

    fn advance(&mut self, evaluator: &mut Evaluator) -> Flow {
        evaluator.memory.now += self.delta;
        evaluator.steps += 1;
        evaluator.ended_in_step = false;
        self.rested = evaluator.memory.take_recovered();
        evaluator.memory.take_all_expired(&mut self.expired);
        self.go(Stage::Expire(0))
    }

    /// R1 to R5, for a run that began in an earlier step.
    fn run(&mut self, evaluator: &mut Evaluator) -> Flow {
        self.stage = Stage::Evaluate;
        let steps = evaluator.steps;
        let old = |run: &&mut super::Run| run.phase == Phase::Running && run.step < steps;
        let Some(run) = evaluator.run.as_mut().filter(old) else {
            return Flow::Again;
        };
        if let Some(reason) = run.result {
            return end(run.id, reason);
        }
        run.elapsed += self.delta;
        if expired(run.elapsed, run.timeout) {
            return end(run.id, EndReason::TimedOut);
        }
        if !run.ticks {
            return Flow::Again;
        }
        run.ticking = true;
        self.stage = Stage::Ticked(run.id);
        Flow::Ask(Question::Tick(run.id, self.delta))
    }

    /// An end that was asked for during the tick.
    fn ticked(&mut self, evaluator: &mut Evaluator, id: RunId) -> Flow {
        self.stage = Stage::Evaluate;
        let run = evaluator.run.as_mut().filter(|run| run.id == id && run.phase == Phase::Running);
        match run.and_then(|run| run.abort.take()) {
            Some(reason) => end(id, reason),
            None => Flow::Again,
        }
    }
}

fn end(run: RunId, reason: EndReason) -> Flow {
    Flow::Call(Frame::End(EndFrame::new(run, reason)))
}

impl Evaluator {
    /// Most steps have nothing to tell and nothing to ask but a decision, if one is due: they need no sequence.
    /// False, and nothing done, if this is not such a step.
    pub(super) fn step_calmly(&mut self, delta: f64) -> bool {
        let now = self.memory.now + delta;
        let waits = self.ends_waiting(now)
            || self.run.is_some()
            || self.stale
            || self.stale_run
            || self.queue.is_some();
        if self.depth() > 0 || waits || self.memory.may_expire(now) {
            return false;
        }
        self.memory.now = now;
        self.steps += 1;
        self.ended_in_step = false;
        if let Some(frame) = self.due_evaluation(delta) {
            self.machine.push(frame, true);
        }
        true
    }
}

/// Questions in order, with nothing around them.
#[derive(Debug)]
pub(super) struct ListFrame {
    questions: std::vec::IntoIter<Question>,
}

impl ListFrame {
    pub fn new(questions: Vec<Question>) -> Self {
        Self { questions: questions.into_iter() }
    }

    pub fn poll(&mut self) -> Flow {
        match self.questions.next() {
            Some(question) => Flow::Ask(question),
            None => Flow::Done(Outcome::None),
        }
    }
}
