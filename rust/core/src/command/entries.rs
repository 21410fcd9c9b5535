//! Requests: how an order comes in.

use super::effect::Item;
use super::order::{Mark, NewOrder, OrderData, OrderKey};
use super::state::{Commands, Hold, Intent};
use super::waiting::Place;
use super::{EndlessPolicy, Entry, OrderPlan, Outcome, Phase, Reason, RunResult, SameRequest};

/// What became of a request or a control.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// What.
    pub outcome: Outcome,
    /// Why; none for started and applied.
    pub reason: Reason,
    /// The new order's number; 0: none.
    pub command: u64,
    pub(super) settle: Settle,
}

/// What a turn can still change about a receipt.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Settle {
    #[default]
    Final,
    /// Was it started?
    Start(OrderKey, bool),
    /// Has it ended?
    Stop(u64),
}

impl Receipt {
    /// Refused.
    pub fn rejected(reason: Reason) -> Self {
        Self { reason, ..Self::default() }
    }

    pub(super) fn no_change(reason: Reason) -> Self {
        Self { outcome: Outcome::NoChange, reason, ..Self::default() }
    }

    pub(super) fn applied() -> Self {
        Self { outcome: Outcome::Applied, ..Self::default() }
    }

    /// Nothing was changed by it.
    pub fn is_rejected(&self) -> bool {
        self.outcome == Outcome::Rejected
    }

    /// An order came in.
    pub fn is_accepted(&self) -> bool {
        matches!(self.outcome, Outcome::Started | Outcome::Queued)
    }
}

/// The endless order that a new one would stand directly behind.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ahead {
    Nothing,
    Current(EndlessPolicy),
    Last(EndlessPolicy),
}

impl<D: OrderData> Commands<D> {
    /// A request. The caller then runs the turn, if none runs, and settles the receipt.
    pub fn submit(&mut self, entry: Entry, new: NewOrder<D>) -> Receipt {
        match self.judge(entry, &new.plan, &new.data) {
            Some(receipt) if receipt.reason == Reason::AlreadyRunning => {
                self.keep_running();
                receipt
            }
            Some(receipt) => receipt,
            None => match entry {
                Entry::Issue => self.issue(new),
                Entry::Enqueue | Entry::InsertNext => self.add(entry, new),
                Entry::Interrupt => self.interrupt(new),
            },
        }
    }

    /// The first as if issued and the rest behind it; if one is refused nothing changes.
    pub fn replace(&mut self, news: Vec<NewOrder<D>>) -> Vec<Receipt> {
        let mut receipts = Vec::with_capacity(news.len());
        let Some(first) = news.first() else { return receipts };
        let judged = self.judge(Entry::Issue, &first.plan, &first.data);
        let keeps = judged.as_ref().is_some_and(|receipt| !receipt.is_rejected());
        let waiting =
            news.len() - usize::from(judged.as_ref().is_some_and(|r| r.reason == Reason::AlreadyRunning));
        let room = self.settings.max_queue_length as usize;
        let refused = judged.as_ref().filter(|receipt| receipt.is_rejected()).cloned();
        if refused.is_some() || waiting > room {
            let fits = news.len() - waiting.saturating_sub(room);
            let reason = |at: usize| if at < fits { Reason::NotAtomic } else { Reason::QueueFull };
            receipts.extend((0..news.len()).map(|at| Receipt::rejected(reason(at))));
            if let Some(refused) = refused {
                receipts[0] = refused;
            }
            return receipts;
        }
        let mut endless_before = first.plan.endless;
        for (at, new) in news.into_iter().enumerate() {
            let endless = std::mem::replace(&mut endless_before, new.plan.endless);
            receipts.push(match at {
                0 if keeps => self.submit(Entry::Issue, new),
                0 => self.issue(new),
                _ => {
                    let key = self.accept(new, false);
                    self.receipt_for(key, endless)
                }
            });
        }
        receipts
    }

    /// What a request would bring, without any effect, if executions answer a cancel at once.
    pub fn check(&self, entry: Entry, new: &NewOrder<D>) -> Receipt {
        if let Some(receipt) = self.judge(entry, &new.plan, &new.data) {
            return receipt;
        }
        let ahead = self.ahead(entry);
        let stops =
            matches!(entry, Entry::Issue | Entry::Interrupt) || ahead == Ahead::Current(EndlessPolicy::End);
        let starts = match self.phase {
            Phase::Idle => true,
            Phase::Running => stops && self.current.cancelable,
            Phase::RetryWait => stops,
            Phase::Cancelling | Phase::Handover => false,
        };
        if starts && !self.turn.running {
            return Receipt { outcome: Outcome::Started, ..Receipt::default() };
        }
        let waits = matches!(ahead, Ahead::Current(EndlessPolicy::Wait) | Ahead::Last(EndlessPolicy::Wait));
        let reason = match self.phase {
            _ if waits => Reason::BehindEndless,
            Phase::Running if stops && self.current.cancelable => Reason::WaitsForCancel,
            Phase::Running if stops => Reason::WaitsForCurrent,
            Phase::RetryWait if stops => Reason::Handover,
            Phase::Idle => Reason::Handover,
            _ => self.queued_reason(),
        };
        Receipt { outcome: Outcome::Queued, reason, ..Receipt::default() }
    }

    /// A request was refused, by this machine or before: that is told in its place.
    pub fn refuse(&mut self, number: u64) {
        self.push(Item::Rejected(number));
    }

    /// The receipt after the turn of its call.
    pub fn settle(&self, mut receipt: Receipt) -> Receipt {
        match std::mem::take(&mut receipt.settle) {
            Settle::Start(key, _) if self.turn.started.contains(&key.id) => {
                receipt.outcome = Outcome::Started;
                receipt.reason = Reason::None;
            }
            Settle::Start(key, false) if self.is_waiting(key) => {
                receipt.reason = self.queued_reason();
            }
            Settle::Stop(id) if self.is_ended(id) => receipt = Receipt::applied(),
            _ => {}
        }
        receipt
    }

    fn is_waiting(&self, key: OrderKey) -> bool {
        let living = self.orders.by_key(key).is_some_and(|order| order.result == RunResult::None);
        living && self.current.slot != key.slot
    }

    /// The checks that look at the state; `None`: it comes in.
    fn judge(&self, entry: Entry, plan: &OrderPlan, data: &D) -> Option<Receipt> {
        if let Some(reason) = self.refusal(entry, data) {
            return Some(Receipt::rejected(reason));
        }
        if entry != Entry::Issue || plan.same != SameRequest::Keep {
            return None;
        }
        let same = |slot: u32| self.orders[slot].data.as_ref().is_some_and(|known| known.same_request(data));
        if matches!(self.phase, Phase::Running | Phase::RetryWait) && same(self.current.slot) {
            return Some(Receipt::no_change(Reason::AlreadyRunning));
        }
        let only = self.waiting.front().filter(|_| self.waiting.len() == 1 && self.has_current())?;
        let waits = self.current.is_decided() && !self.orders[only.slot].is(Mark::Started) && same(only.slot);
        waits.then(|| Receipt::no_change(Reason::AlreadyWaiting))
    }

    fn refusal(&self, entry: Entry, data: &D) -> Option<Reason> {
        if !self.enabled {
            return Some(Reason::Disabled);
        }
        if !self.inside {
            return Some(Reason::OutsideTree);
        }
        if self.is_exhausted() {
            return Some(Reason::RecursionLimit);
        }
        if entry == Entry::Issue {
            return self.belongs_to_others(data.source()).then_some(Reason::InsertOnlySource);
        }
        if entry == Entry::Interrupt && !self.is_stoppable() {
            return Some(Reason::NotCancelable);
        }
        let ahead = self.ahead(entry);
        if matches!(ahead, Ahead::Current(EndlessPolicy::Reject) | Ahead::Last(EndlessPolicy::Reject)) {
            return Some(Reason::BehindEndless);
        }
        let last = self.waiting.back().filter(|_| ahead == Ahead::Last(EndlessPolicy::End));
        let freed = usize::from(last.is_some_and(|last| !last.suspended));
        let full = self.waiting.plain_len() - freed >= self.settings.max_queue_length as usize;
        full.then_some(Reason::QueueFull)
    }

    /// The source may only insert, and there is an order of one that is not so.
    fn belongs_to_others(&self, source: &D::Source) -> bool {
        if !self.insert_only.contains(source) {
            return false;
        }
        let current = self.key(self.current.slot);
        let mut others = current.into_iter().chain(self.queue()).filter_map(|key| self.data(key));
        others.any(|data| data.source() != source && !self.insert_only.contains(data.source()))
    }

    fn ahead(&self, entry: Entry) -> Ahead {
        let endless = |slot: u32| Some(self.orders[slot].rules).filter(|rules| rules.endless);
        let last = self.waiting.back().filter(|_| entry == Entry::Enqueue);
        match (entry, last) {
            (Entry::Enqueue, Some(last)) if !last.endless => Ahead::Nothing,
            (Entry::Enqueue, Some(last)) => {
                endless(last.slot).map_or(Ahead::Nothing, |rules| Ahead::Last(rules.endless_policy))
            }
            (Entry::Enqueue | Entry::InsertNext, None) if self.has_current() && self.stays() => {
                endless(self.current.slot)
                    .map_or(Ahead::Nothing, |rules| Ahead::Current(rules.endless_policy))
            }
            _ => Ahead::Nothing,
        }
    }

    /// The current order goes on before anything that comes in now.
    fn stays(&self) -> bool {
        !self.current.is_decided()
            && !matches!(self.current.intent, Intent::Suspend(waits_for) if waits_for != 0)
    }

    fn issue(&mut self, new: NewOrder<D>) -> Receipt {
        self.drop_all(&Reason::Replaced);
        let key = self.accept(new, false);
        self.stop_current(RunResult::Cancelled, Reason::Replaced);
        self.receipt_for(key, false)
    }

    fn add(&mut self, entry: Entry, new: NewOrder<D>) -> Receipt {
        let ahead = self.ahead(entry);
        if ahead == Ahead::Last(EndlessPolicy::End) {
            self.end_waiting_at(self.waiting.len() - 1, Reason::EndlessEnded);
        }
        let key = self.accept(new, entry == Entry::InsertNext);
        if ahead == Ahead::Current(EndlessPolicy::End) {
            self.free_from(self.orders[self.current.slot].id);
            self.stop_current(RunResult::Cancelled, Reason::EndlessEnded);
        }
        let waits = matches!(ahead, Ahead::Current(EndlessPolicy::Wait) | Ahead::Last(EndlessPolicy::Wait));
        self.receipt_for(key, waits)
    }

    fn interrupt(&mut self, new: NewOrder<D>) -> Receipt {
        let key = self.accept(new, true);
        match self.phase {
            Phase::Running => self.begin_cancel(Intent::Suspend(key.id), Reason::Interrupted),
            Phase::RetryWait => {
                self.suspend(key.id);
                self.queue_handover();
            }
            // It was about to be tried again: it comes back after the new one instead.
            Phase::Cancelling if matches!(self.current.intent, Intent::Retry | Intent::Retarget) => {
                self.current.intent = Intent::Suspend(key.id);
                self.current.cancel_reason = Reason::Interrupted;
            }
            _ => {}
        }
        self.receipt_for(key, false)
    }

    /// The same was issued: what waits goes, and so does a wish that the current one ends.
    fn keep_running(&mut self) {
        self.drop_all(&Reason::Replaced);
        self.current.end_requested = Reason::None;
    }

    /// Takes an order into the queue.
    pub(super) fn accept(&mut self, new: NewOrder<D>, first: bool) -> OrderKey {
        let id = self.next_command;
        self.next_command += 1;
        if !self.turn.running {
            self.turn.take_in(id);
        }
        let endless = new.plan.endless;
        let slot = self.orders.insert(id, self.epoch, new);
        let place = Place { id, slot, suspended: false, endless };
        if first {
            self.waiting.push_front(place);
        } else {
            self.waiting.push_back(place);
        }
        self.idle_told = false;
        if self.phase == Phase::Idle {
            self.queue_handover();
        }
        OrderKey { id, slot }
    }

    fn receipt_for(&self, key: OrderKey, behind_endless: bool) -> Receipt {
        let reason = if behind_endless { Reason::BehindEndless } else { self.queued_reason() };
        let settle = if self.turn.running { Settle::Final } else { Settle::Start(key, behind_endless) };
        Receipt { outcome: Outcome::Queued, reason, command: key.id, settle }
    }

    /// Why an order waits now.
    fn queued_reason(&self) -> Reason {
        match self.phase {
            Phase::Cancelling => Reason::WaitsForCancel,
            Phase::Running if !self.current.end_requested.is_none() => Reason::WaitsForCurrent,
            Phase::Handover if self.turn.hold == Hold::Limit => Reason::StartDeferred,
            Phase::Handover => Reason::Handover,
            _ => Reason::InQueue,
        }
    }

    /// So much happened in this turn that nothing more is taken.
    pub fn is_exhausted(&self) -> bool {
        self.turn.running && self.turn.events >= self.settings.max_events_per_turn
    }

    /// Asks the current order to end, at once if it may be stopped. What that does to the queue was done.
    pub(super) fn stop_current(&mut self, result: RunResult, reason: Reason) {
        match self.phase {
            Phase::Running if self.current.cancelable => {
                self.begin_cancel(Intent::End(result), reason);
            }
            Phase::Running if self.current.end_requested.is_none() => self.current.end_requested = reason,
            Phase::Cancelling => {
                self.give_up(reason);
            }
            Phase::RetryWait => {
                self.end_current(result, reason);
                self.queue_handover();
            }
            _ => {}
        }
    }

    /// Takes back that the current order starts again after its cancel; false: it does not.
    pub(super) fn give_up(&mut self, reason: Reason) -> bool {
        if !matches!(self.current.intent, Intent::Suspend(_) | Intent::Retry | Intent::Retarget) {
            return false;
        }
        self.current.intent = Intent::End(RunResult::Cancelled);
        self.current.cancel_reason = reason;
        true
    }

    /// Asks the execution to stop.
    pub(super) fn begin_cancel(&mut self, intent: Intent, reason: Reason) {
        self.phase = Phase::Cancelling;
        self.current.intent = intent;
        self.current.cancel_reason = reason;
        self.current.mark = self.now;
        self.push(Item::Cancel(self.current.slot));
    }
}
