//! How the next order starts: the questions before it, and the start itself.

use super::effect::{Effect, Item, Start, Step};
use super::order::{Mark, OrderData};
use super::state::{Asked, Commands, Current, Intent, Ready};
use super::turn::Answer;
use super::{InvalidPolicy, LostPolicy, Phase, Reason, RunResult};

impl<D: OrderData> Commands<D> {
    /// The next question about the order in front, or its start. Scripts may have changed what is next meanwhile.
    pub(super) fn go_on_with(&mut self, ready: Ready) -> Option<Step> {
        let (Ready::Start(slot) | Ready::Validate(slot, _) | Ready::FindTarget(slot)) = ready;
        if !self.is_next(slot) {
            self.hand_over_again();
            return None;
        }
        let key = self.orders.key(slot);
        match ready {
            Ready::Start(_) if self.is_held() => None,
            Ready::Start(_) => Some(self.start(slot)),
            Ready::Validate(_, again) => Some(Effect::Validate(self.ask(Asked::Validate(slot, again)), key)),
            Ready::FindTarget(_) => Some(Effect::FindTarget(self.ask(Asked::FindTarget(slot)), key)),
        }
    }

    pub(super) fn take_validation(&mut self, slot: u32, again: bool, answer: Answer<D>) {
        if !self.is_next(slot) {
            return self.hand_over_again();
        }
        let ready = match answer {
            Answer::Legal | Answer::Retarget(_) => Ready::Start(slot),
            Answer::Changed(data) => {
                self.orders[slot].data = Some(data);
                Ready::Start(slot)
            }
            Answer::Refused(reason) => return self.refuse_front(reason),
            Answer::Lost if !again && self.orders[slot].rules.lost == LostPolicy::Retarget => {
                Ready::FindTarget(slot)
            }
            Answer::Lost => return self.refuse_front(Reason::TargetLost),
        };
        self.turn.ready = Some(ready);
    }

    pub(super) fn take_found_target(&mut self, slot: u32, answer: Answer<D>) {
        if !self.is_next(slot) {
            return self.hand_over_again();
        }
        let Answer::Retarget(Some(data)) = answer else { return self.refuse_front(Reason::TargetLost) };
        self.orders[slot].data = Some(data);
        self.turn.ready = Some(Ready::Validate(slot, true));
    }

    fn is_next(&self, slot: u32) -> bool {
        self.phase == Phase::Handover && self.waiting.front().is_some_and(|front| front.slot == slot)
    }

    fn hand_over_again(&mut self) {
        if self.phase == Phase::Handover {
            self.queue_handover();
        }
    }

    /// The order in front is not legal any more.
    fn refuse_front(&mut self, reason: Reason) {
        let Some(place) = self.waiting.pop_front() else { return };
        let fails = self.orders[place.slot].extra().invalid == InvalidPolicy::Fail;
        self.end_place(place, reason);
        if fails {
            self.consequences(place.slot, RunResult::Failed);
        } else {
            self.free_from(place.id);
        }
        self.queue_handover();
    }

    /// Starts the order in front.
    pub(super) fn start(&mut self, slot: u32) -> Step {
        self.waiting.pop_front();
        self.current = Current::nobody();
        self.current.slot = slot;
        self.current.end_requested = self.orders.take_reason(slot);
        self.orders.set_waits_for(slot, 0);
        let order = &mut self.orders[slot];
        let resumed = order.is(Mark::Suspended) || order.is(Mark::Resumed);
        if !order.is(Mark::Started) && self.turn.asks_about(order.id) {
            self.turn.started.push(order.id);
        }
        order.mark(Mark::Suspended, false);
        order.mark(Mark::Resumed, false);
        order.mark(Mark::Started, true);
        order.attempt += 1;
        self.announce(slot);
        self.push(if resumed { Item::Resumed(slot) } else { Item::Started(slot) });
        self.begin(resumed)
    }

    /// Starts the current order once more.
    pub(super) fn restart(&mut self, slot: u32) -> Option<Step> {
        if self.current.slot != slot || self.phase != Phase::RetryWait || !self.current.restart_queued {
            return None;
        }
        self.current.restart_queued = false;
        if self.turn.starts >= self.settings.max_starts_per_turn {
            self.current.mark = self.now;
            self.push(Item::StartsHeld);
            return None;
        }
        self.orders[slot].attempt += u32::from(!self.current.same_attempt);
        self.current = Current::nobody();
        self.current.slot = slot;
        self.push(Item::Retried(slot));
        Some(self.begin(false))
    }

    fn begin(&mut self, resumed: bool) -> Step {
        let slot = self.current.slot;
        let execution = self.next_execution;
        self.next_execution += 1;
        self.turn.starts += 1;
        self.phase = Phase::Running;
        let order = &mut self.orders[slot];
        order.execution = execution;
        order.age = 0.0;
        self.current.execution = execution;
        self.current.cancelable = order.rules.cancelable;
        self.current.started_at = self.now;
        self.current.intent = Intent::None;
        Effect::Start(Start {
            order: self.orders.key(slot),
            execution,
            attempt: self.orders[slot].attempt,
            resumed,
        })
    }

    /// Tells who is the current order now, if that is another one than last told.
    pub(super) fn announce(&mut self, slot: u32) {
        if self.announced == slot {
            return;
        }
        self.push(Item::Changed(self.announced, slot));
        self.orders.keep(slot);
        self.orders.release(std::mem::replace(&mut self.announced, slot));
    }
}
