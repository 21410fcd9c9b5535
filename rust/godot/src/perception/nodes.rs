//! The nodes themselves, kept so that a tick reads a transform without looking a node up or binding it.

use glam::DVec3;
use godot::classes::Node3D;
use godot::obj::Gd;
use riposte_core::perception::{Frame, PerceiverKey, SourceKey};

use super::dimension::Placed;
use super::rays::Rays;

/// Handles of nodes by the index of their key. A handle is used only while its node is in the tree.
#[derive(Default)]
pub(crate) struct Nodes {
    perceivers: Vec<Option<Gd<Node3D>>>,
    sources: Vec<Option<Gd<Node3D>>>,
    /// Layers that block a perceiver's sight.
    masks: Vec<u32>,
    pub(crate) rays: Rays,
}

impl Nodes {
    /// The node that says where a perceiver is.
    pub(crate) fn set_perceiver(&mut self, key: PerceiverKey, node: Gd<Node3D>) {
        put(&mut self.perceivers, key.index(), node);
    }

    /// The node that says where a source is.
    pub(crate) fn set_source(&mut self, key: SourceKey, node: Gd<Node3D>) {
        put(&mut self.sources, key.index(), node);
    }

    /// The layers that block a perceiver's sight.
    pub(crate) fn set_mask(&mut self, key: PerceiverKey, mask: u32) {
        if self.masks.len() <= key.index() {
            self.masks.resize(key.index() + 1, 0);
        }
        self.masks[key.index()] = mask;
        self.rays.forget(key.index());
    }

    /// The layers that block a perceiver's sight.
    pub(crate) fn mask(&self, key: PerceiverKey) -> u32 {
        self.masks.get(key.index()).copied().unwrap_or(0)
    }

    /// Where a perceiver is.
    pub(crate) fn perceiver_frame(&self, key: PerceiverKey) -> Frame {
        frame_at(&self.perceivers, key.index())
    }

    /// Where a source is.
    pub(crate) fn source_frame(&self, key: SourceKey) -> Frame {
        frame_at(&self.sources, key.index())
    }
}

/// The global transform of a node in the tree.
pub(crate) fn frame_of(node: &Gd<Node3D>) -> Frame {
    Placed::from(node.clone()).frame()
}

fn frame_at(list: &[Option<Gd<Node3D>>], index: usize) -> Frame {
    // What is not there is skipped, as a node with broken numbers is.
    list.get(index).and_then(Option::as_ref).map_or(Frame::at(DVec3::NAN), frame_of)
}

fn put(list: &mut Vec<Option<Gd<Node3D>>>, index: usize, node: Gd<Node3D>) {
    if list.len() <= index {
        list.resize(index + 1, None);
    }
    list[index] = Some(node);
}
