//! Nodes that enter the tree, leave it, or change agent, world or place among their siblings.

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::perception::{NodeId, PerceiverPlace, SourceKey, SourcePlace};

use crate::base::callbacks::on_node;
use crate::base::lookup::{self, Part};

use super::dimension::Placed;
use super::perception_node::{AnyPerception, AnySource, PerceptionNode, SourceNode, in_either, placed};
use super::perception_server::PerceptionServer;
use super::{identity, mirror, state};

/// Place of a component that is no direct child of its agent: behind those that are.
const ELSEWHERE: u64 = u64::MAX / 2;

pub(super) fn perceiver_entered<P: PerceptionNode>(this: &Gd<P>) {
    if !Engine::singleton().is_editor_hint() {
        register_perceiver(this);
        let node: Gd<Node> = this.clone().upcast();
        PerceptionServer::connect_to_tree(&node.get_tree());
        mirror::entered(&node, this.bind().authority_only());
    }
    place_perceiver(this);
}

/// Makes a Perception known to the server, once.
pub(super) fn register_perceiver<P: PerceptionNode>(this: &Gd<P>) {
    let known = this.bind().key();
    let key = known.unwrap_or_else(|| {
        let (settings, affiliation) = (this.bind().settings(), this.bind().affiliation());
        state::with(|state| state.add_perceiver(this.instance_id(), settings, affiliation))
    });
    this.clone().bind_mut().set_key(key);
    let rules = this.bind().ray_rules();
    let mut server = PerceptionServer::singleton();
    let nodes = &mut server.bind_mut().nodes;
    if let Some(placed) = placed(this) {
        nodes.set_perceiver(key, placed);
    }
    nodes.set_rules(key, rules);
}

/// Finds out a Perception's agent, world and place anew. In the editor it only registers with the agent.
pub(super) fn place_perceiver<P: PerceptionNode>(this: &Gd<P>) {
    let (path, key) = {
        let bound = this.bind();
        (bound.agent_path(), bound.key())
    };
    let node: Gd<Node> = this.clone().upcast();
    let before = lookup::agent_of(this.instance_id());
    let agent = lookup::attach(&node, &path, Part::Perception);
    unfollow(&node, before, agent.as_ref(), replace_perceiver, perceiver_agent_left);
    let Some(key) = key else { return };
    let senses = agent.is_some() && !mirror::is_mirror(this.instance_id());
    let space = placed(this).filter(|_| senses).and_then(|node| node.space());
    let place = PerceiverPlace {
        space,
        agent: agent.as_ref().map_or(0, |agent| agent.instance_id().to_i64()),
        order: order_in(&node, agent.as_ref()),
    };
    let frozen = !node.can_process();
    state::with(|state| {
        state.world.place_perceiver(key, place);
        state.world.set_frozen(key, frozen);
    });
    PerceptionServer::singleton().bind_mut().nodes.rays.forget(key.index());
    if let Some(agent) = agent {
        follow_perceiver(&node, &agent);
    }
}

pub(super) fn follow_perceiver(this: &Gd<Node>, agent: &Gd<Node>) {
    follow(this, agent, replace_perceiver, perceiver_agent_left);
}

pub(super) fn perceiver_left(this: InstanceId) {
    lookup::detach(this);
    perceiver_agent_left(this);
}

pub(super) fn source_entered<S: SourceNode>(this: &Gd<S>) {
    if !Engine::singleton().is_editor_hint() {
        let key = register_source(this);
        let rules = this.bind().rules();
        let mut server = PerceptionServer::singleton();
        let nodes = &mut server.bind_mut().nodes;
        if let Some(placed) = placed(this) {
            nodes.set_source(key, placed);
        }
        nodes.set_source_rules(key, rules);
    }
    place_source(this);
}

/// Makes a source known to the server, once.
pub(super) fn register_source<S: SourceNode>(this: &Gd<S>) -> SourceKey {
    if let Some(key) = this.bind().key() {
        return key;
    }
    let (settings, tags) = (this.bind().settings(), this.bind().identity());
    let key = state::with(|state| state.add_source(this.instance_id(), settings));
    this.clone().bind_mut().set_key(key);
    identity::set(this.instance_id(), tags);
    key
}

/// Finds out a source's agent, world and place anew. In the editor it only registers with the agent.
pub(super) fn place_source<S: SourceNode>(this: &Gd<S>) {
    let (path, key) = {
        let bound = this.bind();
        (bound.agent_path(), bound.key())
    };
    let node: Gd<Node> = this.clone().upcast();
    let before = lookup::agent_of(this.instance_id());
    let agent = lookup::attach(&node, &path, Part::StimulusSource);
    unfollow(&node, before, agent.as_ref(), replace_source, leave_source);
    let Some(key) = key else { return };
    // The agent must have a place in the same dimension.
    let itself = placed(this);
    let planar = itself.as_ref().is_some_and(Placed::is_planar);
    let body =
        agent.as_ref().and_then(Placed::of).filter(|body| body.is_planar() == planar).map(|body| body.node());
    let inside = body.as_ref().is_some_and(|agent| agent.is_inside_tree());
    let place = SourcePlace {
        space: if inside { itself.and_then(|node| node.space()) } else { None },
        agent: body.map(|agent| agent.instance_id().to_i64()),
        ancestors: agent.as_ref().map(ancestors_of).unwrap_or_default(),
        order: order_in(&node, agent.as_ref()),
    };
    state::with(|state| state.world.place_source(key, place));
    PerceptionServer::singleton().bind_mut().nodes.set_body(key, agent.clone());
    identity::refresh(this.instance_id());
    if let Some(agent) = agent {
        follow_source(&node, &agent);
    }
}

pub(super) fn follow_source(this: &Gd<Node>, agent: &Gd<Node>) {
    follow(this, agent, replace_source, leave_source);
}

pub(super) fn source_left(this: InstanceId) {
    lookup::detach(this);
    leave_source(this);
}

fn leave_source(id: InstanceId) {
    state::with(|state| {
        let key = state.source(id)?;
        state.world.place_source(key, SourcePlace::default());
        Some(())
    });
}

/// The nodes above a node, nearest first.
pub(super) fn ancestors_of(node: &Gd<Node>) -> Vec<NodeId> {
    std::iter::successors(node.get_parent(), |node| node.get_parent())
        .map(|node| node.instance_id().to_i64())
        .collect()
}

fn order_in(node: &Gd<Node>, agent: Option<&Gd<Node>>) -> u64 {
    let parent = node.get_parent();
    if parent.is_some() && parent.as_ref() == agent { node.get_index() as u64 } else { ELSEWHERE }
}

/// Keeps an eye on the agent: on its children, and, if the component does not stand below it, on its coming and going.
fn follow(component: &Gd<Node>, agent: &Gd<Node>, came: fn(InstanceId), left: fn(InstanceId)) {
    if Engine::singleton().is_editor_hint() {
        return;
    }
    let id = component.instance_id();
    connect(agent, "child_order_changed", on_node(agent.instance_id(), "riposte_senses", children_changed));
    if !agent.is_ancestor_of(component) {
        connect(agent, "tree_entered", on_node(id, CAME, came));
        connect(agent, "tree_exiting", on_node(id, LEFT, left));
    }
}

const CAME: &str = "riposte_agent_came";
const LEFT: &str = "riposte_agent_left";

/// What an agent does is no matter any more once the component has another one.
fn unfollow(
    component: &Gd<Node>,
    before: Option<InstanceId>,
    agent: Option<&Gd<Node>>,
    came: fn(InstanceId),
    left: fn(InstanceId),
) {
    let before = before.filter(|before| agent.is_none_or(|agent| agent.instance_id() != *before));
    let Some(Ok(mut before)) = before.map(Gd::<Node>::try_from_instance_id) else { return };
    let id = component.instance_id();
    for (signal, callable) in
        [("tree_entered", on_node(id, CAME, came)), ("tree_exiting", on_node(id, LEFT, left))]
    {
        if before.is_connected(signal, &callable) {
            before.disconnect(signal, &callable);
        }
    }
}

fn connect(node: &Gd<Node>, signal: &str, callable: Callable) {
    let mut node = node.clone();
    if !node.is_connected(signal, &callable) {
        node.connect(signal, &callable);
    }
}

/// Bodies of the agent may be others now, and another component may be the first of its kind.
fn children_changed(agent: InstanceId) {
    let (perceivers, nodes, sources) = state::with(|state| {
        let perceivers = state.world.perceivers_of_agent(agent.to_i64()).to_vec();
        let nodes: Vec<_> = perceivers.iter().filter_map(|key| state.perceiver_node(*key)).collect();
        (perceivers, nodes, state.sources_of_agent(agent))
    });
    for key in &perceivers {
        PerceptionServer::singleton().bind_mut().nodes.rays.forget(key.index());
    }
    if nodes.len() > 1 {
        nodes.into_iter().for_each(replace_perceiver);
    }
    if sources.len() > 1 {
        sources.into_iter().for_each(replace_source);
    }
}

/// Places a Perception anew that is in the tree.
pub(super) fn replace_perceiver(id: InstanceId) {
    if let Some(node) = AnyPerception::by_id(id)
        && node.node().is_inside_tree()
    {
        in_either!(AnyPerception, &node, node => place_perceiver(node));
    }
}

fn perceiver_agent_left(id: InstanceId) {
    state::with(|state| {
        let key = state.perceiver(id)?;
        state.world.place_perceiver(key, PerceiverPlace::default());
        Some(())
    });
}

fn replace_source(id: InstanceId) {
    if let Some(node) = AnySource::by_id(id)
        && node.node().is_inside_tree()
    {
        in_either!(AnySource, &node, node => place_source(node));
    }
}
