//! The actions of a list side by side in flat arrays, for decisions that need no answers: one pass over a few arrays
//! instead of a walk through every action.
//!
//! What it computes is bit for bit what [`super::score`] computes for the same candidates.

use std::sync::Arc;

use super::curve::RangeCurve;
use super::flat_curves::Column;
use super::plan::{ScorerKind, ScorerPlan};
use super::snapshot::Inputs;
use super::targeting::TargetMode;
use super::{ActionPlan, Source, TagQueries};
use crate::tags::{TagId, TagSet};

/// Actions and tags that fit: their numbers are bits.
const MOST: usize = 64;

/// What a curve looks at: a place in [`FlatInputs`].
const METERS: u8 = 0;
const DISTANCE: u8 = 1;
const ANGLE: u8 = 2;
const HEALTH: u8 = 3;
const TARGET_HEALTH: u8 = 4;
/// Not a number: the score is 0.
const NOBODY: u8 = 5;

/// The numbers that curves look at.
type FlatInputs = [f64; 6];

/// A list of actions as flat arrays. Bit `n` of a mask is action `n`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FlatList {
    pub len: usize,
    /// Weight divided by risk.
    base: Vec<f64>,
    /// Of their ids. The entries have them too, but each evaluator has its own, which come from far.
    hashes: Vec<u64>,
    columns: Vec<Column>,
    /// Tags that some action asks for; their places are the bits of tag masks.
    tags: Vec<TagId>,
    requires: Vec<u64>,
    blocks: Vec<u64>,
    /// Of all actions together.
    required: u64,
    blocking: u64,
    /// Action, bit of the tag, factor: in the order of the product.
    multipliers: Vec<(u32, u64, f64)>,
    /// Disabled, or without a method.
    pub shut: u64,
    /// Scored on nobody.
    pub alone: u64,
    /// Refused without a target.
    pub needy: u64,
    /// Limited in uses.
    pub limited: u64,
    /// Limited to no use at all.
    pub never: u64,
    /// Scripts score them too, after everything else.
    pub scripted: u64,
    /// Some scorer looks at the target's health, which has no effect without a target.
    asks_target_health: bool,
}

impl FlatList {
    /// The actions, if a decision among them needs no answers but those of script scorers, which stand behind the others, and
    /// looks at one target at the most.
    pub fn of(actions: &[Arc<ActionPlan>], base: impl Fn(&ActionPlan) -> f64) -> Option<Self> {
        if actions.len() > MOST || !actions.iter().all(|action| is_plain(action)) {
            return None;
        }
        let mut flat = Self { len: actions.len(), ..Self::default() };
        let depth = actions.iter().map(|action| plain_scorers(action)).max().unwrap_or(0);
        flat.columns = vec![Column::default(); depth];
        for (number, action) in actions.iter().enumerate() {
            let bit = 1 << number;
            let mark = |on: bool| if on { bit } else { 0 };
            flat.base.push(base(action));
            flat.hashes.push(action.id.hash());
            flat.shut |= mark(!action.enabled || !action.has_method);
            flat.alone |= mark(action.target_mode == TargetMode::None);
            flat.needy |= mark(action.require_target);
            flat.limited |= mark(action.max_consecutive_uses >= 0);
            flat.never |= mark(action.max_consecutive_uses == 0);
            let plain = plain_scorers(action);
            flat.scripted |= mark(plain < action.scorers.len());
            if !action.scorers[plain..].iter().all(is_scripted) {
                return None;
            }
            let (requires, blocks) =
                (flat.mask_of(&action.requires_tags)?, flat.mask_of(&action.block_tags)?);
            (flat.required, flat.blocking) = (flat.required | requires, flat.blocking | blocks);
            flat.requires.push(requires);
            flat.blocks.push(blocks);
            for entry in &action.tag_multipliers {
                let tag = flat.bit_of(entry.tag)?;
                flat.multipliers.push((number as u32, tag, super::list::factor(entry.multiplier)));
            }
            let alone = action.target_mode == TargetMode::None;
            for (at, column) in flat.columns.iter_mut().enumerate() {
                let (input, curve) = match action.scorers[..plain].get(at) {
                    Some(scorer) => source(&scorer.kind, alone)?,
                    None => (HEALTH, None),
                };
                flat.asks_target_health |= input == TARGET_HEALTH;
                column.push(input, curve);
            }
        }
        Some(flat)
    }

    fn bit_of(&mut self, tag: TagId) -> Option<u64> {
        let known = self.tags.iter().position(|known| *known == tag);
        let at = known.unwrap_or_else(|| {
            self.tags.push(tag);
            self.tags.len() - 1
        });
        (at < MOST).then(|| 1 << at)
    }

    fn mask_of(&mut self, queries: &TagQueries) -> Option<u64> {
        queries.ids().iter().try_fold(0, |mask, tag| Some(mask | self.bit_of(*tag)?))
    }

    /// Which of the tags that matter these match.
    pub fn mask(&self, tags: &TagSet) -> u64 {
        let bits = self.tags.iter().enumerate().filter(|(_, tag)| tags.matches(**tag));
        bits.fold(0, |mask, (at, _)| mask | 1 << at)
    }

    /// A decision asks nobody.
    pub fn is_plain(&self) -> bool {
        self.scripted == 0
    }

    /// Weight divided by risk of one action.
    pub fn base(&self, at: usize) -> f64 {
        self.base[at]
    }

    /// The hashes of their ids.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Whether a mask has a tag of the list.
    pub fn has(&self, mask: u64, tag: TagId) -> bool {
        self.tags.iter().position(|known| *known == tag).is_some_and(|at| mask >> at & 1 != 0)
    }

    /// False if this cannot be computed here.
    pub fn takes(&self, inputs: &Inputs) -> bool {
        let numbers = [inputs.health, inputs.target.map_or(0.0, |target| target.health)];
        numbers.iter().all(|number| !number.is_nan()) && (inputs.target.is_some() || !self.asks_target_health)
    }

    /// The actions that the tags refuse. `own`: agent and world; `all`: the target too.
    pub fn refused_by_tags(&self, own: u64, all: u64) -> u64 {
        if own & self.required == self.required && all & self.blocking == 0 {
            return 0;
        }
        let mut refused = 0;
        for (at, (requires, blocks)) in self.requires.iter().zip(&self.blocks).enumerate() {
            let have = if self.alone >> at & 1 != 0 { own } else { all };
            let closed = have & requires != *requires || have & blocks != 0;
            refused |= u64::from(closed) << at;
        }
        refused
    }

    /// The products up to the last scorer, into `scores`: one per action, whether its gates are open or not.
    pub fn score(&self, look: &FlatLook, ramps: &mut Vec<f64>, scores: &mut Vec<f64>) {
        scores.clear();
        scores.extend_from_slice(&self.base);
        for (action, tag, factor) in &self.multipliers {
            let have = if self.alone >> action & 1 != 0 { look.own } else { look.all };
            if have & tag != 0 {
                scores[*action as usize] *= factor;
            }
        }
        for factors in look.factors {
            for (score, factor) in scores.iter_mut().zip(factors) {
                *score *= factor;
            }
        }
        let inputs = flat_inputs(look.inputs);
        for column in &self.columns {
            column.multiply(&inputs, ramps, scores);
        }
    }
}

/// What the products are made of, beside the list itself.
pub(super) struct FlatLook<'a> {
    pub inputs: &'a Inputs,
    /// Tags of agent and world.
    pub own: u64,
    /// Those and the target's.
    pub all: u64,
    /// Novelty and chain, one number per action; empty: 1.
    pub factors: [&'a [f64]; 2],
}

fn flat_inputs(inputs: &Inputs) -> FlatInputs {
    let mut numbers = [f64::NAN; 6];
    numbers[HEALTH as usize] = inputs.health;
    if let Some(target) = inputs.target {
        numbers[METERS as usize] = target.meters;
        numbers[DISTANCE as usize] = target.distance;
        numbers[ANGLE as usize] = target.angle;
        numbers[TARGET_HEALTH as usize] = target.health;
    }
    numbers
}

fn is_scripted(scorer: &ScorerPlan) -> bool {
    matches!(scorer.kind, ScorerKind::Script { .. })
}

/// How many scorers stand before the first script.
pub(super) fn plain_scorers(action: &ActionPlan) -> usize {
    action.scorers.iter().take_while(|scorer| !is_scripted(scorer)).count()
}

/// Nobody has to be asked about the action but scripts that score it, and it is scored on one candidate.
fn is_plain(action: &ActionPlan) -> bool {
    action.gates.is_empty()
        && action.bindings.is_empty()
        && action.reaction.is_none()
        && !action.require_line_of_sight
        && action.target_mode != TargetMode::Each
}

/// What a scorer looks at and its curve; `None` for the curve: no effect. `None`: it is none of the plain ones.
fn source(kind: &ScorerKind, alone: bool) -> Option<(u8, Option<RangeCurve>)> {
    let of_target = |input: u8| if alone { NOBODY } else { input };
    Some(match kind {
        ScorerKind::Distance { range: range @ Some(_), in_pixels } => {
            (of_target(if *in_pixels { DISTANCE } else { METERS }), *range)
        }
        ScorerKind::Angle { range: range @ Some(_) } => (of_target(ANGLE), *range),
        ScorerKind::Health { range: range @ Some(_), source: Source::Agent } => (HEALTH, *range),
        ScorerKind::Health { range: range @ Some(_), source: Source::Target } if !alone => {
            (TARGET_HEALTH, *range)
        }
        ScorerKind::Distance { range: None, .. }
        | ScorerKind::Angle { range: None }
        | ScorerKind::Health { .. } => (HEALTH, None),
        _ => return None,
    })
}
