//! Reads the world for a decision: once per evaluation, and only what the actions look at.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{Needs, Reading, Snapshot, TargetKey, TargetView, TargetWish, WantedReadings};
use riposte_core::tags::{TagId, TagSet};

use super::places::{Body, Way, angle_to, units_per_meter, way_from};
use super::sides::SharedContext;
use super::{contexts, key_of, reacting, sides, sight, targets, with};
use crate::action::context_data::ContextData;
use crate::action::numbers::{self, Moment};
use crate::action::{motion, readings, token_pools};
use crate::agent::{self, TagStamp, health};
use crate::awareness;
use crate::base::lookup::{self, Part};
use crate::perception;

/// Targets whose tags are kept.
const KEPT: usize = 64;

/// Copies of the tags that a decision asks, made again only when they changed.
#[derive(Default)]
pub(super) struct TagCache {
    own: (TagStamp, TagSet),
    targets: Vec<(InstanceId, (TagStamp, TagSet))>,
    world: (u64, TagSet),
    nothing: TagSet,
}

impl TagCache {
    fn read(&mut self, agent: InstanceId, needs: Needs) {
        refresh(&mut self.own, agent);
        if self.targets.len() > KEPT {
            self.targets.clear();
        }
        if !needs.tags {
            return;
        }
        agent::read_world_tags(|set, version| {
            if self.world.0 != version {
                self.world = (version, set.clone());
            }
        });
    }

    fn read_target(&mut self, target: InstanceId) {
        match self.targets.iter_mut().find(|(known, _)| *known == target) {
            Some((_, copy)) => refresh(copy, target),
            None => {
                let mut copy = Default::default();
                refresh(&mut copy, target);
                self.targets.push((target, copy));
            }
        }
    }

    fn of(&self, target: Option<InstanceId>) -> &TagSet {
        let known = self.targets.iter().find(|(known, _)| Some(*known) == target);
        known.map_or(&self.nothing, |(_, (_, tags))| tags)
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
    readings: Vec<Reading>,
    focus: Option<Aim>,
    each: Vec<Aim>,
    held: Option<Aim>,
    cache: TagCache,
    /// The tags of a given context take the place of those in the cache, which stays as it is.
    given: Option<Box<[TagSet; 3]>>,
}

/// What the actions of an evaluator look at.
#[derive(Default)]
struct Wanted {
    needs: Needs,
    readings: Arc<WantedReadings>,
    tokens: Arc<[TagId]>,
}

#[derive(Clone)]
struct Aim {
    node: InstanceId,
    way: Way,
    angle: f64,
    health: f64,
    readings: Vec<Reading>,
    /// Combat tokens that the agent may have there.
    tokens: Vec<(TagId, u64)>,
}

impl Aim {
    fn view<'a>(&'a self, tags: &'a TagSet) -> TargetView<'a> {
        let Self { node, way: Way { distance, meters, .. }, angle, health, ref readings, ref tokens } = *self;
        TargetView { key: key_of(node), distance, meters, angle, health, tags, tokens, readings }
    }
}

impl Seen {
    pub fn with_snapshot<'a, R>(&'a self, act: impl FnOnce(&Snapshot) -> R) -> R {
        let (tags, world) = match &self.given {
            Some(given) => (&given[0], &given[2]),
            None => (&self.cache.own.1, &self.cache.world.1),
        };
        let each: Vec<TargetView> = self.each.iter().map(|aim| self.view(aim)).collect();
        let view = |aim: &'a Option<Aim>| aim.as_ref().map(|aim| self.view(aim));
        let (focus, held) = (view(&self.focus), view(&self.held));
        let (seed, health, readings, each) = (self.seed, self.health, &self.readings, &each);
        act(&Snapshot { seed, health, tags, world, readings, focus, each, held })
    }

    fn view<'a>(&'a self, aim: &'a Aim) -> TargetView<'a> {
        let tags = match &self.given {
            Some(given) => &given[1],
            None => self.cache.of(Some(aim.node)),
        };
        aim.view(tags)
    }

    pub fn into_cache(self) -> TagCache {
        self.cache
    }
}

/// Reads the world for one evaluation. Runs methods of the agent and the targets.
pub(super) fn look(id: InstanceId, wish: TargetWish, given: Option<&ContextData>) -> Seen {
    sight::begin(id);
    let read = with(id, |state| {
        let held = state.core.running().and_then(riposte_core::action::Run::target);
        let mut needs = if state.judges { state.needs.with_scripts() } else { state.needs };
        needs.each &= state.core.tries_each();
        let wanted = Wanted { needs, readings: state.readings.clone(), tokens: state.token_tags.clone() };
        (state.agent, wanted, std::mem::take(&mut state.cache), state.core.now(), held)
    });
    let (agent, wanted, mut cache, now, held) = read.unwrap_or_default();
    let needs = wanted.needs;
    if needs.numbers {
        numbers::read_current(id, Moment::Evaluation);
    }
    if let Some(given) = given {
        return look_at_given(id, given, (&wanted, agent), cache);
    }
    let Some(agent) = agent else {
        return Seen {
            seed: None,
            health: 1.0,
            readings: Vec::new(),
            focus: None,
            each: Vec::new(),
            held: None,
            cache,
            given: None,
        };
    };
    let target = find_target(id, wish);
    let each = match wish {
        TargetWish::Focus if needs.each => targets::candidates(id),
        TargetWish::Key(_) if needs.each => target.into_iter().collect(),
        _ => Vec::new(),
    };
    let health = if needs.health { health_of(agent) } else { 1.0 };
    let readings = readings::read(id, agent, &wanted.readings.own);
    cache.read(agent, needs);
    let own = Body::of(agent);
    let mut aim = |target: InstanceId| {
        let way = way_from(own.as_ref(), Some(target));
        let angle = own.as_ref().filter(|_| needs.angle).map_or(0.0, |own| angle_to(agent, own, &way));
        if needs.tags {
            cache.read_target(target);
        }
        let health = if needs.target_health { health_of(target) } else { 1.0 };
        let readings = readings::read(id, target, &wanted.readings.target);
        let tokens = token_pools::free_for(agent, target, &wanted.tokens);
        Aim { node: target, way, angle, health, readings, tokens }
    };
    let focus = target.map(&mut aim);
    let each = each.into_iter().map(&mut aim).collect();
    let held = held.and_then(node_of).map(|node| aim(node.instance_id()));
    if needs.scripts {
        contexts::forget(id);
        fill_context(id, &Scene { agent, health, now }, &cache);
        let (way, angle) = focus.as_ref().map_or_else(Default::default, |aim| (aim.way, aim.angle));
        aim_shared(id, target, (way, angle), cache.of(target));
    }
    Seen { seed: None, health, readings, focus, each, held, cache, given: None }
}

/// A script's context instead of the world, field by field as it stands.
fn look_at_given(
    id: InstanceId,
    given: &ContextData,
    (wanted, agent): (&Wanted, Option<InstanceId>),
    cache: TagCache,
) -> Seen {
    sight::give(id, given.sight.unwrap_or(false));
    let needs = wanted.needs;
    let target = given.target.filter(|target| is_live(*target));
    let flat = target.is_some_and(|target| Body::of(target).is_some_and(|body| body.is_flat()));
    let aim = target.map(|target| Aim {
        node: target,
        way: Way {
            distance: given.distance,
            meters: given.distance / units_per_meter(flat),
            direction: given.direction,
        },
        angle: given.angle_deg,
        health: if needs.target_health { health_of(target) } else { 1.0 },
        readings: readings::read(id, target, &wanted.readings.target),
        tokens: agent.map(|agent| token_pools::free_for(agent, target, &wanted.tokens)).unwrap_or_default(),
    });
    if needs.scripts {
        sides::shared_context(id).fill(given.clone());
        contexts::forget(id);
        contexts::keep(id, given.clone());
    }
    let seed = (given.seed != 0).then_some(given.seed.cast_unsigned());
    let tags = [given.self_tags.clone(), given.target_tags.clone(), given.world_tags.clone()];
    // A given context has one target, whatever an action tries.
    let each = aim.iter().filter(|_| needs.each).cloned().collect();
    let readings = readings::read_given(id, given, &wanted.readings.own);
    let (health, given) = (given.health_fraction, Some(Box::new(tags)));
    Seen { seed, health, readings, focus: aim, each, held: None, cache, given }
}

struct Scene {
    agent: InstanceId,
    health: f64,
    now: f64,
}

fn fill_context(id: InstanceId, scene: &Scene, cache: &TagCache) {
    motion::get_to_know(id, scene.agent);
    let data = sides::context_data(id);
    let mut data = data.lock();
    data.agent = Some(scene.agent);
    data.evaluator = Some(id);
    data.vitals = None;
    data.health_fraction = scene.health;
    (data.speed, data.stamina) = (None, None);
    data.time = scene.now;
    data.self_tags.clone_from(&cache.own.1);
    data.world_tags.clone_from(&cache.world.1);
}

/// The part of the context that is about the target.
fn aim_shared(id: InstanceId, target: Option<InstanceId>, (way, angle): (Way, f64), tags: &TagSet) {
    let data = sides::context_data(id);
    let mut data = data.lock();
    data.sight = None;
    data.threat = None;
    let old = data.extra.take();
    data.target = target;
    data.distance = way.distance;
    data.direction = way.direction;
    data.angle_deg = angle;
    data.target_tags.clone_from(tags);
    drop(data);
    // A script may hear of it.
    drop(old);
}

/// How dangerous the agent's Perception finds the target.
pub(in crate::action) fn threat(agent: Option<InstanceId>, target: Option<InstanceId>) -> f64 {
    let agent = agent.filter(|agent| lookup::part_of(*agent, Part::Perception).is_some());
    let target = target.and_then(|target| Gd::<Node>::try_from_instance_id(target).ok());
    agent.zip(target).map_or(0.0, |(agent, target)| awareness::threat(agent, &target))
}

/// The same for a candidate on another target than the one that stands there.
pub(super) fn aim_context(id: InstanceId, target: Option<InstanceId>, context: &SharedContext) {
    if context.data.lock().target == target {
        return;
    }
    if let Some(built) = contexts::find(id, target) {
        return context.fill(built);
    }
    let agent = with(id, |state| state.agent).flatten();
    let own = agent.and_then(Body::of);
    let way = way_from(own.as_ref(), target);
    let angle = agent.zip(own.as_ref()).filter(|_| target.is_some());
    let angle = angle.map_or(0.0, |(agent, own)| angle_to(agent, own, &way));
    let tags = target.map(|target| agent::read_tags(target, |set, _| set.clone())).unwrap_or_default();
    aim_shared(id, target, (way, angle), &tags);
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
    if reacting::is_reacting(id) {
        return reacting::sibling(id).and_then(focus_target);
    }
    let (target, agent) = with(id, |state| (state.target, state.agent.filter(|_| state.use_perception)))?;
    let attention = || agent.and_then(attention_target);
    target.filter(|target| is_live(*target)).or_else(attention)
}

/// Whom its AgentAwareness attends to, else whom its Perception does.
pub(in crate::action) fn attention_target(agent: InstanceId) -> Option<InstanceId> {
    let by_perception = || perception::attention_target(lookup::part_of(agent, Part::Perception)?);
    awareness::attention_target(agent).unwrap_or_else(by_perception)
}

pub(super) fn health_of(agent: InstanceId) -> f64 {
    let node = Gd::<Node>::try_from_instance_id(agent).ok();
    node.and_then(|node| health::fraction(&node)).unwrap_or(1.0)
}
