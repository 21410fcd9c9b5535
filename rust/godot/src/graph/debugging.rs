//! Who is logged and who is shown: a player's own switches, and those of the project for all. Nothing of it is in release builds.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use godot::classes::ProjectSettings;
use godot::obj::Singleton as _;
use godot::prelude::*;

use super::overlay;
use super::state::{self, with};
use crate::agent::WorldTags;
use crate::base::{callbacks, settings, singletons};

/// The switches of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Switches {
    /// A line for every input.
    pub logs: bool,
    /// What it is at is shown.
    pub shows: bool,
}

static LOGS_ALL: AtomicBool = AtomicBool::new(false);
static SHOWS_ALL: AtomicBool = AtomicBool::new(false);
/// Players that are shown by their own switch.
static SHOWN: AtomicUsize = AtomicUsize::new(0);

const DEBUG: bool = cfg!(debug_assertions);

/// True if the inputs of this player are logged.
pub(super) fn is_logged(player: InstanceId) -> bool {
    DEBUG && (LOGS_ALL.load(Ordering::Relaxed) || with(player, |state| state.switches.logs).unwrap_or(false))
}

/// True if this player is shown now: while some have their own switch on, only those are.
pub(super) fn is_shown(player: InstanceId) -> bool {
    let own = with(player, |state| state.switches.shows && state.counted_as_shown).unwrap_or(false);
    DEBUG && (own || SHOWS_ALL.load(Ordering::Relaxed) && SHOWN.load(Ordering::Relaxed) == 0)
}

/// The switches of a player, or its place in the tree, are others now.
pub(super) fn update(player: InstanceId) {
    if !DEBUG {
        return;
    }
    follow();
    let change = with(player, |state| {
        state.core.set_logging(state.switches.logs || LOGS_ALL.load(Ordering::Relaxed));
        let counts = state.switches.shows && state.entered;
        let before = std::mem::replace(&mut state.counted_as_shown, counts);
        (before, counts, state.entered && (counts || SHOWS_ALL.load(Ordering::Relaxed)))
    });
    let Some((before, counts, wanted)) = change else { return };
    match (before, counts) {
        (false, true) => _ = SHOWN.fetch_add(1, Ordering::Relaxed),
        (true, false) => _ = SHOWN.fetch_sub(1, Ordering::Relaxed),
        _ => {}
    }
    overlay::want(player, wanted);
}

/// A player is freed.
pub(super) fn removed(counted: bool) {
    if counted {
        SHOWN.fetch_sub(1, Ordering::Relaxed);
    }
}

fn read_settings() {
    let (logs, shows) = (settings::LOG_ACTIONS.read(), settings::OVERLAY_ACTIONS.read());
    let changed = LOGS_ALL.swap(logs, Ordering::Relaxed) != logs;
    if (SHOWS_ALL.swap(shows, Ordering::Relaxed) != shows) | changed {
        state::players().into_iter().for_each(update);
    }
}

fn follow() {
    static FOLLOW: Once = Once::new();
    FOLLOW.call_once(|| {
        const CHANGED: &str = "settings_changed";
        const NAME: &str = "riposte_graph_switches";
        read_settings();
        // Any object that lives as long as the library.
        let holder = WorldTags::singleton();
        callbacks::connect(&ProjectSettings::singleton(), CHANGED, holder.instance_id(), NAME, |_| {
            read_settings()
        });
        singletons::at_exit(&holder, NAME, |id| {
            callbacks::disconnect(&ProjectSettings::singleton(), CHANGED, id, NAME);
        });
    });
}
