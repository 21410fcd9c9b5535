//! A decision as it is handed out: who stood for choice, with what score, and why not.

use std::fmt::Write as _;
use std::sync::Arc;

use super::list::List;
use super::score::{FactorKey, Row, Scratch};
use super::{ActionPlan, Detail, Origin, Refusal, TargetKey};

/// How a decision ended. The integers are the `DECISION_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum DecisionOutcome {
    /// Nothing was chosen.
    #[default]
    None = 0,
    /// The winner was started.
    Started = 1,
    /// What runs goes on.
    Kept = 2,
    /// The winner took the place of what ran.
    Switched = 3,
    /// What runs goes on with another target.
    Retargeted = 4,
    /// What ran began anew with another target.
    Restarted = 5,
    /// Nothing was valid, and the fallback was started.
    Fallback = 6,
    /// Every start was refused.
    StartRefused = 7,
    /// Asked for without consequences.
    Preview = 8,
}

impl DecisionOutcome {
    /// The integer of the `DECISION_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }
}

/// One candidate of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionRow {
    /// The action.
    pub action: Arc<str>,
    /// On whom.
    pub target: Option<TargetKey>,
    /// The whole product; 0 if it was not computed.
    pub score: f64,
    /// It was chosen.
    pub won: bool,
    /// Why not.
    pub refusal: Refusal,
    /// What the refusal says beyond its reason; may be empty.
    pub detail: String,
    /// What the running action is worth now, on its own row only.
    pub hold: Option<f64>,
    /// Factors by name in the order of the product; only while recording.
    pub factors: Vec<(Arc<str>, f64)>,
}

/// A finished decision with all its candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// How it ended.
    pub outcome: DecisionOutcome,
    /// What was chosen.
    pub action: Option<Arc<str>>,
    /// On whom.
    pub target: Option<TargetKey>,
    /// The winner's score.
    pub score: f64,
    /// The evaluator's clock.
    pub time: f64,
    /// Number of the evaluation, from 0.
    pub evaluation_index: u64,
    /// Context seed.
    pub seed: u64,
    /// Who asked for the start.
    pub origin: Origin,
    /// All candidates, in list order.
    pub rows: Vec<DecisionRow>,
}

impl Decision {
    /// Several lines that say what was chosen and why the others were not. `name` gives a target's name.
    pub fn to_text(&self, name: &dyn Fn(TargetKey) -> String) -> String {
        let mut text = format!("#{} at {:.2} s: {}", self.evaluation_index, self.time, self.headline(name));
        for row in &self.rows {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n {}", row.line(name));
        }
        text
    }

    fn headline(&self, name: &dyn Fn(TargetKey) -> String) -> String {
        let Some(action) = &self.action else {
            return "nothing valid".to_owned();
        };
        let what = on(action, self.target, name);
        let score = self.score;
        let started = self.outcome == DecisionOutcome::Started;
        match (self.outcome, self.origin) {
            (DecisionOutcome::Fallback, _) => format!("nothing valid, falls back on {what}"),
            (_, Origin::Forced) if started => format!("forced {what}"),
            (DecisionOutcome::Started, _) => format!("started {what}, score {score:.4}"),
            (DecisionOutcome::Kept, _) => format!("kept {what}, worth {score:.4}"),
            (DecisionOutcome::Switched, _) => format!("switched to {what}, score {score:.4}"),
            (DecisionOutcome::Retargeted, _) => format!("turned on with {what}, score {score:.4}"),
            (DecisionOutcome::Restarted, _) => format!("restarted {what}, score {score:.4}"),
            (DecisionOutcome::StartRefused, _) => format!("{what} was refused"),
            (DecisionOutcome::Preview, _) => format!("best is {what}, score {score:.4}"),
            (DecisionOutcome::None, _) => "nothing valid".to_owned(),
        }
    }
}

impl DecisionRow {
    /// One line: a star if it won, whom it is aimed at, and its score or why it was refused.
    pub fn line(&self, name: &dyn Fn(TargetKey) -> String) -> String {
        let mark = if self.won { '*' } else { ' ' };
        format!("{mark} {}: {}", on(&self.action, self.target, name), self.to_text())
    }

    fn to_text(&self) -> String {
        let mut text = match (self.refusal, self.score > 0.0) {
            (Refusal::None, _) | (Refusal::Outscored, true) => format!("{:.4}", self.score),
            (refusal, _) => refusal.name().to_owned(),
        };
        if !self.detail.is_empty() {
            let _ = write!(text, " ({})", self.detail);
        }
        for (n, (name, value)) in self.factors.iter().enumerate() {
            let _ = write!(text, "{}{name} {value:.4}", if n == 0 { " = " } else { " x " });
        }
        text
    }
}

fn on(action: &str, target: Option<TargetKey>, name: &dyn Fn(TargetKey) -> String) -> String {
    target.map_or_else(|| action.to_owned(), |key| format!("{action} -> {}", name(key)))
}

/// The name of a tag that blocks the agent, if there are so many.
pub(super) type BlockName<'a> = dyn Fn(usize) -> Option<Arc<str>> + 'a;

/// The rows of an evaluation with everything by name.
///
/// `block_name`: the name of a tag that blocked the agent, by its number among those that do.
pub(super) fn rows(scratch: &Scratch, list: &List, block_name: &BlockName) -> Vec<DecisionRow> {
    let named = |(at, row): (usize, &Row)| {
        let plan = &list.entries[row.index].plan;
        let own = scratch.factors.iter().filter(|factor| factor.0 as usize == at);
        // Read while it is being carried out, or cut short: the others stood until then.
        let stood = row.refusal == Refusal::None && !row.won;
        DecisionRow {
            action: plan.id.shared_name(),
            target: row.target,
            score: row.score,
            won: row.won,
            refusal: if stood { Refusal::Outscored } else { row.refusal },
            hold: scratch.hold.filter(|hold| hold.0 == at).map(|hold| hold.1),
            detail: detail(row.detail, plan, block_name),
            factors: own.map(|(_, key, value)| (factor_name(*key, plan), *value)).collect(),
        }
    };
    scratch.rows.iter().enumerate().map(named).collect()
}

fn detail(detail: Detail, plan: &ActionPlan, block_name: &BlockName) -> String {
    match detail {
        Detail::None => String::new(),
        Detail::Cooldown(left) => format!("Cooldown ({left:.1}s remaining)"),
        Detail::Recovering(left) => format!("Recovering ({left:.1}s remaining)"),
        Detail::Margin { score, hold, margin } => {
            format!("{score:.4} < {hold:.4} x {}", short(1.0 + margin))
        }
        Detail::Uses(count, limit) => format!("Used {count} of {limit} in a row"),
        Detail::MissingTag(at) => format!("Missing tag {}", plan.requires_tags.name(at as usize)),
        Detail::BlockedByTag(at) => format!("Blocked by tag {}", plan.block_tags.name(at as usize)),
        // The settings may be others by now.
        Detail::BlockedGlobally(at) => match block_name(at as usize) {
            Some(name) => format!("Blocked by tag {name}"),
            None => String::new(),
        },
        Detail::Gate(at) => plan.gates[at as usize].label.to_string(),
    }
}

/// Up to four places, without zeros at the end.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn factor_name(key: FactorKey, plan: &ActionPlan) -> Arc<str> {
    match key {
        FactorKey::WeightRisk => "weight/risk".into(),
        FactorKey::Tag(at) => plan.tag_multipliers[at as usize].name.clone(),
        FactorKey::Novelty => "novelty".into(),
        FactorKey::Chain => "chain".into(),
        FactorKey::Scorer(at) => plan.scorers[at as usize].label.clone(),
        FactorKey::Runtime => "runtime".into(),
        FactorKey::Jitter => "jitter".into(),
        FactorKey::Script => "script".into(),
    }
}
