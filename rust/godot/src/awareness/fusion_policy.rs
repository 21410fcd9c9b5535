use godot::prelude::*;

use super::policy_owner::PolicyOwner;
use super::{AgentAwareness, SenseSample};

/// Puts the senses together in a script of your own: extend this class and override [method _fuse_confidence].
///
/// Put it into [member AwarenessProfile.fusion_policy]. Each agent works on a copy of its own, which is made anew when the
/// resource or the slot changes: keep lasting data on the agent. A script that does not override the virtual has no effect.
///
/// ```gdscript
/// class_name BestSenseFusion
/// extends FusionPolicy
/// func _fuse_confidence(samples: Array[SenseSample], _corroboration_bonus: float) -> float:
///     var best := 0.0
///     for sample in samples:
///         if sample.is_active:
///             best = maxf(best, sample.confidence * sample.weight)
///     return best
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct FusionPolicy {
    pub(super) owner: PolicyOwner,
    base: Base<Resource>,
}

#[godot_api]
impl FusionPolicy {
    /// How sure the agent is of one target now, 0 to 1; asked once for each target and update. There is one sample for each
    /// sense of the profile, in its order, silent ones too. [param samples] is used again: copy what should outlive the
    /// call. A number outside 0 to 1 is clamped; NaN counts as 0, with an error.
    #[func(virtual, gd_self)]
    pub fn fuse_confidence(
        _this: Gd<Self>,
        _samples: Array<Gd<SenseSample>>,
        _corroboration_bonus: f64,
    ) -> f64 {
        0.0
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
