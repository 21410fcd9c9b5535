//! Nodes that enter the tree, leave it, or change agent, world or place among their siblings.

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::perception::{NodeId, PerceiverPlace, SourcePlace};

use crate::base::callbacks::on_node;
use crate::base::lookup::{self, Part};

use super::dimension::Placed;
use super::nodes::SourceRules;
use super::perception_3d::Perception3D;
use super::perception_server::PerceptionServer;
use super::state;
use super::stimulus_source_3d::StimulusSource3D;

/// Place of a component that is no direct child of its agent: behind those that are.
const ELSEWHERE: u64 = u64::MAX / 2;

pub(super) fn perceiver_entered(this: &Gd<Perception3D>) {
    if !Engine::singleton().is_editor_hint() {
        register_perceiver(this);
        PerceptionServer::connect_to_tree(&this.get_tree());
    }
    place_perceiver(this);
}

/// Makes a Perception known to the server, once.
pub(super) fn register_perceiver(this: &Gd<Perception3D>) {
    let known = this.bind().key;
    let key = known.unwrap_or_else(|| {
        let (settings, affiliation) = (this.bind().settings(), this.bind().affiliation());
        state::with(|state| state.add_perceiver(this.instance_id(), settings, affiliation))
    });
    this.clone().bind_mut().key = Some(key);
    let rules = this.bind().ray_rules();
    let mut server = PerceptionServer::singleton();
    let nodes = &mut server.bind_mut().nodes;
    nodes.set_perceiver(key, this.clone().upcast::<Node3D>().into());
    nodes.set_rules(key, rules);
}

/// Finds out a Perception's agent, world and place anew. In the editor it only registers with the agent.
pub(super) fn place_perceiver(this: &Gd<Perception3D>) {
    let path = this.bind().agent_path().clone();
    let before = lookup::agent_of(this.instance_id());
    let agent = lookup::attach(&this.clone().upcast(), &path, Part::Perception);
    unfollow(this, before, agent.as_ref(), replace_perceiver, perceiver_agent_left);
    let Some(key) = this.bind().key else { return };
    let space = agent.as_ref().and_then(|_| Placed::from(this.clone().upcast::<Node3D>()).space());
    let place = PerceiverPlace {
        space,
        agent: agent.as_ref().map_or(0, |agent| agent.instance_id().to_i64()),
        order: order_in(this, agent.as_ref()),
    };
    let frozen = !this.can_process();
    state::with(|state| {
        state.world.place_perceiver(key, place);
        state.world.set_frozen(key, frozen);
    });
    PerceptionServer::singleton().bind_mut().nodes.rays.forget(key.index());
    if let Some(agent) = agent {
        follow_perceiver(this, &agent);
    }
}

pub(super) fn follow_perceiver(this: &Gd<Perception3D>, agent: &Gd<Node>) {
    follow(this, agent, replace_perceiver, perceiver_agent_left);
}

pub(super) fn perceiver_left(this: &Gd<Perception3D>) {
    lookup::detach(this.instance_id());
    state::with(|state| {
        let key = state.perceiver(this.instance_id())?;
        state.world.place_perceiver(key, PerceiverPlace::default());
        Some(())
    });
}

pub(super) fn source_entered(this: &Gd<StimulusSource3D>) {
    if !Engine::singleton().is_editor_hint() {
        register_source(this);
        let key = this.bind().key;
        if let Some(key) = key {
            let rules = SourceRules::default();
            let mut server = PerceptionServer::singleton();
            let nodes = &mut server.bind_mut().nodes;
            nodes.set_source(key, this.clone().upcast::<Node3D>().into());
            nodes.set_source_rules(key, rules);
        }
    }
    place_source(this);
}

/// Makes a source known to the server, once.
pub(super) fn register_source(this: &Gd<StimulusSource3D>) {
    if this.bind().key.is_none() {
        let (settings, tags) = (this.bind().settings(), this.bind().tag_set());
        let key = state::with(|state| state.add_source(this.instance_id(), settings, tags));
        this.clone().bind_mut().key = Some(key);
    }
}

/// Finds out a source's agent, world and place anew. In the editor it only registers with the agent.
pub(super) fn place_source(this: &Gd<StimulusSource3D>) {
    let path = this.bind().agent_path().clone();
    let before = lookup::agent_of(this.instance_id());
    let agent = lookup::attach(&this.clone().upcast(), &path, Part::StimulusSource);
    unfollow(this, before, agent.as_ref(), replace_source, leave_source);
    let Some(key) = this.bind().key else { return };
    let agent_3d = agent.clone().and_then(|agent| agent.try_cast::<Node3D>().ok());
    let inside = agent_3d.as_ref().is_some_and(|agent| agent.is_inside_tree());
    let place = SourcePlace {
        space: if inside { Placed::from(this.clone().upcast::<Node3D>()).space() } else { None },
        agent: agent_3d.map(|agent| agent.instance_id().to_i64()),
        ancestors: agent.as_ref().map(ancestors_of).unwrap_or_default(),
        order: order_in(this, agent.as_ref()),
    };
    state::with(|state| state.world.place_source(key, place));
    if let Some(agent) = agent {
        follow_source(this, &agent);
    }
}

pub(super) fn follow_source(this: &Gd<StimulusSource3D>, agent: &Gd<Node>) {
    follow(this, agent, replace_source, leave_source);
}

pub(super) fn source_left(this: &Gd<StimulusSource3D>) {
    lookup::detach(this.instance_id());
    leave_source(this.instance_id());
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

fn order_in<T: Inherits<Node>>(component: &Gd<T>, agent: Option<&Gd<Node>>) -> u64 {
    let node: Gd<Node> = component.clone().upcast();
    let parent = node.get_parent();
    if parent.is_some() && parent.as_ref() == agent { node.get_index() as u64 } else { ELSEWHERE }
}

/// Keeps an eye on the agent: on its children, and, if the component does not stand below it, on its coming and going.
fn follow<T: Inherits<Node>>(
    component: &Gd<T>,
    agent: &Gd<Node>,
    came: fn(InstanceId),
    left: fn(InstanceId),
) {
    if Engine::singleton().is_editor_hint() {
        return;
    }
    let id = component.instance_id();
    connect(agent, "child_order_changed", on_node(agent.instance_id(), "riposte_senses", children_changed));
    if !agent.is_ancestor_of(&component.clone().upcast::<Node>()) {
        connect(agent, "tree_entered", on_node(id, CAME, came));
        connect(agent, "tree_exiting", on_node(id, LEFT, left));
    }
}

const CAME: &str = "riposte_agent_came";
const LEFT: &str = "riposte_agent_left";

/// What an agent does is no matter any more once the component has another one.
fn unfollow<T: Inherits<Node>>(
    component: &Gd<T>,
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
    let (perceivers, sources) = state::with(|state| {
        let world = &state.world;
        let perceivers = world.perceivers_of_agent(agent.to_i64()).to_vec();
        let target = world.target_of(agent.to_i64());
        let sources = target.map(|target| world.sources_of(target.key).to_vec()).unwrap_or_default();
        let nodes = |key: &_| state.perceiver_node(*key);
        let perceiver_nodes: Vec<_> = perceivers.iter().filter_map(nodes).collect();
        let source_nodes: Vec<_> = sources.iter().filter_map(|key| state.source_node(*key)).collect();
        (perceivers.into_iter().zip(perceiver_nodes).collect::<Vec<_>>(), source_nodes)
    });
    for (key, _) in &perceivers {
        PerceptionServer::singleton().bind_mut().nodes.rays.forget(key.index());
    }
    if perceivers.len() > 1 {
        perceivers.iter().for_each(|(_, node)| replace_perceiver(*node));
    }
    if sources.len() > 1 {
        sources.iter().for_each(|node| replace_source(*node));
    }
}

fn replace_perceiver(id: InstanceId) {
    if let Ok(node) = Gd::<Perception3D>::try_from_instance_id(id)
        && node.is_inside_tree()
    {
        place_perceiver(&node);
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
    if let Ok(node) = Gd::<StimulusSource3D>::try_from_instance_id(id)
        && node.is_inside_tree()
    {
        place_source(&node);
    }
}
