use super::{ActionGraphPlayer, ActionReplay};
use godot::prelude::*;
pub(super) fn start(_: &Gd<ActionGraphPlayer>) -> bool {
    false
}
pub(super) fn stop(_: &Gd<ActionGraphPlayer>) -> Option<Gd<ActionReplay>> {
    None
}
pub(super) fn play(_: &Gd<ActionGraphPlayer>, _: Option<Gd<ActionReplay>>, _: bool) -> bool {
    false
}
