//! What scripts ask of an evaluator, of actions or of reactions.

use godot::prelude::*;
use riposte_core::action::{ActionRef, EndReason, Outcome, Run, RunId, StartRequest, TargetWish};

use super::driver::{self, State, following};
use super::evaluator_running::EvaluatorNode;
use super::{ActionContext, ActionDecision};
use crate::base::messages;

/// What scripts ask of both classes of evaluators.
pub(super) trait EvaluatorCalls: EvaluatorNode {
    fn running<R>(this: &Gd<Self>, read: impl FnOnce(&State, &Run) -> R) -> Option<R> {
        driver::with(this.instance_id(), |state| state.core.running().map(|run| read(state, run))).flatten()
    }

    fn known_ids(this: &Gd<Self>) -> Vec<String> {
        let list = |state: &mut State| state.core.listed().map(|row| row.1.id.name().to_owned()).collect();
        driver::with(this.instance_id(), list).unwrap_or_default()
    }

    /// The action of that name, if the evaluator ever met it; an error if not.
    fn find(this: &Gd<Self>, member: &str, action_id: &StringName) -> Option<ActionRef> {
        let name = action_id.to_string();
        let found = driver::with(this.instance_id(), |state| state.core.find(&name)).flatten();
        if found.is_none() {
            Self::tell_unknown(this, member, &name);
        }
        found
    }

    fn tell_unknown(this: &Gd<Self>, member: &str, name: &str) {
        let set = driver::current_set(this.instance_id()).resource;
        let place = match &set {
            Some(set) if !set.get_path().is_empty() => format!("set \"{}\"", set.get_path()),
            Some(_) => "the set".to_owned(),
            None => "this evaluator, which has no set".to_owned(),
        };
        let known = match Self::known_ids(this) {
            ids if ids.is_empty() => "none".to_owned(),
            ids => ids.join(", "),
        };
        let text = format!("no {} named \"{name}\" in {place}. Known: {known}.", Self::KIND);
        messages::error(&this.clone().upcast::<Node>(), member, name, &text);
    }

    fn cooldown_left(this: &Gd<Self>, member: &str, action_id: &StringName) -> f64 {
        let Some(action) = Self::find(this, member, action_id) else { return 0.0 };
        driver::with(this.instance_id(), |state| state.core.cooldown_left(action)).unwrap_or(0.0)
    }

    /// Puts on cooldown, or with 0 s frees.
    fn cool_down(this: &Gd<Self>, action_id: &StringName, seconds: f64) {
        let Some(action) = Self::find(this, "set_cooldown", action_id) else { return };
        if !seconds.is_finite() || seconds < 0.0 {
            let text = format!("set_cooldown() got {seconds} s for \"{action_id}\". Give 0 s or more.");
            messages::error(&this.clone().upcast::<Node>(), "set_cooldown", "seconds", &text);
            return;
        }
        driver::call(this.instance_id(), |state| state.core.set_cooldown(action, seconds));
    }

    /// All cooldowns: id → seconds left.
    fn cooldowns(this: &Gd<Self>) -> VarDictionary {
        let id = this.instance_id();
        let names = driver::side_names(id);
        let all = driver::with(id, |state| state.core.cooldowns()).unwrap_or_default();
        let mut found = VarDictionary::new();
        for (action, left) in all {
            found.set(&names[action.0 as usize], left);
        }
        found
    }

    /// Ends what runs; only two reasons are allowed.
    fn abort(this: &Gd<Self>, member: &str, reason: i64) -> bool {
        let allowed = [EndReason::Cancelled, EndReason::Interrupted];
        let Some(reason) = allowed.into_iter().find(|allowed| allowed.code() == reason) else {
            let text = format!("{member}() got the reason {reason}. Use END_CANCELLED or END_INTERRUPTED.");
            messages::error(&this.clone().upcast::<Node>(), member, "reason", &text);
            return false;
        };
        driver::call(this.instance_id(), |state| state.core.abort(reason)).unwrap_or(false)
    }

    /// The recorded decisions, oldest first.
    fn history(this: &Gd<Self>) -> Array<Gd<ActionDecision>> {
        let kept = driver::with(this.instance_id(), |state| state.core.history().collect::<Vec<_>>());
        kept.unwrap_or_default().into_iter().map(ActionDecision::from_core).collect()
    }

    /// The id of what runs, here or on the peer that decides; 0 if nothing does.
    fn run_id(this: &Gd<Self>) -> RunId {
        let own = || Self::running(this, |_, run| run.id()).unwrap_or(0);
        following::run(this.instance_id()).map_or_else(own, |run| run.run)
    }

    /// Its target, if that is live.
    fn run_target(this: &Gd<Self>) -> Option<Gd<Node>> {
        if let Some(run) = following::run(this.instance_id()) {
            return run.target;
        }
        Self::running(this, |_, run| run.target()).flatten().and_then(driver::node_of)
    }

    /// How long it has run; 0 if nothing does.
    fn run_time(this: &Gd<Self>) -> f64 {
        let own = || Self::running(this, |_, run| run.elapsed()).unwrap_or(0.0);
        following::run(this.instance_id()).map_or_else(own, |run| run.elapsed)
    }

    /// The set in use, here or on the peer that decides, and its source.
    fn active_set(this: &Gd<Self>) -> (Option<Gd<Resource>>, i64) {
        following::set(this.instance_id()).unwrap_or_else(|| {
            let current = driver::current_set(this.instance_id());
            (current.resource, current.source.code())
        })
    }

    /// What runs, by name; empty if nothing does.
    fn running_name(this: &Gd<Self>) -> StringName {
        if let Some(run) = following::run(this.instance_id()) {
            return run.action;
        }
        let name = Self::running(this, |state, run| state.core.name(run.action()).to_owned());
        name.map(|name| StringName::from(&name)).unwrap_or_default()
    }

    fn execute(
        this: &Gd<Self>,
        member: &str,
        action_id: &StringName,
        context: Option<Gd<ActionContext>>,
        respect_gates: bool,
    ) -> RunId {
        if !Self::is_active(this, member) {
            return 0;
        }
        let id = this.instance_id();
        let name = action_id.to_string();
        let listed =
            |state: &mut State| state.core.find(&name).filter(|action| state.core.index(*action).is_some());
        let action = driver::with(id, listed).flatten();
        if action.is_none() {
            Self::tell_unknown(this, member, &name);
        }
        let target = context.as_ref().and_then(|context| context.bind().target_id());
        let target = target.filter(|target| driver::is_live(*target));
        let target = target.map_or(TargetWish::Focus, |target| TargetWish::Key(driver::key_of(target)));
        let run = driver::with(id, |state| state.core.next_run_id()).unwrap_or(0);
        if let Some(context) = context {
            driver::give_context(id, run, context);
        }
        if action.is_none() {
            driver::name_refused(id, run, action_id);
        }
        let request = StartRequest { action, target, respect_gates };
        let queued = driver::call(id, |state| state.core.execute(request).1).unwrap_or(false);
        let started = driver::with(id, |state| matches!(state.core.take_outcome(), Outcome::Started(_)));
        if queued || started.unwrap_or(false) { run } else { 0 }
    }
}

impl<T: EvaluatorNode> EvaluatorCalls for T {}
