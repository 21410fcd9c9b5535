use godot::classes::IResource;
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

use super::ActionWindow;
use crate::action::resource_class::{Slot, SpecChecks as _, resource_class};
use crate::base::family::{ArrayOf, ClassArray};
use crate::base::numbers::Checked as _;

type WindowList = ClassArray<ActionWindow>;

/// As scripts give and get them.
type ActionWindows = ArrayOf<ActionWindow>;

resource_class! {
    /// Plays an animation of the agent; the move lasts as long as it.
    ///
    /// The windows in which the next input counts are written on the animation: a marker `action_window` where one opens, and
    /// `action_window_end` where it closes. `action_window:perfect` opens one of the kind `perfect`; `action_window#2` is
    /// another plain one. Keys of a method track that call [method ActionGraphPlayer.open_action_window] and
    /// [method ActionGraphPlayer.close_action_window] are read the same way, and [member windows] goes before both.
    ///
    /// The move goes by the character's own time, not by what the player of the animation says. If there is no such animation
    /// the move ends at once, with a warning; a looping one never ends by itself.
    class PlayAnimationPayload;
    properties {
        /// The animation, by its name in the agent's [AnimationPlayer].
        #[export]
        animation: StringName = (StringName::default()) => set_animation(any);
        /// How fast it plays. 0.01 to 10, default 1. Length and windows follow.
        #[export(range = (0.01, 10.0, 0.01))]
        play_rate: f64 = 1.0 => set_play_rate(clamped, 0.01, 10.0);
        /// The marker where it begins. Empty: the start of the animation.
        #[export]
        section_start: StringName = (StringName::default()) => set_section_start(any);
        /// The marker where it ends. Empty: the end of the animation.
        #[export]
        section_end: StringName = (StringName::default()) => set_section_end(any);
        #[export_group(name = "Direction")]
        /// Played instead when the input points backwards, seen from where the agent faces at the start. Empty:
        /// [member animation].
        #[export]
        back_animation: StringName = (StringName::default()) => set_back_animation(any);
        /// Played instead when the input points to the left. Empty: [member animation].
        #[export]
        left_animation: StringName = (StringName::default()) => set_left_animation(any);
        /// Played instead when the input points to the right. Empty: [member animation].
        #[export]
        right_animation: StringName = (StringName::default()) => set_right_animation(any);
        /// An input shorter than this points nowhere, and [member animation] plays. 0 to 1, default 0.3.
        #[export(range = (0.0, 1.0, 0.01))]
        direction_dead_zone: f64 = 0.3 => set_direction_dead_zone(share);
        /// The body turns to where the input points, and [member animation] plays. Needs an [AttackApproach3D] or
        /// [AttackApproach2D] whose rotation follows the movement. Default off.
        #[export]
        turn_to_input: bool = false => set_turn_to_input(any);
        #[export_group(name = "Spacing")]
        /// How near the agent goes to its target during the move, in metres. -1, the default: as the window, the weapon or the
        /// agent's [AttackApproach3D] says.
        #[export(range = (-1.0, 10.0, 0.01, or_greater, suffix = "m"))]
        stop_distance: f64 = (-1.0) => set_stop_distance(clamped, -1.0, f64::INFINITY);
        /// For how long the agent steps back when it is nearer than that, in seconds. 0: it does not. -1, the default: as the
        /// agent's [AttackApproach3D] says.
        #[export(range = (-1.0, 5.0, 0.01, or_greater, suffix = "s"))]
        make_room_seconds: f64 = (-1.0) => set_make_room_seconds(clamped, -1.0, f64::INFINITY);
        #[export_group(name = "Windows")]
        /// Windows beside the animation, for one that is imported and read-only. If one of them is in the section, markers and
        /// method keys of the animation open none. Assign a new array to change it.
        #[export]
        windows: WindowList = (ClassArray::default()) slot get_windows, set_windows(ActionWindows);
        #[export_group(name = "Advanced")]
        /// Seconds of blending from what plays now. -1, the default: as the player of animations is set up.
        #[export(range = (-1.0, 5.0, 0.01, or_greater, suffix = "s"))]
        blend_time: f64 = (-1.0) => set_blend_time(clamped, -1.0, f64::INFINITY);
        /// Whether the agent's [AnimationTree] plays it, see [member ActionGraphPlayer.animation_tree_path]. Length and windows
        /// still come from the animation named by [member animation].
        #[export]
        #[var(set = set_tree_mode, hint = ENUM, hint_string = "None:0,Travel:1,One Shot:2")]
        tree_mode: i64 = 0;
        /// The state to travel to, or the [AnimationNodeOneShot] to fire. Empty: the one with the name of the animation.
        #[export]
        tree_node: StringName = (StringName::default()) => set_tree_node(any);
        /// How the animation keeps up with the move: [constant SYNC_FOLLOW], the default, or [constant SYNC_ADVANCE].
        #[export]
        #[var(set = set_sync, hint = ENUM, hint_string = "Follow:0,Advance:1")]
        sync: i64 = 0;
    }
    items {
        /// The agent's [AnimationPlayer] plays.
        #[constant]
        const TREE_NONE: i64 = 0;
        /// The root state machine of the agent's [AnimationTree] travels to [member tree_node].
        #[constant]
        pub(super) const TREE_TRAVEL: i64 = 1;
        /// The [AnimationNodeOneShot] [member tree_node] of the agent's [AnimationTree] is fired, and aborted when the move is left.
        #[constant]
        pub(super) const TREE_ONE_SHOT: i64 = 2;
        /// The animation runs by itself at the speed of the move, stands still while the character is frozen, and is set right when
        /// it is more than 0.05 s off.
        #[constant]
        const SYNC_FOLLOW: i64 = 0;
        /// The animation is moved by exactly the time of the move, in the same step: for root motion and rollback.
        #[constant]
        pub(super) const SYNC_ADVANCE: i64 = 1;

        #[func]
        fn set_tree_mode(&mut self, value: i64) {
            self.tree_mode = self.constant("tree_mode", value, self.tree_mode, 0, Self::TREE_ONE_SHOT);
            self.base_mut().notify_property_list_changed();
            self.base_mut().emit_changed();
        }

        #[func]
        fn set_sync(&mut self, value: i64) {
            self.sync = self.constant("sync", value, self.sync, 0, Self::SYNC_ADVANCE);
            self.base_mut().emit_changed();
        }
    }
}

#[godot_api]
impl IResource for PlayAnimationPayload {
    /// Greys out what has no effect now.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let name = property.property_name.to_string();
        if name == "tree_node" && self.tree_mode == Self::TREE_NONE {
            property.usage |= PropertyUsageFlags::READ_ONLY;
        }
    }
}
