use godot::prelude::*;

/// Adds the confidences of all active senses, each times its weight: several weak hints make a strong one.
///
/// Put it into [member AwarenessProfile.fusion_policy]. Without a policy the best sense counts, plus a bonus for each
/// further one.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct SummingFusionPolicy {
    base: Base<Resource>,
}
