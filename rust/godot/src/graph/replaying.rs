//! Recordings of a player, and how they are played.

use godot::prelude::*;
use riposte_core::graph::{RecordedTick, Replay, Saved};

use super::state::with;
use super::{ActionGraph, ActionGraphPlayer, ActionReplay, driver, plain, saving, sources};
use crate::base::{messages, tags};

const VERSION: i64 = 1;

/// Begins to record.
pub(super) fn start(this: &Gd<ActionGraphPlayer>) -> bool {
    const MEMBER: &str = "start_recording";
    if !driver::on_main(this, MEMBER) {
        return false;
    }
    let begun = with(this.instance_id(), |state| {
        state.entered && tags::with_table(|table| state.core.start_recording(table))
    });
    if begun != Some(true) {
        let text = "start_recording() was called while there is no moveset, or while a recording is made or played. Wait \
                    for its end, or call stop_recording().";
        messages::error(this, MEMBER, "state", text);
        return false;
    }
    let old = with(this.instance_id(), |state| {
        // From inside of a turn it begins later.
        state.core.is_recording().then(|| state.sources.begin_recording())
    });
    drop(old);
    // It steps also while nothing runs.
    driver::update_ticking(this.instance_id());
    true
}

/// Ends the recording.
pub(super) fn stop(this: &Gd<ActionGraphPlayer>) -> Option<Gd<ActionReplay>> {
    const MEMBER: &str = "stop_recording";
    if !driver::on_main(this, MEMBER) {
        return None;
    }
    let id = this.instance_id();
    let made = with(id, |state| {
        let made = tags::with_table(|table| state.core.stop_recording(table))?;
        let graphs: Vec<_> = made.graphs.iter().map(|graph| state.sources.given(graph)).collect();
        Some((made, graphs, state.sources.recorded().cloned()))
    });
    let Some((made, graphs, first)) = made.flatten() else {
        let text = "stop_recording() was called without a recording. Call start_recording() first.";
        messages::error(this, MEMBER, "none", text);
        return None;
    };
    let mut replay = ActionReplay::new_gd();
    {
        let mut own = replay.bind_mut();
        own.version = VERSION;
        own.graph_path = first.map(|graph| graph.get_path()).unwrap_or_default();
        own.start_state = plain::shown(&made.start).try_to().unwrap_or_default();
        own.ticks = plain::shown(&made.ticks).try_to().unwrap_or_default();
        own.graphs = graphs.iter().map(ToGodot::to_variant).collect();
        own.answers = PackedByteArray::from(made.answers.as_slice());
    }
    Some(replay)
}

/// Plays a recording from its start.
pub(super) fn play(this: &Gd<ActionGraphPlayer>, replay: Option<Gd<ActionReplay>>, answers: bool) -> bool {
    const MEMBER: &str = "play_replay";
    if !driver::on_main(this, MEMBER) {
        return false;
    }
    let Some(replay) = replay else {
        messages::error(
            this,
            MEMBER,
            "null",
            "play_replay() got no recording. Give one of stop_recording().",
        );
        return false;
    };
    let (version, path, start, ticks, said, graphs) = {
        let own = replay.bind();
        (
            own.version,
            own.graph_path.clone(),
            own.start_state.to_variant(),
            own.ticks.to_variant(),
            own.answers.to_vec(),
            own.graphs.clone(),
        )
    };
    let read = plain::read::<Saved>(&start).zip(plain::read::<Vec<RecordedTick>>(&ticks));
    let Some((start, ticks)) = read.filter(|_| version == VERSION) else {
        let text = format!(
            "play_replay() got a recording of version {version} or another structure. Record anew; it reads version {VERSION}."
        );
        messages::error(this, MEMBER, "structure", &text);
        return false;
    };
    let id = this.instance_id();
    let Some(reel) = movesets(this, &graphs) else { return false };
    if !saving::is_same_graph(this, MEMBER, &path) {
        return false;
    }
    if with(id, |state| state.entered && state.core.stop_replay()) == Some(true) {
        // It begins with the moveset that it had, not with the one that the other recording has come to.
        sources::end_replay(id);
    }
    let replay = Replay { start, ticks, answers: said, graphs: Vec::new() };
    if !driver::play(id, &replay, answers, reel) {
        let text = "play_replay() was called while a recording is made, without a moveset or out of the tree. Call \
                    stop_recording() first, or wait.";
        messages::error(this, MEMBER, "state", text);
        return false;
    }
    true
}

/// The movesets that a recording comes to; `None`, with an error: one cannot be played.
fn movesets(this: &Gd<ActionGraphPlayer>, graphs: &VarArray) -> Option<Vec<Gd<ActionGraph>>> {
    let sound = |graph: Variant| {
        let graph = graph.try_to::<Gd<ActionGraph>>().ok()?;
        ActionGraph::compiled(&graph).is_some().then_some(graph)
    };
    let all: Option<Vec<_>> = graphs.iter_shared().map(sound).collect();
    if all.is_none() {
        let text = "play_replay() got a recording with something else than a sound moveset in graphs. Record anew, or mend \
                    what it names.";
        messages::error(this, "play_replay", "graphs", text);
    }
    all
}
