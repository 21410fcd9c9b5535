//! Attributes: numbers that the game keeps somewhere else, named by a property or a path.
//!
//! `"mana"` is a property of the agent, or of the first child that has it. `"Stats:mana"` is a property of the node
//! `Stats` below the agent; `"Stats:pools:mana"` and `"velocity:x"` go on into the value.

use std::cell::RefCell;
use std::collections::BTreeMap;

use godot::prelude::*;
use parking_lot::Mutex;

use crate::base::watch;

/// The name of an attribute, taken apart once. Main thread only.
pub(crate) struct Attribute {
    /// Another one for each name.
    number: u32,
    form: Form,
}

enum Form {
    /// The answer of a method without arguments: `"get_level()"`, `"Stats:get_haste()"`.
    Method { of: Place, name: StringName },
    /// A property of the agent or of a child: `"mana"`, `"velocity:x"`.
    Property(NodePath),
    /// A property of the node at a path, or of the agent or a child as a whole: `"Stats:mana"`.
    Below { path: NodePath, property: NodePath, whole: NodePath },
    /// Nobody has an attribute of that name, and the engine complains of such a path.
    Nothing,
}

/// Whose method is called.
enum Place {
    /// The agent's, or that of the first child that has it.
    Anyone,
    At(NodePath),
    Nowhere,
}

thread_local! {
    /// By their names. Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static KNOWN: &'static RefCell<BTreeMap<String, &'static Attribute>> = Box::leak(Box::default());
}

impl Attribute {
    /// The attribute of this name, the same for all who ask.
    pub(crate) fn of(name: &str) -> &'static Self {
        KNOWN.with(|known| {
            let mut known = known.borrow_mut();
            if let Some(attribute) = known.get(name) {
                return *attribute;
            }
            let number = known.len() as u32;
            let made: &'static Self = Box::leak(Box::new(Self { number, form: Form::of(name) }));
            known.insert(name.to_owned(), made);
            made
        })
    }

    /// The number, or `None` if there is none, or it is not finite. Runs getters and methods of scripts: nothing may be
    /// bound or locked.
    pub(crate) fn read(&self, agent: &Gd<Node>) -> Option<f64> {
        match &self.form {
            Form::Nothing => None,
            Form::Method { of, name } => answer(agent, of, name),
            Form::Property(whole) => number(&self.owner(agent, whole)?, whole),
            Form::Below { path, property, whole } => match agent.get_node_or_null(path) {
                Some(node) => number(&node, property),
                // No such node, so it is a property with a part, like "velocity:x".
                None => number(&self.owner(agent, whole)?, whole),
            },
        }
    }

    /// Sets the number; false if it is the answer of a method, or nobody has it. Runs setters of scripts: nothing may be bound
    /// or locked.
    pub(crate) fn write(&self, agent: &Gd<Node>, value: f64) -> bool {
        let place = match &self.form {
            Form::Nothing | Form::Method { .. } => None,
            Form::Property(whole) => self.owner(agent, whole).map(|node| (node, whole)),
            Form::Below { path, property, whole } => match agent.get_node_or_null(path) {
                Some(node) => Some((node, property)),
                None => self.owner(agent, whole).map(|node| (node, whole)),
            },
        };
        let Some((mut node, property)) = place else { return false };
        // A whole number stays one: a variable without a type would become another kind of number.
        let whole = node.get_indexed(property).get_type() == VariantType::INT && value.fract() == 0.0;
        let value = if whole { (value as i64).to_variant() } else { value.to_variant() };
        node.set_indexed(property, &value);
        true
    }

    /// The agent or the first child that has the property; looked for again when the children or a script changed.
    fn owner(&self, agent: &Gd<Node>, property: &NodePath) -> Option<Gd<Node>> {
        let generation = watch::generation(agent);
        let key = (agent.instance_id().to_i64(), self.number);
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
}

impl Form {
    fn of(name: &str) -> Self {
        let split = name.split_once(':');
        if let Some(method) = name.strip_suffix("()") {
            let (of, method) = match method.split_once(':') {
                None => (Place::Anyone, method),
                Some((path, method)) if is_below(path) => (Place::At(NodePath::from(path)), method),
                Some((_, method)) => (Place::Nowhere, method),
            };
            return Self::Method { of, name: StringName::from(method) };
        }
        let parts: Vec<&str> = name.split(':').collect();
        if parts.len() > 2 && parts[1..parts.len() - 1].iter().any(|part| part.is_empty()) {
            return Self::Nothing;
        }
        let whole = NodePath::from(name);
        match split.filter(|(path, _)| is_below(path)) {
            Some((path, property)) => {
                Self::Below { path: NodePath::from(path), property: NodePath::from(property), whole }
            }
            None => Self::Property(whole),
        }
    }
}

fn is_below(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('/')
}

fn answer(agent: &Gd<Node>, of: &Place, method: &StringName) -> Option<f64> {
    let has = |node: &mut Gd<Node>| node.has_method(method) && node.get_method_argument_count(method) == 0;
    let mut node = match of {
        Place::Anyone => anyone(agent, has)?,
        Place::At(path) => agent.get_node_or_null(path)?,
        Place::Nowhere => return None,
    };
    if !has(&mut node) {
        return None;
    }
    let answer = node.try_call(method, &[]).ok()?;
    answer.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite())
}

/// The agent, or its first child, of which this is true.
fn anyone(agent: &Gd<Node>, mut is: impl FnMut(&mut Gd<Node>) -> bool) -> Option<Gd<Node>> {
    let mut agent = agent.clone();
    if is(&mut agent) {
        return Some(agent);
    }
    agent.get_children().iter_shared().find_map(|mut child| is(&mut child).then_some(child))
}

/// Who has an attribute without a node in its name.
#[derive(Clone, Copy)]
struct Owner {
    generation: u64,
    node: Option<InstanceId>,
}

static OWNERS: Mutex<BTreeMap<(i64, u32), Owner>> = Mutex::new(BTreeMap::new());

/// Owners to remember before those of freed agents are forgotten.
const REMEMBERED: usize = 4096;

fn remember(key: (i64, u32), owner: Owner) {
    let mut owners = OWNERS.lock();
    if owners.len() >= REMEMBERED {
        owners.retain(|(id, _), _| InstanceId::try_from_i64(*id).is_some_and(InstanceId::lookup_validity));
    }
    owners.insert(key, owner);
}

fn search(agent: &Gd<Node>, property: &NodePath) -> Option<InstanceId> {
    anyone(agent, |node| !node.get_indexed(property).is_nil()).map(|node| node.instance_id())
}

fn number(node: &Gd<Node>, property: &NodePath) -> Option<f64> {
    let value = node.get_indexed(property);
    value.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite())
}
