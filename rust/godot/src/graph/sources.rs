//! Which moveset counts: those that were set under keys, the newest first, and the default one.

use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::{Call, Graph};

use super::compiled::CompiledGraph;
use super::state::{State, with};
use super::worlds::Looks;
use super::{ActionGraph, ActionGraphPlayer, animation_part, binding, driver, preload};
use crate::base::callbacks::{connect, disconnect};
use crate::base::messages;

/// Name of the connection to the graph that counts.
const EDITED: &str = "riposte_moveset_edited";

/// All movesets of one player.
#[derive(Default)]
pub(super) struct Sources {
    default: Option<Gd<ActionGraph>>,
    /// The newest last.
    keys: Vec<(StringName, Gd<ActionGraph>)>,
    /// What the core was given.
    active: Option<Gd<ActionGraph>>,
    /// What a recording that is played wants.
    played: Option<Option<Gd<ActionGraph>>>,
    /// The movesets of that recording.
    reel: Vec<Gd<ActionGraph>>,
    /// Those of the one that is about to be played.
    next_reel: Vec<Gd<ActionGraph>>,
    /// What the core was given since a recording began, and last before that.
    given: Vec<(Arc<Graph>, Gd<ActionGraph>)>,
}

impl Sources {
    fn wanted(&self) -> Option<Gd<ActionGraph>> {
        self.played.clone().unwrap_or_else(|| self.own())
    }

    /// What counts but for a recording that is played.
    fn own(&self) -> Option<Gd<ActionGraph>> {
        self.keys.last().map(|(_, graph)| graph.clone()).or_else(|| self.default.clone())
    }

    /// The core gets this moveset.
    fn give(&mut self, core: &Arc<Graph>, graph: Gd<ActionGraph>, recording: bool) {
        if !recording {
            self.given.clear();
        }
        self.given.push((core.clone(), graph));
    }

    /// A recording begins with the moveset that was given last.
    pub fn begin_recording(&mut self) -> Vec<(Arc<Graph>, Gd<ActionGraph>)> {
        let last = self.given.pop();
        std::mem::replace(&mut self.given, last.into_iter().collect())
    }

    /// The moveset that the recording began with.
    pub fn recorded(&self) -> Option<&Gd<ActionGraph>> {
        self.given.first().map(|given| &given.1)
    }

    /// The moveset that the core knows as this.
    pub fn given(&self, core: &Arc<Graph>) -> Option<Gd<ActionGraph>> {
        let found = self.given.iter().find(|given| Arc::ptr_eq(&given.0, core));
        found.map(|given| given.1.clone())
    }
}

impl Sources {
    /// The files of what was set under keys, as `[key, file]`, the newest last.
    pub fn overrides(&self) -> VarArray {
        let pair = |(key, graph): &(StringName, Gd<ActionGraph>)| {
            varray![&GString::from(key), &graph.get_path()].to_variant()
        };
        self.keys.iter().map(pair).collect()
    }
}

/// The moveset that counts.
pub(super) fn active(id: InstanceId) -> Option<Gd<ActionGraph>> {
    with(id, |state| state.sources.wanted()).flatten()
}

/// The moveset that counts when no recording is played.
pub(super) fn own(id: InstanceId) -> Option<Gd<ActionGraph>> {
    with(id, |state| state.sources.own()).flatten()
}

/// The movesets of a recording that is about to be played; those of the one before.
pub(super) fn hand_reel(id: InstanceId, reel: Vec<Gd<ActionGraph>>) -> Vec<Gd<ActionGraph>> {
    with(id, |state| std::mem::replace(&mut state.sources.next_reel, reel)).unwrap_or_default()
}

/// A recording is played: what the game sets meanwhile counts afterwards.
pub(super) fn begin_replay(id: InstanceId) {
    let old = with(id, |state| {
        let reel = std::mem::take(&mut state.sources.next_reel);
        let played = state.sources.active.clone();
        (state.sources.played.replace(played), std::mem::replace(&mut state.sources.reel, reel))
    });
    drop(old);
}

/// The recording has come to another moveset.
pub(super) fn replayed(id: InstanceId, at: Option<usize>) {
    let old = with(id, |state| {
        let graph = at.and_then(|at| state.sources.reel.get(at).cloned());
        state.sources.played.as_mut().map(|played| std::mem::replace(played, graph))
    });
    drop(old);
    activate(id);
}

/// The recording is over.
pub(super) fn end_replay(id: InstanceId) {
    let old = with(id, |state| (state.sources.played.take(), std::mem::take(&mut state.sources.reel)));
    drop(old);
    activate(id);
}

/// Where attacks stop with the agent's weapon, in metres; negative: nobody says.
pub(super) fn stop_distance(id: InstanceId) -> f64 {
    super::grants::stop_distance_of(id)
}

/// Sets the default one.
pub(super) fn set_default(this: &Gd<ActionGraphPlayer>, graph: Option<Gd<ActionGraph>>) {
    let id = this.instance_id();
    let old = with(id, |state| std::mem::replace(&mut state.sources.default, graph));
    drop(old);
    activate(id);
}

/// Sets one under a key.
pub(super) fn set(this: &Gd<ActionGraphPlayer>, graph: Option<Gd<ActionGraph>>, key: StringName) -> bool {
    if !driver::on_main(this, "set_graph") {
        return false;
    }
    let Some(graph) = graph else {
        let text = "set_graph() got no graph. Use clear_graph() to go back to the one before.";
        messages::error(this, "set_graph", "null", text);
        return false;
    };
    if ActionGraph::compiled(&graph).is_none() {
        let text = format!(
            "set_graph() got {}, which has errors, so nothing changes. Mend them first.",
            messages::label(&graph.upcast())
        );
        messages::error(this, "set_graph", "errors", &text);
        return false;
    }
    let id = this.instance_id();
    let old = with(id, |state| {
        let keys = &mut state.sources.keys;
        let old: Vec<_> = keys.extract_if(.., |known| known.0 == key).collect();
        keys.push((key, graph));
        old
    });
    drop(old);
    activate(id);
    true
}

/// Takes the one of a key back.
pub(super) fn clear(this: &Gd<ActionGraphPlayer>, key: &StringName) -> bool {
    if !driver::on_main(this, "clear_graph") {
        return false;
    }
    let id = this.instance_id();
    let old =
        with(id, |state| state.sources.keys.extract_if(.., |known| known.0 == *key).collect::<Vec<_>>());
    let found = old.is_some_and(|old| !old.is_empty());
    if found {
        activate(id);
    }
    found
}

/// Gives the core the moveset that counts, if it has another one. Before the node is ready nothing plays.
pub(super) fn activate(id: InstanceId) {
    let change = with(id, |state| {
        if !state.entered {
            return None;
        }
        let wanted = state.sources.wanted();
        if wanted == state.sources.active {
            return None;
        }
        let old = std::mem::replace(&mut state.sources.active, wanted.clone());
        state.edited = false;
        Some((old, wanted))
    });
    let Some((old, wanted)) = change.flatten() else { return };
    if let Some(old) = &old {
        disconnect(old, "changed", id, EDITED);
    }
    let compiled = wanted.as_ref().and_then(|graph| {
        connect(graph, "changed", id, EDITED, edited);
        ActionGraph::compiled(graph)
    });
    match compiled {
        Some(compiled) => {
            let binding = bind(id, &compiled);
            let core = compiled.core.clone();
            keep(id, compiled.clone());
            if let Some(graph) = wanted {
                with(id, |state| {
                    let recording = state.core.is_recording();
                    state.sources.give(&core, graph, recording);
                });
            }
            driver::call(id, Call::SetGraph(Some(core), binding));
            // Last, as scripts are asked: one of them may set another moveset.
            preload::request(id, compiled.nodes.iter().filter_map(|node| node.payload.as_deref()));
        }
        None => {
            driver::call(id, Call::SetGraph(None, Default::default()));
        }
    }
}

fn keep(id: InstanceId, compiled: Rc<CompiledGraph>) {
    let looks = Rc::new(Looks::of(&compiled.core));
    let old = with(id, |state| {
        state.graphs.push(compiled);
        state.world.forget();
        (state.considered.take(), std::mem::replace(&mut state.looks, looks))
    });
    drop(old);
}

/// The moveset that counts was changed.
fn edited(id: InstanceId) {
    with(id, |state| state.edited = true);
    driver::update_ticking(id);
}

/// An edit of the graph, or other animations, count from now on.
pub(super) fn catch_up(id: InstanceId) {
    let edited = with(id, |state: &mut State| {
        let edited = std::mem::take(&mut state.edited);
        state.sources.active.clone().filter(|_| edited)
    });
    if let Some(compiled) = edited.flatten().and_then(|graph| ActionGraph::compiled(&graph)) {
        let same = with(id, |state| state.graphs.last().is_some_and(|known| Rc::ptr_eq(known, &compiled)));
        if same == Some(false) {
            let binding = bind(id, &compiled);
            let core = compiled.core.clone();
            keep(id, compiled);
            with(id, |state| state.core.call(Call::Edit(core, binding)));
        }
    }
    let other = with(id, |state| {
        let compiled = state.graphs.last().cloned();
        compiled.filter(|_| state.bound_at != binding::epoch())
    });
    if let Some(compiled) = other.flatten() {
        let binding = bind(id, &compiled);
        with(id, |state| state.core.call(Call::Rebind(binding)));
    }
}

fn bind(id: InstanceId, compiled: &CompiledGraph) -> Arc<riposte_core::graph::Binding> {
    with(id, |state| state.bound_at = binding::epoch());
    let mixer = animation_part::mixer(id);
    let payloads = compiled.nodes.iter().map(|node| node.payload.as_deref());
    binding::bind(id, compiled.stamp, payloads, mixer.as_ref())
}
