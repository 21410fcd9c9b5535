//! The evaluator's own script adds to what scripts see of a target.

mod action_support;

use action_support::*;
use riposte_core::action::*;

fn builder(plans: impl IntoIterator<Item = ActionPlan>) -> Rig {
    let mut rig = Rig::quiet(plans);
    rig.core.set_virtuals(Virtuals { builds: true, ..Virtuals::default() });
    rig
}

fn each(id: &str) -> ActionPlan {
    ActionPlan { target_mode: TargetMode::Each, scorers: vec![script_scorer(0)], ..spec(id) }
}

#[test]
fn it_is_asked_once_per_evaluation_and_target_before_any_script() {
    let mut rig = builder([each("Bite"), each("Claw")]);
    rig.target = Some(7);
    rig.each = vec![(7, 2.0), (8, 1.0)];
    rig.preview();
    assert_eq!(rig.took("build score"), "build 7, build 8, score Bite, score Bite, score Claw, score Claw");
    rig.pick();
    assert_eq!(rig.took("build"), "build 7, build 8", "again in the next evaluation, but not when it starts");
}

#[test]
fn it_is_asked_without_a_target_and_without_other_scripts() {
    let mut rig = builder([spec("Jab")]);
    rig.preview();
    assert_eq!(rig.took("build"), "build nobody");
    rig.aim(1.0, 0.0);
    rig.preview();
    assert_eq!(rig.took("build"), "build 7");
    let roar = ActionPlan { target_mode: TargetMode::None, ..spec("Roar") };
    rig.list([spec("Jab"), roar]);
    rig.preview();
    assert_eq!(rig.took("build"), "build nobody, build 7");
}

#[test]
fn targets_beyond_the_cap_are_not_asked_about() {
    let mut rig = builder([each("Bite")]);
    rig.set(|settings| settings.max_candidate_targets = 2);
    rig.each = (1..=5).map(|key| (key, key as f64)).collect();
    rig.preview();
    assert_eq!(rig.took("build"), "build 1, build 2");
}

#[test]
fn what_it_changes_counts_before_the_winner_starts() {
    let mut rig = builder([spec("Jab")]);
    rig.act("build nobody", Act::Unlist);
    assert_eq!(rig.pick(), "");
    let mut rig = builder([spec("Jab")]);
    rig.act("build nobody", Act::Execute("Jab"));
    assert_eq!(rig.pick(), "Jab");
    let mut rig = builder([spec("Jab")]);
    rig.act("build nobody", Act::Teardown);
    assert_eq!(rig.pick(), "");
}

#[test]
fn it_is_not_asked_while_nothing_is_listed() {
    let mut rig = builder([]);
    rig.pick();
    assert_eq!(rig.took("build"), "");
}
