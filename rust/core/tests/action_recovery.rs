//! Worked examples of recovery, follow-up windows and cooldowns that begin at the end.

mod action_support;

use action_support::*;
use riposte_core::action::*;

fn resting(change: impl FnOnce(&mut Settings), plans: impl IntoIterator<Item = ActionPlan>) -> Rig {
    let mut settings = Settings { action_recovery_time: 3.0, interrupt_recovery_time: 0.5, ..quiet() };
    change(&mut settings);
    Rig::with(settings, plans)
}

fn linked(from: &str, to: &str) -> ActionPlan {
    ActionPlan { chain_links: vec![ChainPlan { action: ActionId::new(to), bonus: 1.5 }], ..spec(from) }
}

/// What is left after one use that ended for this reason.
fn rest_after(rig: &mut Rig, id: &str, reason: EndReason) -> f64 {
    rig.call(Evaluator::clear_recovery);
    rig.use_up(id, reason);
    rig.core.recovery_left()
}

#[test]
fn ex_30_a45() {
    let cooldown = CooldownPlan {
        duration: 5.0,
        randomization: 0.0,
        interrupt_refund: 0.5,
        on_end: true,
        ..CooldownPlan::default()
    };
    for (reason, free) in [(EndReason::Completed, 8.0), (EndReason::Interrupted, 5.5)] {
        let mut rig = Rig::quiet([ActionPlan { cooldown, ..spec("Jab") }]);
        let run = rig.execute("Jab");
        near(rig.cooldown("Jab"), 0.0);
        rig.until(3.0);
        rig.took("");
        rig.finish(run, reason);
        near(rig.core.now() + rig.cooldown("Jab"), free);
        let seconds = free - 3.0;
        assert_eq!(rig.took("end cool"), format!("end Jab {}, cool Jab {seconds:.4}", reason.code()));
    }
}

#[test]
fn ex_30_a49() {
    let jab = ActionPlan { recovery: Some(1.0), ..spec("Jab") };
    let mut rig = resting(|_| {}, [spec("Heavy"), jab]);
    near(rest_after(&mut rig, "Heavy", EndReason::Completed), 3.0);
    near(rest_after(&mut rig, "Jab", EndReason::Completed), 1.0);
}

#[test]
fn ex_30_a50() {
    let jab = ActionPlan { recovery: Some(1.0), ..spec("Jab") };
    let mut rig = resting(|_| {}, [jab]);
    near(rest_after(&mut rig, "Jab", EndReason::TimedOut), 3.0);
    near(rest_after(&mut rig, "Jab", EndReason::Interrupted), 0.5);
    near(rest_after(&mut rig, "Jab", EndReason::Failed), 0.0);
}

#[test]
fn ex_30_a51() {
    let mut rig = resting(|settings| settings.action_recovery_randomization = 0.2, [spec("Heavy")]);
    near(rest_after(&mut rig, "Heavy", EndReason::Completed), 2.879037);
    near(rest_after(&mut rig, "Heavy", EndReason::Completed), 2.824757);
}

#[test]
fn ex_30_a52() {
    for (reason, left) in [(EndReason::Completed, 4.5), (EndReason::Failed, 0.0)] {
        let mut rig = resting(|_| {}, [spec("Jab")]);
        let run = rig.execute("Jab");
        assert!(rig.core.request_recovery(run, 0.5) && rig.core.request_recovery(run, 1.0));
        assert!(!rig.core.request_recovery(run + 1, 1.0), "no such run");
        rig.finish(run, reason);
        near(rig.core.recovery_left(), left);
    }
}

#[test]
fn ex_30_a53() {
    let jab = ActionPlan { recovery: Some(0.0), ..spec("Jab") };
    let mut rig = resting(|_| {}, [jab]);
    near(rest_after(&mut rig, "Jab", EndReason::Completed), 0.0);
}

#[test]
fn ex_30_a54() {
    let heavy = ActionPlan { recovery: Some(1.0), ..spec("Heavy") };
    let mut rig = resting(|_| {}, [linked("Jab", "Heavy"), heavy]);
    rig.use_up("Jab", EndReason::Completed);
    rig.until(0.5);
    rig.use_up("Heavy", EndReason::Completed);
    near(rig.core.now() + rig.core.recovery_left(), 3.0);
}

#[test]
fn ex_30_a55() {
    let plans = || [linked("Jab", "Heavy"), spec("Heavy"), spec("Kick")];
    let mut rig = resting(|_| {}, plans());
    rig.use_up("Jab", EndReason::Completed);
    rig.until(0.5);
    assert_eq!(rig.why("Heavy"), Refusal::None);
    assert_eq!(rig.why("Kick"), Refusal::Recovery);
    rig.until(0.6);
    assert_eq!(rig.why("Heavy"), Refusal::Recovery);
    let mut rig = resting(|settings| settings.chain_followup_window = 0.0, plans());
    rig.use_up("Jab", EndReason::Completed);
    rig.until(0.1);
    assert_eq!(rig.why("Heavy"), Refusal::Recovery);
}

#[test]
fn the_window_closes_with_any_other_end_and_with_any_start() {
    let plans = || [linked("Jab", "Heavy"), spec("Heavy"), spec("Kick")];
    for reason in [EndReason::Interrupted, EndReason::Cancelled, EndReason::TimedOut] {
        let mut rig = resting(|_| {}, plans());
        rig.use_up("Jab", reason);
        assert_eq!(rig.why("Heavy"), Refusal::Recovery, "{reason:?}");
    }
    let mut rig = resting(|_| {}, plans());
    rig.use_up("Jab", EndReason::Completed);
    rig.execute("Kick");
    rig.abort(EndReason::Cancelled);
    assert_eq!(rig.why("Heavy"), Refusal::Recovery);
}

#[test]
fn recovery_is_told_once_when_it_begins_and_once_when_it_is_over() {
    let mut rig = resting(|settings| settings.recovery_scale = 0.5, [spec("Jab")]);
    rig.use_up("Jab", EndReason::Completed);
    assert_eq!(rig.took("end rest rested"), "end Jab 0, rest 1.5000");
    assert!(rig.preview().rows[0].detail.contains("1.5s remaining"), "{:?}", rig.preview().rows[0]);
    rig.until(1.4);
    assert_eq!(rig.took("rest rested none"), "");
    rig.until(1.5);
    assert_eq!(rig.took("rest rested"), "rested");
    rig.steps(0.1, 20);
    assert_eq!(rig.took("rest rested"), "");
}

#[test]
fn a_script_adds_and_clears_recovery() {
    let mut rig = resting(|_| {}, [spec("Jab")]);
    assert!(rig.call(|core| core.add_recovery(1.0)));
    assert!(rig.call(|core| core.add_recovery(2.0)));
    near(rig.core.recovery_left(), 3.0);
    assert!(!rig.call(|core| core.add_recovery(f64::NAN)));
    assert!(rig.call(Evaluator::clear_recovery));
    assert!(!rig.call(Evaluator::clear_recovery));
    assert_eq!(rig.took("rest rested"), "rest 1.0000, rest 3.0000, rested");
    rig.call(|core| core.add_recovery(1.0));
    rig.call(Evaluator::reset_state);
    near(rig.core.recovery_left(), 0.0);
}

#[test]
fn recovery_blocks_the_choice_only() {
    let strafe = ActionPlan { ignore_recovery: true, ..weighted("Strafe", 0.1) };
    let mut rig = resting(|_| {}, [spec("Jab"), strafe]);
    rig.use_up("Jab", EndReason::Completed);
    assert_eq!(rig.why("Jab"), Refusal::Recovery);
    assert_eq!(rig.pick(), "Strafe");
    assert!(rig.execute("Jab") > 0, "forced");
    // A run goes on while the agent recovers.
    rig.call(|core| core.add_recovery(5.0));
    rig.steps(0.1, 10);
    assert_eq!(rig.running_name(), "Jab");
}

#[test]
fn nothing_is_missed_while_recovering() {
    let mut rig = resting(|_| {}, [spec("Jab")]);
    rig.use_up("Jab", EndReason::Completed);
    rig.evaluate();
    assert_eq!(rig.took("none"), "");
    rig.call(Evaluator::clear_recovery);
    rig.set(|settings| settings.global_multiplier = 0.0);
    rig.evaluate();
    assert_eq!(rig.took("none"), "none");
}

#[test]
fn a_held_selection_starts_nothing() {
    let settings = Settings { auto_evaluate: true, ..quiet() };
    let mut rig = Rig::with(settings, [spec("Jab"), spec("Heavy")]);
    rig.core.hold_selection(true);
    rig.steps(0.1, 10);
    assert!(!rig.evaluate());
    rig.core.request_evaluation();
    rig.step(0.1);
    assert_eq!(rig.running_name(), "");
    assert!(rig.execute("Heavy") > 0, "forced starts go on");
    rig.abort(EndReason::Cancelled);
    rig.core.hold_selection(false);
    rig.step(0.1);
    assert_eq!(rig.running_name(), "Jab");
}
