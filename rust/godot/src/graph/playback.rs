//! The animations of moves, as they play. A move goes by the time of its node; what plays its animation is told how fast that runs,
//! and is set right when it is off. Its own end is never waited for.
//!
//! Whatever is called here may run scripts: nothing is bound, borrowed or locked meanwhile.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use godot::classes::{AnimationPlayer, AnimationTree, Engine};
use godot::prelude::*;
use riposte_core::graph::MoveTimes;

use super::binding::Bound;
use super::playback_player::PlayerPlay;
use super::playback_tree::{TreePlay, TreeWay};
use super::state::with;

/// How far the animation may be off before it is set right, in its seconds.
pub(super) const OFF: f64 = 0.05;

/// What a move plays.
pub(super) struct Wanted {
    /// The animation.
    pub animation: StringName,
    /// Its times.
    pub times: Arc<MoveTimes>,
    /// Seconds of blending, negative: as set up.
    pub blend: f64,
    /// It is moved by exactly the time of the node.
    pub exact: bool,
    /// Which part of a tree plays it.
    pub tree: Option<(TreeWay, StringName)>,
    /// How fast the node runs now.
    pub speed: f64,
    /// Where in the node it starts.
    pub node_time: f64,
    /// The node time at which the animation was, or would have been, at its start.
    pub since: f64,
}

/// What plays a move.
#[derive(Clone)]
enum Play {
    Player(Rc<PlayerPlay>),
    Tree(Rc<TreePlay>),
}

impl Play {
    fn follow(&self, node_time: f64, speed: f64, passed: f64) {
        match self {
            Self::Player(play) => play.follow(node_time, speed, passed),
            Self::Tree(play) => play.follow(node_time, speed, passed),
        }
    }

    fn leave(&self, node_time: f64) {
        match self {
            Self::Player(play) => play.leave(node_time),
            Self::Tree(play) => play.leave(node_time),
        }
    }
}

/// What is kept of one player.
#[derive(Default)]
struct Slot {
    /// The run and what plays it.
    now: Option<(u64, Play)>,
    /// What was left before its end: held where it is, unless the next move blends from it.
    left: Option<Rc<PlayerPlay>>,
    /// Keys of the move that runs open and close windows.
    keyed: bool,
    fading: Option<Fading>,
    /// The times with the agent's animations.
    bound: Option<Rc<Bound>>,
}

/// A move with keys for windows that may still be blended out.
#[derive(Clone, Copy)]
struct Fading {
    /// Seconds of blending left.
    left: f64,
    /// The frame in which it was over.
    over: Option<u64>,
}

/// What plays the animation of a run, for a look at it without anything else.
#[derive(Default)]
pub(super) enum Watch {
    #[default]
    Nothing,
    /// The run, and what plays it in its own time.
    Player(u64, Rc<PlayerPlay>),
    /// It has to be moved.
    Other,
}

thread_local! {
    /// By player. Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static SLOTS: &'static RefCell<BTreeMap<i64, Slot>> = Box::leak(Box::default());
}

fn slot<R>(player: InstanceId, act: impl FnOnce(&mut Slot) -> R) -> R {
    SLOTS.with(|slots| act(slots.borrow_mut().entry(player.to_i64()).or_default()))
}

fn known<R>(player: InstanceId, act: impl FnOnce(&mut Slot) -> R) -> Option<R> {
    SLOTS.with(|slots| slots.borrow_mut().get_mut(&player.to_i64()).map(act))
}

/// What plays now is what is looked at in each step.
fn watch(player: InstanceId) {
    let now = known(player, |slot| slot.now.clone()).flatten();
    let watch = match now {
        None => Watch::Nothing,
        Some((run, Play::Player(play))) if !play.is_exact() => Watch::Player(run, play),
        Some(_) => Watch::Other,
    };
    let old = with(player, |state| std::mem::replace(&mut state.watch, watch));
    drop(old);
}

fn note_fading(player: InstanceId, fades: bool) {
    with(player, |state| state.fading = fades);
}

/// The times of a player's graph with its animations are these from now on.
pub(super) fn bind(player: InstanceId, bound: Rc<Bound>) {
    let before = slot(player, |slot| slot.bound.replace(bound));
    drop(before);
}

/// The times of a node in a direction; `None`: there is no such animation.
pub(super) fn times(player: InstanceId, node: u32, variant: u8) -> Option<Arc<MoveTimes>> {
    known(player, |slot| slot.bound.as_ref()?.times(node, variant)).flatten()
}

/// Starts what a run plays. Whatever ran before was stopped.
pub(super) fn start(
    player: InstanceId,
    run: u64,
    wanted: &Wanted,
    animation_player: Option<Gd<AnimationPlayer>>,
    tree: Option<Gd<AnimationTree>>,
) {
    let keyed = wanted.times.keyed;
    let (left, replaced) = slot(player, |slot| {
        slot.keyed = keyed;
        (slot.left.take(), slot.now.take())
    });
    watch(player);
    if let Some((_, play)) = replaced {
        play.leave(wanted.node_time);
    }
    let play = match (&wanted.tree, tree, animation_player) {
        (Some((way, node)), Some(tree), _) => Play::Tree(TreePlay::begin(tree, *way, node, wanted)),
        (None, _, Some(animation_player)) => {
            let before = left.as_ref().filter(|left| left.is_of(&animation_player));
            if let Some(blend) = before.map(|_| PlayerPlay::blend_of(&animation_player, wanted)) {
                lengthen(player, blend);
            }
            Play::Player(PlayerPlay::begin(animation_player, wanted))
        }
        _ => return,
    };
    // A handler of what has just started may have stopped it again.
    slot(player, |slot| slot.now = Some((run, play)));
    watch(player);
}

/// The crossfade into the next move takes so long.
fn lengthen(player: InstanceId, blend: f64) {
    known(player, |slot| {
        if let Some(fading) = &mut slot.fading {
            fading.left = blend;
        }
    });
}

/// One step of a run.
pub(super) fn follow(player: InstanceId, run: u64, node_time: f64, speed: f64, passed: f64) {
    let play = known(player, |slot| slot.now.clone()).flatten();
    if let Some((_, play)) = play.filter(|play| play.0 == run) {
        play.follow(node_time, speed, passed);
    }
}

/// A run is over. `completed`: in its own time, so that its animation may play to its end.
pub(super) fn stop(player: InstanceId, run: u64, node_time: f64, completed: bool, blend: f64) {
    let taken = known(player, |slot| {
        let ours = slot.now.as_ref().is_some_and(|now| now.0 == run);
        let play = if ours { slot.now.take() } else { None };
        if std::mem::take(&mut slot.keyed) {
            slot.fading = Some(Fading { left: blend.max(0.0), over: None });
        }
        (play, slot.fading.is_some())
    });
    let taken = taken.map(|(play, fades)| {
        note_fading(player, fades);
        watch(player);
        play
    });
    let Some((_, play)) = taken.flatten() else { return };
    play.leave(node_time);
    if let Play::Player(play) = play {
        if known(player, |slot| slot.fading.is_some()) == Some(true) && blend < 0.0 {
            lengthen(player, play.default_blend());
        }
        if !completed {
            slot(player, |slot| slot.left = Some(play));
        }
    }
}

/// The change of moves is through: what was left early and is still playing is held where it is.
pub(crate) fn settle(player: InstanceId) {
    if let Some(left) = known(player, |slot| slot.left.take()).flatten() {
        left.hold();
    }
}

/// The player has moved by so many seconds at the speed of its moves.
pub(crate) fn passed(player: InstanceId, seconds: f64) {
    if with(player, |state| state.fading) != Some(true) {
        return;
    }
    let fades = known(player, |slot| {
        let Some(fading) = &mut slot.fading else { return false };
        fading.left -= seconds;
        match fading.over {
            None if fading.left <= 0.0 => fading.over = Some(frame()),
            Some(over) if frame() > over + 1 => slot.fading = None,
            _ => {}
        }
        slot.fading.is_some()
    });
    note_fading(player, fades == Some(true));
}

/// True if a call that opens or closes a window may come from a key of an animation, which was read beforehand.
pub(crate) fn ignores_keys(player: InstanceId) -> bool {
    let fades = |fading: Fading| fading.over.is_none_or(|over| frame() <= over + 1);
    known(player, |slot| slot.keyed || slot.fading.is_some_and(fades)) == Some(true)
}

/// The player is gone, or out of the tree.
pub(crate) fn forget(player: InstanceId) {
    let gone = SLOTS.with(|slots| slots.borrow_mut().remove(&player.to_i64()));
    drop(gone);
    note_fading(player, false);
    watch(player);
}

fn frame() -> u64 {
    Engine::singleton().get_process_frames()
}
