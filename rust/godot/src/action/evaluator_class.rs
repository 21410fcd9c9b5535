//! The class of an evaluator, of actions or of reactions, written once: what both have, and a table for what one has.

/// Writes a node class from a table of its properties.
///
/// A line is `attributes name: type = default => setter(check, arguments) choices "names" then method;`. The setter passes
/// the value through the check, pushes all numbers to the core, and calls the method if one is named; `choices` are those
/// of `resource_class`. A line without a setter has accessors of its own among the items. Types and defaults are one token
/// or in brackets.
macro_rules! evaluator_table {
    (
        $(#[$($head:tt)*])*
        class $name:ident by $create:ident;
        properties { $(
            $(#[$($attribute:tt)*])*
            $field:ident: $type:tt = $default:tt
                $(=> $setter:ident($check:ident $($arguments:tt)*)
                    $(choices $choices:literal)? $(then $then:ident)?)?;
        )* }
        items { $($items:tt)* }
    ) => {
        $(#[$($head)*])*
        #[derive(GodotClass)]
        #[class(init, tool, base = Node)]
        pub struct $name {
            $(
                $(#[$($attribute)*])*
                $(#[var(set = $setter $(, hint = ENUM, hint_string = $choices)?)])?
                #[init(val = $default)]
                pub(super) $field: $type,
            )*
            /// `sync_state` as it was last read or written.
            synced: RefCell<VarDictionary>,
            #[init(val = Hooked::new::<Self>(&base))]
            #[expect(dead_code, reason = "its construction connects the lifecycle")]
            hooked: Hooked,
            #[init(val = driver::$create(base.to_init_gd().instance_id()))]
            pub(super) id: InstanceId,
            pub(super) base: Base<Node>,
        }

        #[godot_api]
        impl $name {
            $($items)*

            $($(
                #[func]
                fn $setter(&mut self, value: $type) {
                    let old = self.$field;
                    self.$field = self.$check(stringify!($field), value, old $($arguments)*);
                    self.push();
                    $(self.$then();)?
                    self.base_mut().update_configuration_warnings();
                }
            )?)*
        }
    };
}

/// Writes an evaluator: the properties of both classes, and its own in the groups where they stand. What both have is
/// added here, to the table and to `push`; what one has, to a section of its own table and to its `fill`.
macro_rules! evaluator_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident of $set:ident by $create:ident, $part:ident, $kind:literal, $verb:literal;
        told { $told:literal } records { $records:literal }
        running { $($running:tt)* }
        sources $default:ident, $set_default:ident { $($sources:tt)* }
        target { $($target:tt)* }
        choice { $($choice:tt)* }
        switching { $($switching:tt)* }
        scales { $($scales:tt)* }
        items { $($items:tt)* }
        engine { $($engine:tt)* }
    ) => {
        evaluator_table! {
            $(#[$($head)*])*
            class $name by $create;
            properties {
                /// The agent of this node. Empty: the parent.
                #[export]
                #[var(set = set_agent_path)]
                agent_path: NodePath = (NodePath::default());
                /// When the node steps: with the physics, with each drawn frame, or by [method advance].
                #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
                #[var(set = set_process_callback)]
                process_callback: i64 = 0;
                /// Speed of everything the node counts: cooldowns, waiting, what runs. 0 stands still. Default 1.
                #[export(range = (0.0, 4.0, 0.01, or_greater))]
                time_scale: f64 = 1.0 => set_time_scale(not_negative);
                $($running)*
                /// Decide and run only on the peer that has the multiplayer authority over this node; the others follow by
                /// [member sync_state]. Off: every peer decides for itself. No matter without a multiplayer peer.
                #[export]
                #[var(set = set_authority_only)]
                authority_only: bool = true;
                /// What runs and what is on cooldown, for the other peers: give this property to a MultiplayerSynchronizer. On the
                /// authority it is a new dictionary whenever something is different. Written on another peer it is what the queries
                /// answer from, and
                #[doc = $told]
                /// follow at the end of the frame. Not saved with the scene.
                #[var(get = get_sync_state, set = set_sync_state)]
                #[expect(dead_code, reason = "a property without a place of its own")]
                sync_state: SyncState = (SyncState::default());
                $($sources)*
                /// How far above its origin the eye of an agent without a Perception is, for actions that need a line of sight.
                /// Default 1.6 m. In 2D upwards on the screen, 1 m being [code]riposte/2d/pixels_per_meter[/code] pixels: set 0 in a
                /// game that is seen from above.
                #[export_group(name = "Line of Sight")]
                #[export(range = (0.0, 10.0, 0.01, or_less, or_greater, suffix = "m"))]
                eye_height: f64 = 1.6 => set_eye_height(finite);
                /// Physics layers that hide a target from an agent without a Perception; of 2D in 2D. Bodies of the agent and of the
                /// target itself hide nothing. 0: nothing hides. Default: layer 1.
                #[export(flags_3d_physics)]
                los_mask: i64 = 1 => set_los_mask(layers);
                $($target)*
                /// Seed of all randomness of this node: the same seed gives the same decisions. 0: from the project setting
                /// [code]riposte/evaluation/random_seed[/code] and the order in which evaluators start.
                #[export_group(name = "Choice")]
                #[export]
                random_seed: i64 = 0 => set_random_seed(any) then reseed;
                $($choice)*
                /// Seconds after the last end of one until its count of uses in a row clears. 0: never by time. Default 10 s.
                #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
                repeat_reset_time: f64 = 10.0 => set_repeat_reset_time(not_negative);
                $($switching)*
                /// Factor of every cooldown that is stamped from now on. Default 1.
                #[export(range = (0.0, 10.0, 0.01, or_greater))]
                cooldown_scale: f64 = 1.0 => set_cooldown_scale(not_negative);
                $($scales)*
                /// Keep every decision with all candidates and factors, see [method get_history].
                #[doc = $records]
                /// Costs time; changes no decision.
                #[export_group(name = "Debug")]
                #[export]
                record_decisions: bool = false => set_record_decisions(any);
                /// How many recorded decisions [method get_history] gives; the oldest go first. 0: none. Default 32.
                #[export(range = (0.0, 1000.0, 1.0, or_greater))]
                history_size: i64 = 32 => set_history_size(count, 0, 100_000);
                /// Print every decision with all candidates. Records, as [member record_decisions] does. The project setting
                /// [code]riposte/debug/log_decisions[/code] switches it on for all agents.
                #[export]
                debug_log_decisions: bool = false => set_debug_log_decisions(any);
                /// Print a line for each start, end and refused start. The project setting
                /// [code]riposte/debug/log_execution[/code] switches it on for all agents.
                #[export]
                debug_log_execution: bool = false => set_debug_log_execution(any);
            }
            items {
                $($items)*

                #[func]
                fn set_agent_path(&mut self, path: NodePath) {
                    self.agent_path = path;
                    let this = self.to_gd();
                    let mut base = self.base_mut();
                    if base.is_inside_tree() {
                        Self::move_to_agent(&this);
                    }
                    base.update_configuration_warnings();
                }

                #[func]
                fn set_process_callback(&mut self, value: i64) {
                    self.process_callback =
                        ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
                    let callback = self.process_callback;
                    driver::with(self.id, |state| state.callback = callback);
                    driver::frames::join(self.id);
                    let this = self.to_gd();
                    let mut base = self.base_mut();
                    base.update_configuration_warnings();
                    Self::update_ticking(&this);
                }

                #[func]
                fn set_authority_only(&mut self, value: bool) {
                    self.authority_only = value;
                    let id = self.id;
                    driver::with(id, |state| state.following.everywhere = !value);
                    // A run may end by it.
                    let _released = self.base_mut();
                    following::follows(id);
                }

                #[func]
                fn get_sync_state(&self) -> VarDictionary {
                    let last = self.synced.borrow().clone();
                    let published = following::published(self.id, &last);
                    self.synced.replace(published.clone());
                    published
                }

                #[func]
                fn set_sync_state(&mut self, value: VarDictionary) {
                    let this = self.to_gd();
                    let received = {
                        let _released = self.base_mut();
                        following::receive(&this.upcast(), &value)
                    };
                    if received {
                        self.synced.replace(value);
                    }
                }

                #[func]
                fn set_config(&mut self, value: GivenConfig) {
                    self.config = value.clone();
                    let this = self.to_gd();
                    let mut base = self.base_mut();
                    base.update_configuration_warnings();
                    Self::use_config(&this, value);
                }

                #[func]
                fn set_role(&mut self, value: StringName) {
                    let this = self.to_gd();
                    if self.role == value || !evaluator_sources::role_is_sound(&this, &value) {
                        return;
                    }
                    self.role = value.clone();
                    let mut base = self.base_mut();
                    base.update_configuration_warnings();
                    Self::use_role(&this, &value);
                }

                #[func]
                fn $set_default(&mut self, value: Option<Gd<$set>>) {
                    self.$default = value.clone();
                    let this = self.to_gd();
                    let mut base = self.base_mut();
                    base.update_configuration_warnings();
                    Self::use_own(&this, value.map(Gd::upcast));
                }

                #[func]
                fn set_weapon_path(&mut self, value: NodePath) {
                    self.weapon_path = value;
                    self.base_mut().update_configuration_warnings();
                }

                #[func]
                fn get_global_block_tags(&self) -> PackedStringArray {
                    self.global_block_tags.typed()
                }

                #[func]
                fn set_global_block_tags(&mut self, value: PackedStringArray) {
                    let this = self.to_gd();
                    self.global_block_tags.assign(&this, "global_block_tags", value);
                    self.push_block_tags();
                    self.base_mut().update_configuration_warnings();
                }
            }
        }

        impl $name {
            /// What the inspector warns of. Runs scripts of the sets that may run in the editor.
            pub(crate) fn warnings(this: &Gd<Self>) -> PackedStringArray {
                Self::all_warnings(this)
            }

            /// Hands all numbers to the core.
            fn push(&self) {
                driver::with(self.id, |state| {
                    state.time_scale = self.time_scale;
                    (state.eye.height, state.eye.mask) = (self.eye_height, self.los_mask as u32);
                    state.random_seed = self.random_seed;
                    state.core.set_history_size(self.history_size as usize);
                    state.core.change_settings(|settings| {
                        settings.jitter_amount = self.jitter_amount;
                        settings.repeat_reset_time = self.repeat_reset_time;
                        settings.cooldown_scale = self.cooldown_scale;
                    });
                    self.fill(state);
                });
                recording::change(self.id, |recording| {
                    recording.tells = self.record_decisions;
                    recording.log_decisions = self.debug_log_decisions;
                    recording.log_execution = self.debug_log_execution;
                });
            }

            fn reseed(&self) {
                apply_seed(self.id);
            }

            fn push_block_tags(&self) {
                let queries = compile::queries(self.global_block_tags.ids());
                driver::with(self.id, |state| {
                    state.core.change_settings(|settings| settings.global_block_tags = queries)
                });
            }
        }

        #[godot_api]
        impl INode for $name {
            #[func(gd_self)]
            fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
                Self::warnings(&this)
            }

            $($engine)*
        }

        impl Lifecycle for $name {
            fn entered(this: Gd<Self>) {
                Self::enter(&this);
            }

            fn readied(this: Gd<Self>) {
                Self::find_agent(&this);
                Self::ready_up(&this);
            }

            fn exiting(this: Gd<Self>) {
                Self::exit(&this);
            }
        }

        impl EvaluatorParts for $name {
            type Set = $set;
            const PART: Part = Part::$part;
            const KIND: &'static str = $kind;
            const VERB: &'static str = $verb;

            fn given(&self) -> Given {
                Given {
                    agent_path: self.agent_path.clone(),
                    config: self.config.clone(),
                    role: self.role.clone(),
                    weapon_path: self.weapon_path.clone(),
                    own: self.$default.clone().map(Gd::upcast),
                }
            }

            fn keep_role(&mut self, role: &StringName) {
                self.role = role.clone();
            }

            fn apply_block_tags(&self) {
                self.push_block_tags();
            }

            fn own_warnings(&self) -> Vec<String> {
                let mut found = self.global_block_tags.warnings("global_block_tags");
                found.extend(self.other_warnings());
                found
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                driver::remove(self.id);
            }
        }
    };
}

pub(super) use {evaluator_class, evaluator_table};

/// What the class needs in scope.
pub(super) mod parts {
    pub(in crate::action) use std::cell::RefCell;

    pub(in crate::action) use super::super::driver::{self, State, following, recording};
    pub(in crate::action) use super::super::evaluator_running::{EvaluatorNode, apply_seed};
    pub(in crate::action) use super::super::evaluator_sources::{
        self, EvaluatorParts, EvaluatorSources, Given,
    };
    pub(in crate::action) use super::super::resource_class::SpecChecks;
    pub(in crate::action) use super::super::{AgentConfig, compile};
    pub(in crate::action) use crate::base::lifecycle::{Hooked, Lifecycle};
    pub(in crate::action) use crate::base::lookup::Part;
    pub(in crate::action) use crate::base::numbers::Checked;
    pub(in crate::action) use crate::base::tags::TagList;
    pub(in crate::action) use crate::base::ticking;

    use godot::prelude::*;

    /// Types of properties, as one token.
    pub(in crate::action) type GivenConfig = Option<Gd<AgentConfig>>;
    pub(in crate::action) type SyncState = PhantomVar<VarDictionary>;
}
