//! What `StimulusSource3D` and `StimulusSource2D` tell the server and the editor.

/// Writes the traits of a dimension's class.
macro_rules! source_parts {
    ($name:ident, $base:ident, $interface:ident, $notification:ident, $world_changed:ident) => {
        #[godot_api]
        impl $interface for $name {
            fn on_notification(&mut self, what: $notification) {
                if what == $notification::$world_changed && self.key.is_some() {
                    let this = self.to_gd();
                    let _released = self.base_mut();
                    placement::place_source(&this);
                }
            }

            fn get_configuration_warnings(&self) -> PackedStringArray {
                self.warnings().iter().map(GString::from).collect()
            }
        }

        impl Lifecycle for $name {
            fn entered(this: Gd<Self>) {
                placement::source_entered(&this);
            }

            fn readied(this: Gd<Self>) {
                placement::place_source(&this);
            }

            fn exiting(this: Gd<Self>) {
                placement::source_left(this.instance_id());
            }
        }

        impl SourceNode for $name {
            fn warnings(&self) -> Vec<String> {
                let node: Gd<Node> = self.to_gd().upcast();
                let mut warnings = lookup::warnings(&node, &self.agent_path, Part::StimulusSource);
                let agent = lookup::find_agent(&node, &self.agent_path);
                if agent.is_some_and(|agent| agent.try_cast::<$base>().is_err()) {
                    let base = stringify!($base);
                    warnings.push(format!("The agent is no {base} and cannot be sensed. Choose a {base}."));
                }
                if self.registered_senses & !3 != 0 {
                    warnings.push(
                        "registered_senses: only Sight and Hearing have an effect. Clear the rest.".into(),
                    );
                }
                let points = 1 + self.extra_aim_points.len() + self.aim_point_paths.paths().count();
                if points > MAX_AIM_POINTS {
                    warnings.push(format!(
                        "There are {points} aim points, only the first {MAX_AIM_POINTS} count. Remove some."
                    ));
                }
                warnings.extend(self.aim_point_paths.warnings(&node, "aim_point_paths"));
                warnings.extend(self.affiliation_tags.warnings("affiliation_tags"));
                warnings
            }

            fn key(&self) -> Option<SourceKey> {
                self.key
            }

            fn set_key(&mut self, key: SourceKey) {
                self.key = Some(key);
            }

            fn agent_path(&self) -> NodePath {
                self.agent_path.clone()
            }

            fn settings(&self) -> SourceSettings {
                SourceSettings {
                    enabled: self.enabled,
                    registered_senses: (self.registered_senses & 3) as u8,
                    sight_target_offset: self.sight_target_offset.widened(),
                    extra_aim_points: self.extra_aim_points.widened(),
                    sight_range_scale: self.sight_range_scale,
                    stance: match self.stance {
                        1 => Stance::Crouched,
                        2 => Stance::Prone,
                        _ => Stance::Standing,
                    },
                    asks_stance: self.auto_detect_stance,
                    has_node_points: self.aim_point_paths.paths().next().is_some(),
                    crouched_point_scale: self.crouched_point_scale,
                    prone_point_scale: self.prone_point_scale,
                    detection_scale: self.detection_scale,
                    can_hold_attention: self.can_hold_attention,
                }
            }

            fn rules(&self) -> SourceRules {
                SourceRules {
                    blocks_sight: self.blocks_sight,
                    aim_point_paths: self.aim_point_paths.paths().cloned().collect(),
                    stance: self.stance,
                    auto_detect_stance: self.auto_detect_stance,
                }
            }

            fn identity(&self) -> (Vec<TagId>, bool) {
                (self.affiliation_tags.ids().to_vec(), self.use_agent_tags)
            }

            fn register(&mut self, senses: i64, tag: Option<TagId>, added: bool) {
                self.added_by_server |= added;
                self.enabled = true;
                self.registered_senses = senses;
                self.push();
                if let Some(tag) = tag {
                    self.change_tags(|list| list.add(tag));
                }
            }

            fn switch_off(&mut self) {
                self.enabled = false;
                self.push();
            }

            fn added_by_server(&self) -> bool {
                self.added_by_server
            }
        }

        impl $name {
            /// Hands changed settings to the server.
            fn push(&mut self) {
                if let Some(key) = self.key {
                    let (settings, rules) = (self.settings(), self.rules());
                    state::with(|state| state.world.set_source(key, settings));
                    PerceptionServer::singleton().bind_mut().nodes.set_source_rules(key, rules);
                }
                self.base_mut().update_configuration_warnings();
            }

            fn push_identity(&mut self) {
                if self.key.is_some() {
                    identity::set(self.to_gd().instance_id(), self.identity());
                }
                self.base_mut().update_configuration_warnings();
            }

            fn change_tags(&mut self, change: impl FnOnce(&mut TagList) -> bool) -> bool {
                let changed = change(&mut self.affiliation_tags);
                if changed {
                    self.push_identity();
                }
                changed
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(key) = self.key {
                    state::with(|state| state.remove_source(key));
                }
            }
        }
    };
}

pub(super) use source_parts;
