//! A reaction whose delay is over.

use super::evaluation::Purpose;
use super::executor::StartFrame;
use super::machine::{Flow, Frame, Outcome};
use super::reaction::Waiting;
use super::{Evaluator, Event, Question, Refusal, StartRequest, TargetWish};

#[derive(Clone, Copy, Debug)]
enum DelayedStage {
    Gates,
    Start,
    Tell,
    Over,
}

/// The start of a reaction whose delay is over: its gates once more, then the start.
#[derive(Debug)]
pub(super) struct DelayedFrame {
    waiting: Waiting,
    stage: DelayedStage,
    refused: bool,
}

impl DelayedFrame {
    pub fn new(waiting: Waiting) -> Self {
        Self { waiting, stage: DelayedStage::Gates, refused: false }
    }

    pub fn poll(&mut self, evaluator: &mut Evaluator) -> Flow {
        let Waiting { action, target, context, seed, .. } = self.waiting;
        let wish = target.map_or(TargetWish::Nobody, TargetWish::Key);
        match self.stage {
            DelayedStage::Gates => {
                self.stage = DelayedStage::Start;
                // The event was fitting once.
                if let Some(reacting) = &mut evaluator.reacting {
                    reacting.event = None;
                }
                Flow::Call(evaluator.new_evaluation(Purpose::Gates(action), wish))
            }
            DelayedStage::Start => {
                self.stage = DelayedStage::Tell;
                if self.refused || !evaluator.is_active() {
                    self.refused = true;
                    return Flow::Again;
                }
                let id = evaluator.reserve_run();
                let request = StartRequest { action: Some(action), target: wish, respect_gates: false };
                Flow::Call(Frame::Start(StartFrame::scored(id, request, seed, false).with_context(context)))
            }
            DelayedStage::Tell => {
                self.stage = DelayedStage::Over;
                if self.refused {
                    Flow::Ask(Question::Tell(Event::EventRefused(context)))
                } else {
                    Flow::Again
                }
            }
            DelayedStage::Over => Flow::Done(Outcome::None),
        }
    }

    pub fn child(&mut self, outcome: &Outcome) {
        self.refused |= match outcome {
            Outcome::Gates(refusal, _) => *refusal != Refusal::None,
            Outcome::Refused(_) => true,
            _ => false,
        };
    }
}
