//! Ticks of what runs, called without a search for the run.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use godot::prelude::*;
use riposte_core::action::{RunId, SpareStack, Ticket};
use riposte_core::arena::Handle;

use super::ahead::Ahead;
use super::{Asked, State, runs};
use crate::action::method_run::{Delta, MethodRun};
use crate::base::engine_reads;
use crate::base::store::NodeStore;

/// The method of a run that wants ticks. A run that is over is not kept by it.
struct Ticked {
    evaluator: InstanceId,
    run: RunId,
    method: Weak<dyn MethodRun>,
    /// Where the engine keeps what is called: only to fetch it ahead.
    address: usize,
}

thread_local! {
    /// By the index of the evaluator's state: side by side, because what else is kept of an evaluator is in no cache when its
    /// turn comes.
    static TICKED: RefCell<Vec<Option<Ticked>>> = const { RefCell::new(Vec::new()) };
    static SPARE: Cell<SpareStack> = Cell::default();
}

/// A run that wants ticks began.
pub(super) fn keep(id: InstanceId, run: RunId, method: &Rc<dyn MethodRun>) {
    let Some(at) = super::STATES.lock().handle(id) else { return };
    let (address, method) = (method.address(), Rc::downgrade(method));
    TICKED.with_borrow_mut(|ticked| {
        if ticked.len() <= at.index() {
            ticked.resize_with(at.index() + 1, || None);
        }
        ticked[at.index()] = Some(Ticked { evaluator: id, run, method, address });
    });
}

/// The tick of a run of this evaluator will be called soon: the processor may fetch what that needs.
pub(super) fn expect(at: Handle) {
    TICKED.with_borrow(|ticked| {
        // The rows lie in the order of the members, mostly: by the time these are read, they should be there.
        if let Some(later) = ticked.get(at.index() + Ahead::FAR) {
            engine_reads::expect(std::ptr::from_ref(later).addr());
        }
        if let Some(Some(ticked)) = ticked.get(at.index()) {
            engine_reads::expect(ticked.method.as_ptr().cast::<u8>().addr());
            engine_reads::expect_object(ticked.address);
        }
    });
}

/// Memory for the steps of one round, to be given back at its end.
pub(super) fn take_spare() -> SpareStack {
    SPARE.take()
}

/// The round is over.
pub(super) fn keep_spare(spare: SpareStack) {
    SPARE.set(spare);
}

/// A tick that is out, or about to be.
pub(super) struct Tick {
    pub id: InstanceId,
    /// Where the state of its evaluator is kept.
    pub at: Handle,
    pub ticket: Ticket,
    pub run: RunId,
    /// Scaled.
    pub seconds: f64,
}

impl Tick {
    /// Calls the method. Runs code of the game: nothing may be bound or locked.
    pub fn call(&self, delta: &Delta) {
        let known = TICKED.with_borrow(|ticked| {
            let ticked = ticked.get(self.at.index())?.as_ref()?;
            let same = ticked.evaluator == self.id && ticked.run == self.run;
            if same { ticked.method.upgrade() } else { None }
        });
        match known {
            Some(method) => method.tick(delta),
            None => runs::tick(self.id, self.run, delta),
        }
    }

    /// What follows from it, if anything does.
    pub fn end(&self, states: &mut NodeStore<State>, spare: &mut SpareStack) -> Option<Asked> {
        let state = states.at_mut(self.at)?;
        if state.core.answer_tick(self.ticket, spare) && !state.retired {
            state.stepping = false;
            return None;
        }
        let asked = Asked::next(state, 0);
        if let Asked::Nothing { settle: false } = asked {
            state.stepping = false;
            return None;
        }
        Some(asked)
    }
}
