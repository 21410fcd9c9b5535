//! A graph that is ready to be played. Immutable, shared by all its players.

use std::sync::Arc;

use super::parts::{
    ConditionPlan, CooldownPlan, CostPlan, GraphGatePlan, HookPlan, Needs, PartsWorld, TagLists,
};
use super::plan::{GraphPlan, NodePlan, PayloadPlan, ROOT, TransitionPlan};
use super::reason::{BufferMode, FiresOn, NoWindow, Timing};
use super::{MoveTimes, Window};
use crate::tags::TagId;

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
    /// What must be on the agent, and what must not; `None`: all the same.
    pub agent_tags: Option<Box<TagLists>>,
    /// All of them must pass.
    pub conditions: Box<[ConditionPlan]>,
    /// Only while a window of one of these is open; empty: the plain one.
    pub kinds: Box<[Arc<str>]>,
    /// Inputs that have waited count too.
    pub accept_buffered: bool,
    /// The node that it leads to has gates which hide it while they are closed.
    pub guarded: bool,
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
    pub costs: Box<[CostPlan]>,
    /// Asked before the start.
    pub gates: Box<[GraphGatePlan]>,
    /// Some gate hands out something.
    pub holds_gates: bool,
    /// What rides its runs.
    pub hooks: Box<[HookPlan]>,
    /// Its charges.
    pub cooldown: Option<Box<CooldownPlan>>,
    /// Where it leads, in the author's order.
    pub wires: Box<[Wire]>,
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
    pub cancellable_by: Box<[TagId]>,
    /// These never cut it.
    pub ignored_cancels: Box<[TagId]>,
    /// Only inputs that the root answers cut it.
    pub cancel_needs_root_move: bool,
    /// On the agent while it runs.
    pub applied: Arc<[TagId]>,
    /// Some hook acts in every tick.
    pub(super) ticks: bool,
    /// The times of a stance or a pause.
    pub(super) own_times: Option<Arc<MoveTimes>>,
    /// Its transitions by what they wait for, then the best first.
    ranks: Box<[Rank]>,
    /// By what they wait for: where those that wait for the next thing begin.
    ends: [u32; 5],
    /// Bits of the tags that its transitions wait for.
    inputs: u64,
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
        let at = fires_on as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.ranks[start as usize..self.ends[at] as usize]
    }

    /// False: no transition waits for one of the tags with these bits.
    pub(super) fn may_answer(&self, bits: u64) -> bool {
        self.inputs & bits != 0
    }

    /// Of its gates that hide it, the first that is closed.
    pub(super) fn hidden_by(&self, world: &PartsWorld) -> Option<usize> {
        self.gates.iter().filter(|gate| may_hide(gate)).position(|gate| gate.hides(world))
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
    nodes: Box<[Node]>,
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
    pub fn compile(plan: GraphPlan) -> Result<Arc<Self>, GraphError> {
        let GraphPlan { buffer, late_input_grace, nodes: mut plans, attributes, .. } = plan;
        plans.sort_by(|a, b| rank_of(&a.id).cmp(&rank_of(&b.id)));
        if plans.first().is_none_or(|first| &*first.id != ROOT) {
            plans.insert(0, NodePlan::new(ROOT));
        }
        if let Some(twins) = plans.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(GraphError::DuplicateNode(twins[0].id.clone()));
        }
        let targets = plans.iter().map(|node| (node.id.clone(), node.gates.iter().any(may_hide))).collect();
        let defaults = Defaults { buffer, grace: late_input_grace, targets };
        let mut graph = Self {
            nodes: plans.into_iter().map(|node| defaults.node(node)).collect::<Result<_, _>>()?,
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
                self.cooldowns.push((**cooldown).clone());
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
        find(&self.nodes, id, |node| &node.id)
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

/// The place of a name among things in the order of [`rank_of`].
fn find<T>(all: &[T], id: &str, name: impl Fn(&T) -> &str) -> Option<u32> {
    all.binary_search_by(|one| rank_of(name(one)).cmp(&rank_of(id))).ok().map(|at| at as u32)
}

/// No time is negative or no number, and none is so long that products of times and speeds are no numbers any more.
pub(super) fn sound(seconds: f64) -> f64 {
    const LONGEST: f64 = 1e9;
    if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 }
}

fn may_hide(gate: &GraphGatePlan) -> bool {
    gate.hides && gate.tags.is_some()
}

struct Defaults {
    buffer: BufferMode,
    grace: f64,
    /// The nodes: their names, and whether gates may hide them.
    targets: Vec<(Arc<str>, bool)>,
}

impl Defaults {
    fn node(&self, plan: NodePlan) -> Result<Node, GraphError> {
        let wires: Box<[Wire]> =
            plan.transitions.into_iter().map(|wire| self.wire(wire)).collect::<Result<_, _>>()?;
        let (ranks, ends) = rank(&wires);
        Ok(Node {
            inputs: ranks[..ends[FiresOn::ReleasedEarly as usize] as usize].iter().fold(0, with_input),
            ranks,
            ends,
            own_times: own_times(&plan.payload),
            ticks: plan.hooks.iter().any(HookPlan::ticks),
            applied: plan.applied_tags.into(),
            id: plan.id,
            display_name: plan.display_name,
            enabled: plan.enabled,
            payload: plan.payload,
            costs: plan.costs.into(),
            gates: plan.gates.into(),
            holds_gates: plan.holds_gates,
            hooks: plan.hooks.into(),
            cooldown: plan.cooldown.map(Box::new),
            wires,
            from_entry: plan.when_no_window == NoWindow::FromEntry,
            buffer: plan.buffer.unwrap_or(self.buffer),
            grace: sound(plan.late_input_grace.unwrap_or(self.grace)),
            retrigger_from_root: plan.retrigger_from_root,
            mash_lock: plan.mash_lock,
            can_be_cancelled: plan.can_be_cancelled,
            cancel_window_start: sound(plan.cancel_window_start),
            cancellable_by: plan.cancellable_by.into(),
            ignored_cancels: plan.ignored_cancels.into(),
            cancel_needs_root_move: plan.cancel_needs_root_move,
        })
    }

    fn wire(&self, plan: TransitionPlan) -> Result<Wire, GraphError> {
        let Some(to) = find(&self.targets, &plan.to, |target| &target.0) else {
            return Err(GraphError::UnknownTarget { transition: plan.id, to: plan.to });
        };
        let tags = TagLists { required: plan.required_tags, blocked: plan.blocked_tags };
        Ok(Wire {
            id: plan.id,
            to,
            fires_on: plan.fires_on,
            input: plan.input,
            priority: plan.priority,
            interrupts: plan.timing == Timing::Interrupt,
            agent_tags: (tags != TagLists::default()).then(|| Box::new(tags)),
            conditions: plan.conditions.into(),
            kinds: plan.window_kinds.into(),
            accept_buffered: plan.accept_buffered,
            guarded: self.targets[to as usize].1,
        })
    }
}

/// By what they wait for: highest priority, then more conditions, then the author's order. And where each of these ends.
fn rank(wires: &[Wire]) -> (Box<[Rank]>, [u32; 5]) {
    let all = wires.iter().enumerate();
    let mut ranks: Box<[Rank]> = all.map(|(at, wire)| Rank { wire: at as u32, input: wire.input }).collect();
    let wire = |rank: &Rank| &wires[rank.wire as usize];
    ranks.sort_by_key(|rank| {
        let wire = wire(rank);
        (wire.fires_on, std::cmp::Reverse(wire.priority), std::cmp::Reverse(wire.conditions.len()))
    });
    let ends =
        std::array::from_fn(|at| ranks.partition_point(|rank| wire(rank).fires_on as usize <= at) as u32);
    (ranks, ends)
}

/// A transition without an input takes any.
fn with_input(bits: u64, rank: &Rank) -> u64 {
    bits | rank.input.map_or(u64::MAX, TagId::bit)
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
