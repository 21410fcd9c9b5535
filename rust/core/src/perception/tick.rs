//! The tick, in phases over plain data.
//!
//! ```text
//! begin   clocks, due scans, whom to read        world locked
//! read    transforms from the engine             nothing held
//! look    candidates, cones, tags                world locked
//! ask     rays, stances, aim points of nodes     nothing held
//! finish  records, events                        world locked
//! ```
//! Between the phases the caller holds only the [`Tick`]; whatever happens to the world meanwhile, `finish`
//! finds its perceivers by key.

use std::ops::Range;

use glam::DVec3;

use super::ask::Cursor;
use super::frame::{Frame, View};
use super::perceiver::{MANUAL, PerceiverKey, RUNS};
use super::reports::Report;
use super::sight::SourceFrame;
use super::space::SpaceId;
use super::target::{SourceKey, TargetRef};
use super::world::PerceptionWorld;

/// Whom a tick ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every perceiver that is not manual.
    Common,
    /// One manual perceiver.
    One(PerceiverKey),
}

/// A perceiver that this tick has to do with.
#[derive(Clone, Debug)]
pub(super) struct Busy {
    pub(super) key: PerceiverKey,
    pub(super) dt: f64,
    pub(super) scan: bool,
    /// Position among the scans, once there is one.
    pub(super) scan_at: Option<u32>,
    /// Number of the first report to apply; `u64::MAX`: none.
    pub(super) reports_from: u64,
    /// Position among the reads, if it is read.
    pub(super) read: Option<u32>,
}

/// What the rays said of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Not asked: the last verdict stays.
    Unserved,
    Hidden,
    /// Which aim points are visible.
    Visible(u16),
}

/// A perceiver and a target that it may see.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) target: TargetRef,
    pub(super) source: SourceKey,
    /// Position of the source among the tick's sources.
    pub(super) frame: u32,
    /// From origin to origin.
    pub(super) distance: f64,
    /// Seen before this scan.
    pub(super) seen: bool,
    pub(super) verdict: Verdict,
}

/// The pairs of one perceiver.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    pub(super) perceiver: PerceiverKey,
    pub(super) space: SpaceId,
    pub(super) eye: DVec3,
    pub(super) pairs: Range<u32>,
    /// Aim points that must be visible, by the target's stance.
    pub(super) needed: [u32; 3],
    /// Stops after so many newly visible targets.
    pub(super) newcomers_left: u32,
}

/// Counts of one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickStats {
    /// Scans done.
    pub scans: u32,
    /// Sources compared with a sight radius.
    pub distance_tests: u32,
    /// Pairs whose line of sight was asked for.
    pub questions: u32,
    /// Rays cast, casts through bodies that are looked through included.
    pub rays: u32,
    /// Events told.
    pub events: u32,
}

/// A tick under way. Its buffers are reused from tick to tick.
#[derive(Debug, Default)]
pub struct Tick {
    pub(super) busy: Vec<Busy>,
    perceivers: Vec<PerceiverKey>,
    frames: Vec<Frame>,
    pub(super) views: Vec<Option<View>>,
    sources: Vec<SourceKey>,
    source_frames: Vec<Frame>,
    pub(super) sources_seen: Vec<SourceFrame>,
    /// Position of a target's source among the tick's sources, by the index of the target's key.
    pub(super) frame_of: Vec<u32>,
    pub(super) scans: Vec<Scan>,
    pub(super) pairs: Vec<Pair>,
    pub(super) points: Vec<DVec3>,
    /// Sources that one scan has found; the rest of the list is left from another.
    pub(super) hits: Vec<u32>,
    invalid: bool,
    pub(super) cursor: Cursor,
    pub(super) stats: TickStats,
}

impl Tick {
    fn reset(&mut self) {
        self.busy.clear();
        self.perceivers.clear();
        self.frames.clear();
        self.views.clear();
        self.sources.clear();
        self.source_frames.clear();
        self.scans.clear();
        self.pairs.clear();
        self.points.clear();
        self.invalid = false;
        self.cursor = Cursor::default();
        self.stats = TickStats::default();
    }

    /// Perceivers whose transform this tick needs, in id order.
    pub fn perceivers_to_read(&self) -> &[PerceiverKey] {
        &self.perceivers
    }

    /// Sources whose transform this tick needs.
    pub fn sources_to_read(&self) -> &[SourceKey] {
        &self.sources
    }

    /// Phase 2: reads the transforms.
    pub fn read(
        &mut self,
        mut perceiver: impl FnMut(PerceiverKey) -> Frame,
        mut source: impl FnMut(SourceKey) -> Frame,
    ) {
        self.frames.clear();
        self.frames.extend(self.perceivers.iter().map(|key| perceiver(*key)));
        self.source_frames.clear();
        self.source_frames.extend(self.sources.iter().map(|key| source(*key)));
    }

    /// True if a transform that was read had numbers that are not finite; its node is skipped this tick.
    pub fn had_invalid_frames(&self) -> bool {
        self.invalid
    }

    /// The nodes whose transforms had numbers that are not finite.
    pub fn invalid_frames(&self) -> (Vec<PerceiverKey>, Vec<SourceKey>) {
        let bad = |frame: &Frame| frame.pose().is_none();
        let perceivers = self.perceivers.iter().zip(&self.frames).filter(|(_, frame)| bad(frame));
        let sources = self.sources.iter().zip(&self.source_frames).filter(|(_, frame)| bad(frame));
        (perceivers.map(|(key, _)| *key).collect(), sources.map(|(key, _)| *key).collect())
    }

    /// The source that counts for a target, if it is in the snapshot.
    pub(super) fn frame_of(&self, target: TargetRef) -> Option<&SourceFrame> {
        let frame = *self.frame_of.get(target.key.index())?;
        self.sources_seen.get(frame as usize).filter(|frame| frame.target.key == target.key)
    }

    /// Counts of this tick so far.
    pub fn stats(&self) -> TickStats {
        self.stats
    }
}

impl PerceptionWorld {
    /// Phase 1: moves the clocks and finds out what this tick has to do.
    pub fn begin(&mut self, scope: Scope, dt: f64) -> Tick {
        let mut tick = std::mem::take(&mut self.spare_tick);
        tick.reset();
        match scope {
            Scope::Common => {
                self.settle_departures();
                self.begin_all(dt, &mut tick);
                self.seen_reports = self.queue.head();
            }
            Scope::One(key) => {
                if let Some(at) = self.position(key).filter(|at| self.clocks[*at].has(RUNS)) {
                    let scan = self.clocks[at].step(dt);
                    self.begin_one(at, dt, scan, &mut tick);
                }
            }
        }
        if tick.busy.iter().any(|busy| busy.scan) {
            tick.sources.extend_from_slice(self.registry.active());
        }
        tick
    }

    /// Most perceivers have nothing to do in a tick; they cost no more than a look at their clock.
    fn begin_all(&mut self, dt: f64, tick: &mut Tick) {
        let epoch = self.registry.epoch();
        let (reports, blind) = (self.queue.len() > 0, self.registry.active().is_empty());
        for at in 0..self.clocks.len() {
            let clock = &mut self.clocks[at];
            if clock.flags & (RUNS | MANUAL) == RUNS {
                let scan = clock.step(dt) && clock.may_find(blind);
                if scan || reports || clock.is_busy(epoch) {
                    self.begin_one(at, dt, scan, tick);
                }
            }
        }
    }

    fn begin_one(&mut self, at: usize, dt: f64, scan: bool, tick: &mut Tick) {
        let clock = &self.clocks[at];
        let goes = scan || clock.is_busy(self.registry.epoch());
        let dt = dt * clock.time_scale;
        let mut from = u64::MAX;
        if self.queue.len() > 0 {
            from = self.reports_from(at, clock.has(MANUAL));
            self.perceivers[at].next_report = self.queue.head();
        }
        if !goes && from == u64::MAX {
            return;
        }
        let perceiver = &self.perceivers[at];
        let full = perceiver.records.len() > perceiver.settings.max_perceived_targets as usize;
        let read = (scan || full || from != u64::MAX).then(|| {
            tick.perceivers.push(perceiver.key);
            (tick.perceivers.len() - 1) as u32
        });
        tick.busy.push(Busy { key: perceiver.key, dt, scan, scan_at: None, reports_from: from, read });
    }

    /// Number of the first report that concerns a perceiver, `u64::MAX` if none does.
    fn reports_from(&self, at: usize, manual: bool) -> u64 {
        let perceiver = &self.perceivers[at];
        if !perceiver.settings.enabled {
            return u64::MAX;
        }
        let oldest = if manual { 0 } else { self.seen_reports };
        let concerns = |number: u64, report: &Report| match report {
            Report::Noise { noise, .. } => {
                perceiver.hearing.takes(number) && perceiver.place.space == Some(noise.space)
            }
            Report::Damage(damage) => {
                perceiver.damage.takes(number) && perceiver.place.agent == damage.victim
            }
            Report::Stimulation(stimulation) => stimulation.perceiver == perceiver.key,
        };
        self.queue
            .since(oldest.max(perceiver.next_report))
            .find(|(number, report)| concerns(*number, report))
            .map_or(u64::MAX, |(number, _)| number)
    }

    /// Phase 3: finds the pairs that may see each other, by radius, cone and tags.
    pub fn look(&mut self, tick: &mut Tick) {
        tick.views.clear();
        tick.sources_seen.clear();
        for (key, frame) in tick.perceivers.iter().zip(&tick.frames) {
            let pose = frame.pose();
            tick.invalid |= pose.is_none();
            let perceiver = self.perceiver(*key).filter(|it| it.place.space.is_some());
            let view = perceiver.zip(pose).map(|(perceiver, pose)| {
                let planar = perceiver.place.space.is_some_and(|space| self.space(space).planar);
                View::new(&pose, &perceiver.settings, planar)
            });
            tick.views.push(view);
        }
        if tick.sources.is_empty() && tick.busy.iter().all(|busy| !busy.scan) {
            return;
        }
        let (keys, frames) = (std::mem::take(&mut tick.sources), std::mem::take(&mut tick.source_frames));
        for (key, frame) in keys.iter().zip(&frames) {
            let pose = frame.pose();
            tick.invalid |= pose.is_none();
            self.gather_source(*key, pose, tick);
        }
        tick.sources = keys;
        tick.source_frames = frames;
        self.scan_all(tick);
    }
}
