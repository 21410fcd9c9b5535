//! How far the sequences of a map have come.
//!
//! For every step the latest time is kept at which it and all before it had come; the latest is the best in both limits.

use super::plan::{SequenceSpec, Step};
use crate::graph::direction::Way;
use crate::tags::TagId;
use crate::time::TIME_TOLERANCE;

/// A step that has come, with all before it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mark {
    at: f64,
    start: f64,
}

/// The way of the stick, and since when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leaning {
    pub way: Way,
    pub since: f64,
}

/// One sequence under way.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// By step.
    done: Vec<Option<Mark>>,
    /// By step that is to be held: it was entered at its turn; when the steps before it began.
    entered: Vec<Option<f64>>,
}

impl Progress {
    pub fn new(spec: &SequenceSpec) -> Self {
        Self { done: vec![None; spec.steps.len()], entered: vec![None; spec.steps.len()] }
    }

    pub fn reset(&mut self) {
        self.done.fill(None);
        self.entered.fill(None);
    }

    /// The stick goes from one way to another. True: that was the last step.
    pub fn lean(&mut self, spec: &SequenceSpec, old: Leaning, new: Way, now: f64) -> bool {
        self.hold(spec, old, now);
        self.entered.fill(None);
        for at in (0..spec.steps.len()).rev() {
            let turn = self.turn(spec, at, now);
            let mark = match spec.steps[at] {
                Step::Way(way) if way == new => turn.map(|start| Mark { at: now, start }),
                Step::Held(way, _) if way == new => {
                    self.entered[at] = turn;
                    None
                }
                _ => None,
            };
            if mark.is_some() || spec.strict {
                self.done[at] = mark;
            }
        }
        self.is_complete(spec, now)
    }

    /// An input is pressed. True: that was the last step.
    pub fn press(&mut self, spec: &SequenceSpec, leaning: Leaning, tag: TagId, now: f64) -> bool {
        self.hold(spec, leaning, now);
        for at in (0..spec.steps.len()).rev() {
            if spec.steps[at] == Step::Tag(tag)
                && let Some(start) = self.turn(spec, at, now)
            {
                self.done[at] = Some(Mark { at: now, start });
            }
        }
        matches!(spec.steps.last(), Some(Step::Tag(last)) if *last == tag) && self.is_complete(spec, now)
    }

    /// When the last step is done by holding the stick on.
    pub fn due(&self, spec: &SequenceSpec, leaning: Leaning) -> Option<f64> {
        let Some(Step::Held(way, seconds)) = spec.steps.last() else { return None };
        let waits = *way == leaning.way && self.entered.last().is_some_and(Option::is_some);
        waits.then_some(leaning.since + seconds)
    }

    /// Time has passed. True: the last step is done.
    pub fn pass(&mut self, spec: &SequenceSpec, leaning: Leaning, now: f64) -> bool {
        self.due(spec, leaning).is_some_and(|due| now + TIME_TOLERANCE >= due) && {
            self.hold(spec, leaning, now);
            self.is_complete(spec, now)
        }
    }

    /// Steps that are to be held, and were.
    fn hold(&mut self, spec: &SequenceSpec, leaning: Leaning, now: f64) {
        for (at, step) in spec.steps.iter().enumerate() {
            if let Step::Held(way, seconds) = *step
                && way == leaning.way
                && now - leaning.since + TIME_TOLERANCE >= seconds
                && let Some(start) = self.entered[at]
            {
                // The time that the first step was held for is no part of the whole.
                self.done[at] = Some(Mark { at: now, start: if at == 0 { now } else { start } });
            }
        }
    }

    /// When the steps before this one began, if it is its turn.
    fn turn(&self, spec: &SequenceSpec, at: usize, now: f64) -> Option<f64> {
        let Some(before) = at.checked_sub(1) else { return Some(now) };
        let mark = self.done[before]?;
        (now - mark.at <= spec.max_step_gap + TIME_TOLERANCE).then_some(mark.start)
    }

    fn is_complete(&self, spec: &SequenceSpec, now: f64) -> bool {
        let Some(Some(last)) = self.done.last() else { return false };
        last.at == now && (spec.max_total <= 0.0 || now - last.start <= spec.max_total + TIME_TOLERANCE)
    }
}
