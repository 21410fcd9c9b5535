use godot::prelude::*;
use riposte_core::vitals::VitalPlan;

use crate::base::numbers::Checked;
use crate::base::tags;

/// One row of [AgentVitals]: a value between 0 and a maximum, for example health or stamina.
///
/// Many agents may share the resource; the values are kept by each [AgentVitals].
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AgentVital {
    /// The name of the row, a tag, for example `Vital.Health`. A row without a tag is left out.
    #[export]
    #[var(set = set_tag)]
    tag: StringName,
    /// The value is kept between 0 and this. Default 100.
    #[export(range = (0.0, 1000.0, 0.1, or_greater))]
    #[var(set = set_max_value)]
    #[init(val = 100.0)]
    max_value: f64,
    /// The value at first. -1, the default: the maximum.
    #[export(range = (-1.0, 1000.0, 0.1, or_greater))]
    #[var(set = set_start_value)]
    #[init(val = -1.0)]
    start_value: f64,
    /// Gain per second; a negative number is a loss per second. Default 0.
    #[export(range = (-100.0, 100.0, 0.01, or_greater, or_less, suffix = "/s"))]
    #[var(set = set_regen_per_second)]
    regen_per_second: f64,
    /// Seconds after a loss before regeneration goes on. Default 0 s.
    #[export(range = (0.0, 60.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_regen_delay)]
    regen_delay: f64,
    base: Base<Resource>,
}

#[godot_api]
impl AgentVital {
    #[func]
    fn set_tag(&mut self, value: StringName) {
        self.tag = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_max_value(&mut self, value: f64) {
        self.max_value = self.not_negative("max_value", value, self.max_value);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_start_value(&mut self, value: f64) {
        self.start_value = self.clamped("start_value", value, self.start_value, -1.0, f64::INFINITY);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_regen_per_second(&mut self, value: f64) {
        self.regen_per_second = self.finite("regen_per_second", value, self.regen_per_second);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_regen_delay(&mut self, value: f64) {
        self.regen_delay = self.not_negative("regen_delay", value, self.regen_delay);
        self.base_mut().emit_changed();
    }
}

impl AgentVital {
    /// The compiled row; none while the tag is empty or no tag.
    pub(crate) fn plan(&self) -> Option<VitalPlan> {
        Some(VitalPlan {
            tag: tags::intern(&self.tag.to_string()).ok()?,
            max: self.max_value,
            start: self.start_value,
            regen: self.regen_per_second,
            delay: self.regen_delay,
        })
    }

    /// As typed.
    pub(crate) fn tag_name(&self) -> String {
        self.tag.to_string()
    }
}
