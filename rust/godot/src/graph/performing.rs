//! Performs what the core wants beside signals: questions, payloads, hooks, gates, costs, tags. Nothing is held meanwhile.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::graph::{Candidate, Effect, Question, RunningTag};
use riposte_core::tags::TagId;

use super::living::{Living, considered, living};
use super::run_parts::{Begun, HookRun, Start};
use super::state::with;
use super::{paying, peers, questions, tagging, telling};

/// Performs one effect.
pub(super) fn perform(id: InstanceId, effect: Effect) {
    if let Effect::Ask(ticket, question) = effect {
        return questions::ask(id, ticket, question);
    }
    note_change(id, &effect);
    peers::note(id, &effect);
    match effect {
        Effect::PayloadStart { run, variant, node_time, .. } => {
            start_payload(id, run, variant, node_time);
        }
        Effect::PayloadStop { run, reason, node_time, .. } => {
            if let Some(living) = living(id, run)
                && let Some(payload) = &living.payload
            {
                payload.stop(&living.run, reason.code(), node_time);
            }
        }
        Effect::HookEnter { run, hook, .. } => enter_hook(id, run, hook),
        Effect::HookExit { run, hook, reason, .. } => {
            if let Some((living, hook)) = hook_of(id, run, hook) {
                hook.exit(&living.run, reason.code());
            }
        }
        Effect::HookTick { run, hook, delta, .. } => {
            if let Some((living, hook)) = hook_of(id, run, hook) {
                hook.tick(&living.run, delta);
            }
        }
        Effect::Marker { run, name, .. } => pass_marker(id, run, &name),
        Effect::TakeGates { run, .. } => {
            if let Some(living) = living(id, run) {
                living.gates.iter().for_each(|gate| gate.take(&living.run));
            }
        }
        Effect::ReleaseGates { run, .. } => {
            if let Some(living) = living(id, run) {
                living.gates.iter().for_each(|gate| gate.release(&living.run));
            }
        }
        Effect::Tags { add, remove, running } => change_tags(id, &add, &remove, running),
        Effect::Pay { run, cost, .. } => paying::pay(id, run, cost),
        Effect::Drain { tag, amount } => paying::drain(id, tag, amount),
        effect => telling::tell(id, effect),
    }
}

/// What is not a signal may change the world. Signals say so themselves, where somebody hears them.
fn note_change(id: InstanceId, effect: &Effect) {
    let old = with(id, |state| {
        let changes = matches!(
            effect,
            Effect::PayloadStart { .. }
                | Effect::PayloadStop { .. }
                | Effect::HookEnter { .. }
                | Effect::HookExit { .. }
                | Effect::HookTick { .. }
                | Effect::Marker { .. }
                | Effect::TakeGates { .. }
                | Effect::ReleaseGates { .. }
                | Effect::Tags { .. }
                | Effect::Pay { .. }
                | Effect::Drain { .. }
        );
        if changes {
            state.world.spoil();
        }
        // Questions about one input share a handle; a later input gets another one.
        state.considered.take()
    });
    drop(old);
}

/// Asks a script.
pub(super) fn answer(id: InstanceId, question: &Question) -> bool {
    match question {
        Question::Condition { from, transition, index, candidate } => {
            let at = [*from, *transition, *index].map(|at| at as usize);
            let condition = with(id, |state| {
                let node = state.graph()?.nodes.get(at[0])?;
                node.conditions.get(at[1])?.get(at[2])?.clone()
            });
            let run = considered(id, candidate);
            condition.flatten().zip(run).is_none_or(|(condition, run)| condition.evaluate(&run))
        }
        Question::Gate { candidate, index } => {
            let gate = with(id, |state| {
                let node = state.graph()?.nodes.get(candidate.node as usize)?;
                node.gates.get(*index as usize)?.clone()
            });
            let run = considered(id, candidate);
            gate.flatten().zip(run).is_none_or(|(gate, run)| gate.is_open(&run))
        }
        Question::Cost { candidate, index } => {
            let cost = paying::cost_part(id, candidate.node, *index);
            cost.zip(considered(id, candidate)).is_none_or(|(cost, run)| cost.can_pay(&run))
        }
        Question::CanStart(candidate) => can_start(id, candidate),
        Question::Execute { run, .. } => start_payload(id, *run, 0, 0.0) == Begun::Lives,
    }
}

fn can_start(id: InstanceId, candidate: &Candidate) -> bool {
    let payload = with(id, |state| {
        let node = state.graph()?.nodes.get(candidate.node as usize)?;
        node.payload.clone()
    });
    payload.flatten().zip(considered(id, candidate)).is_none_or(|(payload, run)| payload.can_start(&run))
}

fn start_payload(id: InstanceId, run: u64, variant: u8, node_time: f64) -> Begun {
    let Some(living) = living(id, run) else { return Begun::Ends };
    let speed = with(id, |state| {
        let speed = state.speed();
        state.followed = (speed, node_time);
        speed
    });
    let start = Start { variant, node_time, speed: speed.unwrap_or(0.0) };
    match &living.payload {
        Some(payload) => payload.start(&living.run, start),
        None => Begun::Ends,
    }
}

/// A hook begins: from now on its copy rides the run.
fn enter_hook(id: InstanceId, run: u64, index: u32) {
    let Some(living) = living(id, run) else { return };
    let part = living.graph.nodes.get(living.run.data().node as usize);
    let part = part.and_then(|node| node.hooks.get(index as usize)?.clone());
    let Some(copy) = part.map(|part| part.begin()) else { return };
    let kept = with(id, |state| {
        let living = state.living.as_mut().filter(|living| living.run.data().run == run)?;
        *living.hooks.get_mut(index as usize)? = Some(copy.clone());
        Some(())
    });
    // One of a saved state began long ago.
    if kept.flatten().is_some() && !living.run.data().restored {
        copy.enter(&living.run);
    }
}

fn hook_of(id: InstanceId, run: u64, index: u32) -> Option<(Living, Rc<dyn HookRun>)> {
    let living = living(id, run)?;
    let hook = living.hooks.get(index as usize)?.clone()?;
    Some((living, hook))
}

/// The signal, then the hooks in their order.
fn pass_marker(id: InstanceId, run: u64, name: &str) {
    let name = StringName::from(name);
    telling::marker(id, &name);
    let Some(living) = living(id, run) else { return };
    for hook in living.hooks.iter().flatten() {
        if !living.run.is_current() {
            return;
        }
        hook.marker(&living.run, &name);
    }
}

fn change_tags(id: InstanceId, add: &[TagId], remove: &[TagId], running: RunningTag) {
    let tag = with(id, |state| match running {
        RunningTag::Stays => None,
        RunningTag::Added => {
            state.applied.running = state.running_tag;
            state.running_tag
        }
        RunningTag::Removed => state.applied.running.take(),
    });
    let Some(tag) = tag.flatten() else { return tagging::exchange(id, add, remove) };
    let whole = |tags: &[TagId], with: bool| {
        let mut tags = tags.to_vec();
        tags.extend(with.then_some(tag));
        tags
    };
    let comes = running == RunningTag::Added;
    tagging::exchange(id, &whole(add, comes), &whole(remove, !comes));
}
