//! What is to be seen of a machine.

use std::sync::Arc;

use super::InputReport;
use super::run::RunInfo;
use super::state::Machine;
use crate::graph::{Effect, Moment};
use crate::tags::TagId;

/// An input that waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaitingView {
    /// Which.
    pub tag: TagId,
    /// Its moment.
    pub moment: Moment,
    /// How long it has waited.
    pub age: f64,
    /// The running node answers it; else only the root does.
    pub combo: bool,
    /// It came in a hit-stop that is not over.
    pub frozen: bool,
}

/// What there is to see at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The run; `None`: the root.
    pub run: Option<RunInfo>,
    /// Kinds of windows that are open, each once.
    pub windows: Vec<Arc<str>>,
    /// Inputs that wait, oldest first.
    pub waiting: Vec<WaitingView>,
    /// Seconds in which the transitions of the last move still count.
    pub grace_left: f64,
    /// Seconds of hit-stop.
    pub frozen_left: f64,
    /// Items of a sequence that are not sent yet.
    pub sequence_left: usize,
}

impl Machine {
    /// What there is to see now.
    pub fn view(&self) -> View {
        let frozen = self.frozen.iter().map(|entry| (entry, true));
        let waiting = self.waiting.iter().map(|entry| (entry, false)).chain(frozen);
        View {
            run: self.run(),
            windows: self.open.kinds(),
            waiting: waiting
                .map(|(entry, frozen)| WaitingView {
                    tag: entry.tag,
                    moment: entry.moment,
                    age: self.age(entry),
                    combo: entry.combo,
                    frozen,
                })
                .collect(),
            grace_left: self.grace_left(),
            frozen_left: self.clock.frozen.max(0.0),
            sequence_left: self.sequence.as_ref().map_or(0, |one| one.items.len() - one.next),
        }
    }

    /// The run; `None`: the root.
    pub fn run(&self) -> Option<RunInfo> {
        self.run.as_ref().map(|run| run.info(self.clock.node))
    }

    /// Names the run; 0: the root.
    pub fn run_id(&self) -> u64 {
        self.run.as_ref().map_or(0, |run| run.id)
    }

    /// Node time; 0 at the root.
    pub fn node_time(&self) -> f64 {
        self.clock.node
    }

    /// Seconds in which the transitions of the last move still count; 0: they do not.
    pub fn grace_left(&self) -> f64 {
        let Some(grace) = self.grace.filter(|_| self.grace_node().is_some()) else { return 0.0 };
        (grace.limit - (self.clock.now - grace.since)).max(0.0)
    }

    /// The player stands in a hit-stop.
    pub fn is_frozen(&self) -> bool {
        self.clock.frozen > 0.0
    }

    /// An input with exactly this tag waits.
    pub fn is_buffered(&self, tag: TagId) -> bool {
        self.waiting.iter().chain(&self.frozen).any(|entry| entry.tag == tag)
    }

    /// Whether a window of this kind is open; "" is the plain one.
    pub fn is_window_open(&self, kind: &str) -> bool {
        self.open.has(kind)
    }

    /// How speed, acceleration and turning are scaled.
    pub fn locomotion(&self) -> [f64; 3] {
        self.locomotion
    }

    /// Charges that are there; `None`: no such cooldown.
    pub fn charges(&self, key: &str) -> Option<u32> {
        self.cooldowns.charges(key, self.clock.now)
    }

    /// Seconds until there is a charge; 0: there is one, or no such cooldown.
    pub fn remaining_cooldown(&self, key: &str) -> f64 {
        self.cooldowns.remaining(key, self.clock.now)
    }

    /// The sequence that is going on; 0: none.
    pub fn sequence(&self) -> i64 {
        self.sequence.as_ref().map_or(0, |sequence| sequence.handle)
    }

    /// What became of the last input that was walked.
    pub fn last_report(&self) -> Option<&InputReport> {
        Some(&self.desk.report).filter(|report| report.tag.is_some())
    }

    /// Effects that are told already and not taken yet.
    pub fn pending(&self) -> impl Iterator<Item = &Effect> {
        self.turn.told.iter()
    }
}
