//! Lines of sight by physics rays.

use glam::DVec3;
use godot::builtin::{Array, Rid, Variant, Vector3};
use godot::classes::{
    CollisionObject3D, Engine, Node, PhysicsDirectSpaceState3D, PhysicsRayQueryParameters3D, ProjectSettings,
    World3D,
};
use godot::meta::ToGodot as _;
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
    keys: Keys,
}

/// Keys of a hit, made once.
struct Keys {
    collider_id: Variant,
    rid: Variant,
}

impl Default for Keys {
    fn default() -> Self {
        Self { collider_id: "collider_id".to_variant(), rid: "rid".to_variant() }
    }
}

/// Who looks: its query, and the bodies that are its own.
pub(crate) struct Looker {
    query: Gd<PhysicsRayQueryParameters3D>,
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
        self.lookers[index].get_or_insert_with(make).see(space, look, &self.keys)
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
        Self { query, own: agent.map(Gd::instance_id), excluded }
    }

    /// Which points are seen, without a place in the table.
    pub(crate) fn see_once(mut self, space: &mut Gd<PhysicsDirectSpaceState3D>, look: &Look<'_>) -> u16 {
        self.see(space, look, &Keys::default())
    }

    fn see(&mut self, space: &mut Gd<PhysicsDirectSpaceState3D>, look: &Look<'_>, keys: &Keys) -> u16 {
        let eye = vector3(look.eye);
        self.query.set_from(eye);
        let mut visible = 0;
        for (index, point) in look.points.iter().enumerate() {
            let point = vector3(*point);
            if eye.distance_to(point) < TOUCHING || self.reaches(space, point, look.target, keys) {
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
        keys: &Keys,
    ) -> bool {
        self.query.set_to(point);
        for _ in 0..MAX_CASTS {
            let hit = space.intersect_ray(&self.query);
            if hit.is_empty() {
                return true;
            }
            let collider = hit.get(&keys.collider_id).and_then(|id| id.try_to::<i64>().ok()).unwrap_or(0);
            let body =
                InstanceId::try_from_i64(collider).and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
            // A body without a node belongs to nobody: it blocks.
            let Some(body) = body else { return false };
            if is_below(&body, target) {
                return true;
            }
            if !self.own.is_some_and(|own| is_below(&body, own)) {
                return false;
            }
            let Some(Ok(rid)) = hit.get(&keys.rid).map(|rid| rid.try_to::<Rid>()) else { return false };
            self.excluded.push(rid);
            self.query.set_exclude(&self.excluded);
        }
        false
    }
}

/// True if the node is the agent or below it.
fn is_below(node: &Gd<Node>, agent: InstanceId) -> bool {
    if node.instance_id() == agent {
        return true;
    }
    Gd::<Node>::try_from_instance_id(agent).is_ok_and(|agent| agent.is_ancestor_of(node))
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
