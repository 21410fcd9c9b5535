//! Inputs from scripts, and what is said about them.

use glam::DVec2;
use godot::prelude::*;
use riposte_core::graph::{Call, InputReport, PayloadPlan, Press, Reply};
use riposte_core::graph::{InputResult, Moment};
use riposte_core::tags::TagId;

use super::state::with;
use super::{ActionGraph, ActionGraphPlayer, asking, driver, nodes, view, wording};
use crate::base::{messages, tags};

const DROPPED: i64 = InputResult::Dropped as i64;

/// An input of a script; what became of it.
pub(super) fn process(
    this: &Gd<ActionGraphPlayer>,
    tag: &StringName,
    moment: i64,
    direction: Vector2,
) -> i64 {
    match press(this, "process_input", tag, moment, direction) {
        Some(press) => result(driver::call(this.instance_id(), Call::Input(press))),
        None => DROPPED,
    }
}

/// A button that a script presses or releases.
pub(super) fn push(this: &Gd<ActionGraphPlayer>, tag: &StringName, pressed: bool, direction: Vector2) -> i64 {
    match press(this, "push_input", tag, 0, direction) {
        Some(Press { tag, direction, .. }) => {
            result(driver::call(this.instance_id(), Call::Push { tag, pressed, direction }))
        }
        None => DROPPED,
    }
}

fn result(reply: Option<Reply>) -> i64 {
    match reply {
        Some(Reply::Input(result)) => result.code(),
        _ => DROPPED,
    }
}

/// What a script gave as an input; an error and `None` if it is none.
pub(super) fn press(
    this: &Gd<ActionGraphPlayer>,
    member: &str,
    tag: &StringName,
    moment: i64,
    direction: Vector2,
) -> Option<Press> {
    if !driver::on_main(this, member) {
        return None;
    }
    let tag = tags::from_script(this, member, &tag.to_string())?;
    let Some(moment) = Moment::from_code(moment) else {
        let text = format!(
            "{member}() got the moment {moment}, and the input is dropped. Use FIRES_INPUT_PRESSED, FIRES_INPUT_RELEASED or \
             FIRES_INPUT_RELEASED_EARLY."
        );
        messages::error(this, member, "moment", &text);
        return None;
    };
    let direction = direction.is_finite().then(|| DVec2::new(direction.x.into(), direction.y.into()));
    learn(this.instance_id(), tag);
    Some(Press { tag, moment, direction, stick: None })
}

/// The core gets to know a tag and those above it.
pub(super) fn learn(id: InstanceId, tag: TagId) {
    with(id, |state| tags::with_table(|table| state.core.learn(table, tag)));
}

/// True while an input of this tag waits.
pub(super) fn is_buffered(this: &Gd<ActionGraphPlayer>, tag: &StringName) -> bool {
    let Some(tag) = tags::from_script(this, "is_buffered", &tag.to_string()) else { return false };
    with(this.instance_id(), |state| state.core.is_buffered(tag)).unwrap_or(false)
}

/// Drops what waits.
pub(super) fn clear(this: &Gd<ActionGraphPlayer>) -> i64 {
    if !driver::on_main(this, "clear_buffer") {
        return 0;
    }
    match driver::call(this.instance_id(), Call::ClearBuffer) {
        Some(Reply::Count(count)) => count as i64,
        _ => 0,
    }
}

/// Tags with which something would be done.
pub(super) fn offered(this: &Gd<ActionGraphPlayer>) -> PackedStringArray {
    tags::names(&view::offers(this.instance_id()))
}

/// What would become of an input, in words.
pub(super) fn explain(
    this: &Gd<ActionGraphPlayer>,
    tag: &StringName,
    moment: i64,
    direction: Vector2,
) -> GString {
    let id = this.instance_id();
    let Some(press) = press(this, "explain_input", tag, moment, direction) else { return GString::new() };
    let report = asking::explain(id, press.tag, press.moment, press.direction);
    let text = match report {
        Some(report) if report.graph.is_some() => {
            let mut text = wording::long(&report);
            hints(id, press.tag, &report).iter().for_each(|hint| text.push_str(&format!("\n- {hint}")));
            text
        }
        _ => no_moveset(this).to_owned(),
    };
    GString::from(text.as_str())
}

/// Why nothing is played.
fn no_moveset(this: &Gd<ActionGraphPlayer>) -> &'static str {
    let graph = this.bind().default_graph.clone();
    if !this.is_inside_tree() {
        "The player is not in the tree, so every input is dropped. Add its agent to the tree."
    } else if !driver::is_in_tree(this.instance_id()) {
        "The player is not ready yet, so every input is dropped. Its moveset counts when it is ready."
    } else if graph.is_some_and(|graph| ActionGraph::compiled(&graph).is_none()) {
        "default_graph has errors, so it is not played and every input is dropped. The output and its validate() name them."
    } else {
        "There is no moveset, so every input is dropped. Set default_graph."
    }
}

/// What else keeps an input from doing anything.
fn hints(id: InstanceId, tag: TagId, report: &InputReport) -> Vec<String> {
    let mut hints = Vec::new();
    let sent = with(id, |state| {
        let plan = state.core.recorder().plan();
        let empty = plan.inputs().is_empty() && plan.sequences().is_empty();
        let sends = plan.inputs().iter().any(|input| input.tag == tag)
            || plan.sequences().iter().any(|sequence| sequence.output == tag);
        empty || sends
    });
    if sent == Some(false) {
        hints.push(format!("input_map has no input with the tag {}, so no button sends it", tags::name(tag)));
    }
    let plays = report.wires.iter().any(|one| {
        let wire = report.graph.as_ref().and_then(|graph| {
            let to = graph.node(one.node).wires.get(one.wire as usize)?.to;
            Some(matches!(graph.node(to).payload, PayloadPlan::Animation { .. }))
        });
        wire == Some(true)
    });
    if plays && nodes::animation_player(id).is_none() {
        hints.push("there is no AnimationPlayer below the agent, so its moves end at once".to_owned());
    }
    hints
}

/// What became of the last input.
pub(super) fn last_report(this: &Gd<ActionGraphPlayer>) -> VarDictionary {
    with(this.instance_id(), |state| state.core.last_report().cloned())
        .flatten()
        .map(|report| wording::dictionary(&report))
        .unwrap_or_default()
}
