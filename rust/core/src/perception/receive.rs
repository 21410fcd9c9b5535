//! Settling of reports: what was heard and felt since the last tick.

use crate::tags::TagSet;

use super::record::Stimulus;
use super::reports::{Damage, Noise, Report, Stimulation};
use super::sensed::Sensed;
use super::senses::Senses;
use super::settle::Settling;
use super::target::TargetRef;

impl Settling<'_> {
    pub(super) fn apply_reports(&mut self, from: u64) {
        if from == u64::MAX {
            return;
        }
        let queue = self.queue;
        for (number, report) in queue.since(from) {
            let about = match report {
                Report::Noise { noise, source, identity } => {
                    let takes = self.perceiver.hearing.takes(number);
                    takes.then(|| self.hear(noise, *source, identity)).flatten()
                }
                Report::Damage(damage) => {
                    let takes = self.perceiver.damage.takes(number);
                    takes.then(|| self.feel(damage)).flatten()
                }
                Report::Stimulation(stimulation) => {
                    self.sense(stimulation);
                    None
                }
            };
            if let Some(target) = about {
                self.scratch.sensed.push((number, target));
            }
        }
    }

    /// Hears a noise, if it can be heard here. Gives the target that it is about, if it is about one.
    fn hear(
        &mut self,
        noise: &Noise,
        source: Option<TargetRef>,
        identity: &TagSet,
    ) -> Option<Option<TargetRef>> {
        let place = self.perceiver.place;
        let kin = source.and_then(|target| self.registry.target(target.key));
        let tags = &self.perceiver.affiliation.noises;
        if !tags.is_empty() && !noise.tag.matches_any(tags) {
            return None;
        }
        let own = noise.lineage.contains(&place.agent) || kin.is_some_and(|it| it.belongs_to(place.agent));
        if own || place.space != Some(noise.space) {
            return None;
        }
        let reach = self.perceiver.settings.hearing_radius * noise.loudness;
        let distance = self.origin?.distance(noise.location);
        if distance > reach + self.space.tolerance() {
            return None;
        }
        // An instigator that is gone by now leaves the noise of a place.
        let source = source.filter(|target| self.reachable(*target));
        if !self.perceiver.affiliation.accepts(if source.is_some() { identity } else { &noise.tag }) {
            return None;
        }
        if let Some(target) = source {
            let stimulus = Stimulus {
                sense: Senses::HEARING,
                location: noise.location,
                place: noise.location,
                strength: noise.loudness,
                tag: noise.tag_id(),
            };
            let x = if reach > 0.0 { (distance / reach).min(1.0) } else { 0.0 };
            self.notice(target, stimulus, x);
        }
        Some(source)
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
    fn notice(&mut self, target: TargetRef, stimulus: Stimulus, x: f64) {
        let Stimulus { sense, strength, tag, .. } = stimulus;
        if let Some(record) = self.record_for(target) {
            record.notice(stimulus);
            self.perceiver.sensed.push(Sensed { target, sense, x, strength, tag });
        }
    }
}
