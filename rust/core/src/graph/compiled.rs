//! A graph that is ready to be played. Immutable, shared by all its players.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::parts::{ConditionPlan, CooldownPlan, CostPlan, GraphGatePlan, HookPlan, Needs};
use super::plan::{GraphPlan, NodePlan, PayloadPlan, ROOT, TransitionPlan};
use super::reason::{BufferMode, FiresOn, NoWindow, Timing};
use super::{MoveTimes, Window};
use crate::tags::{TagId, TagSet, TagTable};

/// The index of the root.
pub const ROOT_INDEX: u32 = 0;

/// Why a plan is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// A node has this name already.
    DuplicateNode(Arc<str>),
    /// This transition leads to a node that is not there.
    UnknownTarget {
        /// Name of the transition.
        transition: Arc<str>,
        /// Name of what it leads to.
        to: Arc<str>,
    },
}

/// A transition, ready to be walked.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Its name.
    pub id: Arc<str>,
    /// The node that it leads to.
    pub to: u32,
    /// What it waits for.
    pub fires_on: FiresOn,
    /// Its input.
    pub input: Option<TagId>,
    /// The highest wins.
    pub priority: i32,
    /// It need not wait for a window.
    pub interrupts: bool,
    /// All of them must be on the agent.
    pub required: Vec<TagId>,
    /// None of them may.
    pub blocked: Vec<TagId>,
    /// All of them must pass.
    pub conditions: Vec<ConditionPlan>,
    /// Only while a window of one of these is open; empty: the plain one.
    pub kinds: Vec<Arc<str>>,
    /// Inputs that have waited count too.
    pub accept_buffered: bool,
    /// Gates of the node that it leads to, which hide it while they are closed.
    pub guards: Vec<GraphGatePlan>,
}

/// A node, ready to be played.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub id: Arc<str>,
    /// What people read.
    pub display_name: Arc<str>,
    /// False: it cannot start.
    pub enabled: bool,
    /// What it plays.
    pub payload: PayloadPlan,
    /// Paid at the start.
    pub costs: Vec<CostPlan>,
    /// Asked before the start.
    pub gates: Vec<GraphGatePlan>,
    /// Some gate hands out something.
    pub holds_gates: bool,
    /// What rides its runs.
    pub hooks: Vec<HookPlan>,
    /// Its charges.
    pub cooldown: Option<CooldownPlan>,
    /// Where it leads, in the author's order.
    pub wires: Vec<Wire>,
    /// What it does without a plain window.
    pub from_entry: bool,
    /// Which press waits.
    pub buffer: BufferMode,
    /// Seconds of grace after its end.
    pub grace: f64,
    /// If it cannot start, the root is tried once.
    pub retrigger_from_root: bool,
    /// A press before a better window loses that window.
    pub mash_lock: bool,
    /// Inputs may cut it.
    pub can_be_cancelled: bool,
    /// Node time from which it may be cut.
    pub cancel_window_start: f64,
    /// Only these cut it; empty: any.
    pub cancellable_by: Vec<TagId>,
    /// These never cut it.
    pub ignored_cancels: Vec<TagId>,
    /// Only inputs that the root answers cut it.
    pub cancel_needs_root_move: bool,
    /// On the agent while it runs.
    pub applied: Arc<[TagId]>,
    /// The same, ready to be asked.
    pub applied_set: TagSet,
    /// Some hook acts in every tick.
    pub(super) ticks: bool,
    /// Some hook scales the locomotion.
    pub(super) locomotion: Option<[f64; 3]>,
    /// The times of a stance or a pause.
    pub(super) own_times: Option<Arc<MoveTimes>>,
    /// Indices into `wires` by what they wait for, the best first.
    ranks: [Vec<Rank>; 5],
}

/// One transition among those that wait for the same, with what decides first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rank {
    pub wire: u32,
    pub input: Option<TagId>,
}

impl Node {
    /// Transitions that wait for this, the best first.
    pub(super) fn ranked(&self, fires_on: FiresOn) -> &[Rank] {
        &self.ranks[fires_on as usize]
    }

    /// Its payload is asked at the start.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.payload, PayloadPlan::Asked { .. })
    }

    /// It tells when its payload starts and stops.
    pub(super) fn tells_payload(&self) -> bool {
        matches!(self.payload, PayloadPlan::Asked { .. } | PayloadPlan::Animation { .. })
    }

    /// Who rides it, or what it plays, may end it before its time.
    pub fn may_finish(&self) -> bool {
        self.is_asked() || self.hooks.iter().any(HookPlan::may_finish)
    }
}

/// A compiled graph.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    names: BTreeMap<Arc<str>, u32>,
    needs: Needs,
    pub(super) held_input_restart_window: f64,
    pub(super) combo_input_lifetime: f64,
    pub(super) resync_releases: bool,
    /// The times of what ends at once.
    pub(super) nothing: Arc<MoveTimes>,
    /// Every cooldown once.
    cooldowns: Vec<CooldownPlan>,
}

/// The very same one.
impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Graph {
    /// Compiles a plan: the root first, then nodes in byte order of their names.
    pub fn compile(table: &TagTable, plan: GraphPlan) -> Result<Arc<Self>, GraphError> {
        let GraphPlan { buffer, late_input_grace, nodes: mut plans, attributes, .. } = plan;
        plans.sort_by(|a, b| rank_of(&a.id).cmp(&rank_of(&b.id)));
        if plans.first().is_none_or(|first| &*first.id != ROOT) {
            plans.insert(0, NodePlan::new(ROOT));
        }
        let mut names = BTreeMap::new();
        for (at, node) in plans.iter().enumerate() {
            if names.insert(node.id.clone(), at as u32).is_some() {
                return Err(GraphError::DuplicateNode(node.id.clone()));
            }
        }
        let hiding: Vec<Vec<GraphGatePlan>> = plans.iter().map(hiding_gates).collect();
        let defaults = Defaults { table, buffer, grace: late_input_grace, names: &names, hiding: &hiding };
        let nodes: Vec<Node> = plans.into_iter().map(|node| defaults.node(node)).collect::<Result<_, _>>()?;
        let mut graph = Self {
            nodes,
            names,
            needs: Needs { attributes, ..Needs::default() },
            held_input_restart_window: sound(plan.held_input_restart_window),
            combo_input_lifetime: sound(plan.combo_input_lifetime),
            resync_releases: plan.resync_releases,
            nothing: Arc::new(MoveTimes::of_length(0.0)),
            cooldowns: Vec::new(),
        };
        graph.collect();
        Ok(Arc::new(graph))
    }

    fn collect(&mut self) {
        for node in &self.nodes {
            node.costs.iter().for_each(|cost| cost.collect(&mut self.needs));
            node.hooks.iter().for_each(|hook| hook.collect(&mut self.needs));
            node.gates.iter().for_each(|gate| gate.collect(&mut self.needs));
            for wire in &node.wires {
                wire.conditions.iter().for_each(|condition| condition.collect(&mut self.needs));
            }
            if let Some(cooldown) = &node.cooldown
                && !self.cooldowns.iter().any(|known| known.key == cooldown.key)
            {
                self.cooldowns.push(cooldown.clone());
            }
        }
    }

    /// All nodes, the root first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node by index; the root for an index that there is not.
    pub fn node(&self, index: u32) -> &Node {
        self.nodes.get(index as usize).unwrap_or(&self.nodes[0])
    }

    /// The root.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The index of a node by name.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.names.get(id).copied()
    }

    /// What its parts read of the world.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// Every cooldown once, in order of the nodes.
    pub fn cooldowns(&self) -> &[CooldownPlan] {
        &self.cooldowns
    }

    /// The tags that its transitions wait for, each once, in order of the nodes.
    pub fn input_tags(&self) -> Vec<TagId> {
        let mut tags = Vec::new();
        for tag in self.nodes.iter().flat_map(|node| &node.wires).filter_map(|wire| wire.input) {
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        tags
    }
}

/// The root first.
fn rank_of(id: &str) -> (bool, &str) {
    (id != ROOT, id)
}

/// No time is negative or no number, and none is so long that products of times and speeds are no numbers any more.
pub(super) fn sound(seconds: f64) -> f64 {
    const LONGEST: f64 = 1e9;
    if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 }
}

fn hiding_gates(node: &NodePlan) -> Vec<GraphGatePlan> {
    node.gates.iter().filter(|gate| gate.hides && gate.tags.is_some()).cloned().collect()
}

struct Defaults<'a> {
    table: &'a TagTable,
    buffer: BufferMode,
    grace: f64,
    names: &'a BTreeMap<Arc<str>, u32>,
    hiding: &'a [Vec<GraphGatePlan>],
}

impl Defaults<'_> {
    fn node(&self, plan: NodePlan) -> Result<Node, GraphError> {
        let wires: Vec<Wire> =
            plan.transitions.into_iter().map(|wire| self.wire(wire)).collect::<Result<_, _>>()?;
        let locomotion = plan.hooks.iter().any(|hook| matches!(hook, HookPlan::Locomotion { .. }));
        Ok(Node {
            ranks: rank(&wires),
            own_times: own_times(&plan.payload),
            ticks: plan.hooks.iter().any(HookPlan::ticks),
            locomotion: locomotion.then(|| super::parts::locomotion(&plan.hooks)),
            applied_set: TagSet::new(self.table, plan.applied_tags.iter().copied()),
            applied: plan.applied_tags.into(),
            id: plan.id,
            display_name: plan.display_name,
            enabled: plan.enabled,
            payload: plan.payload,
            costs: plan.costs,
            gates: plan.gates,
            holds_gates: plan.holds_gates,
            hooks: plan.hooks,
            cooldown: plan.cooldown,
            wires,
            from_entry: plan.when_no_window == NoWindow::FromEntry,
            buffer: plan.buffer.unwrap_or(self.buffer),
            grace: sound(plan.late_input_grace.unwrap_or(self.grace)),
            retrigger_from_root: plan.retrigger_from_root,
            mash_lock: plan.mash_lock,
            can_be_cancelled: plan.can_be_cancelled,
            cancel_window_start: sound(plan.cancel_window_start),
            cancellable_by: plan.cancellable_by,
            ignored_cancels: plan.ignored_cancels,
            cancel_needs_root_move: plan.cancel_needs_root_move,
        })
    }

    fn wire(&self, plan: TransitionPlan) -> Result<Wire, GraphError> {
        let Some(to) = self.names.get(&plan.to).copied() else {
            return Err(GraphError::UnknownTarget { transition: plan.id, to: plan.to });
        };
        Ok(Wire {
            id: plan.id,
            to,
            fires_on: plan.fires_on,
            input: plan.input,
            priority: plan.priority,
            interrupts: plan.timing == Timing::Interrupt,
            required: plan.required_tags,
            blocked: plan.blocked_tags,
            conditions: plan.conditions,
            kinds: plan.window_kinds,
            accept_buffered: plan.accept_buffered,
            guards: self.hiding[to as usize].clone(),
        })
    }
}

/// By what they wait for: highest priority, then more conditions, then the author's order.
fn rank(wires: &[Wire]) -> [Vec<Rank>; 5] {
    let mut ranks: [Vec<Rank>; 5] = Default::default();
    for (at, wire) in wires.iter().enumerate() {
        ranks[wire.fires_on as usize].push(Rank { wire: at as u32, input: wire.input });
    }
    for rank in &mut ranks {
        rank.sort_by_key(|one| {
            let wire = &wires[one.wire as usize];
            (std::cmp::Reverse(wire.priority), std::cmp::Reverse(wire.conditions.len()))
        });
    }
    ranks
}

fn own_times(payload: &PayloadPlan) -> Option<Arc<MoveTimes>> {
    let (length, open) = match *payload {
        PayloadPlan::Hold { open_window, max_seconds } => {
            let limit = sound(max_seconds);
            (if limit > 0.0 { limit } else { f64::INFINITY }, open_window)
        }
        PayloadPlan::Delay { seconds, open_window } => (sound(seconds), open_window),
        _ => return None,
    };
    let mut times = MoveTimes::of_length(length);
    if open {
        times.windows.push(Window::new("", 0.0, f64::INFINITY));
    }
    Some(Arc::new(times))
}
