//! Who of an agent and its children answers a question that is asked by a method name.
//!
//! The search is made once per agent, and again when its children or a script changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use godot::prelude::*;
use parking_lot::Mutex;

use crate::base::convert::type_name;
use crate::base::id_map::{IdMap, id_map};
use crate::base::{lookup, messages, watch};

/// Searches to remember at least before those of freed agents are forgotten.
const REMEMBERED: usize = 1024;

/// The nodes of the addon.
const COMPONENTS: [&str; 9] = [
    "ActionEvaluator",
    "AgentAwareness",
    "AgentVitals",
    "Perception2D",
    "Perception3D",
    "ReactionEvaluator",
    "StimulusSource2D",
    "StimulusSource3D",
    "TagContainer",
];

/// How often a method of the game was asked.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// The number of methods and properties of the game that were asked so far.
pub(crate) fn calls() -> u64 {
    CALLS.load(Ordering::Relaxed)
}

/// What was found about each agent.
pub(crate) struct Found<T> {
    agents: Mutex<IdMap<(u64, Arc<T>)>>,
    /// How many there may be before those of freed agents are forgotten.
    limit: AtomicUsize,
}

impl<T> Found<T> {
    /// Nothing yet, for a static.
    pub(crate) const fn nothing() -> Self {
        Self { agents: Mutex::new(id_map()), limit: AtomicUsize::new(REMEMBERED) }
    }

    /// What was found, if that still holds: without the node, and without a search.
    pub(crate) fn known(&self, agent: InstanceId) -> Option<Arc<T>> {
        let generation = watch::known_generation(agent.to_i64())?;
        let agents = self.agents.lock();
        let (known, found) = agents.get(&agent.to_i64())?;
        (*known == generation).then(|| found.clone())
    }

    /// What `search` finds among the agent and its children in order, our own nodes left out.
    pub(crate) fn about(&self, agent: &Gd<Node>, search: fn(&[Gd<Node>]) -> T) -> Arc<T> {
        let generation = watch::generation(agent);
        let id = agent.instance_id().to_i64();
        if let Some((known, found)) = self.agents.lock().get(&id)
            && *known == generation
        {
            return found.clone();
        }
        let found = Arc::new(search(&askable(agent)));
        let mut agents = self.agents.lock();
        if agents.len() >= self.limit.load(Ordering::Relaxed) {
            agents.retain(|id, _| InstanceId::try_from_i64(*id).is_some_and(InstanceId::lookup_validity));
            // With many agents alive, not each new one is a reason to look at all of them.
            self.limit.store((agents.len() * 2).max(REMEMBERED), Ordering::Relaxed);
        }
        agents.insert(id, (generation, found.clone()));
        found
    }
}

fn askable(agent: &Gd<Node>) -> Vec<Gd<Node>> {
    let mut nodes = vec![agent.clone()];
    // One by one: in the middle of a `free()` the engine's list of children has dead ones in it.
    for index in 0..agent.get_child_count() {
        let child = agent.get_child(index).filter(Gd::is_instance_valid);
        nodes.extend(child.filter(|child| !is_ours(child)));
    }
    nodes
}

/// A component of the addon, whether it has found its agent or not: what its methods tell is no answer of the game.
fn is_ours(node: &Gd<Node>) -> bool {
    lookup::agent_of(node.instance_id()).is_some()
        || COMPONENTS.contains(&node.get_class().to_string().as_str())
}

/// True if the node has the method with exactly this many parameters, optional ones counted.
pub(crate) fn has(node: &Gd<Node>, method: &StringName, parameters: i32) -> bool {
    node.has_method(method) && node.get_method_argument_count(method) == parameters
}

/// Calls a method of a node; `None` if the node is gone. Runs scripts: nothing may be bound or locked.
pub(crate) fn call(node: InstanceId, method: &StringName, arguments: &[Variant]) -> Option<Variant> {
    let mut node = Gd::<Node>::try_from_instance_id(node).ok()?;
    CALLS.fetch_add(1, Ordering::Relaxed);
    node.try_call(method, arguments).ok()
}

/// Reads a property of a node; `None` if the node is gone. Runs scripts: nothing may be bound or locked.
pub(crate) fn get(node: InstanceId, property: &StringName) -> Option<Variant> {
    let node = Gd::<Node>::try_from_instance_id(node).ok()?;
    CALLS.fetch_add(1, Ordering::Relaxed);
    Some(node.get(property))
}

/// The number in an answer; NaN is none.
pub(crate) fn number(answer: &Variant) -> Option<f64> {
    let number = match answer.get_type() {
        VariantType::INT => answer.try_to::<i64>().ok()? as f64,
        VariantType::FLOAT => answer.try_to::<f64>().ok()?,
        _ => return None,
    };
    (!number.is_nan()).then_some(number)
}

/// The warning about an answer that cannot be used; once per node and method.
pub(crate) fn ignore(node: InstanceId, method: &StringName, answer: &Variant, wanted: &str) {
    let Ok(node) = Gd::<Node>::try_from_instance_id(node) else { return };
    let given = match answer.get_type() {
        VariantType::INT | VariantType::FLOAT | VariantType::BOOL => answer.to_string(),
        VariantType::STRING | VariantType::STRING_NAME => format!("\"{answer}\""),
        _ => type_name(answer).to_owned(),
    };
    let text = format!("{method} says {given}, which is ignored. Let it give {wanted}.");
    messages::warning(&node, &method.to_string(), "answer", &text);
}
