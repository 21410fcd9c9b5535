//! Settling of reports: what was heard and felt since the last tick.

use super::record::Stimulus;
use super::reports::{Damage, Report, Stimulation};
use super::sensed::Sensed;
use super::senses::Senses;
use super::settle::Settling;
use super::target::TargetRef;
use super::tick::Busy;

impl Settling<'_> {
    pub(super) fn apply_reports(&mut self, busy: &Busy) {
        if busy.reports_from == u64::MAX {
            return;
        }
        let (queue, tick) = (self.queue, self.tick);
        let ears = &tick.ears[busy.ears.start as usize..busy.ears.end as usize];
        // Noises that must wait again are noted anew.
        std::mem::swap(&mut self.scratch.late_noises, &mut self.perceiver.late_noises);
        self.perceiver.late_noises.clear();
        for (number, report) in queue.since(busy.reports_from) {
            if !busy.takes_part(number, &self.scratch.late_noises) {
                continue;
            }
            let about = match report {
                Report::Noise { noise, source, identity } => {
                    let takes = self.inbox.hearing.takes(number);
                    takes.then(|| self.hear(ears, number, noise, (*source, identity))).flatten()
                }
                Report::Damage(damage) => {
                    let takes = self.inbox.damage.takes(number);
                    takes.then(|| self.feel(damage)).flatten()
                }
                Report::Stimulation(stimulation) => {
                    self.sense(stimulation);
                    None
                }
                Report::Nothing => None,
            };
            if let Some(target) = about {
                self.scratch.sensed.push((number, target));
            }
        }
    }

    /// Feels damage, if it was done to this agent. Gives the attacker, if it can be a target.
    fn feel(&mut self, damage: &Damage) -> Option<Option<TargetRef>> {
        if damage.victim != self.perceiver.place.agent {
            return None;
        }
        let attacker = damage.attacker.filter(|(target, _)| self.reachable(*target));
        if let Some((target, place)) = attacker {
            let location = if self.perceiver.settings.damage_reveals_attacker { place } else { damage.hit };
            let (sense, place, strength) = (Senses::DAMAGE, damage.hit, damage.amount);
            self.notice(target, Stimulus { sense, location, place, strength, tag: None }, 0.0);
        }
        Some(attacker.map(|(target, _)| target))
    }

    /// Senses a target by a custom sense, if it is this perceiver's.
    fn sense(&mut self, it: &Stimulation) {
        if it.perceiver == self.perceiver.key && self.reachable(it.target) {
            let (location, strength, tag) = (it.location, it.strength, Some(it.sense));
            let stimulus = Stimulus { sense: Senses::CUSTOM, location, place: location, strength, tag };
            self.notice(it.target, stimulus, 0.0);
        }
    }

    /// A momentary sense reports a target.
    pub(super) fn notice(&mut self, target: TargetRef, stimulus: Stimulus, x: f64) {
        let Stimulus { sense, strength, tag, .. } = stimulus;
        if let Some(record) = self.record_for(target) {
            record.notice(stimulus);
            self.perceiver.sensed.push(Sensed { target, sense, x, strength, tag });
        }
    }
}
