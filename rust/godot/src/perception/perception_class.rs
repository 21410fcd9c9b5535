//! The class body of `Perception3D` and `Perception2D`: properties, constants, signals. The methods are in
//! [`perception_api`](super::perception_api).

/// Writes the class of a dimension. `facing` is the property that says where forward is; it has the same name in the
/// core's settings.
macro_rules! perception_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident: $base:ident, $interface:ident;
        api { $node:ident, $vector:ident, $points:ident };
        world_changed $notification:ident::$world_changed:ident;
        unit $unit:tt, mask $mask:tt, far $far:tt, near $near:tt;
        eye $eye:tt, sight $sight:tt, lose $lose:tt, hearing $hearing:tt, margin $margin:tt;
        facing $(#[$($facing_attribute:tt)*])* $facing:ident: $facing_type:tt = $facing_default:tt
            => $set_facing:ident($($facing_check:tt)*);
    ) => {
        $crate::perception::node_class::node_class! {
            $(#[$($head)*])*
            class $name: $base;
            properties {
                /// The agent that senses. Empty: the parent.
                #[export]
                #[var(set = set_agent_path)]
                agent_path: NodePath = (NodePath::default());
                /// Off: nothing is sensed, and all targets are lost with reason Dismissed at the next tick.
                #[export]
                enabled: bool = true => set_enabled(any);
                $(#[$($facing_attribute)*])*
                $facing: $facing_type = $facing_default => $set_facing($($facing_check)*);
                /// Where the eye is, from the node's origin, turned with the node but not scaled.
                /// Default 1.6 m up; in 2D the origin.
                #[export(range = (-10.0, 10.0, 0.01, or_greater, or_less, suffix = $unit))]
                eye_offset: $vector = $eye => set_eye_offset(vector);
                /// When the node ticks: with all others before the physics step, or by [method advance] only.
                #[export(enum = (Physics = 0, Manual = 2))]
                #[var(set = set_process_callback)]
                process_callback: i64 = 0;
                /// Speed of this node's time: scans, detection and memory. 0 stands still. Default 1.
                #[export(range = (0.0, 4.0, 0.01, or_greater))]
                time_scale: f64 = 1.0 => set_time_scale(not_negative);

                /// Sight is on. Off: what is seen goes out of sight at the next tick, and is remembered.
                #[export_group(name = "Sight")]
                #[export]
                sight_enabled: bool = true => set_sight_enabled(any);
                /// A target comes in sight up to this distance from the node, inside the cone.
                /// Default 20 m; in 2D 400 px.
                #[export(range = (0.0, $far, 0.01, or_greater, suffix = $unit))]
                sight_radius: f64 = $sight => set_sight_radius(not_negative);
                /// A target that is seen stays in sight up to this distance, at any angle. Below [member sight_radius] it
                /// counts as that. Default 25 m; in 2D 500 px.
                #[export(range = (0.0, $far, 0.01, or_greater, suffix = $unit))]
                lose_sight_radius: f64 = $lose => set_lose_sight_radius(not_negative);
                /// The full angle of the cone; 360 is all around. Default 90 degrees.
                #[export(range = (0.0, 360.0, 0.1, suffix = "deg"))]
                sight_fov_degrees: f64 = 90.0 => set_sight_fov_degrees(clamped, 0.0, 360.0);
                /// Physics layers whose bodies block sight. 0: nothing blocks it. Default layer 1.
                #[export($mask)]
                #[var(set = set_sight_blocking_mask)]
                sight_blocking_mask: i64 = 1;
                /// How many aim points of a source must be visible to see it; of a source with fewer points all of them.
                /// 1 to 16, default 1.
                #[export(range = (1.0, 16.0, 1.0))]
                sight_min_visible_points: i64 = 1 => set_sight_min_visible_points(count, 1, 16);
                /// Inside this distance a source counts as inside the cone. It must still be in line of sight.
                /// Default 0: off.
                #[export(range = (0.0, $near, 0.01, suffix = $unit))]
                auto_detect_radius: f64 = 0.0 => set_auto_detect_radius(not_negative);

                /// Hearing is on. Off: noises reported from now on are not heard.
                #[export_group(name = "Hearing")]
                #[export]
                hearing_enabled: bool = true => set_hearing_enabled(any);
                /// How far a noise of loudness 1 is heard; the loudness multiplies it. Default 15 m; in 2D 300 px.
                #[export(range = (0.0, $far, 0.01, or_greater, suffix = $unit))]
                hearing_radius: f64 = $hearing => set_hearing_radius(not_negative);

                /// Damage is noticed. Off: damage reported from now on is not felt.
                #[export_group(name = "Damage")]
                #[export]
                damage_enabled: bool = true => set_damage_enabled(any);
                /// Damage tells where the attacker was when it hit. Off: only where it hit.
                #[export]
                damage_reveals_attacker: bool = true => set_damage_reveals_attacker(any);

                /// How long a target is remembered that no sense senses any more. Default 5 s.
                #[export_group(name = "Memory")]
                #[export(range = (0.0, 120.0, 0.01, or_greater, suffix = "s"))]
                forget_time: f64 = 5.0 => set_forget_time(not_negative);
                /// Time between two looks around. 0: every tick. Noises and damage do not wait for it. Default 0.1 s.
                #[export(range = (0.0, 5.0, 0.01, suffix = "s"))]
                update_interval: f64 = 0.1 => set_update_interval(not_negative);
                /// When the first look around comes, as a part of [member update_interval]: 0 at once, 0.5 in its middle.
                /// Below 0 the server spreads the nodes over the interval. Default -1. Read when the node first enters the tree.
                #[export(range = (-1.0, 1.0, 0.01))]
                update_phase: f64 = (-1.0) => set_update_phase(clamped, -1.0, 1.0);
                /// How many targets are known at once, remembered ones included: the closest. 1 to 256, default 16.
                #[export(range = (1.0, 256.0, 1.0))]
                max_perceived_targets: i64 = 16 => set_max_perceived_targets(count, 1, 256);
                /// When all places are taken, a new target takes that of the farthest one only if it is closer by more
                /// than this. Who does damage always takes it. Default 1 m; in 2D 20 px.
                #[export(range = (0.0, $near, 0.01, or_greater, suffix = $unit))]
                displace_margin: f64 = $margin => set_displace_margin(not_negative);

                /// Whom the agent sees and hears: a tag finds itself and the tags below it. Empty: everyone. Damage is felt
                /// from anyone. Assign the whole list, or use [method add_detectable_tag]; appending to it changes a copy.
                #[export_group(name = "Affiliation")]
                #[export]
                #[var(get = get_detectable_tags, set = set_detectable_tags)]
                detectable_tags: TagList = (TagList::default());
                /// Whom the agent never sees or hears, whatever [member detectable_tags] say: a tag finds itself and the tags
                /// below it. Assign the whole list; appending to it changes a copy.
                #[export]
                #[var(get = get_ignored_tags, set = set_ignored_tags)]
                ignored_tags: TagList = (TagList::default());
            }
            fields {
                /// Known to the server since the first entry into the tree.
                key: Option<PerceiverKey>,
            }
            items {
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
                fn set_process_callback(&mut self, value: i64) {
                    let old = self.process_callback;
                    self.process_callback = ticking::checked_callback(&self.to_gd(), value, old, false);
                    self.push();
                }

                /// Any int, as the engine's masks take it: `~2` is a negative number to GDScript.
                #[func]
                fn set_sight_blocking_mask(&mut self, value: i64) {
                    self.sight_blocking_mask = (value as u32).into();
                    self.push_rules();
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
                }

                #[func]
                fn get_ignored_tags(&self) -> PackedStringArray {
                    self.ignored_tags.typed()
                }

                #[func]
                fn set_ignored_tags(&mut self, value: PackedStringArray) {
                    let this = self.to_gd();
                    self.ignored_tags.assign(&this, "ignored_tags", value);
                    self.push_affiliation();
                }
            }
        }

        #[godot_api]
        impl $interface for $name {
            fn on_notification(&mut self, what: $notification) {
                if self.key.is_none() {
                    return;
                }
                match what {
                    $notification::PAUSED | $notification::UNPAUSED => {
                        let frozen = !self.base().can_process();
                        state::with(|state| self.key.map(|key| state.world.set_frozen(key, frozen)));
                    }
                    $notification::$world_changed => {
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
                        "lose_sight_radius ({} {unit}) is below sight_radius ({} {unit}) and counts as that. Raise it.",
                        self.lose_sight_radius, self.sight_radius, unit = $unit
                    ));
                }
                if self.sight_blocking_mask == 0 {
                    let text = "sight_blocking_mask is empty: nothing blocks sight. Choose a physics layer.";
                    warnings.push(text.into());
                }
                warnings.extend(self.detectable_tags.warnings("detectable_tags"));
                warnings.extend(self.ignored_tags.warnings("ignored_tags"));
                warnings.iter().map(GString::from).collect()
            }
        }

        impl Lifecycle for $name {
            fn entered(this: Gd<Self>) {
                placement::perceiver_entered(&this);
            }

            fn readied(this: Gd<Self>) {
                placement::place_perceiver(&this);
            }

            fn exiting(this: Gd<Self>) {
                placement::perceiver_left(this.instance_id());
            }
        }

        impl PerceptionNode for $name {
            fn key(&self) -> Option<PerceiverKey> {
                self.key
            }

            fn set_key(&mut self, key: PerceiverKey) {
                self.key = Some(key);
            }

            fn agent_path(&self) -> NodePath {
                self.agent_path.clone()
            }

            fn ray_rules(&self) -> RayRules {
                RayRules { blocking_mask: self.sight_blocking_mask as u32, ..RayRules::default() }
            }

            fn settings(&self) -> PerceiverSettings {
                PerceiverSettings {
                    enabled: self.enabled,
                    manual: self.process_callback == ticking::PROCESS_MANUAL,
                    time_scale: self.time_scale,
                    $facing: self.$facing,
                    eye_offset: self.eye_offset.widened(),
                    sight_enabled: self.sight_enabled,
                    sight_radius: self.sight_radius,
                    lose_sight_radius: self.lose_sight_radius,
                    sight_fov_degrees: self.sight_fov_degrees,
                    sight_min_visible_points: self.sight_min_visible_points as u32,
                    auto_detect_radius: self.auto_detect_radius,
                    hearing_enabled: self.hearing_enabled,
                    hearing_radius: self.hearing_radius,
                    damage_enabled: self.damage_enabled,
                    damage_reveals_attacker: self.damage_reveals_attacker,
                    forget_time: self.forget_time,
                    update_interval: self.update_interval,
                    update_phase: self.update_phase,
                    max_perceived_targets: self.max_perceived_targets as u32,
                    displace_margin: self.displace_margin,
                    ..PerceiverSettings::default()
                }
            }

            fn affiliation(&self) -> Affiliation {
                Affiliation {
                    detectable: self.detectable_tags.ids().to_vec(),
                    ignored: self.ignored_tags.ids().to_vec(),
                    ..Affiliation::default()
                }
            }

            fn detectable_tags(&mut self) -> &mut TagList {
                &mut self.detectable_tags
            }

            fn changed(&mut self) {
                self.push_affiliation();
            }
        }

        impl $name {
            /// Hands changed settings to the server.
            fn push(&mut self) {
                if let Some(key) = self.key {
                    let settings = self.settings();
                    state::with(|state| state.world.set_perceiver(key, settings));
                }
                self.base_mut().update_configuration_warnings();
            }

            fn push_rules(&self) {
                if let Some(key) = self.key {
                    let rules = self.ray_rules();
                    PerceptionServer::singleton().bind_mut().nodes.set_rules(key, rules);
                }
            }

            fn push_affiliation(&mut self) {
                if let Some(key) = self.key {
                    let affiliation = self.affiliation();
                    state::with(|state| state.world.set_affiliation(key, affiliation));
                }
                self.base_mut().update_configuration_warnings();
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(key) = self.key {
                    state::with(|state| state.remove_perceiver(key));
                }
            }
        }

        $crate::perception::perception_api::perception_api!($name, $node, $vector, $points);
    };
}

pub(super) use perception_class;
