//! What a recorded decision saw that asked nobody: its candidates are written, with all their factors, when somebody reads
//! them. Most are never read, and writing them costs many times the decision.

use std::sync::Arc;

use super::decision::{self, Decision, DecisionOutcome, DecisionRow};
use super::flat::FlatList;
use super::flat_pass::{self, FlatScores, FlatWorld};
use super::list::{Entry, List, factor};
use super::readings::Readings;
use super::score::{self, FactorKey, Product, Scratch};
use super::snapshot::Inputs;
use super::{Detail, Evaluator, Origin, Refusal, TargetKey};
use crate::random::mix;

/// A factor of the candidate with this number.
type Factor = (u32, FactorKey, f64);

/// One decision in which nothing was worth anything, as it was seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Glimpse {
    list: Arc<List>,
    target: Option<TargetKey>,
    ordinal: u64,
    inputs: Inputs,
    own: u64,
    all: u64,
    closed: Vec<(u32, Refusal, Detail)>,
    novelty: Vec<f64>,
    chain: Vec<f64>,
    /// Of all actions; of each, if some had a factor of its own.
    runtime: f64,
    runtimes: Vec<f64>,
    jitter: f64,
    /// The tag that blocked the agent.
    blocked: Option<Arc<str>>,
    time: f64,
    index: u64,
    seed: u64,
}

impl Glimpse {
    /// Takes down what a decision sees and found, in the memory of an earlier one.
    pub fn take_down(
        &mut self,
        evaluator: &Evaluator,
        world: &FlatWorld,
        found: &FlatScores,
        (index, seed): (u64, u64),
    ) {
        if !Arc::ptr_eq(&self.list, &evaluator.list) {
            self.list = evaluator.list.clone();
        }
        (self.target, self.ordinal, self.inputs) = (world.target, world.ordinal, *world.inputs);
        (self.own, self.all) = (world.own, world.all);
        self.closed.clone_from(&found.closed);
        self.novelty.clone_from(&found.novelty);
        self.chain.clone_from(&found.chain);
        let (settings, memory) = (&evaluator.settings, &evaluator.memory);
        self.runtime = factor(settings.global_multiplier);
        self.runtimes.clear();
        if memory.has_multipliers() {
            let own = |entry: &Entry| factor(settings.global_multiplier * memory.multiplier(entry.action));
            self.runtimes.extend(self.list.entries.iter().map(own));
        }
        self.jitter = settings.jitter_amount;
        self.blocked = match world.blocked {
            Some((_, Detail::BlockedGlobally(at))) => {
                settings.global_block_tags.try_name(at as usize).cloned()
            }
            _ => None,
        };
        (self.time, self.index, self.seed) = (memory.now, index, seed);
    }

    /// The candidates with everything by name.
    pub fn rows(&self) -> Vec<DecisionRow> {
        let Some(flat) = self.list.flat.as_deref() else { return Vec::new() };
        let mut found = FlatScores { closed: self.closed.clone(), ..FlatScores::default() };
        let mut scratch = Scratch::default();
        found.scores = self.write_factors(flat, &mut scratch.factors);
        let focus = (self.target, 0);
        flat_pass::write_rows(&self.list.entries, flat, focus, &found, &mut scratch.rows);
        decision::rows(&scratch, &self.list, &|_| self.blocked.clone())
    }

    /// The decision whose candidates these are.
    pub fn decision(&self) -> Decision {
        Decision {
            outcome: DecisionOutcome::None,
            action: None,
            target: None,
            score: 0.0,
            time: self.time,
            evaluation_index: self.index,
            seed: self.seed,
            origin: Origin::Scored,
            rows: self.rows(),
        }
    }

    /// The factors of all whose gates are open, in the order of the rules; the products.
    pub fn write_factors(&self, flat: &FlatList, factors: &mut Vec<Factor>) -> Vec<f64> {
        let mut scores = vec![0.0; self.list.entries.len()];
        for (at, score) in scores.iter_mut().enumerate() {
            if !self.closed.iter().any(|closed| closed.0 as usize == at) {
                *score = self.product(at, flat, factors);
            }
        }
        scores
    }

    fn product(&self, at: usize, flat: &FlatList, factors: &mut Vec<Factor>) -> f64 {
        let plan = &self.list.entries[at].plan;
        let alone = flat.alone >> at & 1 != 0;
        let (have, ordinal) = if alone { (self.own, mix(0)) } else { (self.all, self.ordinal) };
        let inputs = Inputs { target: self.inputs.target.filter(|_| !alone), ..self.inputs };
        let mut product = Product::new(1.0, at, true, factors);
        product.begin(flat.base(at));
        for (n, entry) in plan.tag_multipliers.iter().enumerate() {
            if flat.has(have, entry.tag) {
                product.mul(FactorKey::Tag(n as u32), factor(entry.multiplier));
            }
        }
        product.mul(FactorKey::Novelty, self.novelty.get(at).copied().unwrap_or(1.0));
        product.mul(FactorKey::Chain, self.chain.get(at).copied().unwrap_or(1.0));
        for (n, scorer) in plan.scorers.iter().enumerate() {
            if let Some(value) = score::built_in(&scorer.kind, &inputs, &Readings::default()) {
                product.mul(FactorKey::Scorer(n as u32), value);
            }
        }
        let runtime = self.runtimes.get(at).copied().unwrap_or(self.runtime);
        let jitter = score::jitter(self.jitter, mix(self.seed ^ plan.id.hash() ^ ordinal));
        score::finish(&mut product, runtime, jitter)
    }
}
