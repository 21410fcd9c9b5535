//! The stack of sequences that are going on in one evaluator.
//!
//! A sequence (a step, an evaluation, a start, an end) stops at every question and goes on with its answer. A
//! call that comes in while a question is out starts a sequence on top, which is through before the answer
//! comes: the stack mirrors the adapter's call stack.

use super::delayed::DelayedFrame;
use super::ending::EndFrame;
use super::evaluation::EvaluationFrame;
use super::executor::StartFrame;
use super::resuming::ResumeFrame;
use super::step::{ListFrame, StepFrame};
use super::{ActionRef, Answer, Decision, Evaluator, Question, Refusal, RunId, TargetKey, Ticket};

/// What a sequence does next.
pub(super) enum Flow {
    Ask(Question),
    Call(Frame),
    Again,
    Done(Outcome),
}

/// How a sequence went.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Outcome {
    /// Nothing to say.
    #[default]
    None,
    /// A run began.
    Started(RunId),
    /// A start was refused.
    Refused(Refusal),
    /// Gates that were asked for alone: the answer, and the target of the candidate that passed.
    Gates(Refusal, Option<TargetKey>),
    /// A preview.
    Decision(Box<Decision>),
    /// A score that was asked for.
    Score(f64),
    /// A reaction to an event begins or waits for its delay.
    Reacted(ActionRef),
}

/// One sequence.
#[derive(Debug)]
pub(super) enum Frame {
    Step(StepFrame),
    Evaluation(Box<EvaluationFrame>),
    Start(StartFrame),
    End(EndFrame),
    List(ListFrame),
    Delayed(DelayedFrame),
    Resume(ResumeFrame),
}

impl Frame {
    fn holds_others(&self) -> bool {
        match self {
            Self::Evaluation(_) | Self::Start(_) | Self::Resume(_) => true,
            Self::End(frame) => !frame.was_told(),
            Self::Step(_) | Self::List(_) | Self::Delayed(_) => false,
        }
    }

    fn poll(&mut self, evaluator: &mut Evaluator) -> Flow {
        match self {
            Self::Step(frame) => frame.poll(evaluator),
            Self::Evaluation(frame) => frame.poll(evaluator),
            Self::Start(frame) => frame.poll(evaluator),
            Self::End(frame) => frame.poll(evaluator),
            Self::List(frame) => frame.poll(),
            Self::Delayed(frame) => frame.poll(evaluator),
            Self::Resume(frame) => frame.poll(evaluator),
        }
    }

    fn answer(&mut self, evaluator: &mut Evaluator, answer: Answer) {
        match self {
            Self::Step(frame) => frame.answer(evaluator, answer),
            Self::Evaluation(frame) => frame.answer(evaluator, answer),
            Self::Start(frame) => frame.answer(evaluator, answer),
            Self::Resume(frame) => frame.answer(evaluator, answer),
            Self::End(_) | Self::List(_) | Self::Delayed(_) => {}
        }
    }

    fn child(&mut self, evaluator: &mut Evaluator, outcome: Outcome) {
        match self {
            Self::Evaluation(frame) => frame.child(evaluator, outcome),
            Self::Start(frame) => frame.child(outcome),
            Self::Delayed(frame) => frame.child(&outcome),
            Self::Step(frame) => frame.child(&outcome),
            Self::End(_) | Self::List(_) | Self::Resume(_) => {}
        }
    }
}

#[derive(Debug)]
struct Slot {
    frame: Frame,
    epoch: u64,
    /// Nobody waits for its outcome: it was put there by a rule, not by a call or a sequence.
    detached: bool,
    /// The question that is out.
    asked: Option<(Ticket, Question)>,
}

/// Memory for the stack of an evaluator whose run has its tick: who makes the steps of many has one for all of them, which
/// stays in the cache.
#[derive(Debug, Default)]
pub struct SpareStack(Vec<Slot>);

/// The stack.
#[derive(Debug, Default)]
pub(super) struct Machine {
    slots: Vec<Slot>,
    epoch: u64,
    tickets: u64,
    pub outcome: Outcome,
}

impl Machine {
    pub fn depth(&self) -> usize {
        self.slots.len()
    }

    /// Goes on in other memory, if nothing goes on.
    pub fn swap(&mut self, spare: &mut SpareStack) {
        if self.slots.is_empty() && spare.0.is_empty() {
            std::mem::swap(&mut self.slots, &mut spare.0);
        }
    }

    pub fn push(&mut self, frame: Frame, detached: bool) {
        self.slots.push(Slot { frame, epoch: self.epoch, detached, asked: None });
    }

    /// A sequence whose question is out already.
    pub fn push_asked(&mut self, frame: Frame, question: Question) -> Ticket {
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        self.slots.push(Slot { frame, epoch: self.epoch, detached: false, asked: Some((ticket, question)) });
        ticket
    }

    /// Everything that goes on stops where it is.
    pub fn kill_all(&mut self) {
        self.epoch += 1;
    }

    /// A call into this run's method or hooks is on the stack.
    pub fn is_calling(&self, run: RunId) -> bool {
        self.questions().any(|question| match question {
            Question::Begin(id) | Question::Tick(id, _) | Question::Abort(id, _) => *id == run,
            Question::Retarget(id, _) => *id == run,
            Question::Prepare(prepare) | Question::Resume(prepare) => prepare.run == run,
            Question::Hook(call) => call.run == run,
            _ => false,
        })
    }

    /// A script's gate or scorer is on the stack, or the world is being read.
    pub fn is_scoring(&self) -> bool {
        let scores = |question: &Question| {
            matches!(
                question,
                Question::Snapshot(_)
                    | Question::Sight(_)
                    | Question::BuildContext(..)
                    | Question::Gate(_)
                    | Question::MayExecute(_)
                    | Question::Score(_)
                    | Question::Modify(..)
            )
        };
        self.questions().any(scores)
    }

    /// What waits for the sequence in progress has to wait on.
    pub fn is_held(&self) -> bool {
        self.slots.iter().any(|slot| slot.epoch == self.epoch && slot.frame.holds_others())
    }

    /// An evaluation goes on.
    pub fn is_evaluating(&self) -> bool {
        self.slots.iter().any(|slot| slot.epoch == self.epoch && matches!(slot.frame, Frame::Evaluation(_)))
    }

    /// The evaluation whose question is out, if it is one's.
    pub fn asking(&self) -> Option<&EvaluationFrame> {
        match &self.slots.last()?.frame {
            Frame::Evaluation(frame) => Some(frame),
            _ => None,
        }
    }

    /// Asks what the sequence on top asks next, if it waits for nothing and knows at once.
    pub fn ask_on_top(
        &mut self,
        next: impl FnOnce(&mut Frame) -> Option<Question>,
    ) -> Option<(Ticket, Question)> {
        let top = self.slots.last_mut().filter(|top| top.epoch == self.epoch && top.asked.is_none())?;
        let question = next(&mut top.frame)?;
        self.tickets += 1;
        top.asked = Some((Ticket(self.tickets), question));
        top.asked
    }

    /// The sequence on top, if this is the ticket of its question and it still goes on.
    pub fn asked(&self, ticket: Ticket) -> Option<&Frame> {
        let top = self.slots.last()?;
        let goes_on = top.epoch == self.epoch && top.asked.is_some_and(|(asked, _)| asked == ticket);
        goes_on.then_some(&top.frame)
    }

    /// The question of the sequence on top is settled.
    pub fn settle_top(&mut self) -> Option<&mut Frame> {
        let top = self.slots.last_mut()?;
        top.asked = None;
        Some(&mut top.frame)
    }

    /// The sequence on top is over. It is a step: nobody waits for what came of it.
    pub fn drop_top(&mut self) {
        self.slots.pop();
        self.outcome = Outcome::None;
    }

    fn questions(&self) -> impl Iterator<Item = &Question> {
        self.slots
            .iter()
            .filter(|slot| slot.epoch == self.epoch)
            .filter_map(|slot| slot.asked.as_ref().map(|a| &a.1))
    }
}

impl Evaluator {
    /// The next question of what was begun above `base`; `None` when all of it is through.
    pub fn next(&mut self, base: usize) -> Option<(Ticket, Question)> {
        loop {
            if let Some(frame) = self.take_due() {
                self.machine.push(frame, true);
            }
            if self.machine.depth() <= base {
                return None;
            }
            if let Some(asked) = self.ask_tick() {
                return Some(asked);
            }
            if let Some(asked) = self.ask_on() {
                return Some(asked);
            }
            let mut slot = self.machine.slots.pop()?;
            if slot.epoch != self.machine.epoch {
                self.machine.outcome = Outcome::None;
                continue;
            }
            // A question that was never answered: its caller is gone, and so is the sequence.
            if slot.asked.is_some() {
                continue;
            }
            let flow = loop {
                let flow = slot.frame.poll(self);
                // Moving a sequence on and off the stack costs more than most of its stages.
                let more =
                    matches!(flow, Flow::Again) && slot.epoch == self.machine.epoch && !self.may_be_due();
                if !more {
                    break flow;
                }
            };
            match flow {
                Flow::Again => self.machine.slots.push(slot),
                Flow::Call(frame) => {
                    self.machine.slots.push(slot);
                    self.machine.push(frame, false);
                }
                Flow::Ask(question) => {
                    self.machine.tickets += 1;
                    let ticket = Ticket(self.machine.tickets);
                    slot.asked = Some((ticket, question));
                    self.machine.slots.push(slot);
                    return Some((ticket, question));
                }
                Flow::Done(outcome) => {
                    if let Frame::Evaluation(frame) = slot.frame {
                        self.pool.push(frame);
                    }
                    if !slot.detached {
                        self.deliver(outcome);
                    }
                }
            }
        }
    }

    /// The next question of an evaluation that asks scripts, where it lies: it asks dozens of times, and what is on the stack
    /// is large. `None` if something else comes next.
    fn ask_on(&mut self) -> Option<(Ticket, Question)> {
        self.at_scripts(|evaluator, frame| frame.next_script(evaluator)).flatten().map(|question| {
            self.machine.tickets += 1;
            let asked = (Ticket(self.machine.tickets), question);
            if let Some(top) = self.machine.slots.last_mut() {
                top.asked = Some(asked);
            }
            asked
        })
    }

    /// The evaluation on top that asks scripts and waits for nothing.
    pub(super) fn at_scripts<R>(
        &mut self,
        act: impl FnOnce(&mut Self, &mut EvaluationFrame) -> R,
    ) -> Option<R> {
        let top = self.machine.slots.last()?;
        if top.epoch != self.machine.epoch || top.asked.is_some() {
            return None;
        }
        // Scripts are asked about candidates without a look at the stack, which is back before anything else happens.
        let mut slots = std::mem::take(&mut self.machine.slots);
        let acted = match slots.last_mut().map(|top| &mut top.frame) {
            Some(Frame::Evaluation(frame)) if frame.asks_scripts() => Some(act(self, frame)),
            _ => None,
        };
        self.machine.slots = slots;
        acted
    }

    /// Goes on with the answer. An answer that is out of date is dropped.
    pub fn answer(&mut self, ticket: Ticket, answer: Answer) {
        if self.end_tick(ticket) {
            return;
        }
        let Some(top) =
            self.machine.slots.last_mut().filter(|top| top.asked.is_some_and(|asked| asked.0 == ticket))
        else {
            return;
        };
        if top.epoch != self.machine.epoch {
            return;
        }
        top.asked = None;
        if self.at_scripts(|evaluator, frame| frame.take_answer(evaluator, answer)).is_some() {
            return;
        }
        if let Some(mut slot) = self.machine.slots.pop() {
            slot.frame.answer(self, answer);
            self.machine.slots.push(slot);
        }
    }

    /// Takes the answer to the tick of [`super::Quiet::Tick`], which was asked with this stack. True: nothing comes after it.
    pub fn answer_tick(&mut self, ticket: Ticket, spare: &mut SpareStack) -> bool {
        self.answer(ticket, Answer::Done);
        self.machine.swap(spare);
        self.depth() == 0 && !self.may_be_due()
    }

    /// The evaluation that waits under this ticket, with its question settled.
    pub(super) fn answer_with(&mut self, ticket: Ticket, act: impl FnOnce(&mut EvaluationFrame, &mut Self)) {
        if let Some(mut slot) = self.take_asked(ticket) {
            if let Frame::Evaluation(frame) = &mut slot.frame {
                act(frame, self);
            }
            self.machine.slots.push(slot);
        }
    }

    fn take_asked(&mut self, ticket: Ticket) -> Option<Slot> {
        let top = self.machine.slots.last()?;
        if top.epoch != self.machine.epoch || top.asked.is_none_or(|(asked, _)| asked != ticket) {
            return None;
        }
        let mut slot = self.machine.slots.pop()?;
        slot.asked = None;
        Some(slot)
    }

    fn deliver(&mut self, outcome: Outcome) {
        let parent = self.machine.slots.last().is_some_and(|slot| slot.asked.is_none());
        match self.machine.slots.pop_if(|_| parent) {
            Some(mut slot) => {
                slot.frame.child(self, outcome);
                self.machine.slots.push(slot);
            }
            None => self.machine.outcome = outcome,
        }
    }
}
