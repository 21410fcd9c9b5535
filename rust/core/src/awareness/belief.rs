//! What an agent believes of one target.

use glam::DVec3;

use crate::perception::{Record, Senses, TargetRef};

use super::explain::Explanation;
use super::kinds::{Lifecycle, Relationship, ThreatLevel};
use super::profile::Profile;
use super::question::BeliefRef;
use super::relation::{ByTags, RelationSource};
use super::sense::Sample;
use super::stance::Posture;

/// Slack of comparisons of confidence, threat and score.
pub(super) const TOLERANCE: f64 = 1e-6;

/// One target, as the agent sees it.
#[derive(Clone, Debug)]
pub struct Belief {
    /// Who.
    pub target: TargetRef,
    pub(super) serial: u64,
    /// How far it has come.
    pub state: Lifecycle,
    /// The perceiver's time when it came there.
    pub state_since: f64,
    /// Confidence, 0..1.
    pub confidence: f64,
    /// What fusion said last, 0..1.
    pub fused: f64,
    /// Number of active senses.
    pub active_senses: u32,
    /// For how long none has been active.
    pub inactive_time: f64,
    /// Senses that sense the target now.
    pub senses: Senses,
    /// Visible aim points over all, at the last sight check.
    pub visible_fraction: f64,
    /// Last known location.
    pub location: DVec3,
    /// Last known velocity.
    pub velocity: DVec3,
    /// For how long no sense has sensed it.
    pub age: f64,
    /// Damage that it did, faded.
    pub damage: f64,
    /// Damage that it did, all of it.
    pub damage_total: f64,
    /// The perceiver's time when it last did any.
    pub last_damage: Option<f64>,
    /// 1 while seen, fading after.
    pub contact: f64,
    /// What it is to the agent.
    pub relationship: Relationship,
    /// Who says so.
    pub relationship_source: RelationSource,
    /// Threat, 0..1.
    pub threat: f64,
    /// Its level.
    pub level: ThreatLevel,
    /// The higher, the sooner it gets attention.
    pub score: f64,
    /// From the perceiver to the last known location.
    pub distance: f64,
    /// How it stood when it was last observed.
    pub posture: Posture,
    /// Damage made it hostile.
    pub turned_hostile: bool,
    /// May become the attention target.
    pub can_hold_attention: bool,
    /// Has a record.
    pub(super) attached: bool,
    /// Not updated yet.
    pub(super) fresh: bool,
    /// Damage of this update.
    pub(super) hurt: f64,
    /// The nearest noise of this tick, as a part of the effective radius.
    pub(super) heard: f64,
    pub(super) by_tags: ByTags,
    /// Senses that have ever sensed it, as [`slot_bit`]s; the others have nothing to say.
    pub(super) stirred: u64,
    /// Where its observation was found last.
    pub(super) observed_at: usize,
}

/// A belief that was removed, with everything that could be asked of it.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// The belief.
    pub belief: Belief,
    /// What its senses said.
    pub samples: Vec<Sample>,
    /// Every factor.
    pub explanation: Explanation,
    /// For how long it was in its last state.
    pub time_in_state: f64,
}

impl Belief {
    pub(super) fn new(target: TargetRef, serial: u64, now: f64) -> Self {
        Self {
            target,
            serial,
            state: Lifecycle::Undetected,
            state_since: now,
            confidence: 0.0,
            fused: 0.0,
            active_senses: 0,
            inactive_time: 0.0,
            senses: Senses::NONE,
            visible_fraction: 0.0,
            location: DVec3::ZERO,
            velocity: DVec3::ZERO,
            age: 0.0,
            damage: 0.0,
            damage_total: 0.0,
            last_damage: None,
            contact: 0.0,
            relationship: Relationship::Unknown,
            relationship_source: RelationSource::Default,
            threat: 0.0,
            level: ThreatLevel::None,
            score: 0.0,
            distance: 0.0,
            posture: Posture::Unreported,
            turned_hostile: false,
            can_hold_attention: true,
            attached: true,
            fresh: true,
            hurt: 0.0,
            heard: f64::INFINITY,
            by_tags: ByTags::Unknown,
            stirred: 0,
            observed_at: 0,
        }
    }

    /// Its name in its mind.
    pub fn key(&self) -> BeliefRef {
        BeliefRef { target_id: self.target.id, serial: self.serial }
    }

    /// True until its record ends.
    pub fn is_live(&self) -> bool {
        self.attached
    }

    /// True while SIGHT senses the target.
    pub fn is_seen(&self) -> bool {
        self.senses.intersects(Senses::SIGHT)
    }

    /// Takes over what the record says at the perceiver's time `now`.
    pub(super) fn follow(&mut self, record: &Record, now: f64) {
        self.target = record.target;
        self.senses = record.senses;
        self.visible_fraction = record.visible_fraction();
        self.location = record.location;
        self.velocity = record.velocity;
        self.age = record.age(now);
        self.hurt = 0.0;
        self.heard = f64::INFINITY;
    }

    /// Its record has ended.
    pub(super) fn expire(&mut self, now: f64) {
        self.enter(Lifecycle::Expired, now);
        self.attached = false;
        self.senses = Senses::NONE;
        self.active_senses = 0;
        self.turned_hostile = false;
        self.level = ThreatLevel::None;
        (self.confidence, self.fused, self.threat, self.score) = (0.0, 0.0, 0.0, 0.0);
        (self.visible_fraction, self.contact, self.hurt) = (0.0, 0.0, 0.0);
    }

    pub(super) fn enter(&mut self, state: Lifecycle, now: f64) {
        self.state = state;
        self.state_since = now;
    }

    /// How long the belief has been without an active sense.
    pub(super) fn fall_silent(&mut self, active: u32, quiet: f64, dt: f64) {
        self.active_senses = active;
        self.inactive_time = if active > 0 { 0.0 } else { (self.inactive_time + dt).min(quiet) };
    }

    /// The state that follows from confidence and senses, by the first rule that applies.
    pub(super) fn next_state(&self, profile: &Profile) -> Lifecycle {
        use Lifecycle::{Detected, Lost, Suspected, Undetected};
        let reaches = |threshold: f64| self.confidence + TOLERANCE >= threshold;
        let silent = self.active_senses == 0;
        match self.state {
            Detected if silent => {
                if self.inactive_time + TOLERANCE >= profile.lost_delay {
                    Lost
                } else {
                    Detected
                }
            }
            Lost if silent => Lost,
            Lost => {
                if reaches(profile.detect_threshold) {
                    Detected
                } else {
                    Suspected
                }
            }
            state => {
                let kept = |of: Lifecycle, threshold: f64| {
                    reaches(threshold) || (state >= of && reaches(threshold - profile.state_hysteresis))
                };
                if kept(Detected, profile.detect_threshold) {
                    Detected
                } else if kept(Suspected, profile.suspect_threshold) {
                    Suspected
                } else {
                    Undetected
                }
            }
        }
    }

    /// Damage fades, then grows by what was done since; contact holds while seen, then fades.
    pub(super) fn weather(&mut self, profile: &Profile, dt: f64, now: f64) {
        if self.damage > 0.0 {
            let fade =
                if profile.damage_fade_time > 0.0 { dt / profile.damage_fade_time } else { f64::INFINITY };
            self.damage = (self.damage - profile.damage_full * fade).max(0.0);
        }
        if self.hurt > 0.0 {
            self.damage += self.hurt;
            self.damage_total += self.hurt;
            self.last_damage = Some(now);
        }
        if self.is_seen() {
            self.contact = 1.0;
        } else if self.contact > 0.0 {
            let fade = if profile.contact_fade_time > 0.0 { dt / profile.contact_fade_time } else { 1.0 };
            self.contact = (self.contact - fade).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_of_confidence_skips_steps_and_fading_keeps_the_hysteresis() {
        let profile = Profile::default();
        let scene = |state: Lifecycle, confidence: f64, active: u32| {
            let mut world = crate::perception::PerceptionWorld::new(Default::default());
            let space = world.add_space(false);
            let target = world.stray(7, &[], space);
            let belief = Belief { state, confidence, active_senses: active, ..Belief::new(target, 0, 0.0) };
            belief.next_state(&profile)
        };
        use Lifecycle::{Detected, Lost, Suspected, Undetected};
        assert_eq!(scene(Undetected, 1.0, 1), Detected);
        assert_eq!(scene(Detected, 0.1, 1), Undetected);
        assert_eq!(scene(Detected, 0.3, 1), Suspected);
        assert_eq!(scene(Suspected, 0.2, 1), Suspected);
        assert_eq!(scene(Suspected, 0.199, 1), Undetected);
        assert_eq!(scene(Lost, 0.1, 1), Suspected);
        assert_eq!(scene(Lost, 0.1, 0), Lost);
        assert_eq!(scene(Detected, 0.0, 0), Detected);
    }
}
