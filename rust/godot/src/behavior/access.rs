//! What the rest of the library does with behaviours, by the instance id of the BehaviorStack. Main thread only, with
//! nothing bound or locked: scripts and handlers run inside.

use godot::prelude::*;
use riposte_core::behavior::RouteId;
use riposte_core::runner::ExitReason;

use crate::base::lookup::{self, Part};

pub(crate) use super::driver::remove;
pub(crate) use super::setting::{Behavior, set};

/// Who set a behaviour and waits for its end.
pub(crate) trait RouteOwner {
    /// The handle of the order, for the behaviour.
    fn command(&self) -> Variant;
    /// Whom the order is aimed at.
    fn target(&self) -> Option<Gd<Node>>;
    /// The route is over. Nothing is held; whatever is set meanwhile follows without a gap.
    fn over(&self, route: RouteId, reason: ExitReason);
}

/// The BehaviorStack of an agent.
pub(crate) fn stack_of(agent: InstanceId) -> Option<InstanceId> {
    lookup::part_of(agent, Part::Behaviors)
}
