//! Scorers and gates that look at a speed, a vital or an attribute.

mod action_support;

use action_support::*;
use riposte_core::action::*;

const MANA: ReadingId = ReadingId(0);
const RAGE: ReadingId = ReadingId(1);
const MAX_RAGE: ReadingId = ReadingId(2);
const STAMINA: ReadingId = ReadingId(3);

fn read(id: ReadingId, value: f64) -> Reading {
    Reading { id, value }
}

fn limits(id: ReadingId, min: f64, max: f64) -> Limits {
    Limits { of: Source::Agent, id, min, min_by: None, max }
}

fn gated(id: &str, limits: Limits) -> ActionPlan {
    let gate = GatePlan { kind: GateKind::Reading(limits), label: "gate".into() };
    ActionPlan { gates: vec![gate], ..spec(id) }
}

/// 0 at 0, 1 at 1.
fn ramp() -> RangeCurve {
    RangeCurve::new([0.0, 1.0, 1.0, 1.0], 1.0, 0.0)
}

fn rage(of: Source, range: RangeCurve) -> ScorerPlan {
    let share = Share { of, id: RAGE, divisor: Some(MAX_RAGE) };
    scorer(ScorerKind::Reading { range: Some(range), share: Some(share) })
}

fn scored(id: &str, scorers: Vec<ScorerPlan>) -> ActionPlan {
    ActionPlan { scorers, ..spec(id) }
}

#[test]
fn ex_30_a58() {
    let mut rig = Rig::quiet([gated("Fire", limits(MANA, 30.0, f64::INFINITY))]);
    rig.readings = vec![read(MANA, 29.9)];
    assert_eq!(rig.why("Fire"), Refusal::Gate);
    rig.readings = vec![read(MANA, 30.0)];
    assert_eq!(rig.why("Fire"), Refusal::None);
    rig.readings.clear();
    assert_eq!(rig.why("Fire"), Refusal::None);
}

#[test]
fn ex_30_a59() {
    let mut rig = Rig::quiet([gated("Roar", limits(RAGE, 30.0, 60.0))]);
    let mut why = |rage: f64| {
        rig.readings = vec![read(RAGE, rage)];
        rig.why("Roar")
    };
    assert_eq!([30.0, 60.0, 60.1].map(&mut why), [Refusal::None, Refusal::None, Refusal::Gate]);
    rig.readings.clear();
    assert_eq!(rig.why("Roar"), Refusal::None);
}

#[test]
fn ex_30_a60() {
    let squared = RangeCurve::new([0.0, 1.0, 1.0, 1.0], 2.0, 0.0);
    let plain = scored("Plain", vec![rage(Source::Agent, ramp())]);
    let square = scored("Square", vec![rage(Source::Agent, squared)]);
    let mut rig = Rig::quiet([plain, square]);
    rig.readings = vec![read(RAGE, 45.0), read(MAX_RAGE, 60.0)];
    near(rig.score("Plain"), 0.75);
    near(rig.score("Square"), 0.5625);
    rig.readings = vec![read(RAGE, 45.0), read(MAX_RAGE, 0.0)];
    assert_eq!((rig.score("Plain"), rig.why("Plain")), (0.0, Refusal::ZeroScore));
}

/// The adapter reads 100 for an agent whose stamina nobody knows.
#[test]
fn ex_30_a61() {
    let plans = [50.0, 100.1].map(|min| gated(&format!("Above{min}"), limits(STAMINA, min, f64::INFINITY)));
    let mut rig = Rig::quiet(plans);
    rig.readings = vec![read(STAMINA, 100.0)];
    assert_eq!((rig.why("Above50"), rig.why("Above100.1")), (Refusal::None, Refusal::Gate));
}

#[test]
fn a_number_that_is_missing_has_no_effect_and_a_missing_divisor_does_not_divide() {
    let mut rig = Rig::quiet([scored("Roar", vec![rage(Source::Agent, ramp())])]);
    near(rig.score("Roar"), 1.0);
    rig.readings = vec![read(MAX_RAGE, 60.0)];
    near(rig.score("Roar"), 1.0);
    rig.readings = vec![read(RAGE, 0.25)];
    near(rig.score("Roar"), 0.25);
}

#[test]
fn numbers_of_the_target_are_its_own() {
    let theirs = scored("Theirs", vec![rage(Source::Target, ramp())]);
    let on_target = Limits { of: Source::Target, ..limits(MANA, 30.0, 60.0) };
    let drain = Limits { min_by: Some(STAMINA), ..on_target };
    let mut rig = Rig::quiet([theirs, gated("Drain", drain), gated("Sip", on_target)]);
    rig.readings = vec![read(RAGE, 0.5), read(MANA, 10.0)];
    near(rig.score("Theirs"), 1.0);
    let passes = |rig: &mut Rig, id: &str| rig.why(id) != Refusal::Gate;
    assert!(passes(&mut rig, "Drain") && passes(&mut rig, "Sip"), "no target, no effect");
    rig.aim(2.0, 0.0);
    near(rig.score("Theirs"), 1.0);
    assert!(passes(&mut rig, "Sip"), "the target has no such number");
    rig.target_readings = vec![read(RAGE, 0.25), read(MANA, 40.0)];
    near(rig.score("Theirs"), 0.25);
    assert!(passes(&mut rig, "Drain") && passes(&mut rig, "Sip"));
    // The minimum is a number of the agent, also for the target.
    rig.readings.push(read(STAMINA, 41.0));
    assert!(!passes(&mut rig, "Drain") && passes(&mut rig, "Sip"));
}

#[test]
fn numbers_are_there_between_the_questions_of_scripts() {
    let scorers =
        vec![script_scorer(0), rage(Source::Agent, ramp()), script_scorer(1), rage(Source::Target, ramp())];
    let mut rig = Rig::quiet([scored("Roar", scorers)]);
    rig.readings = vec![read(RAGE, 30.0), read(MAX_RAGE, 60.0)];
    rig.aim(2.0, 0.0);
    rig.target_readings = vec![read(RAGE, 0.5)];
    rig.script("Roar", 0, |_| 0.5);
    near(rig.score("Roar"), 0.125);
}

#[test]
fn each_target_is_judged_by_its_own_numbers_in_the_same_evaluation() {
    let mut plan = scored("Bite", vec![rage(Source::Target, ramp())]);
    plan.target_mode = TargetMode::Each;
    let set = SetPlan::new([plan.into()]);
    let mut core = Evaluator::new(quiet());
    core.set_list(Some(set.actions()), true);
    core.start();
    while let Some((ticket, _)) = core.next(0) {
        core.answer(ticket, Answer::Done);
    }
    let none = riposte_core::tags::TagSet::default();
    let numbers = [0.25, 0.75, 0.5].map(|value| [read(RAGE, value)]);
    let view = |key: usize| TargetView {
        key: TargetKey(key as u64),
        distance: 1.0,
        meters: 1.0,
        angle: 0.0,
        health: 1.0,
        tags: &none,
        tokens: &[],
        readings: &numbers[key],
    };
    let (focus, each) = (Some(view(0)), [view(0), view(1), view(2)]);
    let (tags, world) = (&none, &none);
    let snapshot =
        Snapshot { seed: None, health: 1.0, tags, world, readings: &[], focus, each: &each, held: None };
    let (_, score) = core.decide(&snapshot).unwrap();
    near(score, 0.75);
}

#[test]
fn a_set_says_which_numbers_it_looks_at() {
    let ranged = |of| {
        scorer(ScorerKind::Reading {
            range: Some(ramp()),
            share: Some(Share { of, id: RAGE, divisor: Some(MAX_RAGE) }),
        })
    };
    let blank = scorer(ScorerKind::Reading {
        range: None,
        share: Some(Share { of: Source::Agent, id: ReadingId(9), divisor: None }),
    });
    let on_target = Limits { of: Source::Target, min_by: Some(STAMINA), ..limits(MANA, 0.0, 1.0) };
    let plans = [
        scored("Own", vec![ranged(Source::Agent), blank]),
        scored("Again", vec![ranged(Source::Agent), ranged(Source::Target)]),
        gated("Gate", on_target),
        spec("Plain"),
    ];
    let wanted = SetPlan::new(plans.map(Into::into)).readings();
    assert_eq!(wanted.own, [RAGE, MAX_RAGE, STAMINA]);
    assert_eq!(wanted.target, [MANA, RAGE, MAX_RAGE]);
    assert!(!wanted.is_empty() && SetPlan::new([spec("Plain").into()]).readings().is_empty());
}
