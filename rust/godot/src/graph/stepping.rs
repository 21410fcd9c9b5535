//! Steps all players of one kind of step in one call of the engine.
//!
//! A call of the engine per node costs several times what a step in the middle of a move does. So one node, the last of its
//! priority, steps them all: each as its own callback would, in the order of the tree, with the pause, the process mode and
//! the switch of its own. A player with a priority of its own is stepped at that place, by a relay.
//!
//! Steps in which nothing happens are made under one borrow of the states; only engine getters that run no code of the game
//! are called there. Every other step is made with nothing held.

use std::cell::Cell;

use godot::classes::node::{InternalMode, ProcessMode};
use godot::classes::{Engine, Window};
use godot::prelude::*;

use super::driver::{self, Glide};
use super::seats::{self, KINDS, Member};
use super::state::{self, with};
use crate::base::callbacks::{connect, disconnect};
use crate::base::engine_reads::Live;
use crate::base::network;
use crate::base::ticking::{self, PROCESS_IDLE, PROCESS_PHYSICS};

thread_local! {
    /// What stands in front of all nodes, and what stands behind them.
    static STEPPERS: Cell<Option<[InstanceId; 2]>> = const { Cell::new(None) };
    /// They step in these kinds of step.
    static ON: Cell<[bool; 2]> = const { Cell::new([false; 2]) };
}

/// The name of a connection.
const ON_FIRST_FRAME: &str = "riposte_moves";

/// The kind of step in which a node in the tree steps from now on; `None`: none.
pub(super) fn place(node: &mut Gd<Node>, callback: Option<i64>) {
    let id = node.instance_id();
    let (physics, idle) = (callback == Some(PROCESS_PHYSICS), callback == Some(PROCESS_IDLE));
    node.set_physics_process(physics);
    node.set_process(idle);
    let taken = physics && node.has_method("_physics_process") || idle && node.has_method("_process");
    let rides = callback.is_some_and(|callback| priority(node, callback) != 0);
    let rode = with(id, |state| {
        state.seat.taken = taken;
        std::mem::replace(&mut state.seat.ridden, rides)
    });
    if rides || rode == Some(true) {
        ticking::ride(node, callback.filter(|_| rides), ride);
    }
    match callback.filter(|_| !rides) {
        Some(callback) => {
            seats::sit(node, callback);
            if !ON.get()[usize::from(idle)] {
                ensure_steppers();
                switch(callback, true);
            }
        }
        None => seats::rise(id),
    }
}

fn priority(node: &Gd<Node>, callback: i64) -> i32 {
    if callback == PROCESS_PHYSICS {
        node.get_physics_process_priority()
    } else {
        node.get_process_priority()
    }
}

/// The step of a node with a priority of its own, by its relay.
fn ride(mut node: Gd<Node>, delta: f64) {
    let id = node.instance_id();
    driver::step(id, delta);
    let callback = with(id, |state| state.driven.callback()).flatten().filter(|_| node.is_instance_valid());
    if let Some(callback) = callback.filter(|callback| priority(&node, *callback) == 0) {
        place(&mut node, Some(callback));
    }
}

/// The nodes that step them are in the tree, or will be in the first frame.
pub(super) fn ensure_steppers() {
    if Engine::singleton().is_editor_hint() || steppers().is_some() {
        return;
    }
    let Some(tree) = network::tree() else { return };
    let engine = Engine::singleton();
    if engine.get_process_frames() > 0 || engine.get_physics_frames() > 0 {
        return add_steppers();
    }
    // The root takes no children before.
    let id = tree.instance_id();
    connect(&tree, "physics_frame", id, ON_FIRST_FRAME, |_| add_steppers());
    connect(&tree, "process_frame", id, ON_FIRST_FRAME, |_| add_steppers());
}

fn steppers() -> Option<[Gd<RiposteMoveStepper>; 2]> {
    let [front, back] = STEPPERS.get()?.map(|id| Gd::<RiposteMoveStepper>::try_from_instance_id(id).ok());
    let known = [front?, back?];
    known.iter().all(|stepper| stepper.is_inside_tree()).then_some(known)
}

fn add_steppers() {
    let Some(tree) = network::tree() else { return };
    for signal in ["physics_frame", "process_frame"] {
        disconnect(&tree, signal, tree.instance_id(), ON_FIRST_FRAME);
    }
    let Some(mut root) = tree.get_root().filter(|_| steppers().is_none()) else { return };
    let front = add(&mut root, InternalMode::FRONT);
    // Behind every other child, also of those that come, but in front of what steps evaluators.
    let back = add(&mut root, InternalMode::BACK);
    STEPPERS.set(Some([front, back]));
    for callback in KINDS {
        switch(callback, seats::is_needed(callback));
    }
}

fn add(root: &mut Gd<Window>, side: InternalMode) -> InstanceId {
    let mut stepper = RiposteMoveStepper::new_alloc();
    stepper.set_process_mode(ProcessMode::ALWAYS);
    if side == InternalMode::FRONT {
        stepper.bind_mut().begins = true;
        stepper.set_physics_process_priority(i32::MIN);
        stepper.set_process_priority(i32::MIN);
    }
    root.add_child_ex(&stepper).internal(side).done();
    root.move_child(&stepper, 0);
    stepper.instance_id()
}

/// While nobody is to be stepped, the nodes rest.
fn switch(callback: i64, on: bool) {
    let Some(steppers) = steppers() else { return };
    let mut switches = ON.get();
    switches[usize::from(callback == PROCESS_IDLE)] = on;
    ON.set(switches);
    for mut stepper in steppers {
        if callback == PROCESS_PHYSICS {
            stepper.set_physics_process(on);
        } else {
            stepper.set_process(on);
        }
    }
}

/// In front of all nodes it says that they begin to step; behind them it steps the players.
#[derive(GodotClass)]
#[class(init, internal, base = Node)]
struct RiposteMoveStepper {
    begins: bool,
    base: Base<Node>,
}

#[godot_api]
impl INode for RiposteMoveStepper {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::step(&this, PROCESS_PHYSICS, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::step(&this, PROCESS_IDLE, delta);
    }
}

impl Drop for RiposteMoveStepper {
    fn drop(&mut self) {
        ON.set([false; 2]);
    }
}

impl RiposteMoveStepper {
    fn step(this: &Gd<Self>, callback: i64, delta: f64) {
        let begins = this.bind().begins;
        if begins {
            seats::begin(callback);
        } else {
            run(callback, delta);
        }
    }
}

/// One step of all members of a row.
struct Round {
    callback: i64,
    delta: f64,
    number: u64,
    at: usize,
    /// Members that take no part any more.
    resting: usize,
    /// Members that have a priority of their own now.
    leavers: Vec<InstanceId>,
}

/// What has to be done with nothing held.
enum Stop {
    /// The whole step of this player.
    Step(InstanceId),
    /// Its step is made; its payload has to hear of it.
    Follow(InstanceId),
}

fn run(callback: i64, delta: f64) {
    let (members, number) = seats::open(callback);
    let mut round = Round { callback, delta, number, at: 0, resting: 0, leavers: Vec::new() };
    while let Some(stop) = state::all(|states| round.advance(&members, states)) {
        match stop {
            Stop::Step(id) => driver::step_slowly(id, delta),
            Stop::Follow(id) => driver::stepped(id, delta),
        }
    }
    seats::close(callback, members, round.resting);
    for leaver in round.leavers {
        if let Ok(mut node) = Gd::<Node>::try_from_instance_id(leaver)
            && with(leaver, |state| state.seat.takes_part(callback)) == Some(true)
        {
            place(&mut node, Some(callback));
        }
    }
    if !seats::is_needed(callback) {
        switch(callback, false);
    }
}

impl Round {
    /// Makes steps until one needs more than this; `None` when all are made.
    fn advance(&mut self, members: &[Member], states: &mut state::States) -> Option<Stop> {
        while let Some(member) = members.get(self.at) {
            self.at += 1;
            let Some(state) =
                member.state(states, self.callback).filter(|state| state.seat.takes_part(self.callback))
            else {
                self.resting += 1;
                continue;
            };
            let id = member.reader.id();
            let Some(node) = member.reader.live().filter(|node| node.is_inside_tree() && node.can_process())
            else {
                continue;
            };
            if !state.seat.is_due(self.number) || !state.seat.taken && !self.is_switched_on(&node) {
                continue;
            }
            if self.priority(&node) != 0 {
                self.leavers.push(id);
            }
            match state.glide(self.delta) {
                Glide::Made => {}
                Glide::Followed => return Some(Stop::Follow(id)),
                Glide::No => return Some(Stop::Step(id)),
            }
        }
        None
    }

    /// The game has not switched its steps off.
    fn is_switched_on(&self, node: &Live) -> bool {
        if self.callback == PROCESS_PHYSICS { node.is_physics_processing() } else { node.is_processing() }
    }

    fn priority(&self, node: &Live) -> i64 {
        if self.callback == PROCESS_PHYSICS { node.physics_priority() } else { node.idle_priority() }
    }
}
