//! What only the engine knows about an AgentAwareness: its profile, its copies of the policies, and the objects that
//! scripts are given.
//!
//! Main thread only. Borrowed for moments; nothing of the engine that runs scripts may be called inside.

use std::cell::RefCell;

use godot::prelude::*;
use riposte_core::awareness::{BeliefRef, MindKey};

use super::policies::{SLOTS, Slot};
use super::{AwarenessProfile, AwarenessRecord, fusing, policies, state};
use crate::base::id_map::IdMap;

/// The engine's side of one node.
#[derive(Default)]
struct Side {
    profile: Option<Gd<AwarenessProfile>>,
    /// The copies, and of which resource and state of it each is one.
    policies: [Option<Gd<Resource>>; 3],
    copied: [Option<(InstanceId, u64)>; 3],
    candidates: Option<Array<Gd<Node>>>,
    records: Vec<(BeliefRef, InstanceId)>,
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static SIDES: &'static RefCell<IdMap<Side>> = Box::leak(Box::default());
}

fn side<R>(node: InstanceId, act: impl FnOnce(&mut Side) -> R) -> R {
    SIDES.with(|sides| act(sides.borrow_mut().entry(node.to_i64()).or_default()))
}

/// Drops all of it.
pub(super) fn forget(node: InstanceId, key: Option<MindKey>) {
    key.into_iter().for_each(fusing::forget_copy);
    let gone = SIDES.with(|sides| sides.borrow_mut().remove(&node.to_i64()));
    drop(gone);
    fusing::drop_unused();
}

/// The profile in use.
pub(super) fn profile(node: InstanceId) -> Option<Gd<AwarenessProfile>> {
    side(node, |side| side.profile.clone())
}

/// Uses another profile; returns the one before.
pub(super) fn set_profile(
    node: InstanceId,
    profile: Option<Gd<AwarenessProfile>>,
) -> Option<Gd<AwarenessProfile>> {
    side(node, |side| std::mem::replace(&mut side.profile, profile))
}

/// Copies anew those policies that changed since they were copied. Runs `_init` of scripts.
pub(super) fn refresh_policies(node: InstanceId, profile: Option<&Gd<AwarenessProfile>>, anew: bool) {
    for slot in SLOTS {
        let known = side(node, |side| side.copied[slot as usize]);
        let current = profile.and_then(|profile| {
            let own = profile.bind();
            let policy = slot.of(&own)?;
            Some((policy, own.slots[slot as usize]))
        });
        let wanted = current.as_ref().map(|(policy, state)| (policy.instance_id(), *state));
        if known == wanted && !anew {
            continue;
        }
        let scripted = current.filter(|(policy, _)| policies::is_scripted(policy, slot));
        let copy = scripted.and_then(|(policy, _)| policies::copy_for(&policy, slot, node));
        let before = side(node, |side| {
            side.copied[slot as usize] = wanted;
            std::mem::replace(&mut side.policies[slot as usize], copy)
        });
        if slot == Slot::Fusion
            && let Some(key) = state::with_mind(node, |_, key| key)
        {
            fusing::forget_copy(key);
        }
        drop(before);
    }
}

/// The node's copy of a policy.
pub(super) fn policy(node: InstanceId, slot: Slot) -> Option<Gd<Resource>> {
    SIDES.with(|sides| sides.borrow().get(&node.to_i64())?.policies[slot as usize].clone())
}

/// The array of candidates that a policy is given, filled in.
pub(super) fn candidates(node: InstanceId, nodes: &[Gd<Node>]) -> Variant {
    let mut array = side(node, |side| side.candidates.get_or_insert_default().clone());
    array.clear();
    for node in nodes {
        array.push(node);
    }
    array.to_variant()
}

/// Empties the array, so that it holds no node that is freed later.
pub(super) fn release_candidates(node: InstanceId) {
    let array = side(node, |side| side.candidates.clone());
    if let Some(mut array) = array {
        array.clear();
    }
}

/// The record of a belief: the one that somebody holds already, or a new one.
pub(super) fn record(node: InstanceId, belief: BeliefRef) -> Gd<AwarenessRecord> {
    let known = side(node, |side| side.records.iter().find(|(of, _)| *of == belief).map(|(_, id)| *id));
    if let Some(record) = known.and_then(|id| Gd::<AwarenessRecord>::try_from_instance_id(id).ok()) {
        return record;
    }
    let record = AwarenessRecord::live(node, belief);
    let id = record.instance_id();
    side(node, |side| match side.records.iter_mut().find(|(of, _)| *of == belief) {
        Some(entry) => entry.1 = id,
        None => side.records.push((belief, id)),
    });
    record
}

/// The record of a belief that somebody holds; it is not given out again.
pub(super) fn take_record(node: InstanceId, belief: BeliefRef) -> Option<Gd<AwarenessRecord>> {
    let id = side(node, |side| {
        let at = side.records.iter().position(|(of, _)| *of == belief)?;
        Some(side.records.swap_remove(at).1)
    })?;
    Gd::try_from_instance_id(id).ok()
}

/// All records that somebody holds, with their beliefs.
pub(super) fn take_records(node: InstanceId) -> Vec<(BeliefRef, Gd<AwarenessRecord>)> {
    let records = side(node, |side| std::mem::take(&mut side.records));
    let alive = |(belief, id)| Some((belief, Gd::<AwarenessRecord>::try_from_instance_id(id).ok()?));
    records.into_iter().filter_map(alive).collect()
}
