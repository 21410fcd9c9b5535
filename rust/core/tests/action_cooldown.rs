//! Worked examples of cooldowns and repeat limits.

mod action_support;

use action_support::*;
use riposte_core::action::*;

fn cooling(id: &str, duration: f64, randomization: f64) -> ActionPlan {
    let cooldown = CooldownPlan { duration, randomization, ..CooldownPlan::default() };
    ActionPlan { cooldown, ..spec(id) }
}

/// The cooldown that the next use gets.
fn stamp(rig: &mut Rig, id: &str) -> f64 {
    let action = rig.find(id);
    rig.call(|core| core.reset_cooldown(action));
    rig.execute(id);
    let left = rig.cooldown(id);
    rig.abort(EndReason::Cancelled);
    left
}

#[test]
fn ex_30_a37() {
    let mut rig = Rig::quiet([cooling("Heavy", 10.0, 0.2)]);
    for want in [10.619101, 10.745613, 10.908933] {
        near(stamp(&mut rig, "Heavy"), want);
    }
}

#[test]
fn ex_30_a38() {
    let mut rig = Rig::quiet([cooling("Heavy", 10.0, 0.0)]);
    near(stamp(&mut rig, "Heavy"), 10.0);
    rig.set(|settings| settings.cooldown_scale = 0.5);
    near(stamp(&mut rig, "Heavy"), 5.0);
}

#[test]
fn ex_30_a39() {
    let mut rig = Rig::quiet([cooling("Heavy", 10.0, 0.2)]);
    let stamps: Vec<f64> = (0..1000).map(|_| stamp(&mut rig, "Heavy")).collect();
    assert!(stamps.iter().all(|s| (8.0..=12.0).contains(s)));
    let mean = stamps.iter().sum::<f64>() / 1000.0;
    assert!((mean - 10.0).abs() <= 0.15, "mean {mean}");
}

#[test]
fn ex_30_a40() {
    let cooldown = CooldownPlan { initial: 4.0, ..CooldownPlan::default() };
    let mut rig = Rig::quiet([ActionPlan { cooldown, ..spec("Jab") }]);
    rig.until(3.9);
    assert_eq!(rig.why("Jab"), Refusal::Cooldown);
    rig.until(4.0);
    assert_eq!(rig.why("Jab"), Refusal::None);
    assert_eq!(rig.took("ready"), "ready Jab");
}

fn spawned(spawn_chance: f64, initial: f64) -> f64 {
    let cooldown = CooldownPlan { duration: 10.0, spawn_chance, initial, ..CooldownPlan::default() };
    Rig::quiet([ActionPlan { cooldown, ..spec("Jab") }]).cooldown("Jab")
}

#[test]
fn ex_30_a41() {
    near(spawned(0.1, 0.0), 8.407647);
    near(spawned(0.05, 0.0), 0.0);
}

#[test]
fn ex_30_a42() {
    near(spawned(0.1, 4.0), 8.407647);
    near(spawned(0.1, 9.0), 9.0);
}

/// When the action is free again after a use from 0 to 4 that ended for this reason.
fn free_at(refund: f64, reason: EndReason) -> f64 {
    let cooldown = CooldownPlan {
        duration: 10.0,
        randomization: 0.0,
        interrupt_refund: refund,
        ..CooldownPlan::default()
    };
    let mut rig = Rig::quiet([ActionPlan { cooldown, ..spec("Jab") }]);
    rig.method("Jab").timeout = if reason == EndReason::TimedOut { 4.0 } else { 100.0 };
    let run = rig.execute("Jab");
    rig.until(4.0);
    if reason != EndReason::TimedOut {
        rig.finish(run, reason);
    }
    assert_eq!(rig.took("end"), format!("end Jab {}", reason.code()));
    rig.core.now() + rig.cooldown("Jab")
}

#[test]
fn ex_30_a43() {
    for (refund, want) in [(0.5, 7.0), (1.0, 4.0), (0.0, 10.0)] {
        near(free_at(refund, EndReason::Interrupted), want);
    }
}

#[test]
fn ex_30_a44() {
    for (reason, want) in
        [(EndReason::Completed, 10.0), (EndReason::TimedOut, 10.0), (EndReason::Failed, 7.0)]
    {
        near(free_at(0.5, reason), want);
    }
}

#[test]
fn ex_30_a48() {
    let mut rig = Rig::quiet([ActionPlan { max_consecutive_uses: 2, ..weighted("A", 2.0) }, spec("B")]);
    for _ in 0..2 {
        assert_eq!(rig.pick(), "A");
        rig.abort(EndReason::Cancelled);
    }
    let row = rig.row("A");
    assert_eq!((row.refusal, &*row.detail), (Refusal::RepeatLimit, "Used 2 of 2 in a row"));
    rig.step(9.9);
    assert_eq!(rig.why("A"), Refusal::RepeatLimit);
    rig.step(0.1);
    assert_ne!(rig.why("A"), Refusal::RepeatLimit, "10 s after the last end");
    for id in ["A", "A", "B"] {
        rig.use_up(id, EndReason::Cancelled);
    }
    assert_ne!(rig.why("A"), Refusal::RepeatLimit, "after something else");
}

#[test]
fn repeats_fade_from_the_end_and_not_while_running() {
    let mut rig = Rig::quiet([ActionPlan { max_consecutive_uses: 1, ..spec("A") }]);
    rig.set(|settings| settings.repeat_reset_time = 2.0);
    rig.execute("A");
    rig.steps(1.0, 5);
    rig.abort(EndReason::Cancelled);
    rig.step(1.5);
    assert_eq!(rig.why("A"), Refusal::RepeatLimit);
    rig.step(0.5);
    assert_eq!(rig.why("A"), Refusal::None);
    rig.set(|settings| settings.repeat_reset_time = 0.0);
    rig.use_up("A", EndReason::Cancelled);
    rig.step(1000.0);
    assert_eq!(rig.why("A"), Refusal::RepeatLimit, "0: never by time");
}

#[test]
fn ex_30_a82() {
    let plans = ["Jab", "Heavy"].map(|id| std::sync::Arc::new(cooling(id, 5.0, 0.0)));
    let mut agents: Vec<Rig> = (0..100).map(|_| Rig::quiet([])).collect();
    let before = (*plans[1]).clone();
    for agent in &mut agents {
        let plans = plans.clone();
        agent.call(|core| core.set_list(Some(&plans), true));
    }
    agents[42].execute("Heavy");
    for (n, agent) in agents.iter().enumerate() {
        assert_eq!(agent.cooldown("Heavy") > 0.0, n == 42, "agent {n}");
    }
    assert_eq!(*plans[1], before);
}

#[test]
fn cooldowns_count_by_time_whenever_they_are_looked_at() {
    for every in [1, 10, 7] {
        let mut rig = Rig::quiet([cooling("Jab", 0.5, 0.0)]);
        rig.use_up("Jab", EndReason::Completed);
        let mut free = 0;
        for n in 1..=60 {
            rig.step(1.0 / 60.0);
            if n % every == 0 {
                rig.preview();
            }
            if free == 0 && rig.cooldown("Jab") == 0.0 {
                free = n;
            }
        }
        assert_eq!(free, 30);
    }
}

#[test]
fn expiry_is_told_in_list_order_then_by_name() {
    let mut rig = Rig::quiet([spec("B"), spec("A"), spec("Z"), spec("Y")]);
    for id in ["Y", "A", "Z", "B"] {
        let action = rig.find(id);
        rig.call(|core| core.set_cooldown(action, 0.7));
    }
    assert_eq!(rig.took("cool"), "cool Y 0.7000, cool A 0.7000, cool Z 0.7000, cool B 0.7000");
    rig.list([spec("B"), spec("A")]);
    rig.step(1.0);
    assert_eq!(rig.took("ready"), "ready B, ready A, ready Y, ready Z");
}

#[test]
fn every_cooldown_ends_with_one_expiry() {
    let mut rig = Rig::quiet([cooling("Jab", 1.0, 0.0)]);
    let jab = rig.find("Jab");
    assert!(!rig.call(|core| core.reset_cooldown(jab)), "nothing to reset");
    rig.execute("Jab");
    assert!(rig.call(|core| core.reset_cooldown(jab)));
    assert_eq!(rig.took("cool ready"), "cool Jab 1.0000, ready Jab");
    rig.execute("Jab");
    rig.step(0.5);
    rig.execute("Jab");
    rig.steps(0.5, 4);
    assert_eq!(rig.took("cool ready"), "cool Jab 1.0000, cool Jab 1.0000, ready Jab");
    rig.execute("Jab");
    rig.call(Evaluator::reset_all_cooldowns);
    rig.call(Evaluator::reset_all_cooldowns);
    assert_eq!(rig.took("cool ready"), "cool Jab 1.0000, ready Jab");
}

#[test]
fn a_stamp_of_zero_is_not_told() {
    let mut rig = Rig::quiet([cooling("Jab", 1.0, 0.0)]);
    rig.set(|settings| settings.cooldown_scale = 0.0);
    rig.execute("Jab");
    assert_eq!((rig.took("cool"), rig.cooldown("Jab")), (String::new(), 0.0));
    assert!(rig.core.cooldowns().is_empty());
}

#[test]
fn an_id_met_later_gets_its_spawn_cooldown_then_and_only_once() {
    let cooldown = CooldownPlan { initial: 1.5, ..CooldownPlan::default() };
    let late = ActionPlan { cooldown, ..spec("Late") };
    let mut rig = Rig::quiet([spec("Now")]);
    rig.steps(0.5, 4);
    rig.list([spec("Now"), late.clone()]);
    near(rig.cooldown("Late"), 1.5);
    rig.step(1.0);
    rig.list([spec("Now")]);
    rig.list([late]);
    near(rig.cooldown("Late"), 0.5);
}
