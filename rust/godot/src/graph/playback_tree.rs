//! A move that an `AnimationTree` plays: a state it travels to, or a one-shot that is fired.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use godot::classes::animation_node_one_shot::OneShotRequest;
use godot::classes::node::ProcessMode;
use godot::classes::{AnimationNodeStateMachine, AnimationNodeStateMachinePlayback, AnimationTree};
use godot::prelude::*;
use riposte_core::graph::MoveTimes;

use super::playback::Wanted;
use crate::base::messages;

/// Which part of a tree plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeWay {
    /// A state of the machine at the root.
    Travel,
    /// A one-shot.
    OneShot,
}

/// A speed that needs no help.
const AS_AUTHORED: f64 = 1e-6;

/// One run. A tree has no speed of its own: at any other than the authored one it is driven from here.
pub(super) struct TreePlay {
    tree: Gd<AnimationTree>,
    way: TreeWay,
    node: StringName,
    times: Arc<MoveTimes>,
    exact: bool,
    /// The process mode that it had, while it does not run by itself. Another callback mode would start its state machine anew.
    mode: Cell<Option<ProcessMode>>,
    at: Cell<f64>,
    /// The tree may not have come to the node yet.
    on_its_way: Cell<bool>,
}

/// A tree that is driven from here needs so many steps at most to come to a node.
const STEPS: usize = 4;

impl TreePlay {
    /// Plays.
    pub(super) fn begin(
        tree: Gd<AnimationTree>,
        way: TreeWay,
        node: &StringName,
        wanted: &Wanted,
    ) -> Rc<Self> {
        let play = Rc::new(Self {
            tree,
            way,
            node: node.clone(),
            times: wanted.times.clone(),
            exact: wanted.exact,
            mode: Cell::new(None),
            at: Cell::new(wanted.node_time),
            on_its_way: Cell::new(true),
        });
        match way {
            TreeWay::Travel => play.travel(),
            TreeWay::OneShot => play.request(OneShotRequest::FIRE),
        }
        if play.tree.is_instance_valid() {
            play.take_over(wanted.speed);
        }
        play
    }

    fn travel(&self) {
        let machine =
            self.tree.get_tree_root().and_then(|root| root.try_cast::<AnimationNodeStateMachine>().ok());
        let playback = self.tree.get("parameters/playback");
        let playback = playback.try_to::<Gd<AnimationNodeStateMachinePlayback>>().ok();
        let Some((machine, mut playback)) = machine.zip(playback) else {
            self.warn("its root is no AnimationNodeStateMachine. Give it one, or set tree_mode to another.");
            return;
        };
        if !machine.has_node(&self.node) {
            let text = format!("its root has no state \"{}\". Set another tree_node.", self.node);
            self.warn(&text);
        } else if playback.is_playing() && playback.get_current_node() == self.node {
            // It would not travel to where it is.
            playback.start(&self.node);
        } else {
            playback.travel(&self.node);
        }
    }

    fn request(&self, request: OneShotRequest) {
        let path = format!("parameters/{}/request", self.node);
        if self.tree.get(&path).is_nil() {
            let text = format!("there is no AnimationNodeOneShot \"{}\". Set another tree_node.", self.node);
            self.warn(&text);
            return;
        }
        self.tree.clone().set(&path, &request.to_variant());
    }

    fn warn(&self, text: &str) {
        messages::warning(&self.tree, "tree_node", text, &format!("a move can't play here: {text}"));
    }

    /// One step.
    pub(super) fn follow(&self, node_time: f64, speed: f64, passed: f64) {
        if !self.tree.is_instance_valid() {
            return;
        }
        self.take_over(speed);
        self.move_to(node_time, passed);
    }

    /// Drives the tree from here, or lets it run by itself again.
    fn take_over(&self, speed: f64) {
        let ours = self.exact || (speed * self.times.rate - 1.0).abs() > AS_AUTHORED;
        let mut tree = self.tree.clone();
        match (ours, self.mode.get()) {
            (true, None) => {
                self.mode.set(Some(tree.get_process_mode()));
                tree.set_process_mode(ProcessMode::DISABLED);
                self.arrive();
            }
            (false, Some(_)) => self.give_back(),
            _ => {}
        }
    }

    /// A tree that runs by itself comes to a node in steps in which no time passes there: they are made at once.
    fn arrive(&self) {
        if !self.on_its_way.take() {
            return;
        }
        for _ in 0..STEPS {
            let there = self.is_there();
            self.tree.clone().advance(0.0);
            if there || !self.tree.is_instance_valid() {
                return;
            }
        }
    }

    /// True if the tree will show the node from its next step on.
    fn is_there(&self) -> bool {
        match self.way {
            TreeWay::Travel => {
                let playback = self.tree.get("parameters/playback");
                let playback = playback.try_to::<Gd<AnimationNodeStateMachinePlayback>>();
                playback.is_ok_and(|playback| playback.get_current_node() == self.node)
            }
            TreeWay::OneShot => true,
        }
    }

    fn move_to(&self, node_time: f64, passed: f64) {
        self.at.set(node_time);
        if self.mode.get().is_some() && passed > 0.0 {
            self.tree.clone().advance(passed * self.times.rate);
        }
    }

    fn give_back(&self) {
        let mut tree = self.tree.clone();
        if let Some(before) = self.mode.take()
            && tree.get_process_mode() == ProcessMode::DISABLED
        {
            tree.set_process_mode(before);
        }
    }

    /// The run is over: the tree gets back what was changed of it.
    pub(super) fn leave(&self, node_time: f64) {
        if self.tree.is_instance_valid() {
            self.move_to(node_time, node_time - self.at.get());
        }
        if self.tree.is_instance_valid() {
            if self.way == TreeWay::OneShot {
                self.request(OneShotRequest::ABORT);
            }
            self.give_back();
        }
    }
}
