//! What a `PlayAnimationPayload` says, as plain values, and what becomes of it in a run.

use godot::classes::AnimationMixer;
use godot::prelude::*;
use riposte_core::graph::{AnimationFacts, AuthoredWindow, MoveReading, SectionNames, read_move};

use super::playback::{self, Wanted};
use super::playback_tree::TreeWay;
use super::run_parts::{Begun, PayloadPart, RunRef, Start};
use super::{PlayAnimationPayload, nodes};
use crate::base::messages;

/// The reason of the end in its own time.
const COMPLETED: i64 = 0;

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
}

impl AnimationPlan {
    /// Reads the move out of an animation.
    pub(super) fn read(&self, facts: &AnimationFacts) -> MoveReading {
        let section = SectionNames { start: &self.section.0, end: &self.section.1 };
        read_move(facts, &self.windows, section, self.rate)
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
        }
    }

    /// True if other animations play in other directions.
    pub(super) fn has_variants(&self) -> bool {
        [&self.back_animation, &self.left_animation, &self.right_animation]
            .iter()
            .any(|name| !name.is_empty())
    }
}

/// The payload of a node that plays an animation.
pub(super) struct AnimationPart(pub(super) AnimationPlan);

impl PayloadPart for AnimationPart {
    fn start(&self, run: &RunRef, start: Start) -> Begun {
        let player = run.player();
        let name = &self.0.names[usize::from(start.variant.min(3))];
        let Some(times) = playback::times(player, run.data().node, start.variant) else {
            warn_missing(run, name);
            return Begun::Ends;
        };
        let node = |tree: &(TreeWay, StringName)| {
            let (way, node) = tree.clone();
            (way, if node.is_empty() { name.clone() } else { node })
        };
        let wanted = Wanted {
            animation: name.clone(),
            times,
            blend: self.0.blend,
            exact: self.0.exact,
            tree: self.0.tree.as_ref().map(node),
            speed: start.speed,
            node_time: start.node_time,
        };
        let tree = if wanted.tree.is_some() { nodes::animation_tree(player) } else { None };
        if wanted.tree.is_some() && tree.is_none() {
            warn_tree(run);
        }
        playback::start(player, run.data().run, &wanted, nodes::animation_player(player), tree);
        Begun::Lives
    }

    fn stop(&self, run: &RunRef, reason: i64, node_time: f64) {
        playback::stop(run.player(), run.data().run, node_time, reason == COMPLETED, self.0.blend);
    }

    fn follows(&self) -> bool {
        true
    }

    fn follow(&self, run: &RunRef, node_time: f64, speed: f64, passed: f64) {
        playback::follow(run.player(), run.data().run, node_time, speed, passed);
    }

    fn animation(&self) -> Option<&AnimationPlan> {
        Some(&self.0)
    }
}

fn warn_missing(run: &RunRef, name: &StringName) {
    let Ok(player) = Gd::<Node>::try_from_instance_id(run.player()) else { return };
    let node = &run.data().node_id;
    let text = if name.is_empty() {
        format!("node \"{node}\" has no animation, so it ended at once. Set animation of its payload.")
    } else {
        match mixer(run.player()) {
            Some(mixer) => format!(
                "node \"{node}\" ended at once: there is no animation \"{name}\" in {}. {}",
                messages::node_place(&mixer.clone().upcast()),
                known(&mixer)
            ),
            None => format!(
                "node \"{node}\" ended at once: the agent has no AnimationPlayer. Add one, or set animation_player_path."
            ),
        }
    };
    messages::warning(&player, node.to_string().as_str(), "animation", &text);
}

fn warn_tree(run: &RunRef) {
    let Ok(player) = Gd::<Node>::try_from_instance_id(run.player()) else { return };
    let node = &run.data().node_id;
    let text = format!(
        "node \"{node}\" plays by an AnimationTree, and none is set. Set animation_tree_path, or tree_mode to None."
    );
    messages::warning(&player, node.to_string().as_str(), "tree", &text);
}

/// Whose animations count: those of the agent's AnimationPlayer, else those of its tree.
pub(crate) fn mixer(player: InstanceId) -> Option<Gd<AnimationMixer>> {
    let tree = || nodes::animation_tree(player).map(Gd::upcast);
    nodes::animation_player(player).map(Gd::upcast).or_else(tree)
}

/// The animations that there are, for a message.
pub(super) fn known(mixer: &Gd<AnimationMixer>) -> String {
    let names: Vec<String> = mixer.get_animation_list().as_slice().iter().map(ToString::to_string).collect();
    if names.is_empty() { "There are none.".to_owned() } else { format!("Known: {}.", names.join(", ")) }
}
