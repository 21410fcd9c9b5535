//! What players hold of a graph: the compiled value of the core, and the parts that only the engine or a script can answer.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::builtin::StringName;
use riposte_core::graph::Graph;

use super::run_parts::{ConditionPart, CostPart, GateAsk, HookPart, PayloadPart};

/// A graph that is ready to be played, shared by all players. Main thread only.
pub(crate) struct CompiledGraph {
    /// What the machine walks.
    pub core: Arc<Graph>,
    /// By the index of the node in `core`.
    pub nodes: Vec<NodeParts>,
    /// No other compilation, of any graph, has it.
    pub stamp: u64,
}

/// The parts of a node. Where the core decides alone there is none in the place.
pub(crate) struct NodeParts {
    pub id: StringName,
    pub payload: Option<Rc<dyn PayloadPart>>,
    pub hooks: Vec<Option<Rc<dyn HookPart>>>,
    pub gates: Vec<Option<Rc<dyn GateAsk>>>,
    pub costs: Vec<Option<Rc<dyn CostPart>>>,
    /// By transition, then by condition.
    pub conditions: Vec<Vec<Option<Rc<dyn ConditionPart>>>>,
}

static NEXT: AtomicU64 = AtomicU64::new(1);

/// What was compiled of a graph since it changed last.
pub(crate) struct Compilation {
    stamp: u64,
    made: Option<Option<Rc<CompiledGraph>>>,
}

impl Default for Compilation {
    fn default() -> Self {
        Self { stamp: NEXT.fetch_add(1, Ordering::Relaxed), made: None }
    }
}

impl Compilation {
    /// The graph changed.
    pub(crate) fn spoil(&mut self) {
        *self = Self::default();
    }

    /// Another number after every change.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// The compiled graph, if nothing changed since; inside none if it has errors.
    pub(crate) fn known(&self) -> Option<Option<Rc<CompiledGraph>>> {
        self.made.clone()
    }

    /// Keeps what was compiled, unless a script that was asked has edited the graph meanwhile.
    pub(crate) fn keep(&mut self, made: Option<Rc<CompiledGraph>>, stamp: u64) {
        if self.stamp == stamp {
            self.made = Some(made);
        }
    }
}
