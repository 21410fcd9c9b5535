use godot::classes::Engine;
use godot::prelude::*;

use super::{WorldTags, world_mirror, world_tags};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::{messages, network, tags};

/// Brings the tags of [WorldTags] from the server to the clients.
///
/// Add it to the scene on all peers, and a [MultiplayerSynchronizer] that carries its property [member tags]. On a client
/// [WorldTags] then answers what is true on the server. Without a multiplayer peer it does nothing.
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct WorldTagsSync {
    /// The tags of the world as this peer knows them. Written by a [MultiplayerSynchronizer] on the clients; to write it on the
    /// server is an error without effect, use [WorldTags] there. Not saved with the scene.
    #[var(get = get_tags, set = set_tags)]
    tags: PhantomVar<PackedStringArray>,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    base: Base<Node>,
}

#[godot_api]
impl WorldTagsSync {
    /// Tags came or went on this client. [signal WorldTags.tags_changed] tells it too, on every peer.
    #[signal]
    pub fn tags_changed(added: PackedStringArray, removed: PackedStringArray);

    #[func]
    fn get_tags(&self) -> PackedStringArray {
        if network::is_client() {
            let known = world_mirror::read(|world| world.set().tags().to_vec());
            return tags::names(&known);
        }
        world_tags::own_names()
    }

    #[func]
    fn set_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        if !network::is_client() {
            let text = "tags was set on a peer that is no client. Call WorldTags.add_tag() there.";
            messages::error(&this, "tags", "server", text);
            return;
        }
        let told = value.as_slice().iter().filter_map(|name| tags::from_state(&this, &name.to_string()));
        let changes = world_mirror::receive(&told.collect::<Vec<_>>());
        if changes.is_empty() {
            return;
        }
        let _released = self.base_mut();
        WorldTags::tell(&WorldTags::singleton(), &changes);
        if this.is_instance_valid() {
            this.signals().tags_changed().emit(&tags::names(&changes.added), &tags::names(&changes.removed));
        }
    }
}

#[godot_api]
impl INode for WorldTagsSync {}

impl Lifecycle for WorldTagsSync {
    fn entered(this: Gd<Self>) {
        if !Engine::singleton().is_editor_hint() {
            world_mirror::entered(this.instance_id());
        }
    }

    fn exiting(this: Gd<Self>) {
        world_mirror::left(this.instance_id());
    }
}
