//! The engine's side of the run, and of runs that are being considered.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::graph::Candidate;

use super::compiled::CompiledGraph;
use super::run_parts::{Follows, GateAsk, HookRun, PayloadPart, RunData, RunRef};
use super::state::{State, with};
use crate::base::{lookup, tags};

/// What runs.
#[derive(Clone)]
pub(super) struct Living {
    pub run: RunRef,
    /// The graph that it was started in.
    pub graph: Rc<CompiledGraph>,
    pub payload: Option<Rc<dyn PayloadPart>>,
    /// What its payload has to hear of its steps.
    pub follows: Follows,
    pub gates: Vec<Rc<dyn GateAsk>>,
    /// Its own copies of hooks that scripts have, by their index.
    pub hooks: Vec<Option<Rc<dyn HookRun>>>,
}

/// What scripts were asked about last, so that several questions about one input share a handle.
pub(super) struct Considered {
    candidate: Candidate,
    run: RunRef,
}

/// The run of this number, made known when the first effect names it.
pub(super) fn living(id: InstanceId, run: u64) -> Option<Living> {
    let known =
        with(id, |state| state.living.as_ref().filter(|living| living.run.data().run == run).cloned());
    known.flatten().or_else(|| begin(id, run))
}

fn begin(id: InstanceId, run: u64) -> Option<Living> {
    let agent = lookup::agent_of(id)?;
    let (living, old) = with(id, |state| {
        let living = state.start(id, agent, run)?;
        Some((living.clone(), state.living.replace(living)))
    })??;
    drop(old);
    Some(living)
}

impl State {
    fn start(&self, id: InstanceId, agent: InstanceId, run: u64) -> Option<Living> {
        let info = self.core.run().filter(|info| info.run == run)?;
        let graph = self.graph()?.clone();
        let parts = graph.nodes.get(info.node as usize)?;
        let about = Candidate {
            node: info.node,
            from: info.from,
            tag: info.tag,
            moment: info.moment,
            stick: info.stick,
            direction: info.direction,
        };
        let mut data = self.data_of(id, agent, &graph, &about);
        data.run = run;
        data.window_kind = StringName::from(&*info.window_kind);
        data.restored = info.restored;
        let hooks = parts.hooks.iter().map(|_| None).collect();
        Some(Living {
            run: RunRef::new(data),
            payload: parts.payload.clone(),
            follows: parts.payload.as_ref().map_or(Follows::Nothing, |payload| payload.follows()),
            gates: parts.gates.iter().flatten().cloned().collect(),
            hooks,
            graph,
        })
    }

    /// Names the run that is there.
    pub fn run_id(&self) -> Option<u64> {
        Some(self.core.run_id()).filter(|run| *run != 0)
    }

    fn data_of(
        &self,
        id: InstanceId,
        agent: InstanceId,
        graph: &CompiledGraph,
        about: &Candidate,
    ) -> RunData {
        let name = |node: u32| graph.nodes.get(node as usize).map(|node| node.id.clone()).unwrap_or_default();
        let vector = |v: glam::DVec2| Vector2::new(v.x as f32, v.y as f32);
        RunData {
            player: id,
            agent,
            node: about.node,
            node_id: name(about.node),
            from_node: name(about.from),
            run: 0,
            input_tag: about.tag.map(tags::name).unwrap_or_default(),
            moment: about.moment.code(),
            stick: vector(about.stick),
            direction: vector(about.direction),
            window_kind: StringName::default(),
            restored: false,
        }
    }
}

/// A run that is being considered: the same one as before while the questions are about the same.
pub(super) fn considered(id: InstanceId, candidate: &Candidate) -> Option<RunRef> {
    let known = with(id, |state| {
        let known = state.considered.as_ref().filter(|known| known.candidate == *candidate);
        known.map(|known| known.run.clone())
    });
    if let Some(run) = known.flatten() {
        return Some(run);
    }
    let agent = lookup::agent_of(id)?;
    let (run, old) = with(id, |state| {
        let graph = state.graph()?.clone();
        let run = RunRef::new(state.data_of(id, agent, &graph, candidate));
        let considered = Considered { candidate: *candidate, run: run.clone() };
        Some((run, state.considered.replace(considered)))
    })??;
    drop(old);
    Some(run)
}

/// The run that is there.
pub(super) fn current(id: InstanceId) -> Option<RunRef> {
    let run = with(id, |state| state.run_id()).flatten()?;
    living(id, run).map(|living| living.run)
}
