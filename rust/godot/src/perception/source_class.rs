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
        type AimPaths = PathList<$base>;

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
                affiliation_tags: TagList = (TagList::default())
                    list get_affiliation_tags, set_affiliation_tags(PackedStringArray), push_identity;
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
                /// Nodes that sight rays go to as well: markers, bone attachments. A path that leads nowhere is left out.
                /// Assign the whole list; what is read cannot be changed.
                #[export]
                aim_point_paths: AimPaths = (AimPaths::default())
                    list get_aim_point_paths, set_aim_point_paths(Paths), push;
                /// Multiplies the sight radii of whoever looks: 0.5 is seen from half as far, 0 not at all.
                /// 0 to 4, default 1.
                #[export(range = (0.0, 4.0, 0.01))]
                sight_range_scale: f64 = 1.0 => set_sight_range_scale(clamped, 0.0, 4.0);
                /// Multiplies the speed at which others make the agent out; see Perception's detection_time.
                /// 0 to 4, default 1.
                #[export(range = (0.0, 4.0, 0.01))]
                detection_scale: f64 = 1.0 => set_detection_scale(clamped, 0.0, 4.0);
                /// Whether the agent's bodies hide from others what is behind them. Auto: they do, unless the agent is a
                /// CharacterBody or has a Perception.
                #[export(enum = (Auto = 0, Never = 1, Always = 2))]
                blocks_sight: i64 = 0 => set_blocks_sight(constant, 0, 2);
                /// The stance of the agent, a STANCE_* constant. A lower stance lowers the aim points that are given as offsets.
                #[export(enum = (Unreported = -1, Standing = 0, Crouched = 1, Prone = 2))]
                stance: i64 = (-1) => set_stance(constant, -1, 2);
                /// The agent is asked for its stance, too: by its method get_stance(), or whether it crouches.
                #[export]
                auto_detect_stance: bool = true => set_auto_detect_stance(any);
                /// How high the aim points given as offsets are while the agent crouches, as a part of their height.
                /// 0 to 1, default 0.6.
                #[export(range = (0.0, 1.0, 0.01))]
                crouched_point_scale: f64 = 0.6 => set_crouched_point_scale(clamped, 0.0, 1.0);
                /// As [member crouched_point_scale], while the agent is prone. Default 0.25.
                #[export(range = (0.0, 1.0, 0.01))]
                prone_point_scale: f64 = 0.25 => set_prone_point_scale(clamped, 0.0, 1.0);
                /// The agent can be what an AgentAwareness attends to. Off for things.
                #[export]
                can_hold_attention: bool = true => set_can_hold_attention(any);
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
                /// A sense of the game's own: reported, needs no registration.
                #[constant]
                const SENSE_CUSTOM: i64 = Senses::CUSTOM.bits() as i64;
                /// Any sense.
                #[constant]
                const SENSE_ANY: i64 = Senses::ANY.bits() as i64;
                /// No stance is given here.
                #[constant]
                const STANCE_UNREPORTED: i64 = -1;
                /// Upright.
                #[constant]
                const STANCE_STANDING: i64 = Stance::Standing as i64;
                /// Crouched.
                #[constant]
                const STANCE_CROUCHED: i64 = Stance::Crouched as i64;
                /// Lying down.
                #[constant]
                const STANCE_PRONE: i64 = Stance::Prone as i64;
                /// Bodies block the view, unless the agent is a CharacterBody or has a Perception.
                #[constant]
                const BLOCKS_AUTO: i64 = colliders::BLOCKS_AUTO;
                /// Bodies never block the view.
                #[constant]
                const BLOCKS_NEVER: i64 = colliders::BLOCKS_NEVER;
                /// Bodies always block the view.
                #[constant]
                const BLOCKS_ALWAYS: i64 = colliders::BLOCKS_ALWAYS;

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

                /// The points that sight rays go to now, in the world: [member sight_target_offset],
                /// [member extra_aim_points], [member aim_point_paths], in this order. Empty outside the tree.
                #[func(gd_self)]
                fn get_aim_points(this: Gd<Self>) -> $points {
                    let (settings, rules, key) = {
                        let bound = this.bind();
                        (bound.settings(), bound.rules(), bound.key)
                    };
                    $points::narrowed(&queries::aim_points(&this.upcast(), &settings, &rules, key))
                }

                /// The agents that sense this one now by one of these senses, SENSE_* flags; all by default. 0: the agents that
                /// know it, sensed or remembered.
                #[func(gd_self)]
                fn get_perceivers(this: Gd<Self>, #[opt(default = 15)] sense_mask: i64) -> Array<Gd<Node>> {
                    queries::perceivers_of(&this.upcast(), sense_mask)
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
                fn set_use_agent_tags(&mut self, value: bool) {
                    self.use_agent_tags = value;
                    self.push_identity();
                }
            }
        }

        $crate::perception::source_parts::source_parts!(
            $name, $base, $interface, $notification, $world_changed
        );
    };
}

pub(super) use source_class;
