//! Row `execution` in the core: 1,000 running actions step, against one evaluation each; and abilities that do nothing.

#[allow(dead_code, reason = "shared with the benchmark of decisions")]
mod actions;
mod bench;
#[path = "../tests/counting/mod.rs"]
mod counting;

use std::hint::black_box;
use std::sync::Arc;

use actions::{W, Workload};
use bench::Report;
use riposte_core::ability::{Abilities, AbilityPlan};
use riposte_core::action::{
    Answer, Evaluator, Question, Quiet, Settings, SpareStack, StartRequest, TargetWish,
};
use riposte_core::tags::{TagSet, TagTable};

const STEPS: usize = 600;
const DELTA: f64 = 1.0 / 60.0;
/// Steps that are not counted.
const WARM_UP: usize = 10;
/// Abilities of each agent.
const ABILITIES: usize = 64;

/// What a built-in method without hooks answers.
fn answer(question: &Question) -> Answer {
    match question {
        Question::Prepare(_) => Answer::Prepared { ok: true, target: None },
        Question::Begin(_) => Answer::Begun { ok: true, timeout: 1e6, instant: false, ticks: true },
        Question::TargetLost(..) => Answer::Bool(false),
        _ => Answer::Done,
    }
}

fn pump(evaluator: &mut Evaluator) -> usize {
    let mut asked = 0;
    while let Some((ticket, question)) = evaluator.next(0) {
        evaluator.answer(ticket, answer(&question));
        asked += 1;
    }
    asked
}

/// One step as the node makes it, with the ticks that were asked for.
fn step(evaluator: &mut Evaluator, spare: &mut SpareStack) -> usize {
    match evaluator.step_quietly(DELTA, |_| true, spare) {
        Quiet::Tick(ticket, _) => match evaluator.answer_tick(ticket, spare) {
            true => 1,
            false => 1 + pump(evaluator),
        },
        Quiet::No => {
            evaluator.step(DELTA);
            pump(evaluator)
        }
        Quiet::Over | Quiet::Due => 0,
    }
}

/// The first action of each evaluator runs.
fn running() -> Workload {
    let settings = Settings { auto_evaluate: false, ..Settings::default() };
    let mut work = Workload::new(W, &settings);
    for evaluator in &mut work.evaluators {
        evaluator.enter();
        evaluator.start();
        pump(evaluator);
        let action = evaluator.find("Action0");
        evaluator.execute(StartRequest { action, target: TargetWish::Nobody, respect_gates: false });
        pump(evaluator);
    }
    work
}

/// X1.
fn executor(report: &mut Report) {
    let mut work = running();
    let mut deciding = Workload::new(W, &Settings { jitter_amount: 0.0, ..Settings::default() });
    let mut choices = Vec::with_capacity(W.agents);
    let mut spare = SpareStack::default();
    let (mut allocations, mut ticks) = (0, 0);
    for round in 0..WARM_UP + STEPS {
        deciding.next_round();
        if round < WARM_UP {
            deciding.decide(&mut choices);
            work.evaluators.iter_mut().for_each(|one| {
                step(one, &mut spare);
            });
            continue;
        }
        report.time("one evaluation each", 1.0, || deciding.decide(&mut choices));
        let (ticked, allocated) = report.time("one step of what runs each", 1.0, || {
            let (before, mut ticks) = (counting::own(), 0);
            for evaluator in &mut work.evaluators {
                ticks += step(evaluator, &mut spare);
            }
            (ticks, counting::own() - before)
        });
        ticks += ticked;
        allocations += allocated;
    }
    let idle = work.evaluators.iter().filter(|one| one.running().is_none()).count();
    report.print_ratio("one step of what runs each", "one evaluation each", "<= 0.25");
    report.print_number("allocations of 600,000 steps", allocations as f64, "<= 0");
    report.print_same(
        "one tick per step and run",
        STEPS * W.agents,
        (STEPS * W.agents).abs_diff(ticks) + idle,
    );
}

/// X4.
fn abilities(report: &mut Report) {
    let mut table = TagTable::new();
    let mut tag = |name: &str| table.intern(name).expect("the name is valid");
    let (attack, shout) = (tag("Attack"), tag("Shout"));
    let names: Vec<_> = (0..ABILITIES).map(|n| tag(&format!("Attack.Number{n}"))).collect();
    let plans: Vec<Arc<AbilityPlan>> = names
        .iter()
        .map(|name| Arc::new(AbilityPlan { tags: TagSet::new(&table, [*name]), ..AbilityPlan::default() }))
        .collect();
    let mut agents: Vec<Abilities> = (0..W.agents).map(|_| Abilities::new()).collect();
    for agent in &mut agents {
        for plan in &plans {
            agent.grant(plan.clone());
        }
    }
    let moving = agents.iter().filter(|agent| agent.is_moving()).count();
    report.print_number("agents with nothing active that want a step", moving as f64, "<= 0");
    let numbers: Vec<u64> = (0..ABILITIES as u64).collect();
    for _ in 0..STEPS {
        report.time("64 integer compares each", 1.0, || {
            for agent in &agents {
                let wanted = black_box(agents.len() as u64);
                black_box((agent, numbers.iter().filter(|number| **number == wanted).count()));
            }
        });
        report.time("a tag that none has, each", 1.0, || {
            agents.iter().map(|agent| agent.with_tag(black_box(shout)).len()).sum::<usize>()
        });
    }
    let found: usize = agents.iter().map(|agent| agent.with_tag(attack).len()).sum();
    report.print_ratio("a tag that none has, each", "64 integer compares each", "");
    report.print_same(
        "abilities found by their tag",
        W.agents * ABILITIES,
        (W.agents * ABILITIES).abs_diff(found),
    );
}

fn main() {
    let mut report = Report::new("execution");
    executor(&mut report);
    abilities(&mut report);
    report.print_raw();
    report.finish();
}
