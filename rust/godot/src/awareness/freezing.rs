//! Records that scripts hold keep their last values when the belief is removed.

use godot::prelude::*;
use riposte_core::awareness::{AwarenessWorld, BeliefRef, Frozen, MindKey};

use super::awareness_record::Kept;
use super::{AwarenessRecord, sides, state};

/// Freezes the records of beliefs that an update removed; those that events speak of are returned.
pub(super) fn freeze_removed(
    node: InstanceId,
    removed: Vec<(Frozen, bool)>,
    spoken_of: impl Fn(BeliefRef) -> bool,
) -> Vec<(BeliefRef, Gd<AwarenessRecord>)> {
    let mut told = Vec::new();
    for (frozen, gone) in removed {
        let belief = frozen.belief.key();
        let held = sides::take_record(node, belief);
        if held.is_none() && !spoken_of(belief) {
            continue;
        }
        let kept = keep(node, frozen, gone);
        let record = match held {
            Some(mut record) => {
                record.bind_mut().freeze(kept);
                record
            }
            None => AwarenessRecord::kept(kept),
        };
        told.push((belief, record));
    }
    told
}

/// Freezes all records of a node, before its beliefs are dropped.
pub(super) fn freeze_all(node: InstanceId) {
    for (belief, mut record) in sides::take_records(node) {
        let frozen = state::with_mind(node, |minds, key| last_values(minds, key, belief)).flatten();
        if let Some(frozen) = frozen {
            let kept = keep(node, frozen, false);
            record.bind_mut().freeze(kept);
        }
    }
}

fn keep(node: InstanceId, frozen: Frozen, gone: bool) -> Kept {
    let mind = state::with(|minds| minds.mind(node));
    let planar = mind.is_some_and(|mind| mind.planar);
    Kept { frozen, planar, gone, agent: mind.and_then(|mind| mind.agent) }
}

fn last_values(minds: &AwarenessWorld, key: MindKey, belief: BeliefRef) -> Option<Frozen> {
    let explanation = minds.explain(key, belief)?;
    let mut samples = Vec::new();
    minds.samples(key, belief, &mut samples);
    let belief = minds.belief_by_ref(key, belief)?.clone();
    let time_in_state = minds.now(key) - belief.state_since;
    Some(Frozen { belief, samples, explanation, time_in_state })
}
