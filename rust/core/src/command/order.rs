//! Orders, and the place where they are kept until everything about them was told.

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
    /// What stands in `rest` is not what a new order has there.
    Rest = 16,
}

/// What is not looked at by an order that starts, succeeds and goes.
#[derive(Clone, Debug, Default)]
struct Rest {
    /// Suspended until this one ends well.
    waits_for: u64,
    reason: Reason,
    retries: u32,
}

/// An order. What a plain life needs is in the first 64 bytes, because with many agents each of them comes from far.
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
    rest: Rest,
}

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

    pub fn waits_for(&self) -> u64 {
        if self.is(Mark::Rest) { self.rest.waits_for } else { 0 }
    }

    pub fn set_waits_for(&mut self, id: u64) {
        if id != self.waits_for() {
            self.rest_mut().waits_for = id;
        }
    }

    pub fn reason(&self) -> &Reason {
        if self.is(Mark::Rest) { &self.rest.reason } else { &Reason::None }
    }

    pub fn set_reason(&mut self, reason: Reason) {
        if !reason.is_none() || self.is(Mark::Rest) {
            self.rest_mut().reason = reason;
        }
    }

    pub fn take_reason(&mut self) -> Reason {
        if self.is(Mark::Rest) { std::mem::take(&mut self.rest.reason) } else { Reason::None }
    }

    pub fn retries(&self) -> u32 {
        if self.is(Mark::Rest) { self.rest.retries } else { 0 }
    }

    pub fn set_retries(&mut self, retries: u32) {
        if retries != self.retries() {
            self.rest_mut().retries = retries;
        }
    }

    fn rest_mut(&mut self) -> &mut Rest {
        self.mark(Mark::Rest, true);
        &mut self.rest
    }
}

/// All orders that somebody refers to: the queue, the current one, the last result, effects.
#[derive(Clone, Debug)]
pub(super) struct Orders<D> {
    slots: Vec<Order<D>>,
    /// The free slot that is used next.
    free: u32,
}

impl<D> Default for Orders<D> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: NOBODY }
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
            rest: Rest::default(),
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
                order.rest = Rest::default();
            }
            // The way to the next free one.
            order.attempt = std::mem::replace(&mut self.free, slot);
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
