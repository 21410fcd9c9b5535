//! Who may see whom: radius, cone, tags. Pure maths over the snapshot; no ray is cast here.

use std::hint::black_box;
use std::ops::Range;

use crate::tags::TagSet;

use super::area::{Area, Reach};
use super::clock::{CARRIED, KNOWS};
use super::frame::View;
use super::gaze::Gaze;
use super::grid::Columns;
use super::perceiver::Perceiver;
use super::record::Record;
use super::registry::Registry;
use super::schedule::Errand;
use super::settings::Affiliation;
use super::snapshot::SourceFrame;
use super::space::SpaceId;
use super::target::TargetRef;
use super::tick::{Pair, Scan, Tick, Verdict};
use super::world::PerceptionWorld;

const NO_FRAME: u32 = u32::MAX;

impl Affiliation {
    /// True if everybody is accepted.
    pub(super) fn is_open(&self) -> bool {
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
        self.warm_up(tick, part.clone());
        for busy in &tick.due[part] {
            let busy = &tick.busy[*busy as usize];
            let view = busy.read.and_then(|read| tick.views[read as usize]);
            let Some((at, view)) = self.position_of(busy).zip(view) else { continue };
            let (gaze, clock) = (&self.gazes[at], &self.clocks[at]);
            let Some(space) = gaze.space else { continue };
            // What most perceivers do not have is not touched.
            let [knows, carried] = [KNOWS, CARRIED].map(|flag| clock.has(flag).then(|| &self.perceivers[at]));
            let errand = carried.map(|perceiver| &perceiver.errand);
            Scanner { world: self, at, gaze, knows, errand, view, space, tick }.scan(found);
        }
    }
}

impl PerceptionWorld {
    /// Reads what scans need of those who know somebody. After a frame of the game it is in no cache; here the waits
    /// for it overlap, in the scans one would follow the other.
    fn warm_up(&self, tick: &Tick, part: Range<usize>) {
        let due =
            || tick.due[part.clone()].iter().filter_map(|at| self.position_of(&tick.busy[*at as usize]));
        let knowing = || due().filter(|at| self.clocks[*at].has(KNOWS)).map(|at| &self.perceivers[at]);
        let radii = knowing().map(|it| it.settings.lose_sight_radius + it.records.len() as f64);
        black_box(radii.sum::<f64>());
        let seen = |it: &Perceiver| it.records.iter().filter(|record| record.seen()).count();
        black_box(knowing().map(seen).sum::<usize>());
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
    /// Where the perceiver stands.
    at: usize,
    gaze: &'a Gaze,
    /// The perceiver, if it has records.
    knows: Option<&'a Perceiver>,
    /// The scan under way, if it began in an earlier tick.
    errand: Option<&'a Errand>,
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
        let gaze = self.gaze;
        if gaze.looks {
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
            perceiver: gaze.key,
            space: self.space,
            eye: self.view.eye,
            due: self.errand.map_or(self.tick.stats.ticks, |errand| errand.due),
            pairs: start..found.pairs.len() as u32,
            needed: gaze.needed,
            newcomers_left: gaze.most.saturating_sub(self.errand.map_or(0, |errand| errand.found)),
        });
    }

    /// Retaining: what is seen stays seen inside the larger radius, at any angle.
    fn seen_pairs(&self, found: &mut Found) {
        let Some(perceiver) = self.knows else { return };
        let tolerance = self.world.space(self.space).tolerance();
        let radius = perceiver.settings.retain_radius();
        let unserved = |record: &&Record| record.seen() && !self.has_served(record.target);
        for record in perceiver.records.iter().filter(unserved) {
            let Some(frame) = self.frame_of(record.target) else { continue };
            let entry = &self.tick.sources_seen[frame as usize];
            let distance = self.view.origin.distance(entry.pose.origin);
            found.distance_tests += 1;
            if distance <= radius * entry.scale + tolerance && self.accepts(entry) {
                found.pairs.push(pair(entry, frame, distance, true));
            }
        }
    }

    fn has_served(&self, target: TargetRef) -> bool {
        self.errand.is_some_and(|errand| errand.has_served(target))
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
            if self.has_served(entry.target) {
                continue;
            }
            let stranger = || self.knows.is_none_or(|perceiver| perceiver.find(entry.target.id).is_err());
            if self.accepts(entry) && (distance < least || !stranger()) {
                pairs.push(pair(entry, index, distance, false));
            }
        }
    }

    /// The sources inside the radius and the cone, by their position in the snapshot. Gives how many there are.
    fn find(&self, found: &mut Found) -> usize {
        let Found { hits, distance_tests, .. } = found;
        let tolerance = self.world.space(self.space).tolerance();
        // Squared; below every distance when it is off.
        let auto = match self.gaze.auto_detect_radius {
            radius if radius > 0.0 => (radius + tolerance) * (radius + tolerance),
            _ => -1.0,
        };
        let (View { origin, eye, forward }, cone) = (self.view, self.gaze.cone);
        let radius = self.gaze.radius;
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
        let Some(perceiver) = self.knows.filter(|it| it.records.len() >= self.gaze.most as usize) else {
            return if self.gaze.most > 0 { f64::INFINITY } else { f64::NEG_INFINITY };
        };
        let free = perceiver.records.iter().filter(|record| perceiver.protected != Some(record.target.id));
        let distances = free.map(|record| record.location.distance(self.view.origin));
        distances.fold(f64::NEG_INFINITY, f64::max) - perceiver.settings.displace_margin - tolerance
    }

    fn accepts(&self, entry: &SourceFrame) -> bool {
        let accepts_identity = || {
            let affiliation = &self.world.perceivers[self.at].affiliation;
            self.gaze.open
                || self.registry().source(entry.key).is_some_and(|source| affiliation.accepts(&source.tags))
        };
        entry.space == self.space && entry.visible && !self.is_kin(entry) && accepts_identity()
    }

    /// True if a source stands for the perceiver's own agent, or for one below it.
    fn is_kin(&self, entry: &SourceFrame) -> bool {
        let target = || self.registry().target(entry.target.key);
        entry.marks & self.gaze.mark != 0 && target().is_some_and(|it| it.belongs_to(self.gaze.agent))
    }
}

fn pair(entry: &SourceFrame, frame: u32, distance: f64, seen: bool) -> Pair {
    let (target, source) = (entry.target, entry.key);
    Pair { target, source, frame, distance, seen, verdict: Verdict::Unserved }
}
