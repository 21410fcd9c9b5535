//! Performs what the core wants, one by one. Nothing is bound or borrowed while payloads, hooks and handlers run, and after each of
//! them the node is looked for again.

use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::input::Recorder;
use riposte_core::graph::{Call, InputResult, MoveTimes, Replay, Reply, Saved};

use super::compiled::CompiledGraph;
use super::living::{self, Living};
use super::peers::Role;
use super::playback::Watch;
use super::run_parts::{Follows, RunData, RunRef};
use super::state::{State, with};
use super::{
    ActionGraph, ActionGraphPlayer, approach_moves, binding, peers, performing, playback, player_input,
    remote, sources, stepping, worlds,
};
use crate::base::{lookup, messages, quitting, tags};

/// Changes something in the core, and runs the turn that follows, unless one is running. `None`: the player is gone, or not in the
/// tree.
pub(super) fn call(id: InstanceId, call: Call) -> Option<Reply> {
    match peers::role(id) {
        // Only what the authority plays is shown.
        Role::Watcher if call.is_input() => return Some(Reply::Input(InputResult::Dropped)),
        Role::Owner if peers::plays_another_graph(id) => {
            if let Call::Input(press) = &call {
                remote::forward(id, press);
                return Some(Reply::Input(InputResult::Forwarded));
            }
        }
        _ => {}
    }
    make(id, call)
}

/// The same, whatever this peer is.
pub(super) fn make(id: InstanceId, call: Call) -> Option<Reply> {
    if !with(id, |state| state.entered)? {
        return None;
    }
    prepare(id);
    let (receipt, runs) = with(id, |state| (state.core.call(call), state.core.begin_turn()))?;
    if runs {
        run(id);
    }
    with(id, |state| state.core.result(receipt))
}

/// Before something happens: edits count, and the world is read.
fn prepare(id: InstanceId) {
    if with(id, |state| state.core.in_turn()).unwrap_or(true) {
        return;
    }
    sources::catch_up(id);
    player_input::refresh_stick(id);
    let turns = lookup::agent_of(id).is_some_and(approach_moves::turns_to_input);
    with(id, |state| state.core.set_turns_to_input(turns));
    worlds::read(id);
}

/// Takes a saved state over; the names that are not there any more.
pub(super) fn import(id: InstanceId, saved: &Saved) -> Option<Vec<String>> {
    prepare(id);
    // An edit counts first: the state is read by names of the graph as it is now.
    run_pending(id);
    let (missing, runs) = with(id, |state| {
        let (_, missing) = tags::with_table_mut(|table| state.core.import(table, saved));
        (missing, state.core.begin_turn())
    })?;
    if runs {
        run(id);
    }
    Some(missing)
}

/// Plays a recording that comes to these movesets.
pub(super) fn play(id: InstanceId, replay: &Replay, answers: bool, reel: Vec<Gd<ActionGraph>>) -> bool {
    if !with(id, |state| state.entered).unwrap_or(false) {
        return false;
    }
    prepare(id);
    run_pending(id);
    let old = sources::hand_reel(id, reel);
    let begun =
        with(id, |state| tags::with_table_mut(|table| state.core.play_replay(table, replay, answers)));
    drop(old);
    if begun == Some(true) {
        run_pending(id);
        update_ticking(id);
    }
    begun.unwrap_or(false)
}

/// Runs what was called outside of a turn and not run yet.
pub(super) fn run_pending(id: InstanceId) {
    if with(id, |state| state.core.begin_turn()) == Some(true) {
        run(id);
    }
}

/// A step in the middle of a move in which nothing is due and that nobody has to hear of, as most are.
pub(super) enum Glide {
    /// It is made.
    Made,
    /// It is made, and the payload has to hear of it.
    Followed,
    /// Nothing was done.
    No,
}

/// One step of `delta` seconds, not yet scaled.
pub(super) fn step(id: InstanceId, delta: f64) {
    match with(id, |state| state.glide(delta)) {
        None | Some(Glide::Made) => {}
        Some(Glide::Followed) => stepped(id, delta),
        Some(Glide::No) => step_slowly(id, delta),
    }
}

/// A step in which something may happen.
pub(super) fn step_slowly(id: InstanceId, delta: f64) {
    if peers::role(id) == Role::Watcher {
        device(id, Recorder::clear);
    }
    let quiet = with(id, |state| {
        let settled = state.entered && !state.edited && state.bound_at == binding::epoch();
        settled && state.core.quiet(delta)
    });
    match quiet {
        None => return,
        Some(true) => {}
        Some(false) => {
            if !with(id, |state| state.entered && !state.core.in_turn()).unwrap_or(false) {
                return;
            }
            worlds::measure(id, delta);
            prepare(id);
            with(id, |state| state.stepping = true);
            let runs = with(id, |state| state.core.advance(delta) && state.core.begin_turn());
            if runs == Some(true) {
                run(id);
            }
            with(id, |state| state.stepping = false);
        }
    }
    stepped(id, delta);
}

/// What follows from a step that the core has made.
pub(super) fn stepped(id: InstanceId, delta: f64) {
    follow(id, true);
    let scale = with(id, |state| state.core.settings().time_scale).unwrap_or(0.0);
    playback::passed(id, delta * scale);
    update_ticking(id);
}

/// Runs a turn that has begun.
fn run(id: InstanceId) {
    let next = |state: &mut State| state.core.next(&state.world.view());
    loop {
        worlds::refresh(id);
        // After each of them the node may be gone.
        let Some(Some(effect)) = with(id, next) else { break };
        performing::perform(id, effect);
    }
    playback::settle(id);
    let old = with(id, State::tidy);
    drop(old);
    follow(id, false);
    peers::settle(id);
    update_ticking(id);
}

impl State {
    /// Makes a step, if it is one in the middle of a move. Only engine getters are called. It goes on to be stepped.
    pub(super) fn glide(&mut self, delta: f64) -> Glide {
        let settled = self.entered && !self.edited && self.bound_at == binding::epoch();
        let moves = self.core.run_id() != 0 && !self.peers.predicted && !self.fading;
        if !(settled && moves && self.core.quiet(delta)) {
            return Glide::No;
        }
        let follows = self.living.as_ref().map_or(Follows::Nothing, |living| living.follows);
        let glides = match (follows, &self.watch) {
            (Follows::Nothing, _) | (Follows::Play, Watch::Nothing) => true,
            (Follows::Steps, _) | (Follows::Play, Watch::Other) => false,
            (Follows::Play, Watch::Player(run, play)) => {
                let (time, speed) = (self.core.node_time(), self.speed());
                let right = *run != self.core.run_id() || play.is_right(time, speed);
                if right {
                    self.followed = (speed, time);
                }
                right
            }
        };
        if glides { Glide::Made } else { Glide::Followed }
    }

    /// The run that is over and graphs that nothing plays any more, to be dropped outside.
    fn tidy(&mut self) -> (Option<Living>, Vec<Rc<CompiledGraph>>) {
        let run = self.run_id();
        let over = self.living.take_if(|living| Some(living.run.data().run) != run);
        let keep = self.graph().cloned();
        if self.graphs.len() < 2 || keep.is_none() && self.core.graph().is_some() {
            return (over, Vec::new());
        }
        (over, std::mem::replace(&mut self.graphs, keep.into_iter().collect()))
    }

    /// How fast node time runs now.
    pub(super) fn speed(&self) -> f64 {
        let settings = self.core.settings();
        if self.core.is_frozen() { 0.0 } else { settings.time_scale * settings.action_speed }
    }
}

/// Tells the payload where its node is: once per step, and when the speed changed.
pub(super) fn follow(id: InstanceId, stepped: bool) {
    let told = with(id, |state| {
        let payload = state.living.as_ref()?;
        let part = payload.payload.as_ref().filter(|_| payload.follows != Follows::Nothing)?.clone();
        let speed = state.speed();
        let time = state.core.node_time();
        if !stepped && speed == state.followed.0 {
            return None;
        }
        let passed = time - state.followed.1;
        state.followed = (speed, time);
        Some((part, payload.run.clone(), time, speed, passed))
    });
    if let Some((part, run, time, speed, passed)) = told.flatten() {
        part.follow(&run, time, speed, passed);
    }
}

/// `time_scale` or `action_speed` is another one.
pub(super) fn set_speeds(this: &Gd<ActionGraphPlayer>) {
    let id = this.instance_id();
    let (time_scale, action_speed) = {
        let own = this.bind();
        (own.time_scale, own.action_speed)
    };
    with(id, |state| {
        state.core.set_time_scale(time_scale);
        state.core.set_action_speed(action_speed);
    });
    follow(id, false);
    update_ticking(id);
}

/// The node leaves the tree: its run ends while the nodes are still there. When the program ends nothing else is told.
pub(super) fn leave_tree(id: InstanceId) {
    let quits = quitting::is_quitting();
    let known = with(id, |state| {
        state.entered = false;
        state.core.leave_tree(quits);
    });
    // Also inside a turn, which goes on later: all nodes are still there now.
    if known.is_some() {
        run(id);
        playback::forget(id);
    }
}

/// The node is stepped only while something counts time.
pub(super) fn update_ticking(id: InstanceId) {
    let order = with(id, |state| {
        let moving = state.entered && (state.core.wants_tick() || state.edited && state.run_id().is_some())
            || state.fading;
        state.driven.order(state.callback, moving)
    });
    if let Some(Some(order)) = order
        && let Ok(mut node) = Gd::<Node>::try_from_instance_id(id)
    {
        stepping::place(&mut node, order.callback());
    }
}

/// Device events were recorded: the next step walks them.
pub(super) fn wake(id: InstanceId) {
    update_ticking(id);
}

/// The clock of a player, in seconds.
pub(super) fn now(id: InstanceId) -> f64 {
    with(id, |state| state.core.now()).unwrap_or(0.0)
}

/// The run of a player; 0 at Root.
pub(super) fn run_id(id: InstanceId) -> i64 {
    with(id, |state| state.run_id()).flatten().map_or(0, |run| run as i64)
}

/// True while a player is in the tree.
pub(super) fn is_in_tree(id: InstanceId) -> bool {
    with(id, |state| state.entered).unwrap_or(false)
}

/// What keeps the device events of a player.
pub(super) fn device<R>(id: InstanceId, act: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
    with(id, |state| act(state.core.recorder_mut()))
}

/// The player was paused.
pub(super) fn paused(id: InstanceId) {
    call(id, Call::Pause);
}

/// Devices are not listened to any more.
pub(super) fn input_off(id: InstanceId) {
    call(id, Call::InputOff);
}

// What runs ask.

/// The run is the one that is there.
pub(super) fn is_current(data: &RunData) -> bool {
    with(data.player, |state| state.core.is_current(data.run)).unwrap_or(false)
}

/// The time of a run that is there; 0 of any other.
pub(super) fn node_time_of(data: &RunData) -> f64 {
    if is_current(data) { with(data.player, |state| state.core.node_time()).unwrap_or(0.0) } else { 0.0 }
}

fn call_by_run(data: &RunData, make: impl FnOnce(u64) -> Call) -> bool {
    is_current(data) && matches!(call(data.player, make(data.run)), Some(Reply::Flag(true)))
}

/// Completes a run.
pub(super) fn finish_run(data: &RunData) -> bool {
    call_by_run(data, Call::Finish)
}

/// Cuts a run, where its rules allow that.
pub(super) fn cancel_run(data: &RunData) -> bool {
    call_by_run(data, Call::Cancel)
}

/// A run has these times from now on, and ends with them.
pub(super) fn set_run_times(data: &RunData, times: Arc<MoveTimes>) -> bool {
    call_by_run(data, |run| Call::RunTimes(run, times))
}

/// Opens a window of a run.
pub(super) fn open_run_window(data: &RunData, kind: &StringName) -> bool {
    let kind = kind.to_string();
    call_by_run(data, |run| Call::RunOpen(run, kind.as_str().into()))
}

/// Closes a window of a run.
pub(super) fn close_run_window(data: &RunData, kind: &StringName) -> bool {
    let kind = kind.to_string();
    call_by_run(data, |run| Call::RunClose(run, kind.as_str().into()))
}

/// How fast the moves of a player run now.
pub(super) fn speed_of(id: InstanceId) -> f64 {
    with(id, |state| state.speed()).unwrap_or(0.0)
}

/// The run that is there.
pub(super) fn current_run(id: InstanceId) -> Option<RunRef> {
    living::current(id)
}

/// True on the main thread; elsewhere an error.
pub(super) fn on_main(this: &Gd<ActionGraphPlayer>, member: &str) -> bool {
    messages::on_main(this, member)
}
