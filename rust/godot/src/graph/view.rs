use super::ActionGraphPlayer;
use godot::prelude::*;
pub(super) fn text(_: InstanceId) -> String {
    String::new()
}
pub(super) fn state_of(_: &Gd<ActionGraphPlayer>) -> VarDictionary {
    VarDictionary::new()
}
pub(super) fn current_node(_: InstanceId) -> StringName {
    StringName::default()
}
pub(super) fn offers(_: InstanceId) -> Vec<riposte_core::tags::TagId> {
    Vec::new()
}
