//! Events of the core become signals.

use godot::prelude::*;
use riposte_core::action::{ActionRef, Event};

use super::{following, logging, reacting, recording, runs, sides, with};
use crate::action::names::names;
use crate::action::{ActionDecision, ActionEvaluator, ActionSet};
use crate::base::messages;

pub(super) fn tell(id: InstanceId, event: Event) {
    if !id.lookup_validity() {
        return;
    }
    logging::event(id, event);
    following::note(id, event);
    match event {
        Event::DecisionMade => tell_decision(id),
        Event::BadFactor { action, scorer, value } => warn(id, action, scorer, value),
        Event::Started(_, _, run) => {
            runs::forget_given(id, run);
            tell_class(id, event);
        }
        _ => tell_class(id, event),
    }
}

fn tell_class(id: InstanceId, event: Event) {
    if reacting::is_reacting(id) {
        reacting::tell(id, event);
    } else if let Ok(node) = Gd::<ActionEvaluator>::try_from_instance_id(id) {
        tell_action(&node, event);
    }
}

/// Somebody listens to what would be told: of most starts and ends nobody hears.
fn is_heard(node: &Gd<ActionEvaluator>, event: Event) -> bool {
    let names = names();
    let signal = match event {
        Event::Started(..) => &names.action_started,
        Event::Ended(..) => &names.action_ended,
        Event::CooldownStarted(..) => &names.cooldown_started,
        Event::CooldownExpired(_) => &names.cooldown_expired,
        _ => return true,
    };
    node.has_connections(signal)
}

fn tell_action(node: &Gd<ActionEvaluator>, event: Event) {
    if !is_heard(node, event) {
        return;
    }
    let id = node.instance_id();
    let mut signals = node.signals();
    let name = |action| sides::name(id, action);
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
            let current = sides::current_set(id);
            let set = current.resource.and_then(|set| set.try_cast::<ActionSet>().ok());
            signals.action_set_changed().emit(set.as_ref(), current.source.code());
        }
        _ => {}
    }
}

pub(super) fn is_quiet(id: InstanceId) -> bool {
    with(id, |state| state.quiet).unwrap_or(false)
}

fn tell_decision(id: InstanceId) {
    let wants = recording::wants(id);
    let decision = ActionDecision::last_of(id);
    if wants.log_decisions {
        logging::decision(id, &decision);
    }
    if wants.tells
        && let Ok(node) = Gd::<ActionEvaluator>::try_from_instance_id(id)
    {
        node.signals().decision_made().emit(&decision);
    }
}

fn warn(id: InstanceId, action: ActionRef, scorer: Option<u32>, value: f64) {
    let Ok(node) = Gd::<Node>::try_from_instance_id(id) else { return };
    let (kind, name) = (reacting::kind(id), sides::name(id, action));
    let (member, what, cause) = match scorer {
        Some(scorer) => {
            ("scorers".to_owned(), format!("scorer {scorer} of {kind}"), format!("{name} {scorer}"))
        }
        None => {
            let member = names().judge(reacting::is_reacting(id)).modify.to_string();
            (member.clone(), format!("{member}() for {kind}"), name.to_string())
        }
    };
    let text = format!("{what} \"{name}\" returned {value}; it counts as 0. Return a number of 0 or more.");
    messages::warning(&node, &member, &cause, &text);
}
