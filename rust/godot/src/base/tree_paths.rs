//! Nodes by their path from the root, as states of games and of other peers name them.

use godot::classes::{Engine, SceneTree, Window};
use godot::prelude::*;

/// The path of a node in the tree.
pub(crate) fn path_of(node: InstanceId) -> Option<String> {
    let node = Gd::<Node>::try_from_instance_id(node).ok().filter(|node| node.is_inside_tree())?;
    Some(node.get_path().to_string())
}

/// The node at a path; only in the tree.
pub(crate) fn node_at(path: &str) -> Option<InstanceId> {
    if path.is_empty() {
        return None;
    }
    root()?.get_node_or_null(&NodePath::from(path)).map(|node| node.instance_id())
}

/// The root window.
pub(crate) fn root() -> Option<Gd<Window>> {
    Engine::singleton().get_main_loop()?.try_cast::<SceneTree>().ok()?.get_root()
}
