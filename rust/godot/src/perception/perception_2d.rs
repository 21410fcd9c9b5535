use godot::classes::notify::CanvasItemNotification;

use super::class_prelude::*;
use super::perception_class::perception_class;

perception_class! {
    /// The senses of an agent in 2D: sees [StimulusSource2D] nodes in a cone, hears reported noises, feels reported damage,
    /// and remembers each target for a while.
    ///
    /// Add it as a direct child of the agent. [signal target_perceived] tells that a target became known,
    /// [signal target_lost] that it is not known any more; in between it is sensed or remembered. Targets are the agents of the
    /// sources. Bodies on [member sight_blocking_mask] block sight; the agent's own never do. Lengths are pixels. Forward is
    /// the node's +X axis: a mirrored node, with a scale.x of -1, looks to -X.
    class Perception2D: Node2D, INode2D;
    api { Node2D, Vector2, PackedVector2Array };
    world_changed CanvasItemNotification::WORLD_2D_CHANGED;
    unit "px", mask flags_2d_physics, far 4000.0, near 1000.0;
    eye (Vector2::ZERO), sight 400.0, lose 500.0, hearing 300.0, margin 20.0;
    facing
        /// Turns forward away from the node's +X axis, towards +Y. Default 0 degrees.
        #[export(range = (-180.0, 180.0, 0.1, suffix = "deg"))]
        facing_offset_degrees: f64 = 0.0 => set_facing_offset_degrees(clamped, -180.0, 180.0);
}
