//! Keeps the state of all evaluators, and performs what the core asks for.
//!
//! The core's state is behind one lock, found by the node's instance id; what only the engine knows (resources,
//! runs, contexts) is on the main thread beside it. Both are held for moments: every question is performed with
//! nothing bound and nothing locked, so whatever it runs may call any method of the evaluator.

mod ahead;
pub(super) mod alone;
pub(in crate::action) mod bodies;
mod contexts;
pub(super) mod following;
pub(super) mod frames;
mod hooks;
mod judging;
mod logging;
pub(super) mod monitors;
mod perform;
pub(super) mod places;
mod quick;
mod reacting;
pub(super) mod recording;
pub(super) mod resuming;
mod runs;
mod sides;
pub(super) mod sight;
pub(super) mod stepping;
mod targets;
mod telling;
mod ticks;
mod tokens;
mod world;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};

use godot::prelude::*;
use parking_lot::{Mutex, MutexGuard};
use riposte_core::action::{Evaluator, Needs, Question, Settings, TargetKey, Ticket, WantedReadings};
use riposte_core::tags::TagId;

pub(super) use hooks::request_recovery;
pub(super) use reacting::{is_reacting, react, sibling};
pub(crate) use recording::logs_execution;
pub(super) use runs::{forget_contexts, give_context, payload, running_context};
pub(super) use sides::{
    CurrentSet, activity, current_set, name_refused, set_current, set_source, side_names, sources,
};
pub(super) use targets::{nodes_in, ordered_candidates};
pub(super) use world::{attention_target, focus_target, is_live, node_of, threat};

use super::context_data::ContextData;
use super::motion::{self, Motion};
use super::run_access::{self, RunAccess};
use crate::base::engine_reads::Reader;
use crate::base::store::NodeStore;
use crate::base::ticking;
use world::TagCache;

/// Distance, in world units, and unit vector from an agent to its target; nothing without one.
pub(super) fn way_to(agent: InstanceId, target: Option<InstanceId>) -> (f64, Vector3) {
    let way = places::way(agent, target);
    (way.distance, way.direction)
}

/// Everything about one evaluator that a step needs. In memory in this order: before the core stands what every step reads.
#[repr(C)]
pub(in crate::action) struct State {
    pub callback: i64,
    pub time_scale: f64,
    pub agent: Option<InstanceId>,
    pub target: Option<InstanceId>,
    pub weapon: Option<InstanceId>,
    /// While one of them is there, nothing is chosen.
    pub holders: Vec<InstanceId>,
    /// A step is on the stack.
    pub stepping: bool,
    /// Compiled sets are kept for a decision that may still need them.
    pub retired: bool,
    /// The node's script has a say in every decision.
    pub judges: bool,
    pub use_perception: bool,
    pub needs: Needs,
    glance: stepping::Glance,
    pub motion: Motion,
    pub lod: frames::Lod,
    pub following: following::Following,
    pub core: Evaluator,
    pub driven: ticking::Driven,
    pub auto_start: bool,
    /// Events of the agent's AbilitySystem are answered.
    pub listens: bool,
    pub random_seed: i64,
    /// The number of its start among all evaluators.
    pub ordinal: Option<u64>,
    /// Targets to choose among, as a script gave them.
    pub candidates: Vec<InstanceId>,
    /// The node's script chooses them.
    pub scripted_candidates: bool,
    /// It is being asked for them.
    pub asking_candidates: bool,
    /// The numbers that its actions look at.
    pub readings: Arc<WantedReadings>,
    pub eye: sight::Eye,
    /// Combat tokens that the actions take.
    pub token_tags: Arc<[TagId]>,
    pub recording: recording::Recording,
    /// A state was imported: the seed is its seed.
    pub restored: bool,
    /// An import goes on: nothing is told.
    pub quiet: bool,
    /// Events so far.
    events: i64,
    cache: TagCache,
    /// The target of what runs, as it was last looked after.
    aim: Option<Reader>,
}

impl State {
    /// Holders that were freed do not hold.
    pub fn count_holders(&mut self) {
        self.holders.retain(|holder| holder.lookup_validity());
        self.core.hold_selection(!self.holders.is_empty());
    }

    /// The way of the agent is measured in every step.
    fn follows_motion(&self) -> bool {
        self.motion.wanted || self.needs.scripts || self.judges
    }

    /// The name of the next event's context: below those of runs.
    fn next_event(&mut self) -> i64 {
        self.events -= 1;
        self.events
    }
}

static STATES: States = States { states: Mutex::new(NodeStore::new()), looks: AtomicU64::new(0) };

/// The states of all evaluators, and how often somebody looked at them.
struct States {
    states: Mutex<NodeStore<State>>,
    looks: AtomicU64,
}

impl States {
    fn lock(&self) -> MutexGuard<'_, NodeStore<State>> {
        let states = self.states.lock();
        // Only who has the lock writes it.
        self.looks.store(self.looks() + 1, Ordering::Relaxed);
        states
    }

    /// The same number as before: no evaluator was read or changed meanwhile.
    fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }
}

/// Makes the state of a node under construction.
pub(super) fn create(id: InstanceId) -> InstanceId {
    create_with(id, Evaluator::new(Settings::default()))
}

/// The same for a node that answers events.
pub(super) fn create_reacting(id: InstanceId) -> InstanceId {
    create_with(id, Evaluator::new_reacting(Settings::default()))
}

fn create_with(id: InstanceId, core: Evaluator) -> InstanceId {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        run_access::install(RunAccess {
            record: runs::record,
            goes_on: runs::goes_on,
            elapsed: runs::elapsed,
            note: |link, text| logging::note(link.evaluator, link.run, text),
        })
    });
    let state = State {
        core,
        driven: ticking::Driven::default(),
        callback: ticking::PROCESS_PHYSICS,
        time_scale: 1.0,
        auto_start: true,
        listens: true,
        use_perception: true,
        random_seed: 0,
        ordinal: None,
        agent: None,
        target: None,
        candidates: Vec::new(),
        scripted_candidates: false,
        asking_candidates: false,
        judges: false,
        weapon: None,
        holders: Vec::new(),
        stepping: false,
        needs: Needs::default(),
        readings: Arc::default(),
        motion: Motion::default(),
        eye: sight::Eye::default(),
        token_tags: Arc::default(),
        lod: frames::Lod { enabled: false, near: 20.0, far: 60.0, longest: 4.0 },
        retired: false,
        recording: recording::Recording::default(),
        following: following::Following::default(),
        restored: false,
        quiet: false,
        events: 0,
        cache: TagCache::default(),
        glance: stepping::Glance::default(),
        aim: None,
    };
    recording::created(id);
    STATES.lock().insert(id, state);
    id
}

/// Drops the state of a node that is freed.
pub(super) fn remove(id: InstanceId) {
    stepping::dismiss(id);
    STATES.lock().remove(id);
    recording::removed(id);
    sides::forget(id);
}

/// The state of a node, for a moment: nothing of the engine may be called inside.
pub(super) fn with<R>(id: InstanceId, act: impl FnOnce(&mut State) -> R) -> Option<R> {
    STATES.lock().get_mut(id).map(act)
}

/// Begins something in the core and performs all that follows from it. What `act` returns; `None` for a node
/// without a state.
pub(super) fn call<R>(id: InstanceId, act: impl FnOnce(&mut State) -> R) -> Option<R> {
    call_with(id, None, act)
}

/// The same with a context that takes the place of the world.
pub(super) fn call_with<R>(
    id: InstanceId,
    given: Option<&ContextData>,
    act: impl FnOnce(&mut State) -> R,
) -> Option<R> {
    let (result, base, first) = with(id, |state| {
        let base = state.core.depth();
        let result = act(state);
        (result, base, Asked::next(state, base))
    })?;
    pump(id, base, first, given);
    Some(result)
}

/// One step with nothing around it. `delta` is not yet scaled.
pub(super) fn step_alone(id: InstanceId, delta: f64) {
    if !quick::step(id, delta) {
        step_slowly(id, delta);
    }
}

/// A step that may ask anybody.
fn step_slowly(id: InstanceId, delta: f64) {
    frames::stretch_interval(id, delta);
    motion::follow(id, delta);
    let follows = following::follows(id);
    call(id, |state| {
        if !state.holders.is_empty() {
            state.count_holders();
        }
        if state.weapon.is_some_and(|weapon| !weapon.lookup_validity()) {
            state.weapon = None;
            state.core.mark_stale();
        }
        let scaled = delta * state.time_scale;
        let agent = state.agent.is_some_and(InstanceId::lookup_validity);
        if agent && !state.stepping && scaled > 0.0 {
            state.stepping = true;
            if follows {
                state.core.step_clock(scaled);
            } else {
                state.core.step(scaled);
            }
        }
    });
    with(id, |state| state.stepping = false);
}

/// What the core wants, or whether something is to be let go now that it wants nothing.
enum Asked {
    This(Ticket, Question),
    Nothing { settle: bool },
}

impl Asked {
    fn next(state: &mut State, base: usize) -> Self {
        match state.core.next(base) {
            Some((ticket, question)) => Self::This(ticket, question),
            None => Self::Nothing { settle: state.retired && state.core.depth() == 0 },
        }
    }
}

fn pump(id: InstanceId, base: usize, first: Asked, given: Option<&ContextData>) {
    let (mut asked, mut calls) = (first, judging::Calls::default());
    while let Asked::This(ticket, question) = asked {
        let next = match question {
            Question::Snapshot(wish) => {
                let seen = world::look(id, wish, given);
                let rival = reacting::rival(id);
                with(id, |state| {
                    state.core.set_rival(rival);
                    seen.with_snapshot(|snapshot| state.core.answer_snapshot(ticket, snapshot));
                    state.cache = seen.into_cache();
                    Asked::next(state, base)
                })
            }
            Question::Score(call) => {
                let scores = calls.scores(id, ticket, call);
                with(id, |state| {
                    state.core.answer_scores(ticket, scores);
                    Asked::next(state, base)
                })
            }
            question => {
                let answer = perform::perform(id, question, &mut calls);
                with(id, |state| {
                    state.core.answer(ticket, answer);
                    Asked::next(state, base)
                })
            }
        };
        asked = next.unwrap_or(Asked::Nothing { settle: false });
    }
    if let Asked::Nothing { settle: true } = asked {
        with(id, |state| state.retired = false);
        sides::settle(id);
    }
}

/// The core's name for a node.
pub(in crate::action) fn key_of(node: InstanceId) -> TargetKey {
    TargetKey(node.to_i64().cast_unsigned())
}
