//! What is wrong with a graph: errors, which stop its compilation, and warnings. Scripts may run: nothing is bound meanwhile.

use std::collections::BTreeSet;

use godot::classes::AnimationMixer;
use godot::prelude::*;
use riposte_core::tags::{TagTable, closest_name};

use super::families::{Conditions, Costs, GraphHooks};
use super::findings::{Finding, Located};
use super::graph_view::{GraphView, NodeView};
use super::merging::Merged;
use super::naming::is_identifier;
use super::node_table::ROOT;
use super::{ActionGraph, ActionGraphNode, ActionGraphTransition, validation_nodes, validation_paths};
use crate::action::parts::Gates;
use crate::base::family::Family;

/// Everything that is found, with the animations of an agent if there is one.
pub(super) fn find(this: &Gd<ActionGraph>, animations: Option<&Gd<AnimationMixer>>) -> Vec<Located> {
    let mut found = errors(this);
    let view = GraphView::of(&ActionGraph::merged(this), animations);
    let mut warnings = nulls(this);
    validation_paths::look(&view, &mut warnings);
    validation_nodes::look(&view, animations, &mut warnings);
    // By node, as a reader goes through the graph.
    let order = |one: &Located| view.nodes.iter().position(|node| node.id == one.node).map_or(0, |at| at + 1);
    warnings.sort_by_key(order);
    found.extend(warnings);
    found
}

/// What stops the compilation.
pub(super) fn errors(this: &Gd<ActionGraph>) -> Vec<Located> {
    let mut found = Vec::new();
    let merged = ActionGraph::merged(this);
    let file = ActionGraph::file(this);
    of_graph(this, &merged, &file, &mut found);
    let ids: Vec<String> = merged.nodes.iter().map(|node| node.id.clone()).collect();
    let mut used = BTreeSet::new();
    for node in &merged.nodes {
        let file = node.file();
        let mut say = |transition: &str, code: &'static str, text: String| {
            let (node, transition) = (node.id.clone(), transition.to_owned());
            found.push(Located { finding: Finding::new(code, text), file: file.clone(), node, transition });
        };
        if !is_identifier(&node.id) {
            let text = format!(
                "id \"{}\" is not an identifier. Use letters, digits and underscores, and no digit in front.",
                node.id
            );
            say("", "E1", text);
        }
        if node.id == ROOT {
            on_root(&node.node.bind(), &mut |text| say("", "E6", text));
        }
        strangers(&node.node.bind(), &mut |text| say("", "E7", text));
        for (wire, id) in node.transitions.iter().zip(node.ids()) {
            let wire = wire.bind();
            let to = wire.to.to_string();
            if !ids.contains(&to) {
                say(&id, "E2", unknown(&to, &ids));
            }
            if !used.insert(id.clone()) {
                let text = format!("the id \"{id}\" of the transition is used twice. Give it another one.");
                say(&id, "E4", text);
            }
            if let Some(text) = no_input(&wire) {
                say(&id, "E5", text);
            }
            for at in wire.conditions.stand_ins() {
                say(&id, "E7", wrong_class("conditions", at, Conditions::CLASSES));
            }
        }
    }
    found
}

fn of_graph(this: &Gd<ActionGraph>, merged: &Merged, file: &str, found: &mut Vec<Located>) {
    let mut say = |node: &str, code: &'static str, text: String| {
        let (node, transition) = (node.to_owned(), String::new());
        found.push(Located { finding: Finding::new(code, text), file: file.to_owned(), node, transition });
    };
    if let Some(chain) = &merged.broken {
        let names = chain.names.join(" → ");
        let text = if chain.is_cycle {
            format!("base cycle: {names}. Take one of them out of base or includes.")
        } else {
            format!("more than 8 levels of base and includes: {names}. Inherit fewer graphs.")
        };
        say("", "E3", text);
    }
    let (entries, removed) = {
        let own = this.bind();
        (own.nodes.entries().to_vec(), own.removed())
    };
    if removed.iter().any(|id| id == ROOT) {
        say("", "E1", "removed_nodes: id \"root\" is reserved and can't be removed. Take it out.".to_owned());
    }
    for entry in entries {
        if let Some(class) = &entry.stranger {
            let text = format!("wrong class in nodes[\"{}\"]: {class}; allowed: ActionGraphNode.", entry.id);
            say(&entry.id, "E7", text);
        }
    }
}

/// What root must not have.
fn on_root(root: &ActionGraphNode, say: &mut dyn FnMut(String)) {
    let has = [
        ("payload", root.payload.stored().is_some()),
        ("hooks", !root.hooks.stored().is_empty()),
        ("costs", !root.costs.stored().is_empty()),
        ("gates", !root.gates.stored().is_empty()),
        ("cooldown", root.cooldown.is_some()),
    ];
    let names: Vec<&str> = has.into_iter().filter(|one| one.1).map(|one| one.0).collect();
    if !names.is_empty() {
        say(format!("root has {}, and nothing runs there. Clear them.", names.join(", ")));
    }
}

fn strangers(node: &ActionGraphNode, say: &mut dyn FnMut(String)) {
    let lists = [
        ("costs", node.costs.stand_ins(), Costs::CLASSES),
        ("gates", node.gates.stand_ins(), Gates::CLASSES),
        ("hooks", node.hooks.stand_ins(), GraphHooks::CLASSES),
        ("transitions", node.transitions.strangers(), &["ActionGraphTransition"]),
    ];
    for (member, places, allowed) in lists {
        places.into_iter().for_each(|at| say(wrong_class(member, at, allowed)));
    }
    if node.payload.stored().is_some() && node.payload.member().is_none() {
        say("wrong class in payload; allowed: a payload that this version of the addon has.".to_owned());
    }
}

/// What is wrong with the input of a transition that waits for one.
fn no_input(wire: &ActionGraphTransition) -> Option<String> {
    let tag = wire.input_tag.to_string();
    if !wire.is_input() {
        None
    } else if tag.is_empty() {
        Some("input moment without Input Tag. Set input_tag, or another moment.".to_owned())
    } else {
        let problem = TagTable::validate(&tag).err()?;
        Some(format!("input moment without Input Tag: {problem}. Set another input_tag."))
    }
}

fn wrong_class(member: &str, at: usize, allowed: &[&str]) -> String {
    format!("wrong class in {member}[{at}]; allowed: {}.", allowed.join(", "))
}

fn unknown(to: &str, ids: &[String]) -> String {
    if to.is_empty() {
        return "the transition leads nowhere. Set to, for example to \"root\".".to_owned();
    }
    match closest_name(to, ids.iter().map(String::as_str)) {
        Some(near) => format!("transition to unknown node \"{to}\"; closest: \"{near}\"."),
        None => format!("transition to unknown node \"{to}\"; known: {}.", ids.join(", ")),
    }
}

/// Empty elements of the graph's own lists.
fn nulls(this: &Gd<ActionGraph>) -> Vec<Located> {
    let mut found = Vec::new();
    let file = ActionGraph::file(this);
    let (entries, includes) = {
        let own = this.bind();
        (own.nodes.entries().to_vec(), own.null_includes())
    };
    let mut say = |node: &str, text: String| {
        let finding = Finding::new("W6", text);
        let (node, transition) = (node.to_owned(), String::new());
        found.push(Located { finding, file: file.clone(), node, transition });
    };
    if includes > 0 {
        say("", null_elements("includes"));
    }
    for entry in entries.iter().filter(|entry| entry.node.is_none() && entry.stranger.is_none()) {
        say(
            &entry.id,
            "null element in nodes (skipped). Give it an ActionGraphNode, or remove it.".to_owned(),
        );
    }
    found
}

/// The text of W6.
pub(super) fn null_elements(member: &str) -> String {
    format!("null element in {member} (skipped). Fill or remove it.")
}

/// Says something about a node or one of its transitions.
pub(super) fn say(found: &mut Vec<Located>, node: &NodeView, transition: &str, finding: Finding) {
    let (file, id) = (node.file.clone(), node.id.clone());
    found.push(Located { finding, file, node: id, transition: transition.to_owned() });
}
