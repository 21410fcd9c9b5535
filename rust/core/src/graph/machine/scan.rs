//! Waiting inputs have their turn: a window has opened, or the move is over.

use std::sync::Arc;

use super::change::Change;
use super::state::Machine;
use super::walk::Mode;
use crate::graph::parts::PartsWorld;
use crate::graph::{Drop, Effect};
use crate::time::TIME_TOLERANCE;

/// Which inputs have their turn, and the last one that had it.
#[derive(Clone, Debug, Default)]
pub(super) enum Scan {
    #[default]
    Off,
    /// A window of this kind has opened.
    Window(Arc<str>, u64),
    /// The move is over.
    Over(Over, u64),
}

/// How far the end of a move has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    CloseWindows,
    Block,
    /// True: a block tag is on the agent.
    Waiting(bool),
    DropRest(bool),
    Completed,
    Root(bool),
}

impl Scan {
    pub fn is_on(&self) -> bool {
        !matches!(self, Self::Off)
    }

    pub fn stop(&mut self) {
        *self = Self::Off;
    }

    /// The kind of the window that has opened.
    pub fn kind(&self) -> &str {
        match self {
            Self::Window(kind, _) => kind,
            _ => "",
        }
    }
}

impl Machine {
    /// A window has opened.
    pub(super) fn scan_window(&mut self, kind: Arc<str>) {
        if !self.waiting.is_empty() {
            self.turn.scan = Scan::Window(kind, 0);
        }
    }

    /// The running move is over.
    pub(super) fn complete(&mut self) {
        if let Some(run) = &mut self.run {
            run.done = true;
            self.turn.scan = Scan::Over(Over::CloseWindows, 0);
        }
    }

    pub(super) fn step_scan(&mut self, world: &PartsWorld) -> Option<Effect> {
        match std::mem::take(&mut self.turn.scan) {
            Scan::Off => None,
            Scan::Window(kind, cursor) => {
                self.step_window(kind, cursor);
                None
            }
            Scan::Over(stage, cursor) => self.step_over(stage, cursor, world),
        }
    }

    fn step_window(&mut self, kind: Arc<str>, cursor: u64) {
        let Some(entry) = self.waiting.iter().find(|entry| entry.seq > cursor).copied() else { return };
        if entry.combo {
            self.walk_waiting(entry, Mode::Window);
        } else if kind.is_empty() {
            self.forget(entry.seq);
            self.tell_dropped(&entry, Drop::WindowOpened, false);
        }
        self.turn.scan = Scan::Window(kind, entry.seq);
    }

    fn step_over(&mut self, stage: Over, cursor: u64, world: &PartsWorld) -> Option<Effect> {
        let mut effect = None;
        let mut seen = cursor;
        let next = match stage {
            Over::CloseWindows => match self.open.close_first() {
                Some(kind) => {
                    effect = Some(Effect::WindowClosed(kind));
                    Over::CloseWindows
                }
                None => Over::Block,
            },
            Over::Block => {
                let Self { desk, settings, .. } = self;
                Over::Waiting(desk.tape.say(|| world.tags.matches_any(&settings.global_block_tags)))
            }
            Over::Waiting(blocked) => match self.waiting.iter().find(|entry| entry.seq > cursor).copied() {
                Some(entry) => {
                    seen = entry.seq;
                    self.walk_waiting(entry, Mode::Over);
                    stage
                }
                None => Over::DropRest(blocked),
            },
            Over::DropRest(blocked) => {
                self.drop_rest();
                if blocked { Over::Root(false) } else { Over::Completed }
            }
            Over::Completed => {
                self.walk_completed(world);
                Over::Root(true)
            }
            Over::Root(grants_grace) => {
                self.begin_change(Change::over(grants_grace));
                return None;
            }
        };
        self.turn.scan = Scan::Over(next, seen);
        effect
    }

    /// Each waiting input had its turn at the end of the move.
    fn drop_rest(&mut self) {
        while !self.waiting.is_empty() {
            let entry = self.waiting.remove(0);
            self.tell_dropped(&entry, Drop::NoTransition, false);
        }
    }

    /// Player time at which a waiting input is too old.
    fn limit_of(&self, combo: bool) -> f64 {
        let graph = self.graph.as_ref();
        let limit = graph.map_or(0.0, |graph| {
            if combo { graph.combo_input_lifetime } else { graph.held_input_restart_window }
        });
        if limit > 0.0 { limit } else { f64::INFINITY }
    }

    /// Seconds until a waiting input is too old. In a hit-stop only those count that age in it.
    pub(super) fn next_expiry(&self, frozen: bool) -> f64 {
        let left = self.waiting.iter().filter(|entry| !frozen || entry.ages);
        let left = left.map(|entry| self.limit_of(entry.combo) - self.age(entry));
        left.fold(f64::INFINITY, f64::min)
    }

    /// Time goes on: what has reached its limit is too old from now on. True: there was one.
    pub(super) fn expire(&mut self, frozen: bool) -> bool {
        let old = self.waiting.iter().position(|entry| {
            (!frozen || entry.ages) && self.age(entry) >= self.limit_of(entry.combo) - TIME_TOLERANCE
        });
        let Some(at) = old else { return false };
        let entry = self.waiting.remove(at);
        self.tell_dropped(&entry, Drop::Expired, false);
        true
    }
}
