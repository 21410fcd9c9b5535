use godot::classes::IResource;
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

use super::animation_run::{AnimationDefinition, AnimationParts, FinishAt};
use super::method_run::Method;
use super::parts::MethodPart;
use super::resource_class::{SpecChecks as _, resource_class};
use crate::base::numbers::Checked as _;
use crate::motion::Movement;

resource_class! {
    /// Runs an action by playing an animation of the agent, or by travelling to a state of its [AnimationTree].
    ///
    /// The action completes when the animation reaches its end, a marker or a time. It is interrupted when someone else plays
    /// another animation before that.
    class AnimationMethod;
    properties {
        /// The [AnimationPlayer], from the agent. Empty: the first one below the agent.
        #[export]
        player_path: NodePath = (NodePath::default()) => set_player_path(any);
        /// The animation to play.
        #[export]
        animation: StringName = (StringName::default()) => set_animation(any);
        /// The [AnimationTree], from the agent, for [member state]. Empty: the first one below the agent.
        #[export]
        tree_path: NodePath = (NodePath::default()) => set_tree_path(any);
        /// Set: travel to this state of the tree's root state machine, instead of playing [member animation].
        #[export]
        state: StringName = (StringName::default()) => set_state(any);
        /// How fast the animation plays. 0.01 to 10, default 1. A state plays at the tree's own speed.
        #[export(range = (0.01, 10.0, 0.01))]
        speed: f64 = 1.0 => set_speed(clamped, 0.01, 10.0);
        /// Seconds of blending from what plays now. -1, the default: as the player is set up.
        #[export(range = (-1.0, 5.0, 0.01, or_greater, suffix = "s"))]
        blend_time: f64 = (-1.0) => set_blend_time(clamped, -1.0, f64::INFINITY);
        /// Where the action completes: at the end of the animation, at a marker, or at a time.
        #[export(enum = (End = 0, Marker = 1, Time = 2))]
        #[var(set = set_finish_at)]
        finish_at: i64 = 0;
        /// The marker of the animation for [constant FINISH_MARKER].
        #[export]
        finish_marker: StringName = (StringName::default()) => set_finish_marker(any);
        /// Seconds into the animation for [constant FINISH_TIME].
        #[export(range = (0.0, 60.0, 0.01, or_greater, suffix = "s"))]
        finish_time: f64 = 0.0 => set_finish_time(not_negative);
        /// Played when the action is cut short. Empty: the animation stops, if it still plays.
        #[export]
        abort_animation: StringName = (StringName::default()) => set_abort_animation(any);
        /// Seconds after which the action is ended. 0, the default: twice the playing time and a second; for a state only the
        /// project setting `riposte/execution/hard_timeout` ends it.
        #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
        animation_timeout: f64 = 0.0 => set_animation_timeout(timeout);
        #[export_group(name = "Movement")]
        /// The agent has the tag `State.RotationLocked` while the action runs: movement code must not turn it toward its focus.
        /// Warping still does. Default on.
        #[export]
        lock_rotation: bool = true => set_lock_rotation(any);
        /// Holds the agent's [LedgeGuard3D] while the action runs, so that it does not walk off a ledge. Default on.
        #[export]
        prevent_ledge_fall: bool = true => set_prevent_ledge_fall(any);
        /// The name under which the target is given to the agent's [MotionWarp3D] while the action runs. The animation opens
        /// the window with the markers `warp_begin_` and `warp_end_` followed by this name. Default `Target`; empty: no warping.
        #[export]
        #[var(set = set_warp_target_name)]
        warp_target_name: StringName = ("Target".into());
        /// How far in front of the target warping ends, in metres. Nearer than that the agent is not moved. Default 1.
        #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "m"))]
        warp_offset: f64 = 1.0 => set_warp_offset(not_negative);
        /// A target that is nearer than this at the start is not warped to, in metres. 0, the default: every target is.
        #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "m"))]
        warp_skip_distance: f64 = 0.0 => set_warp_skip_distance(not_negative);
    }
    items {
        /// The action completes at the end of the animation.
        #[constant]
        const FINISH_END: i64 = 0;
        /// The action completes at [member finish_marker].
        #[constant]
        const FINISH_MARKER: i64 = 1;
        /// The action completes at [member finish_time].
        #[constant]
        const FINISH_TIME: i64 = 2;

        #[func]
        fn set_finish_at(&mut self, value: i64) {
            self.finish_at = self.clamped_int("finish_at", value, Self::FINISH_END, Self::FINISH_TIME);
            self.base_mut().notify_property_list_changed();
            self.base_mut().emit_changed();
        }

        #[func]
        fn set_warp_target_name(&mut self, value: StringName) {
            self.warp_target_name = value;
            self.base_mut().notify_property_list_changed();
            self.base_mut().emit_changed();
        }
    }
}

#[godot_api]
impl IResource for AnimationMethod {
    /// Greys out what has no effect now.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let unused = match property.property_name.to_string().as_str() {
            "finish_marker" => self.finish_at != Self::FINISH_MARKER,
            "finish_time" => self.finish_at != Self::FINISH_TIME,
            "warp_offset" | "warp_skip_distance" => self.warp_target_name.is_empty(),
            _ => false,
        };
        if unused {
            property.usage |= PropertyUsageFlags::READ_ONLY;
        }
    }
}

impl MethodPart for AnimationMethod {
    fn missing(&self) -> Option<String> {
        let missing = self.animation.is_empty() && self.state.is_empty();
        missing.then(|| {
            "AnimationMethod plays nothing. Set animation, or state for an AnimationTree.".to_owned()
        })
    }

    fn definition(this: Gd<Self>) -> Box<dyn Method> {
        Box::new(AnimationDefinition(this))
    }
}

impl AnimationMethod {
    /// The private copy of a run.
    pub(crate) fn parts(&self) -> AnimationParts {
        let finish_at = match self.finish_at {
            Self::FINISH_MARKER => FinishAt::Marker(self.finish_marker.clone()),
            Self::FINISH_TIME => FinishAt::Time(self.finish_time),
            _ => FinishAt::End,
        };
        AnimationParts {
            player_path: self.player_path.clone(),
            animation: self.animation.clone(),
            tree_path: self.tree_path.clone(),
            state: self.state.clone(),
            speed: self.speed,
            blend_time: self.blend_time,
            finish_at,
            abort_animation: self.abort_animation.clone(),
            timeout: self.animation_timeout,
            movement: Movement {
                lock_rotation: self.lock_rotation,
                prevent_ledge_fall: self.prevent_ledge_fall,
                warp_target_name: self.warp_target_name.clone(),
                warp_offset: self.warp_offset,
                warp_skip_distance: self.warp_skip_distance,
            },
        }
    }
}
