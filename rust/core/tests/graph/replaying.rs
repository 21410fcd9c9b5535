//! Recordings of the rows, and states that go out and in.

use std::sync::{Arc, Mutex};

use riposte_core::graph::{Binding, Call, Effect, Graph, InputResult, Moment, Replay};

use super::building::build;
use super::fixture::{Row, row, rows};
use super::play::{Play, TICKS};
use super::stage::Stage;

/// Moves that began and ended, with their times.
type Moves = Arc<Mutex<Vec<(String, f64)>>>;

fn watch(stage: &mut Stage) -> Moves {
    let moves = Moves::default();
    let seen = moves.clone();
    stage.reaction = Some(Box::new(move |stage, effect| {
        let word = match effect {
            Effect::Started { .. } => format!("start {}", stage.machine.node_name()),
            Effect::Ended { reason, .. } => format!("end {} {reason:?}", stage.machine.node_name()),
            Effect::GraphReset => "reset".to_owned(),
            Effect::ReplayDiverged { tick } => format!("diverged {tick}"),
            _ => return,
        };
        seen.lock().expect("moves").push((word, stage.machine.elapsed()));
    }));
    moves
}

fn taken(moves: &Moves) -> Vec<(String, f64)> {
    std::mem::take(&mut *moves.lock().expect("moves"))
}

fn recorded(row: &Row, tick: f64) -> (Vec<(String, f64)>, Replay) {
    let mut play = Play::new(row);
    let moves = watch(&mut play.stage);
    let table = play.stage.table.clone();
    assert!(play.stage.machine.start_recording(&table));
    play.run(tick, false);
    let table = play.stage.table.clone();
    let replay = play.stage.machine.stop_recording(&table).expect("a recording");
    (taken(&moves), replay)
}

/// Plays it where the world is another one: nothing of what the row does is done.
fn played(row: &Row, replay: &Replay, tick: f64) -> Vec<(String, f64)> {
    let mut stage = Stage::new(row);
    let moves = watch(&mut stage);
    let mut table = stage.table.clone();
    assert!(stage.machine.play_replay(&mut table, replay, true));
    stage.table = table;
    stage.pump();
    while stage.machine.is_replaying() {
        stage.advance(tick);
    }
    taken(&moves)
}

#[test]
fn ex_50_r1() {
    let number = |row: &Row| row.row.strip_prefix('M').and_then(|number| number.parse::<u32>().ok());
    let rows: Vec<Row> = rows().into_iter().filter(|row| number(row).is_some_and(|at| at <= 86)).collect();
    assert!(rows.len() >= 80, "{} rows", rows.len());
    for row in &rows {
        for (tick, other) in TICKS.into_iter().zip([0.1, 0.013, 1.0 / 60.0]) {
            let (wanted, replay) = recorded(row, tick);
            assert!(!wanted.is_empty() || row.expect.is_empty(), "{}", row.row);
            let found = played(row, &replay, other);
            let words = |moves: &[(String, f64)]| moves.iter().map(|one| one.0.clone()).collect::<Vec<_>>();
            assert_eq!(words(&found), words(&wanted), "{} at {tick}", row.row);
            for (one, same) in found.iter().zip(&wanted) {
                assert!((one.1 - same.1).abs() < 1e-6, "{} at {tick}: {one:?} {same:?}", row.row);
            }
        }
    }
}

#[test]
fn ex_50_r2() {
    for tick in TICKS {
        let row = row("M1");
        let mut stage = Stage::new(&row);
        stage.input("LA", Moment::Pressed);
        stage.advance(0.2);
        stage.input("LA", Moment::Pressed);
        stage.advance(0.1);
        let saved = stage.machine.export(&stage.table);
        let mut fresh = Stage::new(&row);
        let moves = watch(&mut fresh);
        let mut table = fresh.table.clone();
        let (_, missing) = fresh.machine.import(&mut table, &saved);
        fresh.table = table;
        fresh.pump();
        assert!(missing.is_empty());
        assert_eq!(taken(&moves), [], "no start of L1 is told");
        assert_eq!(fresh.machine.node_name(), "L1");
        while fresh.machine.elapsed() < 1.3 {
            fresh.advance(tick);
        }
        let found = taken(&moves);
        let started: Vec<&str> = found.iter().map(|one| one.0.as_str()).collect();
        assert_eq!(started, ["end L1 Chained", "start L2", "end L2 Completed", "reset"]);
        // It began at 0.3.
        assert!((found[1].1 - 0.1).abs() < 1e-6 && (found[3].1 - 1.1).abs() < 1e-6, "{found:?}");
        assert_eq!(fresh.call(Call::Interrupt), riposte_core::graph::Reply::Flag(false));
    }
}

/// The graph of M1, and the same without its second move.
fn two_graphs(stage: &mut Stage) -> [(Arc<Graph>, Arc<Binding>); 2] {
    let mut other = row("M1");
    other.nodes.retain(|name, _| name != "L2");
    other.wires.retain(|wire| !wire.wire.contains("L2"));
    [build(&mut stage.table, &row("M1")), build(&mut stage.table, &other)]
}

type Moveset = (Arc<Graph>, Arc<Binding>);

/// Plays what it is given: presses, and swaps of the graph between and inside of ticks.
fn swapping(tick: f64, inside: bool) -> (Vec<(String, f64)>, Replay, [Moveset; 2]) {
    let mut stage = Stage::new(&row("M1"));
    let graphs = two_graphs(&mut stage);
    let [first, second] = graphs.clone();
    stage.call(Call::SetGraph(Some(first.0.clone()), first.1.clone()));
    let moves = watch(&mut stage);
    if inside {
        let mut seen = stage.reaction.take().expect("a reaction");
        let second = second.clone();
        stage.reaction = Some(Box::new(move |stage, effect| {
            seen(stage, effect);
            if matches!(effect, Effect::Started { .. }) && stage.machine.node_name() == "L2" {
                stage.call(Call::SetGraph(Some(second.0.clone()), second.1.clone()));
            }
        }));
    }
    assert!(stage.machine.start_recording(&stage.table.clone()));
    stage.input("LA", Moment::Pressed);
    let mut done = 0;
    while stage.machine.elapsed() < 4.0 {
        stage.advance(tick);
        let now = stage.machine.elapsed();
        if done == 0 && now > 0.15 {
            assert_eq!(stage.input("LA", Moment::Pressed), InputResult::Buffered);
            done = 1;
        } else if done == 1 && now > 0.7 {
            stage.call(Call::SetGraph(Some(second.0.clone()), second.1.clone()));
            stage.input("LA", Moment::Pressed);
            done = 2;
        } else if done == 2 && now > 1.2 {
            stage.call(Call::SetGraph(None, Arc::default()));
            done = 3;
        } else if done == 3 && now > 2.3 {
            stage.call(Call::SetGraph(Some(first.0.clone()), first.1.clone()));
            stage.input("LA", Moment::Pressed);
            done = 4;
        }
    }
    let replay = stage.machine.stop_recording(&stage.table.clone()).expect("a recording");
    (taken(&moves), replay, graphs)
}

#[test]
fn a_recording_has_the_graphs_that_came_in() {
    for (tick, inside) in TICKS.into_iter().flat_map(|tick| [(tick, false), (tick, true)]) {
        let (wanted, replay, graphs) = swapping(tick, inside);
        let removed = wanted.iter().filter(|one| one.0.contains("Removed")).count();
        assert!(removed >= 2, "{wanted:?}");
        assert_eq!(replay.graphs.len(), 2, "each once");
        let mut stage = Stage::new(&row("M1"));
        stage.call(Call::SetGraph(Some(graphs[0].0.clone()), graphs[0].1.clone()));
        let moves = watch(&mut stage);
        let mut seen = stage.reaction.take().expect("a reaction");
        let given = replay.graphs.clone();
        stage.reaction = Some(Box::new(move |stage, effect| {
            seen(stage, effect);
            if let Effect::ReplayGraph(at) = effect {
                let graph = at.map(|at| given[at].clone());
                let binding =
                    graphs.iter().find(|known| graph.as_ref().is_some_and(|one| Arc::ptr_eq(one, &known.0)));
                let binding = binding.map(|known| known.1.clone()).unwrap_or_default();
                stage.call(Call::SetGraph(graph, binding));
            }
        }));
        let mut table = stage.table.clone();
        assert!(stage.machine.play_replay(&mut table, &replay, true));
        stage.table = table;
        stage.pump();
        assert!(stage.machine.wants_tick(), "also while nothing runs");
        while stage.machine.is_replaying() {
            stage.advance(0.05);
        }
        let found = taken(&moves);
        let words = |moves: &[(String, f64)]| moves.iter().map(|one| one.0.clone()).collect::<Vec<_>>();
        assert_eq!(words(&found), words(&wanted), "ticks of {tick}, inside: {inside}");
        for (one, same) in found.iter().zip(&wanted) {
            assert!((one.1 - same.1).abs() < 1e-6, "ticks of {tick}, inside: {inside}: {one:?} {same:?}");
        }
    }
}
