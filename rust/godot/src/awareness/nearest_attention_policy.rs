use godot::prelude::*;

/// Attends to the nearest target that is at least suspected and no friend.
///
/// Put it into [member AwarenessProfile.attention_policy]. The target is kept for
/// [member AwarenessProfile.attention_stickiness_time]; after that another one takes over when its distance is shorter by
/// the share [member AwarenessProfile.attention_switch_threshold]: with 0.15, at 8.5 m or less when the target is 10 m
/// away.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct NearestAttentionPolicy {
    base: Base<Resource>,
}
