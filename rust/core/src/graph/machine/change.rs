//! One move is left and another one entered: what is told and done, in its order.

use std::sync::Arc;

use glam::DVec2;

use super::entry::Entry;
use super::network::Place;
use super::run::Run;
use super::state::{Doing, Grace, Machine};
use super::walk::{Mode, Taking, Walk};
use crate::graph::parts::{HookPlan, PartsWorld};
use crate::graph::{Effect, FiresOn, MoveEnd, ROOT_INDEX, RunningTag};
use crate::tags::TagId;

/// Why the root is reached from outside of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removal {
    /// It is not.
    No,
    /// Another graph takes over.
    Swap,
    /// Another state is taken in.
    Import,
    /// The agent leaves.
    Left,
    /// The same, and only the end of the run is told.
    Gone,
}

impl Removal {
    /// Windows that close, and the root that is reached, are told.
    fn tells(self) -> bool {
        !matches!(self, Self::Gone | Self::Import)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Windows,
    Hooks,
    Payload,
    TellCut,
    TellEnded,
    Gates,
    Tags,
    Pay,
    TakeGates,
    Charge,
    Start,
    Executed,
    Enter,
    Locomotion,
    Told,
    Reset,
}

/// A change of moves that is going on.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The node that is entered; the root's index: the root.
    pub to: u32,
    pub end: MoveEnd,
    /// An input cuts the move.
    pub cut: bool,
    /// The input that acts.
    pub entry: Option<Entry>,
    pub moment: FiresOn,
    pub stick: DVec2,
    pub direction: DVec2,
    /// The transition that is taken, as node and index.
    pub wire: Option<(u32, u32)>,
    /// The move ran to its end: its transitions count for a while.
    pub grants_grace: bool,
    pub removal: Removal,
    /// Another peer is there: node time at which the node is entered, without what a start costs.
    pub place: Option<f64>,
    /// The authority started it, not an input here.
    pub by_peer: bool,
    /// Nothing but what is seen of the move.
    pub shows: bool,
    /// The node that was left, by index.
    pub left: u32,
    /// The kind of window that the transition uses.
    pub kind: Arc<str>,
    /// A move is left by it.
    leaves: bool,
    pub stage: Stage,
    pub at: usize,
}

impl Change {
    /// To the root, without an input.
    pub fn to_root(end: MoveEnd) -> Self {
        Self {
            to: ROOT_INDEX,
            end,
            cut: false,
            entry: None,
            moment: FiresOn::Completed,
            stick: DVec2::ZERO,
            direction: DVec2::ZERO,
            wire: None,
            grants_grace: false,
            removal: Removal::No,
            place: None,
            by_peer: false,
            shows: false,
            left: ROOT_INDEX,
            kind: Arc::default(),
            leaves: false,
            stage: Stage::Windows,
            at: 0,
        }
    }

    pub fn taking(walk: &Walk, taking: Taking) -> Self {
        Self {
            to: taking.to,
            cut: taking.cut,
            entry: walk.entry,
            moment: walk.subject.moment,
            stick: walk.subject.stick,
            direction: walk.subject.direction,
            wire: Some((taking.node, taking.wire)),
            by_peer: walk.mode == Mode::Confirm,
            ..Self::to_root(taking.end)
        }
    }

    /// To where another peer is.
    pub fn to_place(place: Place, end: MoveEnd, shows: bool) -> Self {
        Self {
            to: place.node,
            direction: place.direction,
            place: Some(place.node_time),
            by_peer: true,
            shows,
            ..Self::to_root(end)
        }
    }

    /// An input cuts the move, and nothing follows.
    pub fn cut(walk: &Walk) -> Self {
        Self { cut: true, entry: walk.entry, ..Self::to_root(MoveEnd::Cancelled) }
    }

    /// The move ran to its end and nothing follows.
    pub fn over(grants_grace: bool) -> Self {
        Self { grants_grace, ..Self::to_root(MoveEnd::Completed) }
    }

    pub fn removed(removal: Removal) -> Self {
        Self { removal, ..Self::to_root(MoveEnd::Removed) }
    }

    /// To the node of another state.
    pub fn importing(to: u32) -> Self {
        Self { to, ..Self::removed(Removal::Import) }
    }

    /// The end of the move that is left was told, and the move is still there.
    pub fn has_told_end(&self) -> bool {
        matches!(self.stage, Stage::Gates | Stage::Tags)
    }

    /// The same, to the root and without anything that follows.
    pub fn redirected(self, removal: Removal) -> Self {
        Self { to: ROOT_INDEX, removal, grants_grace: false, ..self }
    }
}

impl Machine {
    pub(super) fn begin_change(&mut self, mut change: Change) {
        self.turn.scan.stop();
        self.turn.settle.stop();
        if change.to == ROOT_INDEX && self.run.is_none() && change.removal == Removal::No {
            // From the root to the root: something is entered, which ends the grace.
            self.grace = None;
            self.begin_settle(change.entry.as_ref());
            return;
        }
        let wire = change.wire.and_then(|(node, wire)| self.node(node)?.wires.get(wire as usize));
        let kind = wire.and_then(|wire| self.open.any_of(&wire.kinds)).cloned();
        change.kind = kind.unwrap_or_default();
        change.leaves = self.run.is_some();
        change.left = self.run.as_ref().map_or(ROOT_INDEX, |run| run.node);
        self.turn.begin_change(change);
    }

    pub(super) fn step_change(&mut self, mut change: Box<Change>, world: &PartsWorld) -> Option<Effect> {
        loop {
            let (effect, done) = self.poll_change(&mut change, world);
            if done {
                self.after_change(&change);
                self.turn.end_change(change);
                return effect;
            }
            if effect.is_some() || !self.turn.told.is_empty() {
                self.turn.doing = Doing::Change(change);
                return effect;
            }
        }
    }

    fn poll_change(&mut self, change: &mut Change, world: &PartsWorld) -> (Option<Effect>, bool) {
        let (effect, next) = match change.stage {
            Stage::Windows
            | Stage::Hooks
            | Stage::Payload
            | Stage::TellCut
            | Stage::TellEnded
            | Stage::Gates => self.leave(change),
            Stage::Tags => self.switch(change, world),
            Stage::Locomotion => {
                let next = if self.run.is_some() { Stage::Told } else { Stage::Reset };
                (self.locomotion_change().filter(|_| change.removal != Removal::Gone), next)
            }
            Stage::Told if change.removal == Removal::Import => return (None, true),
            Stage::Told => return (self.told_start(), true),
            Stage::Reset => {
                let tell = change.leaves && change.removal.tells();
                return (tell.then_some(Effect::GraphReset), true);
            }
            Stage::Pay | Stage::TakeGates | Stage::Charge | Stage::Start | Stage::Executed | Stage::Enter => {
                self.enter(change)
            }
        };
        change.stage = next;
        (effect, false)
    }

    fn leave(&mut self, change: &mut Change) -> (Option<Effect>, Stage) {
        let Some(run) = &mut self.run else { return (None, Stage::Tags) };
        let (id, node, reason) = (run.id, run.node, change.end);
        match change.stage {
            Stage::Windows => match self.open.close_first() {
                Some(kind) if change.removal.tells() => (Some(Effect::WindowClosed(kind)), Stage::Windows),
                Some(_) => (None, Stage::Windows),
                None => (None, Stage::Hooks),
            },
            Stage::Hooks => {
                let hooks = &run.first.0.node(run.first.1).hooks;
                while run.hooks > 0 {
                    run.hooks -= 1;
                    if matches!(hooks.get(run.hooks), Some(HookPlan::Script(_))) {
                        let hook = run.hooks as u32;
                        return (Some(Effect::HookExit { run: id, node, hook, reason }), Stage::Hooks);
                    }
                }
                (None, Stage::Payload)
            }
            Stage::Payload => {
                let stop = run.started && run.first_plan().tells_payload();
                let node_time = self.clock.node;
                let effect = stop.then_some(Effect::PayloadStop { run: id, node, reason, node_time });
                (effect, Stage::TellCut)
            }
            Stage::TellCut => {
                let tag = change.entry.filter(|_| change.cut).map(|entry| entry.tag);
                (tag.map(|tag| Effect::Cancelled { run: id, node, tag }), Stage::TellEnded)
            }
            Stage::TellEnded => {
                // One that left before it was told to start is not told to end.
                let tell = change.removal != Removal::Import && run.told;
                (tell.then_some(Effect::Ended { run: id, node, reason }), Stage::Gates)
            }
            _ => {
                let holds = run.first_plan().holds_gates;
                (holds.then_some(Effect::ReleaseGates { run: id, node }), Stage::Tags)
            }
        }
    }

    /// The one run goes and the other one is there.
    fn switch(&mut self, change: &mut Change, world: &PartsWorld) -> (Option<Effect>, Stage) {
        let old = self.run.take();
        self.clock.node = 0.0;
        self.open.clear();
        self.locked.clear();
        if let Some(run) = old.as_ref().filter(|_| change.removal != Removal::Import) {
            self.leave_cooldown(run, change);
        }
        self.grace = None;
        if change.grants_grace
            && let Some(run) = old.as_ref().filter(|run| !run.deleted && run.plan().grace > 0.0)
        {
            let (node, limit) = (run.node, run.plan().grace);
            self.grace = Some(Grace { node, since: self.clock.now, limit });
        }
        let none: Arc<[TagId]> = Arc::default();
        let remove = old.as_ref().map_or(none.clone(), |run| run.plan().applied.clone());
        let (add, next) = if change.to == ROOT_INDEX {
            (none, Stage::Locomotion)
        } else {
            let from = old.as_ref().map(|run| run.node);
            self.new_run(change, from, world);
            let imports = change.removal == Removal::Import;
            if imports {
                self.restore_run();
            }
            let applied = self.node(change.to).map_or(none, |node| node.applied.clone());
            // Who comes to where another peer is has paid there.
            let next = match change.place {
                Some(_) => Stage::Start,
                None if imports => Stage::TakeGates,
                None => Stage::Pay,
            };
            (applied, next)
        };
        change.at = 0;
        let running = match (old.is_some(), self.run.is_some()) {
            (false, true) => RunningTag::Added,
            (true, false) => RunningTag::Removed,
            _ => RunningTag::Stays,
        };
        if running == RunningTag::Stays && add.is_empty() && remove.is_empty() {
            return (None, next);
        }
        (Some(Effect::Tags { add, remove, running }), next)
    }

    fn leave_cooldown(&mut self, run: &Run, change: &Change) {
        let Some(plan) = &run.plan().cooldown else { return };
        let cut = change.end == MoveEnd::Cancelled;
        let duration = self.cooldowns.leave(plan, self.clock.now, cut);
        if let Some(duration) = duration.filter(|_| change.removal != Removal::Gone) {
            self.tell(Effect::CooldownStarted { key: plan.key.clone(), duration });
        }
    }

    fn after_change(&mut self, change: &Change) {
        self.note_submission(change);
        if change.removal != Removal::Import {
            self.sequence_after(change);
        }
        match change.removal {
            Removal::No => self.begin_settle(change.entry.as_ref()),
            Removal::Swap | Removal::Left => self.swapped(true),
            Removal::Import => self.restored(),
            Removal::Gone => self.swapped(false),
        }
    }
}
