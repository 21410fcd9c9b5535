//! One pass over the candidates of a list that is plain: gates as masks, products as arrays, rows only where somebody
//! reads them.

use super::flat::{self, FlatList, FlatLook};
use super::gating::{Veto, action_gates, global_block};
use super::list::{Entry, factor};
use super::score::{self, Pass, Pending, Row, Scratch};
use super::snapshot::{Inputs, Snapshot};
use super::switching::Standing;
use super::{ActionPlan, ActionRef, Detail, Refusal, TargetKey, Virtuals};
use crate::random::mix;

/// What a pass looks at.
pub(super) struct FlatWorld<'a> {
    pub inputs: &'a Inputs,
    pub target: Option<TargetKey>,
    /// For seeds.
    pub ordinal: u64,
    /// Tags of agent and world, as the list's mask.
    pub own: u64,
    /// Those and the target's.
    pub all: u64,
    pub blocked: Option<Veto>,
}

/// What a pass found: beside each other, one per action.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatScores {
    pub scores: Vec<f64>,
    /// The products before scripts and what follows them, where scripts are asked.
    pub before: Vec<f64>,
    /// Those whose gates are closed, in order.
    pub closed: Vec<(u32, Refusal, Detail)>,
    /// Empty: 1 for all.
    pub chain: Vec<f64>,
    /// Empty: 1 for all.
    pub novelty: Vec<f64>,
    /// Memory for curves.
    pub ramps: Vec<f64>,
}

/// The flat arrays of the list, if this pass needs nothing that they do not have.
pub(super) fn usable<'a>(pass: &Pass<'a>) -> Option<&'a FlatList> {
    let plain = pass.held.is_none()
        && pass.only.is_none()
        && pass.reacting.is_none()
        && !pass.replaces
        && !pass.settings.record
        && pass.virtuals == Virtuals::default();
    pass.flat.filter(|_| plain)
}

/// The pass of [`score::run`] over a plain list. False, and nothing done, if the world is not plain.
pub(super) fn run(pass: &Pass, flat: &FlatList, snapshot: &Snapshot, scratch: &mut Scratch) -> bool {
    let Some(focus) = look(pass, flat, snapshot, scratch) else { return false };
    write_rows(pass.entries, flat, focus, &scratch.flat, &mut scratch.rows);
    if !flat.is_plain() {
        write_pending(pass, flat, focus.1, scratch);
    }
    true
}

/// Candidates that scripts score too wait for their answers.
fn write_pending(pass: &Pass, flat: &FlatList, seen: u32, scratch: &mut Scratch) {
    let Scratch { rows, pending, flat: found, targets, .. } = scratch;
    let (settings, ordinal) = (pass.settings, targets.get(seen).ordinal);
    let closed = found.closed.iter().fold(0, |closed, (at, ..)| closed | 1_u64 << at);
    let mut asked = flat.scripted & !closed;
    while asked != 0 {
        let at = asked.trailing_zeros() as usize;
        asked &= asked - 1;
        let entry = &pass.entries[at];
        let alone = flat.alone >> at & 1 != 0;
        let action_seed = mix(pass.seed ^ flat.hashes()[at] ^ if alone { mix(0) } else { ordinal });
        pending.push(Pending {
            row: at,
            score: found.before[at],
            scorer: flat::plain_scorers(&entry.plan),
            runtime: factor(settings.global_multiplier * pass.memory.multiplier(entry.action)),
            jitter: score::jitter(settings.jitter_amount, action_seed),
            action_seed,
            hopeless: found.scores[at] <= 0.0,
            gate: None,
            runs: false,
        });
        let row = &mut rows[at];
        (row.score, row.refusal) = (0.0, Refusal::None);
    }
}

/// The same without rows: the best action and its score, if there is one. `None`: the world is not plain.
pub(super) fn best(
    pass: &Pass,
    snapshot: &Snapshot,
    scratch: &mut Scratch,
) -> Option<Option<(ActionRef, f64)>> {
    look(pass, usable(pass).filter(|flat| flat.is_plain())?, snapshot, scratch)?;
    let best = scratch.flat.best();
    Some(best.map(|best| (pass.entries[best].action, scratch.flat.scores[best])))
}

/// Gates and products in a world that is plain; who the focus target is.
fn look(
    pass: &Pass,
    flat: &FlatList,
    snapshot: &Snapshot,
    scratch: &mut Scratch,
) -> Option<(Option<TargetKey>, u32)> {
    scratch.targets.fill(snapshot, pass.memory, pass.settings.max_candidate_targets);
    let (seen, focus) = scratch.targets.focus();
    if !flat.takes(&focus.inputs) {
        return None;
    }
    let own = flat.mask(snapshot.tags) | flat.mask(snapshot.world);
    let world = FlatWorld {
        inputs: &focus.inputs,
        target: focus.key,
        ordinal: focus.ordinal,
        own,
        all: own | snapshot.focus.map_or(0, |view| flat.mask(view.tags)),
        blocked: global_block(pass.settings, snapshot),
    };
    score_all(pass, flat, &world, &mut scratch.flat);
    Some((focus.key, seen))
}

/// Gates and products of all actions.
pub(super) fn score_all(pass: &Pass, flat: &FlatList, world: &FlatWorld, found: &mut FlatScores) {
    let FlatScores { scores, before, closed, chain, novelty, ramps } = found;
    super::novelty::fill(pass, novelty);
    fill_chain(pass, chain);
    let look = FlatLook { inputs: world.inputs, own: world.own, all: world.all, factors: [novelty, chain] };
    flat.score(&look, ramps, scores);
    if !flat.is_plain() {
        before.clone_from(scores);
    }
    finish(pass, world, flat, scores);
    close(pass, flat, world, scores, closed);
}

/// The factors that follow the scorers.
fn finish(pass: &Pass, world: &FlatWorld, flat: &FlatList, scores: &mut [f64]) {
    let (settings, memory) = (pass.settings, pass.memory);
    if memory.has_multipliers() {
        for (score, entry) in scores.iter_mut().zip(pass.entries) {
            *score *= factor(settings.global_multiplier * memory.multiplier(entry.action));
        }
    } else {
        let runtime = factor(settings.global_multiplier);
        scores.iter_mut().for_each(|score| *score *= runtime);
    }
    if settings.jitter_amount == 0.0 {
        return;
    }
    for (at, (score, hash)) in scores.iter_mut().zip(flat.hashes()).enumerate() {
        let ordinal = if flat.alone >> at & 1 != 0 { mix(0) } else { world.ordinal };
        let seed = mix(pass.seed ^ hash ^ ordinal);
        *score *= score::jitter(settings.jitter_amount, seed);
    }
}

/// Bonuses of the chain that is open; left empty without one.
fn fill_chain(pass: &Pass, bonuses: &mut Vec<f64>) {
    bonuses.clear();
    if pass.memory.open_chain(pass.settings).is_some() {
        bonuses.extend(pass.entries.iter().map(|entry| score::chain_bonus(pass, &entry.plan)));
    }
}

/// Finds closed gates: masks say where one may be closed, the gates themselves say which.
fn close(
    pass: &Pass,
    flat: &FlatList,
    world: &FlatWorld,
    scores: &mut [f64],
    closed: &mut Vec<(u32, Refusal, Detail)>,
) {
    closed.clear();
    let all = if flat.len == 64 { u64::MAX } else { (1 << flat.len) - 1 };
    let busy = world.blocked.is_some() || pass.memory.may_close_gates();
    let mut suspects = if busy {
        all
    } else {
        let needy = if world.target.is_none() { flat.needy } else { flat.needy & flat.alone };
        let limited = if pass.memory.counts_repeats() { flat.limited } else { flat.never };
        flat.shut | needy | limited | flat.refused_by_tags(world.own, world.all)
    };
    while suspects != 0 {
        let at = suspects.trailing_zeros();
        suspects &= suspects - 1;
        let entry = &pass.entries[at as usize];
        let veto = action_gates(pass, entry, world.blocked, false);
        let alone = flat.alone >> at & 1 != 0;
        let (have, target) = if alone { (world.own, None) } else { (world.all, world.target) };
        if let Some((refusal, detail)) = veto.or_else(|| target_gates(&entry.plan, flat, have, target)) {
            scores[at as usize] = 0.0;
            closed.push((at, refusal, detail));
        }
    }
}

/// Gates 6 to 8.
fn target_gates(plan: &ActionPlan, flat: &FlatList, have: u64, target: Option<TargetKey>) -> Option<Veto> {
    if plan.require_target && target.is_none() {
        return Some((Refusal::NoTarget, Detail::None));
    }
    if let Some(at) = plan.requires_tags.ids().iter().position(|tag| !flat.has(have, *tag)) {
        return Some((Refusal::RequiredTags, Detail::MissingTag(at as u32)));
    }
    let at = plan.block_tags.ids().iter().position(|tag| flat.has(have, *tag))?;
    Some((Refusal::BlockTags, Detail::BlockedByTag(at as u32)))
}

/// One row per action, as other passes make them.
pub(super) fn write_rows(
    entries: &[Entry],
    flat: &FlatList,
    focus: (Option<TargetKey>, u32),
    found: &FlatScores,
    rows: &mut Vec<Row>,
) {
    rows.clear();
    for (index, (entry, score)) in entries.iter().zip(&found.scores).enumerate() {
        let alone = flat.alone >> index & 1 != 0;
        let (target, seen) = if alone { (None, 0) } else { focus };
        let mut row = Row {
            index,
            action: entry.action,
            target,
            seen,
            standing: Standing::Rival,
            score: 0.0,
            refusal: Refusal::None,
            detail: Detail::None,
            won: false,
        };
        score::settle(&mut row, *score);
        rows.push(row);
    }
    for (at, refusal, detail) in &found.closed {
        let row = &mut rows[*at as usize];
        (row.refusal, row.detail) = (*refusal, *detail);
    }
}

impl FlatScores {
    /// The highest score above zero, the first of equals.
    pub fn best(&self) -> Option<usize> {
        // In two passes without a guess: which one it is can't be predicted.
        let highest =
            self.scores.iter().fold(0.0, |highest, score| if *score > highest { *score } else { highest });
        if highest > 0.0 { self.scores.iter().position(|score| *score == highest) } else { None }
    }
}
