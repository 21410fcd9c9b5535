//! Which of a node's transitions an input takes.

use glam::DVec2;

use super::cooldowns::Cooldowns;
use super::open::Open;
use super::report::{Desk, Verdict};
use crate::graph::parts::{PartsWorld, PressView};
use crate::graph::{Candidate, FiresOn, Graph, Question, Wire};
use crate::tags::TagId;

/// No such index.
pub(super) const NONE: u32 = u32::MAX;

/// What is decided about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub tag: Option<TagId>,
    pub moment: FiresOn,
    pub stick: DVec2,
    pub direction: DVec2,
    /// The node that runs, by index.
    pub from: u32,
}

impl Subject {
    pub fn candidate(&self, node: u32) -> Candidate {
        let Self { tag, moment, stick, direction, from } = *self;
        Candidate { node, from, tag, moment, stick, direction }
    }
}

/// What a decision reads.
pub(super) struct Facts<'a> {
    pub graph: &'a Graph,
    pub world: &'a PartsWorld<'a>,
    pub cooldowns: &'a Cooldowns,
    pub now: f64,
    /// The input's tag and its ancestors.
    pub lineage: &'a [TagId],
    /// [`TagId::bit`] of all of them.
    pub bits: u64,
    pub open: &'a Open,
    /// Transitions of the running node that a press lost.
    pub locked: &'a [u32],
    /// The running node may be cut by now.
    pub past_start: bool,
    /// The kind of window that has opened.
    pub kind: &'a str,
}

/// What counts as open, and what is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The running node: windows as they are.
    Running,
    /// The running node: only what the window that has opened lets through.
    Window,
    /// The move is over: its windows are closed, and all without a kind are open.
    Over,
    /// The move is over and the root was reached.
    Grace,
    /// The root, ends and failures: everything is open.
    All,
}

/// A search among the transitions of one node, the best first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub node: u32,
    pub rule: Rule,
    pub live: bool,
    /// Transitions to this node are left out.
    pub ignoring: u32,
    pub fires_on: FiresOn,
    at: usize,
    condition: usize,
    /// The first that passes.
    pub winner: u32,
    /// The first that passes and is open.
    pub open: u32,
}

enum Test {
    Ask(Question),
    Said(Verdict),
    Passes { open: bool },
}

impl Pick {
    pub fn new(node: u32, rule: Rule, fires_on: FiresOn, live: bool) -> Self {
        Self { node, rule, live, ignoring: NONE, fires_on, at: 0, condition: 0, winner: NONE, open: NONE }
    }

    /// Goes on; `None`: it is decided.
    pub fn poll(&mut self, subject: &Subject, facts: &Facts, desk: &mut Desk) -> Option<Question> {
        if self.node == NONE {
            return None;
        }
        let node = facts.graph.node(self.node);
        if self.is_input() && !node.may_answer(facts.bits) {
            return None;
        }
        let ranked = node.ranked(self.fires_on);
        while let Some(rank) = ranked.get(self.at) {
            let matches = rank.input.is_none_or(|input| facts.lineage.contains(&input));
            let wire = &node.wires[rank.wire as usize];
            if matches && wire.to != self.ignoring {
                match self.test(rank.wire, wire, subject, facts, desk) {
                    Test::Ask(question) => return Some(question),
                    Test::Said(verdict) => {
                        desk.tape.write(0);
                        self.note(rank.wire, verdict, desk);
                    }
                    Test::Passes { open } => {
                        desk.tape.write(1 + u8::from(open));
                        self.note(rank.wire, if open { Verdict::Outranked } else { Verdict::Waits }, desk);
                        if self.passed(rank.wire, wire, open, facts) {
                            return None;
                        }
                    }
                }
            }
            self.at += 1;
            self.condition = 0;
        }
        None
    }

    fn note(&self, wire: u32, verdict: Verdict, desk: &mut Desk) {
        if desk.noting {
            desk.report.note(self.node, wire, verdict);
        }
    }

    /// True: nothing that follows matters.
    fn passed(&mut self, at: u32, wire: &Wire, open: bool, facts: &Facts) -> bool {
        if self.winner == NONE {
            self.winner = at;
            if self.rule == Rule::Running && wire.interrupts && facts.past_start {
                return true;
            }
        }
        if open {
            self.open = at;
        }
        open
    }

    fn test(&mut self, at: u32, wire: &Wire, subject: &Subject, facts: &Facts, desk: &mut Desk) -> Test {
        match desk.tape.read() {
            Some(0) => return Test::Said(Verdict::Recorded),
            Some(answer) => return Test::Passes { open: answer > 1 },
            None => {}
        }
        if let Some(verdict) = self.plain_verdict(at, wire, facts) {
            return Test::Said(verdict);
        }
        let press = PressView { direction: subject.direction, stick: subject.stick };
        let charges = |key: &str| facts.cooldowns.charges(key, facts.now);
        while let Some(condition) = wire.conditions.get(self.condition) {
            let answer = match condition.holds(facts.world, &press, &charges) {
                Some(holds) => holds,
                None if desk.held > 0 => {
                    desk.held -= 1;
                    true
                }
                None => match desk.answer.take() {
                    Some(answer) => condition.answered(answer),
                    None => {
                        return Test::Ask(Question::Condition {
                            from: self.node,
                            transition: at,
                            index: self.condition as u32,
                            candidate: subject.candidate(wire.to),
                        });
                    }
                },
            };
            if !answer {
                return Test::Said(Verdict::Condition(self.condition as u32));
            }
            self.condition += 1;
        }
        Test::Passes { open: self.is_open(wire, facts) }
    }

    /// What takes no question.
    fn plain_verdict(&self, at: u32, wire: &Wire, facts: &Facts) -> Option<Verdict> {
        let own = matches!(self.rule, Rule::Running | Rule::Window | Rule::Over);
        if own && facts.locked.contains(&at) {
            return Some(Verdict::Locked);
        }
        if self.needs_kind(wire, facts) {
            return Some(Verdict::NoKind);
        }
        if !wire.accept_buffered && (self.rule == Rule::Grace || !self.live && self.is_input()) {
            return Some(Verdict::NotBuffered);
        }
        let tags = facts.world.tags;
        if let Some(lists) = &wire.agent_tags {
            if let Some(tag) = lists.blocked.iter().find(|tag| tags.matches(**tag)) {
                return Some(Verdict::BlockedTag(*tag));
            }
            if let Some(tag) = lists.required.iter().find(|tag| !tags.matches(**tag)) {
                return Some(Verdict::MissingTag(*tag));
            }
        }
        let hidden = wire.guarded.then(|| facts.graph.node(wire.to).hidden_by(facts.world))??;
        Some(Verdict::Hidden(hidden as u32))
    }

    fn is_input(&self) -> bool {
        !matches!(self.fires_on, FiresOn::Completed | FiresOn::Failed)
    }

    fn needs_kind(&self, wire: &Wire, facts: &Facts) -> bool {
        match self.rule {
            Rule::All => false,
            Rule::Over | Rule::Grace => !wire.kinds.is_empty(),
            Rule::Running => !wire.kinds.is_empty() && facts.open.any_of(&wire.kinds).is_none(),
            Rule::Window if facts.kind.is_empty() => {
                !wire.kinds.is_empty() && facts.open.any_of(&wire.kinds).is_none()
            }
            Rule::Window => !wire.kinds.iter().any(|kind| &**kind == facts.kind),
        }
    }

    fn is_open(&self, wire: &Wire, facts: &Facts) -> bool {
        match self.rule {
            Rule::Running | Rule::Window => !wire.kinds.is_empty() || facts.open.is_plain_open(),
            Rule::Over | Rule::Grace | Rule::All => true,
        }
    }
}

/// The node has a transition for this input that takes inputs that have waited.
pub(super) fn answers(facts: &Facts, node: u32, fires_on: FiresOn) -> bool {
    let node = facts.graph.node(node);
    node.may_answer(facts.bits)
        && node.ranked(fires_on).iter().any(|rank| {
            rank.input.is_some_and(|input| facts.lineage.contains(&input))
                && node.wires[rank.wire as usize].accept_buffered
        })
}
