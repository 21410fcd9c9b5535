//! Callables on a node that hold no reference to it and can be told apart.

use std::fmt;
use std::hash::{Hash, Hasher};

use godot::builtin::{Callable, RustCallable, Variant};
use godot::obj::InstanceId;

/// Calls a function with the id of a node. Two with the same node and name are the same connection.
struct OnNode {
    node: InstanceId,
    name: &'static str,
    call: fn(InstanceId),
    /// Valid after the node was freed too: the engine prints an error for a deferred call that is not.
    deferred: bool,
}

/// A callable that may be connected from any thread; `call` runs on the thread that emits.
pub(crate) fn on_node(node: InstanceId, name: &'static str, call: fn(InstanceId)) -> Callable {
    Callable::from_custom(OnNode { node, name, call, deferred: false })
}

/// Calls at the end of the frame, also if the node was freed meanwhile: `call` has to look.
pub(crate) fn defer(node: InstanceId, name: &'static str, call: fn(InstanceId)) {
    Callable::from_custom(OnNode { node, name, call, deferred: true }).call_deferred(&[]);
}

impl RustCallable for OnNode {
    fn invoke(&mut self, _args: &[&Variant]) -> Variant {
        (self.call)(self.node);
        Variant::nil()
    }

    fn is_valid(&self) -> bool {
        self.deferred || self.node.lookup_validity()
    }
}

impl PartialEq for OnNode {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && self.name == other.name
    }
}

impl Hash for OnNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
        self.name.hash(state);
    }
}

impl fmt::Display for OnNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
