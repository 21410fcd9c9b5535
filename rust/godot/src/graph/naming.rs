//! Names of sub-resources: readable, unique in the graph, and the same for ever, so that a file changes where the graph changed.

use std::collections::BTreeMap;

use godot::prelude::*;

use super::action_graph_node::Place;
use super::node_table::Entry;
use super::{ActionGraph, ActionGraphNode, ActionGraphTransition, changes};

/// The names in use, and by whom.
#[derive(Default)]
pub(crate) struct Names {
    used: Option<BTreeMap<String, i64>>,
    /// Ids that were set by hand since are not in it.
    renames: u64,
}

impl Names {
    /// A name for `owner`: the wish, or the wish with a number behind it.
    fn take(used: &mut BTreeMap<String, i64>, wish: &str, owner: i64) -> String {
        let free = |name: &str| used.get(name).is_none_or(|user| *user == owner);
        let mut name = wish.to_owned();
        let mut number = 1;
        while !free(&name) {
            number += 1;
            name = format!("{wish}_{number}");
        }
        used.insert(name.clone(), owner);
        name
    }

    fn give_back(&mut self, name: &str) {
        if let Some(used) = &mut self.used {
            used.remove(name);
        }
    }
}

/// True for `[A-Za-z_][A-Za-z0-9_]*`.
pub(crate) fn is_identifier(id: &str) -> bool {
    let mut letters = id.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Tells nodes where they lie, and names what has no name yet; what comes from a file keeps what it has.
pub(crate) fn adopt(graph: &mut ActionGraph, this: &Gd<ActionGraph>) {
    for Entry { id, node, .. } in graph.nodes.entries().to_vec() {
        let Some(mut node) = node else { continue };
        node.bind_mut().home = Some(Place { graph: this.instance_id(), id: id.clone() });
        name(graph, &id, &node, false);
    }
}

/// Names what a node of the graph has got. Nothing may be bound.
pub(crate) fn name_parts(graph: &Gd<ActionGraph>, id: &str, node: &Gd<ActionGraphNode>) {
    let mut graph = graph.clone();
    let mut graph = graph.bind_mut();
    graph.names = Names::default();
    name(&mut graph, id, node, true);
}

/// `edited`: also what has a name that another one has, because it was copied.
fn name(graph: &mut ActionGraph, id: &str, node: &Gd<ActionGraphNode>, edited: bool) {
    let (wires, payload) = {
        let node = node.bind();
        (node.transitions.members().to_vec(), node.payload.stored())
    };
    let is_bare = |resource: &Gd<Resource>| resource.get_scene_unique_id().is_empty();
    let node_resource = node.clone().upcast::<Resource>();
    let bare_parts = is_bare(&node_resource) || payload.as_ref().is_some_and(is_bare);
    let bare_wires =
        wires.iter().any(|wire| is_bare(&wire.clone().upcast()) || (edited && wire.bind().id.is_empty()));
    let copied = edited && has_copies(graph, &wires);
    if !(bare_parts || bare_wires || copied) {
        return;
    }
    let mut used = take_used(graph);
    if is_identifier(id) {
        call(&mut used, &node_resource, &format!("node_{id}"));
        if let Some(payload) = payload.filter(|payload| payload.get_path().is_empty()) {
            call(&mut used, &payload, &format!("node_{id}_payload"));
        }
    }
    for wire in wires {
        name_wire(&mut used, id, &wire, edited);
    }
    graph.names.used = Some(used);
}

/// Gives a resource that has none an id in its file.
fn call(used: &mut BTreeMap<String, i64>, resource: &Gd<Resource>, wish: &str) {
    if resource.get_scene_unique_id().is_empty() {
        let name = Names::take(used, wish, resource.instance_id().to_i64());
        resource.clone().set_scene_unique_id(&name);
    }
}

fn name_wire(used: &mut BTreeMap<String, i64>, from: &str, wire: &Gd<ActionGraphTransition>, edited: bool) {
    let owner = wire.instance_id().to_i64();
    let (id, to) = {
        let wire = wire.bind();
        (wire.id.to_string(), wire.to.to_string())
    };
    let resource = wire.clone().upcast::<Resource>();
    let is_bare = resource.get_scene_unique_id().is_empty();
    let is_copy = used.get(&id).is_some_and(|user| *user != owner);
    if (id.is_empty() && (edited || is_bare)) || (is_copy && edited) {
        let name = Names::take(used, &format!("{from}__{to}"), owner);
        wire.clone().bind_mut().id = StringName::from(&name);
        resource.clone().set_scene_unique_id(&plain(&name));
    } else if is_bare && !id.is_empty() {
        let name = Names::take(used, &plain(&id), owner);
        resource.clone().set_scene_unique_id(&name);
    }
}

/// What the engine takes as an id in a file.
fn plain(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// True if one of these has the id of another one.
fn has_copies(graph: &mut ActionGraph, wires: &[Gd<ActionGraphTransition>]) -> bool {
    let used = take_used(graph);
    let copied = wires.iter().any(|wire| {
        let id = wire.bind().id.to_string();
        used.get(&id).is_some_and(|user| *user != wire.instance_id().to_i64())
    });
    graph.names.used = Some(used);
    copied
}

/// The names in use, looked up anew if they may have changed.
fn take_used(graph: &mut ActionGraph) -> BTreeMap<String, i64> {
    if graph.names.renames == changes::renames()
        && let Some(used) = graph.names.used.take()
    {
        return used;
    }
    graph.names.renames = changes::renames();
    let mut used = BTreeMap::new();
    for node in graph.nodes.entries().iter().filter_map(|entry| entry.node.clone()) {
        note(&mut used, &node.clone().upcast());
        let (wires, payload) = {
            let node = node.bind();
            (node.transitions.members().to_vec(), node.payload.stored())
        };
        payload.iter().for_each(|payload| note(&mut used, payload));
        for wire in wires {
            note(&mut used, &wire.clone().upcast());
            let id = wire.bind().id.to_string();
            if !id.is_empty() {
                used.entry(id).or_insert(wire.instance_id().to_i64());
            }
        }
    }
    used
}

fn note(used: &mut BTreeMap<String, i64>, resource: &Gd<Resource>) {
    let id = resource.get_scene_unique_id().to_string();
    if !id.is_empty() {
        used.entry(id).or_insert(resource.instance_id().to_i64());
    }
}

/// Names a wire that was just made for a node.
pub(crate) fn name_new_wire(graph: &mut ActionGraph, from: &str, wire: &Gd<ActionGraphTransition>) {
    let mut used = take_used(graph);
    name_wire(&mut used, from, wire, true);
    graph.names.used = Some(used);
}

/// Lets a node and its payload be called by another id.
pub(crate) fn rename(graph: &mut ActionGraph, old: &str, id: &str, node: &Gd<ActionGraphNode>) {
    let payload = node.bind().payload.stored();
    let parts = [(Some(node.clone().upcast()), ""), (payload, "_payload")];
    for (resource, ending) in parts.into_iter().filter_map(|(part, ending)| Some((part?, ending))) {
        let known: String = resource.get_scene_unique_id().to_string();
        if known == format!("node_{old}{ending}") || known.is_empty() {
            graph.names.give_back(&known);
            let mut used = take_used(graph);
            let name = Names::take(&mut used, &format!("node_{id}{ending}"), resource.instance_id().to_i64());
            graph.names.used = Some(used);
            resource.clone().set_scene_unique_id(&name);
        }
    }
}
