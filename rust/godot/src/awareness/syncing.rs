//! Brings what the core works with up to date: profile, Perception, policies. Before a tick, and only for nodes that
//! changed.

use std::sync::Arc;

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::awareness::Profile;
use riposte_core::perception::PerceiverKey;

use super::state::Mind;
use super::{AgentAwareness, AwarenessProfile, profile_compile, sides, state};
use crate::base::callbacks::{connect, disconnect};
use crate::base::lookup::{self, Part};
use crate::base::settings;
use crate::perception::{self, state as perception_state};

/// Name of the connections of a node.
const WATCH: &str = "riposte_awareness";

/// Looks at the nodes that changed since the last tick. Nothing may be bound or locked.
pub(super) fn sync_changed() {
    let mut compiled = Vec::new();
    for node in state::take_changed() {
        if let Ok(node) = Gd::<AgentAwareness>::try_from_instance_id(node) {
            sync(&node, &mut compiled);
        }
    }
}

/// A signal said that something about the node changed.
pub(super) fn changed(node: InstanceId) {
    state::mark(node);
    if Engine::singleton().is_editor_hint()
        && let Ok(mut node) = Gd::<Node>::try_from_instance_id(node)
    {
        node.update_configuration_warnings();
    }
}

/// Listens to a profile instead of the one before.
pub(super) fn listen_to_profile(node: InstanceId, profile: Option<&Gd<AwarenessProfile>>) {
    let before = sides::set_profile(node, profile.cloned());
    if before.as_ref() == profile {
        return;
    }
    if let Some(before) = &before {
        disconnect(before, "changed", node, WATCH);
    }
    if let Some(profile) = profile {
        connect(profile, "changed", node, WATCH, changed);
    }
}

/// Listens to the children of an agent instead of the one before; the other nodes of both agents look again too.
pub(super) fn listen_to_agent(node: InstanceId, agent: Option<InstanceId>) {
    let before = state::with(|minds| {
        let mind = minds.mind_mut(node)?;
        mind.known = None;
        std::mem::replace(&mut mind.agent, agent)
    });
    let rivals = before.into_iter().chain(agent).flat_map(|agent| lookup::parts_of(agent, Part::Awareness));
    rivals.for_each(changed);
    if before == agent {
        return;
    }
    if let Some(before) = before.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok()) {
        disconnect(&before, "child_order_changed", node, WATCH);
    }
    if let Some(agent) = agent.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok()) {
        connect(&agent, "child_order_changed", node, WATCH, changed);
    }
}

/// The Perception of a node: the one at its path, else the first of the agent.
pub(super) fn find_perception(node: &Gd<Node>, path: &NodePath) -> Option<InstanceId> {
    if path.is_empty() {
        let agent = lookup::agent_of(node.instance_id())?;
        return lookup::part_of(agent, Part::Perception);
    }
    let found = lookup::find_agent(node, path)?.instance_id();
    perception_state::with(|state| state.perceiver(found)).map(|_| found)
}

type Compiled = (Option<InstanceId>, bool, Arc<Profile>);

fn sync(node: &Gd<AgentAwareness>, compiled: &mut Vec<Compiled>) {
    let id = node.instance_id();
    let (enabled, path, logs, anew) = {
        let mut node = node.clone();
        let mut own = node.bind_mut();
        (
            own.enabled,
            own.perception_path.clone(),
            own.debug_log_decisions,
            std::mem::take(&mut own.copy_anew),
        )
    };
    let plain: Gd<Node> = node.clone().upcast();
    let agent = lookup::agent_of(id);
    let first = agent.is_some_and(|agent| lookup::part_of(agent, Part::Awareness) == Some(id));
    let perception = find_perception(&plain, &path);
    let planar = perception.or(agent).is_some_and(perception::is_planar);
    let profile = sides::profile(id);
    let numbers = compile(profile.as_ref(), planar, compiled);
    sides::refresh_policies(id, profile.as_ref(), anew);
    let active = enabled && first && plain.is_inside_tree();
    let logs = logs || settings::LOG_DECISIONS.read();
    apply(id, perception, &numbers, |perceiver, mind| Mind {
        agent,
        perceiver,
        planar,
        active,
        logs,
        ..mind
    });
}

/// Hands a node's settings to the core.
fn apply(
    id: InstanceId,
    perception: Option<InstanceId>,
    numbers: &Arc<Profile>,
    change: impl FnOnce(Option<PerceiverKey>, Mind) -> Mind,
) {
    perception_state::with(|state| {
        let perceiver = perception.and_then(|node| state.perceiver(node));
        let Some(mind) = state.minds.mind_mut(id) else { return };
        let before = *mind;
        *mind = Mind { known: None, ..change(perceiver, before) };
        let enabled = mind.active;
        mind.active &= perceiver.is_some();
        let minds = &mut state.minds.world;
        minds.set_profile(before.key, numbers.clone());
        minds.set_perceiver(before.key, perceiver);
        minds.set_enabled(before.key, enabled);
        if let Some(old) = before.perceiver.filter(|old| Some(*old) != perceiver && before.active) {
            release(state, old);
        }
        match perceiver {
            Some(key) if enabled => state.set_min_points(key, Some(numbers.min_visible_points)),
            Some(key) if before.active => release(state, key),
            _ => {}
        }
    });
}

/// The perceiver has no awareness any more.
pub(super) fn release(state: &mut perception_state::State, perceiver: PerceiverKey) {
    state.set_min_points(perceiver, None);
    state.world.set_protected(perceiver, None);
}

fn compile(profile: Option<&Gd<AwarenessProfile>>, planar: bool, known: &mut Vec<Compiled>) -> Arc<Profile> {
    let id = profile.map(|profile| profile.instance_id());
    if let Some((_, _, numbers)) = known.iter().find(|(of, flat, _)| *of == id && *flat == planar) {
        return numbers.clone();
    }
    let numbers = match profile {
        Some(profile) => {
            let (numbers, mended) = profile_compile::compile(profile, planar);
            profile_compile::warn(profile, &mended);
            numbers
        }
        None => profile_compile::usual(planar),
    };
    known.push((id, planar, numbers.clone()));
    numbers
}
