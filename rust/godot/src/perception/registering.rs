//! Sources and perceptions that the server adds to agents of a running game.

use godot::prelude::*;
use riposte_core::perception::{PerceiverPlace, SourcePlace};
use riposte_core::tags::TagId;

use crate::base::callbacks::on_node;
use crate::base::{messages, tags};

use super::arguments::{NodeArg, perceiver_of};
use super::dimension::Placed;
use super::perception_2d::Perception2D;
use super::perception_3d::Perception3D;
use super::perception_node::{AnyPerception, AnySource, PerceptionNode, SourceNode, in_either};
use super::perception_server::PerceptionServer;
use super::placement::{ancestors_of, follow_perceiver, follow_source, register_perceiver, register_source};
use super::state;
use super::stimulus_source_2d::StimulusSource2D;
use super::stimulus_source_3d::StimulusSource3D;

/// `PerceptionServer.register_as_source`.
pub(super) fn register_as_source(agent: &NodeArg, tag: &StringName, senses: i64) -> Option<Gd<Node>> {
    let member = "register_as_source";
    let agent = placed_agent(member, agent)?;
    let tag = match tag.is_empty() {
        true => None,
        false => Some(tags::from_script(&PerceptionServer::singleton(), member, &tag.to_string())?),
    };
    if let Some(source) = source_of(&agent.node()) {
        in_either!(AnySource, &source, node => node.clone().bind_mut().register(senses, tag, false));
        return Some(source.node());
    }
    Some(match &agent {
        Placed::Three(_) => new_source(StimulusSource3D::new_alloc(), &agent, senses, tag),
        Placed::Two(_) => new_source(StimulusSource2D::new_alloc(), &agent, senses, tag),
    })
}

fn new_source<S: SourceNode>(mut source: Gd<S>, agent: &Placed, senses: i64, tag: Option<TagId>) -> Gd<Node> {
    source.bind_mut().register(senses, tag, true);
    let mut node: Gd<Node> = source.clone().upcast();
    let class = node.get_class();
    node.set_name(&class);
    count_at_once(&source, agent);
    join(&node, &agent.node());
    node
}

/// `PerceptionServer.unregister_source`.
pub(super) fn unregister_source(agent: &NodeArg) -> bool {
    let Some(agent) = placed_agent("unregister_source", agent) else { return false };
    let Some(source) = source_of(&agent.node()) else { return false };
    in_either!(AnySource, &source, node => node.clone().bind_mut().switch_off());
    if in_either!(AnySource, &source, node => node.bind().added_by_server()) {
        source.node().queue_free();
    }
    true
}

/// `PerceptionServer.add_detectable_tag`.
pub(super) fn add_detectable_tag(perceiver: &NodeArg, tag: &StringName) -> Option<Gd<Node>> {
    let member = "add_detectable_tag";
    let tag = tags::from_script(&PerceptionServer::singleton(), member, &tag.to_string())?;
    if let Some(known) = perceiver.0.as_ref().and_then(perception_of) {
        in_either!(AnyPerception, &known, node => {
            node.clone().bind_mut().change_detectable(|list| list.add(tag))
        });
        return Some(known.node());
    }
    let agent = placed_agent(member, perceiver)?;
    Some(match &agent {
        Placed::Three(_) => new_perception(Perception3D::new_alloc(), &agent, tag),
        Placed::Two(_) => new_perception(Perception2D::new_alloc(), &agent, tag),
    })
}

fn new_perception<P: PerceptionNode>(mut perception: Gd<P>, agent: &Placed, tag: TagId) -> Gd<Node> {
    perception.bind_mut().change_detectable(|list| list.add(tag));
    let mut node: Gd<Node> = perception.clone().upcast();
    let class = node.get_class();
    node.set_name(&class);
    perceive_at_once(&perception, agent);
    join(&node, &agent.node());
    node
}

/// The agent's source that is not on its way out: the one that counts, else the first child that is one.
fn source_of(agent: &Gd<Node>) -> Option<AnySource> {
    let registered = state::with(|state| {
        let target = state.world.target_of(agent.instance_id().to_i64())?;
        state.speaking_source_node(target)
    });
    let children = agent.get_children();
    let child = || children.iter_shared().find_map(|child| AnySource::of(&child));
    let source = registered.and_then(AnySource::by_id).or_else(child);
    source.filter(|source| !source.node().is_queued_for_deletion())
}

/// The Perception that a node is, or the first one of the agent that it is.
fn perception_of(node: &Gd<Node>) -> Option<AnyPerception> {
    let registered = perceiver_of(node).and_then(|key| state::with(|state| state.perceiver_node(key)));
    let children = node.get_children();
    let child = || children.iter_shared().find_map(|child| AnyPerception::of(&child));
    registered.and_then(AnyPerception::by_id).or_else(|| AnyPerception::of(node)).or_else(child)
}

fn placed_agent(member: &str, agent: &NodeArg) -> Option<Placed> {
    let server = PerceptionServer::singleton();
    let Some(node) = &agent.0 else {
        let text = format!("{member}() got no agent. Give a Node3D or a Node2D.");
        messages::error(&server, member, "no agent", &text);
        return None;
    };
    let agent = Placed::of(node);
    if agent.is_none() {
        let name = messages::node_place(node);
        let text = format!(
            "{member}(): {name} is neither Node3D nor Node2D, it has no place. Give a node that has."
        );
        messages::error(&server, member, &name, &text);
    }
    agent
}

/// The source counts before its node is in the tree: until then it stands where the agent does.
fn count_at_once<S: SourceNode>(source: &Gd<S>, agent: &Placed) {
    let Some(space) = agent.space() else { return };
    let key = register_source(source);
    let node = agent.node();
    {
        let mut server = PerceptionServer::singleton();
        let nodes = &mut server.bind_mut().nodes;
        nodes.set_source(key, agent.clone());
        nodes.set_body(key, Some(node.clone()));
    }
    let place = SourcePlace {
        space: Some(space),
        agent: Some(node.instance_id().to_i64()),
        ancestors: ancestors_of(&node),
        order: u64::MAX,
    };
    state::with(|state| state.world.place_source(key, place));
    follow_source(&source.clone().upcast(), &node);
}

fn perceive_at_once<P: PerceptionNode>(perception: &Gd<P>, agent: &Placed) {
    let Some(space) = agent.space() else { return };
    register_perceiver(perception);
    let Some(key) = perception.bind().key() else { return };
    PerceptionServer::singleton().bind_mut().nodes.set_perceiver(key, agent.clone());
    let node = agent.node();
    let place = PerceiverPlace { space: Some(space), agent: node.instance_id().to_i64(), order: u64::MAX };
    state::with(|state| state.world.place_perceiver(key, place));
    follow_perceiver(&perception.clone().upcast(), &node);
    PerceptionServer::connect_to_tree(&node.get_tree());
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
