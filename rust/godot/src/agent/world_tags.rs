use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::tags::{Stay, TagChanges, TagId, TagSet, WorldTags as Tags};

use super::world_mirror;
use crate::base::callbacks::on_node;
use crate::base::state::{self, StateReader};
use crate::base::{network, singletons, tags, ticking};

const STATE_VERSION: i64 = 1;

static WORLD: Mutex<Option<Tags>> = Mutex::new(None);

/// The tags of the world: what is true for the whole game now, for example `World.Boss.Active`.
///
/// Reached by its name: `WorldTags.add_tag(&"World.Boss.Active")`. The tags are not counted; who adds a tag last
/// decides how long it stays. They stay when the scene changes. In a multiplayer game only the server's calls
/// change anything; a client reads what a [WorldTagsSync] brings it. Timers count physics frames while the game is not paused.
#[derive(GodotClass)]
#[class(init, singleton, base = Object)]
pub struct WorldTags {
    base: Base<Object>,
}

#[godot_api]
impl WorldTags {
    /// Tags came or went by one call, or by a timer.
    #[signal]
    pub fn tags_changed(added: PackedStringArray, removed: PackedStringArray);

    /// Adds a tag for good, until [method remove_tag]. An invalid name is an error without effect.
    #[func(gd_self)]
    pub fn add_tag(this: Gd<Self>, tag: StringName) {
        Self::add(&this, "add_tag", &tag, Stay::Permanent);
    }

    /// Adds a tag for some seconds; adding it again starts the time anew. 0 s or less is an error without effect.
    #[func(gd_self)]
    pub fn add_tag_for(this: Gd<Self>, tag: StringName, seconds: f64) {
        if ticking::is_duration(&this, "add_tag_for", seconds) {
            Self::add(&this, "add_tag_for", &tag, Stay::For(seconds));
        }
    }

    /// Adds a tag that goes when one of the sentinels, or a tag below one, is added by any of these calls.
    /// Without a sentinel it is an error without effect.
    #[func(gd_self)]
    pub fn add_tag_until(this: Gd<Self>, tag: StringName, sentinels: PackedStringArray) {
        let (queries, _) = tags::from_script_array(&this, "add_tag_until", &sentinels);
        if queries.is_empty() {
            let text = format!("add_tag_until() got no sentinel for \"{tag}\". Give one, or use add_tag().");
            crate::base::messages::error(&this, "add_tag_until", "no sentinel", &text);
            return;
        }
        Self::add(&this, "add_tag_until", &tag, Stay::Until(queries));
    }

    /// Removes a tag. One that is not there is no error.
    #[func(gd_self)]
    pub fn remove_tag(this: Gd<Self>, tag: StringName) {
        let Some(tag) = tags::from_script(&this, "remove_tag", &tag.to_string()) else { return };
        if !network::is_client() {
            Self::finish(&this, change(|table, world| world.remove(table, tag)));
        }
    }

    /// True if this tag or one below it is there.
    #[func(gd_self)]
    pub fn has_tag(this: Gd<Self>, tag: StringName) -> bool {
        let tag = tags::from_script(&this, "has_tag", &tag.to_string());
        tag.is_some_and(|tag| Self::read(&this, |world| world.set().matches(tag)))
    }

    /// The tags, those that came first in front.
    #[func(gd_self)]
    pub fn get_tags(this: Gd<Self>) -> PackedStringArray {
        let owned = Self::read(&this, |world| world.set().tags().to_vec());
        tags::names(&owned)
    }

    /// The tags with timers and sentinels as plain values, for saving. See [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        let mut rows = VarArray::new();
        for (tag, stay) in Self::read(&this, Tags::entries) {
            let stay = match stay {
                Stay::Permanent => Variant::nil(),
                Stay::For(seconds) => seconds.to_variant(),
                Stay::Until(queries) => {
                    queries.iter().map(|tag| tags::text(*tag).to_variant()).collect::<VarArray>().to_variant()
                }
            };
            rows.push(&varray![&tags::text(tag), &stay].to_variant());
        }
        let mut exported = state::versioned(STATE_VERSION);
        exported.set("tags", &rows);
        exported
    }

    /// Replaces all tags by those of an exported state; no signal. False, with an error and without effect, if the
    /// version or the structure is another. Names that are no tags are left out with a warning. On a client it does
    /// nothing.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        let Some(reader) = StateReader::open(&this, &state, STATE_VERSION) else { return false };
        let Some(entries) = read_entries(&this, &reader) else { return state::refuse_structure(&this) };
        if network::is_client() {
            return false;
        }
        change(|table, world| {
            world.restore(table, entries);
            TagChanges::default()
        });
        Self::update_ticking(&this);
        true
    }
}

impl WorldTags {
    /// To be called once per start, when the scene classes are registered.
    pub(crate) fn arm() {
        singletons::drop_connections_at_exit(&Self::singleton());
    }

    fn add(this: &Gd<Self>, member: &str, tag: &StringName, stay: Stay) {
        let Some(tag) = tags::from_script(this, member, &tag.to_string()) else { return };
        if !network::is_client() {
            Self::finish(this, change(|table, world| world.add(table, tag, stay)));
        }
    }

    /// What is true here: on a client what its [`super::WorldTagsSync`] was told.
    fn read<R: Default>(this: &Gd<Self>, f: impl FnOnce(&Tags) -> R) -> R {
        if !network::is_client() {
            return read(f);
        }
        world_mirror::warn_if_blind(this);
        world_mirror::read(f)
    }

    fn finish(this: &Gd<Self>, changes: TagChanges) {
        Self::update_ticking(this);
        Self::tell(this, &changes);
    }

    /// What is true here changed.
    pub(super) fn tell(this: &Gd<Self>, changes: &TagChanges) {
        if !changes.is_empty() {
            this.signals().tags_changed().emit(&tags::names(&changes.added), &tags::names(&changes.removed));
        }
    }

    /// Listens to the physics frames only while a timer runs.
    fn update_ticking(this: &Gd<Self>) {
        let Some(mut tree) = network::tree() else { return };
        let step = on_node(this.instance_id(), "riposte_world_tags", physics_frame);
        let (needed, connected) = (read(Tags::is_timing), tree.is_connected("physics_frame", &step));
        if needed && !connected {
            tree.connect("physics_frame", &step);
        } else if connected && !needed {
            tree.disconnect("physics_frame", &step);
        }
    }
}

/// The world's tags, and a number that is another one when they are others.
pub(crate) fn read_world_tags<R>(f: impl FnOnce(&TagSet, u64) -> R) -> R {
    if network::was_client() {
        world_mirror::warn_if_blind(&WorldTags::singleton());
        return world_mirror::read_set(f);
    }
    match &*WORLD.lock() {
        Some(world) => f(world.set(), world.version()),
        None => f(&TagSet::default(), 0),
    }
}

fn read<R: Default>(f: impl FnOnce(&Tags) -> R) -> R {
    WORLD.lock().as_ref().map(f).unwrap_or_default()
}

/// The names of the tags on the peer that keeps them.
pub(super) fn own_names() -> PackedStringArray {
    let owned = read(|world| world.set().tags().to_vec());
    tags::names(&owned)
}

fn change(f: impl FnOnce(&riposte_core::tags::TagTable, &mut Tags) -> TagChanges) -> TagChanges {
    let mut world = WORLD.lock();
    let world = world.get_or_insert_with(Tags::new);
    tags::with_table(|table| f(table, world))
}

fn physics_frame(singleton: InstanceId) {
    let (Some(tree), Ok(this)) = (network::tree(), Gd::<WorldTags>::try_from_instance_id(singleton)) else {
        return;
    };
    let Some(root) = tree.get_root().filter(|_| !tree.is_paused()) else { return };
    let delta = root.get_physics_process_delta_time();
    if delta > 0.0 && !network::is_client() {
        WorldTags::finish(&this, change(|table, world| world.advance(table, delta)));
    }
}

fn read_entries(this: &Gd<WorldTags>, reader: &StateReader) -> Option<Vec<(TagId, Stay)>> {
    let mut entries = Vec::new();
    for (name, stay) in reader.pairs("tags")? {
        let stay = if stay.is_nil() {
            Stay::Permanent
        } else if let Ok(sentinels) = stay.try_to::<VarArray>() {
            let names = sentinels.iter_shared().map(|name| name.to_string());
            Stay::Until(names.filter_map(|name| tags::from_state(this, &name)).collect())
        } else {
            Stay::For(state::number(&stay).filter(|seconds| *seconds >= 0.0)?)
        };
        entries.extend(tags::from_state(this, &name).map(|tag| (tag, stay)));
    }
    Some(entries)
}
