//! Runs of [`AnimationMethod`]: an animation of a player, or a state of a tree.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::animation::LoopMode;
use godot::classes::{
    Animation, AnimationMixer, AnimationNodeAnimation, AnimationNodeStateMachine,
    AnimationNodeStateMachinePlayback, AnimationPlayer, AnimationTree,
};
use godot::prelude::*;
use riposte_core::action::{AnimationGoal, AnimationNow, AnimationVerdict};

use super::animation_motion::AnimationMotion;
use super::method_run::{Delta, Method, MethodRun, RunLink, RunResult};
use super::{ActionContext, AnimationMethod, run_access};
use crate::base::messages;
use crate::motion::Movement;

/// Where the action completes.
#[derive(Clone)]
pub(crate) enum FinishAt {
    End,
    Marker(StringName),
    Time(f64),
}

/// The definition; each run takes a copy of its values.
pub(crate) struct AnimationDefinition(pub(crate) Gd<AnimationMethod>);

/// The values of one run.
pub(crate) struct AnimationParts {
    pub(crate) player_path: NodePath,
    pub(crate) animation: StringName,
    pub(crate) tree_path: NodePath,
    pub(crate) state: StringName,
    pub(crate) speed: f64,
    pub(crate) blend_time: f64,
    pub(crate) finish_at: FinishAt,
    pub(crate) abort_animation: StringName,
    pub(crate) timeout: f64,
    pub(crate) movement: Movement,
}

impl Method for AnimationDefinition {
    fn new_run(&self, link: RunLink) -> Rc<dyn MethodRun> {
        let parts = self.0.bind().parts();
        Rc::new(AnimationRun {
            motion: AnimationMotion::new(parts.movement.clone()),
            parts,
            resource: self.0.clone(),
            link,
            node: Cell::new(None),
            goal: Cell::new(None),
            began: Cell::new(0.0),
        })
    }
}

struct AnimationRun {
    parts: AnimationParts,
    /// For messages.
    resource: Gd<AnimationMethod>,
    link: RunLink,
    /// The player or the tree.
    node: Cell<Option<InstanceId>>,
    /// Known when ours plays: at once with a player, on arrival with a tree.
    goal: Cell<Option<AnimationGoal>>,
    /// When ours began to play, in seconds of the run.
    began: Cell<f64>,
    motion: AnimationMotion,
}

impl MethodRun for AnimationRun {
    fn timeout(&self) -> f64 {
        if self.parts.timeout > 0.0 {
            return self.parts.timeout;
        }
        self.goal.get().filter(|_| !self.uses_tree()).map_or(0.0, |goal| goal.default_timeout())
    }

    fn can_begin(&self, context: &Gd<ActionContext>) -> bool {
        if self.uses_tree() { self.find_tree(context).is_some() } else { self.find_player(context).is_some() }
    }

    fn begin(&self, context: &Gd<ActionContext>) -> bool {
        if self.uses_tree() {
            let Some((tree, mut playback)) = self.find_tree(context) else { return false };
            self.node.set(Some(tree.instance_id()));
            playback.travel(&self.parts.state);
            self.begin_motion(context);
            return true;
        }
        let Some(mut player) = self.find_player(context) else { return false };
        let name = self.parts.animation.clone();
        self.node.set(Some(player.instance_id()));
        if player.is_playing() && StringName::from(&player.get_current_animation()) == name {
            // Played again it would go on from where it is.
            player.stop_ex().keep_state(true).done();
        }
        let (blend, speed) = (self.parts.blend_time, self.parts.speed as f32);
        player.play_ex().name(&name).custom_blend(blend).custom_speed(speed).done();
        self.begin_motion(context);
        if let Some(animation) = player.is_instance_valid().then(|| player.get_animation(&name)).flatten() {
            self.motion.watch(&animation);
            self.motion.moved(0.0, f64::from(player.get_playing_speed()));
        }
        true
    }

    fn wants_tick(&self) -> bool {
        true
    }

    fn tick(&self, _delta: &Delta) {
        let Some(elapsed) = run_access::elapsed(self.link) else { return };
        let now = if self.uses_tree() { self.state_now(elapsed) } else { Some(self.player_now()) };
        match now {
            Some(AnimationNow::Ours(position)) => self.motion.moved(position, self.playing_speed()),
            Some(AnimationNow::Other) => self.motion.stopped(),
            None => {}
        }
        let (Some(now), Some(goal)) = (now, self.goal.get()) else { return };
        let result = match goal.judge(now, elapsed - self.began.get()) {
            AnimationVerdict::GoOn => return,
            AnimationVerdict::Finished => RunResult::Success,
            AnimationVerdict::Interrupted => RunResult::Interrupted,
        };
        run_access::record(self.link, result);
    }

    fn retarget(&self, target: Option<&Gd<Node>>) {
        self.motion.retarget(target);
    }

    fn ended(&self) {
        self.motion.release();
    }

    fn abort(&self, _reason: i64) {
        let node = self.node.get();
        if self.uses_tree() {
            let tree = node.and_then(|id| Gd::<AnimationTree>::try_from_instance_id(id).ok());
            let abort = &self.parts.abort_animation;
            if let Some(mut playback) = tree.as_ref().and_then(playback).filter(|_| !abort.is_empty()) {
                playback.travel(abort);
            }
            return;
        }
        let Some(mut player) = node.and_then(|id| Gd::<AnimationPlayer>::try_from_instance_id(id).ok())
        else {
            return;
        };
        let abort = &self.parts.abort_animation;
        if !abort.is_empty() && player.has_animation(abort) {
            player.play_ex().name(abort).done();
        } else if matches!(self.player_now(), AnimationNow::Ours(_)) {
            player.stop_ex().keep_state(true).done();
        }
    }
}

impl AnimationRun {
    fn uses_tree(&self) -> bool {
        !self.parts.state.is_empty()
    }

    fn begin_motion(&self, context: &Gd<ActionContext>) {
        let (agent, target) = {
            let context = context.bind();
            (context.get_instigator(), context.get_target())
        };
        if let Some(agent) = agent {
            self.motion.begin(agent.instance_id(), self.link.evaluator, target.as_ref());
        }
    }

    /// How fast ours plays now.
    fn playing_speed(&self) -> f64 {
        let player = self.node.get().and_then(|id| Gd::<AnimationPlayer>::try_from_instance_id(id).ok());
        player.map_or(1.0, |player| f64::from(player.get_playing_speed()))
    }

    /// The player that can play ours; sets the goal.
    fn find_player(&self, context: &Gd<ActionContext>) -> Option<Gd<AnimationPlayer>> {
        let agent = context.bind().get_instigator()?;
        let player: Gd<AnimationPlayer> = self.find(&agent, "player_path", &self.parts.player_path)?;
        let name = &self.parts.animation;
        if !player.has_animation(name) {
            let known = listed(&player.get_animation_list());
            return self.refuse(
                "animation",
                &format!("there is no animation \"{name}\" in {}. {known}", place(&player)),
            );
        }
        let animation = player.get_animation(name)?;
        self.goal.set(Some(self.goal_of(&animation, self.parts.speed)?));
        Some(player)
    }

    fn find_tree(
        &self,
        context: &Gd<ActionContext>,
    ) -> Option<(Gd<AnimationTree>, Gd<AnimationNodeStateMachinePlayback>)> {
        let agent = context.bind().get_instigator()?;
        let tree: Gd<AnimationTree> = self.find(&agent, "tree_path", &self.parts.tree_path)?;
        let machine = state_machine(&tree);
        let Some((machine, playback)) = machine.zip(playback(&tree)) else {
            let text = format!(
                "the root of {} is no state machine. Give it an AnimationNodeStateMachine",
                place(&tree)
            );
            return self.refuse("state", &format!("{text}."));
        };
        let state = &self.parts.state;
        if !machine.has_node(state) {
            return self.refuse(
                "state",
                &format!("there is no state \"{state}\" in {}. Set another state.", place(&tree)),
            );
        }
        Some((tree, playback))
    }

    fn find<T: GodotClass + Inherits<Node>>(
        &self,
        agent: &Gd<Node>,
        member: &str,
        path: &NodePath,
    ) -> Option<Gd<T>> {
        let class = T::class_id();
        if path.is_empty() {
            let nodes = agent.find_children_ex("*").type_(&class.to_gstring()).owned(false).done();
            let first = nodes.front().and_then(|node| node.try_cast::<T>().ok());
            return first.or_else(|| {
                self.refuse(
                    member,
                    &format!("{} has no {class} below it. Add one, or set {member}.", place(agent)),
                )
            });
        }
        let node = agent.get_node_or_null(path).and_then(|node| node.try_cast::<T>().ok());
        node.or_else(|| {
            self.refuse(
                member,
                &format!("there is no {class} at \"{path}\" from {}. Set another path.", place(agent)),
            )
        })
    }

    fn goal_of(&self, animation: &Gd<Animation>, speed: f64) -> Option<AnimationGoal> {
        let end = match &self.parts.finish_at {
            FinishAt::End => f64::from(animation.get_length()),
            FinishAt::Time(seconds) => *seconds,
            FinishAt::Marker(marker) if animation.has_marker(marker) => animation.get_marker_time(marker),
            FinishAt::Marker(marker) => {
                let known = listed(&animation.get_marker_names());
                return self
                    .refuse("finish_marker", &format!("the animation has no marker \"{marker}\". {known}"));
            }
        };
        Some(AnimationGoal { end, speed, loops: animation.get_loop_mode() != LoopMode::NONE })
    }

    fn player_now(&self) -> AnimationNow {
        let player = self.node.get().and_then(|id| Gd::<AnimationPlayer>::try_from_instance_id(id).ok());
        match player {
            Some(player)
                if player.is_playing()
                    && StringName::from(&player.get_current_animation()) == self.parts.animation =>
            {
                AnimationNow::Ours(player.get_current_animation_position())
            }
            _ => AnimationNow::Other,
        }
    }

    /// `None` while the tree is still on its way to the state.
    fn state_now(&self, elapsed: f64) -> Option<AnimationNow> {
        let tree = self.node.get().and_then(|id| Gd::<AnimationTree>::try_from_instance_id(id).ok());
        let Some((tree, playback)) = tree.and_then(|tree| playback(&tree).map(|playback| (tree, playback)))
        else {
            self.arrive(AnimationGoal { end: f64::INFINITY, speed: 1.0, loops: false }, elapsed);
            return Some(AnimationNow::Other);
        };
        let ours = playback.get_current_node() == self.parts.state;
        if ours && self.goal.get().is_none() {
            self.arrive(self.goal_of_state(&tree, &playback)?, elapsed);
        }
        self.goal.get()?;
        Some(if ours {
            AnimationNow::Ours(f64::from(playback.get_current_play_position()))
        } else {
            AnimationNow::Other
        })
    }

    fn arrive(&self, goal: AnimationGoal, elapsed: f64) {
        if self.goal.get().is_none() {
            self.goal.set(Some(goal));
            self.began.set(elapsed);
        }
    }

    fn goal_of_state(
        &self,
        tree: &Gd<AnimationTree>,
        playback: &Gd<AnimationNodeStateMachinePlayback>,
    ) -> Option<AnimationGoal> {
        let node = state_machine(tree).and_then(|machine| machine.get_node(&self.parts.state));
        let name = node
            .and_then(|node| node.try_cast::<AnimationNodeAnimation>().ok())
            .map(|node| node.get_animation());
        let mixer: Gd<AnimationMixer> = tree.clone().upcast();
        match name.and_then(|name| mixer.get_animation(&name)) {
            Some(animation) => {
                self.motion.watch(&animation);
                self.goal_of(&animation, 1.0)
            }
            // A state that is a tree of its own has a length and no markers.
            None => {
                let end = match self.parts.finish_at {
                    FinishAt::Time(seconds) => seconds,
                    _ => f64::from(playback.get_current_length()),
                };
                Some(AnimationGoal { end, speed: 1.0, loops: false })
            }
        }
    }

    fn refuse<T>(&self, member: &str, fact: &str) -> Option<T> {
        messages::error(&self.resource, member, fact, &format!("{member}: {fact}"));
        None
    }
}

fn state_machine(tree: &Gd<AnimationTree>) -> Option<Gd<AnimationNodeStateMachine>> {
    tree.get_tree_root()?.try_cast().ok()
}

fn playback(tree: &Gd<AnimationTree>) -> Option<Gd<AnimationNodeStateMachinePlayback>> {
    tree.get("parameters/playback").try_to().ok()
}

fn listed(names: &PackedStringArray) -> String {
    let names: Vec<String> = names.as_slice().iter().map(ToString::to_string).collect();
    if names.is_empty() { "There are none.".to_owned() } else { format!("Known: {}.", names.join(", ")) }
}

fn place<T: Inherits<Node>>(node: &Gd<T>) -> String {
    messages::node_place(&node.clone().upcast())
}
