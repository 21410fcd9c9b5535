//! One step of an evaluator, and plain sequences of events.

use super::ending::EndFrame;
use super::evaluation::Purpose;
use super::machine::{Flow, Frame, Outcome};
use super::run::{Calm, Phase, Run};
use super::{
    ActionRef, Answer, EndReason, Evaluator, Event, HookMoment, LostPolicy, Question, Refusal, RunId,
    TargetKey, TargetWish, Ticket,
};
use crate::time::expired;

#[derive(Clone, Copy, Debug)]
enum Stage {
    Advance,
    Expire(usize),
    Rested,
    Refresh,
    Run,
    /// The answer says whether the target is gone.
    Aimed(RunId),
    Lost(RunId),
    /// Another target is looked for.
    Replace(RunId, Option<TargetKey>),
    Turned(RunId, TargetKey),
    Told(RunId),
    Tick(RunId),
    /// The method's tick returned, or that of the hook before this one.
    Ticked(RunId, usize),
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
    /// Clock and timers only.
    calm: bool,
}

impl StepFrame {
    /// A step of an evaluator that another peer decides for.
    pub fn clock(delta: f64) -> Self {
        Self { calm: true, ..Self::new(delta) }
    }

    pub fn new(delta: f64) -> Self {
        Self { stage: Stage::Advance, delta, expired: Vec::new(), rested: false, calm: false }
    }

    /// A step that has come to the tick of a run.
    fn at_tick(run: RunId, delta: f64) -> Self {
        Self { stage: Stage::Tick(run), ..Self::new(delta) }
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
                self.stage = if self.calm { Stage::Over } else { Stage::Refresh };
                let rested = std::mem::take(&mut self.rested);
                if rested { Flow::Ask(Question::Tell(Event::RecoveryEnded)) } else { Flow::Again }
            }
            Stage::Refresh => {
                self.stage = Stage::Run;
                if std::mem::take(&mut evaluator.stale) { Flow::Ask(Question::Refresh) } else { Flow::Again }
            }
            Stage::Run => self.run(evaluator),
            Stage::Aimed(run) | Stage::Told(run) => self.watch(evaluator, run),
            Stage::Lost(run) => self.lost(evaluator, run),
            Stage::Replace(run, target) => self.replace(evaluator, run, target),
            Stage::Turned(run, _) => self.fail(run),
            Stage::Tick(run) => self.tick(evaluator, run),
            Stage::Ticked(run, hook) => self.ticked(evaluator, run, hook),
            Stage::Evaluate => {
                self.stage = Stage::Over;
                let waited = evaluator.take_waited();
                waited.or_else(|| evaluator.due_evaluation(self.delta)).map_or(Flow::Again, Flow::Call)
            }
            Stage::Over => Flow::Done(Outcome::None),
        }
    }

    pub fn answer(&mut self, evaluator: &mut Evaluator, answer: Answer) {
        let (Stage::Aimed(id) | Stage::Turned(id, _) | Stage::Ticked(id, _)) = self.stage else {
            return;
        };
        let Some(run) = evaluator.run.as_mut().filter(|running| running.id == id) else {
            return;
        };
        match self.stage {
            Stage::Ticked(..) => run.ticking = false,
            Stage::Aimed(_) if answer == Answer::Bool(true) => {
                run.target = None;
                self.stage = Stage::Lost(id);
            }
            Stage::Turned(_, target) if answer == Answer::Bool(true) => {
                run.target = Some(target);
                self.stage = Stage::Told(id);
            }
            _ => {}
        }
    }

    /// The target that was found for a run that lost its own.
    pub fn child(&mut self, outcome: &Outcome) {
        if let (Stage::Replace(_, target), Outcome::Gates(Refusal::None, found)) = (&mut self.stage, outcome)
        {
            *target = *found;
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
        if !self.calm && !evaluator.stale && !evaluator.memory.may_expire(evaluator.memory.now) {
            return self.run(evaluator);
        }
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
        let id = run.id;
        match run.target {
            Some(target) => {
                self.stage = Stage::Aimed(id);
                Flow::Ask(Question::TargetLost(id, target))
            }
            None => self.watch(evaluator, id),
        }
    }

    /// R3, once per loss.
    fn lost(&mut self, evaluator: &mut Evaluator, id: RunId) -> Flow {
        let Some(run) = running(evaluator, id) else { return self.go(Stage::Evaluate) };
        match run.plan.target_lost_policy {
            LostPolicy::Continue => self.watch(evaluator, id),
            LostPolicy::Fail => self.fail(id),
            LostPolicy::Retarget => {
                self.stage = Stage::Replace(id, None);
                let purpose = Purpose::Replace(run.action);
                Flow::Call(evaluator.new_evaluation(purpose, TargetWish::Focus))
            }
        }
    }

    fn replace(&mut self, evaluator: &mut Evaluator, id: RunId, target: Option<TargetKey>) -> Flow {
        match (running(evaluator, id), target) {
            (None, _) => self.go(Stage::Evaluate),
            (_, None) => self.fail(id),
            (_, Some(target)) => {
                self.stage = Stage::Turned(id, target);
                Flow::Ask(Question::Retarget(id, target))
            }
        }
    }

    fn fail(&mut self, id: RunId) -> Flow {
        self.stage = Stage::Evaluate;
        end(id, EndReason::Failed)
    }

    /// R4; before it a turn to another target is told.
    fn watch(&mut self, evaluator: &mut Evaluator, id: RunId) -> Flow {
        let told = matches!(self.stage, Stage::Told(_));
        self.stage = Stage::Evaluate;
        let Some(run) = running(evaluator, id) else { return Flow::Again };
        if told {
            self.stage = Stage::Aimed(id);
            return Flow::Ask(Question::Tell(Event::Retargeted(run.action, run.target, id)));
        }
        if expired(run.elapsed, run.timeout) {
            return end(id, EndReason::TimedOut);
        }
        self.go(Stage::Tick(id))
    }

    /// R5.
    fn tick(&mut self, evaluator: &mut Evaluator, id: RunId) -> Flow {
        self.stage = Stage::Ticked(id, 0);
        match running(evaluator, id) {
            Some(run) if run.ticks => {
                run.ticking = true;
                Flow::Ask(Question::Tick(id, self.delta))
            }
            _ => Flow::Again,
        }
    }

    /// An end that was asked for during the tick, or the ticks of the hooks.
    fn ticked(&mut self, evaluator: &mut Evaluator, id: RunId, mut hook: usize) -> Flow {
        self.stage = Stage::Evaluate;
        let Some(run) = running(evaluator, id) else { return Flow::Again };
        if let Some(reason) = run.abort.take() {
            return end(id, reason);
        }
        match HookMoment::Tick(self.delta).next_call(id, &run.hooks, &mut hook) {
            Some(question) => {
                run.ticking = true;
                self.stage = Stage::Ticked(id, hook);
                Flow::Ask(question)
            }
            None => Flow::Again,
        }
    }
}

fn running(evaluator: &mut Evaluator, id: RunId) -> Option<&mut Run> {
    evaluator.run.as_mut().filter(|run| run.id == id && run.phase == Phase::Running)
}

fn end(run: RunId, reason: EndReason) -> Flow {
    Flow::Call(Frame::End(EndFrame::new(run, reason)))
}

impl Evaluator {
    /// Most steps have nothing to tell and nothing to ask but a tick and a decision, if one is due: they need no sequence up
    /// to there. False, and nothing done, if this is not such a step.
    pub(super) fn step_calmly(&mut self, delta: f64) -> bool {
        match self.move_calmly(delta, |_| false) {
            None => return false,
            Some(Calm::Ticks(run)) => self.push_tick(run, delta),
            Some(Calm::Silent) => {
                if let Some(frame) = self.due_evaluation(delta) {
                    self.machine.push(frame, true);
                }
            }
        }
        true
    }

    /// A step that has come to the tick of what runs.
    pub(super) fn push_tick(&mut self, run: RunId, delta: f64) {
        self.machine.push(Frame::Step(StepFrame::at_tick(run, delta)), false);
    }

    /// The same with the tick asked.
    pub(super) fn push_asked_tick(&mut self, id: RunId, delta: f64) -> Ticket {
        if let Some(run) = &mut self.run {
            run.ticking = true;
        }
        let frame = StepFrame { stage: Stage::Ticked(id, 0), ..StepFrame::new(delta) };
        self.machine.push_asked(Frame::Step(frame), Question::Tick(id, delta))
    }

    /// The same without tick and decision.
    pub(super) fn move_calmly(&mut self, delta: f64, lives: impl FnOnce(TargetKey) -> bool) -> Option<Calm> {
        let now = self.memory.now + delta;
        let waits = self.ends_waiting(now) || self.stale || self.stale_run || self.queue.is_some();
        if self.depth() > 0 || waits || self.memory.may_expire(now) {
            return None;
        }
        let calm = match &mut self.run {
            Some(run) => {
                let calm = run.calm_step(delta, lives)?;
                run.elapsed += delta;
                calm
            }
            None => Calm::Silent,
        };
        self.memory.now = now;
        self.steps += 1;
        self.ended_in_step = false;
        Some(calm)
    }

    /// The tick that a step on top of the stack comes to next, asked where the step lies.
    pub(super) fn ask_tick(&mut self) -> Option<(Ticket, Question)> {
        let Self { machine, run, .. } = self;
        machine.ask_on_top(|frame| {
            let Frame::Step(frame) = frame else { return None };
            let Stage::Tick(id) = frame.stage else { return None };
            let run = run.as_mut().filter(|run| run.id == id && run.phase == Phase::Running && run.ticks)?;
            run.ticking = true;
            frame.stage = Stage::Ticked(id, 0);
            Some(Question::Tick(id, frame.delta))
        })
    }

    /// Ends a step whose last tick is answered by this, where it lies. False, and nothing done, if more follows from the tick.
    pub(super) fn end_tick(&mut self, ticket: Ticket) -> bool {
        if self.may_be_due() {
            return false;
        }
        let Some(Frame::Step(frame)) = self.machine.asked(ticket) else { return false };
        let (Stage::Ticked(id, mut hook), delta) = (frame.stage, frame.delta) else { return false };
        let Some(run) = running(self, id).filter(|run| run.abort.is_none()) else { return false };
        if HookMoment::Tick(delta).next_call(id, &run.hooks, &mut hook).is_some() {
            return false;
        }
        run.ticking = false;
        match self.take_waited().or_else(|| self.due_evaluation(delta)) {
            None => self.machine.drop_top(),
            Some(next) => {
                if let Some(Frame::Step(frame)) = self.machine.settle_top() {
                    frame.stage = Stage::Over;
                }
                self.machine.push(next, false);
            }
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
