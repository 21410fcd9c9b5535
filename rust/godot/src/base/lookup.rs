//! Which agent a component belongs to, and which components an agent has.
//!
//! Components register themselves when they enter the tree, so nobody searches children. Of several
//! components of one kind the first among the agent's direct children counts, then those that stand elsewhere
//! and name the agent by their `agent_path`.

use std::sync::atomic::{AtomicU64, Ordering};

use godot::builtin::NodePath;
use godot::classes::Node;
use godot::obj::{Gd, InstanceId};
use parking_lot::Mutex;

use super::callbacks::connect;
use super::id_map::{IdMap, id_map};

/// The kinds of components that others look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// `Perception3D`.
    Perception,
    /// `StimulusSource3D`.
    StimulusSource,
    /// `TagContainer`.
    Tags,
    /// `AgentVitals`.
    Vitals,
    /// `ActionEvaluator`.
    Evaluator,
    /// `ReactionEvaluator`.
    Reactions,
    /// `AgentAwareness`.
    Awareness,
    /// `MotionWarp3D`.
    MotionWarp,
    /// `LedgeGuard3D`.
    LedgeGuard,
    /// `AbilitySystem`.
    Abilities,
    /// `BehaviorStack`.
    Behaviors,
    /// `CommandSystem`.
    Commands,
    /// `AttackApproach3D`.
    Approach,
    /// `ActionGraphPlayer`.
    Moves,
}

struct Registry {
    /// Agent → its components, those that count first.
    agents: IdMap<Vec<(Part, InstanceId)>>,
    /// Component → its agent.
    components: IdMap<InstanceId>,
}

/// Counts the changes of the registry.
static EPOCH: AtomicU64 = AtomicU64::new(0);

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { agents: id_map(), components: id_map() });

/// Finds the agent of a component (`path` empty: the parent) and registers it there; again after `agent_path`
/// changed. Call it from `entered` and `readied`: a path may lead to what is added later. Main thread only.
pub(crate) fn attach(component: &Gd<Node>, path: &NodePath, part: Part) -> Option<Gd<Node>> {
    let agent = find_agent(component, path);
    let id = component.instance_id();
    let rivals = {
        let mut registry = REGISTRY.lock();
        registry.remove(id);
        agent.as_ref().is_some_and(|agent| registry.insert(agent.instance_id(), part, id))
    };
    if rivals && let Some(agent) = &agent {
        // Who comes first may change with the order of the children.
        connect(agent, "child_order_changed", agent.instance_id(), "riposte_parts", sort);
        sort(agent.instance_id());
    }
    agent
}

/// Takes a component out, when it leaves the tree.
pub(crate) fn detach(component: InstanceId) {
    REGISTRY.lock().remove(component);
}

/// The agent of a component in the tree.
pub(crate) fn agent_of(component: InstanceId) -> Option<InstanceId> {
    let agent = REGISTRY.lock().components.get(&component.to_i64()).copied()?;
    agent.lookup_validity().then_some(agent)
}

/// The agent's component of this kind.
pub(crate) fn part_of(agent: InstanceId, part: Part) -> Option<InstanceId> {
    let registry = REGISTRY.lock();
    let parts = registry.agents.get(&agent.to_i64())?;
    parts.iter().find(|entry| entry.0 == part).map(|entry| entry.1)
}

/// All of the agent's components of this kind, the one that counts first.
pub(crate) fn parts_of(agent: InstanceId, part: Part) -> Vec<InstanceId> {
    let registry = REGISTRY.lock();
    let parts = registry.agents.get(&agent.to_i64());
    let all = parts.into_iter().flatten().filter(|entry| entry.0 == part);
    all.map(|entry| entry.1).collect()
}

/// The first of these nodes that has a component of one of these kinds.
pub(crate) fn nearest_with(nodes: &[i64], parts: &[Part]) -> Option<InstanceId> {
    let registry = REGISTRY.lock();
    let has = |node: &&i64| {
        let own = registry.agents.get(*node);
        own.is_some_and(|own| own.iter().any(|entry| parts.contains(&entry.0)))
    };
    nodes.iter().find(has).copied().and_then(InstanceId::try_from_i64)
}

/// Another number whenever a component came or went: what was found out about agents may be wrong now.
pub(crate) fn epoch() -> u64 {
    EPOCH.load(Ordering::Relaxed)
}

/// True if the agent has more than one component of this kind: a configuration warning.
pub(crate) fn has_several(agent: InstanceId, part: Part) -> bool {
    let registry = REGISTRY.lock();
    let parts = registry.agents.get(&agent.to_i64());
    parts.is_some_and(|parts| parts.iter().filter(|entry| entry.0 == part).count() > 1)
}

/// The node itself or the nearest node above it that is an agent, that is, has a component.
pub(crate) fn agent_above(node: &Gd<Node>) -> Option<Gd<Node>> {
    let mut at = Some(node.clone());
    while let Some(node) = at {
        if REGISTRY.lock().agents.contains_key(&node.instance_id().to_i64()) {
            return Some(node);
        }
        at = node.get_parent();
    }
    None
}

/// The node that `agent_path` of a component leads to.
pub(crate) fn find_agent(component: &Gd<Node>, path: &NodePath) -> Option<Gd<Node>> {
    if path.is_empty() {
        return component.get_parent();
    }
    // Asking for an absolute path outside the tree is an engine error.
    let reachable = component.is_inside_tree() || !path.to_string().starts_with('/');
    if reachable { component.get_node_or_null(path) } else { None }
}

/// Configuration warnings about the agent of a component.
pub(crate) fn warnings(component: &Gd<Node>, path: &NodePath, part: Part) -> Vec<String> {
    match find_agent(component, path) {
        Some(agent) if has_several(agent.instance_id(), part) => {
            let class = component.get_class();
            vec![format!("The agent has more than one {class}. Only the first is used; remove the others.")]
        }
        _ => agent_warnings(component, path),
    }
}

/// The configuration warning of a component whose agent is not found.
pub(crate) fn agent_warnings(component: &Gd<Node>, path: &NodePath) -> Vec<String> {
    match find_agent(component, path) {
        None if path.is_empty() => {
            vec!["There is no agent. Make this node a child of the agent, or set agent_path.".to_owned()]
        }
        None => vec![format!(
            "agent_path: there is no node at \"{path}\". Set it, or leave it empty for the parent."
        )],
        Some(_) => Vec::new(),
    }
}

impl Registry {
    /// True if the agent has others of the kind already.
    fn insert(&mut self, agent: InstanceId, part: Part, component: InstanceId) -> bool {
        EPOCH.fetch_add(1, Ordering::Relaxed);
        let parts = self.agents.entry(agent.to_i64()).or_default();
        let rivals = parts.iter().any(|entry| entry.0 == part);
        parts.push((part, component));
        self.components.insert(component.to_i64(), agent);
        rivals
    }

    fn remove(&mut self, component: InstanceId) {
        let Some(agent) = self.components.remove(&component.to_i64()) else { return };
        EPOCH.fetch_add(1, Ordering::Relaxed);
        if let Some(parts) = self.agents.get_mut(&agent.to_i64()) {
            parts.retain(|entry| entry.1 != component);
            if parts.is_empty() {
                self.agents.remove(&agent.to_i64());
            }
        }
    }
}

/// Puts the agent's components into the order of its children; those elsewhere stay behind them.
fn sort(agent: InstanceId) {
    let Ok(node) = Gd::<Node>::try_from_instance_id(agent) else { return };
    let mut parts = match REGISTRY.lock().agents.get(&agent.to_i64()) {
        Some(parts) => parts.clone(),
        None => return,
    };
    parts.sort_by_key(|(_, id)| child_index(&node, *id));
    if let Some(current) = REGISTRY.lock().agents.get_mut(&agent.to_i64())
        && current.len() == parts.len()
    {
        *current = parts;
    }
}

fn child_index(agent: &Gd<Node>, component: InstanceId) -> i32 {
    match Gd::<Node>::try_from_instance_id(component) {
        Ok(component) if component.get_parent().as_ref() == Some(agent) => component.get_index(),
        _ => i32::MAX,
    }
}
