//! What a `PlayAnimationPayload` says, as plain values, copied when its graph is compiled.

use godot::classes::AnimationMixer;
use godot::prelude::*;
use riposte_core::graph::{AnimationFacts, AuthoredWindow, MoveReading, SectionNames, read_move};

use super::PlayAnimationPayload;
use super::playback_tree::TreeWay;

/// The values of the resource, copied when its graph is compiled.
pub(crate) struct AnimationPlan {
    /// Forward, back, left, right; an empty one is the forward one.
    pub names: [StringName; 4],
    pub rate: f64,
    pub section: (String, String),
    pub windows: Vec<AuthoredWindow>,
    pub blend: f64,
    pub exact: bool,
    pub tree: Option<(TreeWay, StringName)>,
    /// Metres; negative: it does not say.
    pub stop_distance: f64,
    /// Seconds; negative: it does not say.
    pub make_room: f64,
    /// The body turns to where the input points.
    pub turns: bool,
}

impl AnimationPlan {
    /// Reads the move out of an animation.
    pub(super) fn read(&self, facts: &AnimationFacts) -> MoveReading {
        let section = SectionNames { start: &self.section.0, end: &self.section.1 };
        read_move(facts, &self.windows, section, self.rate)
    }

    /// True if it means something only with an AttackApproach: it turns, stops or makes room.
    pub(super) fn needs_approach(&self) -> bool {
        let stops = |distance: f64| distance >= 0.0;
        let by_window = self.windows.iter().any(|window| stops(window.stop_distance));
        self.turns || stops(self.stop_distance) || self.make_room > 0.0 || by_window
    }
}

impl PlayAnimationPayload {
    /// Its values.
    pub(super) fn plan(&self) -> AnimationPlan {
        let others = [&self.back_animation, &self.left_animation, &self.right_animation];
        let or_forward =
            |name: &StringName| if name.is_empty() { self.animation.clone() } else { name.clone() };
        let [back, left, right] = others.map(or_forward);
        let way = match self.tree_mode {
            Self::TREE_TRAVEL => Some(TreeWay::Travel),
            Self::TREE_ONE_SHOT => Some(TreeWay::OneShot),
            _ => None,
        };
        AnimationPlan {
            names: [self.animation.clone(), back, left, right],
            rate: self.play_rate,
            section: (self.section_start.to_string(), self.section_end.to_string()),
            windows: self.windows.members().iter().map(|window| window.bind().authored()).collect(),
            blend: self.blend_time,
            exact: self.sync == Self::SYNC_ADVANCE,
            tree: way.map(|way| (way, self.tree_node.clone())),
            stop_distance: self.stop_distance,
            make_room: self.make_room_seconds,
            turns: self.turn_to_input,
        }
    }

    /// True if other animations play in other directions.
    pub(super) fn has_variants(&self) -> bool {
        [&self.back_animation, &self.left_animation, &self.right_animation]
            .iter()
            .any(|name| !name.is_empty())
    }
}

/// The animations that there are, for a message.
pub(super) fn known(mixer: &Gd<AnimationMixer>) -> String {
    let names: Vec<String> = mixer.get_animation_list().as_slice().iter().map(ToString::to_string).collect();
    if names.is_empty() { "There are none.".to_owned() } else { format!("Known: {}.", names.join(", ")) }
}
