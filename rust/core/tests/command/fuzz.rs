//! Random executions, and random calls from inside of hooks and handlers.

use super::chance::Chance;
use super::notation::Report;
use super::stage::Stage;
use super::trial::{self, Act};

/// How a run misbehaves.
#[derive(Clone, Debug)]
pub struct Fuzz {
    pub chance: Chance,
    /// A hook or handler calls something once in so many times; 0: never.
    pub calls_once_in: usize,
    /// Calls that may still be made before the next one from outside.
    pub calls_left: u32,
    /// Executions may report on their own and leave a cancel unanswered.
    pub wild: bool,
    /// What was done from inside, for messages.
    pub made: Vec<Act>,
}

impl Fuzz {
    pub fn new(seed: u64, calls_once_in: usize, wild: bool) -> Self {
        Self { chance: Chance::new(seed), calls_once_in, calls_left: 0, wild, made: Vec::new() }
    }

    /// What a start hook reports.
    pub fn at_start(&mut self) -> Option<Report> {
        match self.chance.below(if self.wild { 8 } else { 1 }) {
            5 => Some(Report::Cancelled),
            6 => Some(Report::Failed),
            7 => Some(Report::Succeeded),
            _ => None,
        }
    }

    /// What a cancel hook reports.
    pub fn at_cancel(&mut self) -> Option<Report> {
        match self.chance.below(if self.wild { 8 } else { 1 }) {
            4 | 5 => None,
            6 => Some(Report::Failed),
            7 => Some(Report::Succeeded),
            _ => Some(Report::Cancelled),
        }
    }
}

impl Stage {
    /// Perhaps a call from where we are.
    pub fn react(&mut self) {
        let Some(fuzz) = &mut self.fuzz else { return };
        if fuzz.calls_left == 0 || fuzz.calls_once_in == 0 || !fuzz.chance.once_in(fuzz.calls_once_in) {
            return;
        }
        fuzz.calls_left -= 1;
        let act = trial::call(&mut fuzz.chance);
        fuzz.made.push(act.clone());
        self.act(&act);
    }
}
