//! Signals of the component that works for an order.

use std::fmt;
use std::hash::Hash;

use godot::prelude::*;

use super::CommandHandle;

/// What hears a signal for a start: the handle and the arguments.
pub(crate) type Hearing = fn(&Gd<CommandHandle>, &[&Variant]);

/// Connects a signal of a component, until [`stop`].
pub(crate) fn listen<T: Inherits<Object>>(
    source: &Gd<T>,
    signal: &'static str,
    handle: &Gd<CommandHandle>,
    hear: Hearing,
) {
    let mut source: Gd<Object> = source.clone().upcast();
    let listener = Listener { handle: handle.instance_id(), signal, hear };
    source.connect(signal, &Callable::from_custom(listener));
}

/// Drops such a connection.
pub(crate) fn stop<T: Inherits<Object>>(source: &Gd<T>, signal: &'static str, handle: &Gd<CommandHandle>) {
    let mut source: Gd<Object> = source.clone().upcast();
    let listener = Listener { handle: handle.instance_id(), signal, hear: |_, _| {} };
    let callable = Callable::from_custom(listener);
    if source.is_connected(signal, &callable) {
        source.disconnect(signal, &callable);
    }
}

struct Listener {
    handle: InstanceId,
    signal: &'static str,
    hear: Hearing,
}

impl RustCallable for Listener {
    fn invoke(&mut self, arguments: &[&Variant]) -> Variant {
        // A handle that nobody has any more stands for a start that is over.
        if let Ok(handle) = Gd::try_from_instance_id(self.handle) {
            (self.hear)(&handle, arguments);
        }
        Variant::nil()
    }
}

impl PartialEq for Listener {
    fn eq(&self, other: &Self) -> bool {
        self.handle == other.handle && self.signal == other.signal
    }
}

impl Hash for Listener {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.handle.hash(state);
        self.signal.hash(state);
    }
}

impl fmt::Display for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("riposte_order")
    }
}
