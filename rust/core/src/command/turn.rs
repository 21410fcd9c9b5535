//! A turn: what is told and started, one after the other.

use super::effect::{Effect, Item, Ticket};
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

    /// What to do next; `None`: the turn is over. To be performed with nothing held.
    pub fn next_effect(&mut self) -> Option<Effect> {
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

    fn perform(&mut self, item: Item) -> Option<Effect> {
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
            Item::FindTarget(slot) => {
                let execution = self.current.execution;
                if self.current.slot != slot || !matches!(self.phase, Phase::Running | Phase::RetryWait) {
                    return None;
                }
                Effect::FindTarget(self.ask(Asked::Retarget(slot, execution)), self.orders.key(slot))
            }
            Item::Left(slot, execution) => Effect::Left { order: self.orders.key(slot), execution },
            Item::Changed(previous, current) => Effect::CurrentChanged {
                previous: (previous != NOBODY).then(|| self.info_of(previous)),
                current: (current != NOBODY).then(|| self.started_info(current)),
            },
            Item::Started(slot) => Effect::Started(self.started_info(slot)),
            Item::Resumed(slot) => Effect::Resumed(self.started_info(slot)),
            Item::Retried(slot) => Effect::Retried(self.started_info(slot)),
            Item::Suspended(slot) => {
                let mut info = self.unended(self.info_of(slot));
                info.suspended = true;
                Effect::Suspended(info)
            }
            Item::Ended(slot) => {
                Effect::Ended { info: self.info_of(slot), started: self.orders[slot].is(Mark::Started) }
            }
            Item::TimedOut(slot) => {
                let mut info = self.unended(self.info_of(slot));
                info.phase = Phase::Cancelling;
                Effect::CancelTimedOut(info)
            }
            Item::Rejected(number) => Effect::Rejected(number),
            Item::StartsHeld => Effect::StartsHeld,
            Item::QueueChanged => Effect::QueueChanged,
            Item::BecameIdle => Effect::BecameIdle,
        })
    }

    pub(super) fn ask(&mut self, asked: Asked) -> Ticket {
        self.turn.tickets = self.turn.tickets.wrapping_add(1);
        let ticket = Ticket(self.turn.tickets);
        self.turn.asked = Some((ticket, asked));
        ticket
    }

    fn cancel_hook(&mut self, slot: u32) -> Option<Effect> {
        if self.current.slot != slot || self.phase != Phase::Cancelling || self.current.cancel_told {
            return None;
        }
        self.current.cancel_told = true;
        Some(self.cancel_effect())
    }

    pub(super) fn cancel_effect(&self) -> Effect {
        Effect::Cancel {
            order: self.orders.key(self.current.slot),
            execution: self.current.execution,
            reason: self.current.cancel_reason.clone(),
            will_resume: self.will_resume(),
        }
    }

    fn hand_over(&mut self) -> Option<Effect> {
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
