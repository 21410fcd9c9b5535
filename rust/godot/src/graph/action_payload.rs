use godot::prelude::*;

use super::ActionRun;

/// What a node plays, in a script of your own: extend this class and override its virtuals.
///
/// The resource is shared by all agents that play the graph: keep what belongs to a run elsewhere, for example in the meta data
/// of the agent.
///
/// ```gdscript
/// class_name ThrowPayload
/// extends ActionPayload
/// @export var animation: StringName = &"throw"
/// func _can_start(run: ActionRun) -> bool:
///     return run.agent.has_item()
/// func _execute(run: ActionRun) -> bool:
///     return run.play_animation(animation)
/// func _stop(run: ActionRun, _reason: int) -> void:
///     run.agent.drop_item()
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionPayload {
    base: Base<Resource>,
}

#[godot_api]
impl ActionPayload {
    /// The move ran to its end.
    #[constant]
    const END_COMPLETED: i64 = 0;
    /// An input or a script cut it.
    #[constant]
    const END_CANCELLED: i64 = 2;
    /// The authority refused it.
    #[constant]
    const END_REJECTED: i64 = 5;
    /// It was left for another move before its end.
    #[constant]
    const END_CHAINED: i64 = 6;
    /// The graph was swapped, or the agent left the tree.
    #[constant]
    const END_REMOVED: i64 = 7;

    /// The move starts. True: it goes on, until the animation or the delay that was started on [param run] is over, or until
    /// [method ActionRun.finish]. False: it is over at once.
    #[func(virtual, gd_self)]
    pub fn execute(_this: Gd<Self>, _run: Gd<ActionRun>) -> bool {
        false
    }

    /// The move is left; [param reason] is one of the `END_*` constants. Called once for each [method _execute].
    #[func(virtual, gd_self)]
    pub fn stop(_this: Gd<Self>, _run: Gd<ActionRun>, _reason: i64) {}

    /// False: the move can't start now. May be asked often, with a run that has not started, and must not change anything.
    #[func(virtual, gd_self)]
    pub fn can_start(_this: Gd<Self>, _run: Gd<ActionRun>) -> bool {
        true
    }

    /// Seconds after the start in which another move can follow at the earliest, when moves play at [param speed], which is above
    /// 0. -1, the default: as the windows of the run say. Asked by the authority of a network game, which refuses a move of the
    /// owner that comes sooner.
    #[func(virtual, gd_self)]
    pub fn get_earliest_chain_time(_this: Gd<Self>, _speed: f64) -> f64 {
        -1.0
    }

    /// Seconds that the move lasts, when moves play at [param speed], which is above 0. -1, the default: not known. For
    /// [code]time_left[/code] of [method ActionGraphPlayer.get_action_state], and for the authority of a network game; the move
    /// itself ends as [method _execute] says.
    #[func(virtual, gd_self)]
    pub fn get_completion_time(_this: Gd<Self>, _speed: f64) -> f64 {
        -1.0
    }

    /// Files that the move needs: they are loaded in the background as soon as a graph with it is played.
    #[func(virtual, gd_self)]
    pub fn get_preload_paths(_this: Gd<Self>) -> PackedStringArray {
        PackedStringArray::new()
    }

    /// The name in the editor and in logs. Default: the class name.
    #[func(virtual, gd_self)]
    pub fn get_display_name(_this: Gd<Self>) -> GString {
        GString::from("ActionPayload")
    }
}
