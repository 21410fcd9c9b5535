//! What players hold of a graph: the compiled value of the core, and the parts that only the engine or a script can answer.

use std::sync::atomic::{AtomicU64, Ordering};

static NEXT: AtomicU64 = AtomicU64::new(1);

/// Counts the changes of a graph; no two graphs ever have the same stamp.
pub(crate) struct Compilation {
    stamp: u64,
}

impl Default for Compilation {
    fn default() -> Self {
        Self { stamp: NEXT.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Compilation {
    /// The graph changed.
    pub(crate) fn spoil(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }
}
