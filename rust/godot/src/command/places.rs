//! Whether nodes are there.

use godot::prelude::*;

/// True if the node is in the tree and not about to be freed.
pub(crate) fn is_live(node: InstanceId) -> bool {
    Gd::<Node>::try_from_instance_id(node)
        .is_ok_and(|node| node.is_inside_tree() && !node.is_queued_for_deletion())
}
