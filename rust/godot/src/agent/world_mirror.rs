//! The tags of the world on a client: a copy of the server's, brought by a `WorldTagsSync`.

use std::collections::BTreeSet;

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::tags::{Stay, TagChanges, TagId, TagSet, WorldTags as Tags};

use super::WorldTags;
use crate::base::{messages, tags};

/// The copy, and the nodes that bring it.
#[derive(Default)]
struct Mirror {
    tags: Tags,
    nodes: BTreeSet<i64>,
}

static MIRROR: Mutex<Option<Mirror>> = Mutex::new(None);

fn with<R>(f: impl FnOnce(&mut Mirror) -> R) -> R {
    f(MIRROR.lock().get_or_insert_default())
}

/// A node that brings the tags is in the tree now.
pub(super) fn entered(node: InstanceId) {
    with(|mirror| mirror.nodes.insert(node.to_i64()));
}

/// It leaves; without any the client knows nothing.
pub(super) fn left(node: InstanceId) {
    with(|mirror| {
        mirror.nodes.remove(&node.to_i64());
        if mirror.nodes.is_empty() {
            replace(mirror, &[]);
        }
    });
}

/// What the server told; what became different.
pub(super) fn receive(told: &[TagId]) -> TagChanges {
    with(|mirror| replace(mirror, told))
}

fn replace(mirror: &mut Mirror, told: &[TagId]) -> TagChanges {
    let before = mirror.tags.set().tags().to_vec();
    let entries = told.iter().map(|tag| (*tag, Stay::Permanent)).collect();
    tags::with_table(|table| mirror.tags.restore(table, entries));
    let after = mirror.tags.set().tags();
    let missing = |from: &[TagId], to: &[TagId]| {
        to.iter().copied().filter(|tag| !from.contains(tag)).collect::<Vec<_>>()
    };
    TagChanges { added: missing(&before, after), removed: missing(after, &before) }
}

/// The copied tags.
pub(super) fn read<R>(f: impl FnOnce(&Tags) -> R) -> R {
    with(|mirror| f(&mirror.tags))
}

/// The copied tags, and a number that is another one when they are others; never one of the server's own.
pub(super) fn read_set<R>(f: impl FnOnce(&TagSet, u64) -> R) -> R {
    const COPY: u64 = 1 << 63;
    with(|mirror| f(mirror.tags.set(), mirror.tags.version() | COPY))
}

/// Someone reads on a client that nobody tells anything.
pub(super) fn warn_if_blind(singleton: &Gd<WorldTags>) {
    if with(|mirror| mirror.nodes.is_empty()) {
        let text = "the tags were read on a client that has no WorldTagsSync, so there are none. Add one to the scene, and a \
                    MultiplayerSynchronizer that carries its tags.";
        messages::warning(singleton, "read", "client", text);
    }
}
