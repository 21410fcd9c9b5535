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
        type ExcludePaths = PathList<Node>;
        type SyncState = PhantomVar<VarDictionary>;

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
                process_callback: i64 = 0 => set_process_callback(callback);
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
                sight_blocking_mask: i64 = 1 => set_sight_blocking_mask(mask);
                /// Areas on [member sight_blocking_mask] block sight too.
                #[export]
                sight_hit_areas: bool = false => set_sight_hit_areas(any);
                /// No body is seen through. Off: other agents do not hide what is behind them, as far as their source's
                /// blocks_sight says.
                #[export]
                sight_blocked_by_agents: bool = false => set_sight_blocked_by_agents(any);
                /// Nodes whose bodies, and those below them, never block sight: a shield that is looked over, a vehicle that is
                /// sat in. Assign the whole list; what is read cannot be changed.
                #[export]
                sight_exclude_paths: ExcludePaths = (ExcludePaths::default())
                    list get_sight_exclude_paths, set_sight_exclude_paths(Paths), push;
                /// How many aim points of a source must be visible to see it; of a source with fewer points all of them.
                /// 1 to 16, default 1.
                #[export(range = (1.0, 16.0, 1.0))]
                sight_min_visible_points: i64 = 1 => set_sight_min_visible_points(count, 1, 16);
                /// Inside this distance a source counts as inside the cone. It must still be in line of sight.
                /// Default 0: off.
                #[export(range = (0.0, $near, 0.01, suffix = $unit))]
                auto_detect_radius: f64 = 0.0 => set_auto_detect_radius(not_negative);

                /// How long it takes to make out a target at no distance, in the middle of the cone, with all points visible;
                /// farther off, at the edge or half hidden it takes longer. 0: at once. Default 0 s.
                #[export_group(name = "Detection")]
                #[export(range = (0.0, 30.0, 0.01, suffix = "s"))]
                detection_time: f64 = 0.0 => set_detection_time(not_negative);
                /// Speed of detection at [member sight_radius], compared with no distance. 0.01 to 1, default 0.25.
                #[export(range = (0.01, 1.0, 0.01))]
                detection_far_factor: f64 = 0.25 => set_detection_far_factor(clamped, 0.01, 1.0);
                /// Speed of detection at the edge of the cone, compared with its middle. 0.01 to 1, default 0.5.
                #[export(range = (0.01, 1.0, 0.01))]
                detection_edge_factor: f64 = 0.5 => set_detection_edge_factor(clamped, 0.01, 1.0);
                /// How long it takes to lose what was made out, from almost detected to nothing, once the target is out of view.
                /// 0: at once. Default 2 s.
                #[export(range = (0.0, 30.0, 0.01, suffix = "s"))]
                detection_decay_time: f64 = 2.0 => set_detection_decay_time(not_negative);

                /// Hearing is on. Off: noises reported from now on are not heard.
                #[export_group(name = "Hearing")]
                #[export]
                hearing_enabled: bool = true => set_hearing_enabled(any);
                /// How far a noise of loudness 1 is heard; the loudness multiplies it. Default 15 m; in 2D 300 px.
                #[export(range = (0.0, $far, 0.01, or_greater, suffix = $unit))]
                hearing_radius: f64 = $hearing => set_hearing_radius(not_negative);
                /// The kinds of noises that are heard: a tag finds itself and the tags below it. Empty: all noises. Assign the
                /// whole list; appending to it changes a copy.
                #[export]
                hearing_noise_tags: TagList = (TagList::default())
                    list get_hearing_noise_tags, set_hearing_noise_tags(PackedStringArray), push;
                /// Bodies between a noise and the eye muffle it.
                #[export]
                hearing_occlusion: bool = false => set_hearing_occlusion(any);
                /// Physics layers whose bodies muffle noises. Default layer 1.
                #[export($mask)]
                hearing_occlusion_mask: i64 = 1 => set_hearing_occlusion_mask(mask);
                /// What one body in between leaves of the radius of a noise: 0 nothing, 1 all. Default 0.5.
                #[export(range = (0.0, 1.0, 0.01))]
                hearing_occlusion_factor: f64 = 0.5 => set_hearing_occlusion_factor(clamped, 0.0, 1.0);
                /// How many bodies in between count at the most. 1 to 8, default 4.
                #[export(range = (1.0, 8.0, 1.0))]
                hearing_max_occluders: i64 = 4 => set_hearing_max_occluders(count, 1, 8);

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
                detectable_tags: TagList = (TagList::default())
                    list get_detectable_tags, set_detectable_tags(PackedStringArray), push;
                /// Whom the agent never sees or hears, whatever [member detectable_tags] say: a tag finds itself and the tags
                /// below it. Assign the whole list; appending to it changes a copy.
                #[export]
                ignored_tags: TagList = (TagList::default())
                    list get_ignored_tags, set_ignored_tags(PackedStringArray), push;

                /// Draws this node's cone and radii, the lines to its targets and its rays while the game runs, in debug builds.
                /// [member PerceptionServer.debug_draw_enabled] draws all.
                #[export_group(name = "Debug")]
                #[export]
                debug_draw: bool = false => set_debug_draw(any);

                /// In a multiplayer game the agent senses on the peer only that is the node's multiplayer authority, and the others
                /// follow by [member sync_state]. Off: it senses on every peer. No matter without a multiplayer peer.
                #[export_group(name = "Multiplayer")]
                #[export]
                #[var(set = set_authority_only)]
                authority_only: bool = true;
                /// What the agent knows, for the other peers: give this property to a MultiplayerSynchronizer. On the authority it
                /// is a new dictionary whenever something else is known. Written on another peer it is what the queries answer
                /// from, and [signal target_perceived] and [signal target_lost] follow at the end of the frame.
                #[var(get = get_sync_state, set = set_sync_state)]
                sync_state: SyncState = (SyncState::default());
            }
            fields {
                /// Known to the server since the first entry into the tree.
                key: Option<PerceiverKey>,
                /// `sync_state` as it was last read or written.
                synced: RefCell<VarDictionary>,
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
                /// Sensed by a sense of the game's own, see PerceptionServer.report_stimulus.
                #[constant]
                const SENSE_CUSTOM: i64 = Senses::CUSTOM.bits() as i64;
                /// Any sense.
                #[constant]
                const SENSE_ANY: i64 = Senses::ANY.bits() as i64;
                /// The target is not known.
                #[constant]
                const TARGET_UNKNOWN: i64 = TargetState::Unknown as i64;
                /// The target is in view, and being made out.
                #[constant]
                const TARGET_DETECTING: i64 = TargetState::Detecting as i64;
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
                /// A target came in view and is being made out; see [member detection_time].
                #[signal]
                pub fn detection_started(event: Gd<PerceptionEvent>);
                /// What was made out of a target is lost again, before it became known.
                #[signal]
                pub fn detection_aborted(event: Gd<PerceptionEvent>);

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
                fn set_authority_only(&mut self, value: bool) {
                    self.authority_only = value;
                    let this = self.to_gd();
                    let _released = self.base_mut();
                    mirror::set_authority_only(this.instance_id(), value);
                }

                #[func]
                fn get_sync_state(&self) -> VarDictionary {
                    let this = self.to_gd().upcast();
                    let published = mirror::published(&this, &self.synced.borrow());
                    self.synced.replace(published.clone());
                    published
                }

                #[func]
                fn set_sync_state(&mut self, value: VarDictionary) {
                    let this = self.to_gd();
                    if mirror::receive(&this.upcast(), &value) {
                        self.synced.replace(value);
                    }
                }
            }
        }

        $crate::perception::perception_parts::perception_parts!(
            $name, $interface, $notification, $world_changed, $unit, $facing
        );
        $crate::perception::perception_api::perception_api!($name, $node, $vector, $points);
    };
}

pub(super) use perception_class;
