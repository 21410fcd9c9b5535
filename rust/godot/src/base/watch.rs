//! Notices when the children of a node, its script or a child's script change.
//!
//! What was found out about a node ("the second child answers for health") stays right until then.

use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::Node;
use godot::obj::{Gd, InstanceId};
use parking_lot::Mutex;

use super::callbacks::connect;
use super::id_map::{IdMap, id_map};

struct Watches {
    last: u64,
    generations: IdMap<u64>,
}

static WATCHES: Mutex<Watches> = Mutex::new(Watches { last: 0, generations: id_map() });

static REVISION: AtomicU64 = AtomicU64::new(1);

/// The number of this state of the node: as long as it stays the same, nothing changed. Never 0, never reused.
///
/// Ask *before* looking at the children: a change in between then counts.
pub(crate) fn generation(node: &Gd<Node>) -> u64 {
    let known = WATCHES.lock().generations.get(&node.instance_id().to_i64()).copied();
    known.unwrap_or_else(|| begin(node))
}

/// As [`generation`], for a node that was asked about before; `None`: it changed since, or never was.
pub(crate) fn known_generation(node: i64) -> Option<u64> {
    WATCHES.lock().generations.get(&node).copied()
}

/// Rises whenever any node that is watched changes: as long as it stays the same, all generations do.
pub(crate) fn revision() -> u64 {
    REVISION.load(Ordering::Relaxed)
}

fn begin(node: &Gd<Node>) -> u64 {
    let id = node.instance_id();
    let generation = {
        let mut watches = WATCHES.lock();
        watches.last += 1;
        let generation = watches.last;
        watches.generations.insert(id.to_i64(), generation);
        generation
    };
    // Connections stay until the node is freed; a new state only adds those of new children.
    for signal in ["child_order_changed", "script_changed", "tree_exiting"] {
        connect(node, signal, id, "riposte_watch", forget);
    }
    // One by one: in the middle of a `free()` the engine's list of children has dead ones in it.
    for index in 0..node.get_child_count() {
        if let Some(child) = node.get_child(index).filter(Gd::is_instance_valid) {
            connect(&child, "script_changed", id, "riposte_watch", forget);
        }
    }
    generation
}

fn forget(node: InstanceId) {
    WATCHES.lock().generations.remove(&node.to_i64());
    REVISION.fetch_add(1, Ordering::Relaxed);
}
