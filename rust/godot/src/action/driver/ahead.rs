//! Tells the processor ahead what the next steps will read.
//!
//! A step reads a little of many things that lie far apart: the node, its state, the agent, the target, the agent's health.
//! Waiting for memory would take longer than the step. So it is noted where everything was found; before the next step it is
//! asked for a few members ahead.

use std::cell::RefCell;

use riposte_core::action::Evaluator;

use super::State;
use crate::base::engine_reads;

/// Where a step found what it read. Wrong after anything changed; then it costs time and nothing else.
#[derive(Clone, Copy, Default)]
struct Places {
    node: usize,
    state: usize,
    runs: bool,
    found: Found,
}

/// Where a decision found what it read; 0: nowhere.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    pub agent: usize,
    pub target: usize,
    pub health: usize,
}

/// The places of all members of a lane.
#[derive(Default)]
pub(super) struct Ahead {
    lane: usize,
    places: Vec<Places>,
}

thread_local! {
    static PLACES: RefCell<[Vec<Places>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

impl Ahead {
    /// So many members ahead the node and its state are asked for, and half as many what a decision reads.
    pub const FAR: usize = 8;
    const NEAR: usize = 4;

    /// For one step of a lane.
    pub fn take(lane: usize, members: usize) -> Self {
        let mut places = PLACES.with_borrow_mut(|places| std::mem::take(&mut places[lane]));
        places.resize(members, Places::default());
        Self { lane, places }
    }

    /// The step is over.
    pub fn keep(&mut self) {
        PLACES.with_borrow_mut(|places| places[self.lane] = std::mem::take(&mut self.places));
    }

    /// Where the next members are that are to be asked for, seen from this one.
    pub fn expect_steps(&self, at: usize) {
        if let Some(places) = self.places.get(at + Self::FAR) {
            engine_reads::expect_node(places.node);
            expect_state(places.state);
            expect_core(places.state, &Evaluator::STEP_READS);
            if places.runs {
                expect_core(places.state, &Evaluator::RUN_READS);
            }
        }
    }

    /// The member that may be about to decide, seen from this one.
    pub fn next_to_decide(at: usize) -> usize {
        at + Self::NEAR
    }

    /// This member is about to decide.
    pub fn expect_decision(&self, at: usize) {
        if let Some(places) = self.places.get(at) {
            expect_core(places.state, &Evaluator::DECISION_READS);
            engine_reads::expect_place(places.found.agent);
            engine_reads::expect_place(places.found.target);
            engine_reads::expect(places.found.health);
        }
    }

    /// Where a member was found.
    pub fn note_step(&mut self, at: usize, node: usize, state: &State) {
        if let Some(places) = self.places.get_mut(at) {
            (places.node, places.state) = (node, std::ptr::from_ref(state).addr());
            places.runs = state.core.running().is_some();
        }
    }

    /// Where its decision found what it read.
    pub fn note_decision(&mut self, at: usize, found: Found) {
        if let Some(places) = self.places.get_mut(at) {
            places.found = found;
        }
    }
}

/// What stands before the core, line by line.
fn expect_state(state: usize) {
    if state != 0 {
        (0..std::mem::offset_of!(State, core)).step_by(64).for_each(|at| engine_reads::expect(state + at));
    }
}

fn expect_core(state: usize, reads: &[usize]) {
    if state != 0 {
        let core = state + std::mem::offset_of!(State, core);
        reads.iter().for_each(|read| engine_reads::expect(core + read));
    }
}
