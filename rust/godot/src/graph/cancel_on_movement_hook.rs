use godot::prelude::*;
use riposte_core::graph::parts::{HookPlan, MovementSource};

use super::findings::Finding;
use super::hook_parts::BuiltInHook;
use crate::action::resource_class::resource_class;
use crate::base::numbers::Checked;

resource_class! {
    /// Cuts the node to Root as soon as the agent moves: for taunts, reloads, recoveries that a step may shorten.
    ///
    /// Looked at once per step. It needs [member ActionGraphNode.can_be_cancelled] and waits for
    /// [member ActionGraphNode.cancel_window_start].
    class CancelOnMovementHook;
    properties {
        /// What counts as movement: the stick (or the direction that a script set), or how fast the agent is. Default
        /// [constant DETECT_INPUT].
        #[export(enum = (Input = 0, Velocity = 1))]
        detect: i64 = 0 => set_detect(constant, 0, 1);
        /// More than this cuts: how far the stick is pushed, 0 to 1, or metres per second. Default 0.2.
        #[export(range = (0.0, 10.0, 0.01, or_greater))]
        threshold: f64 = 0.2 => set_threshold(not_negative);
    }
    items {
        /// The stick, or [method ActionGraphPlayer.set_move_direction].
        #[constant]
        const DETECT_INPUT: i64 = MovementSource::Input as i64;
        /// How fast the agent is, in metres per second.
        #[constant]
        const DETECT_VELOCITY: i64 = MovementSource::Velocity as i64;
    }
}

impl BuiltInHook for CancelOnMovementHook {
    fn plan(&self) -> Option<HookPlan> {
        Some(HookPlan::CancelOnMovement {
            detect: MovementSource::from_int(self.detect).unwrap_or_default(),
            threshold: self.threshold,
        })
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
}
