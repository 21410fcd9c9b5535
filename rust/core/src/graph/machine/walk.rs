//! What happens to one input. The walk only decides; the machine does it.

use super::check::Check;
use super::entry::Entry;
use super::pick::{Facts, NONE, Pick, Rule, Subject};
use super::report::{Desk, Verdict};
use super::run::Run;
use crate::graph::{Drop, Fail, FiresOn, MoveEnd, Question, ROOT_INDEX, Stop};
use crate::tags::TagId;

/// Moves that one instant may enter.
pub(super) const MOST_ENTRIES: u32 = 32;
/// Failed starts that may follow one another.
const MOST_FAILURES: u8 = 8;

/// Which of the rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// All stops.
    Full,
    /// It waits, and a window has opened.
    Window,
    /// It waits, and the move is over.
    Over,
    /// No input: the move is over.
    Completed,
    /// The owner asks for it: only whether it could start.
    Confirm,
}

/// Who had it walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A call.
    Call,
    /// A device; the group of the event.
    Device(u64),
    /// It came in a hit-stop that is over.
    Thaw,
    /// The machine.
    Own,
    /// The owner of the agent, on another peer.
    Peer,
}

/// What was walked.
pub(super) struct Walked {
    pub entry: Option<Entry>,
    pub live: bool,
    pub origin: Origin,
}

/// A transition that is about to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taking {
    /// The node that has it.
    pub node: u32,
    pub wire: u32,
    pub to: u32,
    /// How a running move ends by it.
    pub end: MoveEnd,
    /// An input cuts the move by it.
    pub cut: bool,
}

/// What to do, and whether to come back for more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Ask(Question),
    /// Tell that this node could not start, then come back.
    Failed(u32, Fail),
    /// Too many moves: to the root.
    Loop(u32),
    Enter(Taking),
    CutToRoot,
    /// It may wait; true: the running node answers it.
    Wait(bool),
    /// Nothing took it, and it goes on to wait.
    Nothing,
    Drop(Drop),
}

/// What a walk reads.
pub(super) struct Scene<'a> {
    pub facts: Facts<'a>,
    pub run: Option<&'a Run>,
    /// Node time of the run.
    pub node_time: f64,
    /// The node that has grace.
    pub grace: Option<u32>,
    pub block_tags: &'a [TagId],
    /// Moves that were entered in this instant.
    pub entered: u32,
    /// It is young enough for the root to answer it.
    pub is_fresh: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begin,
    Own,
    Cut,
    Grace,
    Root,
    Check,
    /// Transitions of a node that could not start.
    Failed,
    /// The root, once more.
    Retry,
}

/// One input on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub subject: Subject,
    pub entry: Option<Entry>,
    pub live: bool,
    pub mode: Mode,
    pub origin: Origin,
    stage: Stage,
    pick: Pick,
    check: Check,
    taking: Taking,
    blocked: bool,
    rerun: bool,
    failures: u8,
}

impl Walk {
    pub fn new(subject: Subject, entry: Option<Entry>, live: bool, mode: Mode, origin: Origin) -> Self {
        let taking = Taking { node: 0, wire: 0, to: 0, end: MoveEnd::Chained, cut: false };
        Self {
            pick: Pick::new(0, Rule::All, subject.moment, live),
            subject,
            entry,
            live,
            mode,
            origin,
            stage: Stage::Begin,
            check: Check::new(0),
            taking,
            blocked: false,
            rerun: false,
            failures: 0,
        }
    }

    /// What is walked.
    pub fn about(&self) -> Walked {
        Walked { entry: self.entry, live: self.live, origin: self.origin }
    }

    /// Of a move that is asked for: it is only looked whether it can start.
    pub fn confirming(mut self, taking: Taking) -> Self {
        self.taking = taking;
        self.check = Check::new(taking.to);
        self.stage = Stage::Check;
        self
    }

    /// Goes on until there is something to do.
    pub fn poll(&mut self, scene: &Scene, desk: &mut Desk) -> Outcome {
        loop {
            let outcome = match self.stage {
                Stage::Begin => self.begin(scene, desk),
                Stage::Check => Some(self.checked(scene, desk)),
                _ => match self.pick.poll(&self.subject, &scene.facts, desk) {
                    Some(question) => Some(Outcome::Ask(question)),
                    None => self.picked(scene, desk),
                },
            };
            if let Some(outcome) = outcome {
                return outcome;
            }
        }
    }

    fn is_press(&self) -> bool {
        self.subject.moment == FiresOn::Pressed
    }

    fn begin(&mut self, scene: &Scene, desk: &mut Desk) -> Option<Outcome> {
        if self.mode != Mode::Completed {
            self.blocked = desk.tape.say(|| scene.facts.world.tags.matches_any(scene.block_tags));
            if self.blocked && self.is_press() {
                desk.stop_at(Stop::Block);
                return Some(Outcome::Drop(Drop::Blocked));
            }
        }
        match scene.run {
            Some(run) => {
                let rule = match self.mode {
                    Mode::Full => Rule::Running,
                    Mode::Window => Rule::Window,
                    Mode::Over => Rule::Over,
                    Mode::Completed | Mode::Confirm => Rule::All,
                };
                let node = if run.deleted { NONE } else { run.node };
                self.look(Stage::Own, node, rule);
                None
            }
            None => self.begin_at_root(scene, desk),
        }
    }

    fn begin_at_root(&mut self, scene: &Scene, desk: &mut Desk) -> Option<Outcome> {
        desk.stop_at(Stop::Pick);
        if self.blocked {
            return Some(Outcome::Drop(Drop::Blocked));
        }
        if !self.live && !scene.is_fresh {
            return Some(Outcome::Drop(Drop::Expired));
        }
        let discrete = self.entry.is_some_and(|entry| entry.ignores_grace);
        match scene.grace {
            Some(node) if !discrete => self.look(Stage::Grace, node, Rule::Grace),
            _ => self.look(Stage::Root, ROOT_INDEX, Rule::All),
        }
        None
    }

    fn look(&mut self, stage: Stage, node: u32, rule: Rule) {
        self.stage = stage;
        self.pick = Pick::new(node, rule, self.subject.moment, self.live);
    }

    fn picked(&mut self, scene: &Scene, desk: &mut Desk) -> Option<Outcome> {
        let (winner, open) = (self.pick.winner, self.pick.open);
        match self.stage {
            Stage::Own => self.picked_own(scene, desk),
            Stage::Cut if winner != NONE => {
                desk.stop_at(Stop::Cancel);
                self.take(winner, MoveEnd::Cancelled, true, scene, desk)
            }
            Stage::Cut => {
                let needs = scene.run.is_none_or(|run| run.plan().cancel_needs_root_move);
                if !needs && self.is_press() {
                    desk.stop_at(Stop::Cancel);
                    return Some(Outcome::CutToRoot);
                }
                self.wait(scene, desk)
            }
            Stage::Grace if open == NONE => {
                self.look(Stage::Root, ROOT_INDEX, Rule::All);
                None
            }
            Stage::Root if open == NONE && self.mode == Mode::Over => Some(Outcome::Nothing),
            Stage::Root if open == NONE => Some(Outcome::Drop(Drop::NoTransition)),
            Stage::Grace | Stage::Root => {
                desk.stop_at(Stop::Chain);
                let end = if self.mode == Mode::Over { MoveEnd::Completed } else { MoveEnd::Chained };
                self.take(open, end, false, scene, desk)
            }
            Stage::Failed if open == NONE => self.retry(scene, desk),
            Stage::Retry if open == NONE => Some(self.give_up()),
            _ => self.take(open, self.taking.end, self.taking.cut, scene, desk),
        }
    }

    fn picked_own(&mut self, scene: &Scene, desk: &mut Desk) -> Option<Outcome> {
        let (winner, open) = (self.pick.winner, self.pick.open);
        match self.mode {
            Mode::Full => {}
            Mode::Over | Mode::Completed if open != NONE => {
                return self.take(open, MoveEnd::Completed, false, scene, desk);
            }
            Mode::Over if !self.blocked && scene.is_fresh => {
                self.look(Stage::Root, ROOT_INDEX, Rule::All);
                return None;
            }
            Mode::Window if open != NONE => return self.take(open, MoveEnd::Chained, false, scene, desk),
            _ => return Some(Outcome::Nothing),
        }
        let interrupts = |at: u32| scene.facts.graph.node(self.pick.node).wires[at as usize].interrupts;
        if winner != NONE && interrupts(winner) && scene.facts.past_start {
            desk.stop_at(Stop::Interrupt);
            return self.take(winner, MoveEnd::Chained, false, scene, desk);
        }
        if open == NONE && !self.blocked && self.may_cut(scene) {
            self.look(Stage::Cut, ROOT_INDEX, Rule::All);
            return None;
        }
        if open != NONE {
            desk.stop_at(Stop::Chain);
            return self.take(open, MoveEnd::Chained, false, scene, desk);
        }
        self.wait(scene, desk)
    }

    /// The rules of the running node let this input cut it.
    fn may_cut(&self, scene: &Scene) -> bool {
        let (Some(run), Some(tag)) = (scene.run, self.subject.tag) else { return false };
        let plan = run.plan();
        let named = |list: &[TagId]| list.iter().any(|one| scene.facts.lineage.contains(one));
        run.may_be_cut(scene.node_time)
            && run.tag != Some(tag)
            && (plan.cancellable_by.is_empty() || named(&plan.cancellable_by))
            && !named(&plan.ignored_cancels)
    }

    fn wait(&self, scene: &Scene, desk: &mut Desk) -> Option<Outcome> {
        let facts = &scene.facts;
        let own = scene.run.filter(|run| !run.deleted).map_or(NONE, |run| run.node);
        let combo = own != NONE && super::pick::answers(facts, own, self.subject.moment);
        let root = !self.blocked && super::pick::answers(facts, ROOT_INDEX, self.subject.moment);
        desk.stop_at(Stop::Wait);
        desk.answered_by(combo, root);
        if combo || root && !facts.open.is_plain_open() {
            return Some(Outcome::Wait(combo));
        }
        Some(Outcome::Drop(Drop::NoTransition))
    }

    fn take(
        &mut self,
        wire: u32,
        end: MoveEnd,
        cut: bool,
        scene: &Scene,
        desk: &mut Desk,
    ) -> Option<Outcome> {
        let node = self.pick.node;
        let to = scene.facts.graph.node(node).wires[wire as usize].to;
        self.taking = Taking { node, wire, to, end, cut };
        desk.mark(node, wire, Verdict::Taken);
        if to == ROOT_INDEX {
            return Some(Outcome::Enter(self.taking));
        }
        if scene.entered >= MOST_ENTRIES {
            return Some(Outcome::Loop(to));
        }
        self.stage = Stage::Check;
        self.check = Check::new(to);
        None
    }

    fn checked(&mut self, scene: &Scene, desk: &mut Desk) -> Outcome {
        if self.mode == Mode::Confirm && self.taking.to == ROOT_INDEX {
            return Outcome::Enter(self.taking);
        }
        let fail = match self.check.poll(&self.subject, &scene.facts, desk) {
            Err(question) => return Outcome::Ask(question),
            Ok(Fail::None) => return Outcome::Enter(self.taking),
            Ok(_) if self.mode == Mode::Confirm => return Outcome::Drop(Drop::FailedStart),
            Ok(fail) => fail,
        };
        desk.mark(self.taking.node, self.taking.wire, Verdict::Failed(fail));
        self.failures += 1;
        if self.failures > MOST_FAILURES {
            self.stage = Stage::Retry;
            self.pick = Pick::new(NONE, Rule::All, FiresOn::Failed, false);
            return Outcome::Failed(self.taking.to, Fail::Loop);
        }
        self.stage = Stage::Failed;
        self.pick = Pick::new(self.taking.to, Rule::All, FiresOn::Failed, self.live);
        Outcome::Failed(self.taking.to, fail)
    }

    /// The target could not start and nothing follows that.
    fn retry(&mut self, scene: &Scene, _desk: &mut Desk) -> Option<Outcome> {
        let target = self.taking.to;
        let wanted = scene.facts.graph.node(target).retrigger_from_root;
        if !wanted || self.rerun || self.blocked || self.subject.tag.is_none() {
            return Some(self.give_up());
        }
        self.rerun = true;
        self.look(Stage::Retry, ROOT_INDEX, Rule::All);
        self.pick.ignoring = target;
        None
    }

    fn give_up(&self) -> Outcome {
        if self.mode == Mode::Completed { Outcome::Nothing } else { Outcome::Drop(Drop::FailedStart) }
    }
}
