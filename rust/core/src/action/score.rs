//! Gates and scores as far as they need no script: one pass over all candidates of an evaluation.

use super::flat::FlatList;
use super::flat_pass::{self, FlatScores};
use super::gating::{Veto, action_gates, global_block, listed_gates, owned, target_gates};
use super::list::{Entry, factor};
use super::memory::Memory;
use super::novelty;
use super::plan::{ScorerKind, ScorerPlan};
use super::reaction::{Reacting, Rival};
use super::readings::{Readings, Source};
use super::snapshot::Inputs;
use super::switching::{Held, Standing};
use super::targets::{Seen, Targets};
use super::{ActionPlan, ActionRef, Detail, Refusal, Settings, Snapshot, TargetKey, Virtuals};
use crate::random::{mix, unit};

/// One candidate: an action on a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Place in the list.
    pub index: usize,
    pub action: ActionRef,
    pub target: Option<TargetKey>,
    /// Its number among the targets of the evaluation.
    pub seen: u32,
    pub standing: Standing,
    pub score: f64,
    pub refusal: Refusal,
    pub detail: Detail,
    pub won: bool,
}

/// A candidate that waits for answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// Its row.
    pub row: usize,
    /// The product up to the next scorer.
    pub score: f64,
    /// Which that is: built-in ones that stand before all scripts are in the product already, unless it is written down.
    pub scorer: usize,
    /// What follows the scorers.
    pub runtime: f64,
    pub jitter: f64,
    pub action_seed: u64,
    /// The built-in factors alone give zero: script scorers need not be asked.
    pub hopeless: bool,
    /// The gate that says no by itself, after those before it were asked.
    pub gate: Option<usize>,
    /// What runs already: its gates are not asked.
    pub runs: bool,
}

/// Names one factor of a product. Indices belong to the action's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FactorKey {
    WeightRisk,
    Tag(u32),
    Novelty,
    Chain,
    Scorer(u32),
    Runtime,
    Jitter,
    /// What the evaluator's script made of the score, as a factor.
    Script,
}

/// The memory of one evaluation, reused for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub rows: Vec<Row>,
    pub pending: Vec<Pending>,
    /// Only while recording: row, factor, value.
    pub factors: Vec<(u32, FactorKey, f64)>,
    /// The row of what runs, and what that is worth now.
    pub hold: Option<(usize, f64)>,
    novelty: Vec<f64>,
    pub targets: Targets,
    pub flat: FlatScores,
    /// Some candidate may take the place of what runs, or nothing runs.
    pub contested: bool,
}

impl Scratch {
    fn clear(&mut self) {
        self.rows.clear();
        self.pending.clear();
        self.factors.clear();
        self.hold = None;
        self.contested = false;
    }

    /// The value of a built-in scorer on a row's target; `None` for a script.
    pub fn built_in(&self, kind: &ScorerKind, row: usize) -> Option<f64> {
        let seen = self.targets.get(self.rows[row].seen);
        built_in(kind, &seen.inputs, &self.targets.readings(seen))
    }

    /// The best row that still stands and is not what runs: highest score above zero, the first of equals.
    pub fn best(&self) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (at, row) in self.rows.iter().enumerate() {
            let open = row.refusal == Refusal::None && row.score > 0.0 && row.standing != Standing::Same;
            if open && best.is_none_or(|best| row.score > self.rows[best].score) {
                best = Some(at);
            }
        }
        best
    }
}

/// What one pass is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass<'a> {
    pub settings: &'a Settings,
    pub memory: &'a Memory,
    pub entries: &'a [Entry],
    /// Only this action.
    pub only: Option<ActionRef>,
    /// Context seed.
    pub seed: u64,
    /// It is for a run that lost its target: its own cooldown, count and recovery do not matter.
    pub replaces: bool,
    /// What runs, in a decision.
    pub held: Option<Held<'a>>,
    /// The event, for reactions.
    pub reacting: Option<&'a Reacting>,
    /// The reaction that runs or starts.
    pub reacts: Option<Rival>,
    pub virtuals: Virtuals,
    /// The entries as flat arrays, if they are plain.
    pub flat: Option<&'a FlatList>,
}

impl Pass<'_> {
    /// Whether a candidate passes and what it scores takes answers.
    fn asks(&self, plan: &ActionPlan) -> bool {
        let Virtuals { may_execute, modify, .. } = self.virtuals;
        may_execute || modify || plan.require_line_of_sight || plan.has_scripts()
    }
}

/// Fills the scratch with one row per candidate; those that need answers go to `pending`.
pub(super) fn run(pass: &Pass, snapshot: &Snapshot, scratch: &mut Scratch) {
    scratch.clear();
    if let Some(flat) = flat_pass::usable(pass)
        && flat_pass::run(pass, flat, snapshot, scratch)
    {
        scratch.contested = true;
        return;
    }
    novelty::fill(pass, &mut scratch.novelty);
    scratch.targets.fill(snapshot, pass.memory, pass.settings.max_candidate_targets);
    scratch.contested = pass.held.is_none();
    let blocked = global_block(pass.settings, snapshot);
    for (index, entry) in pass.entries.iter().enumerate() {
        if pass.only.is_none_or(|only| only == entry.action) {
            candidates(pass, (index, entry), blocked, snapshot, scratch);
        }
    }
}

/// The rows of one action: what runs first, then one per target.
fn candidates(
    pass: &Pass,
    (index, entry): (usize, &Entry),
    blocked: Option<Veto>,
    snapshot: &Snapshot,
    scratch: &mut Scratch,
) {
    let runs = pass.held.filter(|held| held.run.plan.id == entry.plan.id);
    let mut row = Row {
        index,
        action: entry.action,
        target: None,
        seen: 0,
        standing: Standing::Rival,
        score: 0.0,
        refusal: Refusal::None,
        detail: Detail::None,
        won: false,
    };
    if let Some(held) = runs {
        let (target, seen) = (held.run.target, scratch.targets.held());
        scratch.hold = Some((scratch.rows.len(), 0.0));
        scratch.rows.push(Row { target, seen, standing: Standing::Same, ..row });
        score(pass, entry, snapshot, scratch, None);
    }
    let veto = action_gates(pass, entry, blocked, runs.is_some() || pass.replaces);
    let count = scratch.targets.of(&entry.plan).len();
    if count == 0 && runs.is_none() {
        // What may not take the place of what runs is no reason to decide, with targets or without.
        let forbidden = pass.held.and_then(|held| held.forbids(&entry.plan, Standing::Rival));
        scratch.contested |= forbidden.is_none();
        let veto = forbidden.map(|refusal| (refusal, Detail::None)).or(veto);
        (row.refusal, row.detail) = veto.unwrap_or((Refusal::NoTarget, Detail::None));
        scratch.rows.push(row);
    }
    for n in 0..count {
        let seen = scratch.targets.of(&entry.plan)[n];
        let target = scratch.targets.get(seen).key;
        let standing = pass.held.map_or(Standing::Rival, |held| held.standing(&entry.plan, target));
        // What runs does not turn to nobody.
        if standing != Standing::Rival && (standing == Standing::Same || target.is_none()) {
            continue;
        }
        candidate(pass, entry, veto, Row { target, seen, standing, ..row }, snapshot, scratch);
    }
}

fn candidate(
    pass: &Pass,
    entry: &Entry,
    veto: Option<Veto>,
    mut row: Row,
    snapshot: &Snapshot,
    scratch: &mut Scratch,
) {
    if let Some(refusal) = pass.held.and_then(|held| held.forbids(&entry.plan, row.standing)) {
        row.refusal = refusal;
        scratch.rows.push(row);
        return;
    }
    scratch.contested = true;
    let seen = scratch.targets.get(row.seen);
    let veto = veto.or_else(|| target_gates(&entry.plan, snapshot, seen));
    let gate = veto.map_or_else(|| listed_gates(&entry.plan, snapshot, seen), Err);
    (row.refusal, row.detail) = gate.err().unwrap_or_default();
    scratch.rows.push(row);
    if let Ok(gate) = gate {
        score(pass, entry, snapshot, scratch, gate);
    }
}

/// A product that is being multiplied up, factor by factor.
pub(super) struct Product<'a> {
    pub value: f64,
    row: u32,
    log: Option<&'a mut Vec<(u32, FactorKey, f64)>>,
}

impl<'a> Product<'a> {
    /// Goes on from a value; factors are written down only while recording.
    pub fn new(value: f64, row: usize, record: bool, log: &'a mut Vec<(u32, FactorKey, f64)>) -> Self {
        Self { value, row: row as u32, log: record.then_some(log) }
    }

    fn note(&mut self, key: FactorKey, value: f64) {
        if let Some(log) = &mut self.log {
            log.push((self.row, key, value));
        }
    }

    /// Starts over from weight and risk.
    pub fn begin(&mut self, base: f64) {
        self.value = base;
        self.note(FactorKey::WeightRisk, base);
    }

    pub fn mul(&mut self, key: FactorKey, value: f64) {
        self.value *= value;
        self.note(key, value);
    }
}

/// The product of the candidate whose row was added last, in the order of the rules.
fn score(pass: &Pass, entry: &Entry, snapshot: &Snapshot, scratch: &mut Scratch, gate: Option<usize>) {
    let at = scratch.rows.len() - 1;
    let row = scratch.rows[at];
    let seen = *scratch.targets.get(row.seen);
    let seedless = pass.reacting.is_some_and(Reacting::is_seedless);
    let action_seed = if seedless { 0 } else { mix(pass.seed ^ entry.plan.id.hash() ^ seen.ordinal) };
    let held = pass.held.filter(|_| row.standing == Standing::Same);
    let [novelty, chain, jitter] = match held {
        Some(held) => held.run.frozen,
        None => [
            scratch.novelty.get(row.index).copied().unwrap_or(1.0),
            chain_bonus(pass, &entry.plan),
            if seedless { 1.0 } else { jitter(pass.settings.jitter_amount, action_seed) },
        ],
    };
    let runtime = factor(pass.settings.global_multiplier * pass.memory.multiplier(entry.action));
    let readings = scratch.targets.readings(&seen);
    let mut product = Product::new(1.0, at, pass.settings.record, &mut scratch.factors);
    product.begin(entry.base(pass.memory));
    multiply_tags(&entry.plan, snapshot, &seen, &mut product);
    if pass.reacting.is_none() {
        product.mul(FactorKey::Novelty, novelty);
        product.mul(FactorKey::Chain, chain);
    }
    if pass.asks(&entry.plan) {
        let factor = |scorer: &ScorerPlan| built_in(&scorer.kind, &seen.inputs, &readings);
        let (first, built_in) = (product.value, &entry.plan.scorers);
        let (mut score, mut scorer, mut all) = (first, 0, 1.0);
        for (n, value) in built_in.iter().map(factor).enumerate().filter_map(|(n, value)| Some((n, value?))) {
            all *= value;
            if n == scorer && !pass.settings.record {
                (score, scorer) = (score * value, n + 1);
            }
        }
        let (hopeless, runs) = (first * all * runtime * jitter <= 0.0, held.is_some());
        let pending = Pending { row: at, score, scorer, runtime, jitter, action_seed, hopeless, gate, runs };
        scratch.pending.push(pending);
        return;
    }
    for (n, scorer) in entry.plan.scorers.iter().enumerate() {
        if let Some(value) = built_in(&scorer.kind, &seen.inputs, &readings) {
            product.mul(FactorKey::Scorer(n as u32), value);
        }
    }
    let score = finish(&mut product, runtime, jitter);
    settle(&mut scratch.rows[at], score);
}

/// Novelty, chain and jitter of an action on a target at its start.
pub(super) fn frozen(pass: &Pass, entry: &Entry, target: Option<TargetKey>) -> [f64; 3] {
    let ordinal = target
        .map_or(0, |key| pass.memory.known_ordinal(key).unwrap_or_else(|| pass.memory.ordinals_given() + 1));
    let action_seed = mix(pass.seed ^ entry.plan.id.hash() ^ mix(ordinal));
    let jitter = jitter(pass.settings.jitter_amount, action_seed);
    [novelty::of(pass, entry), chain_bonus(pass, &entry.plan), jitter]
}

/// What a run is worth whose action is not listed any more, as far as that takes no script.
pub(super) fn unlisted(pass: &Pass, held: &Held, snapshot: &Snapshot, scratch: &Scratch) -> f64 {
    let (entry, seen) = (Entry::new(held.run.plan.clone(), held.run.action), scratch.targets.held());
    let (seen, [novelty, chain, jitter]) = (scratch.targets.get(seen), held.run.frozen);
    let mut product = Product { value: entry.base(pass.memory), row: 0, log: None };
    multiply_tags(&entry.plan, snapshot, seen, &mut product);
    let readings = scratch.targets.readings(seen);
    let scorers = entry.plan.scorers.iter();
    let scorers = scorers.filter_map(|scorer| built_in(&scorer.kind, &seen.inputs, &readings));
    let scorers = scorers.fold(product.value * novelty * chain, |score, value| score * value);
    scorers * factor(pass.settings.global_multiplier * pass.memory.multiplier(entry.action)) * jitter
}

fn multiply_tags(plan: &ActionPlan, snapshot: &Snapshot, seen: &Seen, product: &mut Product) {
    for (n, entry) in plan.tag_multipliers.iter().enumerate() {
        if owned(snapshot, seen, entry.tag) {
            product.mul(FactorKey::Tag(n as u32), factor(entry.multiplier));
        }
    }
}

/// What comes after the scorers.
pub(super) fn finish(product: &mut Product, runtime: f64, jitter: f64) -> f64 {
    product.mul(FactorKey::Runtime, runtime);
    product.mul(FactorKey::Jitter, jitter);
    product.value
}

/// Writes a finished product into its row.
pub(super) fn settle(row: &mut Row, score: f64) {
    row.score = score;
    if score <= 0.0 {
        row.refusal = Refusal::ZeroScore;
    }
}

/// The value of a built-in scorer; `None` for a script.
#[inline]
pub(super) fn built_in(kind: &ScorerKind, inputs: &Inputs, readings: &Readings) -> Option<f64> {
    let value = match kind {
        ScorerKind::Distance { range: Some(range), in_pixels } => inputs
            .target
            .map_or(0.0, |target| range.sample(if *in_pixels { target.distance } else { target.meters })),
        ScorerKind::Angle { range: Some(range) } => {
            inputs.target.map_or(0.0, |target| range.sample(target.angle))
        }
        ScorerKind::Health { range: Some(range), source } => match source {
            Source::Agent => range.sample(inputs.health),
            Source::Target => inputs.target.map_or(1.0, |target| range.sample(target.health)),
        },
        ScorerKind::Reading { range: Some(range), share: Some(share) } => {
            readings.share(share).map_or(1.0, |value| range.sample(value))
        }
        ScorerKind::Distance { range: None, .. }
        | ScorerKind::Angle { range: None }
        | ScorerKind::Health { range: None, .. }
        | ScorerKind::Reading { .. } => 1.0,
        ScorerKind::Script { .. } => return None,
    };
    Some(value)
}

pub(super) fn jitter(amount: f64, action_seed: u64) -> f64 {
    factor(1.0 + amount * (2.0 * unit(action_seed) - 1.0))
}

pub(super) fn chain_bonus(pass: &Pass, plan: &ActionPlan) -> f64 {
    let Some(from) = pass.memory.open_chain(pass.settings) else {
        return 1.0;
    };
    let named = from.chain_links.iter().filter(|link| link.action == plan.id);
    named.map(|link| factor(link.bonus)).reduce(f64::max).unwrap_or(1.0)
}
