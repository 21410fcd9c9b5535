//! Who may see whom: radius, cone, tags. Pure maths over the snapshot; no ray is cast here.

use std::ops::Range;

use crate::tags::TagSet;

use super::area::{Area, Reach};
use super::frame::View;
use super::grid::Columns;
use super::perceiver::Perceiver;
use super::record::Record;
use super::registry::Registry;
use super::settings::Affiliation;
use super::snapshot::SourceFrame;
use super::space::SpaceId;
use super::target::TargetRef;
use super::tick::{Pair, Scan, Tick, Verdict};
use super::world::PerceptionWorld;

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

impl PerceptionWorld {
    pub(super) fn columns(&self, space: SpaceId) -> Columns {
        let planar = self.space(space).planar;
        let cell = if planar { self.settings.grid_cell_size_2d } else { self.settings.grid_cell_size_3d };
        Columns::new(space.0, planar, cell)
    }

    /// The pairs of every due scan, in id order.
    pub(super) fn scan_all(&mut self, tick: &mut Tick) {
        self.build_grid(tick);
        let mut busy = std::mem::take(&mut tick.busy);
        for (at, entry) in busy.iter_mut().enumerate().filter(|(_, entry)| entry.scan) {
            if entry.read.is_some_and(|read| tick.views[read as usize].is_some()) {
                entry.scan_at = Some(tick.due.len() as u32);
                tick.due.push(at as u32);
            }
        }
        tick.busy = busy;
        if !self.scan_on_workers(tick) {
            let mut found = std::mem::take(&mut tick.found);
            self.scan_part(tick, 0..tick.due.len(), &mut found);
            tick.found = found;
        }
        tick.stats.scans = tick.due.len() as u32;
        tick.stats.distance_tests = tick.found.distance_tests;
    }

    fn build_grid(&mut self, tick: &mut Tick) {
        let mut grid = std::mem::take(&mut self.grid);
        grid.clear();
        tick.frame_of.clear();
        tick.largest_scale = 0.0;
        let mut largest_aim: f64 = 0.0;
        for (at, frame) in tick.sources_seen.iter().enumerate() {
            let columns = self.columns(frame.space);
            grid.push(columns.point(at as u32, frame.pose.origin, frame.aim, frame.scale));
            tick.largest_scale = tick.largest_scale.max(frame.scale);
            largest_aim = largest_aim.max(frame.aim.distance_squared(frame.pose.origin));
            let slot = frame.target.key.index();
            if slot >= tick.frame_of.len() {
                tick.frame_of.resize(slot + 1, NO_FRAME);
            }
            tick.frame_of[slot] = at as u32;
        }
        tick.largest_aim = largest_aim.sqrt();
        grid.build();
        self.grid = grid;
    }

    /// Some of the due scans. Reads the world and the tick, so that several threads can do it.
    pub(super) fn scan_part(&self, tick: &Tick, part: Range<usize>, found: &mut Found) {
        found.hits.resize(tick.sources_seen.len(), 0);
        for busy in &tick.due[part] {
            let busy = &tick.busy[*busy as usize];
            let view = busy.read.and_then(|read| tick.views[read as usize]);
            let Some((perceiver, view)) = self.perceiver(busy.key).zip(view) else { continue };
            let Some(space) = perceiver.place.space else { continue };
            Scanner { world: self, perceiver, view, space, tick }.scan(found);
        }
    }
}

/// What scans found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) scans: Vec<Scan>,
    pub(super) pairs: Vec<Pair>,
    pub(super) distance_tests: u32,
    /// Sources that one scan has found; the rest of the list is left from another.
    hits: Vec<u32>,
}

impl Found {
    pub(super) fn clear(&mut self) {
        self.scans.clear();
        self.pairs.clear();
        self.distance_tests = 0;
    }

    /// Takes over what other scans found.
    pub(super) fn append(&mut self, other: &mut Self) {
        let first = self.pairs.len() as u32;
        self.scans.extend(other.scans.drain(..).map(|scan| {
            let pairs = scan.pairs.start + first..scan.pairs.end + first;
            Scan { pairs, ..scan }
        }));
        self.pairs.append(&mut other.pairs);
        self.distance_tests += other.distance_tests;
    }
}

/// One scan.
struct Scanner<'a> {
    world: &'a PerceptionWorld,
    perceiver: &'a Perceiver,
    view: View,
    space: SpaceId,
    tick: &'a Tick,
}

impl Scanner<'_> {
    fn registry(&self) -> &Registry {
        &self.world.registry
    }

    fn scan(&self, found: &mut Found) {
        let start = found.pairs.len() as u32;
        let settings = &self.perceiver.settings;
        if settings.enabled && settings.sight_enabled {
            self.seen_pairs(found);
            self.candidates(start, found);
        }
        let pairs = &mut found.pairs[start as usize..];
        if pairs.len() > 1 {
            pairs.sort_unstable_by(|a, b| {
                b.seen
                    .cmp(&a.seen)
                    .then(a.distance.total_cmp(&b.distance))
                    .then(a.target.id.cmp(&b.target.id))
            });
        }
        found.scans.push(Scan {
            perceiver: self.perceiver.key,
            space: self.space,
            eye: self.view.eye,
            due: self.perceiver.errand.due,
            pairs: start..found.pairs.len() as u32,
            needed: settings.needed_points(),
            newcomers_left: settings.max_perceived_targets.saturating_sub(self.perceiver.errand.found),
        });
    }

    /// Retaining: what is seen stays seen inside the larger radius, at any angle.
    fn seen_pairs(&self, found: &mut Found) {
        let tolerance = self.world.space(self.space).tolerance();
        let radius = self.perceiver.settings.retain_radius();
        let errand = &self.perceiver.errand;
        let unserved = |record: &&Record| record.seen() && !errand.has_served(record.target);
        for record in self.perceiver.records.iter().filter(unserved) {
            let Some(frame) = self.frame_of(record.target) else { continue };
            let entry = &self.tick.sources_seen[frame as usize];
            let distance = self.view.origin.distance(entry.pose.origin);
            found.distance_tests += 1;
            if distance <= radius * entry.scale + tolerance && self.accepts(entry) {
                found.pairs.push(pair(entry, frame, distance, true));
            }
        }
    }

    /// Where the source that counts for a target stands in the snapshot.
    fn frame_of(&self, target: TargetRef) -> Option<u32> {
        let frame = *self.tick.frame_of.get(target.key.index())?;
        let entry = self.tick.sources_seen.get(frame as usize)?;
        (entry.target.key == target.key).then_some(frame)
    }

    /// Acquiring: inside the radius and the cone.
    fn candidates(&self, start: u32, found: &mut Found) {
        let tolerance = self.world.space(self.space).tolerance();
        let least = self.least_distance_to_displace(tolerance);
        let count = self.find(found);
        let pairs = &mut found.pairs;
        for index in found.hits[..count].iter().copied() {
            // What is seen stands in the list already.
            if pairs[start as usize..].iter().any(|pair| pair.seen && pair.frame == index) {
                continue;
            }
            let entry = &self.tick.sources_seen[index as usize];
            let distance = self.view.origin.distance(entry.pose.origin);
            if self.perceiver.errand.has_served(entry.target) {
                continue;
            }
            let stranger = || self.perceiver.find(entry.target.id).is_err();
            if self.accepts(entry) && (distance < least || !stranger()) {
                pairs.push(pair(entry, index, distance, false));
            }
        }
    }

    /// The sources inside the radius and the cone, by their position in the snapshot. Gives how many there are.
    fn find(&self, found: &mut Found) -> usize {
        let Found { hits, distance_tests, .. } = found;
        let settings = &self.perceiver.settings;
        let tolerance = self.world.space(self.space).tolerance();
        // Squared; below every distance when it is off.
        let auto = match settings.auto_detect_radius {
            radius if radius > 0.0 => (radius + tolerance) * (radius + tolerance),
            _ => -1.0,
        };
        let (View { origin, eye, forward }, cone) = (self.view, self.perceiver.cone);
        let radius = settings.sight_radius;
        let reach = Reach {
            radius: radius * self.tick.largest_scale + tolerance,
            auto: auto.max(0.0).sqrt(),
            aim: self.tick.largest_aim,
        };
        let columns = self.world.columns(self.space);
        let area = Area::of_cone(|it| columns.row_and_column(it), &self.view, cone, reach);
        let mut count = 0;
        self.world.grid.near(&columns, area, |points| {
            *distance_tests += points.len() as u32;
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

    fn accepts(&self, entry: &SourceFrame) -> bool {
        let accepts_identity = || {
            let affiliation = &self.perceiver.affiliation;
            affiliation.is_open()
                || self.registry().source(entry.key).is_some_and(|source| affiliation.accepts(&source.tags))
        };
        entry.space == self.space
            && entry.visible
            && self.registry().reach(entry.target.key, self.perceiver.place.agent).is_some()
            && accepts_identity()
    }
}

fn pair(entry: &SourceFrame, frame: u32, distance: f64, seen: bool) -> Pair {
    let (target, source) = (entry.target, entry.key);
    Pair { target, source, frame, distance, seen, verdict: Verdict::Unserved }
}
