//! Runs of actions: the private duplicate of the method, its context, the tags on the agent.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::action::{
    Answer, ContextKey, EndReason, Prepare, Run, RunId, TargetKey, TargetWish, TokenClaim,
};
use riposte_core::tags::TagId;

use super::hooks::{self, Hooks};
use super::sides::{list, side};
use super::world::{self, node_of};
use super::{key_of, places, reacting, recording, ticks, tokens, with};
use crate::action::ActionContext;
use crate::action::method_run::{Delta, MethodRun, RunLink, RunResult};
use crate::agent;
use crate::base::messages;

/// The engine's side of one run.
pub(super) struct RunSide {
    pub(super) id: RunId,
    /// The name of the context that it came with.
    given: ContextKey,
    run: Rc<dyn MethodRun>,
    context: Gd<ActionContext>,
    hooks: Option<Hooks>,
    tags: Vec<TagId>,
    /// The container that got the tags.
    tagged: Option<InstanceId>,
    /// The combat tokens that it took.
    pub(super) claim: Option<TokenClaim>,
}

/// S1 and S2: the context, the private duplicate, the pre-check.
pub(super) fn prepare(id: InstanceId, prepare: &Prepare) -> Answer {
    match make(id, prepare) {
        Some(made) => {
            Answer::Prepared { ok: made.run.can_begin(&made.context), target: made.target.map(key_of) }
        }
        None => Answer::Prepared { ok: false, target: None },
    }
}

/// What a run begins with.
pub(super) struct Made {
    pub run: Rc<dyn MethodRun>,
    pub context: Gd<ActionContext>,
    pub target: Option<InstanceId>,
}

/// The context and the private duplicate.
pub(super) fn make(id: InstanceId, prepare: &Prepare) -> Option<Made> {
    let given = given_context(id, prepare.context);
    let agent = with(id, |state| state.agent).flatten()?;
    let set = list(id, prepare.list)?;
    let method = set.sides.get(prepare.index)?.method.as_ref()?;
    let reacts = super::reacting::is_reacting(id);
    let context = match &given {
        Some(given) => ActionContext::copy_for_event(given, reacts),
        None => ActionContext::new_gd(),
    };
    let named = given.is_some().then(|| context.bind().target_id()).flatten();
    let wish = match named.filter(|target| world::is_live(*target)) {
        Some(target) => TargetWish::Key(key_of(target)),
        None => prepare.target,
    };
    let target = world::find_target(id, wish);
    let outside = given.is_some() || reacts;
    fill(&context, agent, target, &set.sides[prepare.index].id, outside);
    let run = method.new_run(RunLink { evaluator: id, run: prepare.run });
    let mut tags = set.plan.actions()[prepare.index].add_tags.ids().to_vec();
    tags.sort_unstable();
    tags.dedup();
    let given = prepare.context;
    let hooks = hooks::find(id, prepare.run, set.sides[prepare.index].hook.as_ref(), &context);
    let row = RunSide {
        id: prepare.run,
        given,
        run: run.clone(),
        context: context.clone(),
        hooks,
        tags,
        tagged: None,
        claim: None,
    };
    side(id, |side| side.runs.push(row));
    Some(Made { run, context, target })
}

fn fill(
    context: &Gd<ActionContext>,
    agent: InstanceId,
    target: Option<InstanceId>,
    action: &StringName,
    given: bool,
) {
    let way = places::way(agent, target);
    let mut context = context.clone();
    let mut context = context.bind_mut();
    context.mark_given(given);
    context.set_instigator_id(Some(agent));
    context.set_target_id(target);
    context.action_id = action.clone();
    context.distance = way.distance;
    context.direction = way.direction;
}

/// S5.
pub(super) fn begin(id: InstanceId, prepared: RunId) -> Answer {
    const REFUSED: Answer = Answer::Begun { ok: false, timeout: 0.0, instant: false, ticks: false };
    let Some((run, context)) = find(id, prepared) else { return REFUSED };
    // The agent may be gone: nothing of the run is called any more then.
    if !run.begin(&context) || !is_kept(id, prepared) {
        return REFUSED;
    }
    let timeout = checked_timeout(id, &context, run.timeout());
    Answer::Begun { ok: true, timeout, instant: run.is_instant(), ticks: wants_ticks(id, prepared, &run) }
}

/// Whether a run that begins wants ticks; then it is kept at hand for them.
pub(super) fn wants_ticks(id: InstanceId, run: RunId, method: &Rc<dyn MethodRun>) -> bool {
    let ticks = method.wants_tick();
    if ticks {
        ticks::keep(id, run, method);
    }
    ticks
}

pub(super) fn checked_timeout(id: InstanceId, context: &Gd<ActionContext>, seconds: f64) -> f64 {
    if seconds.is_finite() && seconds > 0.0 {
        return seconds;
    }
    if seconds == 0.0 {
        return recording::hard_timeout();
    }
    if let Ok(node) = Gd::<Node>::try_from_instance_id(id) {
        let (kind, action) = (reacting::kind(id), context.bind().action_id.to_string());
        let text = format!(
            "the method of {kind} \"{action}\" has a time-out of {seconds} s; it is read as 0. Give 0 s or more."
        );
        messages::warning(&node, "timeout", &action, &text);
    }
    recording::hard_timeout()
}

/// The run goes on with another target.
pub(super) fn retarget(id: InstanceId, run: RunId, target: TargetKey) -> Answer {
    let agent = with(id, |state| state.agent).flatten();
    let Some((agent, node)) = agent.zip(node_of(target)) else { return Answer::Bool(false) };
    let moved = find(id, run).is_some() && tokens::follow(id, run, node.instance_id());
    let Some((run, context)) = find(id, run).filter(|_| moved) else { return Answer::Bool(false) };
    // Whoever heard of the tokens may have freed it: the run loses it in its next step.
    if !node.is_instance_valid() {
        return Answer::Bool(true);
    }
    let (action, given) = {
        let context = context.bind();
        (context.action_id.clone(), context.is_given())
    };
    fill(&context, agent, Some(node.instance_id()), &action, given);
    run.retarget(Some(&node));
    Answer::Bool(true)
}

/// R3: true if the target is gone; then the context has none any more.
pub(super) fn is_lost(id: InstanceId, run: RunId, target: TargetKey) -> Answer {
    let lost = node_of(target).is_none();
    if let Some((_, mut context)) = find(id, run).filter(|_| lost) {
        context.bind_mut().set_target_id(None);
    }
    Answer::Bool(lost)
}

/// The hooks of a run, if it has some.
pub(super) fn hooks(id: InstanceId, run: RunId) -> Option<Hooks> {
    side(id, |side| side.runs.iter().find(|row| row.id == run)?.hooks.clone())
}

/// R5.
pub(super) fn tick(id: InstanceId, run: RunId, delta: &Delta) {
    let run = side(id, |side| side.runs.iter().find(|row| row.id == run).map(|row| row.run.clone()));
    if let Some(run) = run {
        run.tick(delta);
    }
}

/// E2, or the undoing of a vetoed start.
pub(super) fn abort(id: InstanceId, run: RunId, reason: EndReason) {
    if let Some((run, _)) = find(id, run) {
        run.abort(reason.code());
    }
}

/// S8.
pub(super) fn add_tags(id: InstanceId, run: RunId) {
    let tags = side(id, |side| side.runs.iter().find(|row| row.id == run).map(|row| row.tags.clone()));
    let agent = with(id, |state| state.agent).flatten();
    let Some((tags, agent)) = tags.zip(agent) else { return };
    let tagged = agent::add_tags(agent, &tags);
    side(id, |side| {
        if let Some(row) = side.runs.iter_mut().find(|row| row.id == run) {
            row.tagged = tagged;
        }
    });
}

/// E3.
pub(super) fn remove_tags(id: InstanceId, run: RunId) {
    let row = side(id, |side| {
        let row = side.runs.iter_mut().find(|row| row.id == run)?;
        row.tagged.take().map(|container| (container, row.tags.clone()))
    });
    if let Some((container, tags)) = row {
        agent::remove_tags(container, &tags);
    }
    if let Some((run, _)) = find(id, run) {
        run.ended();
    }
}

/// E7.
pub(super) fn release(id: InstanceId, run: RunId) {
    tokens::give_back(id, run);
    let gone = side(id, |side| {
        let at = side.runs.iter().position(|row| row.id == run)?;
        Some(side.runs.swap_remove(at))
    });
    if let Some(gone) = gone {
        gone.run.ended();
    }
}

/// The run has not been released.
pub(super) fn is_kept(id: InstanceId, run: RunId) -> bool {
    side(id, |side| side.runs.iter().any(|row| row.id == run))
}

pub(super) fn find(id: InstanceId, run: RunId) -> Option<(Rc<dyn MethodRun>, Gd<ActionContext>)> {
    side(id, |side| {
        let row = side.runs.iter().find(|row| row.id == run)?;
        Some((row.run.clone(), row.context.clone()))
    })
}

/// The context of a run.
pub(in crate::action) fn running_context(id: InstanceId, run: RunId) -> Option<Gd<ActionContext>> {
    find(id, run).map(|found| found.1)
}

/// Keeps the context of a start until it is performed.
pub(in crate::action) fn give_context(id: InstanceId, run: ContextKey, context: Gd<ActionContext>) {
    side(id, |side| side.given.push((run, context)));
}

/// The context of a start or event, which is kept until the run started or was refused.
pub(super) fn given_context(id: InstanceId, key: ContextKey) -> Option<Gd<ActionContext>> {
    side(id, |side| side.given.iter().find(|entry| entry.0 == key).map(|entry| entry.1.clone()))
}

/// A run started: what it was given is not needed any more.
pub(super) fn forget_given(id: InstanceId, run: RunId) {
    let key = side(id, |side| side.runs.iter().find(|row| row.id == run).map(|row| row.given));
    drop(key.and_then(|key| take_given(id, key)));
}

/// Nothing that was asked for is started any more.
pub(in crate::action) fn forget_contexts(id: InstanceId) {
    drop(side(id, |side| std::mem::take(&mut side.given)));
}

pub(super) fn take_given(id: InstanceId, run: ContextKey) -> Option<Gd<ActionContext>> {
    side(id, |side| {
        let at = side.given.iter().position(|entry| entry.0 == run)?;
        Some(side.given.swap_remove(at).1)
    })
}

/// What a method says about its run; only the first time counts.
pub(super) fn record(link: RunLink, result: RunResult) -> bool {
    let reason = match result {
        RunResult::Success => EndReason::Completed,
        RunResult::Failure => EndReason::Failed,
        RunResult::Interrupted => EndReason::Interrupted,
        RunResult::TimedOut => {
            return with(link.evaluator, |state| state.core.time_out(link.run)).unwrap_or(false);
        }
        RunResult::Cancelled => EndReason::Cancelled,
    };
    with(link.evaluator, |state| state.core.record_result(link.run, reason)).unwrap_or(false)
}

/// False: the run ended, has a result, or its end was asked for.
pub(super) fn goes_on(link: RunLink) -> bool {
    let read = |state: &mut super::State| state.core.run(link.run).is_some_and(Run::goes_on);
    with(link.evaluator, read).unwrap_or(false)
}

/// What the action that runs, or begins, hands to its behaviour trees.
pub(in crate::action) fn payload(id: InstanceId) -> Option<Gd<Resource>> {
    let runs: Vec<_> = side(id, |side| side.runs.iter().rev().map(|row| row.run.clone()).collect());
    runs.iter().find_map(|run| run.payload())
}

/// Seconds since the start of a run; `None` after its end.
pub(super) fn elapsed(link: RunLink) -> Option<f64> {
    with(link.evaluator, |state| state.core.run(link.run).map(Run::elapsed)).flatten()
}

/// The live target of a run, if it has one.
pub(super) fn live_target(target: Option<TargetKey>) -> Option<Gd<Node>> {
    target.and_then(node_of)
}
