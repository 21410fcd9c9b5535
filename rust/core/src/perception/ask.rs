//! What a tick asks: rays, the stance of a target, aim points that nodes are.
//!
//! Every question is answered by the method of its kind, or passed over. An answer of another kind is ignored.

use glam::DVec3;

use super::perceiver::PerceiverKey;
use super::senses::Stance;
use super::settings::MAX_AIM_POINTS;
use super::space::SpaceId;
use super::target::{NodeId, SourceKey, TargetRef};
use super::tick::{Tick, Verdict};

/// A question of a tick.
#[derive(Clone, Copy, Debug)]
pub enum Ask<'a> {
    /// How many bodies muffle a noise. Answer: [`Tick::answer_occlusion`].
    Occlusion(Muffling),
    /// The vision stance of a target. Asked at most once per source and tick, before its first line of sight.
    /// Answer: [`Tick::answer_stance`]; passed over, the stance of its settings holds.
    Stance(About),
    /// Where the nodes are that are aim points of a source. Asked at most once per source and tick, before its stance.
    /// Answer: [`Tick::answer_points`]; passed over, there are none.
    Points(About),
    /// Which aim points are visible. Answer: [`Tick::answer_sight`].
    Sight(Question<'a>),
}

/// A pair whose line of sight must be found out.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Who looks.
    pub perceiver: PerceiverKey,
    /// At whom.
    pub target: TargetRef,
    /// At which source.
    pub source: SourceKey,
    /// In which world.
    pub space: SpaceId,
    /// From where.
    pub eye: DVec3,
    /// At which aim points; bit i of the answer: point i is visible.
    pub points: &'a [DVec3],
}

/// A source that something must be found out about.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Who looks.
    pub perceiver: PerceiverKey,
    /// At whom.
    pub target: TargetRef,
    /// The source.
    pub source: SourceKey,
    /// In which world.
    pub space: SpaceId,
}

/// A noise that bodies may muffle on its way to an eye.
#[derive(Clone, Copy, Debug)]
pub struct Muffling {
    /// Who hears.
    pub perceiver: PerceiverKey,
    /// In which world.
    pub space: SpaceId,
    /// Where the noise is.
    pub from: DVec3,
    /// Where it is heard.
    pub eye: DVec3,
    /// Whose bodies do not count, besides those of the perceiver's agent; 0: nobody's.
    pub instigator: NodeId,
    /// Bodies to count at the most.
    pub most: u32,
}

/// Answers the questions of a tick.
pub trait LineOfSight {
    /// Bit i: aim point i is visible.
    fn visible_points(&mut self, question: &Question<'_>) -> u16;

    /// Rays cast for the last line of sight.
    fn casts(&mut self, question: &Question<'_>) -> u32 {
        question.points.len() as u32
    }

    /// Distinct bodies between a noise and an ear, and rays cast.
    fn occluders(&mut self, _question: &Muffling) -> (u32, u32) {
        (0, 1)
    }

    /// The vision stance of a target.
    fn stance(&mut self, _question: &About) -> Stance {
        Stance::Standing
    }

    /// Aim points that nodes are.
    fn node_points(&mut self, _question: &About) -> Vec<DVec3> {
        Vec::new()
    }
}

/// Which question waits for its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Open {
    #[default]
    Nothing,
    Occlusion,
    Stance,
    Points,
    Sight,
}

/// How far the questions have come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    /// Place in the order of noises.
    ear: usize,
    /// Place in the order of scans, and among the pairs of that scan.
    scan: usize,
    pair: usize,
    open: Open,
    /// Something was answered that took rays, so the budget counts from now on.
    served: bool,
    /// The budget does not cover the next question.
    spent: bool,
}

impl Tick {
    /// Who looks at somebody in this tick, in the order of the questions.
    pub fn lookers(&self) -> impl Iterator<Item = PerceiverKey> + '_ {
        let scans = self.order.iter().map(|at| &self.found.scans[*at as usize]);
        scans.filter(|scan| !scan.pairs.is_empty()).map(|scan| scan.perceiver)
    }

    /// Phase 4: the next question; `None`: there is none, or the budget of rays is spent.
    pub fn question(&mut self) -> Option<Ask<'_>> {
        self.cursor.open = Open::Nothing;
        if let Some(ear) = self.ear_at() {
            if !self.covers(1) {
                return None;
            }
            self.cursor.open = Open::Occlusion;
            return Some(Ask::Occlusion(self.ears[ear].question()));
        }
        let (scan_at, pair_at) = self.seek_pair()?;
        let (scan, pair) = (&self.found.scans[scan_at], &self.found.pairs[pair_at]);
        let frame_at = pair.frame as usize;
        let frame = &mut self.sources_seen[frame_at];
        let eye = scan.eye;
        let (perceiver, target, source, space) = (scan.perceiver, pair.target, pair.source, scan.space);
        let about = About { perceiver, target, source, space };
        if std::mem::take(&mut frame.asks_points) {
            self.cursor.open = Open::Points;
            return Some(Ask::Points(about));
        }
        let rays = frame.points().len() as u32;
        if !self.covers(rays) {
            return None;
        }
        let frame = &mut self.sources_seen[frame_at];
        if std::mem::take(&mut frame.asks_stance) {
            self.cursor.open = Open::Stance;
            return Some(Ask::Stance(about));
        }
        self.cursor.open = Open::Sight;
        let points = &self.points[frame.points()];
        Some(Ask::Sight(Question { perceiver, target, source, space, eye, points }))
    }

    /// True if so many more rays may be cast; else nothing more is asked in this tick. The first question is always
    /// covered.
    fn covers(&mut self, rays: u32) -> bool {
        self.cursor.spent |= self.cursor.served && self.stats.rays.saturating_add(rays) > self.budget;
        !self.cursor.spent
    }

    /// The noise that the cursor is at.
    fn ear_at(&self) -> Option<usize> {
        self.ear_order.get(self.cursor.ear).map(|at| *at as usize)
    }

    /// The scan and the pair that the cursor is at.
    fn current(&self) -> Option<(usize, usize)> {
        let scan_at = *self.order.get(self.cursor.scan)? as usize;
        let pairs = &self.found.scans[scan_at].pairs;
        Some((scan_at, pairs.start as usize + self.cursor.pair)).filter(|(_, at)| *at < pairs.end as usize)
    }

    /// Moves on to the next pair that needs rays.
    fn seek_pair(&mut self) -> Option<(usize, usize)> {
        while self.cursor.scan < self.order.len() && !self.cursor.spent {
            let Some((scan_at, pair_at)) = self.current() else {
                (self.cursor.scan, self.cursor.pair) = (self.cursor.scan + 1, 0);
                continue;
            };
            let pair = &mut self.found.pairs[pair_at];
            if !pair.seen && self.found.scans[scan_at].newcomers_left == 0 {
                pair.verdict = Verdict::Hidden;
            }
            if pair.verdict == Verdict::Unserved {
                return Some((scan_at, pair_at));
            }
            self.cursor.pair += 1;
        }
        None
    }

    /// Takes the question that was asked last, if it is of this kind. Gives its scan and its pair.
    fn close(&mut self, open: Open) -> Option<(usize, usize)> {
        let fits = self.cursor.open == open;
        if fits {
            self.cursor.open = Open::Nothing;
        }
        self.current().filter(|_| fits)
    }

    /// Answers a line of sight: bit i says that aim point i is visible; `casts` rays were cast for it.
    pub fn answer_sight(&mut self, visible: u16, casts: u32) {
        let Some((scan, pair)) = self.close(Open::Sight) else { return };
        let (scan, pair) = (&mut self.found.scans[scan], &mut self.found.pairs[pair]);
        let frame = &self.sources_seen[pair.frame as usize];
        let count = frame.points().len();
        let mask = visible & (((1u32 << count.min(MAX_AIM_POINTS)) - 1) as u16);
        let needed = scan.needed[frame.stance as usize].clamp(1, count.max(1) as u32);
        self.stats.questions += 1;
        self.stats.rays += casts;
        self.cursor.served = true;
        if mask.count_ones() >= needed {
            pair.verdict = Verdict::Visible(mask);
            scan.newcomers_left -= u32::from(!pair.seen);
        } else {
            pair.verdict = Verdict::Hidden;
        }
        self.cursor.pair += 1;
    }

    /// Answers for a target's vision stance: its offset points are lowered by it, and the number of points that must be
    /// visible may depend on it.
    pub fn answer_stance(&mut self, stance: Stance) {
        if let Some((_, pair)) = self.close(Open::Stance) {
            let frame = self.found.pairs[pair].frame as usize;
            self.sources_seen[frame].crouch(stance, &mut self.points);
        }
    }

    /// Answers for a source's aim points that are nodes, in order; those that do not resolve are left out.
    pub fn answer_points(&mut self, points: &[DVec3]) {
        if let Some((_, pair)) = self.close(Open::Points) {
            let frame = self.found.pairs[pair].frame as usize;
            self.sources_seen[frame].append(points, &mut self.points);
        }
    }

    /// How many bodies there are between a noise and the eye, and how many rays it took to find out.
    pub fn answer_occlusion(&mut self, bodies: u32, casts: u32) {
        if self.cursor.open != Open::Occlusion {
            return;
        }
        self.cursor.open = Open::Nothing;
        if let Some(ear) = self.ear_at() {
            self.ears[ear].bodies = Some(bodies);
            self.stats.rays += casts;
            self.cursor.served = true;
            self.cursor.ear += 1;
        }
    }

    /// Leaves the question that was asked last without an answer. A line of sight keeps its last verdict, and its scan
    /// goes on in the next tick; a noise waits for it.
    pub fn pass(&mut self) {
        if self.cursor.open == Open::Occlusion {
            self.cursor.ear += 1;
        } else if self.close(Open::Sight).is_some() {
            self.cursor.pair += 1;
        } else if let Some((_, pair)) = self.close(Open::Stance) {
            let frame = &mut self.sources_seen[self.found.pairs[pair].frame as usize];
            frame.crouch(frame.stance, &mut self.points);
        }
        self.cursor.open = Open::Nothing;
    }

    /// Phase 4 in one go.
    pub fn ask(&mut self, world: &mut impl LineOfSight) {
        while let Some(question) = self.question() {
            match question {
                Ask::Sight(question) => {
                    let visible = world.visible_points(&question);
                    let casts = world.casts(&question);
                    self.answer_sight(visible, casts);
                }
                Ask::Stance(question) => self.answer_stance(world.stance(&question)),
                Ask::Points(question) => self.answer_points(&world.node_points(&question)),
                Ask::Occlusion(question) => {
                    let (bodies, casts) = world.occluders(&question);
                    self.answer_occlusion(bodies, casts);
                }
            }
        }
    }
}
