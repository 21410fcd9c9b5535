//! Who wants decisions to be recorded or logged: the node's own switches, and those of the project for all nodes.

use std::collections::BTreeSet;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use godot::classes::ProjectSettings;
use godot::obj::Singleton as _;
use godot::prelude::*;
use parking_lot::Mutex;

use super::{State, with};
use crate::agent::WorldTags;
use crate::base::{callbacks, settings, singletons};

/// The switches of one evaluator.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::action) struct Recording {
    /// `decision_made` is told.
    pub tells: bool,
    /// Decisions are printed.
    pub log_decisions: bool,
    /// Starts, ends and refusals are printed.
    pub log_execution: bool,
}

static LOG_DECISIONS: AtomicBool = AtomicBool::new(false);
static LOG_EXECUTION: AtomicBool = AtomicBool::new(false);
/// Its bits; 0 until it was read.
static HARD_TIMEOUT: AtomicU64 = AtomicU64::new(0);
static NODES: Mutex<BTreeSet<i64>> = Mutex::new(BTreeSet::new());

/// A node is made; the switches of the project are followed from the first one on.
pub(super) fn created(id: InstanceId) {
    NODES.lock().insert(id.to_i64());
}

/// A node is freed.
pub(super) fn removed(id: InstanceId) {
    NODES.lock().remove(&id.to_i64());
}

/// The node is ready: the project's switches count for it too.
pub(in crate::action) fn readied(id: InstanceId) {
    follow();
    super::monitors::show();
    with(id, apply);
}

/// Whether the starts and ends of all nodes are printed.
pub(crate) fn logs_execution() -> bool {
    follow();
    LOG_EXECUTION.load(Ordering::Relaxed)
}

fn follow() {
    static FOLLOW: Once = Once::new();
    FOLLOW.call_once(follow_settings);
}

/// Sets switches of a node.
pub(in crate::action) fn change(id: InstanceId, change: impl FnOnce(&mut Recording)) {
    with(id, |state| {
        change(&mut state.recording);
        apply(state);
    });
}

/// Whether decisions of this node are printed, and whether they are told.
pub(super) fn wants(id: InstanceId) -> Recording {
    let own = with(id, |state| state.recording).unwrap_or_default();
    Recording {
        log_decisions: own.log_decisions || LOG_DECISIONS.load(Ordering::Relaxed),
        log_execution: own.log_execution || LOG_EXECUTION.load(Ordering::Relaxed),
        ..own
    }
}

/// Somebody wants to hear of the next decision, as far as decisions are recorded. Runs no code of the game.
pub(super) fn is_heard(id: InstanceId, state: &State) -> bool {
    let own = state.recording;
    own.log_decisions || LOG_DECISIONS.load(Ordering::Relaxed) || own.tells && is_listened_to(id)
}

/// Something is connected to `decision_made`.
fn is_listened_to(id: InstanceId) -> bool {
    thread_local! {
        static DECISION_MADE: StringName = StringName::from("decision_made");
    }
    let node = Gd::<Object>::try_from_instance_id(id);
    node.is_ok_and(|node| DECISION_MADE.with(|signal| node.has_connections(signal)))
}

fn apply(state: &mut State) {
    let own = state.recording;
    let record = own.tells || own.log_decisions || LOG_DECISIONS.load(Ordering::Relaxed);
    state.core.change_settings(|settings| settings.record = record);
}

/// Seconds after which a run is ended that has no time-out of its own.
pub(super) fn hard_timeout() -> f64 {
    match HARD_TIMEOUT.load(Ordering::Relaxed) {
        0 => settings::HARD_TIMEOUT.read(),
        bits => f64::from_bits(bits),
    }
}

fn read_settings() {
    HARD_TIMEOUT.store(settings::HARD_TIMEOUT.read().to_bits(), Ordering::Relaxed);
    let decisions = settings::LOG_DECISIONS.read();
    LOG_EXECUTION.store(settings::LOG_EXECUTION.read(), Ordering::Relaxed);
    if LOG_DECISIONS.swap(decisions, Ordering::Relaxed) != decisions {
        let nodes: Vec<i64> = NODES.lock().iter().copied().collect();
        for id in nodes.into_iter().filter_map(InstanceId::try_from_i64) {
            with(id, apply);
        }
    }
}

/// What a game or its author switches while it runs counts from the next frame on.
fn follow_settings() {
    const CHANGED: &str = "settings_changed";
    const NAME: &str = "riposte_action_logs";
    read_settings();
    // Any object that lives as long as the library.
    let holder = WorldTags::singleton();
    callbacks::connect(&ProjectSettings::singleton(), CHANGED, holder.instance_id(), NAME, |_| {
        read_settings()
    });
    singletons::at_exit(&holder, NAME, |id| {
        callbacks::disconnect(&ProjectSettings::singleton(), CHANGED, id, NAME);
    });
}
