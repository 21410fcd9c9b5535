//! What a graph inherits: `base` first, then `includes` in order, then its own nodes.

use std::collections::BTreeMap;

use godot::prelude::*;

use super::node_table::ROOT;
use super::{ActionGraph, ActionGraphNode, ActionGraphTransition};

/// How many graphs may inherit one another.
const DEEPEST: usize = 8;

/// A node with the wires that it inherits.
#[derive(Clone)]
pub(crate) struct MergedNode {
    pub id: String,
    pub node: Gd<ActionGraphNode>,
    pub transitions: Vec<Gd<ActionGraphTransition>>,
    /// The graph that the node lies in.
    pub graph: InstanceId,
}

impl MergedNode {
    /// The ids of its transitions; one that has none is called by where it leads.
    pub(crate) fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        for wire in &self.transitions {
            let wire = wire.bind();
            let wish =
                if wire.id.is_empty() { format!("{}__{}", self.id, wire.to) } else { wire.id.to_string() };
            let mut id = wish.clone();
            let mut number = 1;
            while wire.id.is_empty() && ids.contains(&id) {
                number += 1;
                id = format!("{wish}_{number}");
            }
            ids.push(id);
        }
        ids
    }

    /// The file that it lies in, for messages.
    pub(crate) fn file(&self) -> String {
        let graph = Gd::<ActionGraph>::try_from_instance_id(self.graph);
        graph.as_ref().map_or_else(|_| "ActionGraph".to_owned(), ActionGraph::file)
    }
}

/// All nodes of a graph, root in front, the others by the bytes of their ids.
#[derive(Clone, Default)]
pub(crate) struct Merged {
    pub nodes: Vec<MergedNode>,
    /// Graphs that inherit each other, or too many in a row: their names in order.
    pub broken: Option<Chain>,
}

/// Why inheritance was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    pub is_cycle: bool,
    pub names: Vec<String>,
}

type Table = BTreeMap<String, MergedNode>;

/// Puts a graph together. Nothing may be bound.
pub(crate) fn merge(graph: &Gd<ActionGraph>) -> Merged {
    let mut broken = None;
    let mut table = collect(graph, &mut Vec::new(), &mut broken);
    let root = table.remove(ROOT);
    Merged { nodes: root.into_iter().chain(table.into_values()).collect(), broken }
}

fn collect(graph: &Gd<ActionGraph>, above: &mut Vec<Gd<ActionGraph>>, broken: &mut Option<Chain>) -> Table {
    let mut table = Table::new();
    let (own, parents, removed) = {
        let own = graph.bind();
        (own.nodes.entries().to_vec(), own.parents(), own.removed())
    };
    above.push(graph.clone());
    for parent in parents {
        let is_cycle = above.contains(&parent);
        if is_cycle || above.len() > DEEPEST {
            let chain = above.iter().chain([&parent]).map(name).collect();
            broken.get_or_insert(Chain { is_cycle, names: chain });
            continue;
        }
        for (_, node) in collect(&parent, above, broken) {
            add(&mut table, node);
        }
    }
    above.pop();
    take_out(&mut table, &removed);
    for entry in own {
        let Some(node) = entry.node else { continue };
        let transitions = node.bind().transitions.members().to_vec();
        add(&mut table, MergedNode { id: entry.id, node, transitions, graph: graph.instance_id() });
    }
    let gone: Vec<String> = removed.into_iter().filter(|id| id != ROOT && !table.contains_key(id)).collect();
    take_out(&mut table, &gone);
    table
}

/// A node takes the place of an earlier one of the same id.
fn add(table: &mut Table, mut node: MergedNode) {
    if let Some(earlier) = table.get(&node.id)
        && node.node.bind().inherit_transitions
    {
        let own: Vec<StringName> = node.transitions.iter().map(|wire| wire.bind().id.clone()).collect();
        let is_new = |wire: &&Gd<ActionGraphTransition>| {
            let id = &wire.bind().id;
            id.is_empty() || !own.contains(id)
        };
        node.transitions.extend(earlier.transitions.iter().filter(is_new).cloned());
    }
    table.insert(node.id.clone(), node);
}

fn take_out(table: &mut Table, ids: &[String]) {
    if ids.is_empty() {
        return;
    }
    table.retain(|id, _| id == ROOT || !ids.contains(id));
    for node in table.values_mut() {
        node.transitions.retain(|wire| {
            let to = wire.bind().to.to_string();
            to == ROOT || !ids.contains(&to)
        });
    }
}

/// The file of a graph, for messages.
fn name(graph: &Gd<ActionGraph>) -> String {
    ActionGraph::file(graph)
}
