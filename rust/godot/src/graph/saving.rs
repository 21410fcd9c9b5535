use super::ActionGraphPlayer;
use godot::prelude::*;
pub(super) fn export(_: &Gd<ActionGraphPlayer>) -> VarDictionary {
    VarDictionary::new()
}
pub(super) fn import(_: &Gd<ActionGraphPlayer>, _: &VarDictionary) -> bool {
    false
}
