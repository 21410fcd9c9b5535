//! When evaluators decide: interval, phase, distance to the viewer, the budget that all of them share.

mod action_support;

use std::sync::Arc;

use action_support::*;
use riposte_core::action::*;
use riposte_core::random::draw;

const STEP: f64 = 1.0 / 60.0;

fn automatic() -> Settings {
    Settings { auto_evaluate: true, random_phase: false, evaluation_interval: 0.0, ..quiet() }
}

/// Evaluators that find nothing to do; each decides as often as it may.
fn crowd(count: usize, settings: &Settings, budget: &Arc<Budget>) -> Vec<Rig> {
    let join = |_| {
        let mut rig = Rig::with(settings.clone(), [weighted("A", 0.0)]);
        rig.core.join_budget(Some(budget.clone()));
        rig
    };
    (0..count).map(join).collect()
}

/// How many decisions it has made.
fn decisions(rig: &Rig) -> u64 {
    let last = rig.core.last_decision();
    if last.rows.is_empty() { 0 } else { last.evaluation_index + 1 }
}

/// Who decided in one step of everybody, in the order in which they step.
fn step_all(rigs: &mut [Rig], budget: &Budget, limit: usize) -> Vec<usize> {
    budget.next_step(limit);
    let mut went = Vec::new();
    for (number, rig) in rigs.iter_mut().enumerate() {
        let before = decisions(rig);
        rig.step(STEP);
        went.extend((decisions(rig) > before).then_some(number));
    }
    went
}

#[test]
fn ex_30_a75() {
    let first = 0.1 * draw(12345, "phase", "", 0);
    assert!((first - 0.045245).abs() < 1e-6, "{first}");
    let settings = Settings { random_phase: true, evaluation_interval: 0.1, ..automatic() };
    let mut rig = Rig::with(settings, [weighted("A", 0.0)]);
    let mut steps = Vec::new();
    for step in 1..=20 {
        let before = decisions(&rig);
        rig.step(STEP);
        steps.extend((decisions(&rig) > before).then_some(step));
    }
    assert_eq!(steps, [3, 9, 15]);
}

#[test]
fn ex_30_a76() {
    let scale = lod_scale(Some(40.0), 20.0, 60.0, 4.0);
    assert!((0.1 * scale - 0.25).abs() < 1e-12);
    // In the evaluator: 0.25 s are 15 steps.
    let mut rig = Rig::with(Settings { evaluation_interval: 0.1, ..automatic() }, [weighted("A", 0.0)]);
    rig.core.set_interval_scale(scale);
    let mut steps = Vec::new();
    for step in 1..=50 {
        let before = decisions(&rig);
        rig.step(STEP);
        steps.extend((decisions(&rig) > before).then_some(step));
    }
    // Due at 0 s, so in the first step; then 0.25, 0.5, 0.75 s.
    assert_eq!(steps, [1, 15, 30, 45]);
}

#[test]
fn ex_30_a77() {
    let budget = Arc::new(Budget::new(256));
    let mut rigs = crowd(1000, &Settings { evaluation_interval: 10.0, ..automatic() }, &budget);
    let counts = [(); 5].map(|()| step_all(&mut rigs, &budget, 256).len());
    assert_eq!(counts, [256, 256, 256, 232, 0]);
    assert!(rigs.iter().all(|rig| decisions(rig) == 1), "each once");
    assert_eq!(budget.count(), BudgetCount { made: 1000, deferred: 744 + 488 + 232 });
}

#[test]
fn ex_30_a78() {
    let cooling = || ActionPlan {
        cooldown: CooldownPlan { duration: 0.5, randomization: 0.0, ..CooldownPlan::default() },
        ..weighted("A", 1.0)
    };
    for (every, pause) in [(1, false), (10, false), (1, true), (10, true)] {
        let mut rig = Rig::with(Settings { auto_evaluate: false, ..quiet() }, [cooling()]);
        rig.use_up("A", EndReason::Cancelled);
        let mut free = None;
        for step in 1..=40 {
            if pause && step == 12 {
                // Two seconds in which nobody steps, or no time passes.
                rig.steps(0.0, 120);
            }
            rig.step(STEP);
            if step % every == 0 {
                rig.preview();
            }
            if free.is_none() && rig.cooldown("A") == 0.0 {
                free = Some(step);
            }
        }
        assert_eq!(free, Some(30), "every {every}, pause {pause}");
    }
}

#[test]
fn who_waits_goes_before_newcomers_and_nobody_waits_longer_than_the_line() {
    let budget = Arc::new(Budget::new(3));
    // Always due: 8 evaluators, 3 a step.
    let mut rigs = crowd(8, &automatic(), &budget);
    assert_eq!(step_all(&mut rigs, &budget, 3), [0, 1, 2]);
    assert_eq!(step_all(&mut rigs, &budget, 3), [3, 4, 5]);
    assert_eq!(step_all(&mut rigs, &budget, 3), [0, 6, 7]);
    assert_eq!(step_all(&mut rigs, &budget, 3), [1, 2, 3]);
    let mut waited = [0; 8];
    for _ in 0..100 {
        let went = step_all(&mut rigs, &budget, 3);
        for (number, steps) in waited.iter_mut().enumerate() {
            *steps = if went.contains(&number) { 0 } else { *steps + 1 };
        }
        // ceil(8 / 3) - 1
        assert!(waited.iter().all(|steps| *steps <= 2), "{waited:?}");
    }
}

#[test]
fn without_a_limit_everybody_goes() {
    let budget = Arc::new(Budget::new(2));
    let mut rigs = crowd(5, &automatic(), &budget);
    assert_eq!(step_all(&mut rigs, &budget, 2), [0, 1]);
    assert_eq!(step_all(&mut rigs, &budget, 0), [0, 1, 2, 3, 4]);
    assert_eq!(step_all(&mut rigs, &budget, 0), [0, 1, 2, 3, 4]);
}

#[test]
fn who_is_gone_or_has_nothing_to_decide_takes_no_place() {
    let budget = Arc::new(Budget::new(2));
    let mut rigs = crowd(6, &Settings { evaluation_interval: 10.0, ..automatic() }, &budget);
    assert_eq!(step_all(&mut rigs, &budget, 2), [0, 1]);
    // Freed, and stopped.
    drop(rigs.remove(2));
    rigs[2].call(Evaluator::stop);
    budget.next_step(2);
    rigs[2].step(STEP);
    let before: Vec<u64> = rigs[3..].iter().map(decisions).collect();
    rigs[3..].iter_mut().for_each(|rig| rig.step(STEP));
    assert_eq!(before, [0, 0]);
    assert_eq!(rigs[3..].iter().map(decisions).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn who_does_not_come_when_called_loses_its_place_only() {
    let budget = Arc::new(Budget::new(1));
    let mut rigs = crowd(3, &Settings { evaluation_interval: 10.0, ..automatic() }, &budget);
    assert_eq!(step_all(&mut rigs, &budget, 1), [0]);
    // 1 is called, but is paused; 2 has to wait for its own turn.
    budget.next_step(1);
    rigs[2].step(STEP);
    assert_eq!(decisions(&rigs[2]), 0);
    assert_eq!(step_all(&mut rigs, &budget, 1), [2]);
    assert_eq!(step_all(&mut rigs, &budget, 1), [1]);
}

#[test]
fn timers_and_runs_are_never_put_off() {
    let budget = Arc::new(Budget::new(1));
    let settings = Settings { evaluation_interval: 10.0, ..automatic() };
    let mut first = Rig::with(settings.clone(), [weighted("A", 0.0)]);
    let cooldown = CooldownPlan { duration: 0.01, randomization: 0.0, ..CooldownPlan::default() };
    let mut second = Rig::with(settings, [spec("B"), ActionPlan { cooldown, ..spec("C") }]);
    for rig in [&mut first, &mut second] {
        rig.core.join_budget(Some(budget.clone()));
    }
    second.execute("C");
    second.execute("B");
    second.took("");
    budget.next_step(1);
    first.step(STEP);
    second.step(STEP);
    assert_eq!(second.took(""), "ready C, tick B");
}

#[test]
fn steps_that_somebody_makes_end_when_he_makes_the_next() {
    let budget = Arc::new(Budget::by_turns(2));
    let mut rigs = crowd(3, &automatic(), &budget);
    let mut all = || {
        rigs.iter_mut().for_each(|rig| rig.step(STEP));
        rigs.iter().map(decisions).collect::<Vec<_>>()
    };
    assert_eq!(all(), [1, 1, 0]);
    assert_eq!(all(), [2, 1, 1]);
    assert_eq!(all(), [3, 2, 1]);
    // One alone may be advanced as often as one likes.
    let budget = Arc::new(Budget::by_turns(2));
    let mut one = crowd(1, &automatic(), &budget);
    (0..50).for_each(|_| one[0].step(STEP));
    assert_eq!(decisions(&one[0]), 50);
}

#[test]
fn the_interval_grows_with_the_distance_to_the_viewer() {
    let scale = |distance| lod_scale(distance, 20.0, 60.0, 4.0);
    let wanted = [(Some(0.0), 1.0), (Some(20.0), 1.0), (Some(60.0), 4.0), (Some(900.0), 4.0), (None, 1.0)];
    for (distance, want) in wanted {
        assert_eq!(scale(distance), want, "{distance:?}");
    }
    assert_eq!(scale(Some(f64::NAN)), 1.0);
    // Near and far exchanged or equal: one border.
    assert_eq!(lod_scale(Some(61.0), 60.0, 20.0, 4.0), 4.0);
    assert_eq!(lod_scale(Some(20.0), 20.0, 20.0, 4.0), 1.0);
    // An interval of 0 counts as one step.
    let mut rig = Rig::with(automatic(), [weighted("A", 0.0)]);
    rig.core.set_interval_scale(3.0);
    rig.steps(STEP, 30);
    // In the first step, then in every third.
    assert_eq!(decisions(&rig), 11);
}
