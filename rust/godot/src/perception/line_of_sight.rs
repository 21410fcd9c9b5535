//! Lines of sight that scripts ask for, outside the tick.

use glam::DVec3;
use godot::classes::World3D;
use godot::prelude::*;
use riposte_core::perception::{self as core, PerceiverKey, Pose};

use crate::base::convert::{dvec3, vector3};
use crate::base::messages;
use crate::optional::Optional;

use super::arguments::{self, NodeArg};
use super::nodes::frame_of;
use super::perception_3d::Perception3D;
use super::perception_server::PerceptionServer;
use super::rays::{self, Look, Looker};
use super::state;

/// Where the eye of a Perception is, and where it looks.
pub(super) fn eye_and_forward(this: &Gd<Perception3D>) -> (Vector3, Vector3) {
    let id = this.instance_id();
    let known = state::with(|state| state.world.perceiver_settings(state.perceiver(id)?).cloned());
    let settings = known.unwrap_or_else(|| this.bind().settings());
    if !this.is_inside_tree() {
        return (vector3(settings.eye_offset), Vector3::FORWARD);
    }
    let Some(pose) = frame_of(&this.clone().upcast()).pose() else {
        return (Vector3::ZERO, Vector3::FORWARD);
    };
    let (eye, forward) = core::eye_and_forward(&pose, &settings, false);
    (vector3(eye), vector3(forward))
}

/// Whether `from` (a Perception, its agent, or any Node3D) sees `to`.
pub(super) fn between(from: &Gd<Node>, to: NodeArg) -> bool {
    let Some(to) = to.0 else { return false };
    let perceiver = arguments::perceiver_of(from);
    let node = perceiver.and_then(|key| state::with(|state| state.perceiver_node(key)));
    let perception = node.and_then(|id| Gd::<Perception3D>::try_from_instance_id(id).ok());
    let looker: Option<Gd<Node3D>> = match &perception {
        Some(perception) => Some(perception.clone().upcast()),
        None => from.clone().try_cast().ok(),
    };
    let Some(looker) = looker.filter(|looker| looker.is_inside_tree()) else { return false };
    let Some((target, points)) = points_of(&to, &looker) else { return false };
    if !rays::may_cast() {
        return last_verdict(from, perceiver, &to);
    }
    let Some(mut space) = looker.get_world_3d().and_then(|world| rays::space_state(Some(world))) else {
        return false;
    };
    let eye = match &perception {
        Some(perception) => dvec3(eye_and_forward(perception).0),
        None => frame_of(&looker).origin,
    };
    let look = Look { target, eye, points: &points };
    let seen = match perceiver {
        Some(key) => {
            let mut server = PerceptionServer::singleton();
            let mut server = server.bind_mut();
            let make = looker_of(key, server.nodes.mask(key));
            server.nodes.rays.see(key.index(), make, &mut space, &look)
        }
        None => Looker::new(Some(from), 1).see_once(&mut space, &look),
    };
    seen != 0
}

/// Makes the ray query of a perceiver, with its agent's bodies left out.
pub(super) fn looker_of(key: PerceiverKey, mask: u32) -> impl FnOnce() -> Looker {
    move || {
        let agent = state::with(|state| state.world.perceiver_place(key)).map(|(_, agent)| agent);
        let agent = agent.and_then(InstanceId::try_from_i64);
        let agent = agent.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
        Looker::new(agent.as_ref(), mask)
    }
}

/// The points to look at, and the node whose own bodies do not hide them. None if `to` is in another world.
fn points_of(to: &Gd<Node>, looker: &Gd<Node3D>) -> Option<(InstanceId, Vec<DVec3>)> {
    let world = looker.get_world_3d();
    if let Some(target) = arguments::target_with_source(to) {
        let (node, settings) = state::with(|state| {
            let active = state.world.active_source(target.key);
            let key = active.or_else(|| state.world.sources_of(target.key).first().copied())?;
            Some((state.source_node(key)?, state.world.source_settings(key)?.clone()))
        })?;
        let node = Gd::<Node3D>::try_from_instance_id(node).ok()?;
        let pose = pose_in(&node, world)?;
        let points = core::aim_points(&settings, &pose, settings.stance).collect();
        return Some((InstanceId::try_from_i64(target.agent)?, points));
    }
    let node = to.clone().try_cast::<Node3D>().ok()?;
    let pose = pose_in(&node, world)?;
    Some((node.instance_id(), vec![pose.origin]))
}

fn pose_in(node: &Gd<Node3D>, world: Option<Gd<World3D>>) -> Option<Pose> {
    let same = node.is_inside_tree() && node.get_world_3d() == world;
    if same { frame_of(node).pose() } else { None }
}

/// Physics runs on its own thread and this is not its step: only what the last look saw is known.
fn last_verdict(from: &Gd<Node>, perceiver: Option<PerceiverKey>, to: &Gd<Node>) -> bool {
    let text = "has_line_of_sight() outside the physics step answers from the last look, because physics runs on \
                its own thread. Ask in _physics_process.";
    messages::warning(from, "has_line_of_sight", "thread", text);
    let record = perceiver.and_then(|key| super::queries::record_of(key, &Optional(Some(to.clone()))));
    record.is_some_and(|(_, record)| record.seen())
}
