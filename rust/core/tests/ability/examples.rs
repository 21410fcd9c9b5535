//! The worked examples of abilities.

use riposte_core::ability::{AbilityPlan, EndRequest};
use riposte_core::action::EndReason;

use super::play::{Act, Play};

#[test]
fn ex_35_e25() {
    let mut play = Play::new();
    let dash = play.grant(AbilityPlan::default());
    assert!(play.core.grant_again(dash));
    assert_eq!(play.release(dash), EndRequest::Kept);
    assert!(play.core.is_granted(dash), "the other set still has it");
    let activation = play.start(dash);
    play.take();
    assert_eq!(play.release(dash), EndRequest::Later);
    assert_eq!((play.take(), play.core.activation(dash)), (String::new(), Some(activation)), "it goes on");
    play.end(activation, EndReason::Completed);
    assert_eq!(play.take(), "release 1 after 0, finish 1 0, ended 1 0 1, revoked 1");
    assert!(!play.core.is_granted(dash));
}

#[test]
fn ex_35_e26() {
    let mut play = Play::new();
    let handles = [&["Attack.Light"], &["Attack.Heavy"], &["Shout"]].map(|tags| play.carrying(tags));
    let attack = play.tag("Attack");
    assert_eq!(play.core.with_tag(attack), handles[..2]);
}

#[test]
fn ex_35_e27() {
    let mut play = Play::new();
    let hit = play.tag("Hit");
    let flinch = play.grant(AbilityPlan { triggers: vec![hit], cooldown: 1.0, ..AbilityPlan::default() });
    let event = play.set(&["Hit.Head"]);
    assert_eq!(play.core.triggered_by(&event), [flinch]);
    play.on("run 1", Act::End(flinch));
    assert_eq!(play.start(flinch), 1, "it started, though it is over");
    assert_eq!(
        play.take(),
        "receive 1, ask 1, take 1, activated 1 1, run 1, release 1 after 0, finish 1 0, ended 1 0 1"
    );
    for _ in 0..5 {
        play.step(0.1);
    }
    assert_eq!((play.start(flinch), play.take()), (0, "refused 1 3".to_owned()));
    for _ in 0..5 {
        play.step(0.1);
    }
    assert_eq!(play.start(flinch), 2);
}

#[test]
fn ex_35_e28() {
    let mut play = Play::new();
    let light = play.carrying(&["Attack.Light"]);
    let attack = play.tag("Attack");
    let dodge = play.grant(AbilityPlan { cancels: vec![attack], ..AbilityPlan::default() });
    play.start(light);
    play.take();
    play.start(dodge);
    assert_eq!(
        play.take(),
        "receive 2, ask 2, release 1 after 0, finish 1 1, ended 1 1 1, take 2, activated 2 2, run 2"
    );
}
