//! Lines in the log about decisions and runs, for those who switched them on.

use godot::global::godot_print;
use godot::prelude::*;
use riposte_core::action::{EndReason, Event, RunId};

use super::{recording, runs, sides, with};
use crate::action::ActionDecision;
use crate::base::messages;

/// Prints a decision with all its candidates.
pub(super) fn decision(id: InstanceId, decision: &Gd<ActionDecision>) {
    if let Ok(node) = Gd::<Object>::try_from_instance_id(id) {
        godot_print!("{}: {}", messages::label(&node), ActionDecision::text(decision));
    }
}

/// Prints what an event says about a run, if the node logs that.
pub(super) fn event(id: InstanceId, event: Event) {
    if !recording::wants(id).log_execution {
        return;
    }
    let name = |action| sides::name(id, action);
    let on = |target| {
        runs::live_target(target)
            .map_or_else(String::new, |node| format!(" on {}", messages::node_place(&node)))
    };
    let text = match event {
        Event::Started(action, target, run) => format!("{} #{run} started{}", name(action), on(target)),
        Event::Retargeted(action, target, run) => format!("{} #{run} turned{}", name(action), on(target)),
        Event::Ended(action, reason, run) => {
            let elapsed = with(id, |state| state.core.ended_after()).unwrap_or(0.0);
            format!("{} #{run} ended {} after {elapsed:.2} s", name(action), end_name(reason))
        }
        Event::StartRefused(action, refusal, run) => {
            let name = action.map_or_else(|| sides::peek_refused(id, run), name);
            let step = with(id, |state| state.core.refused_step()).unwrap_or(1);
            format!("{name} #{run} refused at S{step}: {}", refusal.name())
        }
        Event::Pending(action, delay) => format!("{} waits for {delay:.2} s", name(action)),
        Event::EventRefused(key) => {
            let context = runs::given_context(id, key);
            let tag = context.map(|context| context.bind().event_tag.to_string()).unwrap_or_default();
            format!("event {tag} has no answer")
        }
        _ => return,
    };
    print(id, &text);
}

/// Prints what a method says about its run, if the node logs that.
pub(super) fn note(id: InstanceId, run: RunId, text: &str) {
    if !recording::wants(id).log_execution {
        return;
    }
    let action = with(id, |state| state.core.run(run).map(|run| run.plan().id.name().to_owned())).flatten();
    print(id, &format!("{} #{run} {text}", action.unwrap_or_default()));
}

fn print(id: InstanceId, text: &str) {
    let now = with(id, |state| state.core.now()).unwrap_or(0.0);
    if let Ok(node) = Gd::<Object>::try_from_instance_id(id) {
        godot_print!("{} {now:.2} s: {text}", messages::label(&node));
    }
}

fn end_name(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Completed => "COMPLETED",
        EndReason::Interrupted => "INTERRUPTED",
        EndReason::Cancelled => "CANCELLED",
        EndReason::TimedOut => "TIMED_OUT",
        EndReason::Failed => "FAILED",
    }
}
