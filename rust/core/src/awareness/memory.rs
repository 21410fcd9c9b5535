//! How targets stood while the agent saw them.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::perception::NodeId;

use super::belief::TOLERANCE;
use super::profile::Profile;
use super::stance::Posture;

/// How long a target was seen in which posture, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The target's agent.
    pub agent: NodeId,
    /// Upright.
    pub standing: f64,
    /// Ducked.
    pub crouched: f64,
    /// On the ground.
    pub prone: f64,
    /// How much of all that was guessed from its speed.
    pub guessed: f64,
    /// Time since it was last observed.
    pub since: f64,
}

impl Observation {
    /// Time in one posture; `None`: in all.
    pub fn time(&self, stance: Option<Posture>) -> f64 {
        match stance {
            None => self.standing + self.crouched + self.prone,
            Some(Posture::Standing) => self.standing,
            Some(Posture::Crouched) => self.crouched,
            Some(Posture::Prone) => self.prone,
            Some(Posture::Unreported) => 0.0,
        }
    }

    /// Crouched and prone over all.
    pub fn sneaking_fraction(&self) -> f64 {
        let all = self.time(None);
        if all > 0.0 { (self.crouched + self.prone) / all } else { 0.0 }
    }
}

#[derive(Clone, Debug)]
struct Row {
    seen: Observation,
    last: f64,
}

/// The observations of one mind, in order of their beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    rows: Vec<Row>,
}

impl Memory {
    /// Adds time in a posture; an unreported one is guessed from the speed. `hint` is where the target was found last.
    #[inline]
    pub(super) fn observe(&mut self, profile: &Profile, what: Sight, hint: &mut usize) {
        let capacity = profile.observation_capacity;
        if capacity == 0 {
            return self.rows.clear();
        }
        let known = self.rows.get(*hint).is_some_and(|row| row.seen.agent == what.agent);
        let found = known.then_some(*hint).or_else(|| self.find(what.agent));
        *hint = found.unwrap_or_else(|| self.admit(what.agent, capacity));
        let Row { seen, last } = &mut self.rows[*hint];
        *last = what.now;
        let guess = what.stance == Posture::Unreported;
        let stance = if guess { guessed(profile, what.velocity) } else { what.stance };
        match stance {
            Posture::Crouched => seen.crouched += what.dt,
            Posture::Prone => seen.prone += what.dt,
            Posture::Standing | Posture::Unreported => seen.standing += what.dt,
        }
        if guess {
            seen.guessed += what.dt;
        }
    }

    fn find(&self, agent: NodeId) -> Option<usize> {
        self.rows.iter().position(|row| row.seen.agent == agent)
    }

    fn admit(&mut self, agent: NodeId, capacity: usize) -> usize {
        self.shrink(capacity - 1);
        let seen = Observation { agent, standing: 0.0, crouched: 0.0, prone: 0.0, guessed: 0.0, since: 0.0 };
        self.rows.push(Row { seen, last: 0.0 });
        self.rows.len() - 1
    }

    /// Forgets those observed longest ago.
    pub(super) fn shrink(&mut self, capacity: usize) {
        while self.rows.len() > capacity {
            let oldest = self.rows.iter().enumerate().min_by(|a, b| a.1.last.total_cmp(&b.1.last));
            let Some((at, _)) = oldest else { return };
            self.rows.remove(at);
        }
    }

    pub(super) fn of(&self, agent: NodeId) -> Option<&Observation> {
        self.find(agent).map(|at| &self.rows[at].seen)
    }

    /// All of them, with the time since they were last made.
    pub(super) fn all(&self, now: f64) -> impl Iterator<Item = Observation> + '_ {
        self.rows.iter().map(move |row| Observation { since: now - row.last, ..row.seen })
    }

    pub(super) fn replace(&mut self, all: impl IntoIterator<Item = Observation>, now: f64) {
        self.rows.clear();
        self.rows.extend(all.into_iter().map(|seen| Row { seen, last: now - seen.since }));
    }

    pub(super) fn forget(&mut self, agent: Option<NodeId>) {
        self.rows.retain(|row| agent.is_some_and(|agent| row.seen.agent != agent));
    }

    pub(super) fn shift(&mut self, by: f64) {
        self.rows.iter_mut().for_each(|row| row.last += by);
    }
}

/// One look at a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub(super) agent: NodeId,
    pub(super) stance: Posture,
    pub(super) velocity: DVec3,
    pub(super) dt: f64,
    pub(super) now: f64,
}

/// Slow but moving looks like sneaking.
fn guessed(profile: &Profile, velocity: DVec3) -> Posture {
    let speed = velocity.length();
    let sneaks = speed + TOLERANCE >= profile.still_speed && speed <= profile.sneak_speed + TOLERANCE;
    if sneaks { Posture::Crouched } else { Posture::Standing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_observed_longest_ago_goes_first() {
        let profile = Profile { observation_capacity: 2, ..Profile::default() };
        let mut memory = Memory::default();
        let mut look = |agent: NodeId, now: f64| {
            let sight = Sight { agent, stance: Posture::Prone, velocity: DVec3::ZERO, dt: 0.1, now };
            memory.observe(&profile, sight, &mut 0);
        };
        look(1, 0.0);
        look(2, 1.0);
        look(1, 2.0);
        look(3, 3.0);
        assert!(memory.of(2).is_none());
        assert!((memory.of(1).unwrap().prone - 0.2).abs() < 1e-12);
        assert_eq!(memory.of(3).unwrap().sneaking_fraction(), 1.0);
    }
}
