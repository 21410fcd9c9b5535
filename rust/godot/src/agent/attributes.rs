//! Attributes: numbers that the game keeps somewhere else, named by a property or a path.
//!
//! `"mana"` is a property of the agent, or of the first child that has it. `"Stats:mana"` is a property of the node
//! `Stats` below the agent; `"Stats:pools:mana"` and `"velocity:x"` go on into the value.

use std::collections::BTreeMap;

use godot::prelude::*;
use parking_lot::Mutex;

use crate::base::watch;

/// Who has an attribute without a node in its name.
#[derive(Clone, Copy)]
struct Owner {
    generation: u64,
    node: Option<InstanceId>,
}

static OWNERS: Mutex<BTreeMap<(i64, String), Owner>> = Mutex::new(BTreeMap::new());

/// Owners to remember before those of freed agents are forgotten.
const REMEMBERED: usize = 4096;

/// The number, or `None` if there is none, or it is not finite. Runs getters of scripts: nothing may be bound or
/// locked.
pub(crate) fn read(agent: &Gd<Node>, attribute: &str) -> Option<f64> {
    let (node, property) = match attribute.split_once(':') {
        Some((path, property)) => match find_node(agent, path) {
            Some(node) => (node, property),
            // No such node, so it is a property with a part, like "velocity:x".
            None => (owner(agent, attribute)?, attribute),
        },
        None => (owner(agent, attribute)?, attribute),
    };
    number(&node, property)
}

/// The same, and the answer of a method without arguments if the name ends in `()`: `"get_level()"`, `"Stats:get_haste()"`.
pub(crate) fn ask(agent: &Gd<Node>, attribute: &str) -> Option<f64> {
    let Some(name) = attribute.strip_suffix("()") else { return read(agent, attribute) };
    let (path, method) = name.split_once(':').map_or((None, name), |(path, method)| (Some(path), method));
    let mut nodes = Vec::new();
    match path {
        Some(path) => nodes.extend(find_node(agent, path)),
        None => {
            nodes.push(agent.clone());
            nodes.extend(agent.get_children().iter_shared());
        }
    }
    let has = |node: &&mut Gd<Node>| node.has_method(method) && node.get_method_argument_count(method) == 0;
    let answer = nodes.iter_mut().find(has)?.try_call(method, &[]).ok()?;
    answer.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite())
}

fn find_node(agent: &Gd<Node>, path: &str) -> Option<Gd<Node>> {
    let relative = !path.is_empty() && !path.starts_with('/');
    if relative { agent.get_node_or_null(path) } else { None }
}

/// The agent or the first child that has the property; looked for again when the children or a script changed.
fn owner(agent: &Gd<Node>, property: &str) -> Option<Gd<Node>> {
    let generation = watch::generation(agent);
    let key = (agent.instance_id().to_i64(), property.to_owned());
    let known = OWNERS.lock().get(&key).copied().filter(|owner| owner.generation == generation);
    let node = match known {
        Some(owner) => owner.node,
        None => {
            let node = search(agent, property);
            remember(key, Owner { generation, node });
            node
        }
    };
    Gd::try_from_instance_id(node?).ok()
}

fn remember(key: (i64, String), owner: Owner) {
    let mut owners = OWNERS.lock();
    if owners.len() >= REMEMBERED {
        owners.retain(|(id, _), _| InstanceId::try_from_i64(*id).is_some_and(InstanceId::lookup_validity));
    }
    owners.insert(key, owner);
}

fn search(agent: &Gd<Node>, property: &str) -> Option<InstanceId> {
    let mut nodes = vec![agent.clone()];
    nodes.extend(agent.get_children().iter_shared());
    nodes.iter().find(|node| !node.get_indexed(property).is_nil()).map(|node| node.instance_id())
}

fn number(node: &Gd<Node>, property: &str) -> Option<f64> {
    let value = node.get_indexed(property);
    value.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite())
}
