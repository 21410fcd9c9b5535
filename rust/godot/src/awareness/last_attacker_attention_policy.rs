use godot::prelude::*;

use crate::base::numbers::Checked;

/// Attends to whoever did damage last; when nobody did lately, the rule without a policy decides.
///
/// Put it into [member AwarenessProfile.attention_policy].
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct LastAttackerAttentionPolicy {
    /// How long an attack counts. Default 10 s.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_memory_time)]
    #[init(val = 10.0)]
    pub(crate) memory_time: f64,
    base: Base<Resource>,
}

#[godot_api]
impl LastAttackerAttentionPolicy {
    #[func]
    fn set_memory_time(&mut self, value: f64) {
        self.memory_time = self.not_negative("memory_time", value, self.memory_time);
        self.base_mut().emit_changed();
    }
}
