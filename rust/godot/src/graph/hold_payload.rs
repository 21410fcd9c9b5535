use godot::prelude::*;

use crate::action::resource_class::{SpecChecks as _, resource_class};
use crate::base::numbers::Checked as _;

resource_class! {
    /// A stance: the move lasts until a transition, a cancel or a hook ends it.
    ///
    /// For a guard, a charge, an aim. The node plays nothing by itself; lead into it with a node that plays the way there, over a
    /// transition on [constant ActionGraphTransition.FIRES_ACTION_COMPLETED].
    class HoldPayload;
    properties {
        /// The plain window is open from the start, so every transition is taken at once. Off: inputs wait until a hook or a
        /// script opens one. Default on.
        #[export]
        open_action_window: bool = true => set_open_action_window(any);
        /// Seconds after which the move completes by itself. 0, the default: never.
        #[export(range = (0.0, 30.0, 0.05, or_greater, suffix = "s"))]
        max_seconds: f64 = 0.0 => set_max_seconds(not_negative);
    }
    items {}
}
