//! Noises, damage and custom stimuli that wait for the next tick of those they concern.

use std::collections::VecDeque;

use glam::DVec3;

use crate::tags::{TagId, TagSet};

use super::perceiver::PerceiverKey;
use super::space::SpaceId;
use super::target::{NodeId, TargetRef};

/// A noise as it is reported.
#[derive(Clone, Debug)]
pub struct Noise {
    /// The world it is heard in.
    pub space: SpaceId,
    /// Where it is.
    pub location: DVec3,
    /// Multiplies the hearing radius; above 0.
    pub loudness: f64,
    /// Kind of noise, with its ancestors; empty: none.
    pub tag: TagSet,
    /// The instigator and all nodes above it, the instigator first; empty: nobody.
    pub lineage: Vec<NodeId>,
}

/// Damage as it is reported.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The agent that was hurt.
    pub victim: NodeId,
    /// Who did it, with the place where it stood; `None`: nobody that can be a target.
    pub attacker: Option<(TargetRef, DVec3)>,
    /// Where it hit.
    pub hit: DVec3,
    /// How much; above 0.
    pub amount: f64,
}

/// A sense of the game's own (smell, a radio call), as it is reported.
#[derive(Clone, Copy, Debug)]
pub struct Stimulation {
    /// Who senses.
    pub perceiver: PerceiverKey,
    /// Whom.
    pub target: TargetRef,
    /// Where the target is.
    pub location: DVec3,
    /// By which sense.
    pub sense: TagId,
    /// 0..1.
    pub strength: f64,
}

#[derive(Clone, Debug)]
pub(super) enum Report {
    Noise {
        noise: Noise,
        source: Option<TargetRef>,
        /// Identity of the instigator at the report.
        identity: TagSet,
    },
    Damage(Damage),
    Stimulation(Stimulation),
    /// Could not be restored; keeps the numbers of the others.
    Nothing,
}

impl Report {
    /// The target that it names.
    pub(super) fn target(&self) -> Option<TargetRef> {
        match self {
            Self::Noise { source, .. } => *source,
            Self::Damage(damage) => damage.attacker.map(|attacker| attacker.0),
            Self::Stimulation(stimulation) => Some(stimulation.target),
            Self::Nothing => None,
        }
    }
}

impl Noise {
    /// The noise's own tag.
    pub(super) fn tag_id(&self) -> Option<TagId> {
        self.tag.tags().first().copied()
    }
}

/// Reports in order of arrival, numbered without gaps.
#[derive(Debug, Default)]
pub(super) struct ReportQueue {
    reports: VecDeque<Report>,
    /// Number of the oldest one.
    first: u64,
}

impl ReportQueue {
    /// Number that the next report gets.
    pub(super) fn head(&self) -> u64 {
        self.first + self.reports.len() as u64
    }

    pub(super) fn push(&mut self, report: Report) {
        self.reports.push_back(report);
    }

    pub(super) fn len(&self) -> usize {
        self.reports.len()
    }

    pub(super) fn pop(&mut self) -> Option<Report> {
        let report = self.reports.pop_front()?;
        self.first += 1;
        Some(report)
    }

    /// Drops the reports before number `keep_from`, oldest first.
    pub(super) fn pop_before(&mut self, keep_from: u64) -> Option<Report> {
        if self.first < keep_from { self.pop() } else { None }
    }

    pub(super) fn get(&self, number: u64) -> Option<&Report> {
        self.reports.get(number.checked_sub(self.first)? as usize)
    }

    /// Reports from number `from` on, with their numbers.
    pub(super) fn since(&self, from: u64) -> impl Iterator<Item = (u64, &Report)> {
        let skip = from.saturating_sub(self.first) as usize;
        let start = self.first + skip as u64;
        self.reports.iter().skip(skip).enumerate().map(move |(at, report)| (start + at as u64, report))
    }
}

/// The reports that a sense takes: those that came while it was on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) from: u64,
    pub(super) until: u64,
}

impl Window {
    pub(super) fn new(on: bool, head: u64) -> Self {
        Self { from: head, until: if on { u64::MAX } else { head } }
    }

    pub(super) fn open(&self) -> bool {
        self.until == u64::MAX
    }

    pub(super) fn switch(&mut self, on: bool, head: u64) {
        if on == self.open() {
            return;
        }
        if on {
            *self = Self::new(true, head);
        } else {
            self.until = head;
        }
    }

    pub(super) fn takes(&self, number: u64) -> bool {
        (self.from..self.until).contains(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn damage(amount: f64) -> Report {
        Report::Damage(Damage { victim: 1, attacker: None, hit: DVec3::ZERO, amount })
    }

    #[test]
    fn numbers_survive_dropping() {
        let mut queue = ReportQueue::default();
        for n in 0..4 {
            queue.push(damage(f64::from(n)));
        }
        assert!(queue.pop_before(2).is_some() && queue.pop_before(2).is_some());
        assert!(queue.pop_before(2).is_none());
        assert_eq!(queue.since(0).map(|(n, _)| n).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(queue.since(3).map(|(n, _)| n).collect::<Vec<_>>(), [3]);
        assert_eq!(queue.since(9).count(), 0);
        assert_eq!((queue.head(), queue.len()), (4, 2));
    }

    #[test]
    fn a_sense_takes_what_came_while_it_was_on() {
        let mut window = Window::new(true, 3);
        window.switch(false, 5);
        assert!(!window.takes(2) && window.takes(4) && !window.takes(5));
        window.switch(true, 8);
        assert!(!window.takes(7) && window.takes(8));
    }
}
