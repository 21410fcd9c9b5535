//! What `Perception3D` and `Perception2D` tell the server and the editor.

/// Writes the traits of a dimension's class.
macro_rules! perception_parts {
    (
        $name:ident, $interface:ident, $notification:ident, $world_changed:ident, $unit:tt, $facing:ident
    ) => {
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
                self.warnings().iter().map(GString::from).collect()
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
            fn warnings(&self) -> Vec<String> {
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
                if self.hearing_occlusion && self.hearing_occlusion_mask == 0 {
                    let text = "hearing_occlusion_mask is empty: nothing muffles noises. Choose a physics layer.";
                    warnings.push(text.into());
                }
                let defaults = PerceiverSettings::default();
                let is_changed = self.detection_far_factor != defaults.detection_far_factor
                    || self.detection_edge_factor != defaults.detection_edge_factor;
                if self.detection_time == 0.0 && is_changed {
                    let text = "detection_far_factor and detection_edge_factor have no effect while detection_time is 0. \
                                Raise detection_time, or set them back.";
                    warnings.push(text.into());
                }
                let node = self.to_gd().upcast();
                warnings.extend(self.sight_exclude_paths.warnings(&node, "sight_exclude_paths"));
                warnings.extend(self.hearing_noise_tags.warnings("hearing_noise_tags"));
                warnings.extend(self.detectable_tags.warnings("detectable_tags"));
                warnings.extend(self.ignored_tags.warnings("ignored_tags"));
                warnings
            }

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
                RayRules {
                    blocking_mask: self.sight_blocking_mask as u32,
                    hit_areas: self.sight_hit_areas,
                    blocked_by_agents: self.sight_blocked_by_agents,
                    exclude_paths: self.sight_exclude_paths.paths().cloned().collect(),
                    occlusion_mask: self.hearing_occlusion_mask as u32,
                    debug_draw: self.debug_draw,
                }
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
                    detection_time: self.detection_time,
                    detection_far_factor: self.detection_far_factor,
                    detection_edge_factor: self.detection_edge_factor,
                    detection_decay_time: self.detection_decay_time,
                    hearing_enabled: self.hearing_enabled,
                    hearing_radius: self.hearing_radius,
                    hearing_occlusion: self.hearing_occlusion,
                    hearing_occlusion_factor: self.hearing_occlusion_factor,
                    hearing_max_occluders: self.hearing_max_occluders as u32,
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

            fn authority_only(&self) -> bool {
                self.authority_only
            }

            fn affiliation(&self) -> Affiliation {
                Affiliation {
                    detectable: self.detectable_tags.ids().to_vec(),
                    ignored: self.ignored_tags.ids().to_vec(),
                    noises: self.hearing_noise_tags.ids().to_vec(),
                }
            }

            fn detectable_tags(&mut self) -> &mut TagList {
                &mut self.detectable_tags
            }

            fn changed(&mut self) {
                self.push();
            }
        }

        impl $name {
            /// Hands changed settings to the server.
            fn push(&mut self) {
                if let Some(key) = self.key {
                    let (settings, affiliation) = (self.settings(), self.affiliation());
                    state::with(|state| state.change_perceiver(key, settings, affiliation));
                    let rules = self.ray_rules();
                    PerceptionServer::singleton().bind_mut().nodes.set_rules(key, rules);
                }
                self.base_mut().update_configuration_warnings();
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(key) = self.key {
                    let node = state::with(|state| state.perceiver_node(key));
                    state::with(|state| state.remove_perceiver(key));
                    node.map(mirror::forget);
                }
            }
        }
    };
}

pub(super) use perception_parts;
