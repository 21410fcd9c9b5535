//! What a player is at, as scripts and the overlay get it.

use godot::prelude::*;
use riposte_core::graph::{InputResult, Moment, ToldTimes, View};
use riposte_core::tags::TagId;

use super::state::{State, with};
use super::{ActionGraphPlayer, asking, sources, tagging};
use crate::agent;
use crate::base::{lookup, messages, tags};

impl State {
    /// The id of a node of the graph that the core plays.
    fn node_name(&self, node: u32) -> StringName {
        let parts = self.graph().and_then(|graph| graph.nodes.get(node as usize));
        parts.map(|parts| parts.id.clone()).unwrap_or_default()
    }

    /// The id of the run's node, which may have been deleted since.
    fn run_name(&self) -> Option<StringName> {
        let run = self.core.run()?;
        let living = self.living.as_ref().filter(|living| living.run.data().run == run.run);
        Some(living.map_or_else(|| self.node_name(run.node), |living| living.run.data().node_id.clone()))
    }
}

/// The id of the node that runs, `root` while none does, empty without a graph.
pub(super) fn current_node(id: InstanceId) -> StringName {
    let name = with(id, |state| {
        state.core.graph()?;
        Some(state.run_name().unwrap_or_else(|| state.node_name(0)))
    });
    name.flatten().unwrap_or_default()
}

/// Everything there is to show.
pub(super) fn state_of(this: &Gd<ActionGraphPlayer>) -> VarDictionary {
    let id = this.instance_id();
    let mut shown = VarDictionary::new();
    // Scripts are asked first: what they do is in the rest.
    let about = with(id, |state| state.core.run_id());
    let told = told_times(id).and_then(|told| told.end);
    let offers = tags::names(&offers(id));
    let blocked = is_blocked(id);
    let known = with(id, |state| {
        let graph = state.core.graph()?.clone();
        Some((graph, state.core.view(), state.run_name(), state.node_name(0)))
    });
    let Some((graph, view, name, root)) = known.flatten() else { return shown };
    let path = sources::active(id).map(|graph| graph.get_path()).unwrap_or_default();
    let node = graph.node(view.run.as_ref().map_or(0, |run| run.node));
    let id_of_node = name.unwrap_or(root);
    let display =
        if node.display_name.is_empty() { id_of_node.to_string() } else { node.display_name.to_string() };
    shown.set("graph", &path);
    shown.set("node", &id_of_node);
    shown.set("display_name", display.as_str());
    shown.set("run_id", view.run.as_ref().map_or(0, |run| run.run as i64));
    shown.set("node_time", view.run.as_ref().map_or(0.0, |run| run.node_time));
    let left = view.run.as_ref().map_or(-1.0, |run| {
        let end = told.filter(|_| about == Some(run.run));
        let told = || end.map_or(-1.0, |end| (end - run.node_time).max(0.0));
        if run.time_left.is_finite() { run.time_left } else { told() }
    });
    shown.set("time_left", left);
    let kinds: PackedStringArray = view.windows.iter().map(|kind| GString::from(&**kind)).collect();
    shown.set("windows", &kinds);
    shown.set("offers", &offers);
    shown.set("waiting", &waiting(&view));
    shown.set("grace_left", view.grace_left);
    shown.set("frozen_left", view.frozen_left);
    shown.set("blocked", blocked);
    shown.set("sequence_left", view.sequence_left as i64);
    shown
}

/// What the payload of the running move says of its times. Runs its script.
pub(super) fn told_times(id: InstanceId) -> Option<ToldTimes> {
    let (payload, speed) = with(id, |state| {
        let run = state.run_id()?;
        let living = state.living.as_ref().filter(|living| living.run.data().run == run)?;
        Some((living.payload.clone()?, state.core.settings().action_speed))
    })??;
    // It answers in seconds at this speed; at 0 there is nothing to say.
    let in_node_time = |seconds: f64| seconds * speed;
    (speed > 0.0).then(|| ToldTimes {
        chain: payload.earliest_chain(speed).map(in_node_time),
        end: payload.completion(speed).map(in_node_time),
    })
}

fn waiting(view: &View) -> VarArray {
    let rows = view.waiting.iter().map(|one| {
        let mut row = VarDictionary::new();
        row.set("tag", &tags::name(one.tag));
        row.set("moment", one.moment.code());
        row.set("age", one.age);
        row.set("combo", one.combo);
        row.to_variant()
    });
    rows.collect()
}

/// A block tag is on the agent.
fn is_blocked(id: InstanceId) -> bool {
    let Some(block) = with(id, |state| state.core.settings().global_block_tags.clone()) else { return false };
    let agent = lookup::agent_of(id);
    tagging::keeps_any(id, &block)
        || agent.is_some_and(|agent| agent::read_tags(agent, |tags, _| tags.matches_any(&block)))
}

/// Tags of the graph with which something would be done now: they would act, or be kept.
pub(super) fn offers(id: InstanceId) -> Vec<TagId> {
    let tags = with(id, |state| Some(state.core.graph()?.input_tags())).flatten().unwrap_or_default();
    let moments = [Moment::Pressed, Moment::Released, Moment::ReleasedEarly];
    let acts = |tag: &TagId| {
        moments.into_iter().any(|moment| {
            let report = asking::explain(id, *tag, moment, None);
            report.is_some_and(|report| matches!(report.result, InputResult::Entered | InputResult::Buffered))
        })
    };
    tags.into_iter().filter(acts).collect()
}

/// The lines of the overlay.
pub(super) fn text(id: InstanceId) -> String {
    let known = with(id, |state| {
        state.core.graph()?;
        Some((state.core.view(), state.run_name().unwrap_or_else(|| state.node_name(0))))
    });
    let Some((view, node)) = known.flatten() else { return "no graph".to_owned() };
    let graph = sources::active(id).map(|graph| graph_name(&graph.upcast())).unwrap_or_default();
    let mut lines = vec![match &view.run {
        Some(run) => format!("{graph}: {node} {:.2} s", run.node_time),
        None => format!("{graph}: {node}"),
    }];
    let windows = view.windows.iter().map(|kind| if kind.is_empty() { "window" } else { kind });
    lines.push(windows.collect::<Vec<_>>().join(", "));
    for one in &view.waiting {
        lines.push(format!("{} waits {:.2} s", tags::name(one.tag), one.age));
    }
    if view.grace_left > 0.0 {
        lines.push(format!("grace {:.2} s", view.grace_left));
    }
    if view.frozen_left > 0.0 {
        lines.push(format!("frozen {:.2} s", view.frozen_left));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

fn graph_name(graph: &Gd<Object>) -> String {
    let label = messages::label(graph);
    let file = label.rsplit('/').next().unwrap_or(&label);
    file.trim_end_matches(')').trim_end_matches(".tres").to_owned()
}
