//! The state as plain data, out and in.

use serde::{Deserialize, Serialize};

use super::effect::Item;
use super::order::{Mark, NOBODY, NewOrder, OrderData};
use super::state::{Commands, Current, Hold, Intent};
use super::{Phase, Reason, RunResult};

/// An order in a saved state; `S` is what the driver makes of what it carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedOrder<S> {
    /// Its number.
    pub id: u64,
    /// Its latest start; 0: none.
    pub execution: u64,
    /// How often it was started.
    pub attempt: u32,
    /// Retries that were used.
    pub retries: u32,
    /// It was started.
    pub started: bool,
    /// It was taken off the agent and comes back.
    pub suspended: bool,
    /// The number of the order that it comes back after; 0: none.
    pub waits_for: u64,
    /// Seconds since its latest start.
    pub age: f64,
    /// How it ended.
    pub result: RunResult,
    /// Why it ended.
    pub reason: String,
    /// What it carries.
    pub data: S,
}

/// What was decided about the current order, in a saved state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SavedIntent {
    /// Nothing.
    #[default]
    None,
    /// It ends.
    End,
    /// It is suspended.
    Suspend,
    /// It is tried again.
    Retry,
    /// It starts again on another target.
    Retarget,
}

/// The living start of the current order in a saved state, or what comes in its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedStart {
    /// Requests may stop it.
    pub cancelable: bool,
    /// Why it ends as soon as it may be stopped; empty: it does not.
    pub end_requested: String,
    /// What was decided.
    pub intent: SavedIntent,
    /// The decided result.
    pub result: RunResult,
    /// The reason of the request to stop.
    pub reason: String,
    /// The number of the order that it comes back after.
    pub waits_for: u64,
    /// Seconds since it was asked to stop, or until it is tried again.
    pub timer: f64,
    /// The next start does not count.
    pub same_attempt: bool,
}

/// The current order in a saved state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedCurrent<S> {
    /// The order.
    pub order: SavedOrder<S>,
    /// Its start.
    pub start: SavedStart,
}

/// The state of one agent's orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedCommands<S> {
    /// The number of the next order.
    pub next_command: u64,
    /// The number of the next start.
    pub next_execution: u64,
    /// What the current order does.
    pub phase: Phase,
    /// The current order.
    pub current: Option<SavedCurrent<S>>,
    /// The waiting orders, the next one first.
    pub queue: Vec<SavedOrder<S>>,
    /// The last order that ended after it had started.
    pub last_result: Option<SavedOrder<S>>,
    /// Whether requests are taken.
    pub enabled: bool,
}

impl<S> SavedOrder<S> {
    fn map<T>(self, change: &mut impl FnMut(S) -> Option<T>) -> Option<SavedOrder<T>> {
        Some(SavedOrder {
            id: self.id,
            execution: self.execution,
            attempt: self.attempt,
            retries: self.retries,
            started: self.started,
            suspended: self.suspended,
            waits_for: self.waits_for,
            age: self.age,
            result: self.result,
            reason: self.reason,
            data: change(self.data)?,
        })
    }
}

impl<S> SavedCommands<S> {
    /// The same with what the orders carry as something else; orders without it are left out.
    pub fn map<T>(self, mut change: impl FnMut(S) -> Option<T>) -> SavedCommands<T> {
        let change = &mut change;
        let current = self.current.and_then(|current| {
            Some(SavedCurrent { order: current.order.map(change)?, start: current.start })
        });
        SavedCommands {
            next_command: self.next_command,
            next_execution: self.next_execution,
            phase: self.phase,
            current,
            queue: self.queue.into_iter().filter_map(|order| order.map(change)).collect(),
            last_result: self.last_result.and_then(|order| order.map(change)),
            enabled: self.enabled,
        }
    }

    /// Whether it can be the state of any agent: numbers that exist, times that are times, no order twice.
    pub fn is_sound(&self) -> bool {
        let living = || self.current.iter().map(|current| &current.order).chain(&self.queue);
        let known = |order: &SavedOrder<S>| {
            (1..self.next_command).contains(&order.id)
                && order.execution < self.next_execution
                && order.age.is_finite()
                && order.age >= 0.0
        };
        let mut ids: Vec<u64> = living().map(|order| order.id).collect();
        ids.sort_unstable();
        let unique = ids.windows(2).all(|pair| pair[0] != pair[1]);
        let timer = self.current.as_ref().is_none_or(|current| current.start.timer.is_finite());
        let counted = i64::try_from(self.next_command.max(self.next_execution)).is_ok();
        unique && timer && counted && living().chain(&self.last_result).all(known)
    }
}

impl<D: OrderData> Commands<D> {
    /// The state; `save` says what becomes of what an order carries.
    pub fn export<S>(&self, save: impl Fn(&D) -> S) -> SavedCommands<S> {
        let order = |slot: u32| self.save_order(slot, None, &save);
        SavedCommands {
            next_command: self.next_command,
            next_execution: self.next_execution,
            phase: self.phase,
            current: self.save_current(&save),
            queue: self.waiting.iter().filter_map(|place| order(place.slot)).collect(),
            last_result: if self.last == NOBODY { None } else { order(self.last) },
            enabled: self.enabled,
        }
    }

    fn save_order<S>(&self, slot: u32, data: Option<&D>, save: &impl Fn(&D) -> S) -> Option<SavedOrder<S>> {
        let order = &self.orders[slot];
        Some(SavedOrder {
            id: order.id,
            execution: order.execution,
            attempt: order.attempt,
            retries: self.orders.retries(slot),
            started: order.is(Mark::Started),
            suspended: order.is(Mark::Suspended),
            waits_for: self.orders.waits_for(slot),
            age: self.age_of(slot, order),
            result: order.result,
            reason: self.orders.reason(slot).name().to_owned(),
            data: save(data.or(order.data.as_ref())?),
        })
    }

    fn save_current<S>(&self, save: &impl Fn(&D) -> S) -> Option<SavedCurrent<S>> {
        let current = &self.current;
        if !self.has_current() {
            return None;
        }
        let mut start = SavedStart {
            cancelable: current.cancelable,
            end_requested: current.end_requested.name().to_owned(),
            reason: current.cancel_reason.name().to_owned(),
            same_attempt: current.same_attempt,
            timer: match self.phase {
                Phase::Cancelling => self.now - current.mark,
                Phase::RetryWait => current.mark - self.now,
                _ => 0.0,
            },
            ..SavedStart::default()
        };
        match current.intent {
            Intent::None => {}
            Intent::End(result) => (start.intent, start.result) = (SavedIntent::End, result),
            Intent::Suspend(id) => (start.intent, start.waits_for) = (SavedIntent::Suspend, id),
            Intent::Retry => start.intent = SavedIntent::Retry,
            Intent::Retarget => start.intent = SavedIntent::Retarget,
        }
        let order = self.save_order(current.slot, current.retarget.as_ref(), save)?;
        Some(SavedCurrent { order, start })
    }

    /// Takes a state over. The caller then runs the turn. A start that is also the saved one goes on; any other living one
    /// is asked to stop, without waiting for it, and the saved one starts again.
    pub fn import(&mut self, saved: SavedCommands<NewOrder<D>>) {
        self.turn.asked = None;
        self.turn.ready = None;
        self.turn.hold = Hold::None;
        self.enabled = saved.enabled;
        self.next_command = self.next_command.max(saved.next_command);
        self.next_execution = self.next_execution.max(saved.next_execution);
        let kept = saved.current.as_ref().is_some_and(|current| {
            self.is_living(current.order.execution)
                && self.orders[self.current.slot].id == current.order.id
                && matches!(saved.phase, Phase::Running | Phase::Cancelling)
        });
        self.forget(kept);
        if let Some(last) = saved.last_result {
            self.last = self.load(last);
        }
        for order in saved.queue {
            let suspended = order.suspended;
            let slot = self.load(order);
            self.waiting.push_back(self.orders.place(slot, suspended));
        }
        self.phase = Phase::Handover;
        let id = saved.current.as_ref().map_or(0, |current| current.order.id);
        match saved.current {
            Some(current) if kept => self.keep_start(current, saved.phase),
            Some(current) => self.load_current(current, saved.phase),
            None if saved.phase == Phase::Handover => {
                self.turn.hold = if self.enabled { Hold::Limit } else { Hold::Off };
            }
            None => {}
        }
        self.come_to_rest(id);
    }

    /// Drops all orders without a word, but for a start that goes on.
    fn forget(&mut self, kept: bool) {
        for place in self.waiting.iter() {
            self.orders.release(place.slot);
        }
        self.waiting.clear();
        self.orders.release(std::mem::replace(&mut self.last, NOBODY));
        if kept || !self.has_current() {
            return;
        }
        let current = &self.current;
        let (slot, execution, told) = (current.slot, current.execution, current.cancel_told);
        if execution != 0 && !told {
            self.push(Item::CancelForgotten(slot, execution));
        }
        self.stop_execution();
        self.current = Current::nobody();
        self.orders.release(slot);
    }

    fn load(&mut self, saved: SavedOrder<NewOrder<D>>) -> u32 {
        let slot = self.orders.insert(saved.id, self.epoch.wrapping_sub(1), saved.data);
        let order = &mut self.orders[slot];
        order.execution = saved.execution;
        order.attempt = saved.attempt;
        order.mark(Mark::Started, saved.started);
        order.mark(Mark::Suspended, saved.suspended);
        order.age = saved.age as f32;
        order.result = saved.result;
        self.orders.set_retries(slot, saved.retries);
        self.orders.set_waits_for(slot, saved.waits_for);
        self.orders.set_reason(slot, Reason::named(&saved.reason));
        slot
    }

    /// The living start is the saved one: it goes on with the saved numbers.
    fn keep_start(&mut self, saved: SavedCurrent<NewOrder<D>>, phase: Phase) {
        let SavedCurrent { order: new, start: saved } = saved;
        self.phase = phase;
        let slot = self.current.slot;
        self.orders[slot].attempt = new.attempt;
        self.orders.set_retries(slot, new.retries);
        self.orders.set_waits_for(slot, new.waits_for);
        self.current.started_at = self.now - new.age;
        self.set_current(&saved);
        let retargets = saved.intent == SavedIntent::Retarget;
        let other = self.current.retarget.take().filter(|_| retargets);
        self.current.retarget = other.or(retargets.then_some(new.data.data));
        if phase == Phase::Cancelling {
            self.push(Item::Cancel(self.current.slot));
        }
    }

    /// The saved start is not alive here: it starts again, or what was decided about it happens.
    fn load_current(&mut self, saved: SavedCurrent<NewOrder<D>>, phase: Phase) {
        let SavedCurrent { order, start } = saved;
        let slot = self.load(order);
        match phase {
            Phase::Cancelling | Phase::RetryWait => {
                self.current.slot = slot;
                self.phase = phase;
                self.set_current(&start);
                if phase == Phase::Cancelling {
                    self.answer_cancel(RunResult::Cancelled, Reason::None);
                }
            }
            _ => {
                self.orders[slot].mark(Mark::Resumed, true);
                // Until it is started, nothing else is to be remembered as its reason.
                self.orders.set_reason(slot, Reason::named(&start.end_requested));
                self.waiting.push_front(self.orders.place(slot, false));
            }
        }
    }

    /// Sees to what follows from the new state: who waits for whom, what was told, what starts.
    fn come_to_rest(&mut self, current: u64) {
        let living = |id: u64| self.waiting.index_of(id).is_some() || id == current;
        let lost: Vec<u32> = (self.waiting.iter())
            .filter(|place| !living(self.orders.waits_for(place.slot)))
            .map(|place| place.slot)
            .collect();
        for slot in lost {
            self.orders.set_waits_for(slot, 0);
        }
        self.move_announcement(current);
        match self.phase {
            Phase::Handover if self.waiting.is_empty() && !self.turn.handover_queued => self.become_idle(),
            Phase::Handover if self.turn.hold != Hold::None => self.announce(NOBODY),
            Phase::Handover => self.queue_handover(),
            Phase::RetryWait => self.announce(self.current.slot),
            _ => {}
        }
        self.idle_told = self.phase == Phase::Idle;
    }

    /// The order that was told to be the current one is in another slot now.
    fn move_announcement(&mut self, id: u64) {
        if self.announced == NOBODY || self.orders[self.announced].id != id {
            return;
        }
        let slot = [self.current.slot, self.waiting.front().map_or(NOBODY, |front| front.slot), self.last];
        let moved = slot.into_iter().find(|slot| *slot != NOBODY && self.orders[*slot].id == id);
        if let Some(slot) = moved {
            self.orders.keep(slot);
            self.orders.release(std::mem::replace(&mut self.announced, slot));
        }
    }

    fn set_current(&mut self, saved: &SavedStart) {
        let reason = Reason::named(&saved.reason);
        self.current.cancelable = saved.cancelable;
        self.current.end_requested = Reason::named(&saved.end_requested);
        self.current.same_attempt = saved.same_attempt;
        self.current.mark = match self.phase {
            Phase::RetryWait => self.now + saved.timer,
            _ => self.now - saved.timer,
        };
        self.current.intent = match saved.intent {
            SavedIntent::None => Intent::None,
            SavedIntent::End => Intent::End(saved.result),
            SavedIntent::Suspend => Intent::Suspend(saved.waits_for),
            SavedIntent::Retry => Intent::Retry,
            SavedIntent::Retarget => Intent::Retarget,
        };
        self.current.cancel_reason = reason;
    }
}
