//! Refusals, orders, and calls from inside of scripts.

use riposte_core::ability::{AbilityPlan, EndRequest};
use riposte_core::action::EndReason;

use super::play::{Act, Play};

fn plain(play: &mut Play) -> i64 {
    play.grant(AbilityPlan::default())
}

#[test]
fn refusals_come_in_their_order() {
    let mut play = Play::new();
    let (need, ban) = (play.tag("State.Armed"), play.tag("State.Stunned"));
    let plan =
        AbilityPlan { required: vec![need], blocked: vec![ban], cooldown: 1.0, ..AbilityPlan::default() };
    let strike = play.grant(plan);
    play.owned.add(&play.table, ban, 1);
    assert_eq!((play.start(9), play.take()), (0, "refused 9 1".to_owned()));
    assert_eq!((play.start(strike), play.take()), (0, "refused 1 4".to_owned()));
    play.owned.add(&play.table, need, 1);
    assert_eq!((play.start(strike), play.take()), (0, "refused 1 5".to_owned()));
    play.owned.remove(&play.table, ban, 1);
    play.accepts = false;
    assert_eq!((play.start(strike), play.take()), (0, "receive 1, ask 1, refused 1 6".to_owned()));
    assert_eq!(play.core.cooldown(strike), 0.0, "a refusal costs nothing");
    play.accepts = true;
    let activation = play.start(strike);
    play.take();
    assert_eq!((play.start(strike), play.take()), (0, "refused 1 2".to_owned()));
    play.end(activation, EndReason::Completed);
    play.take();
    assert_eq!((play.start(strike), play.take()), (0, "refused 1 3".to_owned()));
}

#[test]
fn retriggering_ends_the_first_before_the_second() {
    let mut play = Play::new();
    let channel = play.grant(AbilityPlan { retrigger: true, ..AbilityPlan::default() });
    play.start(channel);
    play.take();
    assert_eq!(play.start(channel), 2);
    let wanted = "receive 1, ask 1, release 1 after 0, finish 1 1, ended 1 1 1, take 1, activated 1 2, run 1";
    assert_eq!(play.take(), wanted);
    play.accepts = false;
    assert_eq!(play.start(channel), 0);
    assert_eq!(play.core.activation(channel), Some(2), "a refused restart leaves the first alone");
}

#[test]
fn a_start_is_refused_inside_its_own_start() {
    let mut play = Play::new();
    let channel = play.grant(AbilityPlan { retrigger: true, ..AbilityPlan::default() });
    play.on("ask 1", Act::Start(channel));
    assert_eq!(play.start(channel), 1);
    assert_eq!(play.take(), "receive 1, ask 1, refused 1 2, take 1, activated 1 1, run 1");
}

#[test]
fn an_end_before_the_start_was_told_waits_for_that() {
    let mut play = Play::new();
    let dash = plain(&mut play);
    play.on("take 1", Act::End(dash));
    play.start(dash);
    let wanted = "receive 1, ask 1, take 1, activated 1 1, release 1 after 0, finish 1 0, ended 1 0 1";
    assert_eq!(play.take(), wanted);
}

#[test]
fn an_end_in_the_signal_of_the_start_keeps_it_from_running() {
    let mut play = Play::new();
    let dash = plain(&mut play);
    play.on("activated 1 1", Act::End(dash));
    play.start(dash);
    assert!(!play.take().contains("run"));
    assert_eq!(play.core.activation(dash), None);
}

#[test]
fn revoking_inside_a_start() {
    for (at, wanted) in [
        ("receive 1", "receive 1, revoked 1, refused 1 1"),
        ("ask 1", "receive 1, ask 1, revoked 1, refused 1 1"),
        (
            "take 1",
            "receive 1, ask 1, take 1, activated 1 1, release 1 after 0 revoked, finish 1 2, ended 1 2 1, revoked 1",
        ),
        (
            "run 1",
            "receive 1, ask 1, take 1, activated 1 1, run 1, release 1 after 0 revoked, finish 1 2, ended 1 2 1, revoked 1",
        ),
    ] {
        let mut play = Play::new();
        let dash = plain(&mut play);
        play.on(at, Act::Revoke(dash));
        play.start(dash);
        assert_eq!(play.take(), wanted);
        assert_eq!((play.core.is_granted(dash), play.holds()), (false, 0));
    }
}

#[test]
fn it_may_start_again_in_its_own_end() {
    let mut play = Play::new();
    let dash = plain(&mut play);
    play.on("finish 1 0", Act::Start(dash));
    let first = play.start(dash);
    play.take();
    play.end(first, EndReason::Completed);
    let wanted = "release 1 after 0, finish 1 0, receive 1, ask 1, take 1, activated 1 2, run 1, ended 1 0 1";
    assert_eq!((play.take(), play.core.activation(dash)), (wanted.to_owned(), Some(2)));
}

#[test]
fn starts_without_end_are_stopped() {
    let mut play = Play::new();
    let dash = plain(&mut play);
    for n in 1..100 {
        play.on(&format!("activated 1 {n}"), Act::End(dash));
        play.on(&format!("ended 1 0 {n}"), Act::Start(dash));
    }
    play.start(dash);
    assert!(play.take().contains("deep 1"));
    assert_eq!(play.core.activation(dash), None);
}

#[test]
fn stale_ids_do_nothing() {
    let mut play = Play::new();
    let dash = plain(&mut play);
    let first = play.start(dash);
    play.end(first, EndReason::Completed);
    let second = play.start(dash);
    assert_eq!(play.end(first, EndReason::Cancelled), EndRequest::Unknown);
    assert_eq!(play.core.activation(dash), Some(second));
    play.revoke(dash);
    assert_eq!(play.revoke(dash), EndRequest::Unknown);
    assert_eq!(play.core.cooldown(dash), 0.0);
}

#[test]
fn a_step_in_the_frame_of_the_start_does_not_count() {
    let mut play = Play::new();
    let channel = play.grant(AbilityPlan { ticks: true, cooldown: 0.25, ..AbilityPlan::default() });
    let activation = play.start(channel);
    // The node steps after whoever started it, in the same frame.
    assert_eq!(play.core.advance(0.1, 0), Vec::<i64>::new());
    assert_eq!((play.core.elapsed(activation), play.core.cooldown(channel)), (Some(0.0), 0.25));
    assert_eq!(play.step(0.1), [activation]);
    assert_eq!(play.core.elapsed(activation), Some(0.1));
    play.step(0.1);
    play.step(0.1);
    assert_eq!(play.core.cooldown(channel), 0.0);
    play.take();
    play.end(activation, EndReason::Failed);
    assert_eq!(play.take(), "release 1 after 3, finish 1 4, ended 1 4 1");
    assert!(!play.core.is_moving(), "nothing left to do in a step");
}

#[test]
fn out_of_the_tree_nothing_starts() {
    let mut play = Play::new();
    let (dash, roll) = (plain(&mut play), plain(&mut play));
    play.start(dash);
    play.on("finish 1 2", Act::Start(roll));
    play.take();
    play.close();
    assert_eq!(play.take(), "release 1 after 0, finish 1 2, refused 2 1, ended 1 2 1");
    play.core.open();
    assert!(play.start(roll) > 0);
}

#[test]
fn leaving_the_tree_inside_a_start() {
    for at in ["receive 1", "ask 1"] {
        let mut play = Play::new();
        let dash = plain(&mut play);
        play.on(at, Act::Close);
        assert_eq!(play.start(dash), 0);
        assert!(play.take().ends_with("refused 1 1"));
    }
    let mut play = Play::new();
    let dash = plain(&mut play);
    play.on("take 1", Act::Close);
    play.start(dash);
    assert!(play.take().ends_with("activated 1 1, release 1 after 0, finish 1 2, ended 1 2 1"));
}
