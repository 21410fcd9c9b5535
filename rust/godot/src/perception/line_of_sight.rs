//! Lines of sight that scripts ask for, outside the tick.

use glam::DVec3;
use godot::classes::Node;
use godot::obj::{Gd, Singleton as _};
use riposte_core::perception::{self as core, MAX_AIM_POINTS, NodeId, PerceiverKey, PerceiverSettings};

use crate::base::messages;
use crate::optional::Optional;

use super::arguments::{self, NodeArg};
use super::dimension::Placed;
use super::perception_server::PerceptionServer;
use super::rays::{Look, Looker, RayRules, Seen};
use super::spaces::{self, Space};
use super::stances;
use super::state;

/// Where the eye of a Perception is, and where it looks. `unplaced`: its settings, as long as it has never been in the tree.
pub(super) fn eye_and_forward(
    perception: &Placed,
    unplaced: impl FnOnce() -> PerceiverSettings,
) -> (DVec3, DVec3) {
    let node = perception.node();
    let id = node.instance_id();
    let known = state::with(|state| state.world.perceiver_settings(state.perceiver(id)?).cloned());
    let settings = known.unwrap_or_else(unplaced);
    let planar = perception.is_planar();
    if !node.is_inside_tree() {
        let forward = if planar { DVec3::X } else { DVec3::NEG_Z };
        return (settings.eye_offset, forward);
    }
    match perception.frame().pose() {
        Some(pose) => core::eye_and_forward(&pose, &settings, planar),
        None => (DVec3::ZERO, if planar { DVec3::X } else { DVec3::NEG_Z }),
    }
}

/// Whether `from` (a Perception, its agent, or any node with a place) sees `to`.
pub(super) fn between(from: &Gd<Node>, to: NodeArg) -> bool {
    let Some(to) = to.0 else { return false };
    let perceiver = arguments::perceiver_of(from);
    let perception = perceiver.and_then(|key| state::with(|state| state.perceiver_node(key)));
    let looker = perception.and_then(Placed::by_id).or_else(|| Placed::of(from));
    let Some(looker) = looker.filter(|looker| looker.node().is_inside_tree()) else { return false };
    let Some(aim) = Aim::at(&to, &looker, perceiver) else { return false };
    let planar = looker.is_planar();
    if !spaces::may_cast(planar) {
        return last_verdict(from, perceiver, &to);
    }
    let space = looker.world().and_then(|world| spaces::of_world(world, planar));
    let (Some(mut space), Some(eye)) = (space, eye_of(&looker, perceiver)) else { return false };
    let look = Look { target: aim.target, eye, points: &aim.points, traces: None };
    let seen = cast(from, perceiver, planar, &mut space, look);
    state::with(|state| state.world.count_rays(seen.casts));
    seen.points.count_ones() >= aim.needed
}

/// A ray of an agent without a Perception: from `height` above its origin to the target's first aim point, or as far above
/// its origin. All bodies on these layers hide, but the agent's and the target's own. May ask the stance of the target.
pub(crate) fn ray(agent: &Gd<Node>, height: f64, mask: u32, to: &Gd<Node>) -> bool {
    let Some(looker) = Placed::of(agent) else { return false };
    let planar = looker.is_planar();
    let up = if planar { DVec3::NEG_Y } else { DVec3::Y } * height;
    let Some(origin) = looker.origin() else { return false };
    let Some(aim) = Aim::at(to, &looker, None) else { return false };
    let point = if aim.has_source { aim.points[0] } else { aim.points[0] + up };
    let Some(mut space) = looker.world().and_then(|world| spaces::of_world(world, planar)) else {
        return false;
    };
    let rules = RayRules { blocking_mask: mask, blocked_by_agents: true, ..RayRules::default() };
    let look = Look { target: aim.target, eye: origin + up, points: &[point], traces: None };
    let mut server = PerceptionServer::singleton();
    let seen = {
        let rays = &mut server.bind_mut().nodes.rays;
        rays.sweep();
        rays.see_once(Looker::new(planar, Some(agent), None, &rules), &mut space, look)
    };
    state::with(|state| state.world.count_rays(seen.casts));
    seen.points != 0
}

fn cast(
    from: &Gd<Node>,
    perceiver: Option<PerceiverKey>,
    planar: bool,
    space: &mut Space,
    look: Look<'_>,
) -> Seen {
    let mut server = PerceptionServer::singleton();
    let nodes = &mut server.bind_mut().nodes;
    nodes.rays.sweep();
    if let Some(key) = perceiver {
        return nodes.see(key, space, look, false);
    }
    let rules = RayRules { blocking_mask: 1, ..RayRules::default() };
    nodes.rays.see_once(Looker::new(planar, Some(from), None, &rules), space, look)
}

fn eye_of(looker: &Placed, perceiver: Option<PerceiverKey>) -> Option<DVec3> {
    let pose = looker.frame().pose()?;
    let settings = state::with(|state| state.world.perceiver_settings(perceiver?).cloned());
    let eye = |settings| core::eye_and_forward(&pose, &settings, looker.is_planar()).0;
    Some(settings.map_or(pose.origin, eye))
}

/// What somebody looks at.
struct Aim {
    /// The node whose own bodies do not hide it.
    target: NodeId,
    points: Vec<DVec3>,
    /// The points are those of a source.
    has_source: bool,
    /// Points that must be visible.
    needed: u32,
}

impl Aim {
    /// None if the node is not in the looker's world. May ask scripts for the stance.
    fn at(to: &Gd<Node>, looker: &Placed, perceiver: Option<PerceiverKey>) -> Option<Self> {
        let Some(target) = arguments::target_with_source(to) else {
            let node = Placed::of(to)?;
            let points = vec![origin_in(&node, looker)?];
            return Some(Self { target: to.instance_id().to_i64(), points, needed: 1, has_source: false });
        };
        let (key, node, settings) = state::with(|state| {
            let active = state.world.active_source(target.key);
            let key = active.or_else(|| state.world.sources_of(target.key).first().copied())?;
            Some((key, state.source_node(key)?, state.world.source_settings(key)?.clone()))
        })?;
        let stance = if settings.asks_stance { stances::stance(key) } else { settings.stance };
        let node = Placed::by_id(node)?;
        origin_in(&node, looker)?;
        let mut points: Vec<DVec3> = core::aim_points(&settings, &node.frame().pose()?, stance).collect();
        if settings.has_node_points {
            points.extend(PerceptionServer::singleton().bind().nodes.node_points(key));
            points.truncate(MAX_AIM_POINTS);
        }
        let needed = state::with(|state| {
            let settings = state.world.perceiver_settings(perceiver?)?;
            Some(settings.needed_points()[stance as usize])
        });
        let needed = needed.unwrap_or(1).clamp(1, points.len() as u32);
        Some(Self { target: target.agent, points, needed, has_source: true })
    }
}

/// Where a node is, if it is in the world of another.
fn origin_in(node: &Placed, other: &Placed) -> Option<DVec3> {
    let world = node.world()?;
    if other.world() == Some(world) { node.origin() } else { None }
}

/// Physics runs on its own thread and this is not its step: only what the last look saw is known.
fn last_verdict(from: &Gd<Node>, perceiver: Option<PerceiverKey>, to: &Gd<Node>) -> bool {
    let text = "has_line_of_sight() outside the physics step answers from the last look, because physics runs on \
                its own thread. Ask in _physics_process.";
    messages::warning(from, "has_line_of_sight", "thread", text);
    let record = perceiver.and_then(|key| super::queries::record_of(key, &Optional(Some(to.clone()))));
    record.is_some_and(|(_, record)| record.seen())
}
