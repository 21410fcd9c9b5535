use godot::prelude::*;
use riposte_core::graph::AuthoredWindow;

use crate::action::resource_class::{SpecChecks as _, resource_class};
use crate::base::numbers::Checked as _;

resource_class! {
    /// A part of an animation in which the next input counts, for animations that cannot have markers: imported, read-only ones.
    ///
    /// Goes into [member PlayAnimationPayload.windows]. With windows there, markers and method keys of the animation open none.
    class ActionWindow;
    properties {
        /// Where it opens, in seconds of the animation. Default 0.
        #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
        start: f64 = 0.0 => set_start(not_negative);
        /// Where it closes, in seconds of the animation; the animation's end at the latest. Default 0.2.
        #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
        end: f64 = 0.2 => set_end(not_negative);
        /// Empty, the default: the plain window, for any input. A name such as `perfect`: only for transitions that list it in
        /// [member ActionGraphTransition.window_kinds].
        #[export]
        kind: StringName = (StringName::default()) => set_kind(any);
        /// How near the agent's [AttackApproach3D] or [AttackApproach2D] goes to the target for this hit, in metres. -1, the
        /// default: as it is set up.
        #[export(range = (-1.0, 10.0, 0.01, or_greater, suffix = "m"))]
        stop_distance: f64 = (-1.0) => set_stop_distance(clamped, -1.0, f64::INFINITY);
    }
    items {}
}

impl ActionWindow {
    /// As the reader of animations takes it.
    pub(crate) fn authored(&self) -> AuthoredWindow {
        AuthoredWindow {
            start: self.start,
            end: self.end,
            kind: self.kind.to_string(),
            stop_distance: self.stop_distance,
        }
    }
}
