//! What a graph is made of, as its author wrote it: plain data, filled by whoever reads the resources.

use std::sync::Arc;

use super::parts::{ConditionPlan, CooldownPlan, CostPlan, GraphGatePlan, HookPlan};
use super::reason::{BufferMode, FiresOn, NoWindow, Timing};
use crate::tags::TagId;

/// The name of the node in which nothing runs.
pub const ROOT: &str = "root";

/// A graph to be compiled. Nodes may stand in any order; one of them may be [`ROOT`], which has transitions only.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphPlan {
    /// Which press made before the window waits.
    pub buffer: BufferMode,
    /// Seconds after a move ran to its end in which a press still follows its transitions.
    pub late_input_grace: f64,
    /// How long a press waits that only the root answers; 0: for ever.
    pub held_input_restart_window: f64,
    /// How long a press waits that the running node answers; 0: for ever.
    pub combo_input_lifetime: f64,
    /// A node that was entered by a press which is up by now gets its release at once.
    pub resync_releases: bool,
    /// Names of the attributes that costs read by index.
    pub attributes: Vec<String>,
    /// The nodes.
    pub nodes: Vec<NodePlan>,
}

impl Default for GraphPlan {
    fn default() -> Self {
        Self {
            buffer: BufferMode::AcceptLast,
            late_input_grace: 0.25,
            held_input_restart_window: 0.35,
            combo_input_lifetime: 0.0,
            resync_releases: true,
            attributes: Vec::new(),
            nodes: Vec::new(),
        }
    }
}

/// What a node plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PayloadPlan {
    /// Nothing: it ends at once.
    #[default]
    None,
    /// An animation. Its times are in the [`super::Binding`].
    Animation {
        /// It has other animations for other directions.
        variants: bool,
        /// A direction that is shorter is none.
        direction_dead_zone: f64,
        /// If the agent turns to its input, the animation forward plays.
        turn_to_input: bool,
    },
    /// A stance.
    Hold {
        /// Its window is open from the start.
        open_window: bool,
        /// It completes after so many seconds; 0: never.
        max_seconds: f64,
    },
    /// A pause.
    Delay {
        /// It completes after so many seconds.
        seconds: f64,
        /// Its window is open from the start.
        open_window: bool,
    },
    /// Whoever drives the machine is asked what becomes of it ([`super::Question::Execute`]).
    Asked {
        /// And before that whether it could start ([`super::Question::CanStart`]).
        may_fail: bool,
    },
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodePlan {
    /// Its name, unique in the graph.
    pub id: Arc<str>,
    /// What people read; empty: the name.
    pub display_name: Arc<str>,
    /// False: it cannot start.
    pub enabled: bool,
    /// What it plays.
    pub payload: PayloadPlan,
    /// Paid at the start.
    pub costs: Vec<CostPlan>,
    /// Asked before the start.
    pub gates: Vec<GraphGatePlan>,
    /// Some gate takes something that the run holds: [`super::Effect::TakeGates`] and [`super::Effect::ReleaseGates`] are told.
    pub holds_gates: bool,
    /// What rides its runs.
    pub hooks: Vec<HookPlan>,
    /// Its charges.
    pub cooldown: Option<CooldownPlan>,
    /// Where it leads, in the order that decides between equals.
    pub transitions: Vec<TransitionPlan>,
    /// What it does without a plain window.
    pub when_no_window: NoWindow,
    /// In place of the graph's.
    pub buffer: Option<BufferMode>,
    /// In place of the graph's.
    pub late_input_grace: Option<f64>,
    /// If it cannot start, what the root says to the same input is tried once.
    pub retrigger_from_root: bool,
    /// A press before a better window loses that window.
    pub mash_lock: bool,
    /// Inputs that the root answers may cut it.
    pub can_be_cancelled: bool,
    /// Node time from which it may be cut.
    pub cancel_window_start: f64,
    /// Only these cut it; empty: any.
    pub cancellable_by: Vec<TagId>,
    /// These never cut it.
    pub ignored_cancels: Vec<TagId>,
    /// Off: a press that the root does not answer cuts it too.
    pub cancel_needs_root_move: bool,
    /// On the agent while it runs.
    pub applied_tags: Vec<TagId>,
}

impl NodePlan {
    /// A node that plays nothing and leads nowhere.
    pub fn new(id: &str) -> Self {
        Self {
            id: Arc::from(id),
            display_name: Arc::from(""),
            enabled: true,
            payload: PayloadPlan::None,
            costs: Vec::new(),
            gates: Vec::new(),
            holds_gates: false,
            hooks: Vec::new(),
            cooldown: None,
            transitions: Vec::new(),
            when_no_window: NoWindow::AtCompletion,
            buffer: None,
            late_input_grace: None,
            retrigger_from_root: false,
            mash_lock: false,
            can_be_cancelled: false,
            cancel_window_start: 0.1,
            cancellable_by: Vec::new(),
            ignored_cancels: Vec::new(),
            cancel_needs_root_move: true,
            applied_tags: Vec::new(),
        }
    }
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionPlan {
    /// Its name, unique in the graph.
    pub id: Arc<str>,
    /// The name of the node that it leads to; [`ROOT`]: the move is left.
    pub to: Arc<str>,
    /// What it waits for.
    pub fires_on: FiresOn,
    /// The input that it waits for, with all below it; `None` for ends and failures.
    pub input: Option<TagId>,
    /// The highest wins.
    pub priority: i32,
    /// When it may be taken.
    pub timing: Timing,
    /// All of them must be on the agent.
    pub required_tags: Vec<TagId>,
    /// None of them may.
    pub blocked_tags: Vec<TagId>,
    /// All of them must pass.
    pub conditions: Vec<ConditionPlan>,
    /// Only while a window of one of these kinds is open; empty: the plain window.
    pub window_kinds: Vec<Arc<str>>,
    /// Off: an input that has waited does not count.
    pub accept_buffered: bool,
}

impl TransitionPlan {
    /// A transition that a press of `input` takes.
    pub fn new(id: &str, to: &str, fires_on: FiresOn, input: Option<TagId>) -> Self {
        Self {
            id: Arc::from(id),
            to: Arc::from(to),
            fires_on,
            input,
            priority: 0,
            timing: Timing::WaitForWindow,
            required_tags: Vec::new(),
            blocked_tags: Vec::new(),
            conditions: Vec::new(),
            window_kinds: Vec::new(),
            accept_buffered: true,
        }
    }
}
