//! The constants of an [`ActionSpec`].

use godot::prelude::*;
use riposte_core::action::{InterruptClass, RetargetPolicy, TargetMode};

use super::ActionSpec;

#[godot_api(secondary)]
impl ActionSpec {
    /// Scored on the focus target, or without one if there is none.
    #[constant]
    const TARGET_FOCUS: i64 = TargetMode::Focus as i64;
    /// Scored on each target that the agent knows of.
    #[constant]
    const TARGET_EACH: i64 = TargetMode::Each as i64;
    /// Scored without a target.
    #[constant]
    const TARGET_NONE: i64 = TargetMode::None as i64;
    /// A run keeps its target.
    #[constant]
    const RETARGET_KEEP: i64 = RetargetPolicy::Keep as i64;
    /// The same run goes on with the better target.
    #[constant]
    const RETARGET_SWITCH: i64 = RetargetPolicy::Switch as i64;
    /// The run ends with END_INTERRUPTED, and another one begins on the better target.
    #[constant]
    const RETARGET_RESTART: i64 = RetargetPolicy::Restart as i64;
    /// Nothing that is chosen breaks it.
    #[constant]
    const INTERRUPT_NEVER: i64 = InterruptClass::Never as i64;
    /// An action of higher priority breaks it.
    #[constant]
    const INTERRUPT_BY_PRIORITY: i64 = InterruptClass::ByPriority as i64;
    /// That, or one of the same priority that scores higher by [member ActionEvaluator.switch_margin].
    #[constant]
    const INTERRUPT_BY_MARGIN: i64 = InterruptClass::ByMargin as i64;
    /// Whatever scores higher breaks it.
    #[constant]
    const INTERRUPT_ANY: i64 = InterruptClass::Any as i64;
    /// The cooldown begins when a run starts.
    #[constant]
    pub(crate) const ON_START: i64 = 0;
    /// The cooldown begins when a run ends.
    #[constant]
    pub(crate) const ON_END: i64 = 1;
}
