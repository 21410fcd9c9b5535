//! The methods of `Perception3D` and `Perception2D`, which read and change what a Perception knows. Nothing is bound: the
//! state is found by id.

/// Writes the methods of a dimension's class.
macro_rules! perception_api {
    ($name:ident, $node:ident, $vector:ident, $points:ident) => {
        #[godot_api(secondary)]
        impl $name {
            /// The agent that senses; null if there is none.
            #[func(gd_self)]
            fn get_agent(this: Gd<Self>) -> Option<Gd<Node>> {
                let path = this.bind().agent_path.clone();
                lookup::find_agent(&this.upcast(), &path)
            }

            /// All known targets, sensed or remembered: those first whose last known location is closest.
            #[func(gd_self)]
            fn get_perceived_targets(this: Gd<Self>) -> Array<Gd<$node>> {
                queries::known_targets(this.instance_id())
                    .into_iter()
                    .filter_map(|node| node.try_cast().ok())
                    .collect()
            }

            /// As [method get_perceived_targets], into an array of yours, which is resized. Gives the number of targets.
            #[func(gd_self)]
            fn fill_perceived_targets(this: Gd<Self>, buffer: AnyArray) -> i64 {
                queries::fill(this.instance_id(), buffer)
            }

            /// The known target whose last known location is closest; null if none is known.
            #[func(gd_self)]
            fn get_closest_perceived_target(this: Gd<Self>) -> Option<Gd<$node>> {
                queries::closest_target(this.instance_id())?.try_cast().ok()
            }

            /// The target that the agent attends to: that of its [AgentAwareness], null included; without an enabled one
            /// the closest perceived target. Null if there is none.
            #[func(gd_self)]
            fn get_attention_target(this: Gd<Self>) -> Option<Gd<$node>> {
                let target = super::attention_target(this.instance_id())?;
                Gd::<Node>::try_from_instance_id(target).ok()?.try_cast().ok()
            }

            /// The threat of a target, 0 to 1, as the agent's [AgentAwareness] sees it; 0 without one, and for an
            /// unknown target.
            #[func(gd_self)]
            fn get_threat(this: Gd<Self>, target: NodeArg) -> f64 {
                super::threat(this.instance_id(), &target)
            }

            /// True if the target is known, sensed or remembered. [param target]: its agent, its source, or a node below
            /// the agent; null or freed gives false.
            #[func(gd_self)]
            fn has_target(this: Gd<Self>, target: NodeArg) -> bool {
                queries::known(this.instance_id(), &target).is_some()
            }

            /// True if one of these senses senses the target now. [param sense_mask]: SENSE_* flags; all by default.
            #[func(gd_self)]
            fn can_sense(this: Gd<Self>, target: NodeArg, #[opt(default = 15)] sense_mask: i64) -> bool {
                queries::can_sense(this.instance_id(), &target, sense_mask)
            }

            /// The senses that sense the target now, as SENSE_* flags; 0 for an unknown target.
            #[func(gd_self)]
            fn get_senses(this: Gd<Self>, target: NodeArg) -> i64 {
                queries::known(this.instance_id(), &target).map_or(0, |known| i64::from(known.senses.bits()))
            }

            /// What is known of a target: a TARGET_* constant.
            #[func(gd_self)]
            fn get_target_state(this: Gd<Self>, target: NodeArg) -> i64 {
                queries::target_state(this.instance_id(), &target)
            }

            /// Where the target was last known to be, as a Vector3, in 2D a Vector2; null for an unknown target.
            #[func(gd_self)]
            fn get_last_known_location(this: Gd<Self>, target: NodeArg) -> Variant {
                let at = queries::location(this.instance_id(), &target);
                at.map_or(Variant::nil(), |at| $vector::narrowed(at).to_variant())
            }

            /// Where the target was last known to be; [param fallback] for an unknown target.
            #[func(gd_self)]
            fn get_last_known_location_or(this: Gd<Self>, target: NodeArg, fallback: $vector) -> $vector {
                queries::location(this.instance_id(), &target).map_or(fallback, $vector::narrowed)
            }

            /// How fast the target was when it was last seen twice within a second, in m/s, in 2D px/s; zero if it was not.
            #[func(gd_self)]
            fn get_last_known_velocity(this: Gd<Self>, target: NodeArg) -> $vector {
                let known = queries::known(this.instance_id(), &target).unwrap_or_default();
                $vector::narrowed(known.velocity)
            }

            /// For how many seconds no sense has sensed the target: 0 while it is sensed, -1 for an unknown target.
            #[func(gd_self)]
            fn get_time_since_sensed(this: Gd<Self>, target: NodeArg) -> f64 {
                queries::known(this.instance_id(), &target).map_or(-1.0, |known| known.age)
            }

            /// The part of the target that was visible at the last look, 0 to 1; 0 while it is not seen.
            #[func(gd_self)]
            fn get_visible_fraction(this: Gd<Self>, target: NodeArg) -> f64 {
                queries::known(this.instance_id(), &target).map_or(0.0, |known| known.visible_fraction)
            }

            /// The aim points of the target that were visible at the last look: bit 0 is its first one. 0 while it is not seen.
            #[func(gd_self)]
            fn get_visible_point_mask(this: Gd<Self>, target: NodeArg) -> i64 {
                queries::known(this.instance_id(), &target).map_or(0, |known| i64::from(known.visible_mask))
            }

            /// How far the target has been made out, 0 to 1: 1 once it is known, 0 if it is out of view. See
            /// [member detection_time].
            #[func(gd_self)]
            fn get_detection(this: Gd<Self>, target: NodeArg) -> f64 {
                queries::detection(this.instance_id(), &target)
            }

            /// The targets that are being made out and are not known yet, closest first.
            #[func(gd_self)]
            fn get_detecting_targets(this: Gd<Self>) -> Array<Gd<$node>> {
                let targets = queries::detecting_targets(this.instance_id());
                targets.into_iter().filter_map(|node| node.try_cast().ok()).collect()
            }

            /// True if a ray from the eye to the target is free now. Radius, cone and tags do not matter, nor whether the target is known.
            /// With physics on a thread of its own it answers from the last look outside the physics step, with a warning.
            #[func(gd_self)]
            fn has_line_of_sight(this: Gd<Self>, target: NodeArg) -> bool {
                line_of_sight::between(&this.upcast(), target)
            }

            /// What is drawn of the node while [member debug_draw] is on, or would be: [code]{points, colors}[/code], two points and
            /// one colour for each line. Rays are in it only while it is drawn.
            #[func(gd_self)]
            fn get_debug_segments(this: Gd<Self>) -> VarDictionary {
                debug_draw::segments::<$points>(this.instance_id())
            }

            /// Where the eye is, in the world.
            #[func(gd_self)]
            fn get_eye_position(this: Gd<Self>) -> $vector {
                $vector::narrowed(queries::eye_and_forward(this.instance_id()).0)
            }

            /// The direction in which the agent looks, of length 1.
            #[func(gd_self)]
            fn get_forward(this: Gd<Self>) -> $vector {
                $vector::narrowed(queries::eye_and_forward(this.instance_id()).1)
            }

            /// Adds a tag to [member detectable_tags]. True if it was not there. An invalid name is an error.
            #[func]
            fn add_detectable_tag(&mut self, tag: StringName) -> bool {
                let this = self.to_gd();
                let known = tags::from_script(&this, "add_detectable_tag", &tag.to_string());
                known.is_some_and(|id| self.change_detectable(|list| list.add(id)))
            }

            /// Removes a tag from [member detectable_tags]. True if it was there. An empty list senses everyone.
            #[func]
            fn remove_detectable_tag(&mut self, tag: StringName) -> bool {
                let this = self.to_gd();
                let known = tags::from_script(&this, "remove_detectable_tag", &tag.to_string());
                known.is_some_and(|id| self.change_detectable(|list| list.remove(id)))
            }

            /// Forgets a target at once; [signal target_lost] with reason Dismissed comes with the next tick. False if it is not known.
            /// What was made out of it is forgotten too.
            #[func(gd_self)]
            fn forget_target(this: Gd<Self>, target: NodeArg) -> bool {
                queries::forget(this.instance_id(), &target)
            }

            /// Forgets all targets, as [method forget_target] does. Gives their number.
            #[func(gd_self)]
            fn forget_all(this: Gd<Self>) -> i64 {
                let id = this.instance_id();
                state::with(|state| state.perceiver(id).map_or(0, |key| state.world.forget_all(key) as i64))
            }

            /// Looks around in the next tick, whatever [member update_interval] is.
            #[func(gd_self)]
            fn scan_now(this: Gd<Self>) {
                let id = this.instance_id();
                state::with(|state| state.perceiver(id).map(|key| state.world.scan_now(key)));
            }

            /// What this node knows and is making out, and its time, as plain values for saving; targets by their path. See
            /// [method import_state]. Empty if the node has never been in the tree.
            #[func(gd_self)]
            fn export_state(this: Gd<Self>) -> VarDictionary {
                saving::export(this.instance_id())
            }

            /// Goes on from an exported state, without signals. False, with an error and without effect, if the version or the
            /// structure is another. Targets that are not there are left out with a warning.
            #[func(gd_self)]
            fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
                saving::import(&this.upcast(), &state)
            }

            /// One tick of some seconds, with [member process_callback] on Manual only; not from inside the node's own tick.
            #[func(gd_self)]
            fn advance(this: Gd<Self>, delta: f64) {
                running::advance_by_script(&this.upcast(), delta);
            }
        }
    };
}

pub(super) use perception_api;
