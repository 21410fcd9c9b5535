use godot::prelude::*;
pub(super) fn can_start(_: InstanceId, _: u32) -> riposte_core::graph::Fail {
    riposte_core::graph::Fail::None
}
