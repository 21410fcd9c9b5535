//! Steps and decisions that nobody has to be asked about: no questions, no sequence, no rows.
//!
//! They end as the others do. A decision that has something to start or to tell goes on as a sequence.

use std::mem::offset_of;
use std::sync::Arc;

use super::decision::{self, BlockName, DecisionOutcome, DecisionRow};
use super::evaluation::{Purpose, Stage, pass};
use super::flat_pass::{self, FlatScores, FlatWorld};
use super::glimpse::Glimpse;
use super::list::List;
use super::machine::{Frame, SpareStack};
use super::run::Calm;
use super::score::Scratch;
use super::snapshot::{Inputs, TargetInputs};
use super::{Detail, Evaluator, Origin, Refusal, RunId, TagsOf, TargetKey, TargetWish, Ticket, Virtuals};
use crate::random::mix;
use crate::tags::TagSet;

/// How a step went that was tried without questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// There is something to tell or to ask: nothing was done, the step is still to be made.
    No,
    /// The step is over.
    Over,
    /// The step is over but for its decision: [`Evaluator::decide_quietly`] or [`Evaluator::decide_due`].
    Due,
    /// The method of this run is to have its tick. Then the ticket is to be answered, and what follows to be pumped.
    Tick(Ticket, RunId),
}

/// What a decision sees, tags aside.
#[derive(Clone, Copy, Debug)]
pub struct QuietView {
    /// The agent's fraction of full health.
    pub health: f64,
    /// The focus target, if there is one.
    pub target: Option<QuietTarget>,
    /// Somebody wants to hear of the decision, if decisions are recorded.
    pub told: bool,
}

/// The target of a [`QuietView`].
#[derive(Clone, Copy, Debug)]
pub struct QuietTarget {
    /// Who it is.
    pub key: TargetKey,
    /// Centre to centre in world units.
    pub distance: f64,
    /// The same in metres.
    pub meters: f64,
    /// Between the agent's facing and the target, in degrees, 0 to 180.
    pub angle: f64,
    /// Fraction of full health.
    pub health: f64,
}

/// The working memory of decisions that nobody is asked about. What is in it counts only during one: everybody who
/// decides in a step uses the same, so that it is warm.
#[derive(Debug, Default)]
pub struct QuietScratch(FlatScores);

/// Tells whether tags that were read are still right: holder and version.
pub type TagMark = (u64, u64);

/// The tags that a plain list asks for, as masks: of the world, the agent and the target. What every decision reads comes
/// first.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(super) struct Marks {
    known: [bool; 3],
    blocked: Option<u32>,
    bits: [u64; 3],
    marks: [TagMark; 3],
}

impl Marks {
    /// All have to be read anew.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    fn is(&self, whose: usize, mark: TagMark) -> bool {
        self.known[whose] && self.marks[whose] == mark
    }

    fn set(&mut self, whose: usize, mark: TagMark, bits: u64) {
        (self.known[whose], self.marks[whose], self.bits[whose]) = (true, mark, bits);
    }

    fn are_known(&self) -> bool {
        self.known == [true; 3]
    }
}

/// The order of what [`Marks`] knows.
fn place_of(whose: TagsOf) -> usize {
    match whose {
        TagsOf::World => 0,
        TagsOf::Agent => 1,
        TagsOf::Target => 2,
    }
}

/// An action whose gates are closed, and why.
type Closed = (u32, Refusal, Detail);

/// A decision in which nothing was worth anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Silence {
    target: Option<TargetKey>,
    closed: Vec<Closed>,
    /// What it saw, if decisions are recorded.
    seen: Option<Arc<Glimpse>>,
}

impl Silence {
    pub fn forget(&mut self) {
        self.seen = None;
    }

    /// The rows, written from what is known.
    pub fn rows(&self, list: &List, block_name: &BlockName) -> Vec<DecisionRow> {
        if let Some(seen) = &self.seen {
            return seen.rows();
        }
        let mut scratch = Scratch::default();
        scratch.flat.scores.resize(list.entries.len(), 0.0);
        scratch.flat.closed.clone_from(&self.closed);
        if let Some(flat) = list.flat.as_deref() {
            flat_pass::write_rows(&list.entries, flat, (self.target, 0), &scratch.flat, &mut scratch.rows);
        }
        decision::rows(&scratch, list, block_name)
    }
}

impl Evaluator {
    /// What [`Evaluator::step_quietly`] reads: bytes from the start, for an adapter that fetches ahead.
    pub const STEP_READS: [usize; 6] = [
        offset_of!(Self, list),
        offset_of!(Self, memory),
        offset_of!(Self, schedule),
        offset_of!(Self, settings),
        offset_of!(Self, machine),
        offset_of!(Self, queue),
    ];

    /// What it reads besides of one that runs.
    pub const RUN_READS: [usize; 2] = [offset_of!(Self, run) + 64, offset_of!(Self, run) + 128];

    /// The same of [`Evaluator::decide_quietly`].
    pub const DECISION_READS: [usize; 5] = [
        offset_of!(Self, marks),
        offset_of!(Self, starting),
        offset_of!(Self, fallback),
        offset_of!(Self, last) + 64,
        offset_of!(Self, last) + 128,
    ];

    /// One step of game time, if it can be made without a word but the tick of what runs. `lives`: a target is still there;
    /// `spare`: where the tick is noted while it is out.
    pub fn step_quietly(
        &mut self,
        delta: f64,
        lives: impl FnOnce(TargetKey) -> bool,
        spare: &mut SpareStack,
    ) -> Quiet {
        if self.depth() > 0 {
            return Quiet::No;
        }
        if !self.is_active() || delta <= 0.0 || !delta.is_finite() {
            self.take_outcome();
            return Quiet::Over;
        }
        let Some(calm) = self.move_calmly(delta, lives) else { return Quiet::No };
        self.take_outcome();
        if let Calm::Ticks(run) = calm {
            self.machine.swap(spare);
            return Quiet::Tick(self.push_asked_tick(run, delta), run);
        }
        if self.takes_turn(delta) { Quiet::Due } else { Quiet::Over }
    }

    /// The decision of a step that [`Evaluator::step_quietly`] left to be made, as a sequence: to be pumped.
    pub fn decide_due(&mut self) {
        let frame = self.new_evaluation(Purpose::Decide, TargetWish::Focus);
        self.machine.push(frame, true);
    }

    /// True if [`Evaluator::decide_quietly`] can decide among the actions.
    pub fn is_quiet(&self) -> bool {
        let plain = self.list.flat.as_ref().is_some_and(|flat| flat.is_plain())
            && self.run.is_none()
            && self.reacting.is_none();
        let unheard = self.virtuals == Virtuals::default();
        plain && unheard && !self.list.entries.is_empty()
    }

    /// False if some of the tags were never read since the list or the settings changed.
    pub fn knows_tags(&self) -> bool {
        self.marks.are_known()
    }

    /// True if the tags with this mark are those that were read last.
    pub fn has_read(&self, whose: TagsOf, mark: TagMark) -> bool {
        self.marks.is(place_of(whose), mark)
    }

    /// The tags as they are; looked at only if the mark is another one. Without a target: those of nobody.
    pub fn read_tags(&mut self, whose: TagsOf, mark: TagMark, tags: &TagSet) {
        let place = place_of(whose);
        if self.marks.is(place, mark) {
            return;
        }
        let bits = self.list.flat.as_ref().map_or(0, |flat| flat.mask(tags));
        self.marks.set(place, mark, bits);
        if whose == TagsOf::Agent {
            let at = self.settings.global_block_tags.ids().iter().position(|tag| tags.matches(*tag));
            self.marks.blocked = at.map(|at| at as u32);
        }
    }

    /// The decision of a step that [`Evaluator::step_quietly`] left to be made, with the tags that were read last. False: it
    /// has become a sequence, to be pumped.
    pub fn decide_quietly(&mut self, view: &QuietView, scratch: &mut QuietScratch) -> bool {
        let inputs = inputs_of(view);
        if !self.list.flat.as_ref().is_some_and(|flat| flat.is_plain() && flat.takes(&inputs)) {
            self.decide_due();
            return false;
        }
        let target = view.target.map(|target| target.key);
        if let Some(key) = target {
            self.memory.meet_target(key);
        }
        let index = self.memory.evaluation;
        let seed = self.context_seed();
        self.memory.evaluation += 1;
        let ordinal = target.and_then(|key| self.memory.known_ordinal(key)).unwrap_or(0);
        let [of_world, of_agent, of_target] = self.marks.bits;
        let own = of_agent | of_world;
        let world = FlatWorld {
            inputs: &inputs,
            target,
            ordinal: mix(ordinal),
            own,
            all: own | if target.is_some() { of_target } else { 0 },
            blocked: self.marks.blocked.map(|at| (Refusal::Blocked, Detail::BlockedGlobally(at))),
        };
        let (found, at) = (&mut scratch.0, (index, seed));
        if let Some(flat) = self.list.flat.as_deref() {
            flat_pass::score_all(&pass(self, &self.list, None, seed), flat, &world, found);
        }
        if found.best().is_none() && self.says_nothing() && !(view.told && self.is_recording()) {
            self.note_silence(at, &world, found);
            return true;
        }
        self.go_on_aloud(at, &world, found);
        false
    }

    /// The decision goes on as a sequence, from its candidates.
    fn go_on_aloud(&mut self, at: (u64, u64), world: &FlatWorld, found: &FlatScores) {
        let list = self.list.clone();
        let Some(flat) = list.flat.as_deref() else { return };
        let mut frame = self.pool.pop().unwrap_or_default().reuse(Purpose::Decide, TargetWish::Focus);
        let focus = (world.target, u32::from(world.target.is_some()));
        flat_pass::write_rows(&list.entries, flat, focus, found, &mut frame.scratch.rows);
        frame.go_on_from_rows(self, at);
        if self.is_recording() {
            let mut seen = Glimpse::default();
            seen.take_down(self, world, found, at);
            seen.write_factors(flat, &mut frame.scratch.factors);
        }
        self.machine.push(Frame::Evaluation(frame), true);
    }

    /// Nothing valid would change nothing: it was told before, and there is nothing to fall back on.
    fn says_nothing(&self) -> bool {
        self.nothing_valid && self.fallback.is_none() || self.memory.recovery_left() > 0.0
    }

    fn note_silence(&mut self, (index, seed): (u64, u64), world: &FlatWorld, found: &FlatScores) {
        let seen = self.is_recording().then(|| self.remember_silence(world, found, (index, seed)));
        let last = &mut self.last;
        last.forced = false;
        let silence = last.quiet.get_or_insert_default();
        (silence.target, silence.seen) = (world.target, seen);
        silence.closed.clear();
        silence.closed.extend_from_slice(&found.closed);
        if !Arc::ptr_eq(&last.list, &self.list) {
            last.list = self.list.clone();
        }
        (last.time, last.index, last.seed, last.origin) = (self.memory.now, index, seed, Origin::Scored);
        last.head(None, DecisionOutcome::None);
    }
}

impl super::evaluation::EvaluationFrame {
    /// The candidates are there, with all that they need to be chosen from.
    fn go_on_from_rows(&mut self, evaluator: &Evaluator, (index, seed): (u64, u64)) {
        self.scratch.pending.clear();
        self.scratch.factors.clear();
        (self.scratch.hold, self.scratch.contested) = (None, true);
        (self.list, self.list_version) = (evaluator.list.clone(), evaluator.list_version);
        (self.index, self.seed) = (index, seed);
        self.stage = Stage::Choose;
    }
}

fn inputs_of(view: &QuietView) -> Inputs {
    let target = view.target.map(|target| TargetInputs {
        distance: target.distance,
        meters: target.meters,
        angle: target.angle,
        health: target.health,
    });
    Inputs { target, health: view.health }
}
