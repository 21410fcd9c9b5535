//! Row `actions` in the core: 1,000 agents with 12 actions of 3 scorers and one target each decide.
//!
//! Against the floor: the same curve evaluations and multiplications over a flat array, nothing else.

mod actions;
mod bench;
#[path = "../tests/counting/mod.rs"]
mod counting;

use actions::{Size, W, Workload};
use bench::{Report, median};
use riposte_core::action::Settings;

const WARM_UP: usize = 3;
const ROUNDS: usize = 30;
/// Decisions whose allocations are counted.
const COUNTED: usize = 10;
/// Rounds in a row on threads, so that starting them does not count.
const REPEATS: usize = 200;

fn exact() -> Settings {
    Settings { jitter_amount: 0.0, ..Settings::default() }
}

/// W against the floor, choices compared with those of a plain loop.
fn against_floor(report: &mut Report) {
    let mut plain = Workload::new(W, &exact());
    let mut jittered = Workload::new(W, &Settings::default());
    let mut choices = Vec::new();
    let (mut compared, mut different) = (0, 0);
    for round in 0..WARM_UP + ROUNDS {
        plain.next_round();
        jittered.next_round();
        if round < WARM_UP {
            jittered.decide(&mut choices);
            plain.sample_all();
            plain.decide(&mut choices);
            continue;
        }
        report.time("floor", 1.0, || plain.sample_all());
        report.time("core with jitter", 1.0, || jittered.decide(&mut choices));
        report.time("core", 1.0, || plain.decide(&mut choices));
        for (choice, view) in choices.iter().zip(&plain.views) {
            compared += 1;
            let agree = |(a, b): &((usize, f64), (usize, f64))| a.0 == b.0 && (a.1 - b.1).abs() <= 1e-9;
            different += usize::from(choice.zip(plain.wanted(view)).filter(agree).is_none());
        }
    }
    report.print_raw();
    report.print_ratio("core", "floor", "<= 6");
    report.print_ratio("core with jitter", "floor", "");
    report.print_same("choice and score, plain loop and ours", compared, different);
}

/// What twice the work costs, side by side.
fn sizes(report: &Report) {
    let each = |each: usize| Size { each, ..W };
    let sizes = [
        W,
        Size { agents: 500, ..W },
        Size { agents: 2000, ..W },
        Size { actions: 24, ..W },
        Size { scorers: 6, ..W },
        each(1),
        each(2),
        each(4),
        each(8),
    ];
    let mut works = sizes.map(|size| Workload::new(size, &Settings::default()));
    let mut choices = Vec::new();
    // In turn, and each twice: what stays in the caches of the machine is there for both.
    let mut time = |work: &mut Workload| {
        work.next_round();
        work.decide(&mut choices);
        work.next_round();
        let begin = std::time::Instant::now();
        work.decide(&mut choices);
        begin.elapsed().as_secs_f64()
    };
    let mut ratio = |a: usize, b: usize| {
        let mut ratios = Vec::new();
        for round in 0..WARM_UP + ROUNDS {
            let (one, other) = (time(&mut works[a]), time(&mut works[b]));
            if round >= WARM_UP {
                ratios.push(one / other);
            }
        }
        median(&ratios)
    };
    let pairs = [
        ("1,000 agents / 500", 0, 1),
        ("2,000 agents / 1,000", 2, 0),
        ("24 actions / 12", 3, 0),
        ("6 scorers / 3", 4, 0),
        ("2 targets / 1", 6, 5),
        ("4 targets / 2", 7, 6),
        ("8 targets / 4", 8, 7),
    ];
    for (what, a, b) in pairs {
        report.print_number(what, ratio(a, b), "<= 2.2");
    }
}

/// Allocations of an agent's decisions after its first one.
fn allocations(report: &Report) {
    let mut work = Workload::new(W, &Settings::default());
    let mut choices = Vec::with_capacity(W.agents);
    work.next_round();
    work.decide(&mut choices);
    let before = counting::own();
    (0..COUNTED).for_each(|_| work.decide(&mut choices));
    let count = counting::own() - before;
    report.print_number("allocations of 10,000 evaluations", count as f64, "<= 0");
}

/// The floor split the same way. No ceiling: with fewer agents per thread the processor learns the branches of their curves.
fn floor_on_threads(report: &mut Report) {
    let mut work = Workload::new(W, &exact());
    work.next_round();
    for round in 0..WARM_UP + ROUNDS {
        let begin = std::time::Instant::now();
        work.sample_on(1, REPEATS);
        let middle = std::time::Instant::now();
        work.sample_on(4, REPEATS);
        if round >= WARM_UP {
            report.add("the floor on one thread", (middle - begin).as_secs_f64() * 1e6);
            report.add("the floor on four threads", middle.elapsed().as_secs_f64() * 1e6);
        }
    }
    report.print_ratio("the floor on one thread", "the floor on four threads", "");
}

/// The same on one thread and on four.
fn threads(report: &mut Report) {
    let [mut one, mut four] = [1, 4].map(|_| Workload::new(W, &Settings::default()));
    let (mut compared, mut different) = (0, 0);
    for round in 0..WARM_UP + ROUNDS {
        one.next_round();
        four.next_round();
        let begin = std::time::Instant::now();
        let alone = one.decide_on(1, REPEATS);
        let middle = std::time::Instant::now();
        let shared = four.decide_on(4, REPEATS);
        if round >= WARM_UP {
            report.add("one thread", (middle - begin).as_secs_f64() * 1e6);
            report.add("four threads", middle.elapsed().as_secs_f64() * 1e6);
        }
        let bits = |choice: &actions::Choice| choice.map(|(action, score)| (action, score.to_bits()));
        compared += alone.len();
        different += alone.iter().zip(&shared).filter(|(a, b)| bits(a) != bits(b)).count();
    }
    let states = one.states().iter().zip(&four.states()).filter(|(a, b)| a != b).count();
    report.print_ratio("one thread", "four threads", ">= 2");
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    println!("raw   actions: cores of this machine: {cores}");
    report.print_same("choice and score on one thread and on four", compared, different + states);
}

fn main() {
    let mut report = Report::new("actions");
    against_floor(&mut report);
    sizes(&report);
    allocations(&report);
    threads(&mut report);
    floor_on_threads(&mut report);
    report.finish();
}
