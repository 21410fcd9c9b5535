//! The part of a tick that belongs to awareness: after perception has settled and before anything is told.

use std::time::Instant;

use glam::DVec3;
use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::awareness::{Event, Frozen, MindKey, Problem, Question, Surroundings, Update};
use riposte_core::perception::{LossReason, Scope};

use super::asking::{self, Asker};
use super::state::Mind;
use super::telling::{Tell, Told};
use super::{AgentAwareness, freezing, fusing, policies, sides, state, syncing};
use crate::agent;
use crate::agent::providers;
use crate::base::lookup::{self, Part};
use crate::base::{messages, tags};
use crate::perception::{self, state as perception_state};

/// Counters of the last tick.
#[derive(Clone, Copy, Default)]
struct Stats {
    beliefs: u64,
    policy_calls: u64,
    adapter_calls: u64,
    usec: u64,
    /// Where the counters of calls stood when the tick began.
    calls_before: (u64, u64),
}

static STATS: Mutex<Stats> =
    Mutex::new(Stats { beliefs: 0, policy_calls: 0, adapter_calls: 0, usec: 0, calls_before: (0, 0) });

/// Of the last tick: beliefs updated, calls of policies, calls of adapters, microseconds.
pub(crate) fn stats() -> [i64; 4] {
    let stats = *STATS.lock();
    [stats.beliefs, stats.policy_calls, stats.adapter_calls, stats.usec].map(u64::cast_signed)
}

/// A tick begins: settings that changed count from now on. Nothing may be bound or locked.
pub(crate) fn prepare() {
    let calls_before = (policies::calls(), providers::calls());
    *STATS.lock() = Stats { calls_before, ..Stats::default() };
    syncing::sync_changed();
}

/// Updates the minds of the perceivers that ticked. Runs policies and asks the game: nothing may be bound or locked.
pub(crate) fn update(scope: Scope) -> Told {
    let mut told = Told::default();
    let mut due = Vec::new();
    perception_state::with(|state| {
        if !state.minds.is_empty() {
            state.minds.world.due(&state.world, scope, &mut due);
        }
    });
    if !due.is_empty() {
        let began = Instant::now();
        let places = origins(&due);
        let beliefs = due.iter().zip(places).enumerate().map(|(at, (key, origin))| {
            due.get(at + 1).copied().into_iter().for_each(fusing::expect);
            update_one(*key, origin, &mut told)
        });
        let beliefs = beliefs.sum();
        let mut stats = STATS.lock();
        stats.beliefs = beliefs;
        stats.usec = began.elapsed().as_micros() as u64;
    }
    let mut stats = STATS.lock();
    stats.policy_calls = policies::calls() - stats.calls_before.0;
    stats.adapter_calls = providers::calls() - stats.calls_before.1;
    told
}

/// Where the perceivers of minds are.
fn origins(minds: &[MindKey]) -> Vec<DVec3> {
    let perceivers: Vec<_> = perception_state::with(|state| {
        let placed = |key: &MindKey| {
            let perceiver = state.minds.world.perceiver(*key)?;
            state.world.perceiver_place(perceiver).map(|_| perceiver)
        };
        minds.iter().map(placed).collect()
    });
    perception::origins_of(&perceivers)
}

/// How far an update came at the first look.
enum Start {
    /// There is nobody to update.
    Nobody,
    /// Whom to ask has to be found out first.
    Unknown(InstanceId, Mind),
    /// Something has to be asked.
    Asks(InstanceId, Asker, Question),
    /// It is over, and there is something to tell.
    Over(InstanceId),
    /// It is over without anything to tell: so many beliefs.
    Quiet(u64),
}

/// Returns the number of beliefs.
fn update_one(key: MindKey, origin: DVec3, told: &mut Told) -> u64 {
    let node = match perception_state::with(|state| start(state, key, origin)) {
        Start::Nobody => return 0,
        Start::Quiet(beliefs) => return beliefs,
        Start::Over(node) => node,
        Start::Asks(node, asker, question) => {
            asker.run_from(question);
            node
        }
        Start::Unknown(node, mind) => {
            let Some(update) = begin(node, &mind, origin) else { return 0 };
            Asker::new(node, key, mind.agent, update).run();
            node
        }
    };
    finish(node, key, told)
}

/// The whole update under one lock, as far as nobody has to be asked: the usual case.
fn start(state: &mut perception_state::State, key: MindKey, origin: DVec3) -> Start {
    let minds = &mut state.minds;
    let Some((node, mind)) = minds.node(key).and_then(|id| Some((id, minds.mind(id)?))) else {
        return Start::Nobody;
    };
    if mind.known != Some(state::stamp()) {
        return Start::Unknown(node, mind);
    }
    let update = tags::with_table(|table| {
        let around = Surroundings { perception: &state.world, tags: table, origin, own_tags: None };
        minds.world.begin(key, &around)
    });
    let Some(update) = update else { return Start::Nobody };
    let mut asker = Asker::new(node, key, mind.agent, update);
    if let Some(question) = asker.next(state, None) {
        return Start::Asks(node, asker, question);
    }
    if !state.minds.world.is_quiet(key) {
        return Start::Over(node);
    }
    protect(state, &mind);
    Start::Quiet(state.minds.world.belief_count(key) as u64)
}

/// The record of the attention target is never displaced.
fn protect(state: &mut perception_state::State, mind: &Mind) {
    if let Some(perceiver) = mind.perceiver.filter(|_| mind.active) {
        state.world.set_protected(perceiver, state.minds.world.attention_target(mind.key));
    }
}

fn begin(node: InstanceId, mind: &Mind, origin: DVec3) -> Option<Update> {
    let stamp = state::stamp();
    let asks = asking::asks(mind.agent);
    let start = |own: Option<&riposte_core::tags::TagSet>| {
        perception_state::with(|state| {
            tags::with_table(|table| {
                let around = Surroundings { perception: &state.world, tags: table, origin, own_tags: own };
                state.minds.world.set_asks(mind.key, asks);
                state.minds.world.begin(mind.key, &around)
            })
        })
    };
    // With a source its tags are in the source's.
    let bare = |agent: &InstanceId| {
        lookup::part_of(*agent, Part::StimulusSource).is_none() && agent::has_container(*agent)
    };
    if let Some(agent) = mind.agent.filter(bare) {
        return agent::read_tags(agent, |own, _| start(Some(own)));
    }
    state::with(|minds| {
        if let Some(mind) = minds.mind_mut(node) {
            mind.known = Some(stamp);
        }
    });
    start(None)
}

/// What came of an update.
#[derive(Default)]
struct Outcome {
    events: Vec<Event>,
    problems: Vec<Problem>,
    /// Beliefs that were removed, and whether their target itself is gone.
    removed: Vec<(Frozen, bool)>,
    beliefs: u64,
}

impl Outcome {
    /// Nothing if the node or its agent is gone by now.
    fn take(node: InstanceId, key: MindKey) -> Self {
        perception_state::with(|state| {
            let mut outcome = Self::default();
            let Some(mind) = state.minds.mind(node) else { return outcome };
            protect(state, &mind);
            let minds = &mut state.minds.world;
            minds.take_events(key, &mut outcome.events);
            minds.take_problems(key, &mut outcome.problems);
            outcome.beliefs = minds.belief_count(key) as u64;
            let ended = mind.perceiver.map_or(&[][..], |perceiver| state.world.ended(perceiver));
            let is_gone = |id| ended.iter().any(|end| end.target.id == id && end.reason == LossReason::Gone);
            let removed = minds.removed(key).iter();
            outcome.removed =
                removed.map(|frozen| (frozen.clone(), is_gone(frozen.belief.target.id))).collect();
            outcome
        })
    }
}

/// Passes on what came of an update; returns the number of beliefs.
fn finish(node: InstanceId, key: MindKey, told: &mut Told) -> u64 {
    let Outcome { events, problems, removed, beliefs } = Outcome::take(node, key);
    let of = |event: &Event| match event {
        Event::State { belief, .. } | Event::Level { belief, .. } => Some(*belief),
        _ => None,
    };
    let kept = freezing::freeze_removed(node, removed, |belief| {
        events.iter().any(|event| of(event) == Some(belief))
    });
    for event in events {
        let record = of(&event).map(|belief| {
            let known = kept.iter().find(|(known, _)| *known == belief).map(|(_, record)| record.clone());
            known.unwrap_or_else(|| sides::record(node, belief))
        });
        told.push(Tell { node, event, record });
    }
    for problem in problems {
        complain(node, problem);
    }
    beliefs
}

fn complain(node: InstanceId, problem: Problem) {
    let Ok(node) = Gd::<AgentAwareness>::try_from_instance_id(node) else { return };
    let (member, text) = match problem {
        Problem::Fusion(_) => (
            "fusion_policy",
            "_fuse_confidence() gave no number, which counts as 0. Return a number from 0 to 1.",
        ),
        Problem::Threat(_) => (
            "threat_policy",
            "_score_threat() gave no number, which counts as 0. Return a number from 0 to 1.",
        ),
        Problem::Stranger => (
            "attention_policy",
            "_select_attention_target() chose what is neither a candidate nor the current target, which is kept. \
             Return one of candidates, current or null.",
        ),
        Problem::Relationship(_) | Problem::Health(_) => return,
    };
    messages::error(&node, member, "answer", text);
}
