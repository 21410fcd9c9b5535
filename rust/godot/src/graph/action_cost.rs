use godot::prelude::*;

use super::ActionRun;

/// A cost of your own: a script that extends this class and overrides [method _can_pay] and [method _pay].
///
/// The resource is shared by all agents: keep no state in it. Costs are asked after the built-in ones could be paid, and paid
/// when the node has been entered. A virtual that is not overridden costs nothing.
///
/// ```gdscript
/// class_name ArrowCost
/// extends ActionCost
/// func _can_pay(run: ActionRun) -> bool:
///     return run.agent.quiver.arrows > 0
/// func _pay(run: ActionRun) -> void:
///     run.agent.quiver.arrows -= 1
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionCost {
    base: Base<Resource>,
}

#[godot_api]
impl ActionCost {
    /// False: the node cannot start. It must not change anything. [param run] has not started: its [member ActionRun.run_id] is
    /// 0.
    #[func(virtual, gd_self)]
    pub fn can_pay(_this: Gd<Self>, _run: Gd<ActionRun>) -> bool {
        true
    }

    /// The node was entered: take what it costs.
    #[func(virtual, gd_self)]
    pub fn pay(_this: Gd<Self>, _run: Gd<ActionRun>) {}
}
