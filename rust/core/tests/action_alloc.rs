//! An evaluation allocates nothing after the first one; nor does a step of what runs.

mod action_support;
mod counting;

use action_support::*;
use riposte_core::action::*;
use riposte_core::tags::TagSet;

fn allocations(mut act: impl FnMut()) -> u64 {
    let before = counting::own();
    act();
    counting::own() - before
}

fn workload() -> Rig {
    let mut rig = Rig::with(Settings::default(), []);
    let tags = rig.queries(&["State.Armed", "Team.Red"]);
    let health = scorer(ScorerKind::Health { range: Some(RangeCurve::low_health()), source: Source::Agent });
    let plan = |n: usize| ActionPlan {
        scorers: vec![distance(), angle(), health.clone()],
        requires_tags: tags.clone(),
        cooldown: CooldownPlan { duration: 2.0, ..CooldownPlan::default() },
        ..weighted(&format!("A{n}"), 1.0)
    };
    let plans: Vec<ActionPlan> = (0..12).map(plan).collect();
    rig.agent_tags = rig.tags(&["State.Armed.Sword", "Team.Red"]);
    rig.list(plans);
    rig
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))) > 0);
}

#[test]
fn an_evaluation_allocates_nothing() {
    let mut rig = workload();
    for _ in 0..20 {
        rig.pick();
        rig.abort(EndReason::Completed);
        rig.step(0.5);
    }
    let none = TagSet::default();
    let target = TargetView {
        key: TargetKey(7),
        distance: 3.0,
        meters: 3.0,
        angle: 40.0,
        health: 1.0,
        tags: &none,
        tokens: &[],
        readings: &[],
    };
    let snapshot = Snapshot {
        seed: None,
        health: 0.3,
        tags: &rig.agent_tags,
        world: &none,
        readings: &[],
        focus: Some(target),
        each: &[],
        held: None,
    };
    rig.core.decide(&snapshot);
    let mut chosen = 0;
    let count = allocations(|| {
        for _ in 0..10_000 {
            chosen += u32::from(rig.core.decide(&snapshot).is_some());
        }
    });
    assert_eq!((count, chosen), (0, 10_000));
}

/// A world without targets.
fn dark<'a>(tags: &'a TagSet, world: &'a TagSet) -> Snapshot<'a> {
    Snapshot { seed: None, health: 0.3, tags, world, readings: &[], focus: None, each: &[], held: None }
}

/// Pumped by hand, because the stand-in itself allocates.
fn pump(core: &mut Evaluator, tags: &TagSet, base: usize) {
    let none = TagSet::default();
    while let Some((ticket, question)) = core.next(base) {
        if let Question::Snapshot(_) = question {
            let snapshot = dark(tags, &none);
            core.answer_snapshot(ticket, &snapshot);
        } else {
            core.answer(ticket, Answer::Done);
        }
    }
}

#[test]
fn steps_that_evaluate_or_tick_allocate_nothing() {
    let mut rig = workload();
    rig.set(|settings| settings.evaluation_interval = 0.0);
    let tags = rig.agent_tags.clone();
    // Without a target every score is zero: a whole evaluation, nothing starts.
    let mut evaluate = |times: u32| {
        for _ in 0..times {
            let base = rig.core.depth();
            rig.core.step(0.02);
            pump(&mut rig.core, &tags, base);
        }
    };
    evaluate(5);
    assert_eq!(allocations(|| evaluate(1000)), 0, "a step with an evaluation");
    rig.execute("A3");
    let mut tick = |times: u32| {
        for _ in 0..times {
            let base = rig.core.depth();
            rig.core.step(0.001);
            pump(&mut rig.core, &tags, base);
        }
    };
    tick(5);
    assert_eq!(allocations(|| tick(1000)), 0, "a step of a running action");
    assert!(rig.core.running().is_some());
}
