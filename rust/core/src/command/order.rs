//! Orders, and the place where they are kept until everything about them was told.

use super::waiting::Place;
use super::{
    EndlessPolicy, FailurePolicy, InvalidPolicy, LostPolicy, OrderPlan, Reason, RunResult, SameRequest,
};

/// No slot.
pub(super) const NOBODY: u32 = u32::MAX;

/// What an order carries for who drives it: definition, variant, targets, place, payload.
pub trait OrderData {
    /// Who asks for it.
    type Source: Clone + PartialEq;

    /// Whether it asks for the same; who asks does not count.
    fn same_request(&self, other: &Self) -> bool;

    /// Who asks for it.
    fn source(&self) -> &Self::Source;

    /// It has nodes as targets, whose life is to be watched.
    fn has_targets(&self) -> bool;
}

/// An order that was checked, on its way in.
#[derive(Clone, Debug)]
pub struct NewOrder<D> {
    /// The rules for its life.
    pub plan: OrderPlan,
    /// What it carries.
    pub data: D,
}

/// Names an order, and where it is found without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderKey {
    /// The order's number, from 1, never used again.
    pub id: u64,
    pub(super) slot: u32,
}

/// The rules that few orders change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extra {
    pub time_limit: f64,
    pub cancel_timeout: f64,
    pub retry_delay: f64,
    pub retry_count: u32,
    pub invalid: InvalidPolicy,
    same: SameRequest,
}

impl Extra {
    const USUAL: Self = Self {
        time_limit: 0.0,
        cancel_timeout: -1.0,
        retry_delay: 0.0,
        retry_count: 0,
        invalid: InvalidPolicy::Skip,
        same: SameRequest::Keep,
    };

    fn of(plan: &OrderPlan) -> Option<Box<Self>> {
        let extra = Self {
            time_limit: plan.time_limit,
            cancel_timeout: plan.cancel_timeout,
            retry_delay: plan.retry_delay,
            retry_count: plan.retry_count,
            invalid: plan.invalid,
            same: plan.same,
        };
        (extra != Self::USUAL).then(|| Box::new(extra))
    }
}

/// The rules that each hand-over looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub cancelable: bool,
    pub cancelled_counts_as_success: bool,
    pub endless: bool,
    pub tells_left: bool,
    pub failure: FailurePolicy,
    pub endless_policy: EndlessPolicy,
    pub lost: LostPolicy,
}

impl Rules {
    fn of(plan: &OrderPlan) -> Self {
        Self {
            cancelable: plan.cancelable,
            cancelled_counts_as_success: plan.cancelled_counts_as_success,
            endless: plan.endless,
            tells_left: plan.tells_left,
            failure: plan.failure,
            endless_policy: plan.endless_policy,
            lost: plan.lost,
        }
    }

    /// Whether the queue goes on after this result.
    pub fn is_success(self, result: RunResult) -> bool {
        match result {
            RunResult::Succeeded => true,
            RunResult::Cancelled => self.cancelled_counts_as_success,
            _ => false,
        }
    }
}

/// Yes or no about an order.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Mark {
    Started = 1,
    Suspended = 2,
    /// It ends together with another one.
    Doomed = 4,
    /// It comes from a saved state.
    Resumed = 8,
    /// It has a [`Rest`] that is not what a new order has there.
    Rest = 16,
}

/// What is not looked at by an order that starts, succeeds and goes. It lies apart, so that an order is one line of the
/// cache.
#[derive(Clone, Debug, Default)]
struct Rest {
    /// Suspended until this one ends well.
    waits_for: u64,
    reason: Reason,
    retries: u32,
}

/// An order, with what a plain life needs: 64 bytes and no more, because with many agents each of them comes from far.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Order<D> {
    pub id: u64,
    /// The latest start.
    pub execution: u64,
    pub data: Option<D>,
    extra: Option<Box<Extra>>,
    /// Hooks and signals before it was accepted.
    pub epoch: u32,
    pub attempt: u32,
    /// Seconds of the latest start, when it is not running.
    pub age: f32,
    refs: u16,
    marks: u8,
    pub result: RunResult,
    pub rules: Rules,
}

const _: () = assert!(size_of::<Order<u64>>() == 64);

impl<D> Order<D> {
    pub fn extra(&self) -> &Extra {
        self.extra.as_deref().unwrap_or(&Extra::USUAL)
    }

    pub fn plan(&self) -> OrderPlan {
        let (rules, extra) = (self.rules, self.extra());
        OrderPlan {
            time_limit: extra.time_limit,
            cancel_timeout: extra.cancel_timeout,
            retry_delay: extra.retry_delay,
            retry_count: extra.retry_count,
            cancelable: rules.cancelable,
            cancelled_counts_as_success: rules.cancelled_counts_as_success,
            endless: rules.endless,
            tells_left: rules.tells_left,
            failure: rules.failure,
            endless_policy: rules.endless_policy,
            lost: rules.lost,
            invalid: extra.invalid,
            same: extra.same,
        }
    }

    pub fn set_plan(&mut self, plan: &OrderPlan) {
        self.rules = Rules::of(plan);
        self.extra = Extra::of(plan);
    }

    pub fn is(&self, mark: Mark) -> bool {
        self.marks & mark as u8 != 0
    }

    pub fn mark(&mut self, mark: Mark, on: bool) {
        self.marks = if on { self.marks | mark as u8 } else { self.marks & !(mark as u8) };
    }
}

/// All orders that somebody refers to: the queue, the current one, the last result, effects.
#[derive(Clone, Debug)]
pub(super) struct Orders<D> {
    slots: Vec<Order<D>>,
    /// By slot, as far as some order needed it.
    rests: Vec<Rest>,
    /// The free slot that is used next.
    free: u32,
}

impl<D> Default for Orders<D> {
    fn default() -> Self {
        Self { slots: Vec::new(), rests: Vec::new(), free: NOBODY }
    }
}

impl<D> Orders<D> {
    /// Keeps a new order, for one who refers to it.
    pub fn insert(&mut self, id: u64, epoch: u32, new: NewOrder<D>) -> u32 {
        let slot = self.free;
        let rules = Rules::of(&new.plan);
        let extra = Extra::of(&new.plan);
        if let Some(order) = self.slots.get_mut(slot as usize) {
            self.free = order.attempt;
            order.id = id;
            order.execution = 0;
            order.data = Some(new.data);
            order.extra = extra;
            order.epoch = epoch;
            order.attempt = 0;
            order.age = 0.0;
            order.refs = 1;
            order.marks = 0;
            order.result = RunResult::None;
            order.rules = rules;
            return slot;
        }
        self.slots.push(Order {
            id,
            execution: 0,
            data: Some(new.data),
            extra,
            epoch,
            attempt: 0,
            age: 0.0,
            refs: 1,
            marks: 0,
            result: RunResult::None,
            rules,
        });
        (self.slots.len() - 1) as u32
    }

    /// One more refers to it.
    pub fn keep(&mut self, slot: u32) {
        if slot != NOBODY {
            self.slots[slot as usize].refs += 1;
        }
    }

    /// One less refers to it.
    pub fn release(&mut self, slot: u32) {
        if slot == NOBODY {
            return;
        }
        let order = &mut self.slots[slot as usize];
        order.refs -= 1;
        if order.refs == 0 {
            order.data = None;
            if order.is(Mark::Rest) {
                self.rests[slot as usize] = Rest::default();
            }
            // The way to the next free one.
            order.attempt = std::mem::replace(&mut self.free, slot);
        }
    }

    /// Its place in the row of those that wait.
    pub fn place(&self, slot: u32, suspended: bool) -> Place {
        let order = &self[slot];
        Place { id: order.id, slot, suspended, endless: order.rules.endless }
    }

    fn rest(&self, slot: u32) -> Option<&Rest> {
        if self[slot].is(Mark::Rest) { self.rests.get(slot as usize) } else { None }
    }

    fn rest_mut(&mut self, slot: u32) -> &mut Rest {
        self[slot].mark(Mark::Rest, true);
        if self.rests.len() < self.slots.len() {
            self.rests.resize_with(self.slots.len(), Rest::default);
        }
        &mut self.rests[slot as usize]
    }

    /// The order that a suspended one waits for; 0: none.
    pub fn waits_for(&self, slot: u32) -> u64 {
        self.rest(slot).map_or(0, |rest| rest.waits_for)
    }

    pub fn set_waits_for(&mut self, slot: u32, id: u64) {
        if id != self.waits_for(slot) {
            self.rest_mut(slot).waits_for = id;
        }
    }

    pub fn reason(&self, slot: u32) -> &Reason {
        self.rest(slot).map_or(&Reason::None, |rest| &rest.reason)
    }

    pub fn set_reason(&mut self, slot: u32, reason: Reason) {
        if !reason.is_none() || self[slot].is(Mark::Rest) {
            self.rest_mut(slot).reason = reason;
        }
    }

    pub fn take_reason(&mut self, slot: u32) -> Reason {
        if self[slot].is(Mark::Rest) { std::mem::take(&mut self.rest_mut(slot).reason) } else { Reason::None }
    }

    pub fn retries(&self, slot: u32) -> u32 {
        self.rest(slot).map_or(0, |rest| rest.retries)
    }

    pub fn set_retries(&mut self, slot: u32, retries: u32) {
        if retries != self.retries(slot) {
            self.rest_mut(slot).retries = retries;
        }
    }

    /// Any word of a slot.
    pub fn word(&self, slot: u32) -> u64 {
        self.slots.get(slot as usize).map_or(0, |order| order.id)
    }

    /// The slot of an order that somebody refers to.
    pub fn find(&self, id: u64) -> Option<u32> {
        let found = self.slots.iter().position(|order| order.id == id && order.refs > 0)?;
        Some(found as u32)
    }

    pub fn key(&self, slot: u32) -> OrderKey {
        OrderKey { id: self.slots[slot as usize].id, slot }
    }

    pub fn by_key(&self, key: OrderKey) -> Option<&Order<D>> {
        self.slots.get(key.slot as usize).filter(|order| order.id == key.id && order.refs > 0)
    }

    pub fn by_key_mut(&mut self, key: OrderKey) -> Option<&mut Order<D>> {
        self.slots.get_mut(key.slot as usize).filter(|order| order.id == key.id && order.refs > 0)
    }
}

impl<D> std::ops::Index<u32> for Orders<D> {
    type Output = Order<D>;

    fn index(&self, slot: u32) -> &Order<D> {
        &self.slots[slot as usize]
    }
}

impl<D> std::ops::IndexMut<u32> for Orders<D> {
    fn index_mut(&mut self, slot: u32) -> &mut Order<D> {
        &mut self.slots[slot as usize]
    }
}
