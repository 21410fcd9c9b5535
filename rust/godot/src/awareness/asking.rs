//! Answers what an update of a mind asks: policies and what only the game knows. Nothing is held while a script runs.

use godot::prelude::*;
use riposte_core::awareness::{Answer, BeliefRef, MindKey, Posture, Question, Relationship, Sample, Update};
use riposte_core::perception::TargetRef;

use super::fusing::{self, Fusing};
use super::policies::{self, Slot};
use super::{SourceStance, posture, relationship, sides, state};
use crate::agent::{self, health};
use crate::base::tags;
use crate::perception::{self, state as perception_state};

/// One update that asks.
pub(super) struct Asker {
    node: InstanceId,
    key: MindKey,
    agent: Option<InstanceId>,
    update: Update,
    /// Of the beliefs that a fusion policy is asked about.
    samples: Vec<Sample>,
    /// How many those are.
    beliefs: usize,
    fusing: Option<Fusing>,
}

impl Asker {
    /// For an update that began.
    pub(super) fn new(node: InstanceId, key: MindKey, agent: Option<InstanceId>, update: Update) -> Self {
        Self { node, key, agent, update, samples: Vec::new(), beliefs: 0, fusing: None }
    }

    /// Goes through the whole update.
    pub(super) fn run(mut self) {
        let first = perception_state::with(|state| self.next(state, None));
        if let Some(first) = first {
            self.run_from(first);
        }
    }

    /// Goes on with a question that is out, to the end of the update.
    pub(super) fn run_from(mut self, mut question: Question) {
        loop {
            let answer = self.answer(&question);
            match perception_state::with(|state| self.next(state, answer)) {
                Some(next) => question = next,
                None => break,
            }
        }
        if let Some(fusing) = self.fusing {
            fusing.end(self.node, self.key);
            fusing::keep_list(self.samples);
        }
    }

    /// Takes an answer to the next question that needs more than what is known here.
    pub(super) fn next(
        &mut self,
        state: &mut perception_state::State,
        answer: Option<Answer>,
    ) -> Option<Question> {
        let (minds, stance_of) = state.minds_and_stances();
        if let Some(answer) = answer {
            minds.world.answer(self.update, answer);
        }
        let question = minds.next(self.node, self.update, stance_of)?;
        if let Question::Fuse { .. } = question {
            if self.samples.capacity() == 0 {
                self.samples = fusing::spare_list();
            }
            self.beliefs = minds.world.samples_in_a_row(self.update, &mut self.samples);
        }
        Some(question)
    }

    /// `None`: it was answered already.
    fn answer(&mut self, question: &Question) -> Option<Answer> {
        Some(match *question {
            Question::Health => self.health(),
            Question::Identity { agent } => {
                self.tell_identity(agent);
                return None;
            }
            Question::Fuse { bonus, .. } => return self.fuse(bonus),
            Question::Relationship { target } => self.relationship(target),
            Question::Threat { belief, relationship } => self.threat(belief, relationship),
            Question::Attention { current, time, stickiness, threshold } => {
                self.attention(current, &[time, stickiness, threshold])
            }
            Question::Posture { target } => Answer::Posture(posture_of(target)),
            _ => Answer::None,
        })
    }

    fn agent(&self) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(self.agent?).ok()
    }

    fn health(&self) -> Answer {
        let health = self.agent().and_then(|agent| health::fraction(&agent));
        health.map_or(Answer::None, Answer::Number)
    }

    /// Tags of an agent that has no source.
    fn tell_identity(&self, agent: i64) {
        let own = InstanceId::try_from_i64(agent).map(|agent| agent::read_tags(agent, |set, _| set.clone()));
        let own = own.unwrap_or_default();
        state::with(|minds| {
            tags::with_table(|table| minds.world.answer_identity(self.update, table, &own));
        });
    }

    /// All beliefs in a row, as far as the policy does not look at anything or change it; the answers are given here.
    fn fuse(&mut self, bonus: f64) -> Option<Answer> {
        if self.fusing.is_none() {
            self.fusing = Fusing::begin(self.node, self.key);
        }
        let Some(fusing) = &mut self.fusing else { return Some(Answer::None) };
        let asked = (self.node, self.update);
        while self.beliefs > 0 {
            let fused = fusing.call(&self.samples, self.beliefs, bonus);
            self.beliefs = state::with(|minds| minds.fuse_on(asked, fused, &mut self.samples));
        }
        None
    }

    fn relationship(&self, target: TargetRef) -> Answer {
        let Some(agent) = self.agent() else { return Answer::None };
        let Some(other) = perception::live_agent(target) else { return Answer::None };
        match relationship::ask(&agent, &other) {
            Some(relationship) => Answer::Relationship(relationship.to_int()),
            None => Answer::None,
        }
    }

    fn threat(&self, belief: BeliefRef, relationship: Relationship) -> Answer {
        let Some(policy) = sides::policy(self.node, Slot::Threat) else { return Answer::None };
        let record = sides::record(self.node, belief);
        let arguments = [record.to_variant(), relationship.to_int().to_variant()];
        Answer::Number(number(&policies::call(&policy, Slot::Threat, &arguments)))
    }

    fn attention(&self, current: Option<TargetRef>, numbers: &[f64; 3]) -> Answer {
        let Some(policy) = sides::policy(self.node, Slot::Attention) else { return Answer::None };
        let mut targets = Vec::new();
        state::with(|minds| minds.world.candidates(self.key, &mut targets));
        let nodes: Vec<Gd<Node>> = targets.into_iter().filter_map(perception::live_agent).collect();
        let candidates = sides::candidates(self.node, &nodes);
        let current = current.and_then(perception::live_agent);
        let [time, stickiness, threshold] = numbers.map(|number| number.to_variant());
        let arguments = [candidates, current.to_variant(), time, stickiness, threshold];
        let chosen = policies::call(&policy, Slot::Attention, &arguments);
        sides::release_candidates(self.node);
        target_in(&chosen)
    }
}

/// What is no number is not a number.
pub(super) fn number(answer: &Variant) -> f64 {
    match answer.get_type() {
        VariantType::FLOAT => answer.to::<f64>(),
        VariantType::INT => answer.to::<i64>() as f64,
        _ => f64::NAN,
    }
}

/// A freed node is nobody.
fn target_in(chosen: &Variant) -> Answer {
    match chosen.get_type() {
        VariantType::NIL => Answer::Target(None),
        VariantType::OBJECT => {
            let object =
                chosen.object_id_unchecked().and_then(|id| Gd::<Object>::try_from_instance_id(id).ok());
            let Some(object) = object else { return Answer::Target(None) };
            let target = object.try_cast::<Node>().ok().and_then(|node| perception::target_of(&node));
            target.map_or(Answer::Stranger, |target| Answer::Target(Some(target.id)))
        }
        _ => Answer::Stranger,
    }
}

/// How a target holds itself. Runs scripts where somebody can tell.
fn posture_of(target: TargetRef) -> Posture {
    let Some(agent) = InstanceId::try_from_i64(target.agent) else { return Posture::Unreported };
    let own = perception::source_stance(agent).map(SourceStance::known);
    let agent = Gd::<Node>::try_from_instance_id(agent);
    agent.map_or(Posture::Unreported, |agent| posture::posture(&agent, own))
}

/// Stops asking whom nobody answers for: an update of a mind with nobody to ask is one call.
pub(super) fn asks(agent: Option<InstanceId>) -> riposte_core::awareness::Asks {
    let relationship = agent.is_some_and(|agent| {
        relationship::known(agent).unwrap_or_else(|| {
            Gd::<Node>::try_from_instance_id(agent).is_ok_and(|agent| relationship::can_ask(&agent))
        })
    });
    riposte_core::awareness::Asks { relationship, posture: true }
}

/// The identity of any agent: what its source says, else the tags of its TagContainer.
pub(super) fn identity(agent: InstanceId) -> riposte_core::tags::TagSet {
    let by_source = perception_state::with(|state| {
        let target = state.world.target_of(agent.to_i64())?;
        state.world.identity(target.key).map(|identity| identity.tags.clone())
    });
    by_source.unwrap_or_else(|| agent::read_tags(agent, |set, _| set.clone()))
}
