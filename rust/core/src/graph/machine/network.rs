//! A player whose agent is owned by another peer: what the authority confirms, and how the others follow it.

use glam::DVec2;

use super::change::Change;
use super::entry::{Entry, fires_on};
use super::run::Run;
use super::state::Machine;
use super::walk::{Mode, Origin, Taking, Walk};
use crate::graph::parts::PartsWorld;
use crate::graph::{Effect, FiresOn, Moment, MoveEnd, Node, ROOT_INDEX, Wire};
use crate::tags::TagId;
use crate::time::TIME_TOLERANCE;

/// Seconds after its grace in which a finished move still counts for a move that is asked for.
const KEPT: f64 = 0.5;

/// A move that the owner has started and asks the authority for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Submission {
    /// The node by its index; the root's: the root.
    pub to: u32,
    /// The input that led to it.
    pub tag: TagId,
    /// Its moment.
    pub moment: Moment,
    /// The stick then.
    pub stick: DVec2,
    /// The direction in the world then.
    pub direction: DVec2,
    /// Seconds that it may come before its time: the tolerance and the round trip.
    pub leeway: f64,
    /// What the payload of the running move says of its times.
    pub told: ToldTimes,
}

/// Times of a run that only a script knows, in node time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ToldTimes {
    /// From here on another move may follow.
    pub chain: Option<f64>,
    /// Here it ends, if it is not known otherwise.
    pub end: Option<f64>,
}

/// A node that another peer says is the one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// By its index; the root's: the root.
    pub node: u32,
    /// Node time.
    pub node_time: f64,
    /// The direction of its input.
    pub direction: DVec2,
}

/// The owner cut a move that may not be cut: nothing is taken from it until then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OwnerLock {
    run: u64,
    until: f64,
}

/// How a move that is asked for is reached.
enum Route {
    Through(Taking),
    /// No.
    No,
    /// No, and the owner is locked.
    Forbidden,
}

/// Node time from which a transition may be taken.
fn earliest_chain(run: &Run, wire: &Wire, told: ToldTimes) -> f64 {
    let plan = run.plan();
    let opens = |kind: &str| {
        let windows = run.times.windows.iter().filter(|window| &*window.kind == kind);
        windows.map(|window| run.origin + window.start).fold(f64::INFINITY, f64::min)
    };
    let window = match &*wire.kinds {
        [] => earliest_window(run, plan, told),
        kinds => {
            let authored = kinds.iter().map(|kind| opens(kind)).fold(f64::INFINITY, f64::min);
            if authored < f64::INFINITY { authored } else { told.chain.unwrap_or(authored) }
        }
    };
    if wire.interrupts { window.min(plan.cancel_window_start) } else { window }
}

/// Node time of the end.
fn end(run: &Run, told: ToldTimes) -> f64 {
    if run.endless { told.end.unwrap_or(f64::INFINITY) } else { run.end() }
}

/// Node time from which inputs chain.
fn earliest_window(run: &Run, plan: &Node, told: ToldTimes) -> f64 {
    if let Some(chain) = told.chain {
        return chain;
    }
    let plain = run.times.windows.iter().filter(|window| window.is_plain());
    let first = plain.map(|window| run.origin + window.start).fold(f64::INFINITY, f64::min);
    if first < f64::INFINITY {
        return first;
    }
    if plan.from_entry { 0.0 } else { end(run, told) }
}

impl Machine {
    /// Whether every move that an input starts is told as [`Effect::Submitted`].
    pub fn set_submits(&mut self, submits: bool) {
        self.submits = submits;
    }

    /// The owner may not do anything for now, because it cut a move that may not be cut.
    pub fn is_owner_locked(&self) -> bool {
        let Some(lock) = self.owner_lock else { return false };
        self.run
            .as_ref()
            .is_some_and(|run| run.id == lock.run && self.clock.node < lock.until - TIME_TOLERANCE)
    }

    /// Begins to look whether a move that is asked for may start. What is not told here is refused.
    pub(super) fn submit(&mut self, asked: &Submission, world: &PartsWorld) {
        if self.is_owner_locked() {
            return;
        }
        match self.route(asked, world) {
            Route::No => {}
            Route::Forbidden => {
                let Some(run) = &self.run else { return };
                let until = earliest_window(run, run.plan(), asked.told);
                self.owner_lock = Some(OwnerLock { run: run.id, until });
            }
            Route::Through(taking) => {
                let entry = self.arrival(asked.tag, asked.moment, asked.stick, asked.direction);
                let subject = self.subject_of(&entry);
                self.begin_report(&subject, true);
                let walk = Walk::new(subject, Some(entry), true, Mode::Confirm, Origin::Peer);
                self.turn.begin_walk(walk.confirming(taking));
            }
        }
    }

    fn route(&self, asked: &Submission, world: &PartsWorld) -> Route {
        let Some(graph) = &self.graph else { return Route::No };
        let lineage = self.lineages.of(&asked.tag);
        let moment = fires_on(asked.moment);
        let wires = |node: u32| {
            let ranked = graph.node(node).ranked(moment).iter();
            ranked.filter(|rank| rank.input.is_some_and(|input| lineage.contains(&input)))
        };
        let leading = |node: u32| {
            let mut found = wires(node).map(|rank| rank.wire);
            found.find(|wire| graph.node(node).wires[*wire as usize].to == asked.to)
        };
        let taking = |node, wire, end| Taking { node, wire, to: asked.to, end, cut: false };
        let blocked = world.tags.matches_any(&self.settings.global_block_tags);
        let from_root = leading(ROOT_INDEX).filter(|_| !blocked);
        let Some(run) = self.run.as_ref() else {
            let finished = self.finished_node().filter(|_| !blocked);
            let own =
                finished.and_then(|node| leading(node).map(|wire| taking(node, wire, MoveEnd::Chained)));
            let root = from_root.map(|wire| taking(ROOT_INDEX, wire, MoveEnd::Chained));
            return own.or(root).map_or(Route::No, Route::Through);
        };
        if blocked && moment == FiresOn::Pressed {
            return Route::No;
        }
        let in_time = |earliest: f64| self.clock.node >= earliest - asked.leeway.max(0.0) - TIME_TOLERANCE;
        let own = leading(run.node).filter(|_| !run.deleted);
        if let Some(wire) = own {
            let found = &graph.node(run.node).wires[wire as usize];
            let is_open = found.kinds.is_empty() && self.open.is_plain_open()
                || self.open.any_of(&found.kinds).is_some();
            if is_open || in_time(earliest_chain(run, found, asked.told)) {
                return Route::Through(taking(run.node, wire, MoveEnd::Chained));
            }
        }
        let Some(wire) = from_root else { return Route::No };
        if in_time(end(run, asked.told)) {
            return Route::Through(taking(ROOT_INDEX, wire, MoveEnd::Completed));
        }
        let plan = run.plan();
        let named = |list: &[TagId]| list.iter().any(|one| lineage.contains(one));
        let may_cut = plan.can_be_cancelled
            && in_time(plan.cancel_window_start)
            && run.tag != Some(asked.tag)
            && (plan.cancellable_by.is_empty() || named(&plan.cancellable_by))
            && !named(&plan.ignored_cancels);
        match (may_cut, own) {
            (true, _) => {
                let cut = Taking { cut: true, ..taking(ROOT_INDEX, wire, MoveEnd::Cancelled) };
                Route::Through(cut)
            }
            (false, Some(_)) => Route::No,
            (false, None) => Route::Forbidden,
        }
    }

    /// The finished move that still counts for a move that is asked for.
    fn finished_node(&self) -> Option<u32> {
        let grace = self.grace.filter(|_| self.run.is_none())?;
        (self.clock.now - grace.since <= grace.limit + KEPT + TIME_TOLERANCE).then_some(grace.node)
    }

    /// The move of this peer is not the one: the authority's takes its place.
    pub(super) fn correct(&mut self, place: Place, refused: bool) {
        if let Some(run) = self.run.as_ref().filter(|_| refused) {
            let node = run.node;
            self.tell(Effect::MoveRejected { node });
        }
        self.clear_waiting();
        let end = if refused { MoveEnd::Rejected } else { MoveEnd::Cancelled };
        self.begin_change(Change::to_place(place, end, false));
    }

    /// This peer only shows what the authority plays.
    pub(super) fn mirror(&mut self, place: Place, end: MoveEnd) {
        self.begin_change(Change::to_place(place, end, true));
    }

    /// An input has led to a node or the root.
    pub(super) fn note_submission(&mut self, change: &Change) {
        let Some(entry) = change.entry.filter(|_| self.submits && !change.by_peer) else { return };
        let Entry { tag, moment, stick, direction, .. } = entry;
        self.tell(Effect::Submitted { from: change.left, to: change.to, tag, moment, stick, direction });
    }
}
