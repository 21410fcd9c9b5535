//! Systems with an order that runs and nothing to do for it: a step moves their clock, as long as the target is there. What that
//! needs lies in one row for each, close together, because ten thousand of them are stepped one after the other.

use godot::obj::InstanceId;
use riposte_core::command::Steady;

use super::aim::Aim;
use super::state::State;
use crate::base::engine_reads::{Live, Reader, Stand};
use crate::base::network;

/// All rows.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    free: Vec<u32>,
    /// The one that was stepped last.
    last: u32,
}

/// What a steady step of one system needs. Its state knows less until it is brought up to date.
#[derive(Default)]
struct Row {
    /// Whose row it is.
    system: Option<InstanceId>,
    /// `None`: its steps are the long ones.
    clock: Option<Steady>,
    time_scale: f64,
    /// The first target of the order.
    target: Option<Reader>,
    /// Where that was in the last step.
    seen_at: Option<Aim>,
    /// Who was stepped after this one: mostly it is the same one again.
    next: u32,
}

impl Rows {
    /// A row for a system.
    pub fn add(&mut self, system: InstanceId) -> u32 {
        let row = Row { system: Some(system), ..Row::default() };
        if let Some(at) = self.free.pop() {
            self.rows[at as usize] = row;
            return at;
        }
        self.rows.push(row);
        self.rows.len() as u32 - 1
    }

    /// The system is gone.
    pub fn remove(&mut self, row: u32) {
        self.rows[row as usize] = Row::default();
        self.free.push(row);
    }

    /// Before a state is changed: it has all there is to know, and its next step is a long one.
    pub fn wake(&mut self, state: &mut State) {
        self.bring_up_to_date(state);
        self.rows[state.row as usize].clock = None;
    }

    /// Before a state is read.
    pub fn bring_up_to_date(&self, state: &mut State) {
        let row = &self.rows[state.row as usize];
        let Some(clock) = row.clock else { return };
        state.core.catch_up(clock);
        if let Some(living) = &mut state.living {
            living.seen_at = row.seen_at;
        }
    }

    /// After a step: the next ones are short, if they will find nothing to do.
    pub fn rest(&mut self, state: &State) {
        let Some(living) = &state.living else { return };
        let plain = living.watched.is_empty()
            && state.core.is_living(living.execution)
            && state.left.is_empty()
            && state.forgotten.is_empty()
            && state.peers.are_none()
            && !network::is_networked_now()
            // Else it is about to be stepped no more.
            && state.core.wants_tick();
        let row = &mut self.rows[state.row as usize];
        row.clock = if plain { state.core.steady() } else { None };
        row.time_scale = state.time_scale;
        row.target = living.targets.first().copied();
        row.seen_at = living.seen_at;
    }

    /// A short step; see [`super::state::pass`]. `find` tells the row of the system.
    pub fn pass(&mut self, system: InstanceId, delta: f64, find: impl FnOnce() -> Option<u32>) -> bool {
        let guess = self.rows.get(self.last as usize).map(|last| last.next);
        let guessed =
            guess.filter(|at| self.rows.get(*at as usize).is_some_and(|row| row.system == Some(system)));
        let Some(at) = guessed.or_else(find) else { return false };
        if guessed.is_none()
            && let Some(last) = self.rows.get_mut(self.last as usize)
        {
            last.next = at;
        }
        self.last = at;
        self.rows.get_mut(at as usize).is_some_and(|row| row.pass(delta))
    }
}

impl Row {
    fn pass(&mut self, delta: f64) -> bool {
        let Some(clock) = &mut self.clock else { return false };
        let dt = delta * self.time_scale;
        if dt <= 0.0 {
            return true;
        }
        if let Some(target) = &self.target {
            let Some(target) = target.live().filter(is_there) else { return false };
            if let Some(stand) = target.stand() {
                self.seen_at = Some(place_of(stand));
            }
        }
        clock.pass(dt)
    }
}

/// A node that counts as a target.
pub(super) fn is_there(node: &Live) -> bool {
    node.is_inside_tree() && !node.is_queued_for_deletion()
}

/// The place alone.
pub(super) fn place_of(stand: Stand) -> Aim {
    match stand {
        Stand::Space(at) => Aim::Space(at.origin),
        Stand::Plane(at) => Aim::Plane(at.origin),
    }
}
