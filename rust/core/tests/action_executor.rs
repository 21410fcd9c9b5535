//! Worked examples of starts and ends, and what re-enters them.

mod action_support;

use action_support::*;
use riposte_core::action::*;

/// One action with a method like that, in steps of 0.1 s.
fn one(id: &str, method: Method) -> Rig {
    let mut rig = Rig::quiet([spec(id)]);
    rig.methods.insert(id.to_owned(), method);
    rig
}

/// The step after the start in which the run ended.
fn ends_at(rig: &mut Rig, delta: f64) -> Option<u32> {
    (1..=400).find(|_| {
        rig.step(delta);
        rig.core.running().is_none()
    })
}

#[test]
fn ex_35_e1() {
    let mut rig = one("Throw", Method { ticks: Some(6), ..Method::default() });
    rig.execute("Throw");
    assert_eq!(ends_at(&mut rig, 0.1), Some(7));
    let lines = rig.took("tick abort end");
    assert_eq!(lines, "tick Throw, tick Throw, tick Throw, tick Throw, tick Throw, tick Throw, end Throw 0");
}

/// Such a step needs no sequence; it has to do all the same.
#[test]
fn a_run_that_asks_nothing_steps_without_a_word() {
    let mut rig = one("Jab", Method { silent: true, timeout: 0.35, ..Method::default() });
    rig.execute("Jab");
    rig.took("");
    rig.step(0.1);
    rig.step(0.1);
    assert_eq!(rig.took("tick start end abort"), "");
    assert!((rig.core.running().expect("it runs").elapsed() - 0.2).abs() < 1e-9);
    assert_eq!(ends_at(&mut rig, 0.1), Some(2));
    assert_eq!(rig.took("abort end"), "abort 3 Jab, end Jab 3");
    rig.execute("Jab");
    let id = rig.core.running().expect("it runs").id();
    rig.step(0.1);
    assert!(rig.core.record_result(id, EndReason::Completed));
    assert_eq!(ends_at(&mut rig, 0.1), Some(1));
    assert_eq!(rig.took("abort end"), "end Jab 0");
    rig.execute("Jab");
    rig.step(0.1);
    assert!(rig.abort(EndReason::Cancelled));
    assert_eq!(rig.took("abort end"), "abort 2 Jab, end Jab 2");
}

#[test]
fn ex_35_e2() {
    let mut rig = one("Jab", Method { ticks: Some(0), ..Method::default() });
    rig.execute("Jab");
    assert_eq!(rig.took("start end tick"), "start Jab");
    assert_eq!(ends_at(&mut rig, 0.1), Some(1));
    assert_eq!(rig.took("start end tick abort"), "end Jab 0");
}

#[test]
fn ex_35_e3() {
    let mut rig = one("Jab", Method { timeout: 0.25, ..Method::default() });
    rig.execute("Jab");
    assert_eq!(ends_at(&mut rig, 0.1), Some(3));
    assert_eq!(rig.took("tick abort end"), "tick Jab, tick Jab, abort 3 Jab, end Jab 3");
}

#[test]
fn ex_35_e4() {
    let mut rig = one("Jab", Method::default());
    rig.execute("Jab");
    assert_eq!(ends_at(&mut rig, 0.1), Some(300));
    assert_eq!(rig.took("end"), "end Jab 3");
    let mut rig = one("Jab", Method { timeout: 0.5, ..Method::default() });
    rig.execute("Jab");
    assert_eq!(ends_at(&mut rig, 1.0 / 60.0), Some(30));
    assert_eq!(rig.took("end"), "end Jab 3");
}

#[test]
fn ex_35_e5() {
    let mut rig = one("Jab", Method { timeout: 0.3, ticks: Some(2), ..Method::default() });
    rig.execute("Jab");
    assert_eq!(ends_at(&mut rig, 0.1), Some(3));
    assert_eq!(rig.took("abort end"), "end Jab 0");
}

#[test]
fn ex_35_e6() {
    let cooldown = CooldownPlan { duration: 5.0, ..CooldownPlan::default() };
    let mut rig = Rig::quiet([]);
    let add_tags = rig.queries(&["State.MovementBlocked"]);
    rig.list([ActionPlan { cooldown, add_tags, max_consecutive_uses: 1, ..spec("Jab") }]);
    rig.log.clear();
    rig.method("Jab").begins = false;
    assert_eq!(rig.execute("Jab"), 0);
    assert_eq!(rig.took(""), "can Jab, begin Jab, refuse Jab 19");
    assert_eq!((rig.cooldown("Jab"), rig.why("Jab")), (0.0, Refusal::None));
}

#[test]
fn a_whole_life_in_order() {
    let cooldown = CooldownPlan { duration: 4.0, randomization: 0.0, ..CooldownPlan::default() };
    let mut rig = Rig::quiet([]);
    let add_tags = rig.queries(&["State.MovementBlocked"]);
    rig.list([ActionPlan { cooldown, add_tags, ..spec("Slam") }]);
    rig.log.clear();
    rig.method("Slam").ticks = Some(2);
    assert!(rig.evaluate());
    assert_eq!(rig.took(""), "can Slam, begin Slam, tag Slam, cool Slam 4.0000, start Slam");
    rig.steps(0.25, 2);
    assert_eq!(rig.took(""), "tick Slam, tick Slam", "a finish is only recorded");
    rig.step(0.25);
    assert_eq!(rig.took(""), "untag Slam, end Slam 0");
}

#[test]
fn an_interrupting_start_ends_the_old_run_in_full() {
    let mut rig = Rig::quiet([spec("Old"), spec("New")]);
    rig.execute("Old");
    rig.step(0.1);
    rig.log.clear();
    rig.execute("New");
    assert_eq!(rig.took(""), "can New, abort 1 Old, end Old 1, begin New, start New");
}

#[test]
fn a_failed_check_touches_nothing_and_a_failed_begin_comes_after_the_end() {
    let mut rig = Rig::quiet([spec("Old"), spec("Shy"), spec("Jam")]);
    rig.method("Shy").can_begin = false;
    rig.method("Jam").begins = false;
    let run = rig.execute("Old");
    rig.log.clear();
    assert_eq!(rig.execute("Shy"), 0);
    assert_eq!(rig.took(""), "can Shy, refuse Shy 19");
    assert_eq!(rig.core.running().map(Run::id), Some(run));
    assert_eq!(rig.execute("Jam"), 0);
    assert_eq!(rig.took(""), "can Jam, abort 1 Old, end Old 1, begin Jam, refuse Jam 19");
    assert!(rig.core.running().is_none());
}

#[test]
fn an_instant_method_starts_and_ends_in_one_step() {
    let mut rig = one("Roar", Method { instant: true, ..Method::default() });
    assert!(rig.execute("Roar") > 0);
    assert_eq!(rig.took(""), "can Roar, begin Roar, start Roar, end Roar 0");
}

#[test]
fn forced_starts_skip_gates_but_not_the_method() {
    let mut rig = Rig::quiet([
        ActionPlan { enabled: false, max_consecutive_uses: 0, ..weighted("Mute", 0.0) },
        ActionPlan { has_method: false, ..spec("Bare") },
    ]);
    assert!(rig.execute("Mute") > 0);
    assert_eq!(rig.execute("Bare"), 0);
    assert_eq!(rig.execute("Nobody"), 0);
    assert_eq!(rig.took("start refuse"), "start Mute, refuse Bare 3, refuse  25");
}

#[test]
fn a_start_that_respects_gates_ignores_the_score() {
    let shut = ActionPlan { gates: vec![script_gate(0, "Shut")], ..spec("Shut") };
    let mut rig = Rig::quiet([weighted("Mute", 0.0), shut, spec("Other")]);
    rig.script("Shut", 0, |_| 0.0);
    assert_eq!(rig.execute_with("Shut", true), 0);
    assert!(rig.execute_with("Mute", true) > 0);
    assert_eq!(rig.execute_with("Other", true), 0, "nothing breaks what runs");
    assert_eq!(rig.took("start refuse end"), "refuse Shut 11, start Mute, refuse Other 15");
}

#[test]
fn the_next_best_is_tried_after_a_refused_start() {
    let plans = [weighted("A", 3.0), weighted("B", 2.0), weighted("C", 1.0)];
    let mut rig = Rig::quiet(plans);
    rig.method("A").begins = false;
    rig.method("B").begins = false;
    assert_eq!(rig.pick(), "C");
    assert_eq!(rig.took("refuse start"), "refuse A 19, refuse B 19, start C");
    let refusals: Vec<Refusal> = rig.core.last_decision().rows.iter().map(|row| row.refusal).collect();
    assert_eq!(refusals, [Refusal::BeginFailed, Refusal::BeginFailed, Refusal::None]);
    rig.abort(EndReason::Cancelled);
    rig.set(|settings| settings.max_start_attempts = 2);
    rig.log.clear();
    assert_eq!(rig.pick(), "");
    assert_eq!(rig.took("refuse start none"), "refuse A 19, refuse B 19, none");
    assert_eq!(rig.core.last_decision().outcome, DecisionOutcome::StartRefused);
}

#[test]
fn nothing_valid_is_told_once_and_armed_by_a_scored_start() {
    let mut rig = Rig::quiet([spec("A")]);
    let a = rig.find("A");
    rig.core.set_multiplier(a, Some(0.0));
    rig.evaluate();
    rig.evaluate();
    rig.use_up("A", EndReason::Cancelled);
    rig.evaluate();
    assert_eq!(rig.took("none start"), "none, start A", "a forced start does not arm it");
    rig.core.set_multiplier(a, None);
    rig.pick();
    rig.abort(EndReason::Cancelled);
    rig.core.set_multiplier(a, Some(0.0));
    rig.evaluate();
    assert_eq!(rig.took("none start"), "start A, none");
}

#[test]
fn abort_and_cancel_end_once() {
    let mut rig = Rig::quiet([spec("Jab")]);
    assert!(!rig.abort(EndReason::Cancelled));
    let run = rig.execute("Jab");
    rig.log.clear();
    assert!(!rig.call(|core| core.cancel(run + 1)));
    assert!(rig.call(|core| core.cancel(run)));
    assert!(!rig.call(|core| core.cancel(run)));
    assert_eq!(rig.took(""), "abort 2 Jab, end Jab 2");
}

#[test]
fn an_abort_inside_a_tick_waits_for_it() {
    let mut rig = Rig::quiet([spec("Jab")]);
    rig.act("tick Jab", Act::Abort(EndReason::Interrupted));
    rig.act("tick Jab", Act::Abort(EndReason::Cancelled));
    rig.execute("Jab");
    rig.log.clear();
    rig.step(0.1);
    assert_eq!(rig.took(""), "tick Jab, aborted true, aborted false, abort 1 Jab, end Jab 1");
}

#[test]
fn an_abort_inside_a_begin_is_a_veto() {
    let mut rig = Rig::quiet([spec("Jab")]);
    rig.act("begin Jab", Act::Abort(EndReason::Cancelled));
    assert_eq!(rig.execute("Jab"), 0);
    assert_eq!(rig.took(""), "can Jab, begin Jab, aborted true, abort 2 Jab, refuse Jab 20");
    assert!(rig.core.running().is_none());
    rig.acts.clear();
    rig.act("can Jab", Act::Abort(EndReason::Cancelled));
    assert_eq!(rig.execute("Jab"), 0);
    assert_eq!(rig.took(""), "can Jab, aborted true, refuse Jab 20", "nothing began, nothing is undone");
}

#[test]
fn an_abort_between_commit_and_start_is_performed_after_the_start() {
    let cooldown = CooldownPlan { duration: 1.0, randomization: 0.0, ..CooldownPlan::default() };
    for when in ["cool Jab 1.0000", "start Jab"] {
        let mut rig = Rig::quiet([ActionPlan { cooldown, ..spec("Jab") }]);
        rig.act(when, Act::Abort(EndReason::Cancelled));
        assert!(rig.execute("Jab") > 0, "it did start");
        assert_eq!(rig.took("start end abort cool"), "cool Jab 1.0000, start Jab, abort 2 Jab, end Jab 2");
    }
}

#[test]
fn start_requests_inside_a_start_are_queued_and_the_last_wins() {
    let mut rig = Rig::quiet([spec("A"), spec("B"), spec("C")]);
    rig.act("begin A", Act::Execute("B"));
    rig.act("begin A", Act::Execute("C"));
    let run = rig.execute("A");
    assert_eq!(run, 1, "the outer call gets its own run");
    let log = rig.took("");
    assert_eq!(
        log,
        "can A, begin A, got 2, refuse B 24, got 3, start A, can C, abort 1 A, end A 1, begin C, start C"
    );
    assert_eq!(rig.core.running().map(Run::id), Some(3), "the reserved id");
}

#[test]
fn a_start_inside_an_end_waits_and_one_in_its_signal_does_not() {
    let mut rig = Rig::quiet([spec("A"), spec("B")]);
    rig.act("abort 2 A", Act::Execute("B"));
    rig.execute("A");
    rig.log.clear();
    rig.abort(EndReason::Cancelled);
    assert_eq!(rig.took(""), "abort 2 A, got 2, end A 2, can B, begin B, start B");
    rig.acts.clear();
    rig.act("end A 2", Act::Execute("B"));
    rig.execute("A");
    rig.log.clear();
    rig.abort(EndReason::Cancelled);
    assert_eq!(rig.took(""), "abort 2 A, end A 2, can B, begin B, start B, got 4");
}

#[test]
fn a_forced_start_inside_a_tick_takes_over_at_once() {
    let mut rig = Rig::quiet([spec("A"), spec("B")]);
    rig.act("tick A", Act::Execute("B"));
    rig.execute("A");
    rig.log.clear();
    rig.steps(0.1, 2);
    let log = rig.took("");
    assert_eq!(
        log, "tick A, can B, abort 1 A, end A 1, begin B, start B, got 2, tick B",
        "B ticks a step later"
    );
}

#[test]
fn a_start_inside_a_scorer_waits_for_the_evaluation() {
    let plan = ActionPlan { scorers: vec![script_scorer(0)], ..spec("A") };
    let mut rig = Rig::quiet([plan, spec("B")]);
    rig.act("score A", Act::Execute("B"));
    assert!(rig.evaluate());
    assert_eq!(rig.took("start end got score"), "score A, got 1, start A, end A 1, start B");
}

#[test]
fn evaluating_inside_a_start_is_queued() {
    let mut rig = Rig::quiet([spec("A"), weighted("B", 2.0)]);
    rig.act("start A", Act::EvaluateNow);
    rig.method("A").instant = true;
    rig.execute("A");
    assert_eq!(rig.took("start end evaluated"), "start A, evaluated true, end A 0, start B");
}

#[test]
fn a_preview_inside_a_signal_is_allowed_and_changes_nothing() {
    let mut rig = Rig::quiet([spec("A"), weighted("B", 0.5)]);
    rig.act("start A", Act::Preview);
    rig.evaluate();
    assert_eq!(rig.previews.len(), 1);
    assert_eq!(rig.core.last_decision().outcome, DecisionOutcome::Started);
    assert_eq!(rig.core.last_decision().rows.len(), 2);
    assert_eq!(rig.running_name(), "A");
}

#[test]
fn the_last_decision_is_there_when_the_start_is_told() {
    let mut rig = Rig::quiet([spec("A")]);
    rig.act("start A", Act::Stop);
    rig.evaluate();
    assert_eq!(rig.core.last_decision().action.as_deref(), Some("A"));
    assert_eq!(rig.took("start end"), "start A, end A 2", "a stop in that signal ends it right after");
}

#[test]
fn stop_ends_the_run_and_nothing_starts_any_more() {
    let mut rig = Rig::quiet([spec("A")]);
    rig.execute("A");
    rig.call(Evaluator::stop);
    assert_eq!(rig.took("start end"), "start A, end A 2");
    assert!(!rig.evaluate());
    rig.step(1.0);
    assert_eq!(rig.core.now(), 0.0);
    for when in ["can A", "begin A"] {
        let mut rig = Rig::quiet([spec("A")]);
        rig.act(when, Act::Stop);
        assert_eq!(rig.execute("A"), 0, "stopped in {when}");
        assert_eq!(rig.took("start end refuse"), "refuse A 20");
    }
}

#[test]
fn a_stop_inside_a_tick_ends_the_run_after_it() {
    let mut rig = Rig::quiet([spec("A")]);
    rig.act("tick A", Act::Stop);
    rig.execute("A");
    rig.log.clear();
    rig.step(0.1);
    assert_eq!(rig.took(""), "tick A, abort 2 A, end A 2");
}

#[test]
fn leaving_the_tree_ends_a_run_once_wherever_it_happens() {
    let cooldown = CooldownPlan { duration: 1.0, randomization: 0.0, ..CooldownPlan::default() };
    let cases = [
        ("can A", ""),
        ("begin A", ""),
        ("cool A 1.0000", ""),
        ("start A", "start A, end A 2"),
        ("tick A", "start A, end A 2"),
        ("abort 2 A", "start A, end A 2"),
        ("end A 2", "start A, end A 2"),
    ];
    for (when, want) in cases {
        let mut rig = Rig::quiet([ActionPlan { cooldown, ..spec("A") }, spec("B")]);
        rig.act(when, Act::Teardown);
        rig.execute("A");
        rig.steps(0.1, 2);
        rig.abort(EndReason::Cancelled);
        assert_eq!(rig.took("start end"), want, "torn down in {when}");
        assert!(rig.core.running().is_none() && rig.core.depth() == 0, "torn down in {when}");
        rig.acts.clear();
        assert_eq!(rig.execute("B"), 0, "nothing begins outside of the tree");
        rig.core.enter();
        assert!(rig.execute("B") > 0, "it goes on when it comes back");
    }
}

#[test]
fn a_method_on_the_stack_is_not_called_again_when_its_agent_goes() {
    let mut rig = Rig::quiet([spec("A")]);
    rig.act("tick A", Act::Teardown);
    rig.execute("A");
    rig.log.clear();
    rig.step(0.1);
    assert_eq!(rig.took(""), "tick A, end A 2");
    let mut rig = Rig::quiet([spec("A")]);
    rig.execute("A");
    rig.log.clear();
    rig.call(Evaluator::teardown);
    assert_eq!(rig.took(""), "abort 2 A, end A 2", "from outside it is told to undo");
}

#[test]
fn a_running_action_that_leaves_the_list_ends() {
    let mut rig = Rig::quiet([spec("A"), spec("B")]);
    rig.execute("A");
    rig.log.clear();
    rig.list([spec("B"), spec("A")]);
    assert_eq!(rig.took(""), "set", "it is still listed");
    rig.list([spec("B")]);
    assert_eq!(rig.took(""), "abort 2 A, end A 2, set");
    rig.list([spec("A")]);
    rig.act("tick A", Act::Unlist);
    rig.execute("A");
    rig.log.clear();
    rig.step(0.1);
    assert_eq!(rig.took(""), "tick A, set, abort 2 A, end A 2", "not while its tick is on the stack");
    for when in ["begin A", "start A"] {
        let mut rig = Rig::quiet([spec("A")]);
        rig.act(when, Act::Unlist);
        rig.execute("A");
        assert_eq!(rig.took("start end"), "start A, end A 2", "it leaves the list in {when}");
    }
}

#[test]
fn results_count_once_and_only_for_their_run() {
    let mut rig = Rig::quiet([spec("A")]);
    let run = rig.execute("A");
    assert!(!rig.core.record_result(run + 1, EndReason::Completed));
    assert!(rig.core.record_result(run, EndReason::Failed));
    assert!(!rig.core.record_result(run, EndReason::Completed));
    rig.log.clear();
    rig.step(0.1);
    assert_eq!(rig.took(""), "end A 4", "no abort: it finished itself");
    assert!(!rig.core.record_result(run, EndReason::Completed));
}

#[test]
fn a_frozen_clock_ends_nothing() {
    let mut rig = one("A", Method { ticks: Some(0), ..Method::default() });
    rig.execute("A");
    rig.steps(0.0, 50);
    rig.step(f64::NAN);
    rig.step(-1.0);
    assert_eq!(rig.took("end"), "");
    rig.step(0.1);
    assert_eq!(rig.took("end"), "end A 0");
}

#[test]
fn an_end_evaluates_in_the_same_step() {
    for (evaluate_on_end, want) in [(true, "end A 0, start B"), (false, "end A 0")] {
        let settings =
            Settings { auto_evaluate: true, evaluate_on_end, evaluation_interval: 50.0, ..quiet() };
        let mut rig = Rig::with(settings, [spec("A"), weighted("B", 2.0)]);
        rig.step(0.1);
        rig.abort(EndReason::Cancelled);
        rig.method("A").ticks = Some(1);
        rig.execute("A");
        rig.log.clear();
        rig.steps(0.1, 2);
        assert_eq!(rig.took("end start"), want);
    }
}

#[test]
fn a_requested_evaluation_comes_with_the_next_step() {
    let mut rig = Rig::quiet([spec("A")]);
    rig.core.request_evaluation();
    assert_eq!(rig.took("start"), "");
    rig.step(0.1);
    assert_eq!(rig.took("start"), "start A");
}

#[test]
fn without_a_list_nothing_is_decided_and_nothing_is_told() {
    let mut rig = Rig::new(Settings::default());
    rig.call(|core| {
        core.start();
    });
    rig.log.clear();
    rig.steps(0.1, 10);
    assert!(!rig.evaluate());
    assert_eq!(rig.took(""), "");
}
