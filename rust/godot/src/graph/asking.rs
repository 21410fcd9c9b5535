//! What would be, without doing it: scripts are asked, nothing changes.

use glam::DVec2;
use godot::prelude::*;
use riposte_core::graph::{DryRun, Explained, Fail, InputReport, Machine, Moment};
use riposte_core::tags::TagId;

use super::state::with;
use super::{inputs, performing, player_input, sources, worlds};

/// What would become of an input now.
pub(super) fn explain(
    id: InstanceId,
    tag: TagId,
    moment: Moment,
    direction: Option<DVec2>,
) -> Option<InputReport> {
    inputs::learn(id, tag);
    let run = begin(id, |core| {
        let (stick, move_direction) = (core.recorder().stick(), core.recorder().move_direction());
        core.explain(tag, moment, stick, direction.unwrap_or(move_direction))
    })?;
    match finish(id, run)? {
        Explained::Input(report) => Some(*report),
        Explained::Start(_) => None,
    }
}

/// Whether a node could start now.
pub(super) fn can_start(id: InstanceId, node: u32) -> Fail {
    let run = begin(id, |core| {
        let (stick, direction) = (core.recorder().stick(), core.recorder().move_direction());
        core.can_start(node, stick, direction)
    });
    match run.and_then(|run| finish(id, run)) {
        Some(Explained::Start(fail)) => fail,
        _ => Fail::Unknown,
    }
}

fn begin(id: InstanceId, make: impl FnOnce(&Machine) -> DryRun) -> Option<DryRun> {
    if !with(id, |state| state.entered)? {
        return None;
    }
    if !with(id, |state| state.core.in_turn())? {
        sources::catch_up(id);
        settle(id);
    }
    player_input::refresh_stick(id);
    worlds::read(id);
    with(id, |state| make(&state.core))
}

/// Edits that were made just now count.
fn settle(id: InstanceId) {
    super::driver::run_pending(id);
}

fn finish(id: InstanceId, mut run: DryRun) -> Option<Explained> {
    loop {
        worlds::refresh(id);
        let question = with(id, |state| run.poll(&state.core, &state.world.view()))?;
        let Some(question) = question else { return run.result() };
        let answer = performing::answer(id, &question);
        let old = with(id, |state| {
            state.world.spoil();
            state.considered.take()
        });
        drop(old);
        run.answer(answer);
    }
}
