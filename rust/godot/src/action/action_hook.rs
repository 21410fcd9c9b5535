use godot::prelude::*;

use super::ActionHookContext;

/// Your own code around actions: a script that extends this class and overrides its virtuals.
///
/// Assign it to [member ActionSpec.hook] for one action, or to [member AgentConfig.global_hook] for every action of an
/// agent; the global one is called first. The resource is shared by all agents: keep what belongs to a run in
/// [member ActionHookContext.data]. A virtual that is not overridden costs nothing.
///
/// ```gdscript
/// class_name HolsterHook
/// extends ActionHook
/// func _pre_execute(context: ActionHookContext) -> void:
///     context.veto_execution = not context.agent.has_weapon()
/// func _post_execute(context: ActionHookContext) -> void:
///     if context.end_reason == ActionEvaluator.END_COMPLETED:
///         context.request_recovery_time(0.5)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionHook {
    base: Base<Resource>,
}

#[godot_api]
impl ActionHook {
    /// The method began, and nothing is charged yet. Set [member ActionHookContext.veto_execution] to call the action off.
    #[func(virtual, gd_self)]
    pub fn pre_execute(_this: Gd<Self>, _context: Gd<ActionHookContext>) {}

    /// Each step while the action runs, after the method's own. [param delta] is in seconds.
    #[func(virtual, gd_self)]
    pub fn tick_execute(_this: Gd<Self>, _context: Gd<ActionHookContext>, _delta: f64) {}

    /// The action ended; [member ActionHookContext.end_reason] says how. Called once for each action that started.
    #[func(virtual, gd_self)]
    pub fn post_execute(_this: Gd<Self>, _context: Gd<ActionHookContext>) {}

    /// The name in logs. Default: the class name.
    #[func(virtual, gd_self)]
    pub fn get_display_name(_this: Gd<Self>) -> GString {
        GString::from("ActionHook")
    }
}
