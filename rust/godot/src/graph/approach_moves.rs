//! The moves that an AttackApproach has to do with: told by the payload that plays an animation.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::MoveTimes;
use riposte_core::graph::parts::Approach;

use super::approach_state::{self, Running, with};
use super::run_parts::RunRef;
use crate::base::lookup::{self, Part};

/// What a move says about spacing.
#[derive(Clone)]
pub(super) struct Spacing {
    /// Where it stops, in metres; negative: it does not say.
    pub(super) stop_distance: f64,
    /// For how long it makes room, in seconds; negative: it does not say.
    pub(super) make_room: f64,
    /// The agent turns to where the input points.
    pub(super) turns_to_input: bool,
    /// Its windows.
    pub(super) times: Arc<MoveTimes>,
}

fn approach_of(agent: InstanceId) -> Option<InstanceId> {
    lookup::part_of(agent, Part::Approach)
}

/// True if the agent turns to where its input points, so that moves need no animations for other directions.
pub(super) fn turns_to_input(agent: InstanceId) -> bool {
    approach_of(agent).and_then(|id| with(id, |state| state.turns)).unwrap_or(false)
}

/// A move starts.
pub(super) fn begin(run: &RunRef, spacing: Spacing) {
    if let Some(id) = approach_of(run.data().agent) {
        let running = Running { run: run.clone(), spacing, approach: Approach::default() };
        approach_state::set_running(id, Some(running));
    }
}

/// A move is left.
pub(super) fn end(run: &RunRef) {
    let Some(id) = approach_of(run.data().agent) else { return };
    let ours = approach_state::running(id).is_some_and(|running| {
        let data = running.run.data();
        (data.player, data.run) == (run.data().player, run.data().run)
    });
    if ours {
        approach_state::set_running(id, None);
    }
}
