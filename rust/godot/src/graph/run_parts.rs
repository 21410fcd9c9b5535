//! What the driver of a player calls: payloads, hooks, conditions, gates and costs. Nothing is bound, borrowed or locked during a
//! call, and each of them may free anything.

#![allow(dead_code, reason = "the driver calls it")]

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::MoveTimes;

use super::animation_plan::AnimationPlan;
use super::{ActionRun, driver, targeting};
use crate::action::{DecisionContext, gate_alone};

/// What a run is about, fixed when it starts.
#[derive(Clone)]
pub(crate) struct RunData {
    /// The ActionGraphPlayer.
    pub player: InstanceId,
    /// The agent of it.
    pub agent: InstanceId,
    /// The node by its index in the compiled graph that the run started with.
    pub node: u32,
    /// The node by name.
    pub node_id: StringName,
    /// What ran before; `root` from there.
    pub from_node: StringName,
    /// Names the run in its player; 0: it is only being considered.
    pub run: u64,
    /// The input that led to it, empty without one.
    pub input_tag: StringName,
    /// The moment of it.
    pub moment: i64,
    /// The stick at that moment.
    pub stick: Vector2,
    /// The direction in the world at that moment.
    pub direction: Vector2,
    /// The kind of window that was used.
    pub window_kind: StringName,
    /// It comes from a saved state.
    pub restored: bool,
}

/// A run, or one that is being considered.
#[derive(Clone)]
pub(crate) struct RunRef(Rc<Inner>);

struct Inner {
    data: RunData,
    /// What scripts get, made when the first of them is asked.
    handle: OnceCell<Gd<ActionRun>>,
    /// The same as scripts are given it.
    argument: OnceCell<Variant>,
    /// What scripted gates get, made when the first of them is asked.
    context: OnceCell<Gd<DecisionContext>>,
}

impl RunRef {
    /// A run.
    pub(crate) fn new(data: RunData) -> Self {
        Self(Rc::new(Inner {
            data,
            handle: OnceCell::new(),
            argument: OnceCell::new(),
            context: OnceCell::new(),
        }))
    }

    /// What it is about.
    pub(crate) fn data(&self) -> &RunData {
        &self.0.data
    }

    /// The ActionGraphPlayer.
    pub(crate) fn player(&self) -> InstanceId {
        self.0.data.player
    }

    /// The agent, if it is still there.
    pub(crate) fn agent(&self) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(self.0.data.agent).ok()
    }

    /// The target as it is now.
    pub(crate) fn target(&self) -> Option<Gd<Node>> {
        targeting::target_of(self.0.data.player)
    }

    /// The handle that scripts get: the same one for the whole run.
    pub(crate) fn handle(&self) -> Gd<ActionRun> {
        self.0.handle.get_or_init(|| ActionRun::of(&self.0.data)).clone()
    }

    /// The handle as an argument, made once.
    pub(crate) fn argument(&self) -> &Variant {
        self.0.argument.get_or_init(|| self.handle().to_variant())
    }

    /// The handle for a hook: one that may not finish its node gets another one.
    pub(crate) fn hook_handle(&self, may_finish: bool) -> Gd<ActionRun> {
        if may_finish { self.handle() } else { ActionRun::limited(&self.0.data) }
    }

    /// What scripted gates get. Runs methods of the agent.
    pub(crate) fn gate_context(&self) -> Gd<DecisionContext> {
        if let Some(made) = self.0.context.get() {
            return made.clone();
        }
        let target = self.target().map(|node| node.instance_id());
        let made = gate_alone::context(self.0.data.agent, target, &self.0.data.node_id);
        self.0.context.get_or_init(|| made).clone()
    }

    /// True while it runs.
    pub(crate) fn is_current(&self) -> bool {
        driver::is_current(&self.0.data)
    }

    /// Completes the node. False if the run is over.
    pub(crate) fn finish(&self) -> bool {
        driver::finish_run(&self.0.data)
    }

    /// From now on the run has these times, and ends with them. False if it is over.
    pub(crate) fn set_times(&self, times: Arc<MoveTimes>) -> bool {
        driver::set_run_times(&self.0.data, times)
    }
}

/// How a payload is started.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// Which of the animations in the four directions: 0 forward, 1 back, 2 left, 3 right.
    pub variant: u8,
    /// Where in the move; above 0 only of one that is restored.
    pub node_time: f64,
    /// How fast the node runs now, as in [`PayloadPart::follow`].
    pub speed: f64,
}

/// What a payload has to hear of the steps of its runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    Nothing,
    /// It does nothing but set the animation right that it plays.
    Play,
    /// Every step.
    Steps,
}

/// What became of a start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begun {
    /// It goes on.
    Lives,
    /// It is over already.
    Ends,
}

/// The payload of a node, shared by all agents. What it keeps of a run lies under the player's id.
pub(crate) trait PayloadPart {
    /// Whether a run could begin. Asked only if the compiled payload says so. Changes nothing.
    fn can_start(&self, _run: &RunRef) -> bool {
        true
    }

    /// The node is entered.
    fn start(&self, run: &RunRef, start: Start) -> Begun;

    /// The node is left at this time; `reason` is one of the `END_*` constants.
    fn stop(&self, run: &RunRef, reason: i64, node_time: f64);

    /// Whether [`PayloadPart::follow`] is wanted. The same for all of its runs.
    fn follows(&self) -> Follows {
        Follows::Nothing
    }

    /// Once per step, and when the speed changed: where the node is, how fast it runs now (0: it stands still), and how much of
    /// its time has passed since the last call.
    fn follow(&self, _run: &RunRef, _node_time: f64, _speed: f64, _passed: f64) {}

    /// The animations it plays, if it does.
    fn animation(&self) -> Option<&AnimationPlan> {
        None
    }

    /// Files to load when a graph with it becomes active. Runs scripts.
    fn preload_paths(&self) -> Vec<GString> {
        Vec::new()
    }

    /// Seconds after which it can be left for another move, at this speed; `None`: not known. Runs scripts.
    fn earliest_chain(&self, _speed: f64) -> Option<f64> {
        None
    }

    /// For how many seconds it lasts at this speed; `None`: not known. Runs scripts.
    fn completion(&self, _speed: f64) -> Option<f64> {
        None
    }
}

/// A hook of a node; each run has a copy of its own.
pub(crate) trait HookPart {
    /// The copy for one run.
    fn begin(&self) -> Rc<dyn HookRun>;
}

/// The copy of a hook that rides one run.
pub(crate) trait HookRun {
    /// The node was entered.
    fn enter(&self, _run: &RunRef) {}
    /// The node is left; `reason` is one of the `END_*` constants.
    fn exit(&self, _run: &RunRef, _reason: i64) {}
    /// A step in which player time passed.
    fn tick(&self, _run: &RunRef, _delta: f64) {}
    /// The animation passed a marker.
    fn marker(&self, _run: &RunRef, _name: &StringName) {}
}

/// A condition that a script evaluates.
pub(crate) trait ConditionPart {
    /// Whether it passes, before `invert`.
    fn evaluate(&self, run: &RunRef) -> bool;
}

/// A cost that a script decides on.
pub(crate) trait CostPart {
    /// Whether it could be paid.
    fn can_pay(&self, run: &RunRef) -> bool;
    /// Pays it.
    fn pay(&self, run: &RunRef);
}

/// A gate that the core does not answer itself.
pub(crate) trait GateAsk {
    /// Whether it lets the node start. Changes nothing.
    fn is_open(&self, run: &RunRef) -> bool;
    /// The node was entered: what the gate holds is taken.
    fn take(&self, _run: &RunRef) {}
    /// The run is over.
    fn release(&self, _run: &RunRef) {}
}
