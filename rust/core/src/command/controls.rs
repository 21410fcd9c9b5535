//! Controls: how orders are taken away.

use super::entries::{Receipt, Settle};
use super::order::OrderData;
use super::state::{Commands, Intent};
use super::{Outcome, Phase, Reason, RunResult};

impl<D: OrderData> Commands<D> {
    /// Ends one order, wherever it is; 0: the current one.
    pub fn cancel(&mut self, id: u64) -> Receipt {
        if self.is_exhausted() {
            return Receipt::rejected(Reason::RecursionLimit);
        }
        if let Some(index) = self.waiting.index_of(id) {
            self.end_waiting_at(index, Reason::Cancelled);
            return Receipt::applied();
        }
        if !self.has_current() || (id != 0 && self.orders[self.current.slot].id != id) {
            return Receipt::no_change(if id == 0 { Reason::NoCurrent } else { Reason::UnknownCommand });
        }
        if !self.is_stoppable() {
            return Receipt::rejected(Reason::NotCancelable);
        }
        let retried = matches!(self.current.intent, Intent::Retry | Intent::Retarget);
        if self.phase != Phase::Cancelling || retried {
            self.consequences(self.current.slot, RunResult::Cancelled);
        }
        self.stop(Reason::Cancelled)
    }

    /// Ends the current order; the queue goes on.
    pub fn skip(&mut self) -> Receipt {
        if self.is_exhausted() {
            return Receipt::rejected(Reason::RecursionLimit);
        }
        if !self.has_current() {
            return Receipt::no_change(Reason::NoCurrent);
        }
        if !self.is_stoppable() {
            return Receipt::rejected(Reason::NotCancelable);
        }
        if self.phase != Phase::Cancelling {
            self.free_from(self.orders[self.current.slot].id);
        }
        self.stop(Reason::Skipped)
    }

    /// Ends the waiting orders, or those of one source.
    pub fn clear_queue(&mut self, source: Option<&D::Source>) -> Receipt {
        if self.is_exhausted() {
            return Receipt::rejected(Reason::RecursionLimit);
        }
        let dropped = match source {
            None => self.drop_all(&Reason::Cleared),
            Some(source) => {
                let of_source = |data: &D| data.source() == source;
                self.doom(|orders, slot, _| orders[slot].data.as_ref().is_some_and(of_source));
                self.drop_doomed(&Reason::Cleared)
            }
        };
        if dropped == 0 { Receipt::no_change(Reason::QueueEmpty) } else { Receipt::applied() }
    }

    /// Ends the waiting orders, then the current one, as soon as it may be stopped.
    pub fn clear(&mut self) -> Receipt {
        if self.is_exhausted() {
            return Receipt::rejected(Reason::RecursionLimit);
        }
        let dropped = self.drop_all(&Reason::Cleared) > 0;
        if !self.has_current() {
            return if dropped { Receipt::applied() } else { Receipt::no_change(Reason::NothingToClear) };
        }
        match self.phase {
            Phase::Running if !self.current.cancelable => {
                let already = !self.current.end_requested.is_none();
                self.stop_current(RunResult::Cancelled, Reason::Cleared);
                match already && !dropped {
                    true => Receipt::no_change(Reason::AlreadyEnding),
                    false => self.pending(Reason::WaitsForCurrent),
                }
            }
            Phase::Cancelling => match self.give_up(Reason::Cleared) || dropped {
                true => self.pending(Reason::WaitsForCancel),
                false => Receipt::no_change(Reason::AlreadyCancelling),
            },
            _ => self.stop(Reason::Cleared),
        }
    }

    /// Ends one waiting order by its place, 0 = next.
    pub fn remove_at(&mut self, index: i64) -> Receipt {
        self.remove_range(index, 1)
    }

    /// Ends waiting orders by their place, as far as there are so many.
    pub fn remove_range(&mut self, from: i64, count: i64) -> Receipt {
        if self.is_exhausted() {
            return Receipt::rejected(Reason::RecursionLimit);
        }
        let length = self.waiting.len() as i64;
        if from < 0 || from >= length || count <= 0 {
            return Receipt::no_change(Reason::BadIndex);
        }
        let wanted = from as usize..from.saturating_add(count).min(length) as usize;
        self.doom(|_, _, index| wanted.contains(&index));
        self.drop_doomed(&Reason::Removed);
        Receipt::applied()
    }

    /// Ends the last waiting order.
    pub fn remove_last(&mut self) -> Receipt {
        if self.waiting.is_empty() && !self.is_exhausted() {
            return Receipt::no_change(Reason::QueueEmpty);
        }
        self.remove_range(self.waiting.len() as i64 - 1, 1)
    }

    /// Lets the living start be stopped, or not, for the rest of it; false: it is not running.
    pub fn set_cancelable(&mut self, execution: u64, cancelable: bool) -> bool {
        if !self.is_living(execution) || self.phase != Phase::Running {
            return false;
        }
        self.current.cancelable = cancelable;
        if cancelable && !self.current.end_requested.is_none() {
            let reason = self.current.end_requested.clone();
            self.begin_cancel(Intent::End(RunResult::Cancelled), reason);
        }
        true
    }

    fn stop(&mut self, reason: Reason) -> Receipt {
        let id = self.orders[self.current.slot].id;
        if self.phase == Phase::Cancelling {
            return match self.give_up(reason) {
                true => self.pending(Reason::WaitsForCancel),
                false => Receipt::no_change(Reason::AlreadyCancelling),
            };
        }
        self.stop_current(RunResult::Cancelled, reason);
        if self.is_ended(id) { Receipt::applied() } else { self.pending(Reason::WaitsForCancel) }
    }

    fn pending(&self, reason: Reason) -> Receipt {
        let id = self.key(self.current.slot).map_or(0, |key| key.id);
        let settle = if self.turn.running { Settle::Final } else { Settle::Stop(id) };
        Receipt { outcome: Outcome::Pending, reason, command: 0, settle }
    }
}
