//! Lines of sight by physics rays.

use std::collections::BTreeMap;

use glam::DVec3;
use godot::builtin::{Array, Rid, Variant, Vector3};
use godot::classes::{
    CollisionObject3D, Engine, Node, PhysicsDirectSpaceState3D, PhysicsRayQueryParameters3D, ProjectSettings,
    World3D,
};
use godot::meta::{ToGodot as _, ref_to_arg};
use godot::obj::{Gd, InstanceId, NewGd as _, Singleton as _};

use crate::base::convert::vector3;

/// A point nearer than this is visible without a ray.
const TOUCHING: f32 = 1e-4;
/// A ray is cast this often at the most, when it hits bodies that it looks through.
const MAX_CASTS: u32 = 5;

/// One ray query per perceiver, ready with what it must not hit.
#[derive(Default)]
pub(crate) struct Rays {
    lookers: Vec<Option<Looker>>,
    hits: Hits,
}

/// What is known about hits.
struct Hits {
    collider_id: Variant,
    rid: Variant,
    /// Nodes by id. To find out that an object is a node costs as much as a ray, and walls are hit again and again.
    nodes: BTreeMap<i64, NodeArg>,
}

/// A node, ready to be handed to the engine: a plain `&Gd` is cast for every call.
type NodeArg = Option<Gd<Node>>;

/// Nodes to remember before those that were freed are forgotten.
const REMEMBERED: usize = 1024;

impl Default for Hits {
    fn default() -> Self {
        let (collider_id, rid) = ("collider_id".to_variant(), "rid".to_variant());
        Self { collider_id, rid, nodes: BTreeMap::new() }
    }
}

impl Hits {
    fn node(&mut self, id: i64) -> NodeArg {
        if let Some(known) = self.nodes.get(&id) {
            // An id is never given to another object.
            return known.clone().filter(Gd::is_instance_valid);
        }
        let node = InstanceId::try_from_i64(id).and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
        if self.nodes.len() >= REMEMBERED {
            self.nodes.retain(|_, node| node.as_ref().is_some_and(Gd::is_instance_valid));
        }
        if node.is_some() {
            self.nodes.insert(id, node.clone());
        }
        node
    }

    /// True if the node is the agent or below it.
    fn is_below(&mut self, node: &NodeArg, agent: InstanceId) -> bool {
        if node.as_ref().is_some_and(|node| node.instance_id() == agent) {
            return true;
        }
        self.node(agent.to_i64()).is_some_and(|agent| agent.is_ancestor_of(ref_to_arg(node)))
    }
}

/// Who looks: its query, and the bodies that are its own.
pub(crate) struct Looker {
    /// Always there; an option because that is how the engine takes it.
    query: Option<Gd<PhysicsRayQueryParameters3D>>,
    own: Option<InstanceId>,
    excluded: Array<Rid>,
}

/// A line of sight to find out.
pub(crate) struct Look<'a> {
    /// Who is looked at; what stands in the way below it is the target itself.
    pub(crate) target: InstanceId,
    pub(crate) eye: DVec3,
    pub(crate) points: &'a [DVec3],
}

impl Rays {
    /// The bodies of a perceiver's agent may be others now, or its mask is.
    pub(crate) fn forget(&mut self, index: usize) {
        if let Some(looker) = self.lookers.get_mut(index) {
            *looker = None;
        }
    }

    /// Which points the perceiver with this index sees. `make` is its looker, if that was forgotten.
    pub(crate) fn see(
        &mut self,
        index: usize,
        make: impl FnOnce() -> Looker,
        space: &mut Gd<PhysicsDirectSpaceState3D>,
        look: &Look<'_>,
    ) -> u16 {
        if self.lookers.len() <= index {
            self.lookers.resize_with(index + 1, || None);
        }
        self.lookers[index].get_or_insert_with(make).see(space, look, &mut self.hits)
    }
}

impl Looker {
    /// A looker whose own bodies are those of `agent` and below it.
    pub(crate) fn new(agent: Option<&Gd<Node>>, mask: u32) -> Self {
        let mut query = PhysicsRayQueryParameters3D::new_gd();
        query.set_collision_mask(mask);
        query.set_hit_from_inside(false);
        query.set_hit_back_faces(true);
        let excluded = agent.map(bodies_of).unwrap_or_default();
        query.set_exclude(&excluded);
        Self { query: Some(query), own: agent.map(Gd::instance_id), excluded }
    }

    /// Which points are seen, without a place in the table.
    pub(crate) fn see_once(mut self, space: &mut Gd<PhysicsDirectSpaceState3D>, look: &Look<'_>) -> u16 {
        self.see(space, look, &mut Hits::default())
    }

    fn see(&mut self, space: &mut Gd<PhysicsDirectSpaceState3D>, look: &Look<'_>, hits: &mut Hits) -> u16 {
        let eye = vector3(look.eye);
        if let Some(query) = &mut self.query {
            query.set_from(eye);
        }
        let mut visible = 0;
        for (index, point) in look.points.iter().enumerate() {
            let point = vector3(*point);
            if eye.distance_to(point) < TOUCHING || self.reaches(space, point, look.target, hits) {
                visible |= 1 << index;
            }
        }
        visible
    }

    fn reaches(
        &mut self,
        space: &mut Gd<PhysicsDirectSpaceState3D>,
        point: Vector3,
        target: InstanceId,
        hits: &mut Hits,
    ) -> bool {
        if let Some(query) = &mut self.query {
            query.set_to(point);
        }
        for _ in 0..MAX_CASTS {
            let hit = space.intersect_ray(ref_to_arg(&self.query));
            let Some(collider) = hit.get(&hits.collider_id) else {
                return true;
            };
            let body = hits.node(collider.try_to::<i64>().unwrap_or(0));
            // A body without a node belongs to nobody: it blocks.
            if body.is_none() {
                return false;
            }
            if hits.is_below(&body, target) {
                return true;
            }
            if !self.own.is_some_and(|own| hits.is_below(&body, own)) {
                return false;
            }
            let Some(Ok(rid)) = hit.get(&hits.rid).map(|rid| rid.try_to::<Rid>()) else { return false };
            self.excluded.push(rid);
            if let Some(query) = &mut self.query {
                query.set_exclude(&self.excluded);
            }
        }
        false
    }
}

fn bodies_of(agent: &Gd<Node>) -> Array<Rid> {
    let own = agent.clone().try_cast::<CollisionObject3D>().ok();
    let below = agent.find_children_ex("*").type_("CollisionObject3D").owned(false).done();
    let below = below.iter_shared().filter_map(|node| node.try_cast::<CollisionObject3D>().ok());
    own.into_iter().chain(below).map(|body| body.get_rid()).collect()
}

/// The space state of a world, if rays may be cast now. Never asks the engine for what it would refuse with an
/// error of its own.
pub(crate) fn space_state(world: Option<Gd<World3D>>) -> Option<Gd<PhysicsDirectSpaceState3D>> {
    if may_cast() { world?.get_direct_space_state() } else { None }
}

/// False when physics has a thread of its own and this is not its step.
pub(crate) fn may_cast() -> bool {
    Engine::singleton().is_in_physics_frame() || !has_own_thread()
}

fn has_own_thread() -> bool {
    let setting = ProjectSettings::singleton().get_setting_with_override("physics/3d/run_on_separate_thread");
    setting.try_to::<bool>().unwrap_or(false)
}
