//! What a stack is asked to do: set, remove, finish, tick, pause and leave.

use std::collections::VecDeque;

use super::layers::{LayerId, Layers, Life, Occupant};
use super::turn::{Leaving, Phase, Signal};
use crate::runner::{ExitReason, RunnerStatus};

/// Names one behaviour on one layer, from its set to its end. Counts up from 1 and is never used again.
pub type RouteId = i64;

/// Why a behaviour was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetRefusal {
    /// There is no such layer.
    UnknownLayer,
    /// The behaviour holds this layer already.
    OnLayer(LayerId),
    /// The stack is outside the tree.
    Closed,
    /// Hooks and handlers of one turn set behaviours without end.
    TooLong,
}

/// Steps of one turn after which nothing new is set from inside it.
pub(super) const LONGEST_TURN: u32 = 4096;

/// The layers of one agent, and the turn that is under way.
///
/// The highest layer that holds a behaviour is active; only that one is ticked. Every enter has exactly one exit.
#[derive(Clone, Debug)]
pub struct BehaviorStack {
    pub(super) layers: Layers,
    last_route: RouteId,
    disabled: bool,
    closed: bool,
    /// It was ready once; before that nothing enters.
    ready: bool,
    /// The one that entered or resumed last, and was neither suspended nor told to leave since.
    pub(super) live: Option<RouteId>,
    pub(super) leaving: VecDeque<Leaving>,
    pub(super) told: VecDeque<Signal>,
    /// The active layer that was told last.
    pub(super) announced: Option<LayerId>,
    pub(super) phase: Phase,
    /// Its tick is due.
    pub(super) to_tick: Option<RouteId>,
    /// Steps of this turn; none is under way without it.
    pub(super) turn: Option<u32>,
}

impl Default for BehaviorStack {
    fn default() -> Self {
        Self::new()
    }
}

impl BehaviorStack {
    /// A stack without layers, outside the tree.
    pub fn new() -> Self {
        Self {
            layers: Layers::default(),
            last_route: 0,
            disabled: false,
            closed: true,
            ready: false,
            live: None,
            leaving: VecDeque::new(),
            told: VecDeque::new(),
            announced: None,
            phase: Phase::default(),
            to_tick: None,
            turn: None,
        }
    }

    /// Other layers, lowest first. Behaviours of layers that are gone are removed; a name that comes twice counts once.
    pub fn set_layers(&mut self, names: &[String]) {
        for slot in self.layers.replace(names) {
            if let Some(held) = slot.held {
                self.take_out(slot.layer, held, ExitReason::Removed);
            }
        }
    }

    /// The layer with this name.
    pub fn find_layer(&self, name: &str) -> Option<LayerId> {
        self.layers.find(name)
    }

    /// The name of a layer.
    pub fn layer_name(&self, layer: LayerId) -> &str {
        self.layers.name(layer)
    }

    /// The names of all layers, lowest first.
    pub fn layer_names(&self) -> Vec<&str> {
        self.layers.slots.iter().map(|slot| self.layers.name(slot.layer)).collect()
    }

    /// Whether [`Self::set`] would take a behaviour. Changes nothing.
    pub fn check(&self, layer: &str, behavior: i64) -> Result<LayerId, SetRefusal> {
        let layer = self.layers.find(layer).ok_or(SetRefusal::UnknownLayer)?;
        if self.closed {
            return Err(SetRefusal::Closed);
        }
        if self.turn.is_some_and(|steps| steps >= LONGEST_TURN) {
            return Err(SetRefusal::TooLong);
        }
        let holds = |slot: &&super::layers::Slot| slot.held.is_some_and(|held| held.behavior == behavior);
        match self.layers.slots.iter().find(holds) {
            Some(slot) if slot.layer != layer => Err(SetRefusal::OnLayer(slot.layer)),
            _ => Ok(layer),
        }
    }

    /// Puts a behaviour on a layer; what the layer held is replaced. It enters as soon as its layer is active.
    pub fn set(&mut self, layer: &str, behavior: i64) -> Result<RouteId, SetRefusal> {
        let layer = self.check(layer, behavior)?;
        self.last_route += 1;
        let new = Occupant { route: self.last_route, behavior, life: Life::Waiting };
        let old = self.layers.slot_mut(layer).and_then(|slot| slot.held.replace(new));
        if let Some(old) = old {
            self.take_out(layer, old, ExitReason::Replaced);
        }
        Ok(self.last_route)
    }

    /// Takes exactly this route away. False: it is gone already.
    pub fn remove(&mut self, route: RouteId) -> bool {
        self.end(route, ExitReason::Removed)
    }

    /// The node of a route was freed. False: it is gone already.
    pub fn freed(&mut self, route: RouteId) -> bool {
        self.end(route, ExitReason::Freed)
    }

    /// A behaviour said that it is done, in its tick or at any time between enter and exit. A looping one keeps its layer
    /// and enters again in the next tick. False: it still runs, never entered, or is gone.
    pub fn ended(&mut self, route: RouteId, status: RunnerStatus, loops: bool) -> bool {
        let Some(reason) = ExitReason::of(status) else { return false };
        let Some((layer, held)) = self.layers.holding(route).filter(|found| found.1.life.is_entered()) else {
            return false;
        };
        if !loops {
            return self.end(route, reason);
        }
        if let Some(held) = self.layers.held_mut(route) {
            held.life = Life::Ending;
        }
        self.leave(Leaving { layer, route: held.route, reason, entered: true, again: true });
        true
    }

    /// Switched off, nothing is active: what runs is suspended until it is switched on.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.disabled = !enabled;
    }

    /// It is in the tree with all its children: behaviours may enter.
    pub fn open(&mut self) {
        self.closed = false;
        self.ready = true;
    }

    /// It is in the tree, its children maybe not.
    pub fn enter_tree(&mut self) {
        self.closed = false;
    }

    /// It leaves the tree: every behaviour leaves, the active one first, then from the highest layer down.
    pub fn close(&mut self) {
        self.closed = true;
        self.ready = false;
        self.to_tick = None;
        let live = self.live;
        if let Some(live) = live {
            self.end(live, ExitReason::StackRemoved);
        }
        while let Some((_, held)) = self.layers.highest() {
            self.end(held.route, ExitReason::StackRemoved);
        }
    }

    /// Begins a tick: the active behaviour is to be ticked, and one that loops enters again. Refused inside a turn.
    pub fn tick(&mut self) -> bool {
        if self.turn.is_some() || self.closed || self.disabled {
            return false;
        }
        for slot in &mut self.layers.slots {
            if let Some(held) = slot.held.as_mut().filter(|held| held.life == Life::Resting) {
                held.life = Life::Waiting;
            }
        }
        self.to_tick = self.live;
        true
    }

    /// The highest layer that holds a behaviour; none while nothing may run.
    pub fn active_layer(&self) -> Option<LayerId> {
        self.target().map(|found| found.0)
    }

    /// The route that a layer holds.
    pub fn route(&self, layer: LayerId) -> Option<RouteId> {
        self.layers.slot(layer).and_then(|slot| slot.held).map(|held| held.route)
    }

    /// The behaviour that a layer holds.
    pub fn behavior(&self, layer: LayerId) -> Option<i64> {
        self.layers.slot(layer).and_then(|slot| slot.held).map(|held| held.behavior)
    }

    /// The layer that holds a route.
    pub fn layer_of(&self, route: RouteId) -> Option<LayerId> {
        self.layers.holding(route).map(|found| found.0)
    }

    /// Every route that holds a layer, lowest first.
    pub fn routes(&self) -> Vec<RouteId> {
        self.layers.slots.iter().filter_map(|slot| slot.held).map(|held| held.route).collect()
    }

    /// True if it entered and has not left.
    pub fn is_entered(&self, route: RouteId) -> bool {
        self.layers.holding(route).is_some_and(|found| found.1.life.is_entered())
    }

    /// True while hooks and handlers of a turn run.
    pub fn is_in_turn(&self) -> bool {
        self.turn.is_some()
    }

    /// False: a tick would change nothing.
    pub fn wants_ticks(&self) -> bool {
        !self.closed && !self.disabled && self.layers.highest().is_some()
    }

    /// True outside the tree: nothing can be set.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// What should be live now.
    pub(super) fn target(&self) -> Option<(LayerId, Occupant)> {
        if self.disabled || self.closed || !self.ready { None } else { self.layers.highest() }
    }

    fn end(&mut self, route: RouteId, reason: ExitReason) -> bool {
        let Some((layer, held)) = self.layers.holding(route) else { return false };
        if let Some(slot) = self.layers.slot_mut(layer) {
            slot.held = None;
        }
        self.take_out(layer, held, reason);
        true
    }

    /// A behaviour does not hold its layer any more; whoever has to be told of it will be.
    fn take_out(&mut self, layer: LayerId, held: Occupant, reason: ExitReason) {
        if held.life != Life::Ending {
            let entered = held.life.is_entered();
            self.leave(Leaving { layer, route: held.route, reason, entered, again: false });
            return;
        }
        // It is being told of its own end already, and does not come back from it.
        for leaving in self.leaving.iter_mut().chain(self.phase.leaving_mut()) {
            if leaving.route == held.route {
                leaving.again = false;
            }
        }
    }

    fn leave(&mut self, leaving: Leaving) {
        if self.live == Some(leaving.route) {
            self.live = None;
        }
        self.leaving.push_back(leaving);
    }
}
