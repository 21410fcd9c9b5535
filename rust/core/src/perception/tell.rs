//! Turns what settling did into events.

use glam::DVec3;

use super::detection::Detection;
use super::event::{Event, EventKind};
use super::record::Record;
use super::reports::Report;
use super::senses::{LossReason, Senses};
use super::settle::Settling;
use super::target::TargetRef;

impl Settling<'_> {
    fn event(&self, kind: EventKind, target: Option<TargetRef>, location: DVec3) -> Event {
        Event {
            kind,
            perceiver: self.perceiver.key,
            target,
            location,
            stimulus_location: location,
            velocity: DVec3::ZERO,
            sense: Senses::NONE,
            senses: Senses::NONE,
            strength: 0.0,
            tag: None,
            visible_fraction: 0.0,
            reason: LossReason::None,
            time: self.time,
            order: target.map_or(0, |target| target.id),
        }
    }

    fn about(&self, kind: EventKind, record: &Record) -> Event {
        Event {
            velocity: record.velocity,
            sense: Senses::SIGHT,
            senses: record.senses,
            visible_fraction: record.visible_fraction(),
            ..self.event(kind, Some(record.target), record.location)
        }
    }

    /// The end of a record: sight first, if it was told that the target is seen.
    pub(super) fn tell_end(&mut self, record: &Record, reason: LossReason) {
        if !record.told {
            return;
        }
        let (senses, visible_fraction) = (Senses::NONE, 0.0);
        if record.told_seen {
            let event = Event { senses, visible_fraction, ..self.about(EventKind::SightLost, record) };
            self.events.push(event);
        }
        let sense = record.last_sense;
        let event = Event { senses, visible_fraction, sense, reason, ..self.about(EventKind::Lost, record) };
        self.events.push(event);
    }

    /// Beginnings of records, and sight gained and lost.
    pub(super) fn tell_changes(&mut self) {
        for at in 0..self.perceiver.records.len() {
            let record = &self.perceiver.records[at];
            let (fresh, seen, told_seen) = (record.fresh, record.seen(), record.told_seen);
            let told = record.told || fresh;
            if fresh {
                let event = self.beginning(record);
                self.events.push(event);
            }
            if told && seen && !told_seen {
                let stimulus_location = record.stimulus.place;
                let event = Event { stimulus_location, ..self.about(EventKind::SightGained, record) };
                self.events.push(event);
            } else if told && !seen && told_seen {
                let event = self.about(EventKind::SightLost, record);
                self.events.push(event);
            }
            let record = &mut self.perceiver.records[at];
            record.fresh = false;
            record.told = told;
            record.told_seen = told && seen;
        }
    }

    fn beginning(&self, record: &Record) -> Event {
        let stimulus = &record.stimulus;
        Event {
            sense: stimulus.sense,
            stimulus_location: stimulus.place,
            strength: stimulus.strength,
            tag: stimulus.tag,
            ..self.about(EventKind::Perceived, record)
        }
    }

    pub(super) fn tell_level(&mut self, kind: EventKind, entry: &Detection) {
        let (sense, visible_fraction) = (Senses::SIGHT, entry.visible_fraction);
        let event = Event { sense, visible_fraction, ..self.event(kind, Some(entry.target), entry.location) };
        self.events.push(event);
    }

    /// Noises and damage, in order of arrival.
    pub(super) fn tell_stimuli(&mut self) {
        let queue = self.queue;
        let mut sensed = std::mem::take(&mut self.scratch.sensed);
        for (number, target) in sensed.drain(..) {
            let Some(report) = queue.get(number) else { continue };
            let (kind, place, sense, strength, tag) = match report {
                Report::Noise { noise, .. } => {
                    let (sense, tag) = (Senses::HEARING, noise.tag_id());
                    (EventKind::NoiseHeard, noise.location, sense, noise.loudness, tag)
                }
                Report::Damage(damage) => {
                    (EventKind::DamageSensed, damage.hit, Senses::DAMAGE, damage.amount, None)
                }
                // Only a record tells of it.
                Report::Stimulation(_) | Report::Nothing => continue,
            };
            let record = target.and_then(|target| self.perceiver.find(target.id).ok());
            let about = match record {
                Some(at) => self.about(kind, &self.perceiver.records[at]),
                None => self.event(kind, target, place),
            };
            self.events.push(Event {
                stimulus_location: place,
                sense,
                strength,
                tag,
                order: number,
                ..about
            });
        }
        self.scratch.sensed = sensed;
    }
}
