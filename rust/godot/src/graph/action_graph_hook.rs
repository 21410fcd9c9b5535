use godot::prelude::*;
use riposte_core::graph::MoveEnd;

use super::ActionRun;
use crate::action::resource_class::{SpecChecks, resource_class};

resource_class! {
    /// Your own code around a node of an [ActionGraph]: a script that extends this class and overrides its virtuals.
    ///
    /// The resource in the graph is a definition and is never changed. Each run gets a private copy: exported values are copied
    /// (arrays and dictionaries one level deep), other variables of the script start fresh. So a variable may hold the state of
    /// a run. A virtual that is not overridden costs nothing.
    ///
    /// ```gdscript
    /// class_name TrailHook
    /// extends ActionGraphHook
    /// func _enter(run: ActionRun) -> void:
    ///     run.agent.get_node(^"Sword/Trail").emitting = true
    /// func _exit(run: ActionRun, _reason: int) -> void:
    ///     run.agent.get_node(^"Sword/Trail").emitting = false
    /// ```
    class ActionGraphHook;
    properties {
        /// On: [method _tick] is called in every step. Default off.
        #[export]
        tick: bool = false => set_tick(any);
        /// On: the hook may complete the node by [method ActionRun.finish]. Default off: it is refused. What follows is for the
        /// graph to decide.
        #[export]
        finishes_node: bool = false => set_finishes_node(any);
    }
    items {
        /// The move ran to its end.
        #[constant]
        const END_COMPLETED: i64 = MoveEnd::Completed as i64;
        /// The move was cut.
        #[constant]
        const END_CANCELLED: i64 = MoveEnd::Cancelled as i64;
        /// The authority refused the move.
        #[constant]
        const END_REJECTED: i64 = MoveEnd::Rejected as i64;
        /// The move was left through a transition before its end.
        #[constant]
        const END_CHAINED: i64 = MoveEnd::Chained as i64;
        /// Another graph was set, the node was deleted, or the agent leaves the tree.
        #[constant]
        const END_REMOVED: i64 = MoveEnd::Removed as i64;

        /// The node was entered. [member ActionRun.restored] is on if the run comes from a saved state.
        #[func(virtual, gd_self)]
        pub fn enter(_this: Gd<Self>, _run: Gd<ActionRun>) {}

        /// The node is left. Called once for each run that was entered; [param reason] is one of the `END_*` constants.
        #[func(virtual, gd_self)]
        pub fn exit(_this: Gd<Self>, _run: Gd<ActionRun>, _reason: i64) {}

        /// Each step in which time passed for the player, with [member tick] on. [param delta] is in seconds.
        #[func(virtual, gd_self, rename = _tick)]
        pub fn on_tick(_this: Gd<Self>, _run: Gd<ActionRun>, _delta: f64) {}

        /// The animation passed a marker that opens no window.
        #[func(virtual, gd_self)]
        pub fn marker(_this: Gd<Self>, _run: Gd<ActionRun>, _name: StringName) {}
    }
}
