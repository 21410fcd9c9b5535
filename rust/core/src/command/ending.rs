//! Reports, ends, and what they do to the waiting orders.

use std::collections::BTreeSet;

use super::effect::Item;
use super::order::{Mark, Order, OrderData, Orders};
use super::state::{Commands, Current, Intent};
use super::waiting::Place;
use super::{FailurePolicy, Phase, Reason, RunResult};
use crate::time::expired;

impl<D: OrderData> Commands<D> {
    /// An execution tells its end. False and without effect if it is not the living start, or that is no result.
    pub fn report(&mut self, execution: u64, result: RunResult, reason: Reason) -> bool {
        if !self.is_living(execution) || matches!(result, RunResult::None | RunResult::Dropped) {
            return false;
        }
        self.look_ahead();
        if self.phase == Phase::Cancelling {
            self.answer_cancel(result, reason);
        } else {
            self.take_result(result, reason);
        }
        true
    }

    /// Reads a word of everything that the end is about to use: with many agents all of it comes from far, and so it comes
    /// together.
    fn look_ahead(&self) {
        let word = |slot: u32| self.orders.word(slot);
        let (front, next) = (self.waiting.front(), word(self.waiting.first_slot()));
        let back = self.waiting.back().map_or(0, |place| place.id);
        let item = self.items.first();
        std::hint::black_box((word(self.current.slot), word(self.last), front, next, back, item));
    }

    /// A report without a cancel.
    pub(super) fn take_result(&mut self, result: RunResult, reason: Reason) {
        let slot = self.current.slot;
        let decided = self.current.is_decided();
        if result == RunResult::Failed && !decided && self.may_retry() {
            return self.wait_for_retry();
        }
        self.end_current(result, reason_of(result, reason));
        if decided {
            self.free_from(self.orders[slot].id);
        } else {
            self.consequences(slot, result);
        }
        self.queue_handover();
    }

    /// The answer to a cancel.
    pub(super) fn answer_cancel(&mut self, result: RunResult, reason: Reason) {
        let slot = self.current.slot;
        let intent = std::mem::take(&mut self.current.intent);
        match (intent, result) {
            (Intent::End(decided), RunResult::Cancelled) => {
                let why = std::mem::take(&mut self.current.cancel_reason);
                self.end_current(decided, why);
            }
            (Intent::Suspend(waits_for), RunResult::Cancelled) => self.suspend(waits_for),
            (Intent::Retry, RunResult::Cancelled | RunResult::Failed) => return self.wait_for_retry(),
            (Intent::Retarget, RunResult::Cancelled) => return self.start_on_new_target(),
            (Intent::Retarget, RunResult::Failed) if self.may_retry() => {
                self.apply_retarget();
                return self.wait_for_retry();
            }
            (Intent::Retarget, RunResult::Failed) => {
                self.end_current(result, reason_of(result, reason));
                self.consequences(slot, result);
                return self.queue_handover();
            }
            _ => self.end_current(result, reason_of(result, reason)),
        }
        if self.orders[slot].result != RunResult::None {
            self.free_from(self.orders[slot].id);
        }
        self.queue_handover();
    }

    pub(super) fn may_retry(&self) -> bool {
        let slot = self.current.slot;
        self.orders.retries(slot) < self.orders[slot].extra().retry_count
    }

    /// It failed and is tried again.
    fn wait_for_retry(&mut self) {
        let slot = self.current.slot;
        let delay = self.orders[slot].extra().retry_delay;
        self.orders.set_retries(slot, self.orders.retries(slot).saturating_add(1));
        self.wait_for_start(delay);
    }

    fn start_on_new_target(&mut self) {
        self.apply_retarget();
        self.wait_for_start(0.0);
        self.current.same_attempt = true;
    }

    fn wait_for_start(&mut self, delay: f64) {
        self.stop_execution();
        self.phase = Phase::RetryWait;
        self.current.mark = self.now + delay;
        self.current.intent = Intent::None;
        if expired(self.now, self.current.mark) {
            self.queue_restart();
        }
    }

    pub(super) fn queue_restart(&mut self) {
        if !self.current.restart_queued {
            self.current.restart_queued = true;
            self.push(Item::Restart(self.current.slot));
        }
    }

    pub(super) fn apply_retarget(&mut self) {
        if let Some(data) = self.current.retarget.take() {
            self.orders[self.current.slot].data = Some(data);
        }
    }

    /// The living start is over.
    pub(super) fn stop_execution(&mut self) {
        let execution = std::mem::take(&mut self.current.execution);
        if execution == 0 {
            return;
        }
        let slot = self.current.slot;
        let age = self.now - self.current.started_at;
        let order = &mut self.orders[slot];
        order.age = age as f32;
        if order.rules.tells_left {
            self.push(Item::Left(slot, execution));
        }
    }

    /// The current order has ended. The caller sees to the queue.
    pub(super) fn end_current(&mut self, result: RunResult, reason: Reason) {
        self.stop_execution();
        let slot = std::mem::replace(&mut self.current, Current::nobody()).slot;
        self.phase = Phase::Handover;
        self.orders.release(std::mem::replace(&mut self.last, slot));
        self.end_order(slot, result, reason);
    }

    /// Takes the current order off the agent; it comes back after that other one.
    pub(super) fn suspend(&mut self, waits_for: u64) {
        self.apply_retarget();
        self.stop_execution();
        let slot = std::mem::replace(&mut self.current, Current::nobody()).slot;
        let behind = self.waiting.index_of(waits_for).filter(|_| waits_for != 0);
        let order = &mut self.orders[slot];
        order.mark(Mark::Suspended, true);
        self.orders.set_waits_for(slot, if behind.is_some() { waits_for } else { 0 });
        let place = self.orders.place(slot, true);
        self.waiting.insert(behind.map_or(0, |index| index + 1), place);
        self.push(Item::Suspended(slot));
    }

    /// What the end of an order does to those that wait.
    pub(super) fn consequences(&mut self, slot: u32, result: RunResult) {
        let Order { id, rules, .. } = self.orders[slot];
        if rules.is_success(result) {
            self.free_from(id);
        } else if result != RunResult::Failed {
            self.drop_all(&Reason::ChainCancelled);
        } else if rules.failure == FailurePolicy::Clear {
            self.drop_all(&Reason::ChainFailed);
        } else if self.waiting.suspended() > 0 {
            self.doom_waiters(id);
            self.drop_doomed(&Reason::NotRestored);
        }
    }

    /// Nobody waits for this order any more.
    pub(super) fn free_from(&mut self, id: u64) {
        if self.current.intent == Intent::Suspend(id) {
            self.current.intent = Intent::Suspend(0);
        }
        if self.waiting.suspended() == 0 {
            return;
        }
        for place in self.waiting.iter().filter(|place| place.suspended) {
            if self.orders.waits_for(place.slot) == id {
                self.orders.set_waits_for(place.slot, 0);
            }
        }
    }

    /// Ends a waiting order, and no other.
    pub(super) fn end_waiting_at(&mut self, index: usize, reason: Reason) {
        let Some(place) = self.waiting.remove(index) else { return };
        self.free_from(place.id);
        self.end_place(place, reason);
    }

    /// Ends all waiting orders, front to back; how many.
    pub(super) fn drop_all(&mut self, reason: &Reason) -> usize {
        let count = self.waiting.len();
        if let Intent::Suspend(id) = self.current.intent
            && self.waiting.index_of(id).is_some()
        {
            self.current.intent = Intent::Suspend(0);
        }
        // Who waits for one of them goes too: freeing each from each would take a square of them.
        while let Some(place) = self.waiting.pop_front() {
            self.end_place(place, reason.clone());
        }
        count
    }

    /// Marks the orders that are to go.
    pub(super) fn doom(&mut self, goes: impl Fn(&Orders<D>, u32, usize) -> bool) {
        for (index, place) in self.waiting.iter().enumerate() {
            let doomed = goes(&self.orders, place.slot, index);
            self.orders[place.slot].mark(Mark::Doomed, doomed);
        }
    }

    /// Marks those that wait for an order, and those that wait for these.
    fn doom_waiters(&mut self, id: u64) {
        self.doom(|orders, slot, _| orders.waits_for(slot) == id);
        let mut doomed = self.doomed();
        // Who waits stands behind, except in a state that somebody made by hand: the second round finds no more.
        loop {
            let known = doomed.len();
            for place in self.waiting.iter().filter(|place| place.suspended) {
                if doomed.contains(&self.orders.waits_for(place.slot)) && doomed.insert(place.id) {
                    self.orders[place.slot].mark(Mark::Doomed, true);
                }
            }
            if doomed.len() == known {
                return;
            }
        }
    }

    /// The numbers of the marked orders.
    fn doomed(&self) -> BTreeSet<u64> {
        let marked = self.waiting.iter().filter(|place| self.orders[place.slot].is(Mark::Doomed));
        marked.map(|place| place.id).collect()
    }

    /// Ends the marked orders, front to back; how many.
    pub(super) fn drop_doomed(&mut self, reason: &Reason) -> usize {
        let count = self.waiting.len();
        self.free_from_all(&self.doomed());
        for _ in 0..count {
            let Some(place) = self.waiting.pop_front() else { break };
            if self.orders[place.slot].is(Mark::Doomed) {
                self.end_place(place, reason.clone());
            } else {
                self.waiting.push_back(place);
            }
        }
        count - self.waiting.len()
    }

    /// As [`Self::free_from`] of each of them.
    fn free_from_all(&mut self, ids: &BTreeSet<u64>) {
        if let Intent::Suspend(id) = self.current.intent
            && ids.contains(&id)
        {
            self.current.intent = Intent::Suspend(0);
        }
        for place in self.waiting.iter().filter(|place| place.suspended) {
            if ids.contains(&self.orders.waits_for(place.slot)) {
                self.orders.set_waits_for(place.slot, 0);
            }
        }
    }

    pub(super) fn end_place(&mut self, place: Place, reason: Reason) {
        let started = self.orders[place.slot].is(Mark::Started);
        let result = if started { RunResult::Cancelled } else { RunResult::Dropped };
        if started {
            self.orders.keep(place.slot);
            self.orders.release(std::mem::replace(&mut self.last, place.slot));
        }
        self.end_order(place.slot, result, reason);
        self.orders.release(place.slot);
    }

    fn end_order(&mut self, slot: u32, result: RunResult, reason: Reason) {
        let order = &mut self.orders[slot];
        order.result = result;
        order.mark(Mark::Suspended, false);
        order.mark(Mark::Doomed, false);
        self.orders.set_reason(slot, reason);
        self.push(Item::Ended(slot));
    }
}

/// The reason of a report that gave none.
fn reason_of(result: RunResult, reason: Reason) -> Reason {
    match result {
        RunResult::Failed => reason.or(Reason::Failed),
        RunResult::Cancelled => reason.or(Reason::SelfCancelled),
        _ => reason,
    }
}
