use godot::prelude::*;
use riposte_core::tags::TagId;

use super::tag_state::{self, CONTAINERS, State, change, read};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::numbers::Checked;
use crate::base::state::{self, StateReader};
use crate::base::tags::{self, TagList};
use crate::base::ticking::{self, Ticker};
use crate::perception;

const STATE_VERSION: i64 = 1;

/// The tags an agent owns now, with counts, so that two holders of one tag release it independently.
///
/// Tags are dotted names, `Team.Red`; a question for `Team` finds `Team.Red`, a question
/// for `Team.Red` does not find `Team`. Add the node as a direct child of the agent.
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct TagContainer {
    /// The agent that owns the tags. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// Tags that the agent owns from the start. Changing them after the node entered the tree has no effect.
    #[export]
    #[var(get = get_initial_tags, set = set_initial_tags)]
    initial_tags: TagList,
    /// When the timers of [method add_tag_for] run: with the physics, with each frame, or by [method advance].
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    process_callback: i64,
    /// Speed of the timers; 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    time_scale: f64,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = State::create(base.to_init_gd().instance_id()))]
    id: InstanceId,
    base: Base<Node>,
}

#[godot_api]
impl TagContainer {
    /// Timers run in the physics step.
    #[constant]
    const PROCESS_PHYSICS: i64 = ticking::PROCESS_PHYSICS;
    /// Timers run with every drawn frame.
    #[constant]
    const PROCESS_IDLE: i64 = ticking::PROCESS_IDLE;
    /// Timers run when [method advance] is called.
    #[constant]
    const PROCESS_MANUAL: i64 = ticking::PROCESS_MANUAL;

    /// Tags came or went. At most once a frame, with the net change: a tag that came and went again is in
    /// neither list. A changed count alone is no change.
    #[signal]
    pub fn tags_changed(added: PackedStringArray, removed: PackedStringArray);

    /// Raises the count of a tag. [param count] is 1 or more. An invalid name is an error without effect.
    #[func(gd_self)]
    pub fn add_tag(this: Gd<Self>, tag: StringName, #[opt(default = 1)] count: i64) {
        if let Some((tag, count)) = checked(&this, "add_tag", &tag, count) {
            change(this.instance_id(), |table, tags| tags.add(table, tag, count));
        }
    }

    /// Lowers the count of a tag, to 0 at the lowest; at 0 the agent does not own it any more. A tag that is not
    /// owned is no error.
    #[func(gd_self)]
    pub fn remove_tag(this: Gd<Self>, tag: StringName, #[opt(default = 1)] count: i64) {
        if let Some((tag, count)) = checked(&this, "remove_tag", &tag, count) {
            change(this.instance_id(), |table, tags| tags.remove(table, tag, count));
            Self::update_ticking(&this);
        }
    }

    /// Raises the count of a tag by 1 and lowers it again after some seconds. Each call has a timer of its own.
    /// 0 s or less is an error without effect.
    #[func(gd_self)]
    pub fn add_tag_for(this: Gd<Self>, tag: StringName, seconds: f64) {
        let Some(tag) = tags::from_script(&this, "add_tag_for", &tag.to_string()) else { return };
        if ticking::is_duration(&this, "add_tag_for", seconds) {
            change(this.instance_id(), |table, tags| tags.add_for(table, tag, seconds));
            Self::update_ticking(&this);
        }
    }

    /// True if the agent owns this tag or one below it.
    #[func(gd_self)]
    pub fn has_tag(this: Gd<Self>, tag: StringName) -> bool {
        let tag = tags::from_script(&this, "has_tag", &tag.to_string());
        tag.is_some_and(|tag| read(this.instance_id(), |tags| tags.set().matches(tag)))
    }

    /// True if the agent owns each of these tags, or one below it. True for an empty list.
    #[func(gd_self)]
    pub fn has_all(this: Gd<Self>, tags: PackedStringArray) -> bool {
        let (queries, complete) = tags::from_script_array(&this, "has_all", &tags);
        complete && read(this.instance_id(), |tags| queries.iter().all(|query| tags.set().matches(*query)))
    }

    /// True if the agent owns one of these tags, or one below it. False for an empty list.
    #[func(gd_self)]
    pub fn has_any(this: Gd<Self>, tags: PackedStringArray) -> bool {
        let (queries, _) = tags::from_script_array(&this, "has_any", &tags);
        read(this.instance_id(), |tags| tags.set().matches_any(&queries))
    }

    /// The count of exactly this tag; tags below it do not add to it. 0 if it is not owned.
    #[func(gd_self)]
    pub fn get_tag_count(this: Gd<Self>, tag: StringName) -> i64 {
        let tag = tags::from_script(&this, "get_tag_count", &tag.to_string());
        tag.map_or(0, |tag| read(this.instance_id(), |tags| i64::from(tags.count(tag))))
    }

    /// The owned tags, those that came first in front.
    #[func(gd_self)]
    pub fn get_tags(this: Gd<Self>) -> PackedStringArray {
        let owned = read(this.instance_id(), |tags| tags.set().tags().to_vec());
        tags::names(&owned)
    }

    /// Moves the timers by some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let callback = CONTAINERS.lock().get(this.instance_id()).map_or(0, |state| state.callback);
        if ticking::may_advance(&this, callback, false, delta) {
            Self::tick(this, delta);
        }
    }

    /// The tags with counts and timers as plain values, for saving. See [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        let (counts, timers) =
            read(this.instance_id(), |tags| (tags.entries().to_vec(), tags.timers().collect::<Vec<_>>()));
        let mut owned = VarArray::new();
        for (tag, count) in counts {
            owned.push(&varray![&tags::text(tag), i64::from(count)].to_variant());
        }
        let mut running = VarArray::new();
        for (tag, left) in timers {
            running.push(&varray![&tags::text(tag), left].to_variant());
        }
        let mut exported = state::versioned(STATE_VERSION);
        exported.set("tags", &owned);
        exported.set("timers", &running);
        exported
    }

    /// Replaces all tags by those of an exported state; no signal. False, with an error and without effect, if the
    /// version or the structure is another. Names that are no tags are left out with a warning.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        let Some(reader) = StateReader::open(&this, &state, STATE_VERSION) else { return false };
        let Some((counts, timers)) = read_counts(&this, &reader).zip(read_timers(&this, &reader)) else {
            return state::refuse_structure(&this);
        };
        if let Some(own) = CONTAINERS.lock().get_mut(this.instance_id()) {
            tags::with_table(|table| own.tags.restore(table, &counts, &timers));
        }
        tag_state::announce(this.instance_id());
        Self::update_ticking(&this);
        true
    }

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        let this = self.to_gd();
        let mut released = self.base_mut();
        if released.is_inside_tree() {
            Self::find_agent(&this);
        }
        released.update_configuration_warnings();
    }

    #[func]
    fn get_initial_tags(&self) -> PackedStringArray {
        self.initial_tags.typed()
    }

    #[func]
    fn set_initial_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.initial_tags.assign(&this, "initial_tags", value);
        if let Some(state) = CONTAINERS.lock().get_mut(self.id) {
            state.start_with(self.initial_tags.ids());
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        if let Some(state) = CONTAINERS.lock().get_mut(self.id) {
            state.callback = self.process_callback;
        }
        let this = self.to_gd();
        let _released = self.base_mut();
        Self::update_ticking(&this);
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        if let Some(state) = CONTAINERS.lock().get_mut(self.id) {
            state.time_scale = self.time_scale;
        }
    }
}

#[godot_api]
impl INode for TagContainer {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = lookup::warnings(&self.to_gd().upcast(), &self.agent_path, Part::Tags);
        warnings.extend(self.initial_tags.warnings("initial_tags"));
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for TagContainer {
    fn entered(this: Gd<Self>) {
        if let Some(state) = CONTAINERS.lock().get_mut(this.instance_id()) {
            state.entered = true;
        }
        Self::find_agent(&this);
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        if let Some(state) = CONTAINERS.lock().get_mut(this.instance_id()) {
            state.driven.readied();
        }
        Self::update_ticking(&this);
    }

    fn exiting(this: Gd<Self>) {
        let agent = lookup::agent_of(this.instance_id());
        lookup::detach(this.instance_id());
        if let Some(agent) = agent {
            perception::agent_tags_changed(agent);
        }
    }
}

impl Ticker for TagContainer {
    fn tick(this: Gd<Self>, delta: f64) {
        let id = this.instance_id();
        let scale = CONTAINERS.lock().get(id).map_or(0.0, |state| state.time_scale);
        if delta * scale > 0.0 {
            change(id, |table, tags| tags.advance(table, delta * scale));
            Self::update_ticking(&this);
        }
    }
}

impl TagContainer {
    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        let before = lookup::agent_of(this.instance_id());
        lookup::attach(&this.clone().upcast(), &path, Part::Tags);
        if let Some(before) = before {
            perception::agent_tags_changed(before);
        }
        tag_state::announce(this.instance_id());
    }

    /// The node is stepped only while a timer runs.
    fn update_ticking(this: &Gd<Self>) {
        let order = CONTAINERS.lock().get_mut(this.instance_id()).and_then(|state| {
            let active = state.tags.is_timing();
            state.driven.order(state.callback, active)
        });
        ticking::drive(this, order);
    }
}

impl Drop for TagContainer {
    fn drop(&mut self) {
        CONTAINERS.lock().remove(self.id);
    }
}

fn checked(this: &Gd<TagContainer>, member: &str, tag: &StringName, count: i64) -> Option<(TagId, u32)> {
    let tag = tags::from_script(this, member, &tag.to_string())?;
    match u32::try_from(count) {
        Ok(count) if count > 0 => Some((tag, count)),
        _ => {
            let text = format!("{member}() got the count {count}. Give 1 or more.");
            crate::base::messages::error(this, member, "count", &text);
            None
        }
    }
}

fn read_counts(this: &Gd<TagContainer>, reader: &StateReader) -> Option<Vec<(TagId, u32)>> {
    let mut counts = Vec::new();
    for (name, count) in reader.pairs("tags")? {
        let count = state::number(&count).filter(|count| *count >= 0.0)?;
        counts.extend(tags::from_state(this, &name).map(|tag| (tag, count as u32)));
    }
    Some(counts)
}

fn read_timers(this: &Gd<TagContainer>, reader: &StateReader) -> Option<Vec<(TagId, f64)>> {
    let mut timers = Vec::new();
    for (name, left) in reader.pairs("timers")? {
        let left = state::number(&left).filter(|left| *left >= 0.0)?;
        timers.extend(tags::from_state(this, &name).map(|tag| (tag, left)));
    }
    Some(timers)
}
