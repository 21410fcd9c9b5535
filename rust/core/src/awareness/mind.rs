//! One agent's beliefs, and how they follow the records of its perceiver.

use std::sync::Arc;

use glam::DVec3;

use crate::perception::{
    Identity, LossReason, NodeId, PerceiverKey, PerceptionWorld, Record, Sensed, Senses, TargetRef,
};
use crate::tags::{TagSet, TagTable};
use crate::time::expired;

use super::attention::{Attention, Field};
use super::belief::{Belief, Frozen};
use super::course::Course;
use super::kinds::{AttentionReason, Lifecycle, Relationship, SenseId, ThreatLevel};
use super::memory::Memory;
use super::profile::{Profile, SenseSlot};
use super::question::{Event, Problem};
use super::relation::ByTags;
use super::sense::{Sample, SlotState, reading, slot_bit, stirred};

/// Which adapters somebody answers for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// The agent or a child of it has `get_relationship_to`.
    pub relationship: bool,
    /// Targets may say how they stand. Off: their posture is unreported.
    pub posture: bool,
}

/// The world around a mind when its update begins.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// What its perceiver knows.
    pub perception: &'a PerceptionWorld,
    /// All tags.
    pub tags: &'a TagTable,
    /// Where its perceiver is.
    pub origin: DVec3,
    /// Tags of the agent itself, for an agent without a source.
    pub own_tags: Option<&'a TagSet>,
}

/// What the last update knew besides the beliefs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub(super) pain: f64,
    pub(super) range: f64,
}

/// One agent's beliefs.
#[derive(Debug)]
pub(super) struct Mind {
    pub(super) profile: Arc<Profile>,
    /// The profile whose slots `slots` holds.
    pub(super) laid_out: Arc<Profile>,
    pub(super) asks: Asks,
    /// By target id.
    pub(super) beliefs: Vec<Belief>,
    /// As many per belief as the profile has senses.
    pub(super) slots: Vec<SlotState>,
    /// Positions of beliefs, best score first.
    pub(super) order: Vec<u32>,
    pub(super) attention: Attention,
    pub(super) highest: ThreatLevel,
    /// Tags of some targets are not known.
    pub(super) strangers: bool,
    pub(super) memory: Memory,
    pub(super) overrides: Vec<(NodeId, Relationship)>,
    pub(super) events: Vec<Event>,
    pub(super) problems: Vec<Problem>,
    pub(super) removed: Vec<Frozen>,
    pub(super) course: Option<Course>,
    pub(super) courses: u64,
    pub(super) next_belief: u64,
    /// Identity of the agent, and at which revision of identities it and those of the targets were read.
    own: TagSet,
    pub(super) identities: Option<u32>,
    pub(super) last: Last,
}

impl Mind {
    pub(super) fn new(profile: Arc<Profile>) -> Self {
        Self {
            laid_out: profile.clone(),
            profile,
            asks: Asks::default(),
            beliefs: Vec::new(),
            slots: Vec::new(),
            order: Vec::new(),
            attention: Attention::default(),
            highest: ThreatLevel::None,
            strangers: false,
            memory: Memory::default(),
            overrides: Vec::new(),
            events: Vec::new(),
            problems: Vec::new(),
            removed: Vec::new(),
            course: None,
            courses: 0,
            next_belief: 0,
            own: TagSet::default(),
            identities: None,
            last: Last { pain: 1.0, range: 0.0 },
        }
    }

    pub(super) fn find(&self, id: u64) -> Result<usize, usize> {
        self.beliefs.binary_search_by_key(&id, |belief| belief.target.id)
    }

    pub(super) fn slots_of(&self, at: usize) -> &[SlotState] {
        let count = self.laid_out.senses.len();
        &self.slots[at * count..(at + 1) * count]
    }

    /// What the senses say of a belief, in the profile's order.
    pub(super) fn samples(&self, at: usize) -> impl Iterator<Item = Sample> + '_ {
        self.laid_out.senses.iter().zip(self.slots_of(at)).map(|(slot, state)| Sample {
            sense: slot.sense,
            value: state.value,
            weight: slot.weight,
            active: state.active,
        })
    }

    pub(super) fn field<'a>(&'a self, profile: &'a Profile, now: f64) -> Field<'a> {
        Field { profile, beliefs: &self.beliefs, order: &self.order, now }
    }

    pub(super) fn override_of(&self, agent: NodeId) -> Option<Relationship> {
        self.overrides.iter().find(|(of, _)| *of == agent).map(|(_, relationship)| *relationship)
    }

    /// Lays the slots out for another profile; values stay with their senses.
    pub(super) fn lay_out(&mut self, profile: &Arc<Profile>) {
        let before = std::mem::replace(&mut self.laid_out, profile.clone());
        let sense = |slot: &SenseSlot| slot.sense;
        if before.senses.iter().map(sense).eq(profile.senses.iter().map(sense)) {
            return;
        }
        let places: Vec<Option<usize>> =
            profile.senses.iter().map(|slot| before.slot_of(slot.sense)).collect();
        let rows = self.slots.chunks_exact(before.senses.len().max(1));
        let moved = rows.flat_map(|row| {
            places.iter().map(|place| place.map_or_else(SlotState::default, |place| row[place]))
        });
        self.slots = moved.collect();
        self.find_stirred();
    }

    /// Which slots have something to say, after they were laid out or written from outside.
    pub(super) fn find_stirred(&mut self) {
        let count = self.laid_out.senses.len();
        for (at, belief) in self.beliefs.iter_mut().enumerate() {
            belief.stirred = stirred(&self.slots[at * count..(at + 1) * count]);
        }
    }

    /// Beliefs begin, follow their records and end.
    pub(super) fn follow(&mut self, around: &Surroundings<'_>, perceiver: PerceiverKey, now: f64) {
        for ended in around.perception.ended(perceiver) {
            if let Ok(at) = self.find(ended.target.id)
                && self.beliefs[at].attached
            {
                self.end(at, ended.reason, now);
            }
        }
        let mut at = 0;
        let (records, time) = around.perception.known(perceiver);
        for record in records {
            let known = self.beliefs.get(at);
            if !known.is_some_and(|belief| belief.target.id == record.target.id && belief.attached) {
                at = self.meet(at, record, now);
            }
            self.take_over(at, record, time);
            at += 1;
        }
        for at in at..self.beliefs.len() {
            self.end_unless_expired(at, now);
        }
        for sensed in around.perception.sensed(perceiver) {
            self.notice(sensed);
        }
        self.identify(around, perceiver);
    }

    /// The next record, from this place on, is not that of a live belief: others end before it, and its own begins.
    /// Where.
    #[cold]
    fn meet(&mut self, mut at: usize, record: &Record, now: f64) -> usize {
        while self.beliefs.get(at).is_some_and(|belief| belief.target.id < record.target.id) {
            self.end_unless_expired(at, now);
            at += 1;
        }
        match self.beliefs.get_mut(at).filter(|belief| belief.target.id == record.target.id) {
            None => self.begin(at, record.target, now),
            Some(belief) if !belief.attached => {
                let serial = belief.serial;
                *belief = Belief::new(record.target, serial, now);
                self.events.push(Event::State {
                    belief: belief.key(),
                    target: record.target,
                    previous: Lifecycle::Expired,
                    state: Lifecycle::Undetected,
                });
                self.silence(at);
            }
            Some(_) => {}
        }
        at
    }

    /// The belief at this place takes over what its record says.
    fn take_over(&mut self, at: usize, record: &Record, time: f64) {
        let belief = &mut self.beliefs[at];
        belief.follow(record, time);
        let senses = &self.laid_out.senses[..];
        for (place, (state, slot)) in self.slots[at * senses.len()..].iter_mut().zip(senses).enumerate() {
            let bit = match slot.sense {
                SenseId::Sight => Senses::SIGHT,
                SenseId::Hearing => Senses::HEARING,
                SenseId::Damage => Senses::DAMAGE,
                SenseId::Custom(_) => Senses::NONE,
            };
            let set = record.senses.intersects(bit);
            // A sense that has never sensed it is not looked at: what it says lies in a line of its own.
            if !set && belief.stirred & slot_bit(place) == 0 {
                continue;
            }
            state.set = set;
            if set {
                belief.stirred |= slot_bit(place);
                match slot.sense {
                    SenseId::Sight => {
                        state.reading = reading(slot, record.visible_fraction(), record.sight_x)
                    }
                    SenseId::Damage => state.reading = reading(slot, 1.0, 0.0),
                    SenseId::Hearing | SenseId::Custom(_) => {}
                }
            }
        }
    }

    fn begin(&mut self, at: usize, target: TargetRef, now: f64) {
        self.beliefs.insert(at, Belief::new(target, self.next_belief, now));
        self.next_belief += 1;
        let count = self.laid_out.senses.len();
        let from = at * count;
        self.slots.splice(from..from, std::iter::repeat_n(SlotState::default(), count));
        self.reset_order();
    }

    fn silence(&mut self, at: usize) {
        let count = self.laid_out.senses.len();
        self.slots[at * count..(at + 1) * count].fill(SlotState::default());
        self.beliefs[at].stirred = 0;
    }

    pub(super) fn reset_order(&mut self) {
        self.order.clear();
        self.order.extend(0..self.beliefs.len() as u32);
    }

    /// A momentary stimulus.
    fn notice(&mut self, sensed: &Sensed) {
        let Ok(at) = self.find(sensed.target.id) else { return };
        let sense = match (sensed.sense, sensed.tag) {
            (Senses::HEARING, _) => SenseId::Hearing,
            (Senses::CUSTOM, Some(tag)) => SenseId::Custom(tag),
            (Senses::DAMAGE, _) => {
                self.beliefs[at].hurt += sensed.strength;
                return;
            }
            _ => return,
        };
        let Some(place) = self.laid_out.slot_of(sense) else { return };
        let slot = &self.laid_out.senses[place];
        let state = &mut self.slots[at * self.laid_out.senses.len() + place];
        if sense != SenseId::Hearing {
            let value = reading(slot, sensed.strength, 0.0);
            state.reading = if state.set { state.reading.max(value) } else { value };
            state.set = true;
            self.beliefs[at].stirred |= slot_bit(place);
        } else if sensed.x < self.beliefs[at].heard {
            self.beliefs[at].heard = sensed.x;
            state.reading = reading(slot, 1.0, sensed.x);
        }
    }

    fn end_unless_expired(&mut self, at: usize, now: f64) {
        if self.beliefs[at].attached {
            self.end(at, LossReason::Dismissed, now);
        }
    }

    /// The record of a belief has ended. What is gone is removed by [`Self::remove_stale`].
    pub(super) fn end(&mut self, at: usize, reason: LossReason, now: f64) {
        let belief = &mut self.beliefs[at];
        let (key, target) = (belief.key(), belief.target);
        let (state, level) = (belief.state, belief.level);
        belief.expire(now);
        self.events.push(Event::State { belief: key, target, previous: state, state: Lifecycle::Expired });
        if level != ThreatLevel::None {
            let level = Event::Level { belief: key, target, previous: level, level: ThreatLevel::None };
            self.events.push(level);
        }
        self.silence(at);
        let gone = reason == LossReason::Gone;
        if self.attention.current.is_some_and(|current| current.id == target.id) {
            let lost = if gone { AttentionReason::Gone } else { AttentionReason::Expired };
            self.attention.lost = Some(lost);
            self.attention.forced = false;
        }
        if gone {
            self.remove(at, now);
        }
    }

    /// All beliefs end.
    pub(super) fn end_all(&mut self, now: f64) {
        for at in 0..self.beliefs.len() {
            self.end_unless_expired(at, now);
        }
    }

    /// Removes what has been expired for long enough.
    pub(super) fn remove_stale(&mut self, retention: f64, now: f64) {
        for at in (0..self.beliefs.len()).rev() {
            let belief = &self.beliefs[at];
            if !belief.attached && expired(now, belief.state_since + retention) {
                self.remove(at, now);
            }
        }
    }

    fn remove(&mut self, at: usize, now: f64) {
        let samples = self.samples(at).collect();
        let explanation = self.explain(at);
        let belief = self.beliefs.remove(at);
        let count = self.laid_out.senses.len();
        self.slots.drain(at * count..(at + 1) * count);
        let time_in_state = now - belief.state_since;
        self.removed.push(Frozen { belief, samples, explanation, time_in_state });
        self.reset_order();
    }

    /// Reads what the targets and the agent itself say of who they are, where it may have changed.
    fn identify(&mut self, around: &Surroundings<'_>, perceiver: PerceiverKey) {
        let perception = around.perception;
        let revision = perception.identity_revision();
        let mut again = self.identities != Some(revision);
        if again || around.own_tags.is_some() {
            let agent = perception.perceiver_place(perceiver).map(|(_, agent)| agent);
            let source = agent.and_then(|agent| perception.identity(perception.target_of(agent)?.key));
            let nothing = TagSet::default();
            let own = source.map(|source| source.tags).or(around.own_tags).unwrap_or(&nothing);
            if self.own != *own {
                self.own = own.clone();
                again = true;
            }
        }
        self.identities = Some(revision);
        for at in 0..self.beliefs.len() {
            let belief = &self.beliefs[at];
            if belief.attached && (again || belief.fresh) {
                self.identify_one(at, perception.identity(belief.target.key), around.tags);
            }
        }
    }

    fn identify_one(&mut self, at: usize, identity: Option<Identity<'_>>, table: &TagTable) {
        let by_tags = match identity {
            None => ByTags::Unknown,
            Some(identity) => self.by_tags(identity.tags, table),
        };
        let belief = &mut self.beliefs[at];
        belief.by_tags = by_tags;
        belief.can_hold_attention = identity.is_none_or(|identity| identity.can_hold_attention);
    }

    pub(super) fn by_tags(&self, other: &TagSet, table: &TagTable) -> ByTags {
        let says = self.laid_out.relations.by_tags(&self.own, other, table);
        says.map_or(ByTags::Nothing, |(relationship, source)| ByTags::Says(relationship, source))
    }

    /// The number of live beliefs, when all have begun and ended.
    pub(super) fn count_live(&mut self) -> usize {
        let live = self.beliefs.iter().filter(|belief| belief.attached);
        let (mut count, mut strangers) = (0, false);
        live.for_each(|belief| {
            count += 1;
            strangers |= belief.by_tags == ByTags::Unknown;
        });
        self.strangers = strangers;
        count
    }

    /// Moves everything that happened to another time.
    pub(super) fn shift(&mut self, by: f64) {
        for belief in &mut self.beliefs {
            belief.state_since += by;
            belief.last_damage = belief.last_damage.map(|time| time + by);
        }
        self.attention.since += by;
        self.attention.rival_since += by;
        self.memory.shift(by);
    }
}
