//! What a driver has to do next.

use super::order::OrderKey;
use super::{Phase, Reason, RunResult};

/// What is to be seen of an order at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Which order.
    pub order: OrderKey,
    /// Its latest start; 0: none yet.
    pub execution: u64,
    /// What it does; idle while it waits and when it ended.
    pub phase: Phase,
    /// It was taken off the agent and comes back.
    pub suspended: bool,
    /// A request may stop it.
    pub cancelable: bool,
    /// How often it was started.
    pub attempt: u32,
    /// Seconds since its latest start.
    pub age: f64,
    /// How it ended.
    pub result: RunResult,
    /// Why it ended.
    pub reason: Reason,
}

/// One start of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Which order.
    pub order: OrderKey,
    /// Names this start.
    pub execution: u64,
    /// Counts from 1.
    pub attempt: u32,
    /// It was suspended, or comes from a saved state.
    pub resumed: bool,
}

/// Names a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub(super) u32);

/// What a driver does next, with nothing held. Two of them are questions, to be answered before the next one.
/// `I` is what is told of an order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect<I = Info> {
    /// Hook: put its tags on the agent, make its handle and let its execution begin.
    Start(Start),
    /// Hook: let its execution stop.
    Cancel {
        /// Which order.
        order: OrderKey,
        /// Which start.
        execution: u64,
        /// Why.
        reason: Reason,
        /// It will start again.
        will_resume: bool,
    },
    /// This start is over, however it ended: give back what it held (tags, a place in a queue, a guard). Told before the
    /// signal of it, if the plan of the order says so.
    Left {
        /// Which order.
        order: OrderKey,
        /// Which start.
        execution: u64,
    },
    /// Question: may this waiting order start now? Answer with [`super::Answer`].
    Validate(Ticket, OrderKey),
    /// Question: the order lost its targets, is there another one? Answer [`super::Answer::Retarget`].
    FindTarget(Ticket, OrderKey),
    /// Signal: the identity of the current order changed.
    CurrentChanged {
        /// The `current` of the signal before this one.
        previous: Option<I>,
        /// The current order.
        current: Option<I>,
    },
    /// Signal: it was started for the first time.
    Started(I),
    /// Signal: it was started again after it was suspended.
    Resumed(I),
    /// Signal: it was started again after it failed or lost its target.
    Retried(I),
    /// Signal: it was taken off the agent and comes back.
    Suspended(I),
    /// Signal: it ended.
    Ended {
        /// The order, with its result.
        info: I,
        /// It had been started, so it is the last result.
        started: bool,
    },
    /// Signal and warning: its execution did not answer the cancel.
    CancelTimedOut(I),
    /// Warning: too many starts in this turn, the next one waits for the next tick.
    StartsHeld,
    /// Signal: the waiting orders are others than last told.
    QueueChanged,
    /// Signal: a request was refused; the number is the one that [`super::Commands::refuse`] was given.
    Rejected(u64),
    /// Signal: nothing is left to do.
    BecameIdle,
}

/// An effect that only names the orders. [`super::Commands::with_info`] makes the other one of it, for those who look.
pub type Step = Effect<OrderKey>;

/// What stands in the queue of effects; the numbers are slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Handover,
    Restart(u32),
    Cancel(u32),
    /// For a start that another state has taken the place of.
    CancelForgotten(u32, u64),
    Left(u32, u64),
    FindTarget(u32),
    Changed(u32, u32),
    Started(u32),
    Resumed(u32),
    Retried(u32),
    Suspended(u32),
    Ended(u32),
    TimedOut(u32),
    Rejected(u64),
    StartsHeld,
    QueueChanged,
    BecameIdle,
    /// The agent leaves the tree.
    Close,
    /// Its execution was told so.
    ForceEnd,
}

impl Item {
    /// The slots that it needs to stay.
    pub(super) fn slots(self) -> [u32; 2] {
        use super::order::NOBODY;
        match self {
            Self::Changed(previous, current) => [previous, current],
            Self::Restart(slot)
            | Self::Cancel(slot)
            | Self::CancelForgotten(slot, _)
            | Self::Left(slot, _)
            | Self::FindTarget(slot)
            | Self::Started(slot)
            | Self::Resumed(slot)
            | Self::Retried(slot)
            | Self::Suspended(slot)
            | Self::Ended(slot)
            | Self::TimedOut(slot) => [slot, NOBODY],
            _ => [NOBODY; 2],
        }
    }
}

/// What is still to be told and done, first in, first out. A turn uses the same memory as the one before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    row: Vec<Item>,
    next: usize,
    end: usize,
}

impl Items {
    pub fn is_empty(&self) -> bool {
        self.next == self.end
    }

    pub fn push(&mut self, item: Item) {
        match self.row.get_mut(self.end) {
            Some(place) => *place = item,
            None => self.row.push(item),
        }
        self.end += 1;
    }

    pub fn pop(&mut self) -> Option<Item> {
        if self.is_empty() {
            return None;
        }
        let item = self.row.get(self.next).copied();
        self.next += 1;
        if self.is_empty() {
            (self.next, self.end) = (0, 0);
        }
        item
    }

    /// Whatever stands in the first place.
    pub fn first(&self) -> Option<Item> {
        self.row.first().copied()
    }
}
