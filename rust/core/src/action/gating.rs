//! Gates 1 to 10 of a candidate, in their order, as far as nobody has to be asked.

use super::list::Entry;
use super::score::Pass;
use super::targets::Seen;
use super::{ActionPlan, Detail, Refusal, Settings, Snapshot, gates};
use crate::tags::TagId;

/// The reason of a refusal.
pub(super) type Veto = (Refusal, Detail);

/// Gates 9 and 10, as far as nobody has to be asked first. Else which gate will say no after that.
pub(super) fn listed_gates(
    plan: &ActionPlan,
    snapshot: &Snapshot,
    seen: &Seen,
) -> Result<Option<usize>, Veto> {
    if plan.require_line_of_sight && seen.key.is_none() {
        return Err((Refusal::NoLineOfSight, Detail::None));
    }
    match gates::first_veto(plan, snapshot, seen) {
        Some((at, false)) if !plan.require_line_of_sight => Err((Refusal::Gate, Detail::Gate(at as u32))),
        veto => Ok(veto.map(|(at, _)| at)),
    }
}

pub(super) fn global_block(settings: &Settings, snapshot: &Snapshot) -> Option<Veto> {
    let at = settings.global_block_tags.ids().iter().position(|tag| snapshot.tags.matches(*tag))?;
    Some((Refusal::Blocked, Detail::BlockedGlobally(at as u32)))
}

/// Gates 1 to 5, the same for every target. For another target of what runs cooldown, repeats and recovery do not count.
pub(super) fn action_gates(pass: &Pass, entry: &Entry, blocked: Option<Veto>, runs: bool) -> Option<Veto> {
    if !entry.plan.enabled {
        return Some((Refusal::Disabled, Detail::None));
    }
    if blocked.is_some() {
        return blocked;
    }
    if pass.reacting.is_some_and(|reacting| reacting.ignores(&entry.plan)) {
        return Some((Refusal::Trigger, Detail::None));
    }
    if !entry.plan.has_method {
        return Some((Refusal::NoMethod, Detail::None));
    }
    if runs {
        return None;
    }
    let left = pass.memory.cooldown_left(entry.action);
    if left > 0.0 {
        return Some((Refusal::Cooldown, Detail::Cooldown(left)));
    }
    let limit = u32::try_from(entry.plan.max_consecutive_uses).unwrap_or(u32::MAX);
    let used = pass.memory.repeats(entry.action, pass.settings);
    if used >= limit {
        return Some((Refusal::RepeatLimit, Detail::Uses(used, limit)));
    }
    if pass.reacting.is_some_and(|reacting| reacting.is_busy(&entry.plan, pass.reacts)) {
        return Some((Refusal::Busy, Detail::None));
    }
    let left = pass.memory.recovery_left();
    let rests = left > 0.0 && !entry.plan.ignore_recovery;
    let follows_up = || pass.memory.follows_up(&entry.plan, pass.settings);
    (rests && !follows_up()).then_some((Refusal::Recovery, Detail::Recovering(left)))
}

/// Gates 1 to 5, asked again before a chosen action starts after scripts had their say.
pub(super) fn recheck(pass: &Pass, entry: &Entry, snapshot: &Snapshot, runs: bool) -> Option<Veto> {
    action_gates(pass, entry, global_block(pass.settings, snapshot), runs)
}

/// On the agent, the target or the world.
pub(super) fn owned(snapshot: &Snapshot, seen: &Seen, tag: TagId) -> bool {
    snapshot.tags.matches(tag)
        || seen.view(snapshot).is_some_and(|view| view.tags.matches(tag))
        || snapshot.world.matches(tag)
}

/// Gates 6 to 8.
pub(super) fn target_gates(plan: &ActionPlan, snapshot: &Snapshot, seen: &Seen) -> Option<Veto> {
    if plan.require_target && seen.key.is_none() {
        return Some((Refusal::NoTarget, Detail::None));
    }
    if let Some(at) = plan.requires_tags.ids().iter().position(|tag| !owned(snapshot, seen, *tag)) {
        return Some((Refusal::RequiredTags, Detail::MissingTag(at as u32)));
    }
    let at = plan.block_tags.ids().iter().position(|tag| owned(snapshot, seen, *tag))?;
    Some((Refusal::BlockTags, Detail::BlockedByTag(at as u32)))
}
