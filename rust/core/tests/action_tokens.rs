//! Combat tokens: how many there are, who gets them, and that none is lost.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use riposte_core::action::{TargetKey, TokenClaim, TokenPools, TokenWish};
use riposte_core::tags::{TagId, TagTable};

const FOE: TargetKey = TargetKey(100);
const A: TargetKey = TargetKey(1);
const B: TargetKey = TargetKey(2);
const C: TargetKey = TargetKey(3);

fn pools(default: u32) -> (TokenPools, TagId) {
    let mut table = TagTable::new();
    let mut pools = TokenPools::new();
    pools.set_project(BTreeMap::new(), default);
    (pools, table.intern("Token.Attack").unwrap())
}

fn claim(pools: &mut TokenPools, holder: TargetKey, tag: TagId, cost: u32) -> Option<TokenClaim> {
    replace(pools, holder, tag, cost, &[])
}

fn replace(
    pools: &mut TokenPools,
    holder: TargetKey,
    tag: TagId,
    cost: u32,
    replaced: &[TokenClaim],
) -> Option<TokenClaim> {
    let wish = TokenWish { holder, target: FOE, costs: &[(tag, cost)], replaced };
    pools.claim(&wish).map(|(claim, _)| claim)
}

#[test]
fn ex_30_a74() {
    let (mut pools, tag) = pools(2);
    let a = claim(&mut pools, A, tag, 1).unwrap();
    claim(&mut pools, B, tag, 1).unwrap();
    assert_eq!(pools.free_for(C, FOE, tag), 0, "two hold them: the gate is closed");
    pools.give_back(a);
    assert_eq!(pools.free_for(C, FOE, tag), 1, "one is free: the gate is open");
    assert!(claim(&mut pools, C, tag, 2).is_none(), "a cost of two with one free");
    assert!(claim(&mut pools, C, tag, 1).is_some());
}

#[test]
fn capacity_is_the_targets_else_the_pools_else_the_projects_else_the_default() {
    let (mut pools, tag) = pools(2);
    assert_eq!(pools.capacity(FOE, tag), 2);
    pools.set_project(BTreeMap::from([(tag, 3)]), 2);
    assert_eq!(pools.capacity(FOE, tag), 3);
    pools.set_pool_capacity(tag, Some(4));
    assert_eq!(pools.capacity(FOE, tag), 4);
    pools.set_target_capacity(FOE, tag, Some(0));
    assert_eq!((pools.capacity(FOE, tag), pools.capacity(A, tag)), (0, 4));
    pools.set_target_capacity(FOE, tag, None);
    pools.set_pool_capacity(tag, None);
    assert_eq!(pools.capacity(FOE, tag), 3);
}

#[test]
fn a_lower_capacity_evicts_nobody() {
    let (mut pools, tag) = pools(2);
    claim(&mut pools, A, tag, 1).unwrap();
    let b = claim(&mut pools, B, tag, 1).unwrap();
    pools.set_pool_capacity(tag, Some(1));
    assert_eq!(pools.holders(FOE, tag), [A, B]);
    assert_eq!(pools.free(FOE, tag), 0);
    pools.give_back(b);
    assert_eq!(pools.free(FOE, tag), 0, "one of one");
}

#[test]
fn own_slots_count_as_free_in_the_gate_and_a_run_that_is_replaced_makes_room() {
    let (mut pools, tag) = pools(1);
    let old = claim(&mut pools, A, tag, 1).unwrap();
    assert_eq!((pools.free_for(A, FOE, tag), pools.free_for(B, FOE, tag)), (1, 0));
    assert!(claim(&mut pools, A, tag, 1).is_none(), "a run beside it finds no slot");
    let new = replace(&mut pools, A, tag, 1, &[old]).unwrap();
    pools.give_back(old);
    assert_eq!(pools.free(FOE, tag), 0, "the new run has the slot");
    pools.give_back(new);
    assert_eq!(pools.free(FOE, tag), 1);
}

#[test]
fn what_a_script_took_for_the_agent_serves_its_run_and_outlives_it() {
    let (mut pools, tag) = pools(2);
    pools.acquire(A, FOE, tag, 1).unwrap();
    let run = claim(&mut pools, A, tag, 1).unwrap();
    assert_eq!(pools.free(FOE, tag), 1, "the run took none beside it");
    assert_eq!(pools.give_back(run), []);
    assert_eq!(pools.holders(FOE, tag), [A]);
    let big = claim(&mut pools, A, tag, 2).unwrap();
    assert_eq!(pools.give_back(big).iter().map(|change| change.count).sum::<u32>(), 1, "only what it took");
    assert_eq!(pools.release(A, FOE, tag).len(), 1);
    assert!(!pools.is_held());
}

#[test]
fn all_or_nothing() {
    let mut table = TagTable::new();
    let [light, heavy] = ["Token.Light", "Token.Heavy"].map(|name| table.intern(name).unwrap());
    let mut pools = TokenPools::new();
    pools.set_project(BTreeMap::from([(light, 2), (heavy, 0)]), 2);
    let wish = TokenWish { holder: A, target: FOE, costs: &[(light, 1), (heavy, 1)], replaced: &[] };
    assert!(pools.claim(&wish).is_none());
    assert!(!pools.is_held(), "not even the ones that were free");
}

#[test]
fn who_is_gone_holds_nothing_and_nothing_is_held_on_it() {
    let (mut pools, tag) = pools(5);
    let other = TargetKey(101);
    pools.acquire(A, FOE, tag, 2).unwrap();
    pools.acquire(B, FOE, tag, 1).unwrap();
    pools.acquire(B, other, tag, 1).unwrap();
    let gone = pools.release_node(A);
    assert_eq!(gone.iter().map(|change| (change.holder, change.count)).collect::<Vec<_>>(), [(A, 2)]);
    let gone = pools.release_node(FOE);
    assert_eq!(gone.iter().map(|change| change.holder).collect::<Vec<_>>(), [B]);
    assert_eq!(pools.holders(other, tag), [B]);
    assert_eq!(pools.keep_nodes(|node| node != other).len(), 1);
    assert!(!pools.is_held());
}

#[derive(Clone, Debug)]
enum Step {
    Acquire(u64, u64, u32),
    Claim(u64, u64, u32, bool),
    GiveBack(usize),
    Release(u64, u64),
    Gone(u64),
    Resize(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..4_u64, 0..3_u64, 0..4_u32).prop_map(|(a, t, n)| Step::Acquire(a, t, n)),
        (0..4_u64, 0..3_u64, 1..4_u32, any::<bool>()).prop_map(|(a, t, n, r)| Step::Claim(a, t, n, r)),
        (0..8_usize).prop_map(Step::GiveBack),
        (0..4_u64, 0..3_u64).prop_map(|(a, t)| Step::Release(a, t)),
        (0..7_u64).prop_map(Step::Gone),
        (0..6_u32).prop_map(Step::Resize),
    ];
    proptest::collection::vec(step, 1..60)
}

proptest! {
    #[test]
    fn tokens_balance_whatever_happens(steps in steps()) {
        let (mut pools, tag) = pools(3);
        let mut claims: Vec<(u64, TokenClaim)> = Vec::new();
        let (mut taken, mut given) = (0_u32, 0_u32);
        let target = |t: u64| TargetKey(4 + t);
        for step in steps {
            match step {
                Step::Acquire(a, t, n) => {
                    let free = pools.free(target(t), tag);
                    let change = pools.acquire(TargetKey(a), target(t), tag, n);
                    prop_assert_eq!(change.is_some(), n <= free);
                    taken += change.map_or(0, |change| change.count);
                }
                Step::Claim(a, t, n, replaces) => {
                    let old: Vec<TokenClaim> =
                        claims.iter().filter(|row| replaces && row.0 == a).map(|row| row.1).collect();
                    let wish = TokenWish {
                        holder: TargetKey(a), target: target(t), costs: &[(tag, n)], replaced: &old,
                    };
                    let room = pools.free_for(TargetKey(a), target(t), tag);
                    if let Some((claim, changes)) = pools.claim(&wish) {
                        prop_assert!(changes.iter().all(|change| change.count <= room));
                        claims.push((a, claim));
                        taken += changes.iter().map(|change| change.count).sum::<u32>();
                        for old in old {
                            given += pools.give_back(old).iter().map(|change| change.count).sum::<u32>();
                        }
                    }
                }
                Step::GiveBack(at) => {
                    if let Some((_, claim)) = claims.get(at) {
                        given += pools.give_back(*claim).iter().map(|change| change.count).sum::<u32>();
                    }
                }
                Step::Release(a, t) => {
                    let gone = pools.release(TargetKey(a), target(t), tag);
                    given += gone.iter().map(|change| change.count).sum::<u32>();
                }
                Step::Gone(node) => {
                    let gone = pools.release_node(TargetKey(node));
                    given += gone.iter().map(|change| change.count).sum::<u32>();
                }
                Step::Resize(n) => pools.set_pool_capacity(tag, Some(n)),
            }
            prop_assert!(given <= taken);
        }
        given += (0..7).map(|node| {
            pools.release_node(TargetKey(node)).iter().map(|change| change.count).sum::<u32>()
        }).sum::<u32>();
        prop_assert_eq!(taken, given);
        prop_assert!(!pools.is_held());
    }
}
