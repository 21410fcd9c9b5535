//! Runs that go on after a state was imported, because their method can.

use super::ending::EndFrame;
use super::executor::wanted_timeout;
use super::machine::{Flow, Frame, Outcome};
use super::run::{Phase, Run};
use super::{Answer, EndReason, Evaluator, Prepare, Question, RunId, RunningState, TargetWish};

#[derive(Clone, Copy, Debug)]
enum ResumeStage {
    Ask,
    Tokens,
    Tags,
    Over,
    /// The method can't.
    Release,
}

/// A run is taken up where it was saved. Nothing is told, nothing is charged again.
#[derive(Debug)]
pub(super) struct ResumeFrame {
    id: RunId,
    prepare: Prepare,
    stage: ResumeStage,
}

impl ResumeFrame {
    pub fn poll(&mut self, evaluator: &mut Evaluator) -> Flow {
        match self.stage {
            ResumeStage::Ask => self.ask(ResumeStage::Tokens, Question::Resume(self.prepare)),
            ResumeStage::Tokens => {
                self.stage = ResumeStage::Tags;
                let takes = evaluator.starting.as_ref().is_some_and(|run| run.plan.takes_tokens());
                // Without them it goes on all the same, as a forced run.
                if takes { Flow::Ask(Question::TakeTokens(self.id)) } else { Flow::Again }
            }
            ResumeStage::Tags => self.run_on(evaluator),
            ResumeStage::Release => {
                evaluator.starting = None;
                self.ask(ResumeStage::Over, Question::Release(self.id))
            }
            ResumeStage::Over => self.over(evaluator),
        }
    }

    pub fn answer(&mut self, evaluator: &mut Evaluator, answer: Answer) {
        if !matches!(self.stage, ResumeStage::Tokens) {
            return;
        }
        let hard = evaluator.settings.hard_timeout;
        match (answer, evaluator.starting.as_mut()) {
            (Answer::Begun { ok: true, timeout, ticks, .. }, Some(run)) => {
                (run.timeout, run.ticks) = (wanted_timeout(timeout, hard), ticks);
            }
            _ => self.stage = ResumeStage::Release,
        }
    }

    fn ask(&mut self, stage: ResumeStage, question: Question) -> Flow {
        self.stage = stage;
        Flow::Ask(question)
    }

    fn run_on(&mut self, evaluator: &mut Evaluator) -> Flow {
        self.stage = ResumeStage::Over;
        let Some(mut run) = evaluator.starting.take() else { return Flow::Again };
        run.phase = Phase::Running;
        run.announced = true;
        run.step = evaluator.steps;
        run.tagged = !run.plan.add_tags.ids().is_empty();
        let tagged = run.tagged;
        evaluator.memory.reopen(run.action, run.id);
        evaluator.stale_run |= evaluator.loses(&run, false);
        evaluator.run = Some(run);
        if tagged { Flow::Ask(Question::AddTags(self.id)) } else { Flow::Again }
    }

    /// What was asked for meanwhile.
    fn over(&self, evaluator: &mut Evaluator) -> Flow {
        let stopped = (!evaluator.is_active()).then_some(EndReason::Cancelled);
        let run = evaluator.run.as_mut().filter(|run| run.id == self.id && run.phase == Phase::Running);
        match run.and_then(|run| run.abort.take().or(stopped)) {
            Some(reason) => Flow::Call(Frame::End(EndFrame::new(self.id, reason))),
            None => Flow::Done(Outcome::None),
        }
    }
}

impl Evaluator {
    /// Takes up a saved run, if its action is listed and nothing runs: pumped, to be called right after
    /// [`Evaluator::import`]. The method is asked by [`Question::Resume`]. The number of the run; `None`: it is over.
    pub fn resume(&mut self, saved: &RunningState) -> Option<RunId> {
        let action = self.find(&saved.action)?;
        let index = self.memory.record(action).index?;
        let plan = self.list.entries.get(index)?.plan.clone();
        let idle = self.is_active() && !self.is_busy() && self.run.is_none();
        if !idle || !plan.has_method || !saved.is_sound() {
            return None;
        }
        let known = saved.run.filter(|run| (1..=self.next_run).contains(run));
        let id = known.unwrap_or_else(|| self.reserve_run());
        let mut run = Run::new(id, action, plan);
        (run.target, run.elapsed, run.frozen) = (saved.target, saved.elapsed, saved.frozen);
        run.origin = saved.origin;
        self.starting = Some(run);
        let target = saved.target.map_or(TargetWish::Nobody, TargetWish::Key);
        let prepare = Prepare { run: id, list: self.list_version, index, target, context: id };
        self.machine.push(Frame::Resume(ResumeFrame { id, prepare, stage: ResumeStage::Ask }), false);
        Some(id)
    }
}
