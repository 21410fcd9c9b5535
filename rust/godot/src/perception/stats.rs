//! What the last tick did and how long it took: for `PerceptionServer.get_stats` and the debugger's monitors.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

use godot::builtin::{Callable, RustCallable, StringName, VarDictionary, Variant};
use godot::classes::{Engine, Object, Os, Performance};
use godot::meta::ToGodot as _;
use godot::obj::{Gd, Inherits, Singleton as _};

use crate::awareness;
use crate::base::singletons;

use super::state;

/// How long the parts of a tick took, in microseconds, and what it told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timings {
    collect: f64,
    maths: f64,
    rays: f64,
    settle: f64,
    signals: u32,
}

/// Measures the parts of one tick, in their order.
pub(super) struct Watch {
    begun: Instant,
    timings: Timings,
}

impl Watch {
    pub(super) fn start() -> Self {
        Self { begun: Instant::now(), timings: Timings::default() }
    }

    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let passed = now.duration_since(self.begun);
        self.begun = now;
        passed.as_secs_f64() * 1e6
    }

    pub(super) fn collected(&mut self) {
        self.timings.collect = self.lap();
    }

    pub(super) fn computed(&mut self) {
        self.timings.maths = self.lap();
    }

    pub(super) fn looked(&mut self) {
        self.timings.rays = self.lap();
    }

    pub(super) fn settled(&mut self) {
        self.timings.settle = self.lap();
    }

    /// The tick is over: all was told.
    pub(super) fn end(mut self) {
        self.timings.signals = SIGNALS.swap(0, Ordering::Relaxed);
        state::with(|state| state.timings = self.timings);
    }
}

/// Signals emitted since the last tick ended.
static SIGNALS: AtomicU32 = AtomicU32::new(0);

/// To be called with every signal of a tick.
pub(super) fn count_signal() {
    SIGNALS.fetch_add(1, Ordering::Relaxed);
}

/// Names in the order of [`values`].
const NAMES: [&str; 18] = [
    "ticks",
    "perceivers",
    "sources",
    "scans",
    "distance_tests",
    "rays",
    "rays_deferred",
    "oldest_scan_wait",
    "events",
    "signals_emitted",
    "collect_usec",
    "maths_usec",
    "rays_usec",
    "settle_usec",
    "beliefs_updated",
    "policy_calls",
    "adapter_calls",
    "awareness_usec",
];

fn values() -> [Variant; NAMES.len()] {
    let (stats, timings) = state::with(|state| (state.world.last_stats(), state.timings));
    let int = |number: u32| i64::from(number).to_variant();
    let [beliefs, policies, adapters, awareness_usec] = awareness::stats();
    [
        (stats.ticks as i64).to_variant(),
        int(stats.perceivers),
        int(stats.sources),
        int(stats.scans),
        int(stats.distance_tests),
        int(stats.rays),
        int(stats.rays_deferred),
        stats.oldest_scan_wait.to_variant(),
        int(stats.events),
        int(timings.signals),
        timings.collect.to_variant(),
        timings.maths.to_variant(),
        timings.rays.to_variant(),
        timings.settle.to_variant(),
        beliefs.to_variant(),
        policies.to_variant(),
        adapters.to_variant(),
        awareness_usec.to_variant(),
    ]
}

/// All numbers of the last tick by name.
pub(super) fn dictionary() -> VarDictionary {
    let mut all = VarDictionary::new();
    for (name, value) in NAMES.into_iter().zip(values()) {
        all.set(name, &value);
    }
    all
}

/// The debugger shows the numbers.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Shows the numbers in the debugger, in debug builds of a game, until the tree goes.
pub(super) fn arm_monitors<T: Inherits<Object>>(server: &Gd<T>) {
    if Engine::singleton().is_editor_hint() || !Os::singleton().is_debug_build() {
        return;
    }
    SHOWN.store(true, Ordering::Relaxed);
    let mut performance = Performance::singleton();
    for (at, name) in NAMES.into_iter().enumerate() {
        let id = monitor(name);
        if !performance.has_custom_monitor(&id) {
            performance.add_custom_monitor(&id, &Callable::from_custom(Monitor(at)));
        }
    }
    singletons::at_exit(server, "riposte_monitors", |_| remove_monitors());
}

/// Takes the numbers out of the debugger: what they call is code of this library.
pub(crate) fn remove_monitors() {
    if !SHOWN.swap(false, Ordering::Relaxed) {
        return;
    }
    let mut performance = Performance::singleton();
    for id in NAMES.into_iter().map(monitor) {
        if performance.has_custom_monitor(&id) {
            performance.remove_custom_monitor(&id);
        }
    }
}

fn monitor(name: &str) -> StringName {
    StringName::from(&format!("riposte/perception_{name}"))
}

/// Tells one number, by its place.
struct Monitor(usize);

impl RustCallable for Monitor {
    fn invoke(&mut self, _args: &[&Variant]) -> Variant {
        values()[self.0].clone()
    }

    fn is_valid(&self) -> bool {
        true
    }
}

impl PartialEq for Monitor {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Hash for Monitor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Display for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[self.0])
    }
}
