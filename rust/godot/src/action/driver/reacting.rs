//! What a node that answers events has to do with the agent's actions, and what it tells.

use godot::prelude::*;
use riposte_core::action::{ActionRef, EndReason, Event, Outcome, ReactionEvent, Rival, TargetWish};
use riposte_core::tags::{TagId, TagSet};

use super::{following, key_of, runs, sides, telling, with};
use crate::action::{ActionContext, ReactionEvaluator, ReactionSet};
use crate::base::lookup::{self, Part};
use crate::base::tags;

/// The node answers events.
pub(in crate::action) fn is_reacting(id: InstanceId) -> bool {
    with(id, |state| state.core.is_reacting()).unwrap_or(false)
}

/// What the node's set holds, for messages.
pub(super) fn kind(id: InstanceId) -> &'static str {
    if is_reacting(id) { "reaction" } else { "action" }
}

/// The ActionEvaluator of the same agent.
pub(in crate::action) fn sibling(id: InstanceId) -> Option<InstanceId> {
    let agent = with(id, |state| state.agent).flatten()?;
    lookup::part_of(agent, Part::Evaluator)
}

/// What the agent's action is. Nothing for a node that chooses actions itself.
pub(super) fn rival(id: InstanceId) -> Option<Rival> {
    let sibling = is_reacting(id).then(|| sibling(id)).flatten()?;
    with(sibling, |state| state.core.rival()).flatten()
}

/// The agent's action ends: a reaction takes its place.
pub(super) fn interrupt_action(id: InstanceId) {
    if let Some(sibling) = sibling(id) {
        super::call(sibling, |state| state.core.abort(EndReason::Interrupted));
    }
}

/// An event happened to the agent: the reaction that starts or waits. The context is the node's own.
pub(in crate::action) fn react(
    id: InstanceId,
    tag: TagId,
    context: Gd<ActionContext>,
    target: Option<InstanceId>,
) -> Option<StringName> {
    let magnitude = context.bind().magnitude;
    let target = target.map_or(TargetWish::Focus, |target| TargetWish::Key(key_of(target)));
    let tags = tags::with_table(|table| TagSet::new(table, [tag]));
    let key = with(id, |state| state.next_event())?;
    runs::give_context(id, key, context);
    let event = ReactionEvent { tags, magnitude, target, context: key };
    super::call(id, |state| state.core.react(event));
    match with(id, |state| state.core.take_outcome())? {
        Outcome::Reacted(action) => Some(sides::name(id, action)),
        _ => None,
    }
}

/// Tells an event of a node that answers events.
pub(super) fn tell(id: InstanceId, event: Event) {
    let Ok(mut node) = Gd::<ReactionEvaluator>::try_from_instance_id(id) else { return };
    let name = |action: ActionRef| sides::name(id, action);
    match event {
        Event::CooldownStarted(action, seconds) => {
            node.signals().cooldown_started().emit(&name(action), seconds);
        }
        Event::CooldownExpired(action) => node.signals().cooldown_expired().emit(&name(action)),
        Event::Started(action, target, run) => {
            let target = runs::live_target(target);
            node.signals().reaction_started().emit(&name(action), target.as_ref(), run);
        }
        Event::Ended(action, reason, run) => {
            node.signals().reaction_ended().emit(&name(action), reason.code(), run);
        }
        Event::Pending(action, delay) => node.signals().reaction_pending().emit(&name(action), delay),
        Event::EventRefused(key) => tell_refused(&mut node, key),
        Event::StartRefused(action, _, run) => {
            if action.is_none() {
                drop(sides::take_refused(id, run));
            }
            tell_refused(&mut node, run);
        }
        Event::RecoveryAdded(seconds) => {
            if let Some(sibling) = sibling(id) {
                super::call(sibling, |state| state.core.add_recovery(seconds));
            }
        }
        // It is told what the authority uses.
        Event::SetChanged if following::is_copy(id) || telling::is_quiet(id) => {}
        Event::SetChanged => {
            let current = sides::current_set(id);
            let set = current.resource.and_then(|set| set.try_cast::<ReactionSet>().ok());
            node.signals().reaction_set_changed().emit(set.as_ref(), current.source.code());
        }
        _ => {}
    }
}

/// Nothing came of an event, or of a forced start.
fn tell_refused(node: &mut Gd<ReactionEvaluator>, key: i64) {
    let context = runs::take_given(node.instance_id(), key);
    let tag = context.map(|context| context.bind().event_tag.clone()).unwrap_or_default();
    node.signals().reaction_refused().emit(&tag);
}
