//! Who is stepped together with others, and in which order.
//!
//! A node is stepped in a frame if it was switched on before the nodes of that frame began to step; who is switched on
//! meanwhile comes with the next frame. So the engine has it, and so it stays here.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

use godot::prelude::*;
use riposte_core::arena::Handle;

use super::state::{self, State, with};
use crate::base::engine_reads::{Live, Reader};
use crate::base::store::NodeStore;
use crate::base::ticking::{PROCESS_IDLE, PROCESS_PHYSICS};

/// Both kinds of step that the engine makes.
pub(super) const KINDS: [i64; 2] = [PROCESS_PHYSICS, PROCESS_IDLE];

/// More than one in so many that come, and all are put in order; else each finds its place.
const FEW: usize = 16;

fn lane_of(callback: i64) -> usize {
    usize::from(callback == PROCESS_IDLE)
}

/// What a player knows of its place among those that are stepped together.
#[derive(Default)]
pub(super) struct Seat {
    /// The kind of step that it takes part in now.
    callback: Option<i64>,
    /// The number under which it stands in the row of a kind of step; 0: it does not, and a place with another number is none.
    numbers: [u64; 2],
    /// The first round that steps it.
    first: u64,
    /// It was switched off in this round, which was to step it.
    left: Option<(i64, u64)>,
    /// A relay steps it, as it has a priority of its own.
    pub ridden: bool,
    /// Its script has taken the engine's callback, so that the node's own switch is the script's.
    pub taken: bool,
}

/// A place in the row.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub reader: Reader,
    state: Handle,
    number: u64,
}

/// Those that are stepped in one kind of step.
#[derive(Default)]
struct Lane {
    /// In the order of the tree.
    members: Vec<Member>,
    /// They find their place before the next round.
    coming: Vec<Member>,
    /// The round that is under way, or the next one.
    round: u64,
    /// The nodes of this frame have begun to step.
    begun: bool,
}

thread_local! {
    static LANES: RefCell<[Lane; 2]> = RefCell::default();
    static NUMBERS: Cell<u64> = const { Cell::new(0) };
}

fn lane<R>(callback: i64, act: impl FnOnce(&mut Lane) -> R) -> R {
    LANES.with_borrow_mut(|lanes| act(&mut lanes[lane_of(callback)]))
}

impl Seat {
    fn rise(&mut self) {
        let Some(callback) = self.callback.take() else { return };
        let (round, begun) = lane(callback, |lane| (lane.round, lane.begun));
        self.left = (begun && self.first <= round).then_some((callback, round));
    }

    /// True if it stands in the row already.
    fn take(&mut self, callback: i64) -> bool {
        if self.callback != Some(callback) {
            self.rise();
            let (round, begun) = lane(callback, |lane| (lane.round, lane.begun));
            let late = begun && self.left != Some((callback, round));
            self.first = if late { round + 1 } else { round };
            self.callback = Some(callback);
        }
        self.numbers[lane_of(callback)] != 0
    }

    /// It left the tree: it will stand elsewhere.
    pub fn leave(&mut self) {
        self.rise();
        self.numbers = [0; 2];
    }
}

/// The player is stepped with the others from now on.
pub(super) fn sit(node: &Gd<Node>, callback: i64) {
    let id = node.instance_id();
    if with(id, |state| state.seat.take(callback)).unwrap_or(true) {
        return;
    }
    let Some(state) = state::handle(id) else { return };
    let reader = Reader::placeless(node);
    let number = NUMBERS.get() + 1;
    NUMBERS.set(number);
    with(id, |state| state.seat.numbers[lane_of(callback)] = number);
    lane(callback, |lane| lane.coming.push(Member { reader, state, number }));
}

/// The player is not stepped with the others.
pub(super) fn rise(id: InstanceId) {
    with(id, |state| state.seat.rise());
}

/// Somebody stands in the row.
pub(super) fn is_needed(callback: i64) -> bool {
    lane(callback, |lane| !lane.members.is_empty() || !lane.coming.is_empty())
}

/// The nodes of a frame begin to step.
pub(super) fn begin(callback: i64) {
    lane(callback, |lane| lane.begun = true);
}

/// Those that are to be stepped in the round that begins, and its number.
pub(super) fn open(callback: i64) -> (Vec<Member>, u64) {
    let (mut members, coming, round) = lane(callback, |lane| {
        (std::mem::take(&mut lane.members), std::mem::take(&mut lane.coming), lane.round)
    });
    if coming.len() * FEW > members.len() {
        members.extend(coming);
        sort(&mut members, callback);
    } else {
        coming.into_iter().for_each(|member| insert(&mut members, member));
    }
    (members, round)
}

/// The round is over.
pub(super) fn close(callback: i64, mut members: Vec<Member>, resting: usize) {
    // Who rests mostly goes on soon, and would have to find its place again.
    if resting * 2 > members.len() {
        state::all(|states| members.retain(|member| member.stays(states, callback)));
    }
    lane(callback, |lane| {
        lane.members = members;
        lane.begun = false;
        lane.round += 1;
    });
}

/// The order of the tree. Mostly there is little to do, as those who come stand in that order too.
fn sort(members: &mut Vec<Member>, callback: i64) {
    let gone = members.extract_if(.., |member| member.node().is_none()).collect::<Vec<_>>();
    state::all(|states| gone.iter().for_each(|member| member.give_up(states, callback)));
    members.sort_by(Member::order);
}

/// Where it stands in the tree.
fn insert(members: &mut Vec<Member>, member: Member) {
    let at = match members.last() {
        Some(last) if !member.stands_behind(last) => {
            members.partition_point(|other| member.stands_behind(other))
        }
        _ => members.len(),
    };
    members.insert(at, member);
}

impl Member {
    /// The node, while it is in the tree.
    fn node(&self) -> Option<Live<'_>> {
        self.reader.live().filter(Live::is_inside_tree)
    }

    fn stands_behind(&self, other: &Self) -> bool {
        let nodes = self.node().zip(other.node()).filter(|_| self.reader.id() != other.reader.id());
        nodes.is_some_and(|(node, other)| node.is_behind(&other))
    }

    /// One that left and came back may stand there twice, of which one place is given up.
    fn order(&self, other: &Self) -> Ordering {
        match (self.reader.id() == other.reader.id(), self.stands_behind(other)) {
            (true, _) => Ordering::Equal,
            (_, true) => Ordering::Greater,
            (_, false) => Ordering::Less,
        }
    }

    /// Nobody sits there any more.
    fn give_up(&self, states: &mut NodeStore<State>, callback: i64) {
        if let Some(state) = self.state(states, callback) {
            state.seat.numbers[lane_of(callback)] = 0;
        }
    }

    /// The state of who sits here, unless the place is given up.
    pub fn state<'a>(&self, states: &'a mut NodeStore<State>, callback: i64) -> Option<&'a mut State> {
        let state = states.at_mut(self.state)?;
        (state.seat.numbers[lane_of(callback)] == self.number).then_some(state)
    }

    fn stays(&self, states: &mut NodeStore<State>, callback: i64) -> bool {
        let stays = self.state(states, callback).is_some_and(|state| state.seat.takes_part(callback));
        if !stays {
            self.give_up(states, callback);
        }
        stays
    }
}

impl Seat {
    /// Whether it takes part in this kind of step.
    pub fn takes_part(&self, callback: i64) -> bool {
        self.callback == Some(callback)
    }

    /// Whether this round steps it.
    pub fn is_due(&self, round: u64) -> bool {
        self.first <= round
    }
}
