//! Whatever scripts do: one end per start, tags and guards given back, signals in order.

use std::collections::BTreeMap;

use proptest::prelude::*;
use riposte_core::ability::AbilityPlan;
use riposte_core::action::EndReason;

use super::play::{Act, Play};

const COUNT: i64 = 4;

fn act() -> impl Strategy<Value = Act> {
    (0..8u8, 1..=COUNT).prop_map(|(kind, handle)| match kind {
        0..3 => Act::Start(handle),
        3 => Act::End(handle),
        4 => Act::Revoke(handle),
        5 => Act::Release(handle),
        6 => Act::Grant(handle),
        _ => Act::Close,
    })
}

fn line() -> impl Strategy<Value = String> {
    let words = ["receive", "ask", "take", "run", "revoked"];
    let plain =
        (proptest::sample::select(words.to_vec()), 1..=COUNT).prop_map(|(word, n)| format!("{word} {n}"));
    let told = (1..=COUNT, 1..20i64).prop_map(|(n, id)| format!("activated {n} {id}"));
    let over = (1..=COUNT, 0..3i64).prop_map(|(n, reason)| format!("finish {n} {reason}"));
    prop_oneof![plain, told, over]
}

fn plan(play: &mut Play, n: i64, kind: u8) -> AbilityPlan {
    let names = ["Attack.Light", "Attack.Heavy", "Shout", "Roll"];
    let tags = play.set(&[names[n as usize]]);
    let (attack, held) = (play.tag("Attack"), play.tag("State.Busy"));
    AbilityPlan {
        tags,
        cancels: if kind & 1 > 0 { vec![attack] } else { Vec::new() },
        granted: vec![held],
        cooldown: if kind & 2 > 0 { 0.2 } else { 0.0 },
        retrigger: kind & 4 > 0,
        ticks: kind & 8 > 0,
        ..AbilityPlan::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_start_has_one_end(
        kinds in proptest::collection::vec(0..16u8, COUNT as usize),
        acts in proptest::collection::vec((line(), act()), 0..12),
        calls in proptest::collection::vec(act(), 1..60),
    ) {
        let mut play = Play::new();
        for n in 0..COUNT {
            let plan = plan(&mut play, n, kinds[n as usize]);
            play.grant(plan);
        }
        play.acts = acts;
        for call in &calls {
            play.perform(call);
            if play.core.is_closed() {
                play.core.open();
            }
            play.step(0.1);
            let busy = play.tag("State.Busy");
            prop_assert_eq!(play.owned.count(busy) as usize, play.core.active_handles().len());
        }
        play.acts.clear();
        for activation in play.core.activations_with(&[]) {
            play.end(activation, EndReason::Cancelled);
        }
        prop_assert_eq!(play.holds(), 0);
        check_order(&play.lines)?;
    }
}

/// Of each activation: told, then over, each once; of each grant: at most one goodbye.
fn check_order(lines: &[String]) -> Result<(), TestCaseError> {
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    let mut gone: Vec<&str> = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["activated", _, id] => prop_assert_eq!(told.insert(id.to_owned(), 0), None),
            ["ended", _, _, id] => {
                let ends = told.get_mut(id).map(|ends| {
                    *ends += 1;
                    *ends
                });
                prop_assert_eq!(ends, Some(1), "{} ended before it was told, or twice", id);
            }
            ["revoked", handle] => {
                prop_assert!(!gone.contains(&handle));
                gone.push(handle);
            }
            ["activated" | "take" | "run", handle, ..] => prop_assert!(!gone.contains(&handle)),
            _ => {}
        }
    }
    prop_assert!(told.values().all(|ends| *ends == 1));
    Ok(())
}
