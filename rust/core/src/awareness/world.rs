//! All minds: when they are updated, and how they are changed from outside.

use std::sync::Arc;

use crate::arena::{Arena, Handle};
use crate::perception::{NodeId, PerceiverKey, PerceptionWorld, Scope, TargetRef};
use crate::tags::{TagSet, TagTable};

use super::course::{Course, Moment};
use super::kinds::{AttentionReason, Relationship};
use super::mind::{Asks, Mind, Surroundings};
use super::profile::Profile;
use super::question::{Answer, Event, Question, Update};
use super::seat::Seat;
use super::sense::Sample;
use super::stance::Posture;

/// Names one mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MindKey(pub(super) Handle);

impl MindKey {
    /// Small and dense, for tables of the caller.
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// What became of an attention override.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Override {
    /// There is no live belief of the target.
    Refused,
    /// It holds; nothing has to be told now.
    Holds,
    /// It holds, and this must be told at once.
    Changed(Event),
}

/// Counts since they were last taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AwarenessStats {
    /// Updates begun.
    pub updates: u32,
    /// Live beliefs of these.
    pub beliefs_updated: u32,
    /// Questions to policies.
    pub policy_questions: u32,
    /// Questions to adapters.
    pub adapter_questions: u32,
}

/// All minds.
#[derive(Debug, Default)]
pub struct AwarenessWorld {
    minds: Arena<Mind>,
    stats: AwarenessStats,
    /// In id order.
    pub(super) seats: Vec<Seat>,
    places: Arena<u32>,
    left: bool,
    /// Nobody had beliefs, or waited to begin with some, in the last common tick, and no mind was touched since.
    rests: bool,
    /// How often perception had stirred by then.
    stirs: u64,
}

impl AwarenessWorld {
    /// Nobody.
    pub fn new() -> Self {
        Self::default()
    }

    /// A mind with a profile, in the tree and enabled; it begins once it has a perceiver.
    pub fn add(&mut self, profile: Arc<Profile>) -> MindKey {
        let interval = profile.update_interval;
        let key = MindKey(self.minds.insert(Mind::new(profile)));
        // Both arenas change together, so their handles are equal.
        self.places.insert(self.seats.len() as u32);
        self.seats.push(Seat::new(key, interval));
        self.rests = false;
        key
    }

    /// Forgets a mind, silently. An update of it that is under way is over.
    pub fn remove(&mut self, key: MindKey) {
        let Some(place) = self.places.remove(key.0) else { return };
        self.minds.remove(key.0);
        self.seats.remove(place as usize);
        for (at, moved) in self.seats.iter().enumerate().skip(place as usize) {
            if let Some(slot) = self.places.get_mut(moved.key.0) {
                *slot = at as u32;
            }
        }
    }

    pub(super) fn mind(&self, key: MindKey) -> Option<&Mind> {
        self.minds.get(key.0)
    }

    pub(super) fn mind_mut(&mut self, key: MindKey) -> Option<&mut Mind> {
        self.minds.get_mut(key.0)
    }

    pub(super) fn seat(&self, key: MindKey) -> Option<&Seat> {
        self.places.get(key.0).map(|at| &self.seats[*at as usize])
    }

    pub(super) fn both(&mut self, key: MindKey) -> Option<(&mut Seat, &mut Mind)> {
        let at = *self.places.get(key.0)? as usize;
        self.rests = false;
        Some((&mut self.seats[at], self.minds.get_mut(key.0)?))
    }

    /// Number of minds.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Gives a mind another profile, from its next update on. Values stay with their senses.
    pub fn set_profile(&mut self, key: MindKey, profile: Arc<Profile>) {
        if let Some((seat, mind)) = self.both(key) {
            seat.interval = profile.update_interval;
            mind.profile = profile;
        }
    }

    /// The profile that the next update uses.
    pub fn profile(&self, key: MindKey) -> Option<&Arc<Profile>> {
        self.mind(key).map(|mind| &mind.profile)
    }

    /// Whose records the beliefs follow; `None`: there is nobody any more, beliefs expire in the next tick.
    pub fn set_perceiver(&mut self, key: MindKey, perceiver: Option<PerceiverKey>) {
        if let Some((seat, mind)) = self.both(key)
            && seat.perceiver != perceiver
        {
            seat.perceiver = perceiver;
            (seat.rebase, seat.wakes) = (true, true);
            mind.identities = None;
        }
    }

    /// Whose records the beliefs follow.
    pub fn perceiver(&self, key: MindKey) -> Option<PerceiverKey> {
        self.seat(key)?.perceiver
    }

    /// Off: its beliefs expire in the next tick, and no new ones begin.
    pub fn set_enabled(&mut self, key: MindKey, enabled: bool) {
        if let Some((seat, _)) = self.both(key) {
            seat.enabled = enabled;
            seat.wakes |= enabled;
        }
    }

    /// Out of the tree: unless it is back before the next common tick, it loses its beliefs, silently.
    pub fn set_present(&mut self, key: MindKey, present: bool) {
        if let Some((seat, _)) = self.both(key) {
            seat.present = present;
            seat.wakes = true;
            self.left |= !present;
        }
    }

    /// Forgets beliefs and attention, silently. Observations and overrides stay.
    pub fn drop_beliefs(&mut self, key: MindKey) {
        if let Some((seat, mind)) = self.both(key) {
            mind.drop_beliefs();
            (seat.knows, seat.live, seat.wakes) = (false, false, true);
        }
    }

    /// Says which adapters somebody answers for.
    pub fn set_asks(&mut self, key: MindKey, asks: Asks) {
        if let Some(mind) = self.mind_mut(key) {
            mind.asks = asks;
        }
    }

    /// The minds that the tick updates, in id order. Call it once per tick, after perception has settled.
    pub fn due(&mut self, perception: &PerceptionWorld, scope: Scope, list: &mut Vec<MindKey>) {
        list.clear();
        if scope == Scope::Common && std::mem::take(&mut self.left) {
            let gone: Vec<MindKey> =
                self.seats.iter().filter(|seat| !seat.present).map(|seat| seat.key).collect();
            gone.into_iter().for_each(|key| self.drop_beliefs(key));
        }
        let common = scope == Scope::Common;
        // Without beliefs and without a change there is nothing to look at, however many minds there are.
        if common && self.rests && self.stirs == perception.stirs() {
            return;
        }
        let mut rests = common;
        let due = self.seats.iter_mut().filter_map(|seat| {
            let due = seat.present && seat.is_due(perception, scope);
            rests &= seat.is_at_rest();
            due.then_some(seat.key)
        });
        list.extend(due);
        (self.rests, self.stirs) = (rests, perception.stirs());
    }

    /// Begins the update of a mind: its beliefs follow the records. What came of the last one is forgotten, and an
    /// update under way is over.
    pub fn begin(&mut self, key: MindKey, around: &Surroundings<'_>) -> Option<Update> {
        let (seat, mind) = self.both(key)?;
        let perceiver = seat.placed(around.perception);
        let now = seat.seen;
        let moment = Moment {
            now,
            dt: (now - seat.updated).max(0.0),
            tick: seat.tick,
            origin: around.origin,
            range: mind.range(around.perception, perceiver),
        };
        seat.updated = now;
        mind.prepare(std::mem::take(&mut seat.jump));
        let (retention, follows) = (mind.laid_out.expired_retention, seat.enabled);
        match perceiver {
            Some(perceiver) if follows => mind.follow(around, perceiver, now),
            _ => mind.end_all(now),
        }
        // Without a perceiver there is no time that could pass.
        mind.remove_stale(if perceiver.is_some() { retention } else { 0.0 }, now);
        mind.courses += 1;
        let serial = mind.courses;
        mind.course = Some(Course::new(serial, moment));
        seat.knows = !mind.beliefs.is_empty();
        let live = mind.count_live();
        seat.live = live > 0;
        self.stats.updates += 1;
        self.stats.beliefs_updated += live as u32;
        Some(Update { mind: key, serial })
    }

    /// The next question of an update; `None`: it is over, or out of date.
    pub fn next(&mut self, update: Update) -> Option<Question> {
        self.next_knowing(update, &mut |_| None)
    }

    /// As [`Self::next`], for a caller that knows at once how most targets stand: `posture` is called instead of
    /// returning [`Question::Posture`], and that is returned only for whom it knows nothing of.
    pub fn next_knowing(
        &mut self,
        update: Update,
        posture: &mut dyn FnMut(TargetRef) -> Option<Posture>,
    ) -> Option<Question> {
        let mind = self.mind_mut(update.mind)?;
        let mut course = mind.course.take_if(|course| course.serial == update.serial)?;
        let question = course.run(mind, posture);
        mind.course = question.map(|_| course);
        self.count(question?);
        question
    }

    fn count(&mut self, question: Question) {
        use Question::{Attention, Fuse, Threat};
        if matches!(question, Fuse { .. } | Threat { .. } | Attention { .. }) {
            self.stats.policy_questions += 1;
        } else {
            self.stats.adapter_questions += 1;
        }
    }

    /// Takes the counts; they begin again at 0.
    pub fn take_stats(&mut self) -> AwarenessStats {
        std::mem::take(&mut self.stats)
    }

    /// Goes on with the answer. An answer to an update that is out of date is dropped.
    pub fn answer(&mut self, update: Update, answer: Answer) {
        let Some(mind) = self.mind_mut(update.mind) else { return };
        if let Some(mut course) = mind.course.take_if(|course| course.serial == update.serial) {
            let profile = mind.laid_out.clone();
            course.answer(mind, &profile, answer);
            mind.course = Some(course);
        }
    }

    /// While [`Question::Fuse`] is out: the samples of its belief and of all for which the same will be asked after it, one
    /// belief after the other, as many for each. The list is emptied first. How many beliefs these are.
    pub fn samples_in_a_row(&self, update: Update, samples: &mut Vec<Sample>) -> usize {
        samples.clear();
        let mind = self.mind(update.mind);
        let course =
            mind.and_then(|mind| mind.course.as_ref()).filter(|course| course.serial == update.serial);
        let Some((mind, from)) = mind.zip(course.and_then(Course::fuses_at)) else { return 0 };
        let rest = mind.beliefs.iter().enumerate().skip(from).filter(|(_, belief)| belief.attached);
        rest.map(|(at, _)| samples.extend(mind.samples(at))).count()
    }

    /// Answers [`Question::Fuse`] with a number, and those that follow with the numbers after it: most of what asking costs is
    /// spared. If the next question is about the fusion of another belief, it is out now, as if [`Self::next`] had asked it. If
    /// not, false: go on with [`Self::next`].
    pub fn fuse_on(&mut self, update: Update, values: &[f64]) -> bool {
        let Some(mind) = self.minds.get_mut(update.mind.0) else { return false };
        let Mind { course, beliefs, problems, .. } = &mut *mind;
        let Some(course) = course.as_mut().filter(|course| course.serial == update.serial) else {
            return false;
        };
        let mut asks = false;
        for value in values {
            asks = course.fuse_on((&mut *beliefs, &mut *problems), *value);
            self.stats.policy_questions += u32::from(asks);
        }
        asks
    }

    /// Ends an update where it is, when its agent left in the middle of it.
    pub fn abandon(&mut self, update: Update) {
        if let Some(mind) = self.mind_mut(update.mind) {
            mind.course.take_if(|course| course.serial == update.serial);
        }
    }

    /// Answers [`Question::Identity`]: the tags of an agent without a source.
    pub fn answer_identity(&mut self, update: Update, table: &TagTable, tags: &TagSet) {
        let Some(mind) = self.mind_mut(update.mind) else { return };
        if let Some(mut course) = mind.course.take_if(|course| course.serial == update.serial) {
            course.answer_identity(mind, table, tags);
            mind.course = Some(course);
        }
    }

    /// Commits the attention to a target until that is cleared or the target's belief ends.
    pub fn set_attention_override(&mut self, key: MindKey, target_id: u64) -> Override {
        let Some((seat, mind)) = self.both(key) else { return Override::Refused };
        let Some(at) = mind.find(target_id).ok().filter(|at| mind.beliefs[*at].attached) else {
            return Override::Refused;
        };
        let target = mind.beliefs[at].target;
        mind.attention.forced = true;
        match mind.attention.commit((Some(target), AttentionReason::Overridden), seat.seen) {
            None => Override::Holds,
            Some(event) if mind.course.is_some() => {
                mind.events.push(event);
                Override::Holds
            }
            Some(event) => Override::Changed(event),
        }
    }

    /// The rule or policy chooses again, from the next update on.
    pub fn clear_attention_override(&mut self, key: MindKey) {
        if let Some(mind) = self.mind_mut(key) {
            mind.attention.forced = false;
        }
    }

    /// Says what an agent is to this one, whatever the rules say.
    pub fn set_relationship_override(&mut self, key: MindKey, agent: NodeId, relationship: Relationship) {
        if let Some(mind) = self.mind_mut(key) {
            mind.overrides.retain(|(of, _)| *of != agent);
            mind.overrides.push((agent, relationship));
        }
    }

    /// The rules say again what an agent is.
    pub fn clear_relationship_override(&mut self, key: MindKey, agent: NodeId) {
        if let Some(mind) = self.mind_mut(key) {
            mind.overrides.retain(|(of, _)| *of != agent);
        }
    }

    /// Forgets observations: of one agent, or all.
    pub fn clear_observations(&mut self, key: MindKey, agent: Option<NodeId>) {
        if let Some(mind) = self.mind_mut(key) {
            mind.memory.forget(agent);
        }
    }
}
