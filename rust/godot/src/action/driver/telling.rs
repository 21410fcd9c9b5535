//! Events of the core become signals.

use godot::prelude::*;
use riposte_core::action::{ActionRef, Event};

use super::{following, logging, recording, runs, sides, with};
use crate::action::{ActionDecision, ActionEvaluator};
use crate::base::messages;

pub(super) fn tell(id: InstanceId, event: Event) {
    let Ok(node) = Gd::<ActionEvaluator>::try_from_instance_id(id) else { return };
    let mut signals = node.signals();
    let name = |action| sides::name(id, action);
    logging::event(&node, event);
    following::note(id, event);
    match event {
        Event::CooldownStarted(action, seconds) => signals.cooldown_started().emit(&name(action), seconds),
        Event::CooldownExpired(action) => signals.cooldown_expired().emit(&name(action)),
        Event::Started(action, target, run) => {
            let target = runs::live_target(target);
            signals.action_started().emit(&name(action), target.as_ref(), run);
        }
        Event::Retargeted(action, target, run) => {
            let target = runs::live_target(target);
            signals.action_retargeted().emit(&name(action), target.as_ref(), run);
        }
        Event::Ended(action, reason, run) => {
            signals.action_ended().emit(&name(action), reason.code(), run);
        }
        Event::StartRefused(action, refusal, run) => {
            drop(runs::take_given(id, run));
            let name = action.map_or_else(|| sides::take_refused(id, run), name);
            signals.start_refused().emit(&name, refusal.code(), run);
        }
        Event::RecoveryStarted(seconds) => signals.recovery_started().emit(seconds),
        Event::RecoveryEnded => signals.recovery_ended().emit(),
        Event::NoValidAction => signals.no_valid_action().emit(),
        // It is told what the authority uses; an import tells nothing.
        Event::SetChanged if following::is_copy(id) || is_quiet(id) => {}
        Event::SetChanged => {
            let set = sides::current_set(id);
            signals.action_set_changed().emit(set.resource.as_ref(), set.source.code());
        }
        Event::DecisionMade => tell_decision(&node),
        Event::BadFactor { action, scorer, value } => warn(&node, action, scorer, value),
        _ => {}
    }
}

fn is_quiet(id: InstanceId) -> bool {
    with(id, |state| state.quiet).unwrap_or(false)
}

fn tell_decision(node: &Gd<ActionEvaluator>) {
    let id = node.instance_id();
    let wants = recording::wants(id);
    let decision = ActionDecision::last_of(id);
    if wants.log_decisions {
        logging::decision(node, &decision);
    }
    if wants.tells {
        node.signals().decision_made().emit(&decision);
    }
}

fn warn(node: &Gd<ActionEvaluator>, action: ActionRef, scorer: Option<u32>, value: f64) {
    let name = sides::name(node.instance_id(), action);
    let (member, what, cause) = match scorer {
        Some(scorer) => ("scorers", format!("scorer {scorer} of action"), format!("{name} {scorer}")),
        None => {
            let member = "_modify_action_score";
            (member, format!("{member}() for action"), name.to_string())
        }
    };
    let text = format!("{what} \"{name}\" returned {value}; it counts as 0. Return a number of 0 or more.");
    messages::warning(node, member, &cause, &text);
}
