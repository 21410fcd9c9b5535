//! Steps all evaluators of one kind of step in one call of the engine, in the order of the tree.
//!
//! A call of the engine per node costs more than most steps. So one node, the last of its priority, steps them all: each
//! as its own callback would, with the pause, the process mode and the time scale of its own. An evaluator with a priority
//! of its own is stepped at that place, by a relay.
//!
//! A step that needs nobody's answer is made under one lock with those around it. Only engine getters that run no code of
//! the game are called there. Every other step is made with nothing held, and what was read of the world before it is
//! read anew after it.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use godot::classes::node::{InternalMode, ProcessMode};
use godot::prelude::*;
use riposte_core::action::{Quiet, QuietScratch, QuietTarget, QuietView, SpareStack, TagsOf};
use riposte_core::arena::Handle;
use riposte_core::tags::TagSet;

use super::ahead::{Ahead, Found};
use super::bodies::{self, Bodies, Known, Seen, Slot};
use super::quick::is_networked;
use super::ticks::{self, Tick};
use super::{Asked, STATES, State, key_of, monitors, places, pump, recording, step_alone, step_slowly, with};
use crate::action::method_run::Delta;
use crate::agent::{self, health, tag_epoch};
use crate::base::engine_reads::{self, Reader};
use crate::base::network;
use crate::base::store::NodeStore;
use crate::base::ticking::{self, PROCESS_IDLE, PROCESS_PHYSICS};

/// Where the bodies are that an evaluator looks at, and when its tags were read.
#[derive(Default)]
pub(super) struct Glance {
    agent: Slot,
    target: Slot,
    tags: Option<((u64, u64), Option<InstanceId>)>,
    found: Found,
}

/// Who steps, and where its state is kept.
#[derive(Clone, Copy)]
struct Member {
    reader: Reader,
    state: Handle,
}

#[derive(Default)]
struct Lanes {
    physics: Rc<Vec<Member>>,
    idle: Rc<Vec<Member>>,
}

thread_local! {
    static LANES: RefCell<Lanes> = RefCell::default();
    static BODIES: RefCell<Bodies> = const { RefCell::new(Bodies::new()) };
    static SCRATCH: RefCell<QuietScratch> = RefCell::default();
    static STEPPER: Cell<Option<InstanceId>> = const { Cell::new(None) };
}

impl Lanes {
    fn of(&mut self, callback: i64) -> Option<&mut Rc<Vec<Member>>> {
        match callback {
            PROCESS_PHYSICS => Some(&mut self.physics),
            PROCESS_IDLE => Some(&mut self.idle),
            _ => None,
        }
    }
}

// Who is stepped.

/// The kind of step in which a node in the tree steps from now on; `None`: none.
pub(in crate::action) fn place(node: &Gd<Node>, callback: Option<i64>) {
    let ridden = callback.filter(|callback| priority(node, *callback) != 0);
    ticking::ride(&mut node.clone(), ridden, ride);
    match callback.filter(|_| ridden.is_none()) {
        Some(callback) => enlist(node, callback),
        None => dismiss(node.instance_id()),
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
fn ride(node: Gd<Node>, delta: f64) {
    let id = node.instance_id();
    step(id, delta);
    let callback = with(id, |state| state.callback).filter(|_| node.is_instance_valid());
    if callback.is_some_and(|callback| priority(&node, callback) == 0) {
        place(&node, callback);
    }
}

/// One step of one node.
pub(in crate::action) fn step(id: InstanceId, delta: f64) {
    let begun = monitors::begin();
    step_alone(id, delta);
    monitors::end(begun);
}

/// The node steps with the others from now on, at its place in the tree.
fn enlist(node: &Gd<Node>, callback: i64) {
    dismiss(node.instance_id());
    let Some(reader) = Reader::of(node.instance_id()) else { return };
    let lane = LANES.with_borrow_mut(|lanes| lanes.of(callback).cloned());
    let Some(lane) = lane else { return };
    let Some(state) = STATES.lock().handle(node.instance_id()) else { return };
    let stands_before = |other: &Member| {
        let other = Gd::<Node>::try_from_instance_id(other.reader.id());
        other.is_ok_and(|other| other.is_inside_tree() && node.is_greater_than(&other))
    };
    // Mostly it comes after all others.
    let at = match lane.last() {
        Some(last) if !stands_before(last) => lane.partition_point(stands_before),
        _ => lane.len(),
    };
    drop(lane);
    LANES.with_borrow_mut(|lanes| {
        if let Some(lane) = lanes.of(callback) {
            let at = at.min(lane.len());
            Rc::make_mut(lane).insert(at, Member { reader, state });
        }
    });
}

/// The node is not stepped any more.
pub(in crate::action) fn dismiss(id: InstanceId) {
    LANES.with_borrow_mut(|lanes| {
        for callback in [PROCESS_PHYSICS, PROCESS_IDLE] {
            if let Some(lane) = lanes.of(callback)
                && lane.iter().any(|member| member.reader.id() == id)
            {
                Rc::make_mut(lane).retain(|member| member.reader.id() != id);
            }
        }
    });
}

/// The node that steps them is in the tree.
pub(super) fn ensure_stepper() {
    let known = STEPPER.get().and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    if known.is_some_and(|stepper| stepper.is_inside_tree()) {
        return;
    }
    let Some(mut root) = network::tree().and_then(|tree| tree.get_root()) else { return };
    let mut stepper = RiposteStepper::new_alloc();
    stepper.set_process_mode(ProcessMode::ALWAYS);
    // Behind every other child, also of those that come.
    root.add_child_ex(&stepper).internal(InternalMode::BACK).done();
    STEPPER.set(Some(stepper.instance_id()));
}

/// Steps all evaluators that do not step by a callback of their own.
#[derive(GodotClass)]
#[class(init, internal, base = Node)]
struct RiposteStepper {
    base: Base<Node>,
}

#[godot_api]
impl INode for RiposteStepper {
    #[func(gd_self)]
    fn physics_process(_this: Gd<Self>, delta: f64) {
        run(PROCESS_PHYSICS, delta);
    }

    #[func(gd_self)]
    fn process(_this: Gd<Self>, delta: f64) {
        run(PROCESS_IDLE, delta);
    }
}

// One step of all.

/// One step of all members of a lane.
struct Round {
    callback: i64,
    delta: f64,
    at: usize,
    networked: bool,
    units_per_meter: OnceCell<f64>,
    /// Of the tags of the world, until code of the game has run.
    world_version: Cell<Option<u64>>,
    /// Members that have a priority of their own now.
    leavers: Vec<InstanceId>,
    ahead: Ahead,
    /// What ticks are given that are no longer than the one before.
    length: Delta,
    /// The tick that was called last, until its step goes on.
    ticked: Option<Tick>,
    /// Where ticks are noted while they are out.
    spare: SpareStack,
}

/// Why the steps under the lock are interrupted.
enum Stop {
    /// The step of this evaluator is to be made alone.
    Alone(InstanceId),
    /// Something is to be found out before this evaluator can decide.
    Learn(InstanceId),
    /// The step of this evaluator goes on with this.
    Pump(InstanceId, Asked),
    /// What runs has its tick.
    Tick(Tick),
}

fn run(callback: i64, delta: f64) {
    let members = LANES.with_borrow_mut(|lanes| lanes.of(callback).cloned()).unwrap_or_default();
    if members.is_empty() {
        return;
    }
    let begun = monitors::begin();
    let networked = is_networked();
    let mut round = Round {
        callback,
        delta,
        at: 0,
        networked,
        units_per_meter: OnceCell::new(),
        world_version: Cell::new(None),
        leavers: Vec::new(),
        ahead: Ahead::take(usize::from(callback == PROCESS_IDLE), members.len()),
        length: Delta::new(delta),
        ticked: None,
        spare: ticks::take_spare(),
    };
    forget_readings();
    while let Some(stop) = round.advance(&members) {
        round.settle(stop);
    }
    BODIES.with_borrow_mut(Bodies::tidy);
    round.ahead.keep();
    ticks::keep_spare(round.spare);
    for leaver in round.leavers {
        if let Ok(node) = Gd::<Node>::try_from_instance_id(leaver) {
            place(&node, Some(callback));
        }
    }
    monitors::end(begun);
}

/// Code of the game has run: whatever was read may be different.
fn forget_readings() {
    BODIES.with_borrow_mut(Bodies::next_moment);
}

/// How many nodes were read by steps so far, each once per step and node.
#[cfg(debug_assertions)]
pub(crate) fn readings() -> u64 {
    BODIES.with_borrow(Bodies::readings)
}

impl Round {
    /// Makes steps until one needs more than this; `None` when all are made.
    fn advance(&mut self, members: &[Member]) -> Option<Stop> {
        let mut states = STATES.lock();
        if let Some(tick) = self.ticked.take()
            && let Some(asked) = tick.end(&mut states, &mut self.spare)
        {
            return Some(Stop::Pump(tick.id, asked));
        }
        BODIES.with_borrow_mut(|bodies| {
            while let Some(member) = members.get(self.at) {
                let at = self.at;
                self.at += 1;
                self.expect(at, members, &states);
                let node = member.reader.live().filter(|node| node.is_inside_tree() && node.can_process());
                let (Some(node), Some(state)) = (node, states.at_mut(member.state)) else { continue };
                let physics = self.callback == PROCESS_PHYSICS;
                if (if physics { node.physics_priority() } else { node.idle_priority() }) != 0 {
                    self.leavers.push(member.reader.id());
                }
                self.ahead.note_step(at, node.address(), state);
                let stop = self.step(at, member, state, bodies);
                if stop.is_some() {
                    return stop;
                }
            }
            None
        })
    }

    /// Members that come soon are asked for.
    fn expect(&self, at: usize, members: &[Member], states: &NodeStore<State>) {
        self.ahead.expect_steps(at);
        let near = Ahead::next_to_decide(at);
        let state = members.get(near).and_then(|member| states.at(member.state));
        if state.is_some_and(|state| state.core.is_due_in(self.delta * state.time_scale)) {
            self.ahead.expect_decision(near);
        }
        if let Some(member) = members.get(at + Ahead::FAR) {
            ticks::expect(member.state);
        }
    }

    /// One step, with the states locked.
    fn step(&mut self, at: usize, member: &Member, state: &mut State, bodies: &mut Bodies) -> Option<Stop> {
        let id = member.reader.id();
        if state.callback != self.callback || state.stepping {
            return None;
        }
        let scaled = self.delta * state.time_scale;
        if !state.is_plain(scaled, self.networked) {
            return Some(Stop::Alone(id));
        }
        if !agent_lives(state, bodies, scaled) {
            return None;
        }
        match state.step_quietly(scaled, &mut self.spare) {
            Quiet::No => Some(Stop::Alone(id)),
            Quiet::Tick(ticket, run) => {
                state.stepping = true;
                Some(Stop::Tick(Tick { id, at: member.state, ticket, run, seconds: scaled }))
            }
            Quiet::Over => None,
            Quiet::Due => {
                let stop = self.decide(id, state, bodies, true);
                self.ahead.note_decision(at, state.glance.found);
                stop
            }
        }
    }

    /// The decision of a step, with the states locked. `learns`: something may be found out first.
    fn decide(&self, id: InstanceId, state: &mut State, bodies: &mut Bodies, learns: bool) -> Option<Stop> {
        match self.look(state, bodies) {
            Sight::Unknown if learns => return Some(Stop::Learn(id)),
            Sight::View(mut view) => {
                view.told = state.core.is_recording() && recording::is_heard(id, state);
                if SCRATCH.with_borrow_mut(|scratch| state.core.decide_quietly(&view, scratch)) {
                    return None;
                }
            }
            Sight::Unknown | Sight::Asks => state.core.decide_due(),
        }
        state.stepping = true;
        Some(Stop::Pump(id, Asked::next(state, 0)))
    }

    /// What stopped the steps, with nothing locked.
    fn settle(&mut self, stop: Stop) {
        match stop {
            Stop::Alone(id) => step_slowly(id, self.delta),
            Stop::Tick(tick) => {
                if self.length.seconds().to_bits() != tick.seconds.to_bits() {
                    self.length = Delta::new(tick.seconds);
                }
                tick.call(&self.length);
                self.ticked = Some(tick);
            }
            Stop::Pump(id, asked) => {
                pump(id, 0, asked, None);
                with(id, |state| state.stepping = false);
            }
            Stop::Learn(id) => {
                let agent = with(id, |state| state.agent).flatten();
                let known = agent.map(Known::find_out).unwrap_or_default();
                let next = STATES.lock().get_mut(id).and_then(|state| {
                    BODIES.with_borrow_mut(|bodies| {
                        if let Some(agent) = state.agent {
                            bodies.learn(agent, &mut state.glance.agent, known);
                        }
                        self.decide(id, state, bodies, false)
                    })
                });
                return if let Some(next) = next {
                    self.settle(next)
                };
            }
        }
        forget_readings();
        self.world_version.set(None);
    }
}

/// True unless the agent was freed. An agent that is about to be looked at for a decision is looked at now, so that it is
/// searched only once.
fn agent_lives(state: &mut State, bodies: &mut Bodies, scaled: f64) -> bool {
    let Some(agent) = state.agent else { return false };
    if state.core.is_due_in(scaled) && state.core.is_quiet() {
        return bodies.see(agent, &mut state.glance.agent).is_some_and(|seen| seen.lives);
    }
    engine_reads::lives(agent)
}

/// What a decision sees without asking anybody.
enum Sight {
    View(QuietView),
    /// It is not known who would have to be asked.
    Unknown,
    /// Somebody has to be asked.
    Asks,
}

impl Round {
    fn look(&self, state: &mut State, bodies: &mut Bodies) -> Sight {
        let Some(agent) = state.agent.filter(|_| state.core.is_quiet()) else { return Sight::Asks };
        let (needs, glance) = (state.needs, &mut state.glance);
        let Some((known, known_at)) = bodies.known(agent, &mut glance.agent, bodies::epoch()) else {
            return Sight::Unknown;
        };
        if needs.angle && !known.looks_ahead || needs.health && !known.plain_health {
            return Sight::Asks;
        }
        let seen = state.target.and_then(|id| Some((id, bodies.see(id, &mut glance.target)?)));
        (glance.found.agent, glance.found.target) = (known_at, seen.map_or(0, |(_, seen)| seen.address));
        let target = seen.filter(|(_, seen)| seen.live);
        if target.is_none() && state.use_perception && known.attends
            || needs.target_health && target.is_some()
        {
            return Sight::Asks;
        }
        let health = if needs.health {
            let (health, at) = health::kept_by_vitals(known.vitals);
            glance.found.health = at;
            health
        } else {
            1.0
        };
        let target = target.map(|(id, seen)| {
            let own = bodies.see(agent, &mut glance.agent);
            self.aim(id, own.filter(|own| own.inside), &seen, needs.angle)
        });
        self.read_tags(state, agent);
        Sight::View(QuietView { health, target, told: false })
    }

    fn aim(&self, id: InstanceId, own: Option<Seen>, target: &Seen, angle: bool) -> QuietTarget {
        let units = |flat| {
            if flat { *self.units_per_meter.get_or_init(|| places::units_per_meter(true)) } else { 1.0 }
        };
        let way = own.map(|own| own.way_to(target, units)).unwrap_or_default();
        let looks = own.filter(|own| angle && own.placed);
        let angle = looks.map_or(0.0, |own| places::angle_of(own.forward, own.flat, &way));
        QuietTarget { key: key_of(id), distance: way.distance, meters: way.meters, angle, health: 1.0 }
    }

    /// The tags of agent, target and world, as far as they may be others.
    fn read_tags(&self, state: &mut State, agent: InstanceId) {
        let (at, core) = ((tag_epoch(), state.target), &mut state.core);
        let all = state.needs.tags;
        if state.glance.tags != Some(at) || !core.knows_tags() {
            state.glance.tags = Some(at);
            agent::read_tags(agent, |tags, stamp| core.read_tags(TagsOf::Agent, stamp.mark(), tags));
            match state.target.filter(|_| all) {
                Some(target) => {
                    agent::read_tags(target, |tags, stamp| {
                        core.read_tags(TagsOf::Target, stamp.mark(), tags);
                    });
                }
                None => core.read_tags(TagsOf::Target, (0, 0), &TagSet::default()),
            }
            if !all {
                core.read_tags(TagsOf::World, (0, 0), &TagSet::default());
            }
        }
        let known = self.world_version.get().filter(|version| core.has_read(TagsOf::World, (1, *version)));
        if all && known.is_none() {
            agent::read_world_tags(|tags, version| {
                core.read_tags(TagsOf::World, (1, version), tags);
                self.world_version.set(Some(version));
            });
        }
    }
}
