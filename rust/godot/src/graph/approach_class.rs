//! The class body of `AttackApproach3D` and `AttackApproach2D`.

/// Writes the class of a dimension.
macro_rules! approach_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident: $vector:ident, agent $agent:ident;
        unit $unit:tt, speed $speed_unit:tt;
        defaults $stop:tt, $speed:tt, $most:tt;
        motion $motion:path;
    ) => {
        $(#[$($head)*])*
        #[derive(GodotClass)]
        #[class(init, tool, base = Node)]
        pub struct $name {
            /// The agent that is moved. Empty: the parent.
            #[export]
            #[var(set = set_agent_path)]
            agent_path: NodePath,
            /// Where an attack stops before its target, from origin to origin, unless the move, its window or the weapon says
            /// otherwise.
            #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = $unit))]
            #[var(set = set_stop_distance)]
            #[init(val = $stop)]
            stop_distance: f64,
            /// Nearer than that, the agent steps back for so many seconds, unless the move says otherwise. Default 0: it does not.
            #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
            #[var(set = set_make_room_seconds)]
            make_room_seconds: f64,
            /// How fast it closes in and steps back.
            #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = $speed_unit))]
            #[var(set = set_approach_speed)]
            #[init(val = $speed)]
            approach_speed: f64,
            /// How far it closes in during one move at the most.
            #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = $unit))]
            #[var(set = set_max_approach)]
            #[init(val = $most)]
            max_approach: f64,
            /// How fast it turns, in degrees per second. Default 720.
            #[export(range = (0.0, 1440.0, 1.0, or_greater, suffix = "°/s"))]
            #[var(get = turn_rate_limit, set = set_turn_rate)]
            #[init(val = 720.0)]
            turn_rate: f64,
            /// On, the default: during such a move the agent turns to its target, or to where the stick points if the move has
            /// [member PlayAnimationPayload.turn_to_input]. Off: it is not turned.
            #[export]
            #[var(set = set_rotation_follows_movement)]
            #[init(val = true)]
            rotation_follows_movement: bool,
            /// On: this node moves and turns the agent itself, in the physics step. Off, the default: the agent's script asks
            /// [method get_motion] and [method get_turn_rate].
            #[export]
            #[var(set = set_apply_motion)]
            apply_motion: bool,
            #[init(val = Hooked::new::<Self>(&base))]
            #[expect(dead_code, reason = "its construction connects the lifecycle")]
            hooked: Hooked,
            #[init(val = approach_state::create(
                base.to_init_gd().instance_id(),
                ApproachPlan { stop: $stop, make_room: 0.0, speed: $speed, most: $most },
                Self::update_ticking_of,
            ))]
            id: InstanceId,
            base: Base<Node>,
        }

        #[godot_api]
        impl $name {
            /// The velocity that brings the agent to its target, or makes room, in this physics step. Zero while nothing is to be
            /// done, and while a window of a [MotionWarp3D] of the agent is open. Add it to the agent's own.
            #[func(gd_self)]
            pub fn get_motion(this: Gd<Self>) -> $vector {
                $motion(approach_state::with(this.instance_id(), |state| state.motion).unwrap_or_default())
            }

            /// How fast the agent is to turn in this physics step, in degrees per second, as its rotation counts (about Y in 3D). 0
            /// while nothing is to be done.
            #[func(gd_self, rename = get_turn_rate)]
            pub fn current_turn_rate(this: Gd<Self>) -> f64 {
                approach_state::with(this.instance_id(), |state| state.turning).unwrap_or_default()
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
            fn set_stop_distance(&mut self, value: f64) {
                self.stop_distance = self.not_negative("stop_distance", value, self.stop_distance);
                approach_state::with(self.id, |state| state.plan.stop = self.stop_distance);
            }

            #[func]
            fn set_make_room_seconds(&mut self, value: f64) {
                self.make_room_seconds = self.not_negative("make_room_seconds", value, self.make_room_seconds);
                approach_state::with(self.id, |state| state.plan.make_room = self.make_room_seconds);
            }

            #[func]
            fn set_approach_speed(&mut self, value: f64) {
                self.approach_speed = self.not_negative("approach_speed", value, self.approach_speed);
                approach_state::with(self.id, |state| state.plan.speed = self.approach_speed);
            }

            #[func]
            fn set_max_approach(&mut self, value: f64) {
                self.max_approach = self.not_negative("max_approach", value, self.max_approach);
                approach_state::with(self.id, |state| state.plan.most = self.max_approach);
            }

            /// The property: the method that has the name of its usual getter says how fast the agent is to turn now.
            #[func(rename = _get_turn_rate_limit)]
            fn turn_rate_limit(&self) -> f64 {
                self.turn_rate
            }

            #[func]
            fn set_turn_rate(&mut self, value: f64) {
                self.turn_rate = self.not_negative("turn_rate", value, self.turn_rate);
                approach_state::with(self.id, |state| state.turn_rate = self.turn_rate);
            }

            #[func]
            fn set_rotation_follows_movement(&mut self, value: bool) {
                self.rotation_follows_movement = value;
                approach_state::with(self.id, |state| state.turns = value);
            }

            #[func]
            fn set_apply_motion(&mut self, value: bool) {
                self.apply_motion = value;
                approach_state::with(self.id, |state| state.applies = value);
            }
        }

        #[godot_api]
        impl INode for $name {
            #[func(gd_self)]
            fn physics_process(this: Gd<Self>, delta: f64) {
                Self::tick(this, delta);
            }

            fn get_configuration_warnings(&self) -> PackedStringArray {
                let node = self.to_gd().upcast();
                let mut warnings = lookup::warnings(&node, &self.agent_path, Part::Approach);
                warnings.extend(approach_state::warning::<$agent>(&node, &self.agent_path));
                warnings.iter().map(GString::from).collect()
            }
        }

        impl Lifecycle for $name {
            fn entered(this: Gd<Self>) {
                Self::find_agent(&this);
                Self::update_ticking(&this);
            }

            fn readied(this: Gd<Self>) {
                Self::find_agent(&this);
                approach_state::with(this.instance_id(), |state| state.driven.readied());
                Self::update_ticking(&this);
            }

            fn exiting(this: Gd<Self>) {
                lookup::detach(this.instance_id());
                approach_state::set_running(this.instance_id(), None);
            }
        }

        impl Ticker for $name {
            fn tick(this: Gd<Self>, delta: f64) {
                approach_step::step(this.instance_id(), delta);
                if this.is_instance_valid() {
                    Self::update_ticking(&this);
                }
            }
        }

        impl $name {
            fn find_agent(this: &Gd<Self>) {
                let path = this.bind().agent_path.clone();
                lookup::attach(&this.clone().upcast(), &path, Part::Approach);
            }

            fn update_ticking_of(id: InstanceId) {
                if let Ok(this) = Gd::<Self>::try_from_instance_id(id) {
                    Self::update_ticking(&this);
                }
            }

            /// The node is stepped only while a move runs that it has to do with.
            fn update_ticking(this: &Gd<Self>) {
                let in_tree = this.is_inside_tree();
                let order = approach_state::with(this.instance_id(), |state| {
                    let active = in_tree && state.active;
                    state.driven.order(ticking::PROCESS_PHYSICS, active)
                });
                ticking::drive(this, order.flatten());
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                approach_state::remove(self.id);
            }
        }
    };
}

pub(super) use approach_class;
