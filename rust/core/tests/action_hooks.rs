//! Hooks around runs, and runs whose target is lost.

mod action_support;

use action_support::*;
use riposte_core::action::*;

fn hooked(plans: impl IntoIterator<Item = ActionPlan>) -> Rig {
    let mut rig = Rig::quiet(plans);
    rig.hooks = all_hooks();
    rig
}

fn cooling(id: &str) -> ActionPlan {
    let cooldown = CooldownPlan { duration: 5.0, randomization: 0.0, ..CooldownPlan::default() };
    ActionPlan { cooldown, max_consecutive_uses: 1, ..spec(id) }
}

#[test]
fn ex_35_e7() {
    let mut rig = hooked([cooling("Jab")]);
    rig.vetoes = vec!["pre G Jab".to_owned()];
    assert_eq!(rig.execute("Jab"), 0);
    assert_eq!(rig.took(""), "can Jab, begin Jab, pre G Jab, pre A Jab, abort 2 Jab, refuse Jab 20");
    assert_eq!((rig.cooldown("Jab"), rig.why("Jab")), (0.0, Refusal::None));
}

#[test]
fn ex_35_e8() {
    let mut rig = hooked([ActionPlan { max_consecutive_uses: -1, ..cooling("Jab") }]);
    rig.method("Jab").ticks = Some(2);
    rig.execute("Jab");
    assert_eq!(rig.took(""), "can Jab, begin Jab, pre G Jab, pre A Jab, cool Jab 5.0000, start Jab");
    rig.steps(0.1, 2);
    assert_eq!(rig.took(""), "tick Jab, hook G Jab, hook A Jab, tick Jab, hook G Jab, hook A Jab");
    rig.step(0.1);
    assert_eq!(rig.took(""), "post G Jab 0, post A Jab 0, end Jab 0");
}

#[test]
fn ex_30_a46() {
    let mut rig = hooked([cooling("Jab")]);
    rig.method("Jab").begins = false;
    assert!(!rig.evaluate());
    rig.method("Jab").begins = true;
    rig.vetoes = vec!["pre A Jab".to_owned()];
    assert!(!rig.evaluate());
    assert_eq!((rig.cooldown("Jab"), rig.why("Jab")), (0.0, Refusal::None));
    rig.vetoes.clear();
    assert!(rig.evaluate(), "it competes again, and this is its first use");
}

#[test]
fn requests_of_both_hooks_add_up() {
    for (reason, rest) in [(EndReason::Completed, 4.5), (EndReason::Failed, 0.0)] {
        let mut rig = hooked([spec("Jab")]);
        rig.set(|settings| settings.action_recovery_time = 3.0);
        // 0.75 of each hook: together 1.5.
        rig.requests = 0.75;
        rig.use_up("Jab", reason);
        near(rig.core.recovery_left(), rest);
    }
}

#[test]
fn an_abort_in_a_hook_before_the_commit_is_a_veto() {
    for place in ["pre G Jab", "pre A Jab", "begin Jab"] {
        let mut rig = hooked([cooling("Jab")]);
        rig.act(place, Act::Abort(EndReason::Cancelled));
        assert_eq!(rig.execute("Jab"), 0, "{place}");
        assert_eq!(rig.took("abort start end post refuse"), "abort 2 Jab, refuse Jab 20", "{place}");
        near(rig.cooldown("Jab"), 0.0);
    }
}

#[test]
fn an_abort_in_a_tick_stops_the_hooks_that_follow() {
    let ticks = [
        ("tick Jab", "tick Jab"),
        ("hook G Jab", "tick Jab, hook G Jab"),
        ("hook A Jab", "tick Jab, hook G Jab, hook A Jab"),
    ];
    for (place, called) in ticks {
        let mut rig = hooked([spec("Jab")]);
        rig.execute("Jab");
        rig.took("");
        rig.act(place, Act::Abort(EndReason::Cancelled));
        rig.step(0.1);
        let ends = "abort 2 Jab, post G Jab 2, post A Jab 2, end Jab 2";
        assert_eq!(rig.took("tick hook abort post end"), format!("{called}, {ends}"), "{place}");
    }
}

#[test]
fn an_abort_in_a_hook_after_the_run_does_nothing() {
    let mut rig = hooked([spec("Jab")]);
    rig.act("post G Jab 2", Act::Abort(EndReason::Interrupted));
    rig.execute("Jab");
    rig.took("");
    rig.abort(EndReason::Cancelled);
    assert_eq!(rig.took(""), "abort 2 Jab, post G Jab 2, aborted false, post A Jab 2, end Jab 2");
}

#[test]
fn a_start_in_a_hook_waits_for_the_sequence() {
    let places = ["pre G Jab", "pre A Jab", "post G Jab 2", "post A Jab 2"];
    for place in places {
        let mut rig = hooked([spec("Jab"), spec("Kick")]);
        rig.act(place, Act::Execute("Kick"));
        rig.execute("Jab");
        if place.starts_with("post") {
            rig.abort(EndReason::Cancelled);
        }
        assert_eq!(rig.running_name(), "Kick", "{place}");
        let reason = if place.starts_with("post") { 2 } else { 1 };
        let log = rig.took("start end");
        assert_eq!(log, format!("start Jab, end Jab {reason}, start Kick"), "{place}");
    }
}

#[test]
fn leaving_the_tree_calls_the_hooks_that_are_left() {
    let after = [
        ("start Jab", "abort 2 Jab, post G Jab 2 torn, post A Jab 2 torn, end Jab 2"),
        ("tick Jab", "post G Jab 2 torn, post A Jab 2 torn, end Jab 2"),
        ("hook G Jab", "post G Jab 2 torn, post A Jab 2 torn, end Jab 2"),
        ("pre G Jab", ""),
        ("begin Jab", ""),
    ];
    for (place, ends) in after {
        let mut rig = hooked([spec("Jab")]);
        rig.act(place, Act::Teardown);
        rig.execute("Jab");
        rig.step(0.1);
        assert_eq!(rig.took("abort post end"), ends, "{place}");
    }
    for place in ["abort 2 Jab", "post G Jab 2", "post A Jab 2"] {
        let mut rig = hooked([spec("Jab")]);
        rig.act(place, Act::Teardown);
        rig.execute("Jab");
        rig.abort(EndReason::Cancelled);
        let log = rig.took("post end");
        assert_eq!(log.matches("post G").count(), 1, "{place}: {log}");
        assert_eq!(log.matches("post A").count(), 1, "{place}: {log}");
        assert_eq!(log.matches("end Jab").count(), 1, "{place}: {log}");
    }
}

#[test]
fn an_end_between_commit_and_announcement_calls_the_hooks() {
    let mut rig = hooked([cooling("Jab")]);
    rig.act("cool Jab 5.0000", Act::Abort(EndReason::Cancelled));
    rig.execute("Jab");
    let wanted = "start Jab, abort 2 Jab, post G Jab 2, post A Jab 2, end Jab 2";
    assert_eq!(rig.took("start abort post end"), wanted);
}

// Lost targets.

fn chasing(policy: LostPolicy, each: &[(u64, f64)]) -> Rig {
    let plan = ActionPlan { target_mode: TargetMode::Each, target_lost_policy: policy, ..cooling("Jab") };
    let mut rig = Rig::quiet([ActionPlan { scorers: vec![distance()], ..plan }]);
    rig.each = each.to_vec();
    assert!(rig.evaluate());
    rig.log.clear();
    rig
}

#[test]
fn ex_35_e23() {
    let loses = |policy: LostPolicy, left: &[(u64, f64)]| {
        let mut rig = chasing(policy, &[(8, 2.0), (9, 3.0)]);
        rig.step(0.1);
        rig.each = left.to_vec();
        rig.steps(0.1, 2);
        let target = rig.core.running().map(Run::target);
        (rig.took("retarget turn abort end"), target)
    };
    let gone = String::new();
    assert_eq!(loses(LostPolicy::Continue, &[(9, 3.0)]), (gone, Some(None)));
    let failed = "abort 4 Jab, end Jab 4".to_owned();
    assert_eq!(loses(LostPolicy::Fail, &[(9, 3.0)]), (failed.clone(), None));
    let turned = "retarget Jab 9, turn Jab 9 run 1".to_owned();
    assert_eq!(loses(LostPolicy::Retarget, &[(9, 3.0)]), (turned, Some(Some(TargetKey(9)))));
    assert_eq!(loses(LostPolicy::Retarget, &[]), (failed.clone(), None));
    // Too far away: a score of zero is no candidate.
    assert_eq!(loses(LostPolicy::Retarget, &[(9, 30.0)]), (failed, None));
}

#[test]
fn a_turn_that_is_refused_fails_the_run() {
    let mut rig = chasing(LostPolicy::Retarget, &[(8, 2.0), (9, 3.0)]);
    rig.each.remove(0);
    rig.retargets = false;
    rig.step(0.1);
    assert_eq!(rig.took("retarget turn end"), "retarget Jab 9, end Jab 4");
}

#[test]
fn a_run_without_a_target_loses_none() {
    let mut rig = Rig::quiet([ActionPlan { target_lost_policy: LostPolicy::Fail, ..spec("Jab") }]);
    rig.execute("Jab");
    rig.steps(0.1, 3);
    assert_eq!(rig.running_name(), "Jab");
}

#[test]
fn a_turn_takes_neither_a_stamp_nor_a_number() {
    let mut rig = chasing(LostPolicy::Retarget, &[(8, 2.0), (9, 3.0)]);
    let left = rig.cooldown("Jab");
    rig.each.remove(0);
    rig.step(0.1);
    near(rig.cooldown("Jab"), left - 0.1);
    assert_eq!(rig.took("retarget turn cool start"), "retarget Jab 9, turn Jab 9 run 1");
}

// Ends.

#[test]
fn ex_35_e9() {
    let mut rig = hooked([]);
    let add_tags = rig.queries(&["State.MovementBlocked"]);
    rig.list([ActionPlan { add_tags, ..cooling("Jab") }]);
    let run = rig.execute("Jab");
    rig.took("");
    assert!(rig.abort(EndReason::Cancelled));
    assert_eq!(rig.took(""), "abort 2 Jab, untag Jab, post G Jab 2, post A Jab 2, end Jab 2");
    assert_eq!(rig.lives, [(run, true), (run, false)]);
    assert!(!rig.abort(EndReason::Cancelled));
    assert!(!rig.call(|core| core.cancel(run)));
}

#[test]
fn ex_35_e10() {
    type Way = (&'static str, fn(&mut Rig));
    let ways: [Way; 8] = [
        ("0", |rig| rig.method("Jab").ticks = Some(1)),
        ("1", |rig| rig.act("tick Jab", Act::Execute("Kick"))),
        ("2", |rig| rig.act("tick Jab", Act::Abort(EndReason::Cancelled))),
        ("3", |rig| rig.method("Jab").timeout = 0.1),
        ("4", |rig| (rig.method("Jab").ticks, rig.method("Jab").succeeds) = (Some(1), false)),
        // Freed, set swap, reaction.
        ("2 torn", |rig| rig.act("tick Jab", Act::Teardown)),
        ("2", |rig| rig.act("tick Jab", Act::Unlist)),
        ("1", |rig| rig.act("tick Jab", Act::Abort(EndReason::Interrupted))),
    ];
    for (how, prepare) in ways {
        let mut rig = hooked([spec("Jab"), spec("Kick")]);
        prepare(&mut rig);
        rig.execute("Jab");
        rig.steps(0.1, 2);
        let log = rig.took("post end");
        let wanted = format!("post G Jab {how}, post A Jab {how}, end Jab {}", &how[..1]);
        assert!(log.starts_with(&wanted), "{log}, not {wanted}");
        assert_eq!(log.matches("Jab").count(), 3, "{log}");
    }
}

#[test]
fn a_list_changed_in_an_end_does_not_end_the_next_run() {
    for place in ["abort 1 Jab", "post G Jab 1", "post A Jab 1"] {
        let mut rig = hooked([spec("Jab")]);
        rig.act(place, Act::List(vec![spec("Slam")]));
        rig.execute("Jab");
        rig.abort(EndReason::Interrupted);
        assert_eq!(rig.took("end"), "end Jab 1", "{place}");
        rig.execute("Slam");
        rig.step(0.1);
        assert_eq!(rig.running_name(), "Slam", "{place}");
    }
}

#[test]
fn endless_wishes_stay_numbers() {
    for scale in [0.0, 1.0, 2.0] {
        let mut rig = hooked([spec("Jab")]);
        rig.requests = f64::MAX;
        rig.set(|settings| settings.recovery_scale = scale);
        rig.use_up("Jab", EndReason::Completed);
        rig.call(|core| core.add_recovery(f64::MAX));
        assert!(rig.core.recovery_left().is_finite(), "scale {scale}");
    }
}
