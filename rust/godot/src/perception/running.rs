//! The tick: reads the nodes, asks the core, casts the rays, tells what happened. User code runs only in the last part,
//! with nothing held.

use godot::classes::{Engine, SceneTree};
use godot::prelude::*;
use riposte_core::perception::{PerceiverKey, Scope, Tick};

use crate::awareness;
use crate::base::messages;
use crate::base::ticking::{self, PROCESS_MANUAL, PROCESS_PHYSICS};

use super::dimension::Placed;
use super::perception_server::PerceptionServer;
use super::stats::Watch;
use super::{answers, debug_draw, dispatch, mirror, state};

/// One physics frame of the server.
pub(super) fn physics_frame(server: InstanceId) {
    let Ok(server) = Gd::<PerceptionServer>::try_from_instance_id(server) else { return };
    let tree = Engine::singleton().get_main_loop().and_then(|main| main.try_cast::<SceneTree>().ok());
    let Some(root) = tree.as_ref().and_then(|tree| tree.get_root()) else { return };
    if let Some(tree) = &tree {
        mirror::refresh_all(tree);
    }
    let (present, manual) = state::with(|state| (state.world.has_perceivers(), state.manual));
    if !present {
        state::with(|state| state.world.settle_without_perceivers());
        // Beliefs of agents whose Perception left end too.
        awareness::prepare();
        awareness::dispatch(awareness::update(Scope::Common));
        debug_draw::clear();
        if !mirror::any() {
            server.bind().disconnect_from(tree);
        }
        return;
    }
    if manual {
        state::with(|state| state.world.settle_departures());
    } else {
        tick_all(root.get_physics_process_delta_time());
    }
    debug_draw::update();
}

/// Ticks every perceiver that is not MANUAL.
pub(super) fn tick_all(delta: f64) {
    state::with(|state| state.ticking = true);
    run(Scope::Common, delta);
    state::with(|state| state.ticking = false);
}

/// Ticks one MANUAL perceiver.
fn advance(key: PerceiverKey, delta: f64) {
    // In its own frame a node may be queued for deletion and still be in the tree.
    doom_queued_sources();
    state::with(|state| state.world.set_ticking(key, true));
    run(Scope::One(key), delta);
    state::with(|state| state.world.set_ticking(key, false));
}

/// `advance` of a Perception.
pub(super) fn advance_by_script(perception: &Gd<Node>, delta: f64) {
    let id = perception.instance_id();
    mirror::refresh(id);
    let (key, manual, ticking) = state::with(|state| {
        let key = state.perceiver(id);
        let settings = key.and_then(|key| state.world.perceiver_settings(key));
        let manual = settings.is_some_and(|settings| settings.manual);
        (key, manual, key.is_some_and(|key| state.world.is_ticking(key)))
    });
    let callback = if manual || key.is_none() { PROCESS_MANUAL } else { PROCESS_PHYSICS };
    if ticking::may_advance(perception, callback, ticking, delta)
        && let Some(key) = key
    {
        advance(key, delta);
    }
}

/// Sources that are queued for deletion, or whose agent is, count as gone.
pub(super) fn doom_queued_sources() {
    let sources = state::with(|state| state.world.active_sources());
    let going: Vec<_> = {
        let server = PerceptionServer::singleton();
        let server = server.bind();
        sources.into_iter().map(|(key, _)| key).filter(|key| server.nodes.is_going(*key)).collect()
    };
    state::with(|state| going.into_iter().for_each(|key| state.world.doom_source(key)));
}

fn run(scope: Scope, delta: f64) {
    awareness::prepare();
    drop_gone_strays();
    let mut watch = Watch::start();
    let mut tick = state::with(|state| state.world.begin(scope, delta));
    {
        let server = PerceptionServer::singleton();
        let server = server.bind();
        let nodes = &server.nodes;
        tick.read_ahead(
            |expected| nodes.expect(expected),
            |key| nodes.perceiver_frame(key),
            |key| nodes.source_frame(key),
        );
    }
    watch.collected();
    state::with(|state| state.world.look(&mut tick));
    watch.computed();
    if tick.had_invalid_frames() {
        warn_of_invalid_frames(&tick);
    }
    answers::answer(&mut tick);
    watch.looked();
    let events = state::with(|state| state.world.finish(tick));
    watch.settled();
    let told = awareness::update(scope);
    dispatch::dispatch(&events);
    awareness::dispatch(told);
    state::with(|state| state.world.recycle(events));
    watch.end();
}

/// Targets without a source send no notice when they go.
fn drop_gone_strays() {
    let strays: Vec<_> = state::with(|state| state.world.strays().collect());
    for target in strays {
        let node = InstanceId::try_from_i64(target.agent);
        let node = node.and_then(Placed::by_id).filter(|node| !node.node().is_queued_for_deletion());
        let space = node.and_then(|node| node.space());
        state::with(|state| state.world.set_stray_space(target.key, space));
    }
}

fn warn_of_invalid_frames(tick: &Tick) {
    let (perceivers, sources) = tick.invalid_frames();
    let nodes: Vec<_> = state::with(|state| {
        let perceivers = perceivers.iter().filter_map(|key| state.perceiver_node(*key));
        let sources = sources.iter().filter_map(|key| state.source_node(*key));
        perceivers.chain(sources).collect()
    });
    for node in nodes.into_iter().filter_map(|id| Gd::<Node>::try_from_instance_id(id).ok()) {
        let text = "its global transform is not a number, it is skipped. Look for a division by zero in what moves it.";
        messages::warning(&node, "global_transform", "not finite", text);
    }
}
