//! The class body of `StimulusSource3D` and `StimulusSource2D`.

/// Writes the class of a dimension.
macro_rules! source_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident: $base:ident, $interface:ident;
        api { $vector:ident, $points:ident };
        world_changed $notification:ident::$world_changed:ident;
        unit $unit:tt, aim $aim:tt;
    ) => {
        $crate::perception::node_class::node_class! {
            $(#[$($head)*])*
            class $name: $base;
            properties {
                /// The agent that can be sensed, a Node3D; in 2D a Node2D. Empty: the parent.
                #[export]
                #[var(set = set_agent_path)]
                agent_path: NodePath = (NodePath::default());
                /// Off: the agent cannot be sensed, and who knows it loses it at the next tick.
                #[export]
                enabled: bool = true => set_enabled(any);
                /// Who the agent is to others: tags that a Perception's detectable_tags find. Assign the whole list, or use
                /// [method add_affiliation_tag]; appending to it changes a copy.
                #[export]
                #[var(get = get_affiliation_tags, set = set_affiliation_tags)]
                affiliation_tags: TagList = (TagList::default());
                /// The tags of the agent's [TagContainer] tell who it is, too.
                #[export]
                #[var(set = set_use_agent_tags)]
                use_agent_tags: bool = true;
                /// The senses that can sense the agent. Damage and custom senses need no entry here.
                #[export(flags = (Sight = 1, Hearing = 2))]
                registered_senses: i64 = 3 => set_registered_senses(any);
                /// The point that sight rays go to, from the node's origin, turned with the node but not scaled.
                /// Default 1 m up; in 2D the origin.
                #[export(range = (-10.0, 10.0, 0.01, or_greater, or_less, suffix = $unit))]
                sight_target_offset: $vector = $aim => set_sight_target_offset(vector);
                /// More points that sight rays go to, from the node's origin, turned with the node but not scaled. Several
                /// points make a source partly visible. At most 16 points count in all.
                #[export]
                extra_aim_points: $points = ($points::new()) => set_extra_aim_points(vectors);
                /// Multiplies the sight radii of whoever looks: 0.5 is seen from half as far, 0 not at all.
                /// 0 to 4, default 1.
                #[export(range = (0.0, 4.0, 0.01))]
                sight_range_scale: f64 = 1.0 => set_sight_range_scale(clamped, 0.0, 4.0);
            }
            fields {
                /// Known to the server since the first entry into the tree.
                key: Option<SourceKey>,
                /// Added by `PerceptionServer.register_as_source`.
                added_by_server: bool,
            }
            items {
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

                /// Who the agent is to others now: [member affiliation_tags], and with [member use_agent_tags] those of its
                /// [TagContainer].
                #[func(gd_self)]
                fn get_identity_tags(this: Gd<Self>) -> PackedStringArray {
                    let (own, use_agent_tags) = this.bind().identity();
                    let agent = lookup::agent_of(this.instance_id()).filter(|_| use_agent_tags);
                    tags::names(identity::tags_of(&own, agent).tags())
                }

                /// Adds a tag to [member affiliation_tags]. True if it was not there. An invalid name is an error.
                #[func]
                fn add_affiliation_tag(&mut self, tag: StringName) -> bool {
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
                    reporting::noise_of(&this.upcast(), loudness, &tag)
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
                fn get_affiliation_tags(&self) -> PackedStringArray {
                    self.affiliation_tags.typed()
                }

                #[func]
                fn set_affiliation_tags(&mut self, value: PackedStringArray) {
                    let this = self.to_gd();
                    self.affiliation_tags.assign(&this, "affiliation_tags", value);
                    self.push_identity();
                }

                #[func]
                fn set_use_agent_tags(&mut self, value: bool) {
                    self.use_agent_tags = value;
                    self.push_identity();
                }
            }
        }

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
                let node: Gd<Node> = self.to_gd().upcast();
                let mut warnings = lookup::warnings(&node, &self.agent_path, Part::StimulusSource);
                let agent = lookup::find_agent(&node, &self.agent_path);
                if agent.is_some_and(|agent| agent.try_cast::<$base>().is_err()) {
                    let base = stringify!($base);
                    warnings.push(format!("The agent is no {base} and cannot be sensed. Choose a {base}."));
                }
                if self.registered_senses & !3 != 0 {
                    warnings.push("registered_senses: only Sight and Hearing have an effect. Clear the rest.".into());
                }
                warnings.extend(self.affiliation_tags.warnings("affiliation_tags"));
                warnings.iter().map(GString::from).collect()
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
                    ..SourceSettings::default()
                }
            }

            fn rules(&self) -> SourceRules {
                SourceRules::default()
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
                    let settings = self.settings();
                    state::with(|state| state.world.set_source(key, settings));
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

pub(super) use source_class;
