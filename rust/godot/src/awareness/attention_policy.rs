use godot::prelude::*;

use super::AgentAwareness;
use super::policy_owner::PolicyOwner;

/// Chooses whom the agent attends to in a script of your own: extend this class and override
/// [method _select_attention_target].
///
/// Put it into [member AwarenessProfile.attention_policy]. It replaces the whole rule: stickiness and threshold are passed
/// to it, not applied. Each agent works on a copy of its own, which is made anew when the resource or the slot changes:
/// keep lasting data on the agent. A script that does not override the virtual has no effect.
///
/// ```gdscript
/// class_name NoticedOnlyAttention
/// extends AttentionPolicy
/// func _select_attention_target(candidates: Array[Node], current: Node, time_on_current: float,
///         stickiness_time: float, _switch_threshold: float) -> Node:
///     if current and time_on_current < stickiness_time:
///         return current
///     for target in candidates:
///         if get_awareness().get_state(target) >= AgentAwareness.LIFECYCLE_SUSPECTED:
///             return target
///     return null
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AttentionPolicy {
    pub(super) owner: PolicyOwner,
    base: Base<Resource>,
}

#[godot_api]
impl AttentionPolicy {
    /// The target to attend to: a candidate, [param current], or null for nobody. Asked once for each update in which there
    /// is a candidate or a current target. [param candidates] has the best score first and is used again: copy what should
    /// outlive the call. [param current] is null when it is gone. Another node is an error, and the current target is kept.
    #[func(virtual, gd_self)]
    pub fn select_attention_target(
        _this: Gd<Self>,
        _candidates: Array<Gd<Node>>,
        _current: Option<Gd<Node>>,
        _time_on_current: f64,
        _stickiness_time: f64,
        _switch_threshold: f64,
    ) -> Option<Gd<Node>> {
        None
    }

    /// The agent that this copy works for; null outside an agent.
    #[func]
    fn get_agent(&self) -> Option<Gd<Node>> {
        self.owner.agent()
    }

    /// The node that this copy works for; null outside an agent.
    #[func]
    fn get_awareness(&self) -> Option<Gd<AgentAwareness>> {
        self.owner.awareness()
    }
}
