//! Whether the tree is taken down because the program ends.
//!
//! The engine tells nobody. It lets the children of the root leave one after the other, the one that came last first; so a node of
//! ours that came last is out of the tree already when all others leave it.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use godot::classes::node::InternalMode;
use godot::prelude::*;

use super::callbacks::defer;
use super::tree_paths;
use crate::agent::WorldTags;

/// The id of the node at the root; 0: there is none yet.
static SENTRY: AtomicI64 = AtomicI64::new(0);
/// It is about to be put behind the others.
static ON_ITS_WAY: AtomicBool = AtomicBool::new(false);

/// From the end of this frame on [`is_quitting`] knows for all that is in the tree now.
pub(crate) fn watch() {
    if !ON_ITS_WAY.swap(true, Ordering::Relaxed) {
        defer(WorldTags::singleton().instance_id(), "riposte_quit_sentry", place);
    }
}

fn sentry() -> Option<Gd<Node>> {
    let id = InstanceId::try_from_i64(SENTRY.load(Ordering::Relaxed))?;
    Gd::try_from_instance_id(id).ok()
}

fn place(_: InstanceId) {
    if let Some(mut root) = tree_paths::root().filter(|root| root.is_inside_tree()) {
        let sentry = sentry().unwrap_or_else(|| {
            let mut made = Node::new_alloc();
            made.set_name("RiposteQuitSentry");
            SENTRY.store(made.instance_id().to_i64(), Ordering::Relaxed);
            made
        });
        if let Some(mut parent) = sentry.get_parent() {
            parent.remove_child(&sentry);
        }
        root.add_child_ex(&sentry).internal(InternalMode::BACK).done();
    }
    ON_ITS_WAY.store(false, Ordering::Relaxed);
}

/// True while nodes leave the tree because the program ends. False also if that is not known.
pub(crate) fn is_quitting() -> bool {
    !ON_ITS_WAY.load(Ordering::Relaxed) && sentry().is_some_and(|sentry| !sentry.is_inside_tree())
}
