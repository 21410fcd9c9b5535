//! Gates that a decision asks for: tags, tokens, lines of sight, and the evaluator's own script.

mod action_support;

use action_support::*;
use riposte_core::action::*;

fn gated(id: &str, gates: Vec<GateKind>) -> ActionPlan {
    let gate = |kind| GatePlan { kind, label: "gate".into() };
    ActionPlan { gates: gates.into_iter().map(gate).collect(), ..spec(id) }
}

fn tokens(rig: &mut Rig, cost: u32) -> GateKind {
    GateKind::Tokens { tag: rig.queries(&["Token.Attack"]).ids()[0], cost }
}

fn scripted(rig: &mut Rig) {
    rig.core.set_virtuals(Virtuals { may_execute: true, modify: true, builds: false });
}

#[test]
fn ex_30_a24() {
    let scorers = vec![script_scorer(0), script_scorer(1)];
    let mut rig = Rig::quiet([ActionPlan { scorers, ..spec("Jab") }]);
    rig.script("Jab", 0, |_| 0.0);
    scripted(&mut rig);
    assert_eq!(rig.why("Jab"), Refusal::ZeroScore);
    assert_eq!(rig.took("score may modify"), "may Jab, score Jab");
}

#[test]
fn ex_30_a26() {
    let plan = ActionPlan { risk_penalty: 1.2, scorers: vec![distance(), angle()], ..weighted("Jab", 1.5) };
    let mut rig = Rig::quiet([plan]);
    rig.aim(3.75, 45.0);
    rig.modify = Some(|base| base * 2.0);
    scripted(&mut rig);
    near(rig.score("Jab"), 0.9375);
    near(rig.factor("Jab", "script"), 2.0);
}

#[test]
fn a_changed_score_that_is_no_score_counts_as_zero_and_is_told_once() {
    let mut rig = Rig::quiet([spec("Jab")]);
    rig.modify = Some(|_| f64::NAN);
    scripted(&mut rig);
    for _ in 0..100 {
        assert_eq!(rig.why("Jab"), Refusal::ZeroScore);
    }
    assert_eq!(rig.warnings, 1);
}

#[test]
fn the_evaluators_script_is_asked_last() {
    let mut rig = Rig::quiet([gated("Jab", vec![GateKind::Script { slot: 0 }]), spec("Kick")]);
    rig.ruled_out = vec!["Kick".into()];
    rig.script("Jab", 0, |_| 0.0);
    scripted(&mut rig);
    assert_eq!((rig.why("Jab"), rig.why("Kick")), (Refusal::Gate, Refusal::ScriptVeto));
    rig.log.clear();
    assert_eq!(rig.pick(), "");
    assert_eq!(rig.took("gate may modify"), "gate Jab, may Kick");
}

#[test]
fn a_line_of_sight_is_asked_for_once_per_target() {
    let aims = |id| ActionPlan { require_line_of_sight: true, ..spec(id) };
    let mut rig = Rig::quiet([aims("Shot"), aims("Leap"), spec("Jab")]);
    rig.aim(1.0, 0.0);
    assert_eq!(rig.why("Shot"), Refusal::None);
    rig.log.clear();
    rig.sight = false;
    rig.preview();
    assert_eq!(rig.took("sight"), "sight 7");
    assert_eq!(rig.why("Leap"), Refusal::NoLineOfSight);
    rig.target = None;
    rig.log.clear();
    assert_eq!((rig.why("Shot"), rig.why("Jab")), (Refusal::NoLineOfSight, Refusal::None));
    assert_eq!(rig.took("sight"), "");
}

#[test]
fn a_tag_gate_looks_where_it_is_told() {
    let mut rig = Rig::quiet([]);
    let (red, blocked) = (rig.queries(&["Team.Red"]), rig.queries(&["State.Down"]));
    let gate = |of| GateKind::Tags { of, required: red.clone(), blocked: blocked.clone() };
    let all = [("Own", TagsOf::Agent), ("Theirs", TagsOf::Target), ("World", TagsOf::World)];
    rig.list(all.map(|(id, of)| gated(id, vec![gate(of)])));
    assert_eq!(rig.why("Theirs"), Refusal::None, "no target, no effect");
    rig.aim(1.0, 0.0);
    assert!(all.iter().all(|(id, _)| rig.why(id) == Refusal::Gate));
    rig.target_tags = rig.tags(&["Team.Red"]);
    assert_eq!(all.map(|(id, _)| rig.why(id) != Refusal::Gate), [false, true, false]);
    rig.target_tags = rig.tags(&["Team.Red", "State.Down.Slow"]);
    assert_eq!(rig.why("Theirs"), Refusal::Gate);
    rig.agent_tags = rig.tags(&["Team.Red"]);
    rig.world_tags = rig.tags(&["Team.Red"]);
    assert_eq!(all.map(|(id, _)| rig.why(id) != Refusal::Gate), [true, false, true]);
}

#[test]
fn costs_of_token_gates_add_up_and_need_a_target() {
    let mut rig = Rig::quiet([]);
    let one = tokens(&mut rig, 1);
    let tag = rig.queries(&["Token.Attack"]).ids()[0];
    rig.list([gated("One", vec![one.clone()]), gated("Two", vec![one.clone(), one])]);
    rig.tokens = vec![(tag, 1)];
    assert_eq!(rig.why("One"), Refusal::Gate, "no target");
    rig.aim(1.0, 0.0);
    assert_eq!((rig.why("One"), rig.why("Two")), (Refusal::None, Refusal::Gate));
    rig.tokens = vec![(tag, 2)];
    assert_ne!(rig.why("Two"), Refusal::Gate);
}

#[test]
fn tokens_are_taken_before_the_begin_and_given_back_at_the_end() {
    let mut rig = Rig::quiet([]);
    let gate = tokens(&mut rig, 1);
    let tag = rig.queries(&["Token.Attack"]).ids()[0];
    rig.list([gated("Jab", vec![gate]), weighted("Kick", 0.5)]);
    rig.tokens = vec![(tag, 1)];
    rig.aim(1.0, 0.0);
    rig.log.clear();
    assert_eq!(rig.pick(), "Jab");
    assert_eq!(rig.took("can take begin start"), "can Jab, take Jab, begin Jab, start Jab");
    rig.finish(1, EndReason::Completed);
    assert_eq!(rig.took("give end"), "give Jab, end Jab 0");
}

#[test]
fn without_tokens_the_next_best_is_started_and_a_forced_run_goes_on() {
    let mut rig = Rig::quiet([]);
    let gate = tokens(&mut rig, 1);
    let tag = rig.queries(&["Token.Attack"]).ids()[0];
    rig.list([gated("Jab", vec![gate]), weighted("Kick", 0.5)]);
    (rig.tokens, rig.takes) = (vec![(tag, 1)], false);
    rig.aim(1.0, 0.0);
    rig.log.clear();
    assert_eq!(rig.pick(), "Kick");
    assert_eq!(rig.took("begin refuse"), "refuse Jab 21, begin Kick");
    assert_eq!(rig.execute_with("Jab", true), 0);
    assert!(rig.execute("Jab") > 0);
}
