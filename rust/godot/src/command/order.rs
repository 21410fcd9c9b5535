//! What the engine's side knows of an order.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::command::{Entry, OrderData, RunResult};

use super::CommandReceipt;
use super::validation::Accepted;

/// An order: what was accepted, which is never changed, and its life.
pub(crate) struct Order {
    pub accepted: Accepted,
    pub life: Rc<Life>,
}

/// What stays the same when an order is given another target.
#[derive(Default)]
pub(crate) struct Life {
    /// How it came in.
    pub entry: Entry,
    /// Whoever ordered it hears of its end by this.
    pub receipt: RefCell<Option<Gd<CommandReceipt>>>,
    /// What its next start finds in its handle.
    pub resume: RefCell<Variant>,
    pub started: Cell<bool>,
    /// How it ended.
    pub end: RefCell<Option<(RunResult, StringName)>>,
}

impl Order {
    pub fn new(accepted: Accepted, entry: Entry) -> Rc<Self> {
        Rc::new(Self { accepted, life: Rc::new(Life { entry, ..Life::default() }) })
    }

    /// The same order with other targets or settings.
    pub fn with(&self, accepted: Accepted) -> Rc<Self> {
        Rc::new(Self { accepted, life: self.life.clone() })
    }

    /// The first target that is still there.
    pub fn target(&self) -> Option<Gd<Node>> {
        self.accepted.request.targets.iter().find_map(|id| Gd::try_from_instance_id(*id).ok())
    }

    /// The targets that are still there.
    pub fn living_targets(&self) -> Array<Gd<Node>> {
        let targets = self.accepted.request.targets.iter();
        targets.filter_map(|id| Gd::<Node>::try_from_instance_id(*id).ok()).collect()
    }
}

/// An order as the core keeps it. The core may drop it while its state is borrowed, and what an order holds may run scripts
/// when it goes; so it is put aside and dropped by [`bury`].
pub(crate) struct Held(Option<Rc<Order>>);

thread_local! {
    static GRAVES: &'static RefCell<Vec<Rc<Order>>> = Box::leak(Box::default());
}

impl Held {
    pub fn new(order: Rc<Order>) -> Self {
        Self(Some(order))
    }

    pub fn order(&self) -> Rc<Order> {
        self.0.clone().expect("only a dropped one is empty")
    }

    fn get(&self) -> &Order {
        self.0.as_ref().expect("only a dropped one is empty")
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(order) = self.0.take() {
            GRAVES.with(|graves| graves.borrow_mut().push(order));
        }
    }
}

/// Drops what was put aside. Nothing may be borrowed.
pub(crate) fn bury() {
    loop {
        let graves = GRAVES.with(|graves| std::mem::take(&mut *graves.borrow_mut()));
        if graves.is_empty() {
            return;
        }
        drop(graves);
    }
}

impl OrderData for Held {
    type Source = StringName;

    fn same_request(&self, other: &Self) -> bool {
        self.get().accepted.same_request(&other.get().accepted)
    }

    fn source(&self) -> &StringName {
        &self.get().accepted.request.source
    }

    fn has_targets(&self) -> bool {
        !self.get().accepted.request.targets.is_empty()
    }
}
