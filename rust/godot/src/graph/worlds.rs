//! What the core sees of the world: read once, and again after code of the game has run. Only what the graph looks at is read.

use glam::DVec2;
use godot::prelude::*;
use riposte_core::graph::input::Recorder;
use riposte_core::graph::parts::{ConditionKind, Needs, PartsWorld, TargetFacts, VitalView};
use riposte_core::graph::{Graph, PayloadPlan};
use riposte_core::tags::TagSet;

use super::state::with;
use super::{cost_parts, nodes, pairing, targeting};
use crate::action;
use crate::agent::{self, TagStamp, read_world_tags};
use crate::base::engine_reads::{Reader, Stand};
use crate::base::lookup::{self, Part};
use crate::base::{settings, tags};

/// A copy of the world.
#[derive(Default)]
pub(super) struct World {
    /// Code of the game has run since it was read.
    stale: bool,
    /// When it was read, by what counts changes; `None`: it depends on more than that.
    read_at: Option<(u64, u64)>,
    stamp: Option<TagStamp>,
    tags: TagSet,
    world_tags: TagSet,
    vitals: Vec<VitalView>,
    attributes: Vec<Option<f64>>,
    facing: DVec2,
    stick: DVec2,
    move_direction: DVec2,
    speed: f64,
    target: Option<Target>,
    target_tags: TagSet,
    /// Where the agent was in the last step, for one that does not say how fast it is.
    last_place: Option<Vector3>,
    measured: f64,
}

#[derive(Clone, Copy)]
struct Target {
    units: f64,
    planar_units: f64,
    units_per_meter: f64,
    direction: DVec2,
    paired: bool,
}

/// What a graph looks at.
#[derive(Default)]
pub(super) struct Looks {
    needs: Needs,
    facing: bool,
}

impl Looks {
    /// What this graph looks at.
    pub fn of(graph: &Graph) -> Self {
        let facing = graph.nodes().iter().any(|node| {
            let variants = matches!(node.payload, PayloadPlan::Animation { variants: true, .. });
            let aims = |kind: &ConditionKind| {
                matches!(kind, ConditionKind::Direction { .. } | ConditionKind::Paired { .. })
            };
            variants || node.wires.iter().flat_map(|wire| &wire.conditions).any(|one| aims(&one.kind))
        });
        Self { needs: graph.needs().clone(), facing }
    }

    /// Nothing is looked at but the agent's tags and where the input points, whose changes are counted.
    fn is_counted(&self) -> bool {
        let Needs { vitals, attributes, speed, target, world_tags, .. } = &self.needs;
        let more = self.facing || *speed || *target || *world_tags;
        !more && vitals.is_empty() && attributes.is_empty()
    }
}

impl World {
    /// Read anew before it is looked at again.
    pub fn spoil(&mut self) {
        self.stale = true;
    }

    /// Code of the game has run, and has changed nothing that was read: it need not be read again.
    pub fn is_right(&self, recorder: &Recorder) -> bool {
        !self.stale
            && self.read_at == Some(agent::tag_epoch())
            && self.stick == recorder.stick()
            && self.move_direction == recorder.move_direction()
    }

    /// The agent, or what it looks at, is another one.
    pub fn forget(&mut self) {
        (self.stamp, self.stale) = (None, true);
    }

    /// As the core takes it.
    pub fn view(&self) -> PartsWorld<'_> {
        PartsWorld {
            tags: &self.tags,
            world_tags: &self.world_tags,
            vitals: &self.vitals,
            attributes: &self.attributes,
            facing: self.facing,
            stick: self.stick,
            move_direction: self.move_direction,
            speed: self.speed,
            target: self.target.map(|target| TargetFacts {
                tags: &self.target_tags,
                units: target.units,
                planar_units: target.planar_units,
                units_per_meter: target.units_per_meter,
                direction: target.direction,
                paired: target.paired,
            }),
        }
    }
}

/// Reads the world again if code of the game has run.
pub(super) fn refresh(id: InstanceId) {
    if with(id, |state| state.world.stale).unwrap_or(false) {
        read(id);
    }
}

/// Reads the world. Getters and methods of the game may run.
pub(super) fn read(id: InstanceId) {
    let Some((mut world, looks)) = with(id, |state| (std::mem::take(&mut state.world), state.looks.clone()))
    else {
        return;
    };
    if let Some(agent) = lookup::agent_of(id) {
        world.read(id, agent, &looks);
    }
    world.stale = false;
    with(id, |state| state.world = world);
}

/// Looks at where a player's agent looks and whom it is aimed at, whatever its graph looks at. Getters and methods of the game may
/// run before.
pub(super) fn with_target<R>(id: InstanceId, act: impl FnOnce(&PartsWorld) -> R) -> Option<R> {
    let agent = lookup::agent_of(id)?;
    let needs = Needs { target: true, ..Needs::default() };
    let mut world = World::default();
    world.read(id, agent, &Looks { needs, facing: true });
    Some(act(&world.view()))
}

/// Measures how fast an agent is that does not say it, once per step.
pub(super) fn measure(id: InstanceId, delta: f64) {
    let wanted = with(id, |state| state.looks.needs.speed).unwrap_or(false);
    let Some(agent) = lookup::agent_of(id).filter(|_| wanted && delta > 0.0) else { return };
    let place = place_of(agent);
    with(id, |state| {
        let world = &mut state.world;
        let way = world.last_place.zip(place).map_or(0.0, |(last, now)| f64::from((now - last).length()));
        (world.last_place, world.measured) = (place, way / delta);
    });
}

impl World {
    fn read(&mut self, id: InstanceId, agent: InstanceId, looks: &Looks) {
        self.read_at = looks.is_counted().then(agent::tag_epoch);
        self.read_tags(id, agent);
        if looks.needs.world_tags {
            read_world_tags(|tags, _| self.world_tags.clone_from(tags));
        }
        if !looks.needs.vitals.is_empty() || !looks.needs.attributes.is_empty() {
            self.read_numbers(agent, &looks.needs);
        }
        let directions = with(id, |state| {
            let recorder = state.core.recorder();
            (recorder.stick(), recorder.move_direction())
        });
        (self.stick, self.move_direction) = directions.unwrap_or_default();
        if looks.facing {
            self.facing = nodes::facing(id);
        }
        if looks.needs.speed {
            let units = units_per_meter(nodes::is_planar(agent));
            self.speed = action::told_speed(agent).unwrap_or(self.measured) / units;
        }
        self.target = None;
        if looks.needs.target
            && let Some(target) = targeting::target_of(id)
        {
            self.read_target(agent, &target);
        }
    }

    /// The agent's tags, with those that the player keeps. Copied only when they are others.
    fn read_tags(&mut self, id: InstanceId, agent: InstanceId) {
        let container = lookup::part_of(agent, Part::Tags);
        let kept = with(id, |state| {
            let own = state.applied.own(container);
            (container.is_none() || !own.is_empty()).then(|| own.clone())
        });
        let Some(kept) = kept.flatten() else {
            return agent::read_tags(agent, |tags, stamp| {
                if self.stamp != Some(stamp) {
                    self.tags.clone_from(tags);
                    self.stamp = Some(stamp);
                }
            });
        };
        self.stamp = None;
        let all = agent::read_tags(agent, |tags, _| [tags.tags(), kept.tags()].concat());
        tags::with_table(|table| self.tags.assign(table, all));
    }

    fn read_numbers(&mut self, agent: InstanceId, needs: &Needs) {
        let Ok(agent) = Gd::<Node>::try_from_instance_id(agent) else { return };
        self.vitals = cost_parts::read_vitals(&agent, needs);
        self.attributes = cost_parts::read_attributes(&agent, needs);
    }

    fn read_target(&mut self, agent: InstanceId, target: &Gd<Node>) {
        let target = target.instance_id();
        agent::read_tags(target, |tags, _| self.target_tags.clone_from(tags));
        let flat = nodes::is_planar(agent);
        let way = place_of(agent).zip(place_of(target)).filter(|_| nodes::is_planar(target) == flat);
        let offset = way.map_or(Vector3::ZERO, |(from, to)| to - from);
        let planar = nodes::planar(offset, flat);
        self.target = Some(Target {
            units: f64::from(offset.length()),
            planar_units: planar.length(),
            units_per_meter: units_per_meter(flat),
            direction: planar.normalize_or_zero(),
            paired: pairing::is_paired(target),
        });
    }
}

fn units_per_meter(flat: bool) -> f64 {
    if flat { settings::PIXELS_PER_METER.read() } else { 1.0 }
}

fn place_of(node: InstanceId) -> Option<Vector3> {
    let reader = Reader::of(node)?;
    let live = reader.live()?;
    if !live.is_inside_tree() {
        return None;
    }
    Some(match live.stand()? {
        Stand::Space(place) => place.origin,
        Stand::Plane(place) => Vector3::new(place.origin.x, place.origin.y, 0.0),
    })
}
