//! Rows W1 to W3 of orders: what a hand-over, an enqueue and an issue cost.
//!
//! An operation is what somebody calls, with the turn that follows: a step of an agent has two, a reported success with
//! its hand-over and one enqueue. Against the floor: a push and a pop of a bare `VecDeque<u64>` for each agent.

mod bench;
mod commands;
#[path = "../tests/counting/mod.rs"]
mod counting;

use std::collections::VecDeque;
use std::hint::black_box;

use bench::Report;
use commands::{Card, Field};
use riposte_core::command::Commands;

const RUNS: usize = 7;
const AGENTS: usize = 10_000;
/// In each run: together more than a thousand.
const STEPS: usize = 250;

/// Bare queues of numbers.
fn bare(depth: u64) -> Vec<VecDeque<u64>> {
    (0..AGENTS).map(|_| (0..depth).collect()).collect()
}

fn churn(queues: &mut [VecDeque<u64>]) {
    for queue in queues {
        queue.push_back(7);
        black_box(queue.pop_front());
    }
}

/// Many agents, few agents, the floor: nanoseconds for each operation.
fn throughput(report: &mut Report) {
    let (mut many, mut few, mut floor) = (Field::new(AGENTS, 8), Field::new(100, 8), bare(8));
    let mut heard = Field::new(AGENTS, 8);
    heard.listens = true;
    let pairs = (AGENTS * STEPS) as f64 / 1000.0;
    let parts = pairs * 2.0;
    (0..20).for_each(|_| many.step());
    (0..20).for_each(|_| heard.step());
    (0..2000).for_each(|_| few.step());
    let mut allocated = 0;
    for _ in 0..RUNS {
        report.time("10,000 agents", parts, || {
            let before = counting::own();
            (0..STEPS).for_each(|_| many.step());
            allocated += counting::own() - before;
        });
        report.time("100 agents", parts, || (0..STEPS * 100).for_each(|_| few.step()));
        report.time("10,000 agents that are listened to", parts, || (0..STEPS).for_each(|_| heard.step()));
        report.time("bare queue", pairs, || (0..STEPS).for_each(|_| churn(&mut floor)));
    }
    report.print_raw();
    report.print_ratio("10,000 agents", "100 agents", "<= 2");
    report.print_ratio("10,000 agents", "bare queue", "<= 30");
    let done = (20 + RUNS * STEPS) as u64 * AGENTS as u64;
    report.print_same("successes, asked for and done", done as usize, done.abs_diff(many.done) as usize);
    report.print_number("allocations in all operations", allocated as f64, "<= 0");
    report.print_number("effects for each step of an agent", many.told as f64 / done as f64, "");
    report.print_number("bytes of an idle agent", size_of::<Commands<Card>>() as f64, "<= 512");
}

/// The same with other numbers of waiting orders.
fn depths(report: &mut Report) {
    let names = ["depth 1", "depth 8", "depth 32"];
    let mut fields = [1, 8, 32].map(|depth| Field::new(AGENTS, depth));
    let steps = STEPS;
    for run in 0..=RUNS {
        for (name, field) in names.iter().zip(&mut fields) {
            let mut work = || (0..steps).for_each(|_| field.step());
            if run == 0 {
                // Each order has been everywhere in the memory of its agent.
                work();
                continue;
            }
            report.time(name, (AGENTS * steps) as f64 / 500.0, work);
        }
    }
    report.print_raw();
    report.print_ratio("depth 32", "depth 1", "<= 1.5");
    report.print_ratio("depth 8", "depth 1", "");
}

/// A new order in the place of everything, with this many that are dropped.
fn replacing(report: &mut Report) {
    let mut field = Field::new(AGENTS, 8);
    let mut deep = Field::new(AGENTS, 32);
    let mut wrong = 0;
    for run in 0..RUNS * 10 {
        report.time("operation of W1", AGENTS as f64 / 500.0, || field.step());
        if run == 0 {
            field.issue();
            deep.issue();
            field.enqueue(8);
            deep.enqueue(32);
            continue;
        }
        report.time("issue, 8 dropped", AGENTS as f64 / 1000.0, || field.issue());
        report.time("issue, 32 dropped", AGENTS as f64 / 1000.0, || deep.issue());
        wrong += field.waiting() + deep.waiting();
        field.enqueue(8);
        deep.enqueue(32);
    }
    report.print_raw();
    report.print_ratio("issue, 8 dropped", "operation of W1", "<= 12");
    report.print_ratio("issue, 32 dropped", "issue, 8 dropped", "<= 4");
    report.print_same("orders left waiting after an issue", RUNS * 10, wrong);
}

fn main() {
    let mut reports = [
        Report::new("commands W1 (1,000 operations)"),
        Report::new("commands W2 (1,000 operations)"),
        Report::new("commands W3 (1,000 operations)"),
    ];
    throughput(&mut reports[0]);
    depths(&mut reports[1]);
    replacing(&mut reports[2]);
    for report in reports {
        report.finish();
    }
}
