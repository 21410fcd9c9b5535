//! Graphs of the core, made of rows.

use std::sync::Arc;

use riposte_core::graph::parts::{
    ConditionKind, ConditionPlan, CooldownPlan, CooldownStart, CostPlan, DrainEnd, HookCalls, HookPlan,
    MovementSource, Recharge,
};
use riposte_core::graph::{
    AnimationFacts, AuthoredWindow, Binding, BufferMode, FiresOn, Graph, GraphPlan, MoveTimes, NoWindow,
    NodePlan, PayloadPlan, SectionNames, Timing, TransitionPlan, read_move,
};
use riposte_core::tags::{TagId, TagTable};

use super::fixture::{Buffer, NodeSpec, On, Payload, Row, WireSpec};

/// The tag of this name.
pub fn tag(table: &mut TagTable, name: &str) -> TagId {
    table.intern(name).expect("a valid name of a tag")
}

pub fn tags(table: &mut TagTable, names: &[String]) -> Vec<TagId> {
    names.iter().map(|name| tag(table, name)).collect()
}

/// The graph of a row, and the times of its animations.
pub fn build(table: &mut TagTable, row: &Row) -> (Arc<Graph>, Arc<Binding>) {
    let mut plan = GraphPlan::default();
    if let Some(buffer) = row.buffer {
        plan.buffer = buffer_mode(buffer);
    }
    plan.late_input_grace = row.grace.unwrap_or(plan.late_input_grace);
    plan.held_input_restart_window = row.restart_window.unwrap_or(plan.held_input_restart_window);
    plan.combo_input_lifetime = row.combo_lifetime.unwrap_or(plan.combo_input_lifetime);
    plan.resync_releases = row.resync.unwrap_or(plan.resync_releases);
    let mut root = NodePlan::new("root");
    root.transitions = wires(table, row, "root");
    plan.nodes.push(root);
    for (id, spec) in &row.nodes {
        let mut node = node(table, id, spec);
        node.transitions = wires(table, row, id);
        plan.nodes.push(node);
    }
    let graph = Graph::compile(plan).expect("a graph");
    let times = graph.nodes().iter().map(|node| {
        let times = row.nodes.get(&*node.id).and_then(times_of).map(Arc::new);
        [times.clone(), times.clone(), times.clone(), times]
    });
    let binding = Arc::new(Binding::new(times.collect()));
    (graph, binding)
}

pub fn buffer_mode(buffer: Buffer) -> BufferMode {
    match buffer {
        Buffer::AcceptLast => BufferMode::AcceptLast,
        Buffer::AcceptFirst => BufferMode::AcceptFirst,
        Buffer::Ignore => BufferMode::Ignore,
    }
}

fn node(table: &mut TagTable, id: &str, spec: &NodeSpec) -> NodePlan {
    let mut node = NodePlan::new(id);
    node.payload = match &spec.payload {
        Some(Payload::Clip(_) | Payload::Section { .. }) => {
            PayloadPlan::Animation { variants: false, direction_dead_zone: 0.3, turn_to_input: false }
        }
        Some(Payload::Hold(open)) => PayloadPlan::Hold { open_window: *open, max_seconds: 0.0 },
        Some(Payload::Delay(seconds)) => PayloadPlan::Delay { seconds: *seconds, open_window: true },
        Some(Payload::NeedsTarget) => PayloadPlan::Asked { may_fail: true },
        Some(Payload::Nothing) | None => PayloadPlan::None,
    };
    if let Some((vital, amount)) = &spec.cost {
        let tag = tag(table, vital);
        node.costs = vec![CostPlan::Vital { tag, amount: *amount, as_fraction: false, allow_partial: false }];
    }
    node.cooldown = spec.cooldown.map(|(seconds, charges)| CooldownPlan {
        key: Arc::from(id),
        seconds,
        charges,
        recharge: Recharge::OneByOne,
        starts: CooldownStart::OnStart,
        interrupt_refund: 0.0,
    });
    let watching = HookCalls { enter: true, exit: true, ..HookCalls::default() };
    node.hooks = vec![HookPlan::Script(watching); spec.hooks.unwrap_or(1)];
    if let Some((per_second, end)) = spec.drain {
        let end = match end {
            super::fixture::DrainEnd::Finish => DrainEnd::Finish,
            super::fixture::DrainEnd::Cancel => DrainEnd::Cancel,
            super::fixture::DrainEnd::Nothing => DrainEnd::Nothing,
        };
        node.hooks.push(HookPlan::Drain { tag: tag(table, "Vital.Stamina"), per_second, end });
    }
    if spec.cancel_on_movement == Some(true) {
        node.hooks.push(HookPlan::CancelOnMovement { detect: MovementSource::Input, threshold: 0.2 });
    }
    if spec.from_entry == Some(true) {
        node.when_no_window = NoWindow::FromEntry;
    }
    node.buffer = spec.buffer.map(buffer_mode);
    node.late_input_grace = spec.grace;
    node.retrigger_from_root = spec.retrigger.unwrap_or(false);
    node.mash_lock = spec.mash_lock.unwrap_or(false);
    node.can_be_cancelled = spec.cancellable.unwrap_or(false);
    node.cancellable_by = tags(table, spec.cancelled_by.as_deref().unwrap_or_default());
    node.ignored_cancels = tags(table, spec.ignored_cancels.as_deref().unwrap_or_default());
    node.cancel_needs_root_move = spec.cancel_needs_root_move.unwrap_or(true);
    node.cancel_window_start = spec.cancel_start.unwrap_or(node.cancel_window_start);
    node.applied_tags = tags(table, spec.applied.as_deref().unwrap_or_default());
    node
}

/// The times of what a node plays, read from its animation.
pub fn times_of(spec: &NodeSpec) -> Option<MoveTimes> {
    let windows = spec.windows.as_deref().unwrap_or_default();
    let windows: Vec<AuthoredWindow> = windows
        .iter()
        .map(|(kind, start, end)| AuthoredWindow {
            start: *start,
            end: *end,
            kind: kind.clone(),
            stop_distance: -1.0,
        })
        .collect();
    let (length, section, rate) = match spec.payload.as_ref()? {
        Payload::Clip(length) => (*length, None, 1.0),
        Payload::Section { length, from, to, rate } => (*length, Some((*from, *to)), *rate),
        _ => return None,
    };
    let mut facts = AnimationFacts { length, ..AnimationFacts::default() };
    let mut names = SectionNames::default();
    if let Some((from, to)) = section {
        facts.markers = vec![("from".to_owned(), from), ("to".to_owned(), to)];
        names = SectionNames { start: "from", end: "to" };
    }
    let reading = read_move(&facts, &windows, names, rate);
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    Some(reading.times)
}

fn wires(table: &mut TagTable, row: &Row, from: &str) -> Vec<TransitionPlan> {
    let all = row.wires.iter().enumerate();
    let mine = all.filter(|(_, wire)| wire.parts().0 == from);
    mine.map(|(at, wire)| transition(table, at, wire)).collect()
}

fn transition(table: &mut TagTable, at: usize, wire: &WireSpec) -> TransitionPlan {
    let (_, on, to) = wire.parts();
    let (fires_on, input) = match on {
        On::Press(name) => (FiresOn::Pressed, Some(tag(table, &name))),
        On::Release(name) => (FiresOn::Released, Some(tag(table, &name))),
        On::Early(name) => (FiresOn::ReleasedEarly, Some(tag(table, &name))),
        On::Completed => (FiresOn::Completed, None),
        On::Failed => (FiresOn::Failed, None),
    };
    let mut made = TransitionPlan::new(&format!("{at}: {}", wire.wire), &to, fires_on, input);
    made.priority = wire.priority;
    if wire.interrupts {
        made.timing = Timing::Interrupt;
    }
    made.required_tags = tags(table, &wire.required);
    made.blocked_tags = tags(table, &wire.blocked);
    // What a condition answers stands in its label.
    let condition = |answer: &bool| ConditionPlan {
        kind: ConditionKind::Script,
        invert: false,
        label: Arc::from(if *answer { "passes" } else { "fails" }),
    };
    made.conditions = wire.conditions.iter().map(condition).collect();
    made.window_kinds = wire.kinds.iter().map(|kind| Arc::from(kind.as_str())).collect();
    made.accept_buffered = wire.buffered;
    made
}
