//! Rest after an action: until it is over nothing is chosen.

use super::Memory;
use crate::action::{ActionPlan, ActionRef, EndReason, Settings};
use crate::random::draw;
use crate::time::expired;

/// Counts until its end was told, which may be a step after it ran out.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::action) struct Recovery {
    active: bool,
    until: f64,
    /// Draws so far: the number of the next one.
    pub draws: u64,
}

impl Recovery {
    /// Rested, after so many draws.
    pub fn drawn(draws: u64) -> Self {
        Self { draws, ..Self::default() }
    }
}

impl Memory {
    /// Seconds left; 0 when rested.
    pub fn recovery_left(&self) -> f64 {
        // Mostly it is not even looked at.
        if self.soonest == f64::INFINITY {
            return 0.0;
        }
        let Recovery { active, until, .. } = self.recovery;
        if active && !expired(self.now, until) { until - self.now } else { 0.0 }
    }

    /// Rests for so long from now on. A rest that goes on longer is not cut: false.
    pub fn rest(&mut self, seconds: f64) -> bool {
        let until = (self.now + seconds).min(f64::MAX);
        let longer = seconds > 0.0 && (!self.recovery.active || until > self.recovery.until);
        if longer {
            (self.recovery.active, self.recovery.until) = (true, until);
            self.soonest = self.soonest.min(until);
        }
        longer
    }

    /// Ends the rest without waiting; true if there was one, which is to be told.
    pub fn clear_recovery(&mut self) -> bool {
        std::mem::take(&mut self.recovery.active)
    }

    /// Takes a rest that ran out; true once.
    pub fn take_recovered(&mut self) -> bool {
        let over = self.recovery.active && expired(self.now, self.recovery.until);
        self.recovery.active &= !over;
        over
    }

    /// When the rest ends, if there is one.
    pub(super) fn recovery_end(&self) -> f64 {
        if self.recovery.active { self.recovery.until } else { f64::INFINITY }
    }

    /// How long to rest after a run that ended like this. `overridden` is the action's own recovery time, `requested`
    /// what hooks asked for.
    pub fn recovery_after(
        &mut self,
        action: ActionRef,
        reason: EndReason,
        overridden: Option<f64>,
        requested: f64,
        settings: &Settings,
    ) -> f64 {
        let base = match reason {
            EndReason::Completed => self.spread(action, settings, overridden),
            EndReason::TimedOut => self.spread(action, settings, None),
            EndReason::Interrupted | EndReason::Cancelled => settings.interrupt_recovery_time,
            EndReason::Failed => return 0.0,
        };
        ((base + requested.max(0.0)).clamp(0.0, f64::MAX) * settings.recovery_scale).min(f64::MAX)
    }

    fn spread(&mut self, action: ActionRef, settings: &Settings, overridden: Option<f64>) -> f64 {
        let u = draw(self.seed, "recovery", self.record(action).id.name(), self.recovery.draws);
        self.recovery.draws += 1;
        let base = overridden.unwrap_or(settings.action_recovery_time);
        base * (1.0 + settings.action_recovery_randomization * (2.0 * u - 1.0))
    }

    /// Follow-ups of the action that completed may skip the rest now.
    pub fn follows_up(&self, plan: &ActionPlan, settings: &Settings) -> bool {
        let window = settings.chain_followup_window;
        let open = |chain: &&super::Chain| !expired(self.now, chain.opened + window);
        let chain = self.chain.as_ref().filter(open);
        chain.is_some_and(|chain| chain.from.chain_links.iter().any(|link| link.action == plan.id))
    }
}
