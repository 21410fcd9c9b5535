//! The decisions that were made last, oldest first: kept only while decisions are recorded.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Decision, Evaluator};

/// A ring of decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    ring: VecDeque<Arc<Decision>>,
}

impl History {
    fn trim(&mut self, size: usize) {
        let extra = self.ring.len().saturating_sub(size);
        self.ring.drain(..extra);
    }
}

impl Evaluator {
    /// Decisions are kept and told: someone wants to read them.
    pub(super) fn is_recording(&self) -> bool {
        self.settings.record
    }

    /// The last decision is complete; it goes into the ring.
    pub(super) fn remember_decision(&mut self) {
        let decision = Arc::new(self.last_decision());
        self.history.ring.push_back(decision);
        self.history.trim(self.settings.history_size);
    }

    /// How many seconds the run lasted that ended last.
    pub fn ended_after(&self) -> f64 {
        self.ended_after
    }

    /// Which of the steps S1 to S6 refused the start that [`Event::StartRefused`](super::Event::StartRefused) tells of.
    pub fn refused_step(&self) -> u8 {
        self.refused_step
    }

    /// The recorded decisions, oldest first.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &Arc<Decision>> {
        self.history.ring.iter()
    }

    /// Forgets the recorded decisions.
    pub fn clear_history(&mut self) {
        self.history.ring.clear();
    }

    /// How many decisions are kept; the oldest go first.
    pub fn set_history_size(&mut self, size: usize) {
        self.settings.history_size = size;
        self.history.trim(size);
    }
}
