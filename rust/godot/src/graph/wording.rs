//! What became of an input, in words.

use godot::prelude::*;
use riposte_core::graph::{Drop as Why, Fail, FiresOn, Graph, InputResult, ROOT_INDEX, Stop};
use riposte_core::graph::{InputReport, Verdict, WireReport};
use riposte_core::tags::TagId;

use crate::base::tags;

/// `Input.Dodge pressed: DROPPED at Wait: window open, only Root answers.`
pub(super) fn line(report: &InputReport) -> String {
    let input = report.tag.map_or_else(|| "no input".to_owned(), |tag| input(tag, report.moment));
    let result = result(report.result);
    if report.result == InputResult::Forwarded {
        return format!("{input}: {result}.");
    }
    format!("{input}: {result} at {}: {}.", stop(report.stop), reason(report))
}

/// The line, and below it what was said to each transition.
pub(super) fn long(report: &InputReport) -> String {
    let mut text = line(report);
    let Some(graph) = &report.graph else { return text };
    for wire in &report.wires {
        text.push_str(&format!("\n- {}", verdict_line(graph, wire)));
    }
    let waits = roots_turn(graph, report);
    waits.iter().for_each(|line| text.push_str(line));
    if report.wires.is_empty() && waits.is_empty() && report.stop != Stop::Block {
        text.push_str(&format!(
            "\n- no transition of \"{}\" or root answers this input; it has to have its tag or a tag above it, and its moment",
            graph.node(report.node).id
        ));
    }
    text
}

/// Root's transitions for an input that it would answer, where another node runs and Root was not asked.
fn roots_turn(graph: &Graph, report: &InputReport) -> Vec<String> {
    let asked = report.wires.iter().any(|wire| wire.node == ROOT_INDEX);
    let Some(tag) = report.tag.filter(|_| report.root_answers && !asked) else { return Vec::new() };
    let node = &graph.node(report.node).id;
    let turn = if report.window_open {
        format!("has no turn while a window of {node} is open")
    } else {
        format!("has its turn when {node} is over")
    };
    let wires = graph.node(ROOT_INDEX).wires.iter().filter(|wire| {
        let meant = |input: TagId| tags::with_table(|table| table.matches(input, tag));
        wire.fires_on == report.moment && wire.input.is_some_and(meant)
    });
    wires.map(|wire| format!("\n- {} to {}: Root {turn}", wire.id, graph.node(wire.to).id)).collect()
}

fn verdict_line(graph: &Graph, report: &WireReport) -> String {
    let node = graph.node(report.node);
    match node.wires.get(report.wire as usize) {
        Some(wire) => {
            format!("{} to {}: {}", wire.id, graph.node(wire.to).id, verdict(graph, report))
        }
        None => format!("{}: {}", node.id, verdict(graph, report)),
    }
}

/// What was said to a transition.
pub(super) fn verdict(graph: &Graph, report: &WireReport) -> String {
    let wire = graph.node(report.node).wires.get(report.wire as usize);
    match report.verdict {
        Verdict::Taken => "taken".to_owned(),
        Verdict::Outranked => "passes, but another one goes first".to_owned(),
        Verdict::Waits => "passes, but its window is not open".to_owned(),
        Verdict::Locked => "locked by a press that came too early".to_owned(),
        Verdict::MissingTag(tag) => format!("the agent has no tag {}", tags::name(tag)),
        Verdict::BlockedTag(tag) => format!("the agent has the tag {}", tags::name(tag)),
        Verdict::NoKind => {
            let kinds = wire.map(|wire| wire.kinds.join(", ")).unwrap_or_default();
            format!("no window of its kinds ({kinds}) is open")
        }
        Verdict::NotBuffered => "takes no input that has waited".to_owned(),
        Verdict::Hidden(_) => "a gate of the node that it leads to is closed".to_owned(),
        Verdict::Condition(index) => {
            let label = wire.and_then(|wire| wire.conditions.get(index as usize)).map(|one| &*one.label);
            format!("condition {} fails", label.filter(|label| !label.is_empty()).unwrap_or("?"))
        }
        Verdict::Recorded => "the recording says that it does not pass".to_owned(),
        Verdict::Failed(fail) => format!("its node can't start: {}", failure(fail)),
    }
}

fn reason(report: &InputReport) -> String {
    if let (InputResult::Dropped, Some(why)) = (report.result, report.why) {
        return dropped(report, why);
    }
    let node = report.graph.as_ref().map_or("root", |graph| &*graph.node(report.node).id);
    match (report.result, report.stop) {
        (InputResult::Blocked, _) => "a tag of global_block_tags is on the agent".to_owned(),
        (InputResult::Buffered, _) if report.answered => format!("{node} answers it, its window is closed"),
        (InputResult::Buffered, _) => format!("only Root answers it, {node} still runs"),
        (_, Stop::Interrupt) => format!("it interrupts {node}"),
        (_, Stop::Cancel) => format!("it cuts {node}"),
        (InputResult::Entered, _) => taken(report),
        _ => "nobody answers it".to_owned(),
    }
}

fn taken(report: &InputReport) -> String {
    let Some(graph) = &report.graph else { return "taken".to_owned() };
    let wire = report.wires.iter().rev().find(|wire| wire.verdict == Verdict::Taken);
    let to = wire.and_then(|wire| graph.node(wire.node).wires.get(wire.wire as usize));
    to.map_or_else(|| "taken".to_owned(), |wire| format!("{} is entered", graph.node(wire.to).id))
}

fn dropped(report: &InputReport, why: Why) -> String {
    match why {
        Why::NoTransition if report.window_open && report.root_answers => {
            "window open, only Root answers".to_owned()
        }
        Why::NoTransition => "nobody answers it".to_owned(),
        Why::Ignored => "the node ignores early presses".to_owned(),
        Why::Full => "another input waits already".to_owned(),
        Why::Replaced => "a newer press took its place".to_owned(),
        Why::WindowOpened => "the window opened, and only Root answers it".to_owned(),
        Why::Expired => "it waited too long".to_owned(),
        Why::FailedStart => {
            let failed = report.wires.iter().find_map(|wire| match wire.verdict {
                Verdict::Failed(fail) => Some(failure(fail)),
                _ => None,
            });
            format!("the node can't start ({})", failed.unwrap_or("it was checked"))
        }
        Why::Blocked => "a tag of global_block_tags is on the agent".to_owned(),
        Why::Frozen => "it came during a freeze, and its policy drops it then".to_owned(),
        Why::Cleared => "the waiting inputs were cleared".to_owned(),
        Why::Superseded => "a newer input acted".to_owned(),
    }
}

fn failure(fail: Fail) -> &'static str {
    match fail {
        Fail::None => "it can",
        Fail::Gate => "a gate is closed",
        Fail::Cooldown => "no charge is left",
        Fail::Cost => "a cost can't be paid",
        Fail::Payload => "its payload can't start",
        Fail::Disabled => "it is switched off",
        Fail::Loop => "too many moves in one instant",
        Fail::Unknown => "there is no such node",
    }
}

fn input(tag: TagId, moment: FiresOn) -> String {
    let moment = match moment {
        FiresOn::Pressed => "pressed",
        FiresOn::Released => "released",
        FiresOn::ReleasedEarly => "released early",
        FiresOn::Completed => "completed",
        FiresOn::Failed => "failed",
    };
    format!("{} {moment}", tags::name(tag))
}

fn result(result: InputResult) -> &'static str {
    match result {
        InputResult::Entered => "ENTERED",
        InputResult::Buffered => "BUFFERED",
        InputResult::Dropped => "DROPPED",
        InputResult::Blocked => "BLOCKED",
        InputResult::Forwarded => "FORWARDED",
    }
}

/// The name of a stop.
pub(super) fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Block => "Block",
        Stop::Pick => "Pick",
        Stop::Interrupt => "Interrupt",
        Stop::Cancel => "Cancel",
        Stop::Chain => "Chain",
        Stop::Wait => "Wait",
    }
}

/// A report as scripts get it.
pub(super) fn dictionary(report: &InputReport) -> VarDictionary {
    let mut shown = VarDictionary::new();
    let Some((tag, graph)) = report.tag.zip(report.graph.as_ref()) else { return shown };
    let id = |node: u32| StringName::from(&*graph.node(node).id);
    shown.set("tag", &tags::name(tag));
    shown.set("moment", report.moment.code());
    shown.set("result", report.result.code());
    shown.set("stop", stop(report.stop));
    shown.set("why", report.why.map_or(-1, Why::code));
    shown.set("node", &id(report.node));
    shown.set("node_time", report.node_time);
    shown.set("live", report.live);
    let wires = report.wires.iter().map(|one| {
        let mut row = VarDictionary::new();
        if let Some(wire) = graph.node(one.node).wires.get(one.wire as usize) {
            row.set("transition", &StringName::from(&*wire.id));
            row.set("to", &id(wire.to));
        }
        row.set("node", &id(one.node));
        row.set("verdict", verdict(graph, one).as_str());
        row.to_variant()
    });
    shown.set("transitions", &wires.collect::<VarArray>());
    shown.set("text", line(report).as_str());
    shown
}
