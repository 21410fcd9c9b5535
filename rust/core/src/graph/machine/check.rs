//! Whether a node could start.

use super::pick::{Facts, Subject};
use super::report::Desk;
use crate::graph::parts::{Affordable, CostPlan, affordable};
use crate::graph::{Fail, Node, PayloadPlan, Question};

/// The questions before a start, in their order. Nothing is spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    pub node: u32,
    stage: Stage,
    at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Gates,
    Costs,
    Payload,
}

impl Check {
    pub fn new(node: u32) -> Self {
        Self { node, stage: Stage::Gates, at: 0 }
    }

    /// Goes on, or says how it went.
    pub fn poll(&mut self, subject: &Subject, facts: &Facts, desk: &mut Desk) -> Result<Fail, Question> {
        if let Some(answer) = desk.tape.read() {
            return Ok(Fail::from_code(i64::from(answer)).unwrap_or(Fail::None));
        }
        let fail = self.decide(subject, facts, desk)?;
        desk.tape.write(fail.code() as u8);
        Ok(fail)
    }

    fn decide(&mut self, subject: &Subject, facts: &Facts, desk: &mut Desk) -> Result<Fail, Question> {
        let node = facts.graph.node(self.node);
        if self.stage == Stage::Gates {
            if !node.enabled {
                return Ok(Fail::Disabled);
            }
            if !self.gates_open(node, subject, facts, desk)? {
                return Ok(Fail::Gate);
            }
            let charges = node.cooldown.as_ref().map(|plan| facts.cooldowns.charges(&plan.key, facts.now));
            if charges == Some(Some(0)) {
                return Ok(Fail::Cooldown);
            }
            (self.stage, self.at) = (Stage::Costs, 0);
        }
        if self.stage == Stage::Costs {
            if !self.costs_payable(node, subject, facts, desk)? {
                return Ok(Fail::Cost);
            }
            self.stage = Stage::Payload;
        }
        let PayloadPlan::Asked { may_fail: true } = node.payload else { return Ok(Fail::None) };
        match desk.answer.take() {
            Some(true) => Ok(Fail::None),
            Some(false) => Ok(Fail::Payload),
            None => Err(Question::CanStart(subject.candidate(self.node))),
        }
    }

    fn gates_open(
        &mut self,
        node: &Node,
        subject: &Subject,
        facts: &Facts,
        desk: &mut Desk,
    ) -> Result<bool, Question> {
        while let Some(gate) = node.gates.get(self.at) {
            let open = match gate.open(facts.world).or_else(|| desk.answer.take()) {
                Some(open) => open,
                None => {
                    let candidate = subject.candidate(self.node);
                    return Err(Question::Gate { candidate, index: self.at as u32 });
                }
            };
            if !open {
                return Ok(false);
            }
            self.at += 1;
        }
        Ok(true)
    }

    fn costs_payable(
        &mut self,
        node: &Node,
        subject: &Subject,
        facts: &Facts,
        desk: &mut Desk,
    ) -> Result<bool, Question> {
        if self.at == 0 && matches!(affordable(&node.costs, facts.world), Affordable::No(_)) {
            return Ok(false);
        }
        while let Some(cost) = node.costs.get(self.at) {
            if matches!(cost, CostPlan::Script) {
                match desk.answer.take() {
                    Some(true) => {}
                    Some(false) => return Ok(false),
                    None => {
                        let candidate = subject.candidate(self.node);
                        return Err(Question::Cost { candidate, index: self.at as u32 });
                    }
                }
            }
            self.at += 1;
        }
        Ok(true)
    }
}
