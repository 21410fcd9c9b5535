use godot::prelude::*;

use crate::action::resource_class::{SpecChecks as _, resource_class};
use crate::base::numbers::Checked as _;

resource_class! {
    /// The move waits for some time, then it completes.
    ///
    /// For a pause in a combo, in which another input than before leads on. The time runs with
    /// [member ActionGraphPlayer.action_speed].
    class DelayPayload;
    properties {
        /// How long the move lasts, in seconds. 0: it completes at once. Default 0.5.
        #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
        delay_seconds: f64 = 0.5 => set_delay_seconds(not_negative);
        /// The plain window is open meanwhile, so every transition is taken at once. Default on.
        #[export]
        open_action_window: bool = true => set_open_action_window(any);
    }
    items {}
}
