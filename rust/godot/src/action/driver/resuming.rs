//! Runs that were saved and are taken up where they were.

use godot::prelude::*;
use riposte_core::action::{Answer, Prepare, Run, RunningState};

use super::runs::{checked_timeout, find, is_kept, make, wants_ticks};
use super::sides::side;
use super::{call, with};

/// What the running method needs to go on later; empty if it can't. Runs its script.
pub(in crate::action) fn export(id: InstanceId) -> VarDictionary {
    let running = with(id, |state| state.core.running().map(Run::id)).flatten();
    let Some((run, _)) = running.and_then(|run| find(id, run)) else { return VarDictionary::new() };
    let before = with(id, |state| state.core.set_calling(running)).flatten();
    let method = run.export_state();
    with(id, |state| state.core.set_calling(before));
    method
}

/// Takes up a run, if its method can. Runs its script.
pub(in crate::action) fn take_up(id: InstanceId, running: &RunningState, method: &VarDictionary) {
    side(id, |side| side.saved = Some(method.clone()));
    call(id, |state| state.core.resume(running));
    drop(side(id, |side| side.saved.take()));
}

/// Its context and private duplicate, and whether the method goes on.
pub(super) fn resume(id: InstanceId, prepare: &Prepare) -> Answer {
    const REFUSED: Answer = Answer::Begun { ok: false, timeout: 0.0, instant: false, ticks: false };
    let Some(made) = make(id, prepare) else { return REFUSED };
    let method = side(id, |side| side.saved.take()).unwrap_or_default();
    if !made.run.import_state(&made.context, &method) || !is_kept(id, prepare.run) {
        return REFUSED;
    }
    let timeout = checked_timeout(id, &made.context, made.run.timeout());
    let ticks = wants_ticks(id, prepare.run, &made.run);
    Answer::Begun { ok: true, timeout, instant: false, ticks }
}
