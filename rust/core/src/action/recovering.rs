//! Cooldowns and rest between actions, and holding the choice.

use super::machine::Frame;
use super::step::ListFrame;
use super::{ActionRef, Evaluator, Event, Question, RunId};

impl Evaluator {
    /// Starts a cooldown, or with 0 seconds ends it.
    pub fn set_cooldown(&mut self, action: ActionRef, seconds: f64) {
        if seconds > 0.0 {
            self.memory.set_cooldown(action, seconds);
            self.tell(vec![Event::CooldownStarted(action, seconds)]);
        } else {
            self.reset_cooldown(action);
        }
    }

    /// Ends a cooldown; false if there was none.
    pub fn reset_cooldown(&mut self, action: ActionRef) -> bool {
        let was = self.memory.reset_cooldown(action);
        if was {
            self.tell(vec![Event::CooldownExpired(action)]);
        }
        was
    }

    /// Ends all cooldowns.
    pub fn reset_all_cooldowns(&mut self) {
        let all = self.memory.listing_order();
        let ended = all.into_iter().filter(|action| self.memory.reset_cooldown(*action));
        let events = ended.map(Event::CooldownExpired).collect();
        self.tell(events);
    }

    /// Forgets cooldowns, recovery, novelty, chain and repeat counters.
    pub fn reset_state(&mut self) {
        self.memory.forget_uses();
        self.reset_all_cooldowns();
        self.clear_recovery();
    }

    /// Seconds left of the recovery; 0 when rested.
    pub fn recovery_left(&self) -> f64 {
        self.memory.recovery_left()
    }

    /// Adds to what is left of the recovery. False for what is no positive number.
    pub fn add_recovery(&mut self, seconds: f64) -> bool {
        let sound = seconds.is_finite() && seconds > 0.0;
        if sound {
            let left = (self.memory.recovery_left() + seconds).min(f64::MAX);
            self.memory.rest(left);
            self.tell(vec![Event::RecoveryStarted(left)]);
        }
        sound
    }

    /// Ends the recovery; false if there was none.
    pub fn clear_recovery(&mut self) -> bool {
        let was = self.memory.clear_recovery();
        if was {
            self.tell(vec![Event::RecoveryEnded]);
        }
        was
    }

    /// A hook wants this run to be followed by so much more recovery. False if there is no such run or its end is settled.
    pub fn request_recovery(&mut self, id: RunId, seconds: f64) -> bool {
        let run = [self.starting.as_mut(), self.run.as_mut()].into_iter().flatten().find(|run| run.id == id);
        let sound = seconds.is_finite() && seconds >= 0.0;
        run.filter(|_| sound).map(|run| run.requested_recovery += seconds).is_some()
    }

    /// While the selection is held nothing is evaluated; what runs goes on, and forced starts work.
    pub fn hold_selection(&mut self, held: bool) {
        self.selection_held = held;
    }

    /// The numbers of an action that follow attributes, read again.
    pub(super) fn numbers(&self, run: RunId) -> Option<Frame> {
        let run = self.run(run).filter(|run| !run.plan.bindings.is_empty())?;
        Some(Frame::List(ListFrame::new(vec![Question::Numbers(run.action)])))
    }
}
