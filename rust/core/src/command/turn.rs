//! A turn: what is told and started, one after the other.

use super::effect::{Effect, Info, Item, Step, Ticket};
use super::order::{Mark, NOBODY, OrderData, OrderKey};
use super::state::{Asked, Commands, Hold, Ready};
use super::{OrderPlan, Phase, Reason};

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<D> {
    /// It may start.
    Legal,
    /// It may start, and carries this now, because some of its targets are gone.
    Changed(D),
    /// It may not start.
    Refused(Reason),
    /// None of its targets is left.
    Lost,
    /// What it carries with another target; `None`: there is no other.
    Retarget(Option<D>),
}

impl<D: OrderData> Commands<D> {
    /// Who called a request, a control, a report or a tick runs the turn, if this is true: [`Self::next_effect`] until nothing is
    /// left. False: one is running, and will come to it.
    pub fn begin_turn(&mut self) -> bool {
        if self.turn.running {
            return false;
        }
        self.turn.running = true;
        self.turn.starts = 0;
        self.turn.events = 0;
        true
    }

    /// What to do next, with what is told of the orders; `None`: the turn is over. To be performed with nothing held.
    pub fn next_effect(&mut self) -> Option<Effect> {
        let step = self.next_step()?;
        Some(self.with_info(step))
    }

    /// What to do next; `None`: the turn is over. To be performed with nothing held.
    pub fn next_step(&mut self) -> Option<Step> {
        if let Some(item) = self.turn.in_hand.take() {
            self.release_slots(item);
        }
        if let Some((ticket, _)) = self.turn.asked {
            // Nobody said no.
            self.answer(ticket, Answer::Legal);
        }
        loop {
            if let Some(ready) = self.turn.ready.take() {
                let effect = self.go_on_with(ready);
                if effect.is_some() {
                    self.count_effect();
                    return effect;
                }
            }
            let Some(item) = self.items.pop() else {
                if self.finish() {
                    continue;
                }
                return None;
            };
            let effect = self.perform(item);
            if effect.is_some() {
                self.turn.in_hand = Some(item);
                self.count_effect();
                return effect;
            }
            self.release_slots(item);
        }
    }

    /// The answer to a question. One that came too late has no effect.
    pub fn answer(&mut self, ticket: Ticket, answer: Answer<D>) {
        let Some((_, asked)) = self.turn.asked.take_if(|asked| asked.0 == ticket) else { return };
        match asked {
            Asked::Validate(slot, again) => self.take_validation(slot, again, answer),
            Asked::FindTarget(slot) => self.take_found_target(slot, answer),
            Asked::Retarget(slot, execution) => {
                let found = if let Answer::Retarget(found) = answer { found } else { None };
                self.take_new_target(slot, execution, found);
            }
        }
    }

    /// The rules for an order, as its definition is now. To be called while its start is performed, before its hook.
    pub fn set_plan(&mut self, order: OrderKey, plan: OrderPlan) {
        let starting = order.slot == self.current.slot && self.phase == Phase::Running;
        if let Some(known) = self.orders.by_key_mut(order) {
            known.set_plan(&plan);
            if starting {
                self.current.cancelable = plan.cancelable;
            } else {
                self.waiting.set_endless(order.slot, plan.endless);
            }
        }
    }

    fn count_effect(&mut self) {
        self.turn.events += 1;
        self.epoch = self.epoch.wrapping_add(1);
    }

    fn release_slots(&mut self, item: Item) {
        for slot in item.slots() {
            self.orders.release(slot);
        }
    }

    /// True: there is still something to tell.
    fn finish(&mut self) -> bool {
        if self.phase == Phase::Handover && self.waiting.is_empty() && !self.turn.handover_queued {
            self.become_idle();
            self.turn.hold = Hold::None;
        }
        if !self.items.is_empty() {
            return true;
        }
        if self.waiting.tell() {
            self.push(Item::QueueChanged);
            return true;
        }
        if self.phase == Phase::Idle && !self.idle_told {
            self.idle_told = true;
            self.push(Item::BecameIdle);
            return true;
        }
        self.turn.running = std::mem::take(&mut self.turn.outer);
        self.turn.new = (0, 0);
        false
    }

    fn perform(&mut self, item: Item) -> Option<Step> {
        Some(match item {
            Item::Handover => return self.hand_over(),
            Item::Restart(slot) => return self.restart(slot),
            Item::Cancel(slot) => return self.cancel_hook(slot),
            Item::CancelForgotten(slot, execution) => Effect::Cancel {
                order: self.orders.key(slot),
                execution,
                reason: Reason::Imported,
                will_resume: false,
            },
            Item::Close => return self.close(),
            Item::ForceEnd => {
                self.force_end();
                return None;
            }
            Item::FindTarget(slot) => return self.ask_for_target(slot),
            Item::Left(slot, execution) => Effect::Left { order: self.orders.key(slot), execution },
            Item::Changed(previous, current) => {
                Effect::CurrentChanged { previous: self.key(previous), current: self.key(current) }
            }
            Item::Started(slot) => Effect::Started(self.orders.key(slot)),
            Item::Resumed(slot) => Effect::Resumed(self.orders.key(slot)),
            Item::Retried(slot) => Effect::Retried(self.orders.key(slot)),
            Item::Suspended(slot) => Effect::Suspended(self.orders.key(slot)),
            Item::Ended(slot) => {
                Effect::Ended { info: self.orders.key(slot), started: self.orders[slot].is(Mark::Started) }
            }
            Item::TimedOut(slot) => Effect::CancelTimedOut(self.orders.key(slot)),
            Item::Rejected(number) => Effect::Rejected(number),
            Item::StartsHeld => Effect::StartsHeld,
            Item::QueueChanged => Effect::QueueChanged,
            Item::BecameIdle => Effect::BecameIdle,
        })
    }

    /// What is told with a step that [`Self::next_step`] gave, before anything else is called.
    pub fn with_info(&self, step: Step) -> Effect {
        let started = |key: OrderKey| self.started_info(key.slot);
        match step {
            Effect::CurrentChanged { previous, current } => Effect::CurrentChanged {
                previous: previous.map(|key| self.info_of(key.slot)),
                current: current.map(started),
            },
            Effect::Started(key) => Effect::Started(started(key)),
            Effect::Resumed(key) => Effect::Resumed(started(key)),
            Effect::Retried(key) => Effect::Retried(started(key)),
            Effect::Suspended(key) => {
                let info = self.unended(self.info_of(key.slot));
                Effect::Suspended(Info { suspended: true, ..info })
            }
            Effect::Ended { info, started } => Effect::Ended { info: self.info_of(info.slot), started },
            Effect::CancelTimedOut(key) => {
                let info = self.unended(self.info_of(key.slot));
                Effect::CancelTimedOut(Info { phase: Phase::Cancelling, ..info })
            }
            Effect::Start(start) => Effect::Start(start),
            Effect::Cancel { order, execution, reason, will_resume } => {
                Effect::Cancel { order, execution, reason, will_resume }
            }
            Effect::Left { order, execution } => Effect::Left { order, execution },
            Effect::Validate(ticket, order) => Effect::Validate(ticket, order),
            Effect::FindTarget(ticket, order) => Effect::FindTarget(ticket, order),
            Effect::Rejected(number) => Effect::Rejected(number),
            Effect::StartsHeld => Effect::StartsHeld,
            Effect::QueueChanged => Effect::QueueChanged,
            Effect::BecameIdle => Effect::BecameIdle,
        }
    }

    fn ask_for_target(&mut self, slot: u32) -> Option<Step> {
        if self.current.slot != slot || !matches!(self.phase, Phase::Running | Phase::RetryWait) {
            return None;
        }
        let execution = self.current.execution;
        Some(Effect::FindTarget(self.ask(Asked::Retarget(slot, execution)), self.orders.key(slot)))
    }

    pub(super) fn ask(&mut self, asked: Asked) -> Ticket {
        self.turn.tickets = self.turn.tickets.wrapping_add(1);
        let ticket = Ticket(self.turn.tickets);
        self.turn.asked = Some((ticket, asked));
        ticket
    }

    fn cancel_hook(&mut self, slot: u32) -> Option<Step> {
        if self.current.slot != slot || self.phase != Phase::Cancelling || self.current.cancel_told {
            return None;
        }
        self.current.cancel_told = true;
        Some(self.cancel_effect())
    }

    pub(super) fn cancel_effect(&self) -> Step {
        Effect::Cancel {
            order: self.orders.key(self.current.slot),
            execution: self.current.execution,
            reason: self.current.cancel_reason.clone(),
            will_resume: self.will_resume(),
        }
    }

    fn hand_over(&mut self) -> Option<Step> {
        self.turn.handover_queued = false;
        if self.phase != Phase::Handover {
            return None;
        }
        let Some(front) = self.waiting.front() else {
            self.become_idle();
            return None;
        };
        if self.is_held() {
            return None;
        }
        let order = &self.orders[front.slot];
        if order.epoch == self.epoch || order.is(Mark::Resumed) {
            return Some(self.start(front.slot));
        }
        self.go_on_with(Ready::Validate(front.slot, false))
    }

    pub(super) fn become_idle(&mut self) {
        self.phase = Phase::Idle;
        self.announce(NOBODY);
    }

    /// The next start has to wait; that is told.
    pub(super) fn is_held(&mut self) -> bool {
        let off = !self.enabled || !self.inside;
        let limit = self.turn.starts >= self.settings.max_starts_per_turn;
        if !off && !limit {
            return false;
        }
        self.turn.hold = if off { Hold::Off } else { Hold::Limit };
        if !off {
            self.push(Item::StartsHeld);
        }
        self.announce(NOBODY);
        true
    }
}
