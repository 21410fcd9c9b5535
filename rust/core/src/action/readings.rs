//! Numbers of the agent and of its targets that scorers and gates look at: a speed, a vital, an attribute of the game.
//!
//! A number is named by an id that the adapter gave out. A list of actions says which ones it looks at, the snapshot
//! brings those that are there, and a number that is missing has no effect.

use super::gates::GateKind;
use super::plan::{ActionPlan, ScorerKind, SetPlan};

/// Names a number that can be read of an agent or of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadingId(pub u32);

/// A number that was read. Always finite: what is not there, or is no number, is not in the list of readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// What it is.
    pub id: ReadingId,
    /// Its value.
    pub value: f64,
}

/// Of whom something is read. The integers are the `SOURCE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum Source {
    /// The agent.
    #[default]
    Agent = 0,
    /// The target; without a target there is no effect.
    Target = 1,
}

impl Source {
    /// The source with this integer.
    pub fn from_int(value: i64) -> Option<Self> {
        [Self::Agent, Self::Target].into_iter().find(|source| *source as i64 == value)
    }
}

/// A number that a scorer looks at, by itself or as a share of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Of whom.
    pub of: Source,
    /// The number.
    pub id: ReadingId,
    /// What it is divided by, of the same one. A missing divisor does not divide; one of 0 makes the value 0.
    pub divisor: Option<ReadingId>,
}

/// What a gate asks of a number. A number that is missing passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Of whom.
    pub of: Source,
    /// The number.
    pub id: ReadingId,
    /// Not below this.
    pub min: f64,
    /// A number of the agent that takes the place of `min` while it is there.
    pub min_by: Option<ReadingId>,
    /// Not above this.
    pub max: f64,
}

impl Limits {
    /// Whether these numbers of the agent and of the target, if there is one, are within the limits.
    pub fn allow(&self, own: &[Reading], target: Option<&[Reading]>) -> bool {
        Readings { own, target }.within(self)
    }
}

/// The numbers of agent and target for one candidate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Readings<'a> {
    pub own: &'a [Reading],
    /// `None` without a target.
    pub target: Option<&'a [Reading]>,
}

impl Readings<'_> {
    fn find(&self, of: Source, id: ReadingId) -> Option<f64> {
        let readings = match of {
            Source::Agent => self.own,
            Source::Target => self.target?,
        };
        readings.iter().find(|reading| reading.id == id).map(|reading| reading.value)
    }

    /// The number that a scorer looks at; `None` has no effect.
    pub fn share(&self, share: &Share) -> Option<f64> {
        let value = self.find(share.of, share.id)?;
        let divisor = share.divisor.and_then(|id| self.find(share.of, id)).unwrap_or(1.0);
        Some(if divisor == 0.0 { 0.0 } else { value / divisor })
    }

    pub fn within(&self, limits: &Limits) -> bool {
        let Some(value) = self.find(limits.of, limits.id) else { return true };
        let min = limits.min_by.and_then(|id| self.find(Source::Agent, id)).unwrap_or(limits.min);
        value >= min && value <= limits.max
    }
}

/// Which numbers decisions look at, each once, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedReadings {
    /// Of the agent.
    pub own: Vec<ReadingId>,
    /// Of every target.
    pub target: Vec<ReadingId>,
}

impl WantedReadings {
    /// Nothing is to be read.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.target.is_empty()
    }

    fn add(&mut self, of: Source, id: ReadingId) {
        let list = match of {
            Source::Agent => &mut self.own,
            Source::Target => &mut self.target,
        };
        if let Err(at) = list.binary_search(&id) {
            list.insert(at, id);
        }
    }

    fn add_action(&mut self, plan: &ActionPlan) {
        for scorer in &plan.scorers {
            if let ScorerKind::Reading { share: Some(share), range: Some(_) } = scorer.kind {
                let Share { of, id, divisor } = share;
                self.add(of, id);
                divisor.into_iter().for_each(|id| self.add(of, id));
            }
        }
        for gate in &plan.gates {
            if let GateKind::Reading(limits) = &gate.kind {
                self.add(limits.of, limits.id);
                limits.min_by.into_iter().for_each(|id| self.add(Source::Agent, id));
            }
        }
    }
}

impl SetPlan {
    /// The numbers that decisions about these actions look at, so that the adapter reads no others.
    pub fn readings(&self) -> WantedReadings {
        let mut wanted = WantedReadings::default();
        self.actions().iter().for_each(|plan| wanted.add_action(plan));
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANA: ReadingId = ReadingId(3);
    const MOST: ReadingId = ReadingId(4);

    fn read(id: ReadingId, value: f64) -> Reading {
        Reading { id, value }
    }

    #[test]
    fn a_share_of_nothing_is_nothing() {
        let share = |divisor| Share { of: Source::Agent, id: MANA, divisor };
        let own = |own: &[Reading], divisor| Readings { own, target: None }.share(&share(divisor));
        assert_eq!(own(&[read(MANA, 30.0), read(MOST, 60.0)], Some(MOST)), Some(0.5));
        assert_eq!(own(&[read(MANA, 30.0)], Some(MOST)), Some(30.0));
        assert_eq!(own(&[read(MANA, 30.0), read(MOST, 0.0)], Some(MOST)), Some(0.0));
        assert_eq!(own(&[read(MANA, 30.0), read(MOST, -0.0)], Some(MOST)), Some(0.0));
        assert_eq!(own(&[read(MOST, 60.0)], Some(MOST)), None);
        let of_target = Share { of: Source::Target, ..share(None) };
        assert_eq!(Readings { own: &[read(MANA, 30.0)], target: None }.share(&of_target), None);
    }

    #[test]
    fn the_minimum_may_be_a_number_of_the_agent() {
        let limits =
            Limits { of: Source::Target, id: MANA, min: 50.0, min_by: Some(MOST), max: f64::INFINITY };
        let within =
            |own: &[Reading], mana: f64| Readings { own, target: Some(&[read(MANA, mana)]) }.within(&limits);
        assert!(!within(&[], 49.0) && within(&[], 50.0));
        assert!(!within(&[read(MOST, 60.0)], 59.0) && within(&[read(MOST, 40.0)], 40.0));
        assert!(Readings { own: &[], target: Some(&[]) }.within(&limits));
        assert!(Readings::default().within(&limits));
    }
}
