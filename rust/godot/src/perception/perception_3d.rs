use godot::classes::notify::Node3DNotification;

use super::class_prelude::*;
use super::perception_class::perception_class;

perception_class! {
    /// The senses of an agent: sees [StimulusSource3D] nodes in a cone, hears reported noises, feels reported damage,
    /// and remembers each target for a while.
    ///
    /// Add it as a direct child of the agent. [signal target_perceived] tells that a target became known,
    /// [signal target_lost] that it is not known any more; in between it is sensed or remembered. Targets are the agents of the
    /// sources. Bodies on [member sight_blocking_mask] block sight; the agent's own never do.
    class Perception3D: Node3D, INode3D;
    api { Node3D, Vector3, PackedVector3Array };
    world_changed Node3DNotification::ENTER_WORLD;
    unit "m", mask flags_3d_physics, far 200.0, near 50.0;
    eye (Vector3::new(0.0, 1.6, 0.0)), sight 20.0, lose 25.0, hearing 15.0, margin 1.0;
    facing
        /// Forward is +Z instead of -Z, for models that face +Z.
        #[export]
        use_model_front: bool = false => set_use_model_front(any);
}
