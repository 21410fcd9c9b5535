//! Who may see whom: radius, cone, tags. Pure maths over the snapshot; no ray is cast here.

use glam::DVec3;

use crate::tags::TagSet;

use super::frame::{Pose, View};
use super::grid::{Columns, Grid};
use super::perceiver::Perceiver;
use super::registry::Registry;
use super::senses::Senses;
use super::settings::{Affiliation, MAX_AIM_POINTS, SourceSettings};
use super::space::SpaceId;
use super::target::{SourceKey, TargetRef};
use super::tick::{Pair, Scan, Tick, TickStats, Verdict};
use super::world::PerceptionWorld;

/// A source in this tick's snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceFrame {
    pub(super) key: SourceKey,
    pub(super) target: TargetRef,
    pub(super) space: SpaceId,
    pub(super) pose: Pose,
    /// Aim point 0: the cone is measured to it.
    aim: DVec3,
    pub(super) scale: f64,
    /// It can be seen, as far as its registered senses go.
    visible: bool,
    /// It has more aim points.
    more_points: bool,
}

const NO_FRAME: u32 = u32::MAX;

impl Affiliation {
    /// True if everybody is accepted.
    fn is_open(&self) -> bool {
        self.detectable.is_empty() && self.ignored.is_empty()
    }

    /// True if somebody of this identity may be seen and heard.
    pub(super) fn accepts(&self, identity: &TagSet) -> bool {
        (self.detectable.is_empty() || identity.matches_any(&self.detectable))
            && !identity.matches_any(&self.ignored)
    }
}

/// The aim points of a source in the world: offset, extra points; at most [`MAX_AIM_POINTS`].
pub fn aim_points<'a>(settings: &'a SourceSettings, pose: &'a Pose) -> impl Iterator<Item = DVec3> + 'a {
    std::iter::once(&settings.sight_target_offset)
        .chain(&settings.extra_aim_points)
        .take(MAX_AIM_POINTS)
        .map(|offset| pose.point(*offset))
}

impl PerceptionWorld {
    /// Takes a source into the snapshot, unless its numbers are broken.
    pub(super) fn gather_source(&self, key: SourceKey, pose: Option<Pose>, tick: &mut Tick) {
        let source = self.registry.source(key).filter(|source| source.live());
        let (Some(source), Some(pose)) = (source, pose) else { return };
        let target = source.target.and_then(|target| self.registry.target(target));
        let (Some(target), Some(space)) = (target, source.space) else { return };
        tick.sources_seen.push(SourceFrame {
            key,
            target: target.reference,
            space,
            pose,
            aim: pose.point(source.settings.sight_target_offset),
            scale: source.settings.sight_range_scale,
            visible: source.settings.senses().intersects(Senses::SIGHT),
            more_points: !source.settings.extra_aim_points.is_empty(),
        });
    }

    pub(super) fn columns(&self, space: SpaceId) -> Columns {
        let planar = self.space(space).planar;
        let cell = if planar { self.settings.grid_cell_size_2d } else { self.settings.grid_cell_size_3d };
        Columns::new(space.0, planar, cell)
    }

    /// The pairs of every due scan, in id order.
    pub(super) fn scan_all(&mut self, tick: &mut Tick) {
        let mut grid = std::mem::take(&mut self.grid);
        grid.clear();
        tick.frame_of.clear();
        let mut largest_scale: f64 = 0.0;
        for (at, frame) in tick.sources_seen.iter().enumerate() {
            let columns = self.columns(frame.space);
            grid.push(columns.point(at as u32, frame.pose.origin, frame.aim, frame.scale));
            largest_scale = largest_scale.max(frame.scale);
            let slot = frame.target.key.index();
            if slot >= tick.frame_of.len() {
                tick.frame_of.resize(slot + 1, NO_FRAME);
            }
            tick.frame_of[slot] = at as u32;
        }
        grid.build();
        tick.hits.resize(tick.sources_seen.len(), 0);
        let mut busy = std::mem::take(&mut tick.busy);
        for entry in busy.iter_mut().filter(|entry| entry.scan) {
            let view = entry.read.and_then(|read| tick.views.get(read as usize)).copied().flatten();
            let Some((perceiver, view)) = self.perceiver(entry.key).zip(view) else { continue };
            let Some(space) = perceiver.place.space else { continue };
            let scanner = Scanner { world: self, perceiver, view, largest_scale };
            entry.scan_at = Some(tick.scans.len() as u32);
            scanner.scan(space, &grid, tick);
        }
        tick.busy = busy;
        self.grid = grid;
    }
}

/// One scan: reads the world, writes into the tick.
struct Scanner<'a> {
    world: &'a PerceptionWorld,
    perceiver: &'a Perceiver,
    view: View,
    largest_scale: f64,
}

impl Scanner<'_> {
    fn registry(&self) -> &Registry {
        &self.world.registry
    }

    fn scan(&self, space: SpaceId, grid: &Grid, tick: &mut Tick) {
        let start = tick.pairs.len() as u32;
        let settings = &self.perceiver.settings;
        if settings.enabled && settings.sight_enabled {
            self.seen_pairs(space, tick);
            self.candidates(space, grid, start, tick);
        }
        let pairs = &mut tick.pairs[start as usize..];
        if pairs.len() > 1 {
            pairs.sort_unstable_by(|a, b| {
                b.seen
                    .cmp(&a.seen)
                    .then(a.distance.total_cmp(&b.distance))
                    .then(a.target.id.cmp(&b.target.id))
            });
        }
        for pair in pairs.iter_mut() {
            let first = tick.points.len() as u32;
            let frame = &tick.sources_seen[pair.frame as usize];
            tick.points.push(frame.aim);
            if frame.more_points
                && let Some(source) = self.registry().source(frame.key)
            {
                tick.points.extend(aim_points(&source.settings, &frame.pose).skip(1));
            }
            pair.points = first..tick.points.len() as u32;
        }
        tick.stats.scans += 1;
        tick.scans.push(Scan {
            perceiver: self.perceiver.key,
            space,
            eye: self.view.eye,
            pairs: start..tick.pairs.len() as u32,
            needed: settings.sight_min_visible_points,
            newcomers_left: settings.max_perceived_targets,
        });
    }

    /// Retaining: what is seen stays seen inside the larger radius, at any angle.
    fn seen_pairs(&self, space: SpaceId, tick: &mut Tick) {
        let tolerance = self.world.space(space).tolerance();
        let radius = self.perceiver.settings.retain_radius();
        for record in self.perceiver.records.iter().filter(|record| record.seen()) {
            let Some(frame) = self.frame_of(record.target, tick) else { continue };
            let entry = &tick.sources_seen[frame as usize];
            let distance = self.view.origin.distance(entry.pose.origin);
            tick.stats.distance_tests += 1;
            if distance <= radius * entry.scale + tolerance && self.accepts(entry, space) {
                tick.pairs.push(pair(entry, frame, distance, true));
            }
        }
    }

    /// Where the source that counts for a target stands in the snapshot.
    fn frame_of(&self, target: TargetRef, tick: &Tick) -> Option<u32> {
        let frame = *tick.frame_of.get(target.key.index())?;
        let entry = tick.sources_seen.get(frame as usize)?;
        (entry.target.key == target.key).then_some(frame)
    }

    /// Acquiring: inside the radius and the cone.
    fn candidates(&self, space: SpaceId, grid: &Grid, start: u32, tick: &mut Tick) {
        let tolerance = self.world.space(space).tolerance();
        let least = self.least_distance_to_displace(tolerance);
        let count = self.find(space, grid, &mut tick.hits, &mut tick.stats);
        let pairs = &mut tick.pairs;
        for index in tick.hits[..count].iter().copied() {
            // What is seen stands in the list already.
            if pairs[start as usize..].iter().any(|pair| pair.seen && pair.frame == index) {
                continue;
            }
            let entry = &tick.sources_seen[index as usize];
            let distance = self.view.origin.distance(entry.pose.origin);
            let stranger = || self.perceiver.find(entry.target.id).is_err();
            if self.accepts(entry, space) && (distance < least || !stranger()) {
                pairs.push(pair(entry, index, distance, false));
            }
        }
    }

    /// The sources inside the radius and the cone, by their position in the snapshot. Gives how many there are.
    fn find(&self, space: SpaceId, grid: &Grid, hits: &mut [u32], stats: &mut TickStats) -> usize {
        let settings = &self.perceiver.settings;
        let tolerance = self.world.space(space).tolerance();
        // Squared; below every distance when it is off.
        let auto = match settings.auto_detect_radius {
            radius if radius > 0.0 => (radius + tolerance) * (radius + tolerance),
            _ => -1.0,
        };
        let (View { origin, eye, forward }, cone) = (self.view, self.perceiver.cone);
        let radius = settings.sight_radius;
        let mut count = 0;
        grid.near(&self.world.columns(space), origin, radius * self.largest_scale + tolerance, |points| {
            stats.distance_tests += points.len() as u32;
            for point in points {
                let range = radius * point.scale + tolerance;
                let squared = origin.distance_squared(point.origin);
                let inside = cone.contains(forward, point.aim - eye) | (squared <= auto);
                // Which of them pass can't be predicted: a branch would cost more than the write.
                hits[count] = point.index;
                count += usize::from(inside & (squared <= range * range));
            }
        });
        count
    }

    /// A stranger farther away than this could not displace any record, so no ray is spent on it.
    fn least_distance_to_displace(&self, tolerance: f64) -> f64 {
        let (records, settings) = (&self.perceiver.records, &self.perceiver.settings);
        if records.len() < settings.max_perceived_targets as usize {
            return f64::INFINITY;
        }
        let free = records.iter().filter(|record| self.perceiver.protected != Some(record.target.id));
        let distances = free.map(|record| record.location.distance(self.view.origin));
        distances.fold(f64::NEG_INFINITY, f64::max) - settings.displace_margin - tolerance
    }

    fn accepts(&self, entry: &SourceFrame, space: SpaceId) -> bool {
        let accepts_identity = || {
            let affiliation = &self.perceiver.affiliation;
            affiliation.is_open()
                || self.registry().source(entry.key).is_some_and(|source| affiliation.accepts(&source.tags))
        };
        entry.space == space
            && entry.visible
            && self.registry().reach(entry.target.key, self.perceiver.place.agent).is_some()
            && accepts_identity()
    }
}

fn pair(entry: &SourceFrame, frame: u32, distance: f64, seen: bool) -> Pair {
    let (target, source) = (entry.target, entry.key);
    Pair { target, source, frame, distance, seen, points: 0..0, verdict: Verdict::Unserved }
}
