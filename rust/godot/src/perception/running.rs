//! The tick: reads the nodes, asks the core, casts the rays, tells what happened. User code runs only in the last part,
//! with nothing held.

use godot::classes::{Engine, PhysicsDirectSpaceState3D, SceneTree, World3D};
use godot::prelude::*;
use riposte_core::perception::{Ask, PerceiverKey, Scope, SpaceId, Tick};

use crate::base::messages;

use super::dimension::Placed;
use super::dispatch;
use super::line_of_sight::looker_of;
use super::perception_server::PerceptionServer;
use super::rays::{self, Look};
use super::state;

/// One physics frame of the server.
pub(super) fn physics_frame(server: InstanceId) {
    let Ok(server) = Gd::<PerceptionServer>::try_from_instance_id(server) else { return };
    let tree = Engine::singleton().get_main_loop().and_then(|main| main.try_cast::<SceneTree>().ok());
    let Some(root) = tree.as_ref().and_then(|tree| tree.get_root()) else { return };
    let (present, manual) = state::with(|state| (state.world.has_perceivers(), state.manual));
    if !present {
        state::with(|state| state.world.settle_without_perceivers());
        server.bind().disconnect_from(tree);
    } else if manual {
        state::with(|state| state.world.settle_departures());
    } else {
        tick_all(root.get_physics_process_delta_time());
    }
}

/// Ticks every perceiver that is not MANUAL.
pub(super) fn tick_all(delta: f64) {
    state::with(|state| state.ticking = true);
    run(Scope::Common, delta);
    state::with(|state| state.ticking = false);
}

/// Ticks one MANUAL perceiver.
pub(super) fn advance(key: PerceiverKey, delta: f64) {
    // In its own frame a node may be queued for deletion and still be in the tree.
    doom_queued_sources();
    state::with(|state| state.world.set_ticking(key, true));
    run(Scope::One(key), delta);
    state::with(|state| state.world.set_ticking(key, false));
}

/// Sources that are queued for deletion, or whose agent is, count as gone.
pub(super) fn doom_queued_sources() {
    let sources = state::with(|state| {
        let active = state.world.active_sources();
        active.into_iter().map(|(key, agent)| (key, state.source_node(key), agent)).collect::<Vec<_>>()
    });
    let queued = |id: InstanceId| {
        Gd::<Node>::try_from_instance_id(id).map_or(true, |node| node.is_queued_for_deletion())
    };
    for (key, source, agent) in sources {
        let agent = InstanceId::try_from_i64(agent);
        if [source, agent].into_iter().flatten().any(queued) {
            state::with(|state| state.world.doom_source(key));
        }
    }
}

fn run(scope: Scope, delta: f64) {
    drop_gone_strays();
    let mut tick = state::with(|state| state.world.begin(scope, delta));
    {
        let server = PerceptionServer::singleton();
        let server = server.bind();
        tick.read(|key| server.nodes.perceiver_frame(key), |key| server.nodes.source_frame(key));
    }
    state::with(|state| state.world.look(&mut tick));
    if tick.had_invalid_frames() {
        warn_of_invalid_frames(&tick);
    }
    cast(&mut tick);
    let events = state::with(|state| state.world.finish(tick));
    dispatch::dispatch(&events);
    state::with(|state| state.world.recycle(events));
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

/// Answers the questions of a tick with rays. Where none can be cast the last verdict stays.
fn cast(tick: &mut Tick) {
    let mut server = PerceptionServer::singleton();
    let mut server = server.bind_mut();
    let nodes = &mut server.nodes;
    let mut spaces: Vec<(SpaceId, Option<Gd<PhysicsDirectSpaceState3D>>)> = Vec::new();
    while let Some(asked) = tick.question() {
        let Ask::Sight(question) = asked else {
            tick.pass();
            continue;
        };
        let at = spaces.iter().position(|(known, _)| *known == question.space).unwrap_or_else(|| {
            spaces.push((question.space, space_state(question.space)));
            spaces.len() - 1
        });
        let target = InstanceId::try_from_i64(question.target.agent);
        let (Some(space), Some(target)) = (&mut spaces[at].1, target) else {
            tick.pass();
            continue;
        };
        let key = question.perceiver;
        let look = Look { target, eye: question.eye, points: question.points };
        let make = looker_of(key, nodes.mask(key));
        let visible = nodes.rays.see(key.index(), make, space, &look);
        let casts = look.points.len() as u32;
        tick.answer_sight(visible, casts);
    }
}

fn space_state(space: SpaceId) -> Option<Gd<PhysicsDirectSpaceState3D>> {
    let (world, _) = state::with(|state| state.world_of(space))?;
    rays::space_state(Gd::<World3D>::try_from_instance_id(world).ok())
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
