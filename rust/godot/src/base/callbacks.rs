//! Callables on a node that hold no reference to it and can be told apart, and their connections.

use std::fmt;
use std::hash::{Hash, Hasher};

use godot::builtin::{Callable, RustCallable, Variant};
use godot::classes::{Engine, Object};
use godot::meta::ToGodot as _;
use godot::obj::{Gd, Inherits, InstanceId, Singleton as _};
use parking_lot::Mutex;

/// Calls a function with the id of a node. Two with the same node and name are the same connection.
#[derive(Clone, Copy)]
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

/// A connection that the editor has to lose before the library is unloaded: its callable is code of this library.
struct Link {
    source: InstanceId,
    signal: &'static str,
    callable: OnNode,
}

/// Connections made in the editor, where the library may be reloaded.
static IN_EDITOR: Mutex<Vec<Link>> = Mutex::new(Vec::new());

/// Connects `call` to a signal, once per node and name.
///
/// In the editor the binding would drop these connections itself, with a warning on every reload and at every
/// end; so there they are made past it and dropped by [`disconnect_in_editor`].
pub(crate) fn connect<T: Inherits<Object>>(
    source: &Gd<T>,
    signal: &'static str,
    node: InstanceId,
    name: &'static str,
    call: fn(InstanceId),
) {
    let mut source: Gd<Object> = source.clone().upcast();
    let on_node = OnNode { node, name, call, deferred: false };
    let callable = Callable::from_custom(on_node);
    if source.is_connected(signal, &callable) {
        return;
    }
    if !Engine::singleton().is_editor_hint() {
        source.connect(signal, &callable);
        return;
    }
    source.call("connect", &[signal.to_variant(), callable.to_variant()]);
    let mut links = IN_EDITOR.lock();
    if links.len().is_power_of_two() {
        links.retain(|link| link.source.lookup_validity());
    }
    links.push(Link { source: source.instance_id(), signal, callable: on_node });
}

/// Drops a connection made by [`connect`].
pub(crate) fn disconnect<T: Inherits<Object>>(
    source: &Gd<T>,
    signal: &'static str,
    node: InstanceId,
    name: &'static str,
) {
    let mut source: Gd<Object> = source.clone().upcast();
    let callable = on_node(node, name, |_| {});
    if source.is_connected(signal, &callable) {
        source.disconnect(signal, &callable);
    }
}

/// Drops all connections made in the editor, before the code that they call is unloaded.
pub(crate) fn disconnect_in_editor() {
    let links = std::mem::take(&mut *IN_EDITOR.lock());
    for link in links {
        if let Ok(mut source) = Gd::<Object>::try_from_instance_id(link.source) {
            let callable = Callable::from_custom(link.callable);
            if source.is_connected(link.signal, &callable) {
                source.disconnect(link.signal, &callable);
            }
        }
    }
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
