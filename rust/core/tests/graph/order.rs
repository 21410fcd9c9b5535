//! The order of what is told when one move follows another, graphs that come and go, and state in and out.

use std::sync::Arc;

use riposte_core::graph::{Call, Effect, Graph, Moment, MoveEnd};

use super::building::build;
use super::fixture::{self, Row};
use super::play::Play;
use super::stage::Stage;

/// The row with two hooks, a cost and a tag on every move.
fn watched(name: &str) -> Row {
    let mut row = fixture::row(name);
    for (id, node) in &mut row.nodes {
        node.hooks = Some(2);
        node.cost = Some(("Vital.Stamina".to_owned(), 1.0));
        node.applied = Some(vec![format!("Move.{id}")]);
    }
    row.vitals.insert("Vital.Stamina".to_owned(), 50.0);
    row
}

/// What is told, without payloads of the engine.
fn told(stage: &Stage, from: usize) -> Vec<String> {
    stage.log[from..].iter().filter_map(|(effect, graph)| word(stage, effect, graph)).collect()
}

fn word(stage: &Stage, effect: &Effect, graph: &Graph) -> Option<String> {
    let id = |node: &u32| graph.node(*node).id.to_string();
    let name = |tag| stage.table.name(tag).to_owned();
    Some(match effect {
        Effect::WindowOpened(kind) => format!("opened({kind})"),
        Effect::WindowClosed(kind) => format!("closed({kind})"),
        Effect::HookEnter { node, hook, .. } => format!("{} enter {hook}", id(node)),
        Effect::HookExit { node, hook, reason, .. } => format!("{} exit {hook} {reason:?}", id(node)),
        Effect::PayloadStart { node, .. } => format!("{} payload", id(node)),
        Effect::PayloadStop { node, reason, .. } => format!("{} stop {reason:?}", id(node)),
        Effect::Pay { node, .. } => format!("{} pays", id(node)),
        Effect::Started { node, .. } => format!("started {}", id(node)),
        Effect::Ended { node, reason, .. } => format!("ended {} {reason:?}", id(node)),
        Effect::Cancelled { node, tag, .. } => format!("cancelled {} by {}", id(node), name(*tag)),
        Effect::GraphReset => "reset".to_owned(),
        Effect::GraphChanged => "graph".to_owned(),
        Effect::Tags { add, remove, running } => {
            let names = |tags: &[_]| tags.iter().map(|tag| name(*tag)).collect::<Vec<_>>().join(",");
            format!("tags +{} -{} {running:?}", names(add), names(remove))
        }
        _ => return None,
    })
}

#[test]
fn ex_50_t1() {
    let mut play = Play::new(&watched("M3"));
    play.stage.input("LA", Moment::Pressed);
    play.advance(0.5);
    let from = play.stage.log.len();
    play.stage.input("LA", Moment::Pressed);
    let wanted = [
        "closed()",
        "L1 exit 1 Chained",
        "L1 exit 0 Chained",
        "L1 stop Chained",
        "ended L1 Chained",
        "tags +Move.L2 -Move.L1 Stays",
        "L2 pays",
        "L2 payload",
        "L2 enter 0",
        "L2 enter 1",
        "started L2",
    ];
    assert_eq!(told(&play.stage, from), wanted);
}

#[test]
fn ex_50_t2() {
    let mut play = Play::new(&fixture::row("M1"));
    play.stage.input("LA", Moment::Pressed);
    let running = play.stage.running_tag;
    let holds = |play: &Play| play.stage.world.tags.count(running) == 1;
    assert!(holds(&play), "added at 0");
    play.stage.reaction = Some(Box::new(move |stage, effect| {
        let gone = stage.world.tags.count(running) == 0;
        if gone && stage.machine.run().is_some() {
            stage.broken.push(format!("absent at {effect:?}"));
        }
    }));
    play.advance(0.2);
    play.stage.input("LA", Moment::Pressed);
    for to in [0.4, 0.9, 1.39] {
        play.advance(to);
        assert!(holds(&play), "at {to}");
    }
    play.advance(1.4);
    assert!(!holds(&play), "removed at 1.4");
    assert_eq!(play.stage.broken, Vec::<String>::new());
}

#[test]
fn ex_50_t3() {
    let mut play = Play::new(&watched("M34"));
    play.stage.input("LA", Moment::Pressed);
    play.advance(0.2);
    let from = play.stage.log.len();
    play.stage.input("DG", Moment::Pressed);
    let wanted = [
        "L1 exit 1 Cancelled",
        "L1 exit 0 Cancelled",
        "L1 stop Cancelled",
        "cancelled L1 by DG",
        "ended L1 Cancelled",
        "tags +Move.DODGE -Move.L1 Stays",
        "DODGE pays",
        "DODGE payload",
        "DODGE enter 0",
        "DODGE enter 1",
        "started DODGE",
    ];
    assert_eq!(told(&play.stage, from), wanted);
}

/// What a sword hands out and takes along again: the unarmed graph, the sword's, the unarmed one.
#[test]
fn ex_50_m93() {
    let unarmed = fixture::row("M1");
    let mut stage = Stage::new(&unarmed);
    let (first, first_times) = build(&mut stage.table, &unarmed);
    let (sword, sword_times) = build(&mut stage.table, &fixture::row("M16"));
    let tag = stage.tag("HV");
    stage.machine.learn(&stage.table, tag);
    let mut graphs: Vec<Arc<Graph>> = Vec::new();
    stage.call(Call::SetGraph(Some(first.clone()), first_times.clone()));
    stage.input("LA", Moment::Pressed);
    stage.call(Call::SetGraph(Some(sword.clone()), sword_times));
    stage.input("HV", Moment::Pressed);
    stage.call(Call::SetGraph(Some(first.clone()), first_times));
    let mut removed = Vec::new();
    for (effect, graph) in &stage.log {
        match effect {
            Effect::GraphChanged => graphs.push(graph.clone()),
            Effect::Ended { reason: MoveEnd::Removed, .. } => removed.push(graphs.len()),
            _ => {}
        }
    }
    assert!(graphs.len() == 3, "{} changes", graphs.len());
    assert!(
        Arc::ptr_eq(&graphs[0], &first) && Arc::ptr_eq(&graphs[1], &sword) && Arc::ptr_eq(&graphs[2], &first)
    );
    assert_eq!(removed, [1, 2], "a move is removed with each change");
    assert!(stage.machine.run().is_none());
}
