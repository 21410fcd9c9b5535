use godot::classes::notify::Node3DNotification;
use godot::prelude::*;
use riposte_core::perception::{Affiliation, PerceiverKey, PerceiverSettings, Senses, TargetState};

use crate::base::convert::dvec3;
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup;
use crate::base::numbers::Checked;
use crate::base::tags::TagList;
use crate::base::ticking;

use super::perception_event::PerceptionEvent;
use super::perception_server::PerceptionServer;
use super::rays::RayRules;
use super::{placement, state};

/// The senses of an agent: sees [StimulusSource3D] nodes in a cone, hears reported noises, feels reported damage,
/// and remembers each target for a while.
///
/// Add it as a direct child of the agent. [signal target_perceived] tells that a target became known,
/// [signal target_lost] that it is not known any more; in between it is sensed or remembered. Targets are the agents of the sources.
/// Bodies on [member sight_blocking_mask] block sight; the agent's own never do.
#[derive(GodotClass)]
#[class(init, tool, base = Node3D)]
pub struct Perception3D {
    /// The agent that senses. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// Off: nothing is sensed, and all targets are lost with reason Dismissed at the next tick.
    #[export]
    #[var(set = set_enabled)]
    #[init(val = true)]
    enabled: bool,
    /// Forward is +Z instead of -Z, for models that face +Z.
    #[export]
    #[var(set = set_use_model_front)]
    use_model_front: bool,
    /// Where the eye is, from the node's origin, turned with the node but not scaled. Default 1.6 m up.
    #[export(range = (-10.0, 10.0, 0.01, or_greater, or_less, suffix = "m"))]
    #[var(set = set_eye_offset)]
    #[init(val = Vector3::new(0.0, 1.6, 0.0))]
    eye_offset: Vector3,
    /// When the node ticks: with all others before the physics step, or by [method advance] only.
    #[export(enum = (Physics = 0, Manual = 2))]
    #[var(set = set_process_callback)]
    process_callback: i64,
    /// Speed of this node's time: scans and memory. 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    time_scale: f64,

    /// Sight is on. Off: what is seen goes out of sight at the next tick, and is remembered.
    #[export_group(name = "Sight")]
    #[export]
    #[var(set = set_sight_enabled)]
    #[init(val = true)]
    sight_enabled: bool,
    /// A target comes in sight up to this distance from the node, inside the cone. Default 20 m.
    #[export(range = (0.0, 200.0, 0.01, or_greater, suffix = "m"))]
    #[var(set = set_sight_radius)]
    #[init(val = 20.0)]
    sight_radius: f64,
    /// A target that is seen stays in sight up to this distance, at any angle. Below [member sight_radius] it counts as that. Default 25 m.
    #[export(range = (0.0, 200.0, 0.01, or_greater, suffix = "m"))]
    #[var(set = set_lose_sight_radius)]
    #[init(val = 25.0)]
    lose_sight_radius: f64,
    /// The full angle of the cone; 360 is all around. Default 90 degrees.
    #[export(range = (0.0, 360.0, 0.1, suffix = "deg"))]
    #[var(set = set_sight_fov_degrees)]
    #[init(val = 90.0)]
    sight_fov_degrees: f64,
    /// Physics layers whose bodies block sight. 0: nothing blocks it. Default layer 1.
    #[export(flags_3d_physics)]
    #[var(set = set_sight_blocking_mask)]
    #[init(val = 1)]
    sight_blocking_mask: i64,
    /// Inside this distance a source counts as inside the cone. It must still be in line of sight. Default 0 m: off.
    #[export(range = (0.0, 50.0, 0.01, suffix = "m"))]
    #[var(set = set_auto_detect_radius)]
    auto_detect_radius: f64,

    /// Hearing is on. Off: noises reported from now on are not heard.
    #[export_group(name = "Hearing")]
    #[export]
    #[var(set = set_hearing_enabled)]
    #[init(val = true)]
    hearing_enabled: bool,
    /// How far a noise of loudness 1 is heard; the loudness multiplies it. Default 15 m.
    #[export(range = (0.0, 200.0, 0.01, or_greater, suffix = "m"))]
    #[var(set = set_hearing_radius)]
    #[init(val = 15.0)]
    hearing_radius: f64,

    /// Damage is noticed. Off: damage reported from now on is not felt.
    #[export_group(name = "Damage")]
    #[export]
    #[var(set = set_damage_enabled)]
    #[init(val = true)]
    damage_enabled: bool,
    /// Damage tells where the attacker was when it hit. Off: only where it hit.
    #[export]
    #[var(set = set_damage_reveals_attacker)]
    #[init(val = true)]
    damage_reveals_attacker: bool,

    /// How long a target is remembered that no sense senses any more. Default 5 s.
    #[export_group(name = "Memory")]
    #[export(range = (0.0, 120.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_forget_time)]
    #[init(val = 5.0)]
    forget_time: f64,
    /// Time between two looks around. 0: every tick. Noises and damage do not wait for it. Default 0.1 s.
    #[export(range = (0.0, 5.0, 0.01, suffix = "s"))]
    #[var(set = set_update_interval)]
    #[init(val = 0.1)]
    update_interval: f64,

    /// Whom the agent sees and hears: a tag finds itself and the tags below it. Empty: everyone. Damage is felt from anyone.
    /// Assign the whole list, or use [method add_detectable_tag]; appending to it changes a copy.
    #[export_group(name = "Affiliation")]
    #[export]
    #[var(get = get_detectable_tags, set = set_detectable_tags)]
    detectable_tags: TagList,

    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    /// Known to the server since the first entry into the tree.
    pub(super) key: Option<PerceiverKey>,
    base: Base<Node3D>,
}

#[godot_api]
impl Perception3D {
    /// Seen.
    #[constant]
    const SENSE_SIGHT: i64 = Senses::SIGHT.bits() as i64;
    /// Heard.
    #[constant]
    const SENSE_HEARING: i64 = Senses::HEARING.bits() as i64;
    /// Noticed by the damage it did.
    #[constant]
    const SENSE_DAMAGE: i64 = Senses::DAMAGE.bits() as i64;
    /// Any sense.
    #[constant]
    const SENSE_ANY: i64 = Senses::ANY.bits() as i64;
    /// The target is not known.
    #[constant]
    const TARGET_UNKNOWN: i64 = TargetState::Unknown as i64;
    /// A sense senses the target now.
    #[constant]
    const TARGET_SENSED: i64 = TargetState::Sensed as i64;
    /// The target is known, but no sense senses it now.
    #[constant]
    const TARGET_REMEMBERED: i64 = TargetState::Remembered as i64;
    /// Ticks before the physics step.
    #[constant]
    const PROCESS_PHYSICS: i64 = ticking::PROCESS_PHYSICS;
    /// Refused: rays need the physics step.
    #[constant]
    const PROCESS_IDLE: i64 = ticking::PROCESS_IDLE;
    /// Ticks when [method advance] is called.
    #[constant]
    const PROCESS_MANUAL: i64 = ticking::PROCESS_MANUAL;

    /// A target became known: the first sense senses it. Exactly one [signal target_lost] follows.
    #[signal]
    pub fn target_perceived(event: Gd<PerceptionEvent>);
    /// A target is not known any more; [member PerceptionEvent.reason] says why.
    #[signal]
    pub fn target_lost(event: Gd<PerceptionEvent>);
    /// A known target came in sight; also at the first sight, after [signal target_perceived].
    #[signal]
    pub fn target_sight_gained(event: Gd<PerceptionEvent>);
    /// A target went out of sight.
    #[signal]
    pub fn target_sight_lost(event: Gd<PerceptionEvent>);
    /// A noise was heard, of a known target, a new one, or of no target at all.
    #[signal]
    pub fn noise_heard(event: Gd<PerceptionEvent>);
    /// The agent was hurt.
    #[signal]
    pub fn damage_sensed(event: Gd<PerceptionEvent>);

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        let this = self.to_gd();
        let mut released = self.base_mut();
        if released.is_inside_tree() {
            placement::place_perceiver(&this);
        }
        released.update_configuration_warnings();
    }

    #[func]
    fn set_enabled(&mut self, value: bool) {
        self.enabled = value;
        self.push();
    }

    #[func]
    fn set_use_model_front(&mut self, value: bool) {
        self.use_model_front = value;
        self.push();
    }

    #[func]
    fn set_eye_offset(&mut self, value: Vector3) {
        self.eye_offset = self.finite_vector("eye_offset", value, self.eye_offset);
        self.push();
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, false);
        self.push();
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        self.push();
    }

    #[func]
    fn set_sight_enabled(&mut self, value: bool) {
        self.sight_enabled = value;
        self.push();
    }

    #[func]
    fn set_sight_radius(&mut self, value: f64) {
        self.sight_radius = self.not_negative("sight_radius", value, self.sight_radius);
        self.push();
    }

    #[func]
    fn set_lose_sight_radius(&mut self, value: f64) {
        self.lose_sight_radius = self.not_negative("lose_sight_radius", value, self.lose_sight_radius);
        self.push();
    }

    #[func]
    fn set_sight_fov_degrees(&mut self, value: f64) {
        self.sight_fov_degrees = self.clamped("sight_fov_degrees", value, self.sight_fov_degrees, 0.0, 360.0);
        self.push();
    }

    /// Any int, as the engine's masks take it: `~2` is a negative number to GDScript.
    #[func]
    fn set_sight_blocking_mask(&mut self, value: i64) {
        let mask = value as u32;
        self.sight_blocking_mask = mask.into();
        self.push_rules();
        self.push();
    }

    #[func]
    fn set_auto_detect_radius(&mut self, value: f64) {
        self.auto_detect_radius = self.not_negative("auto_detect_radius", value, self.auto_detect_radius);
        self.push();
    }

    #[func]
    fn set_hearing_enabled(&mut self, value: bool) {
        self.hearing_enabled = value;
        self.push();
    }

    #[func]
    fn set_hearing_radius(&mut self, value: f64) {
        self.hearing_radius = self.not_negative("hearing_radius", value, self.hearing_radius);
        self.push();
    }

    #[func]
    fn set_damage_enabled(&mut self, value: bool) {
        self.damage_enabled = value;
        self.push();
    }

    #[func]
    fn set_damage_reveals_attacker(&mut self, value: bool) {
        self.damage_reveals_attacker = value;
        self.push();
    }

    #[func]
    fn set_forget_time(&mut self, value: f64) {
        self.forget_time = self.not_negative("forget_time", value, self.forget_time);
        self.push();
    }

    #[func]
    fn set_update_interval(&mut self, value: f64) {
        self.update_interval = self.not_negative("update_interval", value, self.update_interval);
        self.push();
    }

    #[func]
    fn get_detectable_tags(&self) -> PackedStringArray {
        self.detectable_tags.typed()
    }

    #[func]
    fn set_detectable_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.detectable_tags.assign(&this, "detectable_tags", value);
        self.push_affiliation();
        self.base_mut().update_configuration_warnings();
    }
}

#[godot_api]
impl INode3D for Perception3D {
    fn on_notification(&mut self, what: Node3DNotification) {
        if self.key.is_none() {
            return;
        }
        match what {
            Node3DNotification::PAUSED | Node3DNotification::UNPAUSED => {
                let frozen = !self.base().can_process();
                state::with(|state| self.key.map(|key| state.world.set_frozen(key, frozen)));
            }
            Node3DNotification::ENTER_WORLD => {
                let this = self.to_gd();
                let _released = self.base_mut();
                placement::place_perceiver(&this);
            }
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = lookup::agent_warnings(&self.to_gd().upcast(), &self.agent_path);
        if self.lose_sight_radius < self.sight_radius {
            warnings.push(format!(
                "lose_sight_radius ({} m) is below sight_radius ({} m) and counts as that. Raise it.",
                self.lose_sight_radius, self.sight_radius
            ));
        }
        if self.sight_blocking_mask == 0 {
            warnings
                .push("sight_blocking_mask is empty: nothing blocks sight. Choose a physics layer.".into());
        }
        warnings.extend(self.detectable_tags.warnings("detectable_tags"));
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for Perception3D {
    fn entered(this: Gd<Self>) {
        placement::perceiver_entered(&this);
    }

    fn readied(this: Gd<Self>) {
        placement::place_perceiver(&this);
    }

    fn exiting(this: Gd<Self>) {
        placement::perceiver_left(&this);
    }
}

impl Perception3D {
    pub(super) fn agent_path(&self) -> &NodePath {
        &self.agent_path
    }

    pub(super) fn ray_rules(&self) -> RayRules {
        RayRules { blocking_mask: self.sight_blocking_mask as u32, ..RayRules::default() }
    }

    /// Hands changed rules of rays to the server.
    fn push_rules(&self) {
        if let Some(key) = self.key {
            let rules = self.ray_rules();
            PerceptionServer::singleton().bind_mut().nodes.set_rules(key, rules);
        }
    }

    pub(super) fn settings(&self) -> PerceiverSettings {
        PerceiverSettings {
            enabled: self.enabled,
            manual: self.process_callback == ticking::PROCESS_MANUAL,
            time_scale: self.time_scale,
            use_model_front: self.use_model_front,
            eye_offset: dvec3(self.eye_offset),
            sight_enabled: self.sight_enabled,
            sight_radius: self.sight_radius,
            lose_sight_radius: self.lose_sight_radius,
            sight_fov_degrees: self.sight_fov_degrees,
            auto_detect_radius: self.auto_detect_radius,
            hearing_enabled: self.hearing_enabled,
            hearing_radius: self.hearing_radius,
            damage_enabled: self.damage_enabled,
            damage_reveals_attacker: self.damage_reveals_attacker,
            forget_time: self.forget_time,
            update_interval: self.update_interval,
            ..PerceiverSettings::default()
        }
    }

    pub(super) fn affiliation(&self) -> Affiliation {
        Affiliation { detectable: self.detectable_tags.ids().to_vec(), ..Affiliation::default() }
    }

    /// Hands changed settings to the server.
    fn push(&mut self) {
        if let Some(key) = self.key {
            let settings = self.settings();
            state::with(|state| state.world.set_perceiver(key, settings));
        }
        self.base_mut().update_configuration_warnings();
    }

    /// Changes `detectable_tags` tag by tag. True if it changed.
    pub(super) fn change_detectable(&mut self, change: impl FnOnce(&mut TagList) -> bool) -> bool {
        let changed = change(&mut self.detectable_tags);
        if changed {
            self.push_affiliation();
            self.base_mut().update_configuration_warnings();
        }
        changed
    }

    fn push_affiliation(&self) {
        if let Some(key) = self.key {
            let affiliation = self.affiliation();
            state::with(|state| state.world.set_affiliation(key, affiliation));
        }
    }
}

impl Drop for Perception3D {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            state::with(|state| state.remove_perceiver(key));
        }
    }
}
