//! Reads the world for a decision: once per evaluation, and only what the actions look at.

use std::sync::OnceLock;

use godot::classes::{Node2D, Node3D};
use godot::prelude::*;
use riposte_core::action::{Needs, Snapshot, TargetKey, TargetView, TargetWish, planar_angle};
use riposte_core::tags::TagSet;

use super::{key_of, sides, with};
use crate::action::decision_context::ContextData;
use crate::agent::{self, TagStamp, health};
use crate::awareness;
use crate::base::lookup::{self, Part};
use crate::base::{settings, tags};
use crate::perception;

/// Copies of the tags that a decision asks, made again only when they changed.
#[derive(Default)]
pub(super) struct TagCache {
    own: (TagStamp, TagSet),
    target: (TagStamp, TagSet),
    world: (u64, TagSet),
}

impl TagCache {
    fn read(&mut self, agent: InstanceId, target: Option<InstanceId>, needs: Needs) {
        refresh(&mut self.own, agent);
        if !needs.tags {
            return;
        }
        match target {
            Some(target) => refresh(&mut self.target, target),
            None => self.target = Default::default(),
        }
        agent::read_world_tags(|set, version| {
            if self.world.0 != version {
                self.world = (version, set.clone());
            }
        });
    }
}

fn refresh(copy: &mut (TagStamp, TagSet), agent: InstanceId) {
    agent::read_tags(agent, |set, stamp| {
        if copy.0 != stamp {
            *copy = (stamp, set.clone());
        }
    });
}

/// What a decision sees.
pub(super) struct Seen {
    seed: Option<u64>,
    health: f64,
    target: Option<Aim>,
    cache: TagCache,
    /// The tags of a given context take the place of those in the cache, which stays as it is.
    given: Option<Box<[TagSet; 3]>>,
}

struct Aim {
    key: TargetKey,
    distance: f64,
    meters: f64,
    angle: f64,
    health: f64,
}

impl Seen {
    pub fn with_snapshot<R>(&self, act: impl FnOnce(&Snapshot) -> R) -> R {
        let [own, target, world] = match &self.given {
            Some(given) => [&given[0], &given[1], &given[2]],
            None => [&self.cache.own.1, &self.cache.target.1, &self.cache.world.1],
        };
        let focus = self.target.as_ref().map(|aim| TargetView {
            key: aim.key,
            distance: aim.distance,
            meters: aim.meters,
            angle: aim.angle,
            health: aim.health,
            tags: target,
        });
        let (each, held) = (&[][..], None);
        act(&Snapshot { seed: self.seed, health: self.health, tags: own, world, focus, each, held })
    }

    pub fn into_cache(self) -> TagCache {
        self.cache
    }
}

/// Reads the world for one evaluation. Runs methods of the agent and the target.
pub(super) fn look(id: InstanceId, wish: TargetWish, given: Option<&ContextData>) -> Seen {
    let read =
        with(id, |state| (state.agent, state.needs, std::mem::take(&mut state.cache), state.core.now()));
    let (agent, needs, mut cache, now) = read.unwrap_or_default();
    if let Some(given) = given {
        return look_at_given(id, given, needs, cache);
    }
    let Some(agent) = agent else {
        return Seen { seed: None, health: 1.0, target: None, cache, given: None };
    };
    let target = find_target(id, wish);
    let own = Body::of(agent);
    let way = way_from(own.as_ref(), target);
    let angle = own.as_ref().filter(|_| needs.angle).map_or(0.0, |own| angle_to(agent, own, &way));
    let own_health = if needs.health { health_of(agent) } else { 1.0 };
    let target_health = target.filter(|_| needs.target_health).map_or(1.0, health_of);
    cache.read(agent, target, needs);
    if needs.scripts {
        let scene = Scene { agent, target, way, angle, health: own_health, now };
        fill_context(id, &scene, &cache);
    }
    let aim = target.map(|target| Aim {
        key: key_of(target),
        distance: way.distance,
        meters: way.meters,
        angle,
        health: target_health,
    });
    Seen { seed: None, health: own_health, target: aim, cache, given: None }
}

/// A script's context instead of the world, field by field as it stands.
fn look_at_given(id: InstanceId, given: &ContextData, needs: Needs, cache: TagCache) -> Seen {
    let target = given.target.filter(|target| is_live(*target));
    let flat = target.is_some_and(|target| Body::of(target).is_some_and(|body| body.is_flat()));
    let aim = target.map(|target| Aim {
        key: key_of(target),
        distance: given.distance,
        meters: given.distance / units_per_meter(flat),
        angle: given.angle_deg,
        health: if needs.target_health { health_of(target) } else { 1.0 },
    });
    if needs.scripts {
        *sides::shared_context(id).data.lock() = given.clone();
    }
    let seed = (given.seed != 0).then_some(given.seed.cast_unsigned());
    let tags = [given.self_tags.clone(), given.target_tags.clone(), given.world_tags.clone()];
    Seen { seed, health: given.health_fraction, target: aim, cache, given: Some(Box::new(tags)) }
}

struct Scene {
    agent: InstanceId,
    target: Option<InstanceId>,
    way: Way,
    angle: f64,
    health: f64,
    now: f64,
}

fn fill_context(id: InstanceId, scene: &Scene, cache: &TagCache) {
    let stamina = tags::intern("Vital.Stamina").ok();
    let stamina = stamina.and_then(|tag| agent::read_vital(scene.agent, tag, |row| row.value()));
    let shared = sides::shared_context(id);
    let mut data = shared.data.lock();
    data.agent = Some(scene.agent);
    data.target = scene.target;
    data.evaluator = Some(id);
    data.vitals = lookup::part_of(scene.agent, Part::Vitals);
    data.distance = scene.way.distance;
    data.direction = scene.way.direction;
    data.angle_deg = scene.angle;
    data.health_fraction = scene.health;
    data.stamina = stamina.unwrap_or(100.0);
    data.time = scene.now;
    data.self_tags = cache.own.1.clone();
    data.target_tags = cache.target.1.clone();
    data.world_tags = cache.world.1.clone();
}

// Targets.

/// In the tree and about to stay there.
pub(in crate::action) fn is_live(node: InstanceId) -> bool {
    Gd::<Node>::try_from_instance_id(node)
        .is_ok_and(|node| node.is_inside_tree() && !node.is_queued_for_deletion())
}

/// The node of a key, if it is live.
pub(in crate::action) fn node_of(key: TargetKey) -> Option<Gd<Node>> {
    let id = InstanceId::try_from_i64(key.0.cast_signed())?;
    let node = Gd::<Node>::try_from_instance_id(id).ok()?;
    (node.is_inside_tree() && !node.is_queued_for_deletion()).then_some(node)
}

/// The live target that is wished for.
pub(super) fn find_target(id: InstanceId, wish: TargetWish) -> Option<InstanceId> {
    match wish {
        TargetWish::Focus => focus_target(id),
        TargetWish::Key(key) => node_of(key).map(|node| node.instance_id()),
        TargetWish::Nobody => None,
    }
}

/// The explicit target if it is live, else whom the Perception attends to.
pub(in crate::action) fn focus_target(id: InstanceId) -> Option<InstanceId> {
    let (target, agent) = with(id, |state| (state.target, state.agent.filter(|_| state.use_perception)))?;
    let attention = || agent.and_then(attention_target);
    target.filter(|target| is_live(*target)).or_else(attention)
}

/// Whom its AgentAwareness attends to, else whom its Perception does.
fn attention_target(agent: InstanceId) -> Option<InstanceId> {
    let by_perception = || perception::attention_target(lookup::part_of(agent, Part::Perception)?);
    awareness::attention_target(agent).unwrap_or_else(by_perception)
}

// Places.

/// From the agent to the target.
#[derive(Clone, Copy, Default)]
pub(super) struct Way {
    /// World units.
    pub distance: f64,
    pub meters: f64,
    /// Unit vector.
    pub direction: Vector3,
}

/// How far and where the target is. Nothing without a target, or if one of the two has no place.
pub(super) fn way(agent: InstanceId, target: Option<InstanceId>) -> Way {
    way_from(Body::of(agent).as_ref(), target)
}

fn way_from(from: Option<&Body>, target: Option<InstanceId>) -> Way {
    let bodies = from.zip(target.and_then(Body::of));
    let Some((from, to)) = bodies.filter(|(from, to)| from.is_flat() == to.is_flat()) else {
        return Way::default();
    };
    let offset = to.position() - from.position();
    let distance = f64::from(offset.length());
    let direction = if distance > 0.0 { offset / offset.length() } else { Vector3::ZERO };
    Way { distance, meters: distance / units_per_meter(from.is_flat()), direction }
}

fn units_per_meter(flat: bool) -> f64 {
    if flat { settings::PIXELS_PER_METER.read() } else { 1.0 }
}

/// A node with a place.
enum Body {
    Space(Gd<Node3D>),
    Plane(Gd<Node2D>),
}

impl Body {
    fn of(node: InstanceId) -> Option<Self> {
        if let Ok(node) = Gd::<Node3D>::try_from_instance_id(node) {
            return node.is_inside_tree().then_some(Self::Space(node));
        }
        let node = Gd::<Node2D>::try_from_instance_id(node).ok()?;
        Some(Self::Plane(node))
    }

    fn is_flat(&self) -> bool {
        matches!(self, Self::Plane(_))
    }

    fn position(&self) -> Vector3 {
        match self {
            Self::Space(node) => node.get_global_position(),
            Self::Plane(node) => {
                let at = node.get_global_position();
                Vector3::new(at.x, at.y, 0.0)
            }
        }
    }

    /// Its own forward: -Z in space, +X on the plane.
    fn forward(&self) -> Vector3 {
        match self {
            Self::Space(node) => -node.get_global_transform().basis.col_c(),
            Self::Plane(node) => {
                let x = node.get_global_transform().a;
                Vector3::new(x.x, x.y, 0.0)
            }
        }
    }
}

// Facing and health.

fn angle_to(agent: InstanceId, body: &Body, way: &Way) -> f64 {
    let facing = facing(agent, body);
    // Space is seen from above, the plane as it is.
    let flat = body.is_flat();
    let project = |v: Vector3| (f64::from(v.x), f64::from(if flat { v.y } else { v.z }));
    let to = way.direction * way.distance as f32;
    planar_angle(project(facing), project(to))
}

/// What the agent's `get_facing_direction()` says, else the forward of its Perception, else its own.
fn facing(agent: InstanceId, body: &Body) -> Vector3 {
    let perceived = || lookup::part_of(agent, Part::Perception).and_then(perception::forward);
    asked_facing(agent).or_else(perceived).unwrap_or_else(|| body.forward())
}

fn asked_facing(agent: InstanceId) -> Option<Vector3> {
    static METHOD: OnceLock<StringName> = OnceLock::new();
    let method = METHOD.get_or_init(|| StringName::from("get_facing_direction"));
    let mut node = Gd::<Node>::try_from_instance_id(agent).ok()?;
    if !node.has_method(method) || node.get_method_argument_count(method) != 0 {
        return None;
    }
    let answer = node.try_call(method, &[]).ok()?;
    let flat = || answer.try_to::<Vector2>().map(|v| Vector3::new(v.x, v.y, 0.0));
    answer.try_to::<Vector3>().or_else(|_| flat()).ok().filter(|v| v.is_finite())
}

fn health_of(agent: InstanceId) -> f64 {
    let node = Gd::<Node>::try_from_instance_id(agent).ok();
    node.and_then(|node| health::fraction(&node)).unwrap_or(1.0)
}
