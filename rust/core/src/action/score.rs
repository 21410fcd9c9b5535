//! Gates and scores as far as they need no script: one pass over all candidates of an evaluation.

use super::list::{Entry, factor};
use super::memory::Memory;
use super::plan::{GateKind, HealthSource, ScorerKind};
use super::snapshot::Inputs;
use super::{ActionPlan, ActionRef, Detail, Refusal, Settings, Snapshot, TargetKey};
use crate::random::{mix, unit};
use crate::tags::TagId;

/// One candidate: an action on a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Place in the list.
    pub index: usize,
    pub action: ActionRef,
    pub target: Option<TargetKey>,
    pub score: f64,
    pub refusal: Refusal,
    pub detail: Detail,
    pub won: bool,
}

/// A candidate that waits for scripts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// Its row.
    pub row: usize,
    /// The product up to the first scorer.
    pub score: f64,
    /// What follows the scorers.
    pub runtime: f64,
    pub jitter: f64,
    pub action_seed: u64,
    /// The built-in factors alone give zero: script scorers need not be asked.
    pub hopeless: bool,
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
    pub inputs: Inputs,
}

impl Scratch {
    fn clear(&mut self) {
        self.rows.clear();
        self.pending.clear();
        self.factors.clear();
        self.hold = None;
    }

    /// The best row that still stands: highest score above zero, the first of equals.
    pub fn best(&self) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (at, row) in self.rows.iter().enumerate() {
            let open = row.refusal == Refusal::None && row.score > 0.0;
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
}

/// Fills the scratch with one row per candidate; those that need scripts go to `pending`.
pub(super) fn run(pass: &Pass, snapshot: &Snapshot, scratch: &mut Scratch) {
    scratch.clear();
    fill_novelty(pass, scratch);
    let focus = snapshot.focus.as_ref();
    scratch.inputs = Inputs::new(snapshot, focus);
    let ordinal = mix(pass.memory.ordinal(focus.map(|view| view.key)));
    let blocked = global_block(pass.settings, snapshot);
    for (index, entry) in pass.entries.iter().enumerate() {
        if pass.only.is_some_and(|only| only != entry.action) {
            continue;
        }
        let target = focus.map(|view| view.key);
        let (refusal, detail) = action_gates(pass, entry, blocked)
            .or_else(|| tag_gates(&entry.plan, snapshot))
            .unwrap_or_default();
        let action = entry.action;
        scratch.rows.push(Row { index, action, target, score: 0.0, refusal, detail, won: false });
        if refusal == Refusal::None {
            let seed = mix(pass.seed ^ entry.plan.id.hash() ^ ordinal);
            score(pass, entry, snapshot, seed, scratch);
        }
    }
}

type Veto = (Refusal, Detail);

fn global_block(settings: &Settings, snapshot: &Snapshot) -> Option<Veto> {
    let at = settings.global_block_tags.ids().iter().position(|tag| snapshot.tags.matches(*tag))?;
    Some((Refusal::Blocked, Detail::BlockedGlobally(at as u32)))
}

/// Gates 1 to 4, the same for every target.
fn action_gates(pass: &Pass, entry: &Entry, blocked: Option<Veto>) -> Option<Veto> {
    if !entry.plan.enabled {
        return Some((Refusal::Disabled, Detail::None));
    }
    if blocked.is_some() {
        return blocked;
    }
    if !entry.plan.has_method {
        return Some((Refusal::NoMethod, Detail::None));
    }
    let left = pass.memory.cooldown_left(entry.action);
    if left > 0.0 {
        return Some((Refusal::Cooldown, Detail::Cooldown(left)));
    }
    let limit = u32::try_from(entry.plan.max_consecutive_uses).ok()?;
    let used = pass.memory.repeats(entry.action, pass.settings);
    (used >= limit).then_some((Refusal::RepeatLimit, Detail::Uses(used, limit)))
}

/// Gates 1 to 4, asked again before a chosen action starts after scripts had their say.
pub(super) fn recheck(pass: &Pass, entry: &Entry, snapshot: &Snapshot) -> Option<Veto> {
    action_gates(pass, entry, global_block(pass.settings, snapshot))
}

/// On the agent, the target or the world.
fn owned(snapshot: &Snapshot, tag: TagId) -> bool {
    snapshot.tags.matches(tag)
        || snapshot.focus.is_some_and(|view| view.tags.matches(tag))
        || snapshot.world.matches(tag)
}

/// Gates 7 and 8.
fn tag_gates(plan: &ActionPlan, snapshot: &Snapshot) -> Option<Veto> {
    if let Some(at) = plan.requires_tags.ids().iter().position(|tag| !owned(snapshot, *tag)) {
        return Some((Refusal::RequiredTags, Detail::MissingTag(at as u32)));
    }
    let at = plan.block_tags.ids().iter().position(|tag| owned(snapshot, *tag))?;
    Some((Refusal::BlockTags, Detail::BlockedByTag(at as u32)))
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

    pub fn mul(&mut self, key: FactorKey, value: f64) {
        self.value *= value;
        self.note(key, value);
    }
}

/// The product of the candidate whose row was added last, in the order of the rules.
fn score(pass: &Pass, entry: &Entry, snapshot: &Snapshot, action_seed: u64, scratch: &mut Scratch) {
    let row = scratch.rows.len() - 1;
    let novelty = scratch.novelty.get(scratch.rows[row].index).copied().unwrap_or(1.0);
    let runtime = factor(pass.settings.global_multiplier * pass.memory.multiplier(entry.action));
    let jitter = jitter(pass.settings.jitter_amount, action_seed);
    let mut product = Product::new(entry.base, row, pass.settings.record, &mut scratch.factors);
    product.note(FactorKey::WeightRisk, entry.base);
    multiply_tags(&entry.plan, snapshot, &mut product);
    product.mul(FactorKey::Novelty, novelty);
    product.mul(FactorKey::Chain, chain_bonus(pass, &entry.plan));
    if entry.plan.has_scripts() {
        let score = product.value;
        let built_in: f64 =
            entry.plan.scorers.iter().filter_map(|s| built_in(&s.kind, &scratch.inputs)).product();
        let hopeless = score * built_in * runtime * jitter <= 0.0;
        scratch.pending.push(Pending { row, score, runtime, jitter, action_seed, hopeless });
        return;
    }
    for (n, scorer) in entry.plan.scorers.iter().enumerate() {
        if let Some(value) = built_in(&scorer.kind, &scratch.inputs) {
            product.mul(FactorKey::Scorer(n as u32), value);
        }
    }
    let score = finish(&mut product, runtime, jitter);
    settle(&mut scratch.rows[row], score);
}

fn multiply_tags(plan: &ActionPlan, snapshot: &Snapshot, product: &mut Product) {
    for (n, entry) in plan.tag_multipliers.iter().enumerate() {
        if owned(snapshot, entry.tag) {
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
pub(super) fn built_in(kind: &ScorerKind, inputs: &Inputs) -> Option<f64> {
    let value = match kind {
        ScorerKind::Distance { range: Some(range), in_pixels } => inputs
            .target
            .map_or(0.0, |target| range.sample(if *in_pixels { target.distance } else { target.meters })),
        ScorerKind::Angle { range: Some(range) } => {
            inputs.target.map_or(0.0, |target| range.sample(target.angle))
        }
        ScorerKind::Health { range: Some(range), source } => match source {
            HealthSource::Agent => range.sample(inputs.health),
            HealthSource::Target => inputs.target.map_or(1.0, |target| range.sample(target.health)),
        },
        ScorerKind::Distance { range: None, .. }
        | ScorerKind::Angle { range: None }
        | ScorerKind::Health { range: None, .. } => 1.0,
        ScorerKind::Script { .. } => return None,
    };
    Some(value)
}

/// The place of a scripted gate in the script table.
pub(super) fn gate_slot(kind: &GateKind) -> usize {
    match kind {
        GateKind::Script { slot } => *slot,
    }
}

fn jitter(amount: f64, action_seed: u64) -> f64 {
    factor(1.0 + amount * (2.0 * unit(action_seed) - 1.0))
}

fn chain_bonus(pass: &Pass, plan: &ActionPlan) -> f64 {
    let Some(from) = pass.memory.open_chain(pass.settings) else {
        return 1.0;
    };
    let named = from.chain_links.iter().filter(|link| link.action == plan.id);
    named.map(|link| factor(link.bonus)).reduce(f64::max).unwrap_or(1.0)
}

/// One factor per list entry, newest use first; left empty when every factor is 1.
fn fill_novelty(pass: &Pass, scratch: &mut Scratch) {
    scratch.novelty.clear();
    let Settings { novelty_penalty, novelty_window, novelty_floor, .. } = *pass.settings;
    let nothing = novelty_penalty <= 0.0 || novelty_window <= 0.0 || pass.memory.uses().is_empty();
    if nothing {
        return;
    }
    scratch.novelty.resize(pass.entries.len(), 1.0);
    for used in pass.memory.uses() {
        let age = pass.memory.age(used);
        let Some(index) = pass.memory.record(used.action).index.filter(|_| age < novelty_window) else {
            continue;
        };
        let Some(entry) = pass.entries.get(index) else { continue };
        let p = (novelty_penalty * entry.plan.novelty_weight).clamp(0.0, 1.0);
        scratch.novelty[index] *= 1.0 - p * (1.0 - age / novelty_window);
    }
    for (entry, novelty) in pass.entries.iter().zip(&mut scratch.novelty) {
        let exempt = novelty_penalty * entry.plan.novelty_weight <= 0.0;
        *novelty = if exempt { 1.0 } else { factor(novelty.max(novelty_floor)) };
    }
}
