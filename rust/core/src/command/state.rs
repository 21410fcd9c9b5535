//! The orders of one agent: what is kept, and what is to be seen of it.

use super::effect::{Info, Item, Items, Ticket};
use super::order::{Mark, NOBODY, Order, OrderData, OrderKey, Orders};
use super::waiting::Waiting;
use super::{OrderPlan, Phase, Reason, RunResult, Settings};

/// What follows when the execution of the current order has stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Intent {
    /// Nothing was decided.
    #[default]
    None,
    /// It ends with this result, and the reason of the cancel.
    End(RunResult),
    /// It comes back after this order; 0: at once.
    Suspend(u64),
    /// It is tried again.
    Retry,
    /// It starts again on another target.
    Retarget,
}

/// The current order.
#[derive(Clone, Debug)]
pub(super) struct Current<D> {
    pub slot: u32,
    /// The living start; 0: none.
    pub execution: u64,
    pub cancelable: bool,
    /// A node is watched, whose end is the end of the start.
    pub watched: bool,
    pub cancel_told: bool,
    pub restart_queued: bool,
    /// The next start does not count.
    pub same_attempt: bool,
    pub started_at: f64,
    /// Since it was asked to stop, or until it is tried again.
    pub mark: f64,
    pub intent: Intent,
    pub cancel_reason: Reason,
    /// It ends as soon as it may be stopped, because of this.
    pub end_requested: Reason,
    /// What it carries after it was given another target.
    pub retarget: Option<D>,
}

impl<D> Current<D> {
    pub fn nobody() -> Self {
        Self {
            slot: NOBODY,
            execution: 0,
            cancelable: true,
            watched: false,
            cancel_told: false,
            restart_queued: false,
            same_attempt: false,
            started_at: 0.0,
            mark: 0.0,
            intent: Intent::None,
            cancel_reason: Reason::None,
            end_requested: Reason::None,
            retarget: None,
        }
    }

    /// Its end was decided, so what it does to the queue was done.
    pub fn is_decided(&self) -> bool {
        !self.end_requested.is_none() || matches!(self.intent, Intent::End(..))
    }
}

/// Why the next order is not started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Hold {
    #[default]
    None,
    /// Too many starts in one turn.
    Limit,
    /// The system is off, or outside the tree.
    Off,
}

/// A question that is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// True: it was given another target before.
    Validate(u32, bool),
    /// For an order that waits.
    FindTarget(u32),
    /// For this start.
    Retarget(u32, u64),
}

/// What comes before anything that is queued, for the order that is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ready {
    Start(u32),
    Validate(u32, bool),
    FindTarget(u32),
}

/// The turn that is running.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub running: bool,
    /// It was running when the agent left the tree, and goes on after what that needs.
    pub outer: bool,
    /// Why all orders end.
    pub closing: Reason,
    pub starts: u32,
    pub events: u32,
    /// Orders that came in with the call that runs it: from this one up to that one.
    pub new: (u64, u64),
    /// Those of them that were started.
    pub started: Vec<u64>,
    pub handover_queued: bool,
    pub hold: Hold,
    pub ready: Option<Ready>,
    pub in_hand: Option<Item>,
    pub asked: Option<(Ticket, Asked)>,
    pub tickets: u32,
}

impl Turn {
    /// A call from outside took this order in.
    pub fn take_in(&mut self, id: u64) {
        if self.new.1 != id {
            self.new.0 = id;
            self.started.clear();
        }
        self.new.1 = id + 1;
    }

    /// Somebody is going to ask whether it was started.
    pub fn asks_about(&self, id: u64) -> bool {
        (self.new.0..self.new.1).contains(&id)
    }
}

/// The orders of one agent: the current one, those that wait, and what is still to be told about all of them.
#[derive(Clone, Debug)]
pub struct Commands<D: OrderData> {
    pub(super) settings: Settings,
    pub(super) insert_only: Vec<D::Source>,
    pub(super) orders: Orders<D>,
    pub(super) waiting: Waiting,
    pub(super) current: Current<D>,
    pub(super) items: Items,
    pub(super) turn: Turn,
    pub(super) now: f64,
    /// Hooks and signals so far.
    pub(super) epoch: u32,
    pub(super) next_command: u64,
    pub(super) next_execution: u64,
    /// The order that was last told to be the current one.
    pub(super) announced: u32,
    pub(super) last: u32,
    pub(super) phase: Phase,
    pub(super) enabled: bool,
    pub(super) inside: bool,
    pub(super) idle_told: bool,
}

impl<D: OrderData> Default for Commands<D> {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl<D: OrderData> Commands<D> {
    /// Nothing to do, enabled and in the tree.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            insert_only: Vec::new(),
            orders: Orders::default(),
            waiting: Waiting::default(),
            current: Current::nobody(),
            items: Items::default(),
            turn: Turn::default(),
            now: 0.0,
            epoch: 0,
            next_command: 1,
            next_execution: 1,
            announced: NOBODY,
            last: NOBODY,
            phase: Phase::Idle,
            enabled: true,
            inside: true,
            idle_told: true,
        }
    }

    /// Other settings, from now on.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Sources that may add orders, but not replace those of others.
    pub fn set_insert_only_sources(&mut self, sources: Vec<D::Source>) {
        self.insert_only = sources;
    }

    /// False: requests are refused and the queue is held; the current order goes on.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
        self.release_hold(Hold::Off);
    }

    /// Whether requests are taken.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// What the current order does.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// No current order and none that waits.
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// The current order.
    pub fn current(&self) -> Option<OrderKey> {
        self.key(self.current.slot)
    }

    /// The living start of the current order; 0: none.
    pub fn execution(&self) -> u64 {
        self.current.execution
    }

    /// The last order that ended after it had started.
    pub fn last_result(&self) -> Option<OrderKey> {
        self.key(self.last)
    }

    /// The waiting orders, the next one first.
    pub fn queue(&self) -> impl Iterator<Item = OrderKey> + '_ {
        self.waiting.iter().map(|place| OrderKey { id: place.id, slot: place.slot })
    }

    /// How many orders wait.
    pub fn queue_length(&self) -> usize {
        self.waiting.len()
    }

    /// An order by its number, while something is left to tell about it. That is true for the current and the waiting
    /// ones, the last result, and those whose end is about to be told.
    pub fn find(&self, id: u64) -> Option<OrderKey> {
        self.key(self.orders.find(id)?)
    }

    /// What an order carries.
    pub fn data(&self, order: OrderKey) -> Option<&D> {
        self.orders.by_key(order)?.data.as_ref()
    }

    /// What an order carries, to change it.
    pub fn data_mut(&mut self, order: OrderKey) -> Option<&mut D> {
        self.orders.by_key_mut(order)?.data.as_mut()
    }

    /// The rules for the life of an order.
    pub fn plan(&self, order: OrderKey) -> Option<OrderPlan> {
        Some(self.orders.by_key(order)?.plan())
    }

    /// The number of the order that a suspended one waits for; 0: none.
    pub fn waits_for(&self, order: OrderKey) -> u64 {
        self.orders.by_key(order).map_or(0, |_| self.orders.waits_for(order.slot))
    }

    /// What is to be seen of an order now.
    pub fn info(&self, order: OrderKey) -> Option<Info> {
        self.orders.by_key(order)?;
        Some(self.info_of(order.slot))
    }

    /// How an order ended; `None` while it lives, and when all was told about it.
    pub fn result(&self, order: OrderKey) -> Option<(RunResult, &Reason)> {
        let known = self.orders.by_key(order).filter(|order| order.result != RunResult::None)?;
        Some((known.result, self.orders.reason(order.slot)))
    }

    /// Whether an accepted order has ended.
    pub fn is_ended(&self, id: u64) -> bool {
        let living = |slot: u32| self.orders[slot].result == RunResult::None;
        id != 0 && id < self.next_command && !self.orders.find(id).is_some_and(living)
    }

    /// This start is the living one.
    pub fn is_living(&self, execution: u64) -> bool {
        execution != 0 && self.current.execution == execution
    }

    /// This start is the living one and was asked to stop.
    pub fn is_cancelling(&self, execution: u64) -> bool {
        self.is_living(execution) && self.phase == Phase::Cancelling
    }

    /// Why the living start was asked to stop, and whether it is one of several for the same order.
    pub fn cancel_reason(&self, execution: u64) -> Option<(&Reason, bool)> {
        let cancelling = self.is_cancelling(execution);
        cancelling.then_some((&self.current.cancel_reason, self.will_resume()))
    }

    /// Seconds that ticks counted.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// True while a turn runs: calls only append to it.
    pub fn in_turn(&self) -> bool {
        self.turn.running
    }

    pub(super) fn will_resume(&self) -> bool {
        matches!(self.current.intent, Intent::Suspend(_))
    }

    pub(super) fn key(&self, slot: u32) -> Option<OrderKey> {
        (slot != NOBODY).then(|| self.orders.key(slot))
    }

    pub(super) fn has_current(&self) -> bool {
        self.current.slot != NOBODY
    }

    pub(super) fn age_of(&self, slot: u32, order: &Order<D>) -> f64 {
        let running = slot == self.current.slot && self.current.execution != 0;
        if running { self.now - self.current.started_at } else { f64::from(order.age) }
    }

    pub(super) fn info_of(&self, slot: u32) -> Info {
        let order = &self.orders[slot];
        let current = slot == self.current.slot;
        Info {
            order: OrderKey { id: order.id, slot },
            execution: order.execution,
            phase: if current { self.phase } else { Phase::Idle },
            suspended: order.is(Mark::Suspended),
            cancelable: if current { self.is_stoppable() } else { order.rules.cancelable },
            attempt: order.attempt,
            age: self.age_of(slot, order),
            result: order.result,
            reason: self.orders.reason(slot).clone(),
        }
    }

    /// What is told when an order was started, whatever it does by now.
    pub(super) fn started_info(&self, slot: u32) -> Info {
        let mut info = self.info_of(slot);
        info.phase = Phase::Running;
        info.suspended = false;
        self.unended(info)
    }

    pub(super) fn unended(&self, mut info: Info) -> Info {
        info.result = RunResult::None;
        info.reason = Reason::None;
        info
    }

    /// A request may stop the current order.
    pub(super) fn is_stoppable(&self) -> bool {
        self.phase != Phase::Running || self.current.cancelable
    }

    pub(super) fn push(&mut self, item: Item) {
        for slot in item.slots() {
            self.orders.keep(slot);
        }
        self.items.push(item);
    }

    /// Lets the next order start, in its turn.
    pub(super) fn queue_handover(&mut self) {
        self.phase = Phase::Handover;
        if self.turn.hold == Hold::None && !self.turn.handover_queued {
            self.turn.handover_queued = true;
            self.push(Item::Handover);
        }
    }

    /// Goes on with what was held for this cause.
    pub(super) fn release_hold(&mut self, hold: Hold) {
        if self.turn.hold == hold && self.enabled && self.inside {
            self.turn.hold = Hold::None;
            if self.phase == Phase::Handover {
                self.queue_handover();
            }
        }
    }
}
