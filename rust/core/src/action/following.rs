//! An evaluator that another peer decides for: its clock and timers go on, everything else is told to it.

use super::machine::{Frame, Outcome};
use super::step::StepFrame;
use super::{ActionId, ActionRef, Evaluator, RunId};

impl Evaluator {
    /// Begins without deciding anything: no spawn cooldowns, nothing told. False if begun already.
    pub fn start_following(&mut self) -> bool {
        if std::mem::replace(&mut self.started, true) {
            return false;
        }
        self.schedule.due = self.memory.now;
        for entry in &self.list.clone().entries {
            self.memory.record_mut(entry.action).spawned = true;
        }
        true
    }

    /// One step of game time: clock and expired timers only.
    pub fn step_clock(&mut self, delta: f64) {
        self.machine.outcome = Outcome::None;
        if self.is_active() && delta > 0.0 && delta.is_finite() {
            self.machine.push(Frame::Step(StepFrame::clock(delta)), false);
        }
    }

    /// A cooldown as the deciding peer has it, without a word; 0 lets one that runs expire at the next step.
    pub fn follow_cooldown(&mut self, name: &str, seconds: f64) -> ActionRef {
        let action = self.memory.find(name).unwrap_or_else(|| self.memory.meet(&ActionId::new(name)));
        self.memory.set_cooldown(action, seconds);
        action
    }

    /// This peer decides from now on; run ids go on after those of the peer before.
    pub fn take_over(&mut self, last_run: RunId) {
        self.next_run = self.next_run.max(last_run);
        self.schedule.due = self.memory.now;
    }
}
