//! The core half of the perception benchmark: 1,000 perceivers and 200 walking sources on a square of 250 m, with
//! default properties and a line of sight from a table. Each goal is printed with what was measured.

#![allow(unsafe_code, reason = "a counting allocator needs it")]

mod bench;
mod perception;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use bench::{Report, median};
use perception::cost::{Cost, Lap};
use perception::field::{Field, STEPS, Table};
use perception::ours::Ours;
use perception::plain::Plain;
use riposte_core::perception::WorldSettings;

const WARM_UP: usize = 2;
const ROUNDS: usize = 10;
/// 32 MB, in words.
const GAME_MEMORY: usize = 4 << 20;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: everything is handed on to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// W with and without a line of sight that blocks, against the plain loop.
fn against_plain(row: &'static str, blocks: bool) {
    let mut report = Report::new(row);
    let mut field = Field::new(1000, 200, 250.0);
    let (mut ours, mut plain) =
        (Ours::new(&field, Table { blocks }, free()), Plain::new(&field, Table { blocks }));
    let mut all = Cost::default();
    let (mut compared, mut different) = (0, 0);
    for round in 0..WARM_UP + ROUNDS {
        let (mut cost, mut lap) = (Cost::default(), 0.0);
        for _ in 0..STEPS {
            field.walk();
            ours.step(&field, &mut cost);
            let mut clock = Lap::start();
            plain.step(&field);
            clock.lap(&mut lap);
        }
        if round >= WARM_UP {
            let steps = STEPS as f64;
            report.add("tick", cost.total() / steps);
            for (phase, micros) in [
                ("begin", cost.begin),
                ("read", cost.read),
                ("look", cost.look),
                ("ask", cost.ask),
                ("finish", cost.finish),
            ] {
                report.add(phase, micros / steps);
            }
            report.add("plain loop in Rust", lap / steps);
            all = cost;
        }
        for number in 0..field.perceivers.len() {
            compared += 1;
            different += usize::from(ours.known(number) != plain.known(number));
        }
    }
    report.print_raw();
    let per_step = |count: f64| count / STEPS as f64;
    println!(
        "raw   {row}: per step {:.1} scans (at most {}), {:.1} distance tests, {:.1} questions, {:.2} events",
        per_step(all.scans),
        all.most_scans,
        per_step(all.tests),
        per_step(all.questions),
        per_step(all.events),
    );
    report.print_number(
        "busiest step / mean, in scans",
        all.most_scans / per_step(all.scans),
        "<= 1.25 and 2 scans",
    );
    report.print_ratio("plain loop in Rust", "tick", "");
    report.print_same("what is known and seen, plain loop and ours", compared, different);
    report.finish();
}

/// What the same tick costs when a game runs in between and throws our memory out of the caches.
fn cold() {
    let mut report = Report::new("perception, cold");
    let mut field = Field::new(1000, 200, 250.0);
    let mut ours = Ours::new(&field, Table { blocks: true }, free());
    ours.game = vec![0; GAME_MEMORY];
    for round in 0..WARM_UP + ROUNDS {
        let cost = rounds(&mut field, &mut ours, 1);
        if round >= WARM_UP {
            let steps = STEPS as f64;
            let parts =
                [("begin", cost.begin), ("look", cost.look), ("ask", cost.ask), ("finish", cost.finish)];
            parts.into_iter().for_each(|(phase, micros)| report.add(phase, micros / steps));
        }
    }
    report.print_raw();
    report.finish();
}

/// Without a limit of rays.
fn free() -> WorldSettings {
    WorldSettings { max_rays_per_tick: 0, ..WorldSettings::default() }
}

fn rounds(field: &mut Field, ours: &mut Ours, rounds: usize) -> Cost {
    let mut cost = Cost::default();
    for _ in 0..rounds * STEPS {
        field.walk();
        ours.step(field, &mut cost);
    }
    cost
}

/// What another size costs, side by side.
fn sizes() {
    let report = Report::new("perception, sizes");
    let sizes = [
        (1000, 200, 250.0),
        (1000, 400, 250.0),
        (2000, 400, 250.0 * std::f64::consts::SQRT_2),
        (1000, 800, 250.0),
        (1000, 0, 250.0),
    ];
    let mut worlds: Vec<(Field, Ours, Vec<Cost>)> = sizes
        .iter()
        .map(|(perceivers, sources, side)| {
            let field = Field::new(*perceivers, *sources, *side);
            let ours = Ours::new(&field, Table { blocks: true }, free());
            (field, ours, Vec::new())
        })
        .collect();
    for round in 0..WARM_UP + ROUNDS {
        for (field, ours, costs) in &mut worlds {
            let cost = rounds(field, ours, 1);
            if round >= WARM_UP {
                costs.push(cost);
            }
        }
    }
    let ratio = |a: usize, b: usize, value: fn(&Cost) -> f64| {
        let pairs = worlds[a].2.iter().zip(&worlds[b].2);
        median(&pairs.map(|(a, b)| value(a) / value(b)).collect::<Vec<f64>>())
    };
    let tests = worlds[0].2.iter().map(|cost| cost.tests / cost.scans);
    let inside = 200.0 * std::f64::consts::PI * 20.0 * 20.0 / (250.0 * 250.0);
    report.print_number(
        "twice the sources on the ground: maths per scan",
        ratio(1, 0, Cost::maths_per_scan),
        "<= 2.2",
    );
    report.print_number("twice the world: maths per scan", ratio(2, 0, Cost::maths_per_scan), "<= 1.15");
    let tests = median(&tests.collect::<Vec<f64>>()) / inside;
    report.print_number("distance tests / sources inside the radius", tests, "<= 3");
    report.print_number("four times the sources: reading", ratio(3, 0, |cost| cost.read), "<= 4.4");
    report.print_number("no sources at all: whole tick", ratio(4, 0, Cost::total), "<= 0.02");
    let idle = worlds[4].2.iter().map(|cost| cost.scans + cost.questions + cost.events);
    report.print_number("no sources at all: scans, rays and events", idle.sum(), "0");
}

/// What a tick must not do: allocate, tell what did not change, or cast more rays than the budget says.
fn limits() {
    let report = Report::new("perception, limits");
    let mut field = Field::new(1000, 200, 250.0);
    let mut ours = Ours::new(&field, Table { blocks: true }, free());
    let cost = rounds(&mut field, &mut ours, 30);
    let mean = cost.scans / (30 * STEPS) as f64;
    report.print_number("busiest tick - 2 / mean, in scans", (cost.most_scans - 2.0) / mean, "<= 1.25");
    // Nobody walks any more: after what is forgotten nothing changes.
    let mut cost = Cost::default();
    for _ in 0..10 * STEPS {
        ours.step(&field, &mut cost);
    }
    let (mut cost, before) = (Cost::default(), ALLOCATIONS.load(Ordering::Relaxed));
    for _ in 0..2 * STEPS {
        ours.step(&field, &mut cost);
    }
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    report.print_number("events of ticks in which nothing changes", cost.events, "0");
    report.print_number("heap allocations of steady ticks", (after - before) as f64, "0");
    for budget in [64, 512] {
        let settings = WorldSettings { max_rays_per_tick: budget, ..WorldSettings::default() };
        let mut field = Field::new(1000, 200, 250.0);
        let mut ours = Ours::new(&field, Table { blocks: true }, settings);
        let cost = rounds(&mut field, &mut ours, 10);
        let what = format!("most rays of a tick / budget of {budget}");
        report.print_number(
            &what,
            cost.most_rays / f64::from(budget),
            "<= 1, one ray per pair and no recasts",
        );
        println!(
            "raw   perception, limits: oldest scan waited {:.2} s with {budget} rays",
            cost.longest_wait
        );
    }
}

/// The same log whatever the number of threads, and what threads do to the maths.
fn threads() {
    let mut report = Report::new("perception, threads");
    let play = |workers: i32| {
        let settings = WorldSettings { workers, ..WorldSettings::default() };
        let mut field = Field::new(1000, 200, 250.0);
        let mut ours = Ours::new(&field, Table { blocks: true }, settings);
        ours.log = Some(Vec::new());
        let cost = rounds(&mut field, &mut ours, 5);
        (ours.log.unwrap_or_default(), cost.look / cost.scans)
    };
    let (alone, maths) = play(0);
    for workers in [1, 2, 4] {
        let (log, threaded) = play(workers);
        let different = log.iter().zip(&alone).filter(|(a, b)| a != b).count();
        let compared = alone.len().max(log.len());
        let missing = compared - alone.len().min(log.len());
        report.print_same(&format!("events with {workers} threads and none"), compared, different + missing);
        println!("raw   perception, threads: maths with {workers} / none = {:.2}", threaded / maths);
    }
    report.finish();
}

/// A noise costs its way through the perceivers of its world, and no scan.
fn reports() {
    let report = Report::new("perception, reports");
    let settle = |perceivers: usize| {
        let field = Field::new(perceivers, 0, 250.0);
        let mut ours = Ours::new(&field, Table { blocks: true }, free());
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for step in 0..600 {
            let mut cost = Cost::default();
            if step % 2 == 0 {
                ours.noise(125.0);
            }
            ours.step(&field, &mut cost);
            assert_eq!(cost.scans, 0.0, "a noise makes nobody scan");
            if step % 2 == 0 { &mut with } else { &mut without }.push(cost.total());
        }
        median(&with) - median(&without)
    };
    let (many, few) = (settle(4000), settle(1000));
    println!(
        "raw   perception, reports: one noise among 1,000 perceivers: {few:.1} us, among 4,000: {many:.1} us"
    );
    report.print_number(
        "one noise, four times the perceivers",
        many / few,
        "of the order of 4: no search, no scan",
    );
}

/// With a word on the command line only the parts that contain it run, for a profiler.
fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let parts: [(&str, fn()); 7] = [
        ("cold", cold),
        ("no rays", || against_plain("sight, no rays", false)),
        ("half blocked", || against_plain("sight, half blocked", true)),
        ("sizes", sizes),
        ("limits", limits),
        ("threads", threads),
        ("reports", reports),
    ];
    for (_, run) in parts.iter().filter(|(name, _)| name.contains(&wanted)) {
        run();
    }
}
