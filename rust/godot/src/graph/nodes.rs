//! temp
use godot::classes::{AnimationMixer, AnimationPlayer, AnimationTree};
use godot::prelude::*;
pub(crate) fn animation_player(_player: InstanceId) -> Option<Gd<AnimationPlayer>> {
    None
}
pub(crate) fn animation_tree(_player: InstanceId) -> Option<Gd<AnimationTree>> {
    None
}
