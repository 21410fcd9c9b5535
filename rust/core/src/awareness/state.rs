//! A mind's state, for saving and rollback.
//!
//! Targets are named by their agents, times are relative to now. What the records say is not in it: it comes back with
//! the perceiver's own state.

use serde::{Deserialize, Serialize};

use crate::perception::{NodeId, TargetRef};

use super::attention::Attention;
use super::belief::Belief;
use super::kinds::{Lifecycle, Relationship, SenseId, ThreatLevel};
use super::memory::Observation;
use super::mind::Mind;
use super::sense::SlotState;
use super::world::{AwarenessWorld, MindKey};

/// The version that [`AwarenessWorld::export`] writes.
pub const STATE_VERSION: u32 = 1;

/// Everything a mind remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MindState {
    /// [`STATE_VERSION`].
    pub version: u32,
    /// Time since the last update.
    pub since_update: f64,
    /// The next tick updates, because its perceiver may know targets that there are no beliefs of.
    #[serde(default)]
    pub wakes: bool,
    /// By target id.
    pub beliefs: Vec<BeliefState>,
    /// Whom the agent attends to.
    pub attention: AttentionState,
    /// What scripts said of other agents.
    pub overrides: Vec<(NodeId, Relationship)>,
    /// How targets stood.
    pub observations: Vec<Observation>,
}

/// One sense of a saved belief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleState {
    /// The sense's id as text.
    pub sense: String,
    /// Its value.
    pub value: f64,
    /// What it said last, before pain.
    pub reading: f64,
    /// Time since it last sensed; -1: never.
    pub since_set: f64,
}

/// A saved belief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeliefState {
    /// The target's agent.
    pub target: NodeId,
    /// How far it has come.
    pub state: Lifecycle,
    /// For how long.
    pub time_in_state: f64,
    /// Confidence.
    pub confidence: f64,
    /// What the senses say.
    pub samples: Vec<SampleState>,
    /// Time without an active sense.
    pub inactive_time: f64,
    /// Damage, faded.
    pub damage: f64,
    /// Damage in all.
    pub damage_total: f64,
    /// Time since the last damage; -1: never.
    pub since_damage: f64,
    /// Contact.
    pub contact: f64,
    /// Damage made it hostile.
    pub turned_hostile: bool,
    /// Threat level.
    pub level: ThreatLevel,
}

/// Saved attention.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttentionState {
    /// The target's agent.
    pub target: Option<NodeId>,
    /// For how long.
    pub time: f64,
    /// A script chose it.
    pub forced: bool,
    /// Who leads by enough to replace it.
    pub rival: Option<NodeId>,
    /// For how long.
    pub rival_time: f64,
}

/// Why a state cannot be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateError {
    /// Another version.
    Version(u32),
    /// A number is not finite or negative.
    Number,
    /// There is no such mind.
    NoMind,
}

impl AwarenessWorld {
    /// A mind's state. `name` says what a sense is called.
    pub fn export(&self, key: MindKey, name: impl Fn(SenseId) -> String) -> Option<MindState> {
        let (mind, seat) = (self.mind(key)?, self.seat(key)?);
        let now = seat.seen;
        let beliefs = (0..mind.beliefs.len()).map(|at| mind.export_belief(at, now, &name)).collect();
        Some(MindState {
            version: STATE_VERSION,
            since_update: (now - seat.updated).max(0.0),
            wakes: seat.wakes,
            beliefs,
            attention: mind.export_attention(now),
            overrides: mind.overrides.clone(),
            observations: mind.memory.all(now).collect(),
        })
    }

    /// Puts a mind into a saved state, silently; an update under way is over. `now`: its perceiver's time; import the
    /// perceiver first. `target` finds the target that an agent is, `sense` the sense of a name. Gives the agents that
    /// are no targets: what was believed of them is left out.
    pub fn import(
        &mut self,
        key: MindKey,
        state: &MindState,
        now: f64,
        target: impl Fn(NodeId) -> Option<TargetRef>,
        sense: impl Fn(&str) -> Option<SenseId>,
    ) -> Result<Vec<NodeId>, StateError> {
        if state.version != STATE_VERSION {
            return Err(StateError::Version(state.version));
        }
        if !state.is_sound() {
            return Err(StateError::Number);
        }
        let (seat, mind) = self.both(key).ok_or(StateError::NoMind)?;
        let skipped = mind.import(state, now, &target, &sense);
        seat.restore(now, now - state.since_update, state.wakes);
        seat.knows = !mind.beliefs.is_empty();
        seat.live = mind.beliefs.iter().any(|belief| belief.attached);
        Ok(skipped)
    }
}

impl Mind {
    fn export_belief(&self, at: usize, now: f64, name: &impl Fn(SenseId) -> String) -> BeliefState {
        let belief = &self.beliefs[at];
        let slots = self.laid_out.senses.iter().zip(self.slots_of(at));
        BeliefState {
            target: belief.target.agent,
            state: belief.state,
            time_in_state: now - belief.state_since,
            confidence: belief.confidence,
            samples: slots
                .map(|(slot, state)| SampleState {
                    sense: name(slot.sense),
                    value: state.value,
                    reading: state.reading,
                    since_set: if state.since.is_finite() { state.since } else { -1.0 },
                })
                .collect(),
            inactive_time: belief.inactive_time,
            damage: belief.damage,
            damage_total: belief.damage_total,
            since_damage: belief.last_damage.map_or(-1.0, |time| now - time),
            contact: belief.contact,
            turned_hostile: belief.turned_hostile,
            level: belief.level,
        }
    }

    fn export_attention(&self, now: f64) -> AttentionState {
        let attention = &self.attention;
        let agent = |id: u64| self.find(id).ok().map(|at| self.beliefs[at].target.agent);
        let present = attention.present();
        AttentionState {
            target: present.map(|target| target.agent),
            time: present.map_or(0.0, |_| now - attention.since),
            forced: attention.forced,
            rival: attention.rival.and_then(agent),
            rival_time: attention.rival.map_or(0.0, |_| now - attention.rival_since),
        }
    }

    fn import(
        &mut self,
        state: &MindState,
        now: f64,
        target: &impl Fn(NodeId) -> Option<TargetRef>,
        sense: &impl Fn(&str) -> Option<SenseId>,
    ) -> Vec<NodeId> {
        self.drop_beliefs();
        self.prepare(0.0);
        self.identities = None;
        self.overrides.clone_from(&state.overrides);
        self.memory.replace(state.observations.iter().copied(), now);
        let (found, skipped): (Vec<_>, Vec<_>) =
            state.beliefs.iter().map(|saved| (saved, target(saved.target))).partition(|(_, it)| it.is_some());
        let mut found: Vec<_> = found.into_iter().filter_map(|(saved, it)| Some((saved, it?))).collect();
        found.sort_by_key(|(_, target)| target.id);
        found.dedup_by_key(|(_, target)| target.id);
        for (saved, target) in found {
            self.import_belief(saved, target, now, sense);
        }
        self.reset_order();
        self.find_stirred();
        self.highest = self.beliefs.iter().map(|belief| belief.level).max().unwrap_or_default();
        self.import_attention(&state.attention, now, target);
        skipped.into_iter().map(|(saved, _)| saved.target).collect()
    }

    fn import_belief(
        &mut self,
        saved: &BeliefState,
        target: TargetRef,
        now: f64,
        sense: &impl Fn(&str) -> Option<SenseId>,
    ) {
        let mut belief = Belief::new(target, self.next_belief, now - saved.time_in_state);
        self.next_belief += 1;
        belief.state = saved.state;
        belief.attached = saved.state != Lifecycle::Expired;
        belief.fresh = false;
        belief.confidence = saved.confidence.min(1.0);
        belief.inactive_time = saved.inactive_time;
        belief.damage = saved.damage;
        belief.damage_total = saved.damage_total;
        belief.last_damage = (saved.since_damage >= 0.0).then_some(now - saved.since_damage);
        belief.contact = saved.contact.min(1.0);
        belief.turned_hostile = saved.turned_hostile;
        belief.level = saved.level;
        self.beliefs.push(belief);
        let samples: Vec<_> =
            saved.samples.iter().filter_map(|sample| Some((sense(&sample.sense)?, sample))).collect();
        let restored = self.laid_out.senses.iter().map(|slot| {
            let sample = samples.iter().find(|(sense, _)| *sense == slot.sense);
            sample.map_or_else(SlotState::default, |(_, sample)| SlotState {
                value: sample.value.min(1.0),
                reading: sample.reading.min(1.0),
                since: if sample.since_set < 0.0 { f64::INFINITY } else { sample.since_set },
                set: false,
                active: (0.0..=slot.hold_time).contains(&sample.since_set),
            })
        });
        self.slots.extend(restored);
    }

    fn import_attention(
        &mut self,
        saved: &AttentionState,
        now: f64,
        target: &impl Fn(NodeId) -> Option<TargetRef>,
    ) {
        let live = |id: u64| self.find(id).is_ok_and(|at| self.beliefs[at].attached);
        let known = |agent: NodeId| target(agent).filter(|target| live(target.id));
        let current = saved.target.and_then(known);
        let rival = saved.rival.and_then(known).filter(|_| current.is_some());
        self.attention = Attention {
            current,
            since: now - saved.time,
            forced: saved.forced && current.is_some(),
            lost: None,
            rival: rival.map(|target| target.id),
            rival_since: now - saved.rival_time,
        };
    }
}

impl MindState {
    fn is_sound(&self) -> bool {
        let beliefs = self.beliefs.iter().all(BeliefState::is_sound);
        let observations = self
            .observations
            .iter()
            .all(|seen| sound(&[seen.standing, seen.crouched, seen.prone, seen.guessed, seen.since]));
        beliefs && observations && sound(&[self.since_update, self.attention.time, self.attention.rival_time])
    }
}

impl BeliefState {
    fn is_sound(&self) -> bool {
        let since = |time: f64| time == -1.0 || sound(&[time]);
        sound(&[
            self.time_in_state,
            self.confidence,
            self.inactive_time,
            self.damage,
            self.damage_total,
            self.contact,
        ]) && since(self.since_damage)
            && self
                .samples
                .iter()
                .all(|sample| sound(&[sample.value, sample.reading]) && since(sample.since_set))
    }
}

fn sound(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| number.is_finite() && *number >= 0.0)
}
