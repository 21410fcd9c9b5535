//! Shutdown of engine singletons that have signals.
//!
//! A GDScript lambda that is still connected to a singleton when scripts are unloaded crashes the process at
//! exit: the singleton outlives it. So every connection is dropped when the root leaves the tree.

use godot::builtin::{Callable, VarDictionary};
use godot::classes::{Engine, Object, SceneTree};
use godot::meta::ToGodot as _;
use godot::obj::{Gd, Inherits, InstanceId, Singleton as _};

use super::callbacks::connect;

/// To be called once per start for each singleton class, when the scene classes are registered.
pub(crate) fn drop_connections_at_exit<T: Inherits<Object>>(singleton: &Gd<T>) {
    at_exit(singleton, "riposte_disarm", |id| {
        if let Ok(singleton) = Gd::<Object>::try_from_instance_id(id) {
            disconnect_all(singleton);
        }
    });
}

/// Calls when the root leaves the tree, once per singleton and name.
pub(crate) fn at_exit<T: Inherits<Object>>(singleton: &Gd<T>, name: &'static str, call: fn(InstanceId)) {
    let id = singleton.instance_id();
    // There is no tree yet; the deferred call comes with its first frame.
    Callable::from_sync_fn("riposte_arm", move |_args| {
        let tree = Engine::singleton().get_main_loop().and_then(|main| main.try_cast::<SceneTree>().ok());
        if let Some(root) = tree.and_then(|tree| tree.get_root()) {
            connect(&root, "tree_exiting", id, name, call);
        }
        ().to_variant()
    })
    .call_deferred(&[]);
}

fn disconnect_all(mut singleton: Gd<Object>) {
    for signal in singleton.get_signal_list().iter_shared() {
        let name = text(&signal, "name");
        for connection in singleton.get_signal_connection_list(&name).iter_shared() {
            if let Some(Ok(callable)) = connection.get("callable").map(|c| c.try_to::<Callable>()) {
                singleton.disconnect(&name, &callable);
            }
        }
    }
}

fn text(info: &VarDictionary, key: &str) -> String {
    info.get(key).map(|value| value.to_string()).unwrap_or_default()
}
