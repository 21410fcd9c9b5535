//! Runs that are taken up after a state was imported.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod action_support;

use action_support::*;
use riposte_core::action::*;

/// A run of 0.4 s on target 7, saved, and the evaluator idle again with that state.
fn saved() -> (Rig, RunningState) {
    let cooldown = CooldownPlan { duration: 3.0, randomization: 0.0, ..CooldownPlan::default() };
    let mut rig = Rig::quiet([ActionPlan { cooldown, ..spec("Charge") }, spec("Jab")]);
    rig.aim(2.0, 0.0);
    rig.set(|settings| settings.novelty_penalty = 0.3);
    rig.execute("Charge");
    rig.steps(0.1, 4);
    let state = rig.core.export();
    rig.abort(EndReason::Cancelled);
    rig.core.import(&state);
    rig.took("start end cool abort");
    (rig, state.running.unwrap())
}

fn resume(rig: &mut Rig, saved: &RunningState) -> Option<RunId> {
    rig.call(|core| core.resume(saved))
}

#[test]
fn a_run_goes_on_where_it_was_and_tells_nothing() {
    let (mut rig, run) = saved();
    assert_eq!(resume(&mut rig, &run), Some(1), "with its number");
    assert_eq!(rig.took("resume begin start cool can"), "resume Charge", "only the method is asked");
    let running = rig.core.running().unwrap();
    near(running.elapsed(), 0.4);
    assert_eq!(running.target(), Some(TargetKey(7)));
    near(rig.cooldown("Charge"), 2.6);
    assert_eq!(rig.core.export().uses.len(), 1, "one use, as before");
    rig.step(0.1);
    near(rig.core.running().unwrap().elapsed(), 0.5);
    near(rig.core.export().uses[0].1, 0.0);
    rig.finish(1, EndReason::Completed);
    assert_eq!(rig.took("start end"), "end Charge 0", "one end");
    assert_eq!(rig.execute("Jab"), 2, "run ids go on");
}

#[test]
fn the_saved_run_is_worth_what_it_was() {
    let (mut rig, run) = saved();
    let frozen = RunningState { frozen: [0.5, 1.5, 0.9], ..run };
    resume(&mut rig, &frozen);
    assert_eq!(rig.core.export().running.unwrap().frozen, [0.5, 1.5, 0.9]);
}

#[test]
fn a_method_that_cannot_leaves_nothing_behind() {
    let (mut rig, run) = saved();
    rig.method("Charge").begins = false;
    resume(&mut rig, &run);
    assert!(rig.core.running().is_none() && rig.running.is_empty());
    assert_eq!(rig.took("start end abort"), "", "not a word");
    assert!(rig.evaluate(), "and it is free to choose");
}

#[test]
fn what_is_no_run_is_not_taken_up() {
    let (mut rig, run) = saved();
    assert_eq!(resume(&mut rig, &RunningState { action: "Gone".into(), ..run.clone() }), None);
    assert_eq!(resume(&mut rig, &RunningState { elapsed: f64::NAN, ..run.clone() }), None);
    assert_eq!(resume(&mut rig, &RunningState { frozen: [1.0, -1.0, 1.0], ..run.clone() }), None);
    let unknown = RunningState { run: Some(99), ..run.clone() };
    assert_eq!(resume(&mut rig, &unknown), Some(2), "a number that was never given is replaced");
    assert_eq!(resume(&mut rig, &run), None, "something runs");
}

#[test]
fn an_abort_while_the_method_is_asked_ends_the_run_once() {
    for act in [Act::Abort(EndReason::Interrupted), Act::Stop, Act::Teardown] {
        let (mut rig, run) = saved();
        rig.act("resume Charge", act.clone());
        resume(&mut rig, &run);
        assert!(rig.core.running().is_none(), "{act:?}");
        let told = rig.took("start end");
        assert!(told.is_empty() || told.matches("end Charge").count() == 1, "{act:?}: {told}");
    }
}

#[test]
fn a_start_that_is_asked_for_meanwhile_takes_its_place() {
    let (mut rig, run) = saved();
    rig.act("resume Charge", Act::Execute("Jab"));
    resume(&mut rig, &run);
    assert_eq!(rig.running_name(), "Jab");
    assert_eq!(rig.took("start end"), format!("end Charge {}, start Jab", EndReason::Interrupted.code()));
}

#[test]
fn candidates_are_wanted_only_where_some_action_may_try_them() {
    let each = |id: &str, class, policy| ActionPlan {
        target_mode: TargetMode::Each,
        interrupt_class: class,
        retarget_policy: policy,
        ..spec(id)
    };
    // What runs, and whether the others' targets matter to its decisions.
    let cases = [
        (InterruptClass::Any, RetargetPolicy::Keep, true),
        (InterruptClass::Never, RetargetPolicy::Switch, true),
        (InterruptClass::ByPriority, RetargetPolicy::Switch, true),
    ];
    for (class, policy, wanted) in cases {
        let mut rig = Rig::quiet([each("Strike", class, policy), spec("Guard")]);
        rig.each = vec![(7, 1.0), (8, 2.0)];
        rig.execute("Strike");
        rig.evaluate();
        assert_eq!(rig.tried_each, Some(wanted), "{class:?} {policy:?}");
    }
    let guard = ActionPlan {
        interrupt_class: InterruptClass::Never,
        retarget_policy: RetargetPolicy::Switch,
        ..spec("Guard")
    };
    let mut rig = Rig::quiet([each("Strike", InterruptClass::Any, RetargetPolicy::Keep), guard]);
    rig.execute("Guard");
    rig.evaluate();
    assert_eq!(rig.tried_each, Some(false), "another's targets can't matter");
    rig.preview();
    assert_eq!(rig.tried_each, Some(true), "a preview looks at all");
}
