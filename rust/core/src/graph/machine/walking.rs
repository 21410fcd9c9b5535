//! The machine does what a walk decides.

use std::sync::Arc;

use super::change::Change;
use super::cooldowns::Cooldowns;
use super::entry::{Entry, Lineages, fires_on};
use super::open::Open;
use super::pick::{Facts, Subject};
use super::run::Run;
use super::state::{Doing, Machine};
use super::tape::Tape;
use super::walk::{MOST_ENTRIES, Mode, Origin, Outcome, Scene, Walk, Walked};
use crate::graph::parts::PartsWorld;
use crate::graph::{
    BufferMode, Drop, Effect, Fail, FiresOn, Graph, InputResult, Moment, Question, ROOT_INDEX, Stop,
};
use crate::tags::TagId;
use crate::time::TIME_TOLERANCE;

/// Releases that may wait.
const MOST_RELEASES: usize = 8;

/// Without a tag anything may be meant.
fn bits_of(lineage: &[TagId]) -> u64 {
    if lineage.is_empty() { u64::MAX } else { lineage.iter().fold(0, |bits, tag| bits | tag.bit()) }
}

/// What a scene is made of beside world and input: of a machine that is about to change what it does.
struct Backdrop<'a> {
    graph: &'a Graph,
    cooldowns: &'a Cooldowns,
    lineages: &'a Lineages,
    open: &'a Open,
    locked: &'a [u32],
    run: Option<&'a Run>,
    block_tags: &'a [TagId],
    kind: &'a str,
    now: f64,
    node_time: f64,
    grace: Option<u32>,
    entered: u32,
    is_fresh: bool,
}

impl<'a> Backdrop<'a> {
    fn scene(self, world: &'a PartsWorld<'a>, subject: &'a Subject) -> Scene<'a> {
        let lineage = subject.tag.as_ref().map_or(&[] as &[TagId], |tag| self.lineages.of(tag));
        Scene {
            facts: Facts {
                graph: self.graph,
                world,
                cooldowns: self.cooldowns,
                now: self.now,
                lineage,
                bits: bits_of(lineage),
                open: self.open,
                locked: self.locked,
                past_start: self.run.is_some_and(|run| run.is_past_cancel_start(self.node_time)),
                kind: self.kind,
            },
            run: self.run,
            node_time: self.node_time,
            grace: self.grace,
            block_tags: self.block_tags,
            entered: self.entered,
            is_fresh: self.is_fresh,
        }
    }
}

impl Machine {
    /// For somebody who only asks what would be.
    pub(super) fn scene<'a>(
        &'a self,
        graph: &'a Graph,
        world: &'a PartsWorld<'a>,
        subject: &'a Subject,
    ) -> Scene<'a> {
        let backdrop = Backdrop {
            graph,
            cooldowns: &self.cooldowns,
            lineages: &self.lineages,
            open: &self.open,
            locked: &self.locked,
            run: self.run.as_ref(),
            block_tags: &self.settings.global_block_tags,
            kind: self.turn.scan.kind(),
            now: self.clock.now,
            node_time: self.clock.node,
            grace: self.grace_node(),
            entered: self.turn.entered,
            is_fresh: true,
        };
        backdrop.scene(world, subject)
    }

    /// What the input that is walked comes to, decided where the walk lies. `None`: there is no graph, or no walk.
    fn poll_walk(&mut self, world: &PartsWorld) -> Option<Outcome> {
        let Doing::Walk(walk) = &self.turn.doing else { return None };
        let (subject, grace) = (walk.subject, self.grace_node());
        let is_fresh = walk.entry.as_ref().is_none_or(|entry| self.is_fresh(entry));
        let Self { turn, desk, .. } = self;
        let Doing::Walk(walk) = &mut turn.doing else { return None };
        let backdrop = Backdrop {
            graph: self.graph.as_deref()?,
            cooldowns: &self.cooldowns,
            lineages: &self.lineages,
            open: &self.open,
            locked: &self.locked,
            run: self.run.as_ref(),
            block_tags: &self.settings.global_block_tags,
            kind: turn.scan.kind(),
            now: self.clock.now,
            node_time: self.clock.node,
            grace,
            entered: turn.entered,
            is_fresh,
        };
        Some(walk.poll(&backdrop.scene(world, &subject), desk))
    }

    /// The node whose transitions still count at the root.
    pub(super) fn grace_node(&self) -> Option<u32> {
        let grace = self.grace.filter(|_| self.run.is_none())?;
        (self.clock.now - grace.since <= grace.limit + TIME_TOLERANCE).then_some(grace.node)
    }

    /// How long it has waited.
    pub(super) fn age(&self, entry: &Entry) -> f64 {
        let frozen = if entry.ages { self.thawed - entry.thawed } else { 0.0 };
        self.clock.now - entry.born + frozen
    }

    /// The root still answers it.
    pub(super) fn is_fresh(&self, entry: &Entry) -> bool {
        let limit = self.graph.as_ref().map_or(0.0, |graph| graph.held_input_restart_window);
        limit == 0.0 || self.age(entry) <= limit + TIME_TOLERANCE
    }

    /// The node that runs, by index.
    pub(super) fn current_index(&self) -> u32 {
        self.run.as_ref().map_or(ROOT_INDEX, |run| run.node)
    }

    pub(super) fn subject_of(&self, entry: &Entry) -> Subject {
        Subject {
            tag: Some(entry.tag),
            moment: entry.fires_on(),
            stick: entry.stick,
            direction: entry.direction,
            from: self.current_index(),
        }
    }

    /// Begins to walk an input that has just come.
    pub(super) fn walk_live(&mut self, entry: Entry, origin: Origin) {
        let subject = self.subject_of(&entry);
        self.lock_tiers(&entry);
        self.begin_report(&subject, true);
        self.turn.begin_walk(Walk::new(subject, Some(entry), true, Mode::Full, origin));
    }

    /// Begins to walk one that waits.
    pub(super) fn walk_waiting(&mut self, entry: Entry, mode: Mode) {
        let subject = self.subject_of(&entry);
        self.begin_report(&subject, false);
        self.turn.begin_walk(Walk::new(subject, Some(entry), false, mode, Origin::Own));
    }

    pub(super) fn walk_completed(&mut self, world: &PartsWorld) {
        let subject = Subject {
            tag: None,
            moment: FiresOn::Completed,
            stick: world.stick,
            direction: world.move_direction,
            from: self.current_index(),
        };
        self.desk.noting = false;
        self.turn.begin_walk(Walk::new(subject, None, true, Mode::Completed, Origin::Own));
    }

    pub(super) fn begin_report(&mut self, subject: &Subject, live: bool) {
        let (window_open, node) = (self.open.is_plain_open(), self.current_index());
        let node_time = self.clock.node;
        let report = &mut self.desk.report;
        self.desk.noting = true;
        report.wires.clear();
        (report.tag, report.moment, report.live) = (subject.tag, subject.moment, live);
        (report.node, report.node_time, report.window_open) = (node, node_time, window_open);
        (report.answered, report.root_answers, report.why) = (false, false, None);
        let known = report.graph.as_ref().zip(self.graph.as_ref()).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
        if !known {
            report.graph.clone_from(&self.graph);
        }
    }

    /// One step of the input that is walked.
    pub(super) fn step_walk(&mut self, world: &PartsWorld) -> Option<Effect> {
        let outcome = self.poll_walk(world);
        if let Some(Outcome::Ask(question)) = outcome {
            return Some(self.ask(question));
        }
        let Doing::Walk(walk) = std::mem::take(&mut self.turn.doing) else { return None };
        match outcome {
            Some(outcome) => self.act_on(walk, outcome),
            None => {
                self.finish(&walk.about(), InputResult::Dropped, Some(Drop::NoTransition));
                self.turn.end_walk(walk);
                None
            }
        }
    }

    /// The next question of the input that is walked. `None`: it was decided, and done as [`Machine::step_walk`] does it, or
    /// there is none.
    pub(super) fn walk_on(&mut self, world: &PartsWorld) -> Option<Question> {
        let outcome = self.poll_walk(world)?;
        if let Outcome::Ask(question) = outcome {
            return Some(question);
        }
        let Doing::Walk(walk) = std::mem::take(&mut self.turn.doing) else { return None };
        if let Some(effect) = self.act_on(walk, outcome) {
            // Before whatever was told meanwhile: as if it had been returned.
            self.turn.told.push_front(effect);
        }
        None
    }

    fn act_on(&mut self, walk: Box<Walk>, outcome: Outcome) -> Option<Effect> {
        match outcome {
            // Whoever polled has asked it.
            Outcome::Ask(_) => {}
            Outcome::Failed(node, fail) => {
                let tag = walk.subject.tag;
                self.turn.doing = Doing::Walk(walk);
                return Some(Effect::Failed { node, fail, tag });
            }
            outcome => self.conclude(&walk, outcome),
        }
        self.turn.end_walk(walk);
        None
    }

    fn conclude(&mut self, walk: &Walk, outcome: Outcome) {
        let about = walk.about();
        match outcome {
            // The walk goes on.
            Outcome::Ask(_) | Outcome::Failed(..) => {}
            Outcome::Loop(node) => {
                self.finish(&about, InputResult::Dropped, None);
                self.break_loop(node, walk.subject.tag);
            }
            Outcome::Enter(taking) => {
                self.finish(&about, InputResult::Entered, None);
                self.begin_change(Change::taking(walk, taking));
            }
            Outcome::CutToRoot => {
                self.finish(&about, InputResult::Entered, None);
                self.begin_change(Change::cut(walk));
            }
            Outcome::Wait(combo) => {
                let kept = if walk.live { self.keep(walk, combo) } else { self.keep_on(walk.entry, combo) };
                let result = if kept.is_ok() { InputResult::Buffered } else { InputResult::Dropped };
                self.finish(&about, result, kept.err());
            }
            Outcome::Nothing => self.finish(&about, InputResult::Buffered, None),
            Outcome::Drop(why)
                if why == Drop::Blocked && walk.live && walk.entry.is_some_and(|e| e.is_press()) =>
            {
                self.finish(&about, InputResult::Blocked, Some(why));
            }
            Outcome::Drop(why) => self.finish(&about, InputResult::Dropped, Some(why)),
        }
    }

    /// An input that neither the node that runs nor the root has a transition for, whatever its moment, and that cuts nothing:
    /// it is dropped without a walk. False: it has to be walked.
    pub(super) fn drop_unanswered(&mut self, entry: &Entry, origin: Origin, world: &PartsWorld) -> bool {
        if !matches!(self.desk.tape, Tape::Off) || !self.is_unanswered(entry, world) {
            return false;
        }
        let subject = self.subject_of(entry);
        self.begin_report(&subject, true);
        self.desk.stop_at(if self.run.is_some() { Stop::Wait } else { Stop::Pick });
        let about = Walked { entry: Some(*entry), live: true, origin };
        self.finish(&about, InputResult::Dropped, Some(Drop::NoTransition));
        true
    }

    fn is_unanswered(&self, entry: &Entry, world: &PartsWorld) -> bool {
        let Some(graph) = &self.graph else { return false };
        let bits = bits_of(self.lineages.of(&entry.tag));
        let answers = |node: u32| graph.node(node).may_answer(bits);
        let own = match &self.run {
            Some(run) => {
                run.deleted || answers(run.node) || entry.is_press() && !run.plan().cancel_needs_root_move
            }
            None => self.grace_node().is_some_and(answers),
        };
        !own && !answers(ROOT_INDEX) && !world.tags.matches_any(&self.settings.global_block_tags)
    }

    /// The 33rd move of an instant.
    fn break_loop(&mut self, node: u32, tag: Option<TagId>) {
        self.tell(Effect::Failed { node, fail: Fail::Loop, tag });
        if self.turn.entered == MOST_ENTRIES {
            // Once, however many inputs still wait.
            self.turn.entered += 1;
            self.tell(Effect::LoopError);
        }
        self.begin_change(Change::to_root(crate::graph::MoveEnd::Completed));
    }

    fn finish(&mut self, walk: &Walked, result: InputResult, why: Option<Drop>) {
        if walk.entry.is_some() {
            (self.desk.report.result, self.desk.report.why) = (result, why);
        }
        match walk.origin {
            Origin::Call => self.turn.reply.1 = super::Reply::Input(result),
            Origin::Device(group) => self.device_walked(group, result),
            Origin::Thaw | Origin::Own => {}
            Origin::Peer => {
                self.turn.reply.1 = super::Reply::Flag(result == InputResult::Entered);
                return;
            }
        }
        if self.logging && walk.live && walk.entry.is_some() {
            self.tell(Effect::Walked(result));
        }
        let Some(entry) = walk.entry else { return };
        match result {
            InputResult::Entered => self.forget(entry.seq),
            InputResult::Dropped | InputResult::Blocked => {
                self.forget(entry.seq);
                if let Some(why) = why {
                    self.tell_dropped(&entry, why, walk.live && walk.origin != Origin::Thaw);
                }
            }
            InputResult::Buffered | InputResult::Forwarded => {}
        }
    }

    pub(super) fn forget(&mut self, seq: u64) {
        self.waiting.retain(|entry| entry.seq != seq);
    }

    pub(super) fn tell_dropped(&mut self, entry: &Entry, why: Drop, live: bool) {
        let Entry { tag, moment, sequence, .. } = *entry;
        self.tell(Effect::InputDropped { tag, moment, why, live });
        if sequence != 0 {
            self.sequence_item_lost(sequence);
        }
    }

    fn buffer_mode(&self) -> BufferMode {
        let node = self.run.as_ref().map(|run| run.plan());
        node.map_or(BufferMode::AcceptLast, |node| node.buffer)
    }

    /// A live input would wait: whether it may.
    pub(super) fn may_wait(&self, tag: TagId, moment: Moment) -> Result<(), Drop> {
        if moment != Moment::Pressed {
            let same = |entry: &Entry| (entry.tag, entry.moment) == (tag, moment);
            let releases = self.waiting.iter().filter(|entry| !entry.is_press()).count();
            let full = releases >= MOST_RELEASES || self.waiting.iter().any(same);
            return if full { Err(Drop::Full) } else { Ok(()) };
        }
        match self.buffer_mode() {
            BufferMode::Ignore => Err(Drop::Ignored),
            BufferMode::AcceptFirst if self.waiting.iter().any(Entry::is_press) => Err(Drop::Full),
            _ => Ok(()),
        }
    }

    fn keep(&mut self, walk: &Walk, combo: bool) -> Result<(), Drop> {
        let Some(entry) = walk.entry else { return Ok(()) };
        self.may_wait(entry.tag, entry.moment)?;
        if entry.is_press()
            && let Some(at) = self.waiting.iter().position(Entry::is_press)
        {
            let old = self.waiting.remove(at);
            self.tell_dropped(&old, Drop::Replaced, false);
        }
        self.waiting.push(Entry { combo, ..entry });
        if walk.origin != Origin::Thaw {
            self.tell(Effect::InputBuffered { tag: entry.tag, moment: entry.moment });
        }
        Ok(())
    }

    /// One that waits goes on to wait, in another node.
    fn keep_on(&mut self, entry: Option<Entry>, combo: bool) -> Result<(), Drop> {
        let Some(entry) = entry else { return Ok(()) };
        if entry.is_press() && self.buffer_mode() == BufferMode::Ignore {
            return Err(Drop::Ignored);
        }
        if let Some(known) = self.waiting.iter_mut().find(|known| known.seq == entry.seq) {
            known.combo = combo;
        }
        Ok(())
    }

    /// A press before a better window loses that window, if the node says so.
    fn lock_tiers(&mut self, entry: &Entry) {
        let Some(run) = self.run.as_ref().filter(|run| run.plan().mash_lock && !run.deleted) else { return };
        if !entry.is_press() {
            return;
        }
        let lineage = self.lineages.of(&entry.tag);
        let plan = run.plan();
        for rank in plan.ranked(fires_on(entry.moment)) {
            let wire = &plan.wires[rank.wire as usize];
            let meant = rank.input.is_some_and(|input| lineage.contains(&input))
                && !wire.kinds.is_empty()
                && !wire.accept_buffered;
            if meant
                && self.open.any_of(&wire.kinds).is_none()
                && run.still_comes(&wire.kinds)
                && !self.locked.contains(&rank.wire)
            {
                self.locked.push(rank.wire);
            }
        }
    }
}
