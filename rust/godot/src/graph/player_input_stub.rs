use super::ActionGraphPlayer;
use godot::prelude::*;
pub(super) fn refresh_stick(_: InstanceId) {}
pub(super) fn left(_: &Gd<ActionGraphPlayer>) {}
pub(super) fn set_move_direction(_: &Gd<ActionGraphPlayer>, _: Vector2) {}
pub(super) fn move_direction(_: InstanceId) -> Vector2 {
    Vector2::ZERO
}
pub(super) fn is_held(_: &Gd<ActionGraphPlayer>, _: &StringName) -> bool {
    false
}
pub(super) fn held_time(_: &Gd<ActionGraphPlayer>, _: &StringName) -> f64 {
    0.0
}
