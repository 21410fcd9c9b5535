//! Orders, and the place where they are kept until everything about them was told.

use super::{OrderPlan, Reason, RunResult};

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

#[derive(Clone, Debug)]
pub(super) struct Order<D> {
    pub id: u64,
    /// The latest start.
    pub execution: u64,
    /// Suspended until this one ends well.
    pub waits_for: u64,
    /// Hooks and signals before it was accepted.
    pub epoch: u64,
    /// Seconds of the latest start, when it is not running.
    pub age: f64,
    pub plan: OrderPlan,
    pub reason: Reason,
    pub data: Option<D>,
    pub attempt: u32,
    pub retries: u32,
    refs: u32,
    pub result: RunResult,
    pub suspended: bool,
    pub started: bool,
    /// It ends together with another one.
    pub doomed: bool,
    /// It comes from a saved state.
    pub resumed: bool,
}

impl<D> Order<D> {
    pub fn new(id: u64, epoch: u64, new: NewOrder<D>) -> Self {
        Self {
            id,
            execution: 0,
            waits_for: 0,
            epoch,
            age: 0.0,
            plan: new.plan,
            reason: Reason::None,
            data: Some(new.data),
            attempt: 0,
            retries: 0,
            refs: 1,
            result: RunResult::None,
            suspended: false,
            started: false,
            doomed: false,
            resumed: false,
        }
    }
}

/// All orders that somebody refers to: the queue, the current one, the last result, effects.
#[derive(Clone, Debug)]
pub(super) struct Orders<D> {
    slots: Vec<Order<D>>,
    free: Vec<u32>,
}

impl<D> Default for Orders<D> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }
}

impl<D> Orders<D> {
    pub fn insert(&mut self, order: Order<D>) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = order;
            return slot;
        }
        self.slots.push(order);
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
            order.reason = Reason::None;
            self.free.push(slot);
        }
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
