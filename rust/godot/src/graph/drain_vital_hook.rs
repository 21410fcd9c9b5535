use godot::prelude::*;
use riposte_core::graph::parts::{DrainEnd, HookPlan};

use super::findings::{self, Finding};
use super::hook_parts::BuiltInHook;
use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags;

resource_class! {
    /// Takes from a vital of the agent while a node runs, for example stamina while a guard is held.
    ///
    /// Taken in every step, on the player's clock. An agent without [AgentVitals], or without that row in it, loses nothing and
    /// never runs dry.
    class DrainVitalHook;
    properties {
        /// The row of [AgentVitals], a tag. Default [code]Vital.Stamina[/code].
        #[export]
        vital_tag: StringName = (StringName::from("Vital.Stamina")) => set_vital_tag(tag);
        /// How much is taken in a second. Default 10.
        #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "/s"))]
        per_second: f64 = 10.0 => set_per_second(not_negative);
        /// What happens when nothing is left. Default [constant ENDS_FINISH].
        #[export(enum = (Finish = 0, Cancel = 1, Nothing = 2))]
        end_behavior: i64 = 0 => set_end_behavior(constant, 0, 2);
    }
    items {
        /// The node completes: presses that wait and Action Completed transitions follow.
        #[constant]
        const ENDS_FINISH: i64 = DrainEnd::Finish as i64;
        /// The node is cut to Root, as soon as its cancel rules allow it.
        #[constant]
        const ENDS_CANCEL: i64 = DrainEnd::Cancel as i64;
        /// The node goes on.
        #[constant]
        const ENDS_NOTHING: i64 = DrainEnd::Nothing as i64;
    }
}

impl BuiltInHook for DrainVitalHook {
    fn plan(&self) -> Option<HookPlan> {
        let tag = tags::intern(&self.vital_tag.to_string()).ok()?;
        Some(HookPlan::Drain {
            tag,
            per_second: self.per_second,
            end: DrainEnd::from_int(self.end_behavior).unwrap_or_default(),
        })
    }

    fn findings(&self) -> Vec<Finding> {
        findings::tag("vital_tag", &self.vital_tag.to_string()).into_iter().collect()
    }
}
