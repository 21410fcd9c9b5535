//! When an evaluator decides by itself.

use std::sync::Arc;

use super::budget::{Budget, Turn};
use super::evaluation::Purpose;
use super::machine::Frame;
use super::{Evaluator, TargetWish};
use crate::time::expired;

#[derive(Debug)]
#[repr(C)]
pub(super) struct Schedule {
    pub due: f64,
    pub requested: bool,
    /// How much longer the interval is because nobody looks.
    scale: f64,
    turn: Turn,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { due: 0.0, requested: false, scale: 1.0, turn: Turn::default() }
    }
}

impl Schedule {
    /// Nothing is decided any more, unless somebody asks or the time comes.
    pub fn rest(&mut self) {
        self.requested = false;
        self.leave_line();
    }

    /// What is due waits for its turn no more; it asks again when it can.
    pub fn leave_line(&mut self) {
        self.turn.give_up();
    }
}

/// How many times longer the interval of an agent is at this distance from the closest viewer: 1 up to `near`,
/// `longest` from `far` on. 1 without a viewer.
pub fn lod_scale(distance: Option<f64>, near: f64, far: f64, longest: f64) -> f64 {
    let Some(distance) = distance.filter(|distance| distance.is_finite()) else { return 1.0 };
    let share = if far > near {
        ((distance - near) / (far - near)).clamp(0.0, 1.0)
    } else {
        f64::from(u8::from(distance > near))
    };
    1.0 + (longest - 1.0) * share
}

impl Evaluator {
    /// Shares a budget of evaluations with others; `None`: decides whenever it is due.
    pub fn join_budget(&mut self, budget: Option<Arc<Budget>>) {
        self.schedule.turn.join(budget);
    }

    /// How many times longer than set the interval is from now on; see [`lod_scale`].
    pub fn set_interval_scale(&mut self, scale: f64) {
        self.schedule.scale = if scale.is_finite() { scale.max(0.0) } else { 1.0 };
    }

    /// True if a step of this length is one in which the interval is over.
    pub fn is_due_in(&self, delta: f64) -> bool {
        let auto = self.settings.auto_evaluate && self.is_active();
        auto && expired(self.memory.now + delta, self.schedule.due)
    }

    /// The evaluation that is due in a step of this length, if the budget has room for it.
    pub(super) fn due_evaluation(&mut self, delta: f64) -> Option<Frame> {
        let goes = self.takes_turn(delta);
        goes.then(|| self.new_evaluation(Purpose::Decide, TargetWish::Focus))
    }

    /// An evaluation is due in a step of this length, and the budget has room for it.
    pub(super) fn takes_turn(&mut self, delta: f64) -> bool {
        if !self.wants_evaluation(delta) {
            self.schedule.leave_line();
            return false;
        }
        // A step that a script made from inside a start or a decision: one decision at a time.
        if self.is_busy() || !self.schedule.turn.take() {
            self.schedule.requested = true;
            return false;
        }
        true
    }

    fn wants_evaluation(&mut self, delta: f64) -> bool {
        if self.selection_held {
            return false;
        }
        let asked = std::mem::take(&mut self.schedule.requested);
        let auto = self.settings.auto_evaluate;
        let due = auto && self.take_due_interval(delta);
        let after_end = auto && self.settings.evaluate_on_end && self.ended_in_step;
        self.is_active() && (asked || due || after_end) && self.can_decide()
    }

    /// True when the interval is over; the next one begins.
    fn take_due_interval(&mut self, delta: f64) -> bool {
        let now = self.memory.now;
        if !expired(now, self.schedule.due) {
            return false;
        }
        let interval = self.interval(delta);
        self.schedule.due += interval;
        if expired(now, self.schedule.due) {
            self.schedule.due = now + interval;
        }
        true
    }

    /// An interval of 0 counts as one step where it is made longer.
    fn interval(&self, delta: f64) -> f64 {
        let (interval, scale) = (self.settings.evaluation_interval.max(0.0), self.schedule.scale);
        let stretched = interval == 0.0 && scale > 1.0;
        (if stretched { delta } else { interval }) * scale
    }
}
