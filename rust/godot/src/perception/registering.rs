//! Sources and perceptions that the server adds to agents of a running game.

use godot::prelude::*;
use riposte_core::perception::{PerceiverPlace, SourcePlace};

use crate::base::callbacks::on_node;
use crate::base::{messages, tags};

use super::arguments::{NodeArg, perceiver_of};
use super::dimension::Placed;
use super::perception_3d::Perception3D;
use super::perception_server::PerceptionServer;
use super::placement::{ancestors_of, follow_perceiver, follow_source, register_perceiver, register_source};
use super::state;
use super::stimulus_source_3d::StimulusSource3D;

/// `PerceptionServer.register_as_source`.
pub(super) fn register_as_source(agent: &NodeArg, tag: &StringName, senses: i64) -> Option<Gd<Node>> {
    let agent = agent_3d("register_as_source", agent)?;
    if !tag.is_empty() {
        tags::from_script(&PerceptionServer::singleton(), "register_as_source", &tag.to_string())?;
    }
    let known = source_of(&agent);
    let mut source = known.clone().unwrap_or_else(StimulusSource3D::new_alloc);
    {
        let mut source = source.bind_mut();
        source.set_enabled(true);
        source.set_registered_senses(senses);
        if !tag.is_empty() {
            source.add_affiliation_tag(tag.clone());
        }
        source.added_by_server |= known.is_none();
    }
    if known.is_none() {
        source.set_name("StimulusSource3D");
        count_at_once(&source, &agent);
        join(&source.clone().upcast(), &agent.upcast());
    }
    Some(source.upcast())
}

/// `PerceptionServer.unregister_source`.
pub(super) fn unregister_source(agent: &NodeArg) -> bool {
    let Some(agent) = agent_3d("unregister_source", agent) else { return false };
    let Some(mut source) = source_of(&agent) else { return false };
    source.bind_mut().set_enabled(false);
    let added = source.bind().added_by_server;
    if added {
        source.queue_free();
    }
    true
}

/// `PerceptionServer.add_detectable_tag`.
pub(super) fn add_detectable_tag(perceiver: &NodeArg, tag: &StringName) -> Option<Gd<Node>> {
    let member = "add_detectable_tag";
    tags::from_script(&PerceptionServer::singleton(), member, &tag.to_string())?;
    let known = perceiver.0.as_ref().and_then(perception_of);
    let mut perception = match known.clone() {
        Some(perception) => perception,
        None => {
            let agent = agent_3d(member, perceiver)?;
            let mut perception = Perception3D::new_alloc();
            perception.set_name("Perception3D");
            perceive_at_once(&perception, &agent);
            join(&perception.clone().upcast(), &agent.upcast());
            perception
        }
    };
    perception.bind_mut().add_detectable_tag(tag.clone());
    Some(perception.upcast())
}

/// The agent's source that is not on its way out: the one that counts, else the first child that is one.
fn source_of(agent: &Gd<Node3D>) -> Option<Gd<StimulusSource3D>> {
    let registered = state::with(|state| {
        let target = state.world.target_of(agent.instance_id().to_i64())?;
        state.speaking_source_node(target)
    });
    let registered = registered.and_then(|id| Gd::<StimulusSource3D>::try_from_instance_id(id).ok());
    let children = agent.get_children();
    let child = || children.iter_shared().find_map(|child| child.try_cast::<StimulusSource3D>().ok());
    registered.or_else(child).filter(|source| !source.is_queued_for_deletion())
}

/// The Perception that a node is, or the first one of the agent that it is.
fn perception_of(node: &Gd<Node>) -> Option<Gd<Perception3D>> {
    let registered = perceiver_of(node).and_then(|key| state::with(|state| state.perceiver_node(key)));
    let registered = registered.and_then(|id| Gd::<Perception3D>::try_from_instance_id(id).ok());
    let itself = || node.clone().try_cast::<Perception3D>().ok();
    let children = node.get_children();
    let child = || children.iter_shared().find_map(|child| child.try_cast::<Perception3D>().ok());
    registered.or_else(itself).or_else(child)
}

fn agent_3d(member: &str, agent: &NodeArg) -> Option<Gd<Node3D>> {
    let server = PerceptionServer::singleton();
    let Some(node) = &agent.0 else {
        messages::error(&server, member, "no agent", &format!("{member}() got no agent. Give a Node3D."));
        return None;
    };
    let agent = node.clone().try_cast::<Node3D>().ok();
    if agent.is_none() {
        let name = messages::node_place(node);
        let text = format!("{member}(): {name} is no Node3D, it has no place. Give a Node3D.");
        messages::error(&server, member, &name, &text);
    }
    agent
}

/// The source counts before its node is in the tree: until then it stands where the agent does.
fn count_at_once(source: &Gd<StimulusSource3D>, agent: &Gd<Node3D>) {
    let Some(space) = Placed::from(agent.clone()).space() else { return };
    register_source(source);
    let Some(key) = source.bind().key else { return };
    PerceptionServer::singleton().bind_mut().nodes.set_source(key, agent.clone().into());
    let place = SourcePlace {
        space: Some(space),
        agent: Some(agent.instance_id().to_i64()),
        ancestors: ancestors_of(&agent.clone().upcast()),
        order: u64::MAX,
    };
    state::with(|state| state.world.place_source(key, place));
    follow_source(source, &agent.clone().upcast());
}

fn perceive_at_once(perception: &Gd<Perception3D>, agent: &Gd<Node3D>) {
    let Some(space) = Placed::from(agent.clone()).space() else { return };
    register_perceiver(perception);
    let Some(key) = perception.bind().key else { return };
    PerceptionServer::singleton().bind_mut().nodes.set_perceiver(key, agent.clone().into());
    let place = PerceiverPlace { space: Some(space), agent: agent.instance_id().to_i64(), order: u64::MAX };
    state::with(|state| state.world.place_perceiver(key, place));
    follow_perceiver(perception, &agent.clone().upcast());
    PerceptionServer::connect_to_tree(&agent.get_tree());
}

/// Makes the component a child of the agent; a little later if the tree refuses it now, while the agent is not ready.
fn join(component: &Gd<Node>, agent: &Gd<Node>) {
    let mut agent = agent.clone();
    if agent.is_node_ready() || !agent.is_inside_tree() {
        agent.add_child(component);
        return;
    }
    // The agent may be freed before the call comes; then nobody would ever free the component.
    agent.call_deferred("add_child", &[component.to_variant()]);
    on_node(component.instance_id(), "riposte_orphan", free_if_orphan).call_deferred(&[]);
}

fn free_if_orphan(component: InstanceId) {
    if let Ok(mut node) = Gd::<Node>::try_from_instance_id(component)
        && node.get_parent().is_none()
    {
        node.queue_free();
    }
}
