//! Who holds combat tokens: the one state of all agents, and its connection to the nodes.

use std::cell::Cell;
use std::collections::BTreeMap;

use godot::classes::Engine;
use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::action::{TargetKey, TokenChange, TokenClaim, TokenPools, TokenWish};
use riposte_core::tags::TagId;

use super::CombatTokens;
use super::driver::{is_live, key_of, node_of};
use crate::base::callbacks::connect;
use crate::base::{messages, network, settings, tags};

/// More slots than any pool has.
pub(super) const MOST: i64 = 1_000_000;

static POOLS: Mutex<TokenPools> = Mutex::new(TokenPools::new());

thread_local! {
    /// The frame in which the project settings were read.
    static READ: Cell<Option<u64>> = const { Cell::new(None) };
}

/// The state, for a moment: nothing of the engine may be called inside.
pub(super) fn with<R>(act: impl FnOnce(&mut TokenPools) -> R) -> R {
    act(&mut POOLS.lock())
}

/// The slots that the agent may have on a target, its own included. Read once per decision and target.
pub(super) fn free_for(agent: InstanceId, target: InstanceId, wanted: &[TagId]) -> Vec<(TagId, u64)> {
    if wanted.is_empty() || network::was_client() {
        return Vec::new();
    }
    refresh_once();
    let (agent, target) = (key_of(agent), key_of(target));
    with(|pools| wanted.iter().map(|tag| (*tag, u64::from(pools.free_for(agent, target, *tag)))).collect())
}

/// What a run needs on a target, all of it or nothing. To be told by [`tell_acquired`].
pub(super) fn claim(
    agent: InstanceId,
    target: InstanceId,
    costs: &[(TagId, u32)],
    replaced: &[TokenClaim],
) -> Option<(TokenClaim, Vec<TokenChange>)> {
    if network::is_client() || !is_live(agent) || !is_live(target) {
        return None;
    }
    refresh_once();
    let (holder, on) = (key_of(agent), key_of(target));
    let claimed = with(|pools| pools.claim(&TokenWish { holder, target: on, costs, replaced }))?;
    if !claimed.1.is_empty() {
        watch(agent);
        watch(target);
    }
    Some(claimed)
}

/// Gives back what a run took. Tells it.
pub(super) fn give_back(claim: TokenClaim) {
    let changes = with(|pools| pools.give_back(claim));
    tell_released(&changes);
}

/// The node is held on or holds: when it leaves the tree, that is over.
pub(super) fn watch(node: InstanceId) {
    if let Ok(object) = Gd::<Node>::try_from_instance_id(node) {
        connect(&object, "tree_exiting", node, "riposte_tokens", |node| {
            let changes = with(|pools| pools.release_node(key_of(node)));
            tell_released(&changes);
        });
    }
}

/// Signals for slots that were taken. Runs user code.
pub(super) fn tell_acquired(changes: &[TokenChange]) {
    for change in changes {
        let [target, holder] = nodes_of(change);
        let tag = tags::name(change.tag);
        CombatTokens::singleton().signals().token_acquired().emit(target.as_ref(), &tag, holder.as_ref());
    }
}

/// Signals for slots that are free again. Runs user code.
pub(super) fn tell_released(changes: &[TokenChange]) {
    for change in changes {
        let [target, holder] = nodes_of(change);
        let tag = tags::name(change.tag);
        CombatTokens::singleton().signals().token_released().emit(target.as_ref(), &tag, holder.as_ref());
    }
}

/// Also one that is just leaving the tree; null if it was freed.
fn nodes_of(change: &TokenChange) -> [Option<Gd<Node>>; 2] {
    [change.target, change.holder].map(any_node)
}

fn any_node(key: TargetKey) -> Option<Gd<Node>> {
    Gd::<Node>::try_from_instance_id(InstanceId::try_from_i64(key.0.cast_signed())?).ok()
}

/// The nodes that hold slots.
pub(super) fn holders(target: InstanceId, tag: TagId) -> Vec<Gd<Node>> {
    let holders = with(|pools| pools.holders(key_of(target), tag));
    holders.into_iter().filter_map(node_of).collect()
}

/// Forgets capacities of targets that were freed, now and then.
pub(super) fn forget_freed() {
    let many = with(|pools| pools.target_capacities().is_power_of_two());
    if many {
        let exists = |key: TargetKey| {
            InstanceId::try_from_i64(key.0.cast_signed()).is_some_and(InstanceId::lookup_validity)
        };
        with(|pools| pools.keep_targets(exists));
    }
}

/// Reads the project settings, but only once in a frame: decisions ask often.
fn refresh_once() {
    let engine = Engine::singleton();
    let frame = (engine.get_physics_frames() << 32) ^ engine.get_process_frames();
    if READ.replace(Some(frame)) != Some(frame) {
        refresh();
    }
}

/// Reads the project settings.
pub(super) fn refresh() {
    let mut pools = BTreeMap::new();
    match settings::token_pools() {
        Some(given) => {
            for (key, value) in given.iter_shared() {
                pools.extend(read_pool(&key, &value));
            }
        }
        None => complain("", "it is no dictionary and is not used. Give tag → slots"),
    }
    let default = u32::try_from(settings::DEFAULT_TOKENS.read()).unwrap_or_default();
    with(|state| state.set_project(pools, default));
}

fn read_pool(key: &Variant, value: &Variant) -> Option<(TagId, u32)> {
    let name = key.to_string();
    let Ok(tag) = tags::intern(&name) else {
        complain(&name, "it is no tag and is not used. Give a tag like Token.Attack");
        return None;
    };
    let number = value.try_to::<i64>().or_else(|_| {
        let number = value.try_to::<f64>()?;
        let whole = number.is_finite() && number.fract() == 0.0 && number.abs() <= MOST as f64;
        if whole { Ok(number as i64) } else { Err(ConvertError::new("no whole number")) }
    });
    match number.ok().filter(|number| (0..=MOST).contains(number)).map(u32::try_from) {
        Some(Ok(number)) => Some((tag, number)),
        _ => {
            let text = format!("{value} is no number of slots, so the default counts. Give 0 to {MOST}");
            complain(&name, &text);
            None
        }
    }
}

fn complain(key: &str, text: &str) {
    let place = if key.is_empty() { String::new() } else { format!(", \"{key}\"") };
    let text = format!("project setting {}{place}: {text}.", settings::TOKEN_POOLS);
    messages::warning(&CombatTokens::singleton(), settings::TOKEN_POOLS, key, &text);
}

/// Configuration warnings about what an action costs.
pub(super) fn too_dear(costs: impl Iterator<Item = (TagId, u32)>) -> Vec<String> {
    let mut sums: BTreeMap<TagId, u32> = BTreeMap::new();
    for (tag, cost) in costs {
        let sum = sums.entry(tag).or_default();
        *sum = sum.saturating_add(cost);
    }
    if sums.is_empty() {
        return Vec::new();
    }
    refresh();
    let nobody = TargetKey(0);
    let dear = sums.into_iter().filter_map(|(tag, cost)| {
        let capacity = with(|pools| pools.capacity(nobody, tag));
        let name = tags::text(tag);
        (cost > capacity).then(|| {
            format!(
                "gates: CombatTokenGate takes {cost} of {name}, and a target has {capacity}, so the action is never \
                 chosen. Lower the cost, or raise it in Project Settings, {}.",
                settings::TOKEN_POOLS
            )
        })
    });
    dear.collect()
}
