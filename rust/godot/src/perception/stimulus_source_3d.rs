use godot::classes::notify::Node3DNotification;
use godot::prelude::*;
use riposte_core::perception::{Senses, SourceKey, SourceSettings};
use riposte_core::tags::TagSet;

use crate::base::convert::dvec3;
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::numbers::Checked;
use crate::base::tags::{self, TagList};

use super::{placement, reporting, state};

/// Makes its agent something that [Perception3D] nodes can see and hear.
///
/// Add it as a direct child of the agent, which must be a Node3D. Of several sources of one agent only the first
/// enabled one counts. Switch it off for a corpse.
#[derive(GodotClass)]
#[class(init, tool, base = Node3D)]
pub struct StimulusSource3D {
    /// The agent that can be sensed, a Node3D. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// Off: the agent cannot be sensed, and who knows it loses it at the next tick.
    #[export]
    #[var(set = set_enabled)]
    #[init(val = true)]
    enabled: bool,
    /// Who the agent is to others: tags that a Perception's detectable_tags find. Assign the whole list, or use
    /// [method add_affiliation_tag]; appending to it changes a copy.
    #[export]
    #[var(get = get_affiliation_tags, set = set_affiliation_tags)]
    affiliation_tags: TagList,
    /// The senses that can sense the agent. Damage needs no entry here.
    #[export(flags = (Sight = 1, Hearing = 2))]
    #[var(set = set_registered_senses)]
    #[init(val = 3)]
    registered_senses: i64,
    /// The point that sight rays go to, from the node's origin, turned with the node but not scaled. Default 1 m up.
    #[export(range = (-10.0, 10.0, 0.01, or_greater, or_less, suffix = "m"))]
    #[var(set = set_sight_target_offset)]
    #[init(val = Vector3::new(0.0, 1.0, 0.0))]
    sight_target_offset: Vector3,

    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    /// Known to the server since the first entry into the tree.
    pub(super) key: Option<SourceKey>,
    /// Added by `PerceptionServer.register_as_source`.
    pub(super) added_by_server: bool,
    base: Base<Node3D>,
}

#[godot_api]
impl StimulusSource3D {
    /// Can be seen.
    #[constant]
    const SENSE_SIGHT: i64 = Senses::SIGHT.bits() as i64;
    /// Can be heard.
    #[constant]
    const SENSE_HEARING: i64 = Senses::HEARING.bits() as i64;
    /// Damage: reported, needs no registration.
    #[constant]
    const SENSE_DAMAGE: i64 = Senses::DAMAGE.bits() as i64;
    /// Any sense.
    #[constant]
    const SENSE_ANY: i64 = Senses::ANY.bits() as i64;

    /// Somebody became aware of the agent. [param perceiver]: the agent that senses it.
    #[signal]
    pub fn perceived_by(perceiver: Gd<Node>);
    /// Somebody who was aware of the agent is not any more. [param perceiver]: the agent that sensed it.
    #[signal]
    pub fn lost_by(perceiver: Gd<Node>);

    /// The agent that can be sensed; null if there is none.
    #[func]
    fn get_agent(&self) -> Option<Gd<Node>> {
        lookup::find_agent(&self.to_gd().upcast(), &self.agent_path)
    }

    /// Adds a tag to [member affiliation_tags]. True if it was not there. An invalid name is an error.
    #[func]
    pub(super) fn add_affiliation_tag(&mut self, tag: StringName) -> bool {
        let known = tags::from_script(&self.to_gd(), "add_affiliation_tag", &tag.to_string());
        known.is_some_and(|id| self.change_tags(|list| list.add(id)))
    }

    /// Removes a tag from [member affiliation_tags]. True if it was there.
    #[func]
    fn remove_affiliation_tag(&mut self, tag: StringName) -> bool {
        let known = tags::from_script(&self.to_gd(), "remove_affiliation_tag", &tag.to_string());
        known.is_some_and(|id| self.change_tags(|list| list.remove(id)))
    }

    /// A noise at the node's origin, made by the agent. [param loudness] multiplies the hearing radius of who hears it.
    /// False if nobody can hear it: it is 0, the source is off, or Hearing is not among its senses.
    #[func(gd_self)]
    fn report_noise(
        this: Gd<Self>,
        #[opt(default = 1.0)] loudness: f64,
        #[opt(default = &StringName::default())] tag: StringName,
    ) -> bool {
        reporting::noise_of(&this, loudness, &tag)
    }

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        let this = self.to_gd();
        let mut released = self.base_mut();
        if released.is_inside_tree() {
            placement::place_source(&this);
        }
        released.update_configuration_warnings();
    }

    #[func]
    pub(super) fn set_enabled(&mut self, value: bool) {
        self.enabled = value;
        self.push();
    }

    #[func]
    fn get_affiliation_tags(&self) -> PackedStringArray {
        self.affiliation_tags.typed()
    }

    #[func]
    fn set_affiliation_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.affiliation_tags.assign(&this, "affiliation_tags", value);
        self.push_tags();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    pub(super) fn set_registered_senses(&mut self, value: i64) {
        self.registered_senses = value;
        self.push();
    }

    #[func]
    fn set_sight_target_offset(&mut self, value: Vector3) {
        self.sight_target_offset = self.finite_vector("sight_target_offset", value, self.sight_target_offset);
        self.push();
    }
}

#[godot_api]
impl INode3D for StimulusSource3D {
    fn on_notification(&mut self, what: Node3DNotification) {
        if what == Node3DNotification::ENTER_WORLD && self.key.is_some() {
            let this = self.to_gd();
            let _released = self.base_mut();
            placement::place_source(&this);
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let node: Gd<Node> = self.to_gd().upcast();
        let mut warnings = lookup::warnings(&node, &self.agent_path, Part::StimulusSource);
        let agent = lookup::find_agent(&node, &self.agent_path);
        if agent.is_some_and(|agent| agent.try_cast::<Node3D>().is_err()) {
            warnings.push("The agent is no Node3D and cannot be sensed. Choose a Node3D.".into());
        }
        if self.registered_senses & !3 != 0 {
            warnings.push("registered_senses: only Sight and Hearing have an effect. Clear the rest.".into());
        }
        warnings.extend(self.affiliation_tags.warnings("affiliation_tags"));
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for StimulusSource3D {
    fn entered(this: Gd<Self>) {
        placement::source_entered(&this);
    }

    fn readied(this: Gd<Self>) {
        placement::place_source(&this);
    }

    fn exiting(this: Gd<Self>) {
        placement::source_left(&this);
    }
}

impl StimulusSource3D {
    pub(super) fn agent_path(&self) -> &NodePath {
        &self.agent_path
    }

    pub(super) fn settings(&self) -> SourceSettings {
        SourceSettings {
            enabled: self.enabled,
            registered_senses: (self.registered_senses & 3) as u8,
            sight_target_offset: dvec3(self.sight_target_offset),
            ..SourceSettings::default()
        }
    }

    pub(super) fn tag_set(&self) -> TagSet {
        tags::with_table(|table| TagSet::new(table, self.affiliation_tags.ids().iter().copied()))
    }

    /// Hands changed settings to the server.
    fn push(&mut self) {
        if let Some(key) = self.key {
            let settings = self.settings();
            state::with(|state| state.world.set_source(key, settings));
        }
        self.base_mut().update_configuration_warnings();
    }

    fn push_tags(&self) {
        if let Some(key) = self.key {
            let set = self.tag_set();
            state::with(|state| state.world.set_source_tags(key, set));
        }
    }

    fn change_tags(&mut self, change: impl FnOnce(&mut TagList) -> bool) -> bool {
        let changed = change(&mut self.affiliation_tags);
        if changed {
            self.push_tags();
            self.base_mut().update_configuration_warnings();
        }
        changed
    }
}

impl Drop for StimulusSource3D {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            state::with(|state| state.remove_source(key));
        }
    }
}
