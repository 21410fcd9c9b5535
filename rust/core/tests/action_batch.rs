//! Many agents decided in one call: the same log whatever the number of threads.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod action_support;

use action_support::*;
use riposte_core::action::*;
use riposte_core::tags::TagSet;

const AGENTS: usize = 200;
const ROUNDS: usize = 60;

/// Jitter, novelty, chains and cooldowns that vary, without scripts.
fn crowd(record: bool) -> Vec<Evaluator> {
    let cooldown = CooldownPlan { duration: 0.6, randomization: 0.5, ..CooldownPlan::default() };
    let link = ChainPlan { action: ActionId::new("Heavy"), bonus: 1.5 };
    let plans = [
        ActionPlan { cooldown, scorers: vec![distance()], chain_links: vec![link], ..spec("Jab") },
        ActionPlan { cooldown, scorers: vec![distance(), angle()], ..weighted("Heavy", 0.9) },
        ActionPlan { scorers: vec![angle()], ..weighted("Wait", 0.6) },
    ];
    let made = |seed: usize| {
        let settings = Settings { record, ..Settings::default() };
        let mut rig = Rig::with(settings, plans.clone());
        rig.core.set_seed(seed as u64);
        std::mem::take(&mut rig.core)
    };
    (0..AGENTS).map(made).collect()
}

fn pump(core: &mut Evaluator, base: usize) {
    while let Some((ticket, question)) = core.next(base) {
        let answer = match question {
            Question::Prepare(_) => Answer::Prepared { ok: true, target: None },
            Question::Begin(_) => Answer::Begun { ok: true, timeout: 0.0, instant: false, ticks: false },
            _ => Answer::Done,
        };
        core.answer(ticket, answer);
    }
}

/// The winner is used up at once, so that the next decision has another memory.
fn use_up(core: &mut Evaluator, action: ActionRef) {
    let base = core.depth();
    core.execute(StartRequest { action: Some(action), target: TargetWish::Nobody, respect_gates: false });
    pump(core, base);
    core.abort(EndReason::Completed);
    pump(core, base);
}

/// Every winner with the bits of its score.
fn log(threads: usize, record: bool) -> Vec<(usize, u32, u64)> {
    let none = TagSet::default();
    let (mut crowd, mut best, mut lines) = (crowd(record), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let view = |at: usize| {
            let distance = 1.0 + ((at * 7 + round * 3) % 40) as f64 / 10.0;
            let angle = ((at * 11 + round * 5) % 90) as f64;
            let (key, tags, tokens) = (TargetKey(at as u64 + 1), &none, &[][..]);
            TargetView { key, distance, meters: distance, angle, health: 1.0, tags, tokens, readings: &[] }
        };
        let (tags, world) = (&none, &none);
        let snapshot = |at: usize| Snapshot {
            seed: None,
            health: 1.0,
            readings: &[],
            tags,
            world,
            focus: Some(view(at)),
            each: &[],
            held: None,
        };
        decide_all(&mut crowd, &snapshot, threads, &mut best);
        assert_eq!(best.len(), AGENTS);
        for (at, (core, best)) in crowd.iter_mut().zip(&best).enumerate() {
            if let Some((action, score)) = *best {
                lines.push((at, action.0, score.to_bits()));
                use_up(core, action);
            }
            let base = core.depth();
            core.step(0.1);
            pump(core, base);
        }
    }
    lines
}

#[test]
fn a_batch_on_0_1_4_and_7_threads_has_one_log() {
    let alone = log(0, false);
    let kinds: std::collections::BTreeSet<u32> = alone.iter().map(|line| line.1).collect();
    assert_eq!((kinds.len(), alone.len() > AGENTS * ROUNDS / 2), (3, true), "it was busy");
    for threads in [1, 4, 7] {
        assert_eq!(log(threads, false), alone, "{threads} threads");
    }
    assert_eq!(log(4, true), alone, "recorded");
}

#[test]
fn a_batch_of_nobody_and_of_few() {
    let none = TagSet::default();
    let (tags, world) = (&none, &none);
    let snapshot = |_: usize| Snapshot {
        seed: None,
        health: 1.0,
        readings: &[],
        tags,
        world,
        focus: None,
        each: &[],
        held: None,
    };
    let mut best = vec![None; 3];
    decide_all(&mut [], &snapshot, 4, &mut best);
    assert!(best.is_empty());
    let mut few = crowd(false);
    few.truncate(2);
    decide_all(&mut few, &snapshot, 4, &mut best);
    assert_eq!(best.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false], "nobody to aim at");
}
