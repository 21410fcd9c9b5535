//! How many evaluations all evaluators together may make in one step: a step stays short, however many are due.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The evaluations of one kind of step, shared by the evaluators that make it.
///
/// Those over the limit wait in the order in which they came, and go before newcomers in the steps after.
#[derive(Debug, Default)]
pub struct Budget {
    counter: Mutex<Counter>,
    /// There is no limit, and nobody has to be counted in turn: who does not wait may go without a lock.
    open: AtomicBool,
    /// Evaluations that it let pass without a lock.
    passed: AtomicU64,
    by_turns: bool,
}

#[derive(Debug, Default)]
struct Counter {
    /// 0: as many as there are.
    limit: usize,
    step: u64,
    /// Newcomers that went in this step.
    went: usize,
    /// Those who waited and may go in this step: up to this ticket.
    called: u64,
    promised: usize,
    /// Tickets in the order in which they were given, and so ascending.
    waiting: VecDeque<u64>,
    tickets: u64,
    made: u64,
    deferred: u64,
}

/// What a [`Budget`] has counted since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BudgetCount {
    /// Evaluations that it let pass.
    pub made: u64,
    /// Times that one was put off to the next step.
    pub deferred: u64,
}

impl Budget {
    /// A budget for steps that [`Budget::next_step`] begins.
    pub fn new(limit: usize) -> Self {
        let counter = Mutex::new(Counter { limit, ..Counter::default() });
        Self { counter, open: AtomicBool::new(limit == 0), ..Self::default() }
    }

    /// For steps that somebody makes as often as he likes: whoever comes again begins a new one as well.
    pub fn by_turns(limit: usize) -> Self {
        Self { by_turns: true, open: AtomicBool::new(false), ..Self::new(limit) }
    }

    fn lock(&self) -> MutexGuard<'_, Counter> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new step, with this limit (0: none).
    pub fn next_step(&self, limit: usize) {
        let mut counter = self.lock();
        counter.limit = limit;
        self.open.store(limit == 0 && !self.by_turns, Ordering::Relaxed);
        counter.next_step();
    }

    /// What it has counted.
    pub fn count(&self) -> BudgetCount {
        let counter = self.lock();
        let passed = self.passed.load(Ordering::Relaxed);
        BudgetCount { made: counter.made + passed, deferred: counter.deferred }
    }
}

impl Counter {
    fn next_step(&mut self) {
        self.step += 1;
        self.went = 0;
        // Who was called and did not come has lost its place.
        while self.waiting.front().is_some_and(|ticket| *ticket <= self.called) {
            self.waiting.pop_front();
        }
        self.promised = self.waiting.len().min(self.limit);
        let last = self.promised.checked_sub(1).and_then(|last| self.waiting.get(last));
        self.called = last.copied().unwrap_or(self.called);
    }

    fn admit(&mut self, ticket: &mut Option<u64>) -> bool {
        let held = ticket.filter(|held| self.waiting.binary_search(held).is_ok());
        let goes = match held {
            _ if self.limit == 0 => true,
            Some(held) => held <= self.called,
            None if self.promised + self.went < self.limit => {
                self.went += 1;
                true
            }
            None => false,
        };
        if goes {
            self.made += 1;
            *ticket = None;
            return true;
        }
        self.deferred += 1;
        if held.is_none() {
            self.tickets += 1;
            self.waiting.push_back(self.tickets);
            *ticket = Some(self.tickets);
        }
        false
    }

    fn withdraw(&mut self, ticket: u64) {
        if let Ok(at) = self.waiting.binary_search(&ticket) {
            self.waiting.remove(at);
            // Its slot in this step is free again.
            self.promised -= usize::from(ticket <= self.called);
        }
    }
}

/// The place of one evaluator in a budget. Without one it may always go.
#[derive(Debug, Default)]
pub(super) struct Turn {
    budget: Option<Arc<Budget>>,
    ticket: Option<u64>,
    /// The step in which it asked last.
    step: u64,
}

impl Turn {
    pub fn join(&mut self, budget: Option<Arc<Budget>>) {
        self.give_up();
        (self.budget, self.step) = (budget, 0);
    }

    /// May it evaluate now? If not, it waits.
    pub fn take(&mut self) -> bool {
        let Some(budget) = &self.budget else { return true };
        if self.ticket.is_none() && budget.open.load(Ordering::Relaxed) {
            budget.passed.fetch_add(1, Ordering::Relaxed);
            return true;
        }
        let mut counter = budget.lock();
        if budget.by_turns && self.step == counter.step + 1 {
            counter.next_step();
        }
        self.step = counter.step + 1;
        counter.admit(&mut self.ticket)
    }

    /// It has nothing to evaluate any more.
    pub fn give_up(&mut self) {
        if let (Some(ticket), Some(budget)) = (self.ticket.take(), &self.budget) {
            budget.lock().withdraw(ticket);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.give_up();
    }
}
