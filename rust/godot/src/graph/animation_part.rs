//! What a `PlayAnimationPayload` does in a run.

use godot::classes::AnimationMixer;
use godot::prelude::*;

use super::animation_plan::{AnimationPlan, known};
use super::approach_moves::{self, Spacing};
use super::playback::{self, Wanted};
use super::playback_tree::TreeWay;
use super::run_parts::{Begun, Follows, PayloadPart, RunRef, Start};
use super::{binding, nodes};
use crate::base::messages;

/// The reason of the end in its own time.
const COMPLETED: i64 = 0;

/// The payload of a node that plays an animation.
pub(super) struct AnimationPart(pub(super) AnimationPlan);

impl PayloadPart for AnimationPart {
    fn start(&self, run: &RunRef, start: Start) -> Begun {
        let player = run.player();
        let name = &self.0.names[usize::from(start.variant.min(3))];
        let Some(times) = playback::times(player, run.data().node, start.variant) else {
            binding::look_again(mixer(player).as_ref(), name);
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
            since: 0.0,
        };
        let tree = if wanted.tree.is_some() { nodes::animation_tree(player) } else { None };
        if wanted.tree.is_some() && tree.is_none() {
            warn_tree(run);
        }
        playback::start(player, run.data().run, &wanted, nodes::animation_player(player), tree);
        let spacing = Spacing {
            stop_distance: self.0.stop_distance,
            make_room: self.0.make_room,
            turns_to_input: self.0.turns,
            times: wanted.times,
        };
        approach_moves::begin(run, spacing);
        Begun::Lives
    }

    fn stop(&self, run: &RunRef, reason: i64, node_time: f64) {
        approach_moves::end(run);
        playback::stop(run.player(), run.data().run, node_time, reason == COMPLETED, self.0.blend);
    }

    fn follows(&self) -> Follows {
        Follows::Play
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
