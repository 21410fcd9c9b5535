//! The targets of one evaluation: who they are, in which order, and what scorers see of them.

use super::memory::Memory;
use super::readings::Readings;
use super::snapshot::{Inputs, Snapshot, TargetView};
use super::{ActionPlan, Reading, TargetKey, TargetMode};
use crate::random::mix;

/// Where a target stands in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Nobody,
    Focus,
    Each(u32),
    Held,
}

/// One target, or nobody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub key: Option<TargetKey>,
    place: Place,
    pub inputs: Inputs,
    /// First and last of its numbers among those of the evaluation.
    readings: (u32, u32),
    /// For seeds.
    pub ordinal: u64,
    /// Whether the agent sees it, once that was asked.
    pub sight: Option<bool>,
}

/// The targets of an evaluation. Number 0 is nobody.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    seen: Vec<Seen>,
    /// Those that an action may choose among: the focus first, then the nearest first.
    each: Vec<u32>,
    focus: u32,
    held: Option<u32>,
    /// Numbers that were read: the agent's, then those of each target. Kept for scorers that are asked between scripts.
    readings: Vec<Reading>,
    own: usize,
}

impl Targets {
    pub fn fill(&mut self, snapshot: &Snapshot, memory: &Memory, most: usize) {
        self.seen.clear();
        self.each.clear();
        self.held = None;
        self.readings.clear();
        self.readings.extend_from_slice(snapshot.readings);
        self.own = self.readings.len();
        self.add(None, Place::Nobody, snapshot, memory);
        self.focus =
            snapshot.focus.as_ref().map_or(0, |view| self.add(Some(view), Place::Focus, snapshot, memory));
        self.fill_each(snapshot, memory, most);
        if let Some(view) = &snapshot.held {
            self.held = Some(self.add(Some(view), Place::Held, snapshot, memory));
        }
    }

    fn fill_each(&mut self, snapshot: &Snapshot, memory: &Memory, most: usize) {
        for at in 0..snapshot.each.len() {
            let (key, before) = (snapshot.each[at].key, &snapshot.each[..at]);
            if before.iter().all(|view| view.key != key) {
                self.each.push(at as u32);
            }
        }
        let focus = snapshot.focus.map(|view| view.key);
        let rank = |at: &u32| {
            let view = &snapshot.each[*at as usize];
            (Some(view.key) != focus, view.distance)
        };
        self.each.sort_by(|a, b| {
            let ((a_rest, a_far), (b_rest, b_far)) = (rank(a), rank(b));
            a_rest.cmp(&b_rest).then(a_far.total_cmp(&b_far))
        });
        self.each.truncate(most.max(1));
        for n in 0..self.each.len() {
            let at = self.each[n];
            let view = &snapshot.each[at as usize];
            self.each[n] = self.add(Some(view), Place::Each(at), snapshot, memory);
        }
    }

    /// The number of a target; one that is there already keeps its number.
    fn add(&mut self, view: Option<&TargetView>, place: Place, snapshot: &Snapshot, memory: &Memory) -> u32 {
        let key = view.map(|view| view.key);
        if let Some(known) = self.seen.iter().position(|seen| seen.key == key) {
            return known as u32;
        }
        let ordinal =
            mix(key.map_or(0, |key| memory.known_ordinal(key).unwrap_or_else(|| self.next(memory))));
        let inputs = Inputs::new(snapshot, view);
        let first = self.readings.len() as u32;
        self.readings.extend_from_slice(view.map_or(&[], |view| view.readings));
        let readings = (first, self.readings.len() as u32);
        self.seen.push(Seen { key, place, inputs, readings, ordinal, sight: None });
        self.seen.len() as u32 - 1
    }

    /// As if those before it had been met.
    fn next(&self, memory: &Memory) -> u64 {
        let new = |seen: &&Seen| seen.key.is_some_and(|key| memory.known_ordinal(key).is_none());
        memory.ordinals_given() + self.seen.iter().filter(new).count() as u64 + 1
    }

    /// Whom an action is scored on. Empty: it tries each, and there is none.
    pub fn of(&self, plan: &ActionPlan) -> &[u32] {
        match plan.target_mode {
            TargetMode::Focus => std::slice::from_ref(&self.focus),
            TargetMode::Each => &self.each,
            TargetMode::None => &[0],
        }
    }

    /// Whom the agent is after, and its number.
    pub fn focus(&self) -> (u32, Seen) {
        (self.focus, self.seen[self.focus as usize])
    }

    pub fn get(&self, number: u32) -> &Seen {
        &self.seen[number as usize]
    }

    /// The numbers that count for a target.
    pub fn readings(&self, seen: &Seen) -> Readings<'_> {
        let (first, last) = seen.readings;
        let target = seen.key.map(|_| &self.readings[first as usize..last as usize]);
        Readings { own: &self.readings[..self.own], target }
    }

    /// The agent sees that target, or does not.
    pub fn note_sight(&mut self, number: u32, seen: bool) {
        self.seen[number as usize].sight = Some(seen);
    }

    /// The number of the target of what runs; nobody if it is gone.
    pub fn held(&self) -> u32 {
        self.held.unwrap_or(0)
    }

    /// All of them in the order in which they are met.
    pub fn keys(&self) -> impl Iterator<Item = TargetKey> + '_ {
        self.seen.iter().filter_map(|seen| seen.key)
    }
}

impl Seen {
    pub fn view<'a>(&self, snapshot: &'a Snapshot<'a>) -> Option<&'a TargetView<'a>> {
        match self.place {
            Place::Nobody => None,
            Place::Focus => snapshot.focus.as_ref(),
            Place::Each(at) => snapshot.each.get(at as usize),
            Place::Held => snapshot.held.as_ref(),
        }
    }
}
