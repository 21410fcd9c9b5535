use godot::classes::notify::CanvasItemNotification;

use super::class_prelude::*;
use super::source_class::source_class;

source_class! {
    /// Makes its agent something that [Perception2D] nodes can see and hear.
    ///
    /// Add it as a direct child of the agent, which must be a Node2D. Of several sources of one agent only the first
    /// enabled one counts. Switch it off for a corpse. Lengths are pixels.
    class StimulusSource2D: Node2D, INode2D;
    api { Vector2, PackedVector2Array };
    world_changed CanvasItemNotification::WORLD_2D_CHANGED;
    unit "px", aim (Vector2::ZERO);
}
