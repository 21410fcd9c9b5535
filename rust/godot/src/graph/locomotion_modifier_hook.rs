use godot::prelude::*;
use riposte_core::graph::parts::HookPlan;

use super::findings::Finding;
use super::hook_parts::BuiltInHook;
use crate::action::resource_class::resource_class;
use crate::base::numbers::Checked;

resource_class! {
    /// Slows the agent down, or speeds it up, while a node runs: for guards, charges, heavy attacks.
    ///
    /// Several hooks multiply. The result is [method ActionGraphPlayer.get_locomotion_scale], it is told by
    /// [signal ActionGraphPlayer.locomotion_scale_changed], and given to the agent's method
    /// [code]_set_locomotion_scale(speed, acceleration, turn)[/code] if it has one. The addon moves nobody: the game's movement
    /// code multiplies by it.
    class LocomotionModifierHook;
    properties {
        /// How fast the agent may move: 1, the default, as ever; 0 not at all; at most 4.
        #[export(range = (0.0, 4.0, 0.01))]
        speed_scale: f64 = 1.0 => set_speed_scale(clamped, 0.0, 4.0);
        /// How quickly it reaches its speed: 1, the default, as ever; 0 not at all; at most 4.
        #[export(range = (0.0, 4.0, 0.01))]
        acceleration_scale: f64 = 1.0 => set_acceleration_scale(clamped, 0.0, 4.0);
        /// How fast it may turn: 1, the default, as ever; 0 not at all; at most 4.
        #[export(range = (0.0, 4.0, 0.01))]
        turn_scale: f64 = 1.0 => set_turn_scale(clamped, 0.0, 4.0);
    }
    items {}
}

impl BuiltInHook for LocomotionModifierHook {
    fn plan(&self) -> Option<HookPlan> {
        Some(HookPlan::Locomotion {
            speed: self.speed_scale,
            acceleration: self.acceleration_scale,
            turn: self.turn_scale,
        })
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
}
