//! Numbers of the evaluators for the debugger's monitors, in debug builds of a game: of the last physics frame.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use godot::classes::{Engine, Os, Performance};
use godot::obj::Singleton as _;
use godot::prelude::*;

use crate::agent::WorldTags;
use crate::base::singletons;

const NAMES: [&str; 3] =
    ["riposte/evaluation_count", "riposte/evaluation_deferred", "riposte/evaluation_usec"];

static SHOWN: AtomicBool = AtomicBool::new(false);
/// Totals up to the last frame: decisions, decisions that had to wait, nanoseconds.
static BEFORE: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
/// What the last frame added.
static LAST: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
static NANOSECONDS: AtomicU64 = AtomicU64::new(0);

/// To be called by every evaluator; the first one shows the numbers.
pub(super) fn show() {
    static ARM: Once = Once::new();
    ARM.call_once(|| {
        if Engine::singleton().is_editor_hint() || !Os::singleton().is_debug_build() {
            return;
        }
        SHOWN.store(true, Ordering::Relaxed);
        let mut performance = Performance::singleton();
        for (at, name) in NAMES.into_iter().enumerate() {
            let read = Callable::from_sync_fn("riposte_monitor", move |_| value(at).to_variant());
            performance.add_custom_monitor(name, &read);
        }
        // What they call is code of this library.
        singletons::at_exit(&WorldTags::singleton(), "riposte_evaluation_monitors", |_| hide());
    });
}

fn hide() {
    let mut performance = Performance::singleton();
    for name in NAMES {
        if performance.has_custom_monitor(name) {
            performance.remove_custom_monitor(name);
        }
    }
}

fn value(at: usize) -> f64 {
    let number = LAST[at].load(Ordering::Relaxed) as f64;
    if at == 2 { number / 1000.0 } else { number }
}

/// Measures a step, if anybody looks.
pub(in crate::action) fn begin() -> Option<Instant> {
    SHOWN.load(Ordering::Relaxed).then(Instant::now)
}

/// The step is over.
pub(in crate::action) fn end(begun: Option<Instant>) {
    if let Some(begun) = begun {
        NANOSECONDS.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
}

/// A physics frame begins; the totals so far.
pub(super) fn frame(made: u64, deferred: u64) {
    let totals = [made, deferred, NANOSECONDS.load(Ordering::Relaxed)];
    for (at, total) in totals.into_iter().enumerate() {
        let before = BEFORE[at].swap(total, Ordering::Relaxed);
        LAST[at].store(total.saturating_sub(before), Ordering::Relaxed);
    }
}
