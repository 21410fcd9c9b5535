//! What changes a graph by method: every edit leaves the dictionary in order, and rewrites what follows from it.
//!
//! Nothing is bound while `changed` is emitted, once per edit.

use godot::prelude::*;
use riposte_core::tags::closest_name;

use super::node_table::ROOT;
use super::{ActionGraph, ActionGraphNode, ActionGraphTransition, PlayAnimationPayload, naming};
use crate::base::{messages, tags};

type Graph = Gd<ActionGraph>;

/// See [`ActionGraph::add_node`].
pub(super) fn add_node(this: &Graph, id: &str, payload: Option<Gd<Resource>>) -> Option<Gd<ActionGraphNode>> {
    if !is_new_id(this, "add_node", id) {
        return None;
    }
    let mut node = ActionGraphNode::new_gd();
    let payload = payload.or_else(|| Some(PlayAnimationPayload::new_gd().upcast()));
    let owner = node.clone();
    if !node.bind_mut().payload.assign(&owner, "payload", payload) {
        return None;
    }
    change_table(this, |listed| listed.push((id.to_owned(), node.to_variant())));
    Some(node)
}

/// See [`ActionGraph::remove_node`].
pub(super) fn remove_node(this: &Graph, id: &str) -> bool {
    if id == ROOT {
        return refuse(this, "remove_node", id, "root is always there and can't be removed.");
    }
    if !this.bind().nodes.has(id) {
        return refuse(this, "remove_node", id, &unknown(this, id));
    }
    silently(this, |this| {
        let own = this.bind().nodes.node(id).cloned();
        let mut gone = own.as_ref().map(wires_of).unwrap_or_default();
        for node in own_nodes(this) {
            let (lost, kept): (Vec<_>, Vec<_>) =
                wires_of(&node).into_iter().partition(|wire| wire.bind().to == id);
            put_wires(&node, &kept);
            gone.extend(lost);
        }
        if let Some(mut layout) = this.bind().layout.clone() {
            layout.bind_mut().forget(id);
        }
        forget_wires(this, &gone);
    });
    change_table(this, |listed| listed.retain(|(known, _)| known != id));
    true
}

/// See [`ActionGraph::rename_node`].
pub(super) fn rename_node(this: &Graph, old: &str, new: &str) -> bool {
    if old == ROOT {
        return refuse(this, "rename_node", old, "root keeps its name.");
    }
    if !this.bind().nodes.has(old) {
        return refuse(this, "rename_node", old, &unknown(this, old));
    }
    if !is_new_id(this, "rename_node", new) {
        return false;
    }
    silently(this, |this| {
        for node in own_nodes(this) {
            for mut wire in wires_of(&node) {
                if wire.bind().to == old {
                    wire.bind_mut().to = StringName::from(new);
                }
            }
        }
        let node = this.bind().nodes.node(old).cloned();
        if let Some(node) = node {
            naming::rename(&mut this.bind_mut(), old, new, &node);
        }
        if let Some(mut layout) = this.bind().layout.clone() {
            layout.bind_mut().rename(old, new);
        }
    });
    change_table(this, |listed| {
        for (id, _) in listed {
            if id == old {
                *id = new.to_owned();
            }
        }
    });
    true
}

/// See [`ActionGraph::add_transition`].
pub(super) fn add_transition(
    this: &Graph,
    from: &str,
    to: &str,
    input_tag: &StringName,
    fires_on: i64,
) -> Option<Gd<ActionGraphTransition>> {
    let member = "add_transition";
    let Some(node) = this.bind().nodes.node(from).cloned() else {
        refuse(this, member, from, &unknown_own(this, from));
        return None;
    };
    let known = ActionGraph::merged(this).nodes.iter().any(|node| node.id == to);
    if !known {
        refuse(this, member, to, &unknown(this, to));
        return None;
    }
    if !(0..=4).contains(&fires_on) {
        let text =
            format!("add_transition(): fires_on = {fires_on} is unknown. Use one of the FIRES_* constants.");
        refuse(this, member, "fires_on", &text);
        return None;
    }
    if !input_tag.is_empty() && tags::from_script(this, member, &input_tag.to_string()).is_none() {
        return None;
    }
    let mut wire = ActionGraphTransition::new_gd();
    {
        let mut wire = wire.bind_mut();
        wire.to = StringName::from(to);
        wire.input_tag = input_tag.clone();
        wire.fires_on = fires_on;
    }
    silently(this, |this| {
        naming::name_new_wire(&mut this.bind_mut(), from, &wire);
        let mut all = wires_of(&node);
        all.push(wire.clone());
        put_wires(&node, &all);
    });
    tell(this);
    Some(wire)
}

/// See [`ActionGraph::remove_transition`].
pub(super) fn remove_transition(this: &Graph, id: &StringName) -> bool {
    for node in own_nodes(this) {
        let all = wires_of(&node);
        let (gone, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(|wire| wire.bind().id == *id);
        if !gone.is_empty() {
            silently(this, |this| {
                put_wires(&node, &kept);
                forget_wires(this, &gone);
                this.bind_mut().names = naming::Names::default();
            });
            tell(this);
            return true;
        }
    }
    let ids: Vec<String> =
        own_nodes(this).iter().flat_map(wires_of).map(|wire| wire.bind().id.to_string()).collect();
    let text = format!(
        "remove_transition(): there is no transition \"{id}\" in this graph. {}",
        near(&id.to_string(), &ids)
    );
    refuse(this, "remove_transition", &id.to_string(), &text)
}

fn own_nodes(this: &Graph) -> Vec<Gd<ActionGraphNode>> {
    this.bind().nodes.entries().iter().filter_map(|entry| entry.node.clone()).collect()
}

fn wires_of(node: &Gd<ActionGraphNode>) -> Vec<Gd<ActionGraphTransition>> {
    node.bind().transitions.members().to_vec()
}

/// Takes transitions out of the routers.
fn forget_wires(this: &Graph, gone: &[Gd<ActionGraphTransition>]) {
    let ids: Vec<String> = gone.iter().map(|wire| wire.bind().id.to_string()).collect();
    if let Some(mut layout) = this.bind().layout.clone() {
        layout.bind_mut().forget_wires(&ids);
    }
}

/// Gives a node other wires, if they are others.
fn put_wires(node: &Gd<ActionGraphNode>, wires: &[Gd<ActionGraphTransition>]) {
    let mut node = node.clone();
    if node.bind().transitions.members() == wires {
        return;
    }
    let array: Array<Gd<ActionGraphTransition>> = wires.iter().cloned().collect();
    let owner = node.clone().upcast();
    node.bind_mut().transitions.assign(&owner, &array.upcast_any_array());
    node.emit_changed();
}

/// Changes the dictionary, and tells.
fn change_table(this: &Graph, change: impl FnOnce(&mut Vec<(String, Variant)>)) {
    let mut this = this.clone();
    let owner = this.clone();
    {
        let mut own = this.bind_mut();
        let mut listed = own.nodes.listed();
        change(&mut listed);
        own.nodes.put(&owner.clone().upcast(), listed);
        own.names = naming::Names::default();
        naming::adopt(&mut own, &owner);
    }
    tell(&this);
}

/// Lets the graph not pass on what its parts tell meanwhile: an edit is told once. Handlers of the parts' own signals run.
fn silently(this: &Graph, edit: impl FnOnce(&mut Graph)) {
    let mut this = this.clone();
    let outer = std::mem::replace(&mut this.bind_mut().hushed, true);
    edit(&mut this);
    this.bind_mut().hushed = outer;
}

fn tell(this: &Graph) {
    let mut this = this.clone();
    this.bind_mut().spoil();
    this.emit_changed();
}

fn is_new_id(this: &Graph, member: &str, id: &str) -> bool {
    let problem = if !naming::is_identifier(id) {
        format!(
            "{member}(): id \"{id}\" is not an identifier. Use letters, digits and underscores, and no digit in front."
        )
    } else if id == ROOT {
        format!("{member}(): id \"root\" is reserved. Use another one.")
    } else if this.bind().nodes.has(id) {
        format!("{member}(): id \"{id}\" is used already. Use another one.")
    } else {
        return true;
    };
    refuse(this, member, id, &problem)
}

fn unknown(this: &Graph, id: &str) -> String {
    if id.is_empty() {
        return "a node has no empty id. The agent doing nothing is \"root\".".to_owned();
    }
    let ids: Vec<String> = ActionGraph::merged(this).nodes.iter().map(|node| node.id.clone()).collect();
    format!("there is no node \"{id}\". {}", near(id, &ids))
}

/// The same where the node must be one of this graph.
fn unknown_own(this: &Graph, id: &str) -> String {
    let inherited = ActionGraph::merged(this).nodes.iter().any(|node| node.id == id);
    if inherited {
        return format!(
            "node \"{id}\" is inherited. Add a node \"{id}\" to this graph first: its wires come before the inherited ones."
        );
    }
    unknown(this, id)
}

fn near(name: &str, known: &[String]) -> String {
    match closest_name(name, known.iter().map(String::as_str)) {
        Some(near) => format!("Did you mean \"{near}\"?"),
        None => format!("Known: {}.", known.join(", ")),
    }
}

fn refuse(this: &Graph, member: &str, reason: &str, text: &str) -> bool {
    messages::error(this, member, reason, text);
    false
}
