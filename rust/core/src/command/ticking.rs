//! Time, and the tree.

use super::effect::{Item, Step};
use super::order::{NOBODY, OrderData};
use super::state::{Commands, Current, Hold, Intent};
use super::{LostPolicy, Phase, Reason, RunResult};
use crate::time::expired;

/// What a driver looked up for a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// The node that the living start watches is gone.
    pub watched_gone: bool,
    /// All targets of the current order are gone.
    pub targets_lost: bool,
}

/// The clock of an agent that has nothing to do but to wait: for its execution, for a limit of time, or for the loss of a target.
///
/// Taken with [`Commands::steady`], moved without the machine, and given back with [`Commands::catch_up`] before that is asked or
/// told anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    now: f64,
    until: f64,
}

impl Steady {
    /// Moves the time as [`Commands::tick`] would. False and without effect if that has more to do.
    pub fn pass(&mut self, dt: f64) -> bool {
        let now = self.now + dt;
        let passes = !expired(now, self.until);
        if passes {
            self.now = now;
        }
        passes
    }
}

impl<D: OrderData> Commands<D> {
    /// The clock, if all that a tick would do is to move it, as long as targets and watched nodes are there.
    pub fn steady(&self) -> Option<Steady> {
        let waits = self.phase == Phase::Running
            && self.has_current()
            && self.turn.hold != Hold::Limit
            && !self.turn.running
            && self.items.is_empty();
        if !waits {
            return None;
        }
        let time_limit = self.orders[self.current.slot].extra().time_limit;
        let until = if time_limit > 0.0 { self.current.started_at + time_limit } else { f64::INFINITY };
        Some(Steady { now: self.now, until })
    }

    /// Takes over the time that passed since [`Self::steady`], or since the last time.
    pub fn catch_up(&mut self, steady: Steady) {
        self.now = steady.now;
    }

    /// Moves the time. False and without effect from inside a turn. The caller then runs the turn.
    pub fn tick(&mut self, dt: f64, readings: Readings) -> bool {
        if self.turn.running {
            return false;
        }
        self.now += dt;
        if self.turn.hold == Hold::Limit {
            self.release_hold(Hold::Limit);
            return true;
        }
        if !self.has_current() {
            return true;
        }
        let order = &self.orders[self.current.slot];
        let (policy, time_limit) = (order.rules.lost, order.extra().time_limit);
        let lost = readings.targets_lost && policy != LostPolicy::Continue;
        let started_at = self.current.started_at;
        match self.phase {
            Phase::Running if readings.watched_gone => {
                self.take_result(RunResult::Failed, Reason::ExecutorFreed)
            }
            Phase::Running | Phase::RetryWait if lost => self.lose_targets(policy),
            Phase::Running if time_limit > 0.0 && expired(self.now, started_at + time_limit) => {
                self.time_out();
            }
            Phase::Cancelling if readings.watched_gone => {
                self.answer_cancel(RunResult::Cancelled, Reason::None);
            }
            Phase::Cancelling if expired(self.now, self.current.mark + self.cancel_timeout()) => {
                self.give_cancel_up();
            }
            Phase::RetryWait if expired(self.now, self.current.mark) => self.queue_restart(),
            _ => {}
        }
        true
    }

    /// Time or the life of a node can change something, so ticks are needed.
    pub fn wants_tick(&self) -> bool {
        match self.phase {
            Phase::Idle => false,
            Phase::Handover => self.turn.hold == Hold::Limit,
            Phase::Cancelling | Phase::RetryWait => true,
            Phase::Running => {
                let order = &self.orders[self.current.slot];
                let targets = order.data.as_ref().is_some_and(D::has_targets);
                self.current.watched || targets || order.extra().time_limit > 0.0
            }
        }
    }

    /// The end of a node is the end of this start; false: it is not the living one.
    pub fn watch(&mut self, execution: u64) -> bool {
        let living = self.is_living(execution);
        self.current.watched |= living;
        living
    }

    /// The agent leaves the tree. The caller runs [`Self::next_effect`] until nothing is left, even if it is in a turn. `ends`: all
    /// orders end; else all stands still until it is back.
    pub fn leave_tree(&mut self, ends: bool) {
        self.turn.closing = Reason::AgentRemoved;
        self.shut(ends);
    }

    /// Another peer decides for the agent from now on: all orders end here. As [`Self::leave_tree`]; the caller then calls
    /// [`Self::enter_tree`].
    pub fn lose_authority(&mut self) {
        self.turn.closing = Reason::NotAuthority;
        self.shut(true);
    }

    /// This peer decides for the agent from now on. Orders and starts get higher numbers than those that it was told of.
    pub fn number_from(&mut self, orders: u64, starts: u64) {
        self.next_command = self.next_command.max(orders + 1);
        self.next_execution = self.next_execution.max(starts + 1);
    }

    fn shut(&mut self, ends: bool) {
        self.inside = false;
        self.turn.outer = self.turn.running;
        self.begin_turn();
        self.turn.asked = None;
        self.turn.ready = None;
        if ends {
            self.push(Item::Close);
        } else if self.phase == Phase::Handover {
            self.turn.handover_queued = true;
            self.push(Item::Handover);
        }
    }

    /// The agent is in the tree. The caller then runs the turn.
    pub fn enter_tree(&mut self) {
        self.inside = true;
        self.release_hold(Hold::Off);
    }

    /// Whether the agent is in the tree.
    pub fn is_inside(&self) -> bool {
        self.inside
    }

    fn cancel_timeout(&self) -> f64 {
        let own = self.orders[self.current.slot].extra().cancel_timeout;
        if own < 0.0 { self.settings.cancel_timeout } else { own }
    }

    fn time_out(&mut self) {
        let slot = self.current.slot;
        if self.current.is_decided() {
            return self.begin_cancel(Intent::End(RunResult::Failed), Reason::TimedOut);
        }
        if self.may_retry() {
            return self.begin_cancel(Intent::Retry, Reason::TimedOut);
        }
        self.consequences(slot, RunResult::Failed);
        self.begin_cancel(Intent::End(RunResult::Failed), Reason::TimedOut);
    }

    fn lose_targets(&mut self, policy: LostPolicy) {
        match policy {
            LostPolicy::Continue => {}
            LostPolicy::Retarget if !self.current.is_decided() => {
                self.push(Item::FindTarget(self.current.slot))
            }
            LostPolicy::Succeed => self.end_for_target(RunResult::Succeeded),
            LostPolicy::Fail | LostPolicy::Retarget => self.end_for_target(RunResult::Failed),
        }
    }

    fn end_for_target(&mut self, result: RunResult) {
        let slot = self.current.slot;
        if !self.current.is_decided() {
            self.consequences(slot, result);
        }
        if self.phase == Phase::RetryWait {
            self.end_current(result, Reason::TargetLost);
            return self.queue_handover();
        }
        self.begin_cancel(Intent::End(result), Reason::TargetLost);
    }

    /// The answer to a search for another target of the current order.
    pub(super) fn take_new_target(&mut self, slot: u32, execution: u64, found: Option<D>) {
        let same = self.current.slot == slot && self.current.execution == execution;
        if !same || !matches!(self.phase, Phase::Running | Phase::RetryWait) {
            return;
        }
        let Some(data) = found.filter(|_| !self.current.is_decided()) else {
            return self.end_for_target(RunResult::Failed);
        };
        if self.phase == Phase::RetryWait {
            self.orders[slot].data = Some(data);
            return;
        }
        self.current.retarget = Some(data);
        self.begin_cancel(Intent::Retarget, Reason::TargetLost);
    }

    /// The execution did not answer the cancel in time.
    fn give_cancel_up(&mut self) {
        let slot = self.current.slot;
        self.push(Item::TimedOut(slot));
        let intent = std::mem::take(&mut self.current.intent);
        let (result, undecided) = match intent {
            Intent::End(result) => (result, false),
            Intent::Retry | Intent::Retarget => (RunResult::Failed, true),
            Intent::Suspend(_) | Intent::None => (RunResult::Cancelled, false),
        };
        self.end_current(result, Reason::CancelTimeout);
        if undecided {
            self.consequences(slot, result);
        } else {
            self.free_from(self.orders[slot].id);
        }
        self.queue_handover();
    }

    /// The agent leaves the tree, and all before that was told: lets the execution stop, without waiting for it.
    pub(super) fn close(&mut self) -> Option<Step> {
        self.push(Item::ForceEnd);
        if self.phase != Phase::Running {
            return None;
        }
        self.phase = Phase::Cancelling;
        self.current.intent = Intent::End(RunResult::Cancelled);
        self.current.cancel_reason = self.turn.closing.clone();
        self.current.cancel_told = true;
        Some(self.cancel_effect())
    }

    pub(super) fn force_end(&mut self) {
        if self.has_current() {
            self.end_current(RunResult::Cancelled, self.turn.closing.clone());
        }
        let why = self.turn.closing.clone();
        self.drop_all(&why);
        self.current = Current::nobody();
        self.phase = Phase::Idle;
        self.turn.hold = Hold::None;
        self.idle_told = true;
        self.announce(NOBODY);
    }
}
