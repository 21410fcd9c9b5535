//! How reports come in, and when they are dropped.

use crate::tags::TagSet;

use super::clock::{LATE, MANUAL, RUNS};
use super::perceiver::{Perceiver, PerceiverKey};
use super::reports::{Damage, Noise, Report, Stimulation};
use super::senses::Senses;
use super::target::TargetRef;
use super::world::PerceptionWorld;

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// It waits for the next tick.
    Accepted,
    /// It waits, and the oldest one was dropped for it.
    AcceptedDroppingOldest,
    /// Nobody can sense it.
    Ignored,
}

impl PerceptionWorld {
    /// A noise, by the source of an agent or of a place.
    pub fn report_noise(&mut self, noise: Noise, source: Option<TargetRef>) -> Reported {
        let mut identity = TagSet::default();
        if let Some(target) = source {
            let active = self.registry.target(target.key).and_then(|target| target.active);
            match active.and_then(|key| self.registry.source(key)) {
                Some(source) if source.settings.senses().intersects(Senses::HEARING) => {
                    identity = source.tags.clone();
                }
                _ => return Reported::Ignored,
            }
        }
        self.enqueue(Report::Noise { noise, source, identity })
    }

    /// Damage to an agent. Ignored when no perceiver of the agent can feel it, or it was done by itself.
    pub fn report_damage(&mut self, damage: Damage) -> Reported {
        let feels = |key: &PerceiverKey| {
            self.perceiver(*key).is_some_and(|it| it.settings.enabled && it.settings.damage_enabled)
        };
        let felt = self.perceivers_of_agent(damage.victim).iter().any(feels);
        let attacker = damage.attacker.and_then(|(target, _)| self.registry.target(target.key));
        if !felt || attacker.is_some_and(|target| target.belongs_to(damage.victim)) {
            if let Some((target, _)) = damage.attacker {
                self.registry.tidy(target.key);
            }
            return Reported::Ignored;
        }
        self.enqueue(Report::Damage(damage))
    }

    /// A custom sense of one perceiver senses a target, whatever its tags and its distance. Ignored when the perceiver
    /// is off, the target is its own agent, or there is no strength.
    pub fn report_stimulus(&mut self, stimulation: Stimulation) -> Reported {
        let Stimulation { perceiver, target, strength, .. } = stimulation;
        let senses = |it: &Perceiver| {
            let target = self.registry.target(target.key);
            it.settings.enabled && target.is_some_and(|target| !target.belongs_to(it.place.agent))
        };
        // A strength that is no number is none.
        if !self.perceiver(perceiver).is_some_and(senses) || strength.is_nan() || strength <= 0.0 {
            self.registry.tidy(target.key);
            return Reported::Ignored;
        }
        let strength = strength.min(1.0);
        self.enqueue(Report::Stimulation(Stimulation { strength, ..stimulation }))
    }

    fn enqueue(&mut self, report: Report) -> Reported {
        if self.agents.is_empty() {
            if let Some(target) = report.target() {
                self.registry.tidy(target.key);
            }
            return Reported::Accepted;
        }
        if let Some(target) = report.target() {
            self.registry.hold(target.key);
        }
        self.queue.push(report);
        let mut reported = Reported::Accepted;
        while self.queue.len() > self.settings.max_queued_reports.max(1) {
            let Some(dropped) = self.queue.pop() else { break };
            self.release_report(&dropped);
            reported = Reported::AcceptedDroppingOldest;
        }
        reported
    }

    pub(super) fn release_report(&mut self, report: &Report) {
        if let Some(target) = report.target() {
            self.registry.release(target.key);
        }
    }

    /// Drops the reports that everyone has had. Looks at every perceiver, so the ticks of single ones leave it be until
    /// some have come together.
    pub(super) fn trim_reports(&mut self, common: bool) {
        let few = if common { 1 } else { self.trim_at };
        if self.queue.len() < few {
            return;
        }
        let mut keep_from = self.queue.head();
        for (at, clock) in self.clocks.iter().enumerate().filter(|(_, clock)| clock.has(RUNS)) {
            let next = if clock.has(MANUAL) { self.inboxes[at].next } else { self.seen_reports };
            keep_from = keep_from.min(next);
            if clock.has(LATE) {
                let late = self.perceivers[at].late_noises.first();
                keep_from = late.map_or(keep_from, |late| keep_from.min(*late));
            }
        }
        while let Some(report) = self.queue.pop_before(keep_from) {
            self.release_report(&report);
        }
        self.trim_at = self.queue.len() + TRIM_STEP;
    }
}

/// Reports that come together until the tick of a single perceiver looks for those that can go.
const TRIM_STEP: usize = 64;
