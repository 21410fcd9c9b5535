//! What scripts ask between updates.

use crate::perception::{NodeId, PerceiverKey, PerceptionWorld, TargetRef};
use crate::tags::TagSet;

use super::attention::Attention;
use super::belief::{Belief, Frozen};
use super::explain::Explanation;
use super::kinds::{Relationship, ThreatLevel};
use super::memory::Observation;
use super::mind::Mind;
use super::question::{BeliefRef, Event, Problem};
use super::relation::RelationSource;
use super::sense::Sample;
use super::stance::Posture;
use super::world::{AwarenessWorld, MindKey};

impl Mind {
    /// Ready for the next update: nothing is left of the last one.
    pub(super) fn prepare(&mut self, jump: f64) {
        self.events.clear();
        self.problems.clear();
        self.removed.clear();
        if jump != 0.0 {
            self.shift(jump);
        }
        if !std::sync::Arc::ptr_eq(&self.profile, &self.laid_out) {
            let profile = self.profile.clone();
            self.lay_out(&profile);
            self.identities = None;
        }
    }

    /// Distance at which proximity is 0.
    pub(super) fn range(&self, perception: &PerceptionWorld, perceiver: Option<PerceiverKey>) -> f64 {
        if self.profile.score_range > 0.0 {
            return self.profile.score_range;
        }
        let settings = perceiver.and_then(|key| perception.perceiver_settings(key));
        settings.map_or(self.last.range, |settings| settings.retain_radius())
    }

    pub(super) fn drop_beliefs(&mut self) {
        self.beliefs.clear();
        self.slots.clear();
        self.order.clear();
        self.attention = Attention::default();
        self.highest = ThreatLevel::None;
        self.events.clear();
        self.problems.clear();
        self.removed.clear();
        self.course = None;
    }

    fn belief_of(&self, key: BeliefRef) -> Option<usize> {
        self.find(key.target_id).ok().filter(|at| self.beliefs[*at].serial == key.serial)
    }
}

impl AwarenessWorld {
    /// Moves the events of the last update to the end of a list, in the order in which they are told.
    pub fn take_events(&mut self, key: MindKey, list: &mut Vec<Event>) {
        if let Some(mind) = self.mind_mut(key) {
            list.append(&mut mind.events);
        }
    }

    /// Moves what was wrong with answers of the last update to the end of a list.
    pub fn take_problems(&mut self, key: MindKey, list: &mut Vec<Problem>) {
        if let Some(mind) = self.mind_mut(key) {
            list.append(&mut mind.problems);
        }
    }

    /// True if the last update has nothing to tell: no event, no problem, no belief removed.
    pub fn is_quiet(&self, key: MindKey) -> bool {
        let quiet =
            |mind: &Mind| mind.events.is_empty() && mind.problems.is_empty() && mind.removed.is_empty();
        self.mind(key).is_none_or(quiet)
    }

    /// The number of beliefs, expired ones included.
    pub fn belief_count(&self, key: MindKey) -> usize {
        self.mind(key).map_or(0, |mind| mind.beliefs.len())
    }

    /// Beliefs that the last update removed.
    pub fn removed(&self, key: MindKey) -> &[Frozen] {
        self.mind(key).map_or(&[], |mind| &mind.removed)
    }

    /// The perceiver's time at the mind's last tick.
    pub fn now(&self, key: MindKey) -> f64 {
        self.seat(key).map_or(0.0, |seat| seat.seen)
    }

    /// The belief of a target, expired ones included.
    pub fn belief(&self, key: MindKey, target_id: u64) -> Option<&Belief> {
        let mind = self.mind(key)?;
        mind.find(target_id).ok().map(|at| &mind.beliefs[at])
    }

    /// A belief by its name; `None` once it was removed.
    pub fn belief_by_ref(&self, key: MindKey, belief: BeliefRef) -> Option<&Belief> {
        let mind = self.mind(key)?;
        mind.belief_of(belief).map(|at| &mind.beliefs[at])
    }

    /// All beliefs, expired ones included: best score first, then by target id.
    pub fn beliefs(&self, key: MindKey) -> impl Iterator<Item = &Belief> {
        let mind = self.mind(key);
        mind.into_iter().flat_map(|mind| mind.order.iter().filter_map(|at| mind.beliefs.get(*at as usize)))
    }

    /// What the senses say of a belief, in the profile's order. The list is emptied first.
    pub fn samples(&self, key: MindKey, belief: BeliefRef, list: &mut Vec<Sample>) {
        list.clear();
        if let Some(mind) = self.mind(key)
            && let Some(at) = mind.belief_of(belief)
        {
            list.extend(mind.samples(at));
        }
    }

    /// Targets that may become the attention target, best score first. The list is emptied first.
    pub fn candidates(&self, key: MindKey, list: &mut Vec<TargetRef>) {
        list.clear();
        if let Some(mind) = self.mind(key) {
            list.extend(mind.field(&mind.profile, 0.0).candidates().map(|belief| belief.target));
        }
    }

    /// Every factor of a belief.
    pub fn explain(&self, key: MindKey, belief: BeliefRef) -> Option<Explanation> {
        let mind = self.mind(key)?;
        mind.belief_of(belief).map(|at| mind.explain(at))
    }

    /// Whom the agent attends to.
    pub fn attention_target(&self, key: MindKey) -> Option<TargetRef> {
        self.mind(key)?.attention.current
    }

    /// For how long it has; 0 when to nobody.
    pub fn time_on_attention(&self, key: MindKey) -> f64 {
        let attention = self.mind(key).map(|mind| &mind.attention).filter(|it| it.current.is_some());
        attention.map_or(0.0, |attention| (self.now(key) - attention.since).max(0.0))
    }

    /// True while a script's override holds.
    pub fn is_overridden(&self, key: MindKey) -> bool {
        self.mind(key).is_some_and(|mind| mind.attention.forced)
    }

    /// The highest level of all beliefs.
    pub fn highest(&self, key: MindKey) -> ThreatLevel {
        self.mind(key).map_or(ThreatLevel::None, |mind| mind.highest)
    }

    /// Factor of every reading by the own health, of the last update.
    pub fn pain(&self, key: MindKey) -> f64 {
        self.mind(key).map_or(1.0, |mind| mind.last.pain)
    }

    /// A script's override.
    pub fn relationship_override(&self, key: MindKey, agent: NodeId) -> Option<Relationship> {
        self.mind(key)?.override_of(agent)
    }

    /// What any agent is to this one. `adapter`: what the agent itself says; `own`, `other`: identities.
    pub fn relationship(
        &self,
        key: MindKey,
        agent: NodeId,
        adapter: Option<Relationship>,
        (own, other): (&TagSet, &TagSet),
        table: &crate::tags::TagTable,
    ) -> (Relationship, RelationSource) {
        let Some(mind) = self.mind(key) else { return Default::default() };
        let rules = &mind.profile.relations;
        let mut beliefs = mind.beliefs.iter();
        let turned = beliefs.any(|belief| belief.target.agent == agent && belief.turned_hostile);
        rules.relate(mind.override_of(agent), adapter, rules.by_tags(own, other, table), turned)
    }

    /// What was observed of an agent.
    pub fn observation(&self, key: MindKey, agent: NodeId) -> Option<&Observation> {
        self.mind(key)?.memory.of(agent)
    }

    /// Time for which an agent was observed in one posture; `None`: in all.
    pub fn observed_time(&self, key: MindKey, agent: NodeId, stance: Option<Posture>) -> f64 {
        self.observation(key, agent).map_or(0.0, |seen| seen.time(stance))
    }

    /// Crouched and prone over all.
    pub fn sneaking_fraction(&self, key: MindKey, agent: NodeId) -> f64 {
        self.observation(key, agent).map_or(0.0, Observation::sneaking_fraction)
    }

    /// All observations, in order of their beginning.
    pub fn observations(&self, key: MindKey) -> impl Iterator<Item = Observation> + '_ {
        let now = self.now(key);
        self.mind(key).into_iter().flat_map(move |mind| mind.memory.all(now))
    }
}
