//! What is chosen: among targets, and against what runs.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod action_support;
use action_support::*;
use riposte_core::action::*;

fn aimed(id: &str, mode: TargetMode) -> ActionPlan {
    ActionPlan { target_mode: mode, ..spec(id) }
}

fn class(plan: ActionPlan, interrupt_class: InterruptClass) -> ActionPlan {
    ActionPlan { interrupt_class, ..plan }
}

/// R runs for so long on the focus and is worth 0.6; X is listed with this weight and priority.
fn against(runs: f64, weight: f64, priority: i64) -> Rig {
    let r = class(weighted("R", 0.6), InterruptClass::ByMargin);
    let mut rig = Rig::quiet([r.clone()]);
    assert_eq!(rig.pick(), "R");
    rig.step(runs);
    rig.list([r, ActionPlan { priority, ..weighted("X", weight) }]);
    rig.log.clear();
    rig
}

fn refusal(rig: &Rig, id: &str) -> Refusal {
    let decision = rig.core.last_decision();
    decision.rows.iter().find(|row| &*row.action == id).map(|row| row.refusal).unwrap()
}

#[test]
fn ex_30_a63() {
    let mut rig = against(1.0, 0.68, 0);
    assert!(!rig.evaluate());
    assert_eq!(refusal(&rig, "X"), Refusal::SwitchMargin);
    assert_eq!(rig.core.last_decision().rows[1].detail, "0.6800 < 0.6000 x 1.15");
    assert_eq!(rig.core.last_decision().outcome, DecisionOutcome::Kept);
    assert_eq!(rig.core.last_decision().rows[0].hold, Some(0.6));

    let mut rig = against(1.0, 0.70, 0);
    assert_eq!(rig.pick(), "X");
    assert_eq!(rig.core.last_decision().outcome, DecisionOutcome::Switched);
    let log = rig.took("start end");
    assert!(log.contains("end R") && log.contains("start X"), "{log}");
    assert!(log.contains(&format!("end R {}", EndReason::Interrupted.code())), "{log}");
}

#[test]
fn ex_30_a64() {
    let mut rig = against(0.2, 5.0, 0);
    assert!(!rig.evaluate());
    assert_eq!(refusal(&rig, "X"), Refusal::Commitment);
    let mut rig = against(0.2, 0.1, 1);
    assert_eq!(rig.pick(), "X");
}

#[test]
fn ex_30_a65() {
    let r = class(spec("R"), InterruptClass::Never);
    let x = ActionPlan { priority: 100, ..weighted("X", 100.0) };
    let mut rig = Rig::quiet([r.clone()]);
    rig.pick();
    rig.list([r, ActionPlan { scorers: vec![script_scorer(0)], ..x }]);
    rig.script("X", 0, |_| 1.0);
    rig.log.clear();
    rig.steps(0.1, 10);
    assert!(!rig.evaluate());
    assert_eq!((rig.running_name().as_str(), rig.took("score")), ("R", String::new()));
    assert!(rig.execute("X") > 0);
    assert_eq!(rig.running_name(), "X");
}

#[test]
fn ex_30_a66() {
    let action = |id: &str| class(spec(id), InterruptClass::ByMargin);
    let settings = Settings { jitter_amount: 0.05, ..quiet() };
    let mut rig = Rig::with(settings, [action("A"), action("B")]);
    for id in ["A", "B"] {
        rig.method(id).timeout = 1000.0;
    }
    rig.evaluate();
    for _ in 0..600 {
        rig.step(0.1);
        rig.evaluate();
    }
    assert_eq!(rig.lives.len(), 1, "{:?}", rig.lives);
}

#[test]
fn ex_30_a67() {
    let mut rig = Rig::quiet([ActionPlan { scorers: vec![distance()], ..aimed("Jab", TargetMode::Each) }]);
    rig.each = vec![(4, 4.0), (2, 2.0)];
    rig.evaluate();
    let decision = rig.core.last_decision();
    assert_eq!((decision.target, decision.score), (Some(TargetKey(2)), 1.0));
    let other = decision.rows.iter().find(|row| row.target == Some(TargetKey(4))).unwrap();
    near(other.score, 0.4);
    assert_eq!(other.refusal, Refusal::Outscored);
}

#[test]
fn ex_30_a68() {
    let mut rig = Rig::quiet([aimed("Jab", TargetMode::Each)]);
    rig.target = Some(112);
    rig.each = (1..=12).map(|n| (100 + n, n as f64)).collect();
    rig.evaluate();
    let decision = rig.core.last_decision();
    let targets: Vec<u64> = decision.rows.iter().map(|row| row.target.unwrap().0).collect();
    assert_eq!(targets, [112, 101, 102, 103, 104, 105, 106, 107]);
}

fn turning(other: f64, policy: RetargetPolicy) -> Rig {
    // Below a metre the curve is worth as much as the distance.
    let plan = ActionPlan {
        scorers: vec![distance()],
        retarget_policy: policy,
        interrupt_class: InterruptClass::ByMargin,
        cooldown: CooldownPlan { duration: 10.0, randomization: 0.0, ..CooldownPlan::default() },
        ..aimed("R", TargetMode::Each)
    };
    let mut rig = Rig::quiet([plan]);
    rig.each = vec![(1, 0.4)];
    rig.evaluate();
    rig.step(1.0);
    rig.each.push((2, other));
    rig.log.clear();
    rig
}

#[test]
fn ex_30_a69() {
    let mut rig = turning(0.45, RetargetPolicy::Switch);
    assert!(!rig.evaluate());
    let row = rig.core.last_decision().rows.into_iter().find(|row| row.target == Some(TargetKey(2)));
    assert_eq!(row.unwrap().refusal, Refusal::SwitchMargin);

    let mut rig = turning(0.47, RetargetPolicy::Switch);
    assert!(rig.evaluate());
    let run = rig.core.running().unwrap();
    assert_eq!((run.id(), run.target()), (1, Some(TargetKey(2))));
    assert_eq!(rig.took("retarget turn cool end start"), "retarget R 2, turn R 2 run 1");
    assert_eq!(rig.core.last_decision().outcome, DecisionOutcome::Retargeted);
}

#[test]
fn a_run_that_keeps_its_target_says_so() {
    let keep = ActionPlan { scorers: Vec::new(), ..aimed("R", TargetMode::Each) };
    let mut rig = Rig::quiet([class(keep, InterruptClass::Any)]);
    rig.each = vec![(1, 3.0)];
    rig.evaluate();
    rig.each.push((2, 1.0));
    rig.step(1.0);
    rig.list([class(aimed("R", TargetMode::Each), InterruptClass::Any), weighted("X", 0.1)]);
    rig.evaluate();
    let rows = rig.core.last_decision().rows;
    let other = rows.iter().find(|row| row.target == Some(TargetKey(2))).unwrap();
    assert_eq!(other.refusal, Refusal::RetargetPolicy);
    assert_eq!(refusal(&rig, "X"), Refusal::Outscored);
}

#[test]
fn a_restart_ends_and_starts_once_with_a_new_stamp() {
    let mut rig = turning(0.9, RetargetPolicy::Restart);
    assert!(rig.evaluate());
    let log = rig.took("end start cool retarget");
    assert!(log.starts_with(&format!("end R {}", EndReason::Interrupted.code())), "{log}");
    assert!(log.contains("cool R 10.0000") && log.contains("start R") && !log.contains("retarget"), "{log}");
    assert_eq!(rig.core.last_decision().outcome, DecisionOutcome::Restarted);
    assert_eq!(rig.core.running().unwrap().target(), Some(TargetKey(2)));
}

#[test]
fn a_turn_that_gets_no_token_does_not_happen() {
    let mut rig = turning(0.9, RetargetPolicy::Switch);
    rig.retargets = false;
    assert!(!rig.evaluate());
    let run = rig.core.running().unwrap();
    assert_eq!((run.id(), run.target()), (1, Some(TargetKey(1))));
    let row = rig.core.last_decision().rows.into_iter().find(|row| row.target == Some(TargetKey(2)));
    assert_eq!(row.unwrap().refusal, Refusal::NoToken);
}

#[test]
fn an_evaluation_with_nothing_to_score_leaves_no_trace() {
    let mut rig = Rig::quiet([spec("R"), spec("X")]);
    rig.evaluate();
    let (index, seed) = (rig.core.last_decision().evaluation_index, rig.core.last_decision().seed);
    rig.step(1.0);
    rig.evaluate();
    let last = rig.core.last_decision();
    assert_eq!((last.evaluation_index, last.seed, last.outcome), (index, seed, DecisionOutcome::Started));
    rig.abort(EndReason::Cancelled);
    assert_eq!(rig.preview().evaluation_index, index + 1);
}

#[test]
fn without_targets_an_action_that_tries_each_is_refused() {
    let mut rig = Rig::quiet([aimed("Jab", TargetMode::Each)]);
    assert_eq!(rig.why("Jab"), Refusal::NoTarget);
    let mut rig = Rig::quiet([ActionPlan { require_target: true, ..spec("Jab") }]);
    assert_eq!(rig.why("Jab"), Refusal::NoTarget);
    rig.aim(2.0, 0.0);
    assert_eq!(rig.why("Jab"), Refusal::None);
    let mut rig = Rig::quiet([ActionPlan { scorers: vec![distance()], ..aimed("Jab", TargetMode::None) }]);
    rig.aim(2.0, 0.0);
    assert_eq!(rig.row("Jab").target, None);
    assert_eq!(rig.why("Jab"), Refusal::ZeroScore);
}

#[test]
fn duplicates_of_a_target_are_one_candidate() {
    let mut rig = Rig::quiet([aimed("Jab", TargetMode::Each)]);
    rig.each = vec![(1, 3.0), (2, 1.0), (1, 3.0)];
    let targets: Vec<u64> = rig.preview().rows.iter().map(|row| row.target.unwrap().0).collect();
    assert_eq!(targets, [2, 1]);
}

#[test]
fn ex_30_a86() {
    let cooling = |id: &str| {
        let cooldown = CooldownPlan { duration: 1.0, randomization: 0.0, ..CooldownPlan::default() };
        ActionPlan { cooldown, ..weighted(id, 2.0) }
    };
    let strafe = class(weighted("Strafe", 0.0), InterruptClass::Never);
    let mut rig = Rig::quiet([cooling("Jab"), cooling("Heavy"), strafe]);
    rig.core.set_fallback(Some(ActionId::new("Strafe")));
    for id in ["Jab", "Heavy"] {
        let action = rig.find(id);
        rig.call(|core| core.set_cooldown(action, 1.0));
    }
    rig.log.clear();
    assert!(rig.evaluate());
    assert_eq!(rig.running_name(), "Strafe");
    let decision = rig.core.last_decision();
    assert_eq!((decision.outcome, decision.origin), (DecisionOutcome::Fallback, Origin::Fallback));
    rig.step(0.5);
    rig.evaluate();
    assert_eq!(rig.running_name(), "Strafe");
    rig.step(0.5);
    rig.evaluate();
    assert_eq!(rig.running_name(), "Jab");
    let log = rig.took("none start end");
    assert_eq!(log.matches("none").count(), 1, "{log}");
}

#[test]
fn a_fallback_obeys_its_gates_and_needs_to_be_listed() {
    let mut rig =
        Rig::quiet([weighted("Jab", 0.0), ActionPlan { enabled: false, ..weighted("Strafe", 0.0) }]);
    rig.core.set_fallback(Some(ActionId::new("Strafe")));
    assert!(!rig.evaluate());
    rig.core.set_fallback(Some(ActionId::new("Nothing")));
    assert!(!rig.evaluate());
    assert_eq!(rig.took("none refuse"), "none");
}

#[test]
fn what_runs_is_worth_the_same_whatever_the_dice_say_later() {
    let settings = Settings { jitter_amount: 0.5, novelty_penalty: 0.3, ..quiet() };
    let mut rig = Rig::with(settings, [class(spec("R"), InterruptClass::ByMargin), weighted("X", 0.01)]);
    rig.evaluate();
    let started = rig.core.last_decision().score;
    for _ in 0..5 {
        rig.step(0.5);
        rig.evaluate();
        assert_eq!(rig.core.last_decision().rows[0].hold, Some(started));
    }
}

#[test]
fn an_action_without_targets_is_no_reason_to_decide_beside_what_nothing_may_break() {
    let r = class(spec("R"), InterruptClass::Never);
    let mut rig = Rig::quiet([r, aimed("X", TargetMode::Each)]);
    assert_eq!(rig.pick(), "R");
    let index = rig.core.last_decision().evaluation_index;
    rig.step(1.0);
    assert!(!rig.evaluate());
    let last = rig.core.last_decision();
    assert_eq!((last.evaluation_index, last.outcome), (index, DecisionOutcome::Started));
}

#[test]
fn priority_and_score_against_each_class() {
    use InterruptClass::{Any, ByMargin, ByPriority};
    // R is worth 1 and of priority 5. Class, weight and priority of X, and why it is refused.
    let cases = [
        (ByPriority, 100.0, 5, Some(Refusal::InterruptClass)),
        (ByPriority, 0.1, 6, None),
        (ByMargin, 100.0, 4, Some(Refusal::InterruptClass)),
        (ByMargin, 1.15, 5, None),
        (Any, 1.0, 5, Some(Refusal::Outscored)),
        (Any, 1.01, -100, None),
    ];
    for (broken_by, weight, priority, refused) in cases {
        let r = ActionPlan { priority: 5, ..class(spec("R"), broken_by) };
        let y = ActionPlan { priority: 6, ..weighted("Y", 0.0) };
        let mut rig = Rig::quiet([r.clone(), y.clone()]);
        rig.pick();
        rig.step(1.0);
        rig.list([r, ActionPlan { priority, ..weighted("X", weight) }, y]);
        let case = format!("{broken_by:?} {weight} {priority}");
        assert_eq!(rig.pick(), if refused.is_some() { "R" } else { "X" }, "{case}");
        if let Some(refused) = refused {
            assert_eq!(refusal(&rig, "X"), refused, "{case}");
        }
    }
}

#[test]
fn a_commitment_is_over_when_its_time_is_and_an_action_may_have_its_own() {
    let mut rig = against(0.1, 5.0, 0);
    rig.step(0.1);
    assert_eq!(rig.pick(), "R");
    // 0.1 three times is no 0.3 to the last bit.
    rig.step(0.1);
    assert_eq!(rig.pick(), "X");

    let r = ActionPlan { commitment_time: 0.0, ..class(spec("R"), InterruptClass::ByMargin) };
    let mut rig = Rig::quiet([r.clone()]);
    rig.pick();
    rig.list([r, weighted("X", 5.0)]);
    assert_eq!(rig.pick(), "X");
}

#[test]
fn a_start_that_is_refused_leaves_what_runs_alone() {
    let mut rig = against(1.0, 5.0, 0);
    rig.method("X").can_begin = false;
    assert!(!rig.evaluate());
    assert_eq!(rig.running_name(), "R");
    assert_eq!(rig.took("end start"), "");
    assert_eq!(refusal(&rig, "X"), Refusal::BeginFailed);
}

#[test]
fn what_nothing_may_break_may_still_turn_but_not_start_anew() {
    for (policy, turns) in [(RetargetPolicy::Switch, true), (RetargetPolicy::Restart, false)] {
        let mut rig = turning(0.9, policy);
        let plan = rig.core.running().unwrap().plan().clone();
        rig.abort(EndReason::Cancelled);
        rig.call(|core| core.reset_all_cooldowns());
        rig.each.pop();
        rig.list([ActionPlan { interrupt_class: InterruptClass::Never, ..(*plan).clone() }]);
        assert!(rig.evaluate());
        rig.step(1.0);
        rig.each.push((2, 0.9));
        assert_eq!(rig.evaluate(), turns, "{policy:?}");
    }
}

#[test]
fn a_restart_costs_neither_recovery_nor_gives_a_refund() {
    let mut rig = turning(0.9, RetargetPolicy::Restart);
    rig.set(|settings| settings.interrupt_recovery_time = 2.0);
    assert!(rig.evaluate());
    assert_eq!(rig.core.recovery_left(), 0.0);
    near(rig.cooldown("R"), 10.0);
}

#[test]
fn a_fallback_yields_to_any_score_at_once() {
    let strafe = class(weighted("Strafe", 5.0), InterruptClass::Never);
    let mut rig = Rig::quiet([weighted("Jab", 0.0), ActionPlan { selection_weight: 0.0, ..strafe.clone() }]);
    rig.core.set_fallback(Some(ActionId::new("Strafe")));
    assert_eq!(rig.pick(), "Strafe");
    rig.list([weighted("Jab", 0.001), strafe]);
    assert_eq!(rig.pick(), "Jab");
}

#[test]
fn recovery_is_no_lack_of_something_to_do() {
    let mut rig = Rig::quiet([spec("Jab"), weighted("Strafe", 0.0)]);
    rig.set(|settings| settings.action_recovery_time = 1.0);
    rig.core.set_fallback(Some(ActionId::new("Strafe")));
    rig.use_up("Jab", EndReason::Completed);
    rig.list([weighted("Jab", 0.0), weighted("Strafe", 0.0)]);
    rig.log.clear();
    assert!(!rig.evaluate());
    assert_eq!(rig.took("none start"), "");
    rig.step(1.0);
    assert_eq!(rig.pick(), "Strafe");
    assert_eq!(rig.took("none").matches("none").count(), 1);
}

#[test]
fn what_nothing_may_break_may_turn_but_gives_no_place_to_others() {
    let turns = ActionPlan { retarget_policy: RetargetPolicy::Switch, ..aimed("R", TargetMode::Each) };
    let r = class(turns, InterruptClass::Never);
    let mut rig = Rig::quiet([r.clone()]);
    rig.each = vec![(1, 3.0)];
    rig.evaluate();
    rig.step(1.0);
    rig.each.push((2, 1.0));
    rig.list([r, ActionPlan { priority: 100, ..weighted("X", 100.0) }]);
    rig.evaluate();
    assert_eq!((rig.running_name().as_str(), refusal(&rig, "X")), ("R", Refusal::InterruptClass));
}
