use godot::classes::notify::Node3DNotification;

use super::class_prelude::*;
use super::source_class::source_class;

source_class! {
    /// Makes its agent something that [Perception3D] nodes can see and hear.
    ///
    /// Add it as a direct child of the agent, which must be a Node3D. Of several sources of one agent only the first
    /// enabled one counts. Switch it off for a corpse.
    class StimulusSource3D: Node3D, INode3D;
    api { Vector3, PackedVector3Array };
    world_changed Node3DNotification::ENTER_WORLD;
    unit "m", aim (Vector3::new(0.0, 1.0, 0.0));
}
