//! Ids that change behind a graph's back.

use std::sync::atomic::{AtomicU64, Ordering};

static RENAMED: AtomicU64 = AtomicU64::new(0);

/// A transition got another id than its graph gave it.
pub(super) fn renamed() {
    RENAMED.fetch_add(1, Ordering::Relaxed);
}

/// Another number whenever that happened.
pub(super) fn renames() -> u64 {
    RENAMED.load(Ordering::Relaxed)
}
