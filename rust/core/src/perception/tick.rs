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
use super::hearing::Ear;
use super::inbox::Calls;
use super::perceiver::PerceiverKey;
use super::sight::Found;
use super::snapshot::SourceFrame;
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

/// Whose transform will be read soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A perceiver's.
    Perceiver(PerceiverKey),
    /// A source's.
    Source(SourceKey),
}

/// So many transforms ahead it is told whose will be read.
const AHEAD: usize = 8;

/// A perceiver that this tick has to do with.
#[derive(Clone, Debug)]
pub(super) struct Busy {
    pub(super) key: PerceiverKey,
    /// Where it stood among the perceivers when the tick began.
    pub(super) at: u32,
    pub(super) dt: f64,
    pub(super) scan: bool,
    /// It is here for new reports and for nothing else: how far it hears, and the slack of that.
    pub(super) only_listens: Option<(f64, f64)>,
    /// Position among the scans, once there is one.
    pub(super) scan_at: Option<u32>,
    /// Number of the first report to apply; `u64::MAX`: none.
    pub(super) reports_from: u64,
    /// Number of the first report that it has not had; of those before only late noises concern it.
    pub(super) fresh_from: u64,
    /// The noises that it listens for through bodies.
    pub(super) ears: Range<u32>,
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
    /// Number of the tick in which it fell due.
    pub(super) due: u64,
    pub(super) pairs: Range<u32>,
    /// Aim points that must be visible, by the target's stance.
    pub(super) needed: [u32; 3],
    /// Stops after so many newly visible targets.
    pub(super) newcomers_left: u32,
}

/// Counts of one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TickStats {
    /// Ticks so far, this one included.
    pub ticks: u64,
    /// Perceivers that were ticked.
    pub perceivers: u32,
    /// Sources that can be sensed.
    pub sources: u32,
    /// Scans that were due or went on.
    pub scans: u32,
    /// Sources compared with a sight radius.
    pub distance_tests: u32,
    /// Pairs whose line of sight was asked for.
    pub questions: u32,
    /// Rays cast, casts through bodies that are looked through included.
    pub rays: u32,
    /// Rays that the budget put off to the next tick.
    pub rays_deferred: u32,
    /// For how long the oldest scan that is not finished has been due, in seconds.
    pub oldest_scan_wait: f64,
    /// Events told.
    pub events: u32,
}

/// A tick under way. Its buffers are reused from tick to tick.
#[derive(Debug, Default)]
pub struct Tick {
    pub(super) busy: Vec<Busy>,
    pub(super) perceivers: Vec<PerceiverKey>,
    frames: Vec<Frame>,
    pub(super) views: Vec<Option<View>>,
    pub(super) sources: Vec<SourceKey>,
    source_frames: Vec<Frame>,
    pub(super) sources_seen: Vec<SourceFrame>,
    /// Position of a target's source among the tick's sources, by the index of the target's key.
    pub(super) frame_of: Vec<u32>,
    pub(super) largest_scale: f64,
    /// How far the aim point of a source is from the source at the most.
    pub(super) largest_aim: f64,
    /// Positions among the busy ones of those whose scan is done.
    pub(super) due: Vec<u32>,
    pub(super) found: Found,
    pub(super) points: Vec<DVec3>,
    invalid: bool,
    pub(super) calls: Calls,
    pub(super) ears: Vec<Ear>,
    /// The ears in the order in which they are served.
    pub(super) ear_order: Vec<u32>,
    /// The scans in the order in which they are served.
    pub(super) order: Vec<u32>,
    /// The world's time before the tick.
    pub(super) since: f64,
    /// A tick of all, not of one manual perceiver.
    pub(super) common: bool,
    /// Rays that may be cast.
    pub(super) budget: u32,
    pub(super) cursor: Cursor,
    pub(super) stats: TickStats,
}

impl Tick {
    pub(super) fn reset(&mut self) {
        self.busy.clear();
        self.perceivers.clear();
        self.frames.clear();
        self.views.clear();
        self.sources.clear();
        self.source_frames.clear();
        self.due.clear();
        self.found.clear();
        self.points.clear();
        self.calls.clear();
        self.ears.clear();
        self.ear_order.clear();
        self.order.clear();
        self.invalid = false;
        self.common = false;
        self.budget = u32::MAX;
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

    /// Phase 2: reads the transforms. Those who hear nothing of the reports that they are here for drop out.
    pub fn read(
        &mut self,
        perceiver: impl FnMut(PerceiverKey) -> Frame,
        source: impl FnMut(SourceKey) -> Frame,
    ) {
        self.read_ahead(|_| (), perceiver, source);
    }

    /// As [`Self::read`]; `expect` is told a few transforms ahead whose is to be read, so that memory can be fetched
    /// meanwhile.
    pub fn read_ahead(
        &mut self,
        mut expect: impl FnMut(Expected),
        mut perceiver: impl FnMut(PerceiverKey) -> Frame,
        mut source: impl FnMut(SourceKey) -> Frame,
    ) {
        let Self { busy, perceivers, frames, calls, sources, source_frames, .. } = self;
        frames.clear();
        perceivers.iter().take(AHEAD).for_each(|key| expect(Expected::Perceiver(*key)));
        let (mut read, mut kept) = (0, 0);
        busy.retain_mut(|busy| {
            if busy.read.is_none() {
                return true;
            }
            // Those who stay move up, never past those who are still to be read.
            if let Some(key) = perceivers.get(read + AHEAD) {
                expect(Expected::Perceiver(*key));
            }
            read += 1;
            let frame = perceiver(busy.key);
            if busy.only_listens.is_some_and(|reach| calls.are_far(busy.reports_from, &frame, reach)) {
                return false;
            }
            busy.read = Some(kept as u32);
            perceivers[kept] = busy.key;
            kept += 1;
            frames.push(frame);
            true
        });
        perceivers.truncate(kept);
        sources.iter().take(AHEAD).for_each(|key| expect(Expected::Source(*key)));
        source_frames.clear();
        source_frames.extend(sources.iter().enumerate().map(|(at, key)| {
            if let Some(key) = sources.get(at + AHEAD) {
                expect(Expected::Source(*key));
            }
            source(*key)
        }));
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
    /// Phase 3: finds the pairs that may see each other, by radius, cone and tags.
    pub fn look(&mut self, tick: &mut Tick) {
        tick.views.clear();
        tick.sources_seen.clear();
        // Those that are read stand in the order of the reads.
        for (busy, frame) in tick.busy.iter().filter(|busy| busy.read.is_some()).zip(&tick.frames) {
            let pose = frame.pose();
            tick.invalid |= pose.is_none();
            let gaze = self.position_of(busy).map(|at| &self.gazes[at]);
            let view = gaze.zip(pose).and_then(|(gaze, pose)| {
                let planar = self.space(gaze.space?).planar;
                Some(gaze.view(&pose, planar))
            });
            tick.views.push(view);
        }
        self.listen(tick);
        if tick.sources.is_empty() && tick.busy.iter().all(|busy| !busy.scan) {
            return;
        }
        let (keys, frames) = (std::mem::take(&mut tick.sources), std::mem::take(&mut tick.source_frames));
        self.registry.refresh_stands();
        for (at, (key, frame)) in keys.iter().zip(&frames).enumerate() {
            let pose = frame.pose();
            tick.invalid |= pose.is_none();
            if let Some(pose) = pose {
                self.gather_source(at, *key, pose, tick);
            }
        }
        tick.sources = keys;
        tick.source_frames = frames;
        self.scan_all(tick);
        self.order_scans(tick);
    }
}
