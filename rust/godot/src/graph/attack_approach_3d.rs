use godot::classes::Node3D;
use godot::prelude::*;
use riposte_core::graph::parts::ApproachPlan;

use super::approach_class::approach_class;
use super::{approach_state, approach_step};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::numbers::Checked;
use crate::base::ticking::{self, Ticker};

approach_class! {
    /// Brings an agent to its target while it attacks, so that a blow is not struck into the air.
    ///
    /// Add it as a child of the agent, behind its [ActionGraphPlayer]. While a node with a [PlayAnimationPayload] runs and there is
    /// a target ([method ActionGraphPlayer.get_target]), it closes in until the stop distance, or makes room if it is nearer. The
    /// stop distance is that of the payload, else of its [ActionWindow], else of the weapon's [ActionGraphGrant], else
    /// [member stop_distance]. It works in the physics step.
    ///
    /// ```gdscript
    /// func _physics_process(delta: float) -> void:
    ///     velocity = input_velocity + $AttackApproach3D.get_motion()
    ///     rotation.y += deg_to_rad($AttackApproach3D.get_turn_rate()) * delta
    ///     move_and_slide()
    /// ```
    class AttackApproach3D: Vector3, agent Node3D;
    unit "m", speed "m/s";
    defaults 1.5, 4.0, 3.0;
    motion std::convert::identity;
}
