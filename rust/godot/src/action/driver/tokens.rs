//! Combat tokens of runs: taken before the start, moved with the target, given back at the end.

use godot::prelude::*;
use riposte_core::action::{Answer, Run, RunId, TokenClaim};
use riposte_core::tags::TagId;

use super::sides::side;
use super::world::node_of;
use super::{reacting, with};
use crate::action::token_pools;

/// What a run takes, and what ends for it.
struct Wants {
    agent: InstanceId,
    costs: Vec<(TagId, u32)>,
    target: Option<InstanceId>,
    /// What runs now, here and in the agent's ActionEvaluator.
    replaced: Vec<TokenClaim>,
}

/// S3.
pub(super) fn take(id: InstanceId, run: RunId) -> Answer {
    let Some(wants) = wants(id, run) else { return Answer::Bool(false) };
    let Some(target) = wants.target else { return Answer::Bool(false) };
    Answer::Bool(claim(id, run, &wants, target))
}

/// A run goes on with another target, if it can have its tokens there.
pub(super) fn follow(id: InstanceId, run: RunId, target: InstanceId) -> bool {
    let Some(mut wants) = wants(id, run).filter(|wants| !wants.costs.is_empty()) else { return true };
    let old = claim_of(id, run);
    wants.replaced = old.into_iter().collect();
    if !claim(id, run, &wants, target) {
        return false;
    }
    if let Some(old) = old {
        token_pools::give_back(old);
    }
    true
}

/// E4, and a start that failed.
pub(super) fn give_back(id: InstanceId, run: RunId) {
    let claim = side(id, |side| side.runs.iter_mut().find(|row| row.id == run)?.claim.take());
    if let Some(claim) = claim {
        token_pools::give_back(claim);
    }
}

fn claim(id: InstanceId, run: RunId, wants: &Wants, target: InstanceId) -> bool {
    let Some((claim, changes)) = token_pools::claim(wants.agent, target, &wants.costs, &wants.replaced)
    else {
        return false;
    };
    // Kept before anyone hears of it: the run may end in a handler.
    side(id, |side| {
        if let Some(row) = side.runs.iter_mut().find(|row| row.id == run) {
            row.claim = Some(claim);
        }
    });
    token_pools::tell_acquired(&changes);
    let kept = claim_of(id, run) == Some(claim);
    if !kept {
        token_pools::give_back(claim);
    }
    kept
}

fn wants(id: InstanceId, run: RunId) -> Option<Wants> {
    let (agent, plan, target) = with(id, |state| {
        let known = state.core.run(run)?;
        Some((state.agent?, known.plan().clone(), known.target()))
    })??;
    let mut replaced: Vec<TokenClaim> = running_claim(id).into_iter().collect();
    if plan.reaction.as_ref().is_some_and(|reaction| reaction.interrupts_action) {
        replaced.extend(reacting::sibling(id).and_then(running_claim));
    }
    let target = target.and_then(node_of).map(|node| node.instance_id());
    Some(Wants { agent, costs: plan.tokens(), target, replaced })
}

fn running_claim(id: InstanceId) -> Option<TokenClaim> {
    let run = with(id, |state| state.core.running().map(Run::id)).flatten()?;
    claim_of(id, run)
}

fn claim_of(id: InstanceId, run: RunId) -> Option<TokenClaim> {
    side(id, |side| side.runs.iter().find(|row| row.id == run)?.claim)
}
