//! Who may see whom: radius, cone, tags. Pure maths over the snapshot; no ray is cast here.

use std::ops::Range;

use glam::DVec3;

use crate::tags::TagSet;

use super::frame::{Pose, View};
use super::grid::{Columns, Grid};
use super::perceiver::Perceiver;
use super::record::Record;
use super::registry::Registry;
use super::senses::{Senses, Stance};
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
    pub(super) aim: DVec3,
    pub(super) scale: f64,
    pub(super) detection_scale: f64,
    /// It can be seen, as far as its registered senses go.
    visible: bool,
    /// Its first aim point among the tick's points, how many there are, and how many of these are offsets.
    first_point: u32,
    count: u8,
    offsets: u8,
    /// Its vision stance; that of its settings until another is told.
    pub(super) stance: Stance,
    /// Its vision stance, and where its nodes are, must be asked for before its first line of sight.
    pub(super) asks_stance: bool,
    pub(super) asks_points: bool,
    /// Height of the offset points when crouched and prone.
    scales: [f64; 2],
}

impl SourceFrame {
    /// Its aim points among the tick's points.
    pub(super) fn points(&self) -> Range<usize> {
        let first = self.first_point as usize;
        first..first + usize::from(self.count)
    }

    /// Takes a stance, once: the offset points come down, along the node's own Y.
    pub(super) fn crouch(&mut self, stance: Stance, points: &mut [DVec3]) {
        self.stance = stance;
        let scale = match stance {
            Stance::Standing => return,
            Stance::Crouched => self.scales[0],
            Stance::Prone => self.scales[1],
        };
        let (origin, up) = (self.pose.origin, self.pose.axes.y_axis);
        for point in &mut points[self.points()][..usize::from(self.offsets)] {
            *point -= up * ((*point - origin).dot(up) * (1.0 - scale));
        }
    }

    /// Adds aim points that are nodes, into the room that was left for them.
    pub(super) fn append(&mut self, more: &[DVec3], points: &mut [DVec3]) {
        let room = MAX_AIM_POINTS - usize::from(self.offsets);
        for (place, point) in points[self.points().end..].iter_mut().zip(more).take(room) {
            *place = *point;
            self.count += 1;
        }
    }
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

/// The aim points of a source in the world that its settings give: offset, extra points; at most [`MAX_AIM_POINTS`].
/// Lowered by the stance.
pub fn aim_points<'a>(
    settings: &'a SourceSettings,
    pose: &'a Pose,
    stance: Stance,
) -> impl Iterator<Item = DVec3> + 'a {
    let down = DVec3::new(1.0, settings.point_scale(stance), 1.0);
    settings.offsets().map(move |offset| pose.point(offset * down))
}

impl PerceptionWorld {
    /// Takes a source into the snapshot, unless its numbers are broken.
    pub(super) fn gather_source(&self, key: SourceKey, pose: Option<Pose>, tick: &mut Tick) {
        let source = self.registry.source(key).filter(|source| source.live());
        let (Some(source), Some(pose)) = (source, pose) else { return };
        let target = source.target.and_then(|target| self.registry.target(target));
        let (Some(target), Some(space)) = (target, source.space) else { return };
        let settings = &source.settings;
        let first = tick.points.len();
        let aim = pose.point(settings.sight_target_offset);
        tick.points.push(aim);
        if !settings.extra_aim_points.is_empty() {
            tick.points.extend(settings.offsets().skip(1).map(|offset| pose.point(offset)));
        }
        let count = (tick.points.len() - first) as u8;
        let mut frame = SourceFrame {
            key,
            target: target.reference,
            space,
            pose,
            aim,
            scale: settings.sight_range_scale,
            detection_scale: settings.detection_scale,
            visible: settings.senses().intersects(Senses::SIGHT),
            first_point: first as u32,
            count,
            offsets: count,
            stance: settings.stance,
            asks_stance: settings.asks_stance,
            asks_points: settings.has_node_points,
            scales: [settings.crouched_point_scale, settings.prone_point_scale],
        };
        if !settings.asks_stance {
            frame.crouch(settings.stance, &mut tick.points);
        }
        if settings.has_node_points {
            tick.points.resize(first + MAX_AIM_POINTS, DVec3::ZERO);
        }
        tick.sources_seen.push(frame);
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
        tick.stats.scans += 1;
        tick.scans.push(Scan {
            perceiver: self.perceiver.key,
            space,
            eye: self.view.eye,
            due: self.perceiver.errand.due,
            pairs: start..tick.pairs.len() as u32,
            needed: settings.needed_points(),
            newcomers_left: settings.max_perceived_targets.saturating_sub(self.perceiver.errand.found),
        });
    }

    /// Retaining: what is seen stays seen inside the larger radius, at any angle.
    fn seen_pairs(&self, space: SpaceId, tick: &mut Tick) {
        let tolerance = self.world.space(space).tolerance();
        let radius = self.perceiver.settings.retain_radius();
        let errand = &self.perceiver.errand;
        let unserved = |record: &&Record| record.seen() && !errand.has_served(record.target);
        for record in self.perceiver.records.iter().filter(unserved) {
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
            if self.perceiver.errand.has_served(entry.target) {
                continue;
            }
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
    Pair { target, source, frame, distance, seen, verdict: Verdict::Unserved }
}
