//! The decisions that were made last, oldest first: kept only while decisions are recorded.

use std::collections::VecDeque;
use std::sync::Arc;

use super::flat_pass::{FlatScores, FlatWorld};
use super::glimpse::Glimpse;
use super::{Decision, Evaluator};

/// A decision that is kept.
#[derive(Clone, Debug)]
enum Kept {
    Whole(Arc<Decision>),
    /// Its candidates are written when somebody reads them.
    Seen(Arc<Glimpse>),
}

/// A ring of decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    ring: VecDeque<Kept>,
}

impl Kept {
    fn decision(&self) -> Arc<Decision> {
        match self {
            Self::Whole(decision) => decision.clone(),
            Self::Seen(seen) => Arc::new(seen.decision()),
        }
    }
}

impl History {
    fn trim(&mut self, size: usize) {
        let extra = self.ring.len().saturating_sub(size);
        self.ring.drain(..extra);
    }
}

impl Evaluator {
    /// Decisions are kept and told: someone wants to read them.
    pub fn is_recording(&self) -> bool {
        self.settings.record
    }

    /// The last decision is complete; it goes into the ring.
    pub(super) fn remember_decision(&mut self) {
        let decision = Arc::new(self.last_decision());
        self.history.ring.push_back(Kept::Whole(decision));
        self.history.trim(self.settings.history_size);
    }

    /// A decision in which nothing was worth anything goes into the ring, in the memory of the one that falls out.
    pub(super) fn remember_silence(
        &mut self,
        world: &FlatWorld,
        found: &FlatScores,
        at: (u64, u64),
    ) -> Arc<Glimpse> {
        // It holds the one that was made last too.
        self.last.forget_silence();
        let size = self.settings.history_size;
        let oldest = if self.history.ring.len() >= size { self.history.ring.pop_front() } else { None };
        let mut seen = match oldest {
            Some(Kept::Seen(seen)) => seen,
            _ => Arc::default(),
        };
        if Arc::get_mut(&mut seen).is_none() {
            seen = Arc::default();
        }
        if let Some(seen) = Arc::get_mut(&mut seen) {
            seen.take_down(self, world, found, at);
        }
        self.history.ring.push_back(Kept::Seen(seen.clone()));
        self.history.trim(size);
        seen
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
    pub fn history(&self) -> impl ExactSizeIterator<Item = Arc<Decision>> {
        self.history.ring.iter().map(Kept::decision)
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
