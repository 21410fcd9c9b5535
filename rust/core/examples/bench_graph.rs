//! Movesets: what a tick, a chain, an input, a motion, a compilation and a player cost.

mod bench;
#[path = "../tests/counting/mod.rs"]
mod counting;
mod graph;

use std::hint::black_box;
use std::sync::Arc;

use bench::Report;
use glam::DVec2;
use graph::{Crowd, Place, animated, press, two_moves};
use riposte_core::graph::direction::Way;
use riposte_core::graph::input::{
    DeviceEvent, InputPlan, Recorder, SequenceSpec, SourceId, Step, Stick, Strength,
};
use riposte_core::graph::{
    AnimationFacts, BufferMode, Graph, GraphPlan, InputResult, NodePlan, SectionNames, read_move,
};
use riposte_core::tags::TagId;

const RUNS: usize = 7;
const PLAYERS: usize = 1000;
const TICK: f64 = 1.0 / 60.0;
/// Ticks between the opening and the closing of the window.
const QUIET: usize = 20;

/// What each tick of a player does at the least: four numbers grow and are compared.
fn floor(rows: &mut [[f64; 4]]) -> usize {
    let mut reached = 0;
    for row in rows {
        for value in row {
            *value += TICK;
            reached += usize::from(*value >= 1e12);
        }
    }
    reached
}

/// Moves in their middle, and chains.
fn ticks(report: &mut Report) {
    let mut place = Place::new();
    let graph = two_moves(&mut place);
    let light = place.tag("Input.Light");
    let (mut many, mut few) = (Crowd::new(PLAYERS, &graph, &place), Crowd::new(PLAYERS / 10, &graph, &place));
    let mut rows = vec![[0.0; 4]; PLAYERS];
    let (mut wrong, mut allocated, mut in_chains) = (0, 0, 0);
    for run in 0..=RUNS {
        for crowd in [&mut many, &mut few] {
            wrong += crowd.players.len() - crowd.press(light, &place);
            crowd.tick(0.41, &place);
        }
        if run == 0 {
            (0..QUIET).for_each(|_| many.tick(TICK, &place));
            (0..QUIET).for_each(|_| few.tick(TICK, &place));
        } else {
            report.time("1,000 runs in a move", QUIET as f64, || {
                let before = counting::own();
                (0..QUIET).for_each(|_| many.tick(TICK, &place));
                allocated += counting::own() - before;
            });
            report.time("100 runs in a move", QUIET as f64 * 10.0, || {
                (0..QUIET * 10).for_each(|tick| few.tick(if tick < QUIET { TICK } else { 0.0 }, &place));
            });
            report.time("four numbers added and compared", 100.0, || {
                (0..100).for_each(|_| assert_eq!(black_box(floor(black_box(&mut rows))), 0));
            });
        }
        many.interrupt(&place);
        few.interrupt(&place);
        // Again, now with a press that waits for the window.
        if run == 0 {
            many.press(light, &place);
        } else {
            report.time("1,000 runs start", 1.0, || many.press(light, &place));
        }
        many.tick(0.2, &place);
        wrong += many.press(light, &place);
        many.tick(0.19, &place);
        let started = many.started;
        if run == 0 {
            many.tick(TICK, &place);
        } else {
            report.time("1,000 runs chain", 1.0, || {
                let before = counting::own();
                many.tick(TICK, &place);
                in_chains += counting::own() - before;
            });
        }
        wrong += PLAYERS - (many.started - started) as usize;
        many.interrupt(&place);
    }
    wrong += twice_as_many(report, &graph, light, &place);
    report.print_raw();
    report.print_ratio("1,000 runs in a move", "four numbers added and compared", "<= 15");
    report.print_ratio("1,000 runs in a move", "100 runs in a move", "<= 12");
    report.print_ratio("2,000 runs in a move", "1,000 runs in a move", "<= 2.2");
    report.print_ratio("1,000 runs chain", "1,000 runs in a move", "<= 25");
    report.print_ratio("1,000 runs chain", "four numbers added and compared", "<= 375");
    report.print_ratio("1,000 runs chain", "1,000 runs start", "");
    report.print_same("moves, started and chained", PLAYERS * (RUNS + 1), wrong);
    report.print_number("allocations in ticks", allocated as f64, "<= 0");
    report.print_number("allocations in a chain", in_chains as f64 / (RUNS * PLAYERS) as f64, "<= 0");
}

/// 2,000 moves in their middle, apart from the others, so that they don't drive them out of the caches. How many did not start.
fn twice_as_many(report: &mut Report, graph: &Arc<Graph>, light: TagId, place: &Place) -> usize {
    let mut twice = Crowd::new(PLAYERS * 2, graph, place);
    let wrong = twice.players.len() - twice.press(light, place);
    twice.tick(0.41, place);
    (0..QUIET).for_each(|_| twice.tick(0.0, place));
    for _ in 0..RUNS {
        report.time("2,000 runs in a move", QUIET as f64, || {
            (0..QUIET).for_each(|_| twice.tick(TICK / 16.0, place))
        });
    }
    wrong
}

/// A node and a root that answer an input so many times, with two conditions each of which one fails.
fn walked(place: &mut Place, own: usize, at_root: usize) -> Crowd {
    let (light, heavy) = (place.tag("Input.Light"), place.tag("Input.Heavy"));
    let mut nodes = vec![NodePlan::new("root"), animated("move"), animated("other")];
    nodes[0].transitions.push(press("start", "move", light));
    nodes[1].can_be_cancelled = true;
    nodes[1].cancel_window_start = 0.0;
    for (node, count) in [(0, at_root), (1, own)] {
        for at in 0..count {
            let mut wire = press(&format!("{node}_{at}"), "other", heavy);
            wire.conditions = place.conditions();
            nodes[node].transitions.push(wire);
        }
    }
    let graph = place.compile(nodes, BufferMode::Ignore);
    let mut crowd = Crowd::new(1, &graph, place);
    crowd.press(light, place);
    crowd.tick(0.5, place);
    crowd
}

/// One input that everything is asked about.
fn inputs(report: &mut Report) {
    const INPUTS: usize = 1000;
    let mut place = Place::new();
    let (mut some, mut more) = (walked(&mut place, 8, 16), walked(&mut place, 16, 32));
    let (heavy, other) = (place.tag("Input.Heavy"), place.tag("Input.Other"));
    for crowd in [&mut some, &mut more] {
        crowd.players[0].learn(&place.tags, heavy);
        crowd.players[0].learn(&place.tags, other);
    }
    let (mut wrong, mut allocated) = (0, 0);
    for run in 0..=RUNS {
        let mut walk = |crowd: &mut Crowd, tag| {
            let before = counting::own();
            for _ in 0..INPUTS {
                wrong += usize::from(crowd.press_one(0, tag, &place) != InputResult::Dropped);
            }
            if run > 0 {
                allocated += counting::own() - before;
            }
        };
        if run == 0 {
            walk(&mut some, heavy);
            walk(&mut more, heavy);
            walk(&mut some, other);
            continue;
        }
        report.time("an input, 8 and 16 transitions", 1.0, || walk(&mut some, heavy));
        report.time("an input, 16 and 32 transitions", 1.0, || walk(&mut more, heavy));
        report.time("an input that nothing answers", 1.0, || walk(&mut some, other));
    }
    report.print_raw();
    report.print_ratio("an input, 16 and 32 transitions", "an input, 8 and 16 transitions", "<= 2.2");
    report.print_ratio("an input that nothing answers", "an input, 8 and 16 transitions", "<= 0.2");
    report.print_same("inputs that are dropped", 3 * INPUTS * (RUNS + 1), wrong);
    report.print_number("allocations in inputs", allocated as f64, "<= 0");
}

const WAYS: [Way; 8] = [
    Way::Up,
    Way::UpForward,
    Way::Forward,
    Way::DownForward,
    Way::Down,
    Way::DownBack,
    Way::Back,
    Way::UpBack,
];

/// A recorder with motions of eight steps that begin in different ways.
fn recorder(place: &mut Place, count: usize) -> Recorder {
    let sequence = |at: usize| SequenceSpec {
        output: place.tag(&format!("Input.Motion{at}")),
        steps: (0..8).map(|step| Step::Way(WAYS[(at + step * 3) % 8])).collect(),
        max_step_gap: 10.0,
        max_total: 100.0,
        mirrored: false,
        strict: false,
    };
    let sequences = (0..count).map(sequence).collect();
    let stick = Stick { left: Some(0), right: Some(1), up: Some(2), down: Some(3), dead_zone: 0.2 };
    Recorder::new(Arc::new(InputPlan::new(4, Vec::new(), sequences, stick)))
}

/// The stick goes once around.
fn around(recorder: &mut Recorder, now: &mut f64) -> usize {
    let mut entries = 0;
    for turn in 0..8 {
        let angle = f64::from(turn) * std::f64::consts::FRAC_PI_4;
        let (x, y) = (libm::cos(angle), libm::sin(angle));
        let push = |action: usize, strength: f64| Strength { action, strength, raw: strength };
        let strengths =
            [push(0, (-x).max(0.0)), push(1, x.max(0.0)), push(2, (-y).max(0.0)), push(3, y.max(0.0))];
        recorder.record(&DeviceEvent {
            source: SourceId(1),
            strengths: &strengths,
            forward: DVec2::NEG_Y,
            looks_left: false,
        });
        *now += 0.01;
        while recorder.feed(*now) {
            while recorder.next_entry().is_some() {
                entries += 1;
            }
        }
    }
    entries
}

/// Motions, per event of a device.
fn motions(report: &mut Report) {
    const TURNS: usize = 500;
    let mut place = Place::new();
    let mut recorders = [(16, "16 motions"), (32, "32 motions")].map(|(count, name)| {
        let recorder = recorder(&mut place, count);
        (name, recorder, 0.0)
    });
    for run in 0..=RUNS {
        for (name, recorder, now) in &mut recorders {
            let mut work = || (0..TURNS).map(|_| around(recorder, now)).sum::<usize>();
            if run == 0 {
                black_box(work());
            } else {
                report.time(name, (TURNS * 8) as f64 / 1000.0, || black_box(work()));
            }
        }
    }
    report.print_raw();
    report.print_ratio("32 motions", "16 motions", "<= 2.2");
}

/// A graph with three transitions a node, two conditions each.
fn big(place: &mut Place, nodes: usize) -> GraphPlan {
    let tags: Vec<_> = (0..16).map(|at| place.tag(&format!("Input.Number{at}"))).collect();
    let node = |at: usize| {
        let id = if at == 0 { "root".to_owned() } else { format!("node_{at}") };
        let mut node = if at == 0 { NodePlan::new("root") } else { animated(&id) };
        for wire in 0..3 {
            let to = format!("node_{}", 1 + (at * 7 + wire * 13) % (nodes - 1));
            let mut wire = press(&format!("{id}__{wire}"), &to, tags[(at + wire) % 16]);
            wire.conditions = place.conditions();
            node.transitions.push(wire);
        }
        node
    };
    GraphPlan { nodes: (0..nodes).map(node).collect(), ..GraphPlan::default() }
}

/// An animation with windows of three kinds.
fn facts() -> AnimationFacts {
    let marker = |name: &str, at: f64| (name.to_owned(), at);
    let markers = vec![
        marker("action_window", 0.4),
        marker("action_window_end", 0.8),
        marker("action_window:perfect", 0.3),
        marker("action_window_end:perfect", 0.4),
        marker("hit", 0.25),
    ];
    AnimationFacts { length: 1.0, markers, ..AnimationFacts::default() }
}

fn bound(facts: &[AnimationFacts]) -> usize {
    let read = |facts| read_move(facts, &[], SectionNames::default(), 1.0).times.windows.len();
    facts.iter().map(read).sum()
}

/// Compiling and reading animations.
fn compiling(report: &mut Report) {
    let mut place = Place::new();
    let plans = [big(&mut place, 200), big(&mut place, 400)];
    let animations = vec![facts(); 400];
    let (mut windows, mut wires) = (0, 0);
    for run in 0..=RUNS {
        for (at, name) in ["compile 200 nodes", "compile 400 nodes"].into_iter().enumerate() {
            let plan = plans[at].clone();
            let compile = || Graph::compile(plan).expect("a graph");
            let graph = if run == 0 { compile() } else { report.time(name, 1.0, compile) };
            wires += graph.nodes().iter().map(|node| node.wires.len()).sum::<usize>();
        }
        for (count, name) in [(200, "bind 200 animations"), (400, "bind 400 animations")] {
            let bind = || bound(black_box(&animations[..count]));
            windows += if run == 0 { bind() } else { report.time(name, 1.0, bind) };
        }
    }
    report.print_raw();
    report.print_ratio("compile 400 nodes", "compile 200 nodes", "<= 2.2");
    report.print_ratio("bind 400 animations", "bind 200 animations", "<= 2.2");
    let runs = RUNS + 1;
    report.print_same("transitions and windows", runs * 3000, (runs * 3000).abs_diff(wires + windows));
}

/// Bytes of what stays.
fn memory(report: &mut Report) {
    let mut place = Place::new();
    let plan = big(&mut place, 200);
    let before = counting::held();
    let graph = Graph::compile(plan.clone()).expect("a graph");
    let of_graph = counting::held() - before;
    drop(plan);
    let before = counting::held();
    let crowd = Crowd::new(PLAYERS, &graph, &place);
    let of_players = counting::held() - before;
    black_box(&crowd);
    report.print_number("bytes of an idle player", of_players as f64 / PLAYERS as f64, "<= 2048");
    report.print_number("bytes of a graph of 200 nodes", of_graph as f64, "<= 204800");
}

fn main() {
    let mut reports = [
        Report::new("graph: moves"),
        Report::new("graph: inputs (1,000)"),
        Report::new("graph: motions (1,000 events)"),
        Report::new("graph: compiling"),
        Report::new("graph: memory"),
    ];
    ticks(&mut reports[0]);
    inputs(&mut reports[1]);
    motions(&mut reports[2]);
    compiling(&mut reports[3]);
    memory(&mut reports[4]);
    for report in reports {
        report.finish();
    }
}
