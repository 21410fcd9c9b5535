//! A turn: the order of hooks and of what is told.
//!
//! One transition after the other is made: at the most one hook of who leaves or is suspended and one of who enters or
//! resumes, then what both are to be told of. Who enters is decided when it is its turn, so that nothing enters only to
//! leave again, and nothing resumes between two behaviours of which one takes the place of the other.

use super::layers::{LayerId, Life};
use super::stack::LONGEST_TURN;
use super::{BehaviorStack, RouteId};
use crate::runner::ExitReason;

/// What the caller does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Call the tick of the active behaviour; what it says goes to [`BehaviorStack::ended`].
    Tick(RouteId),
    /// Let it begin.
    Enter(RouteId),
    /// Let it wait.
    Suspend(RouteId),
    /// Let it go on.
    Resume(RouteId),
    /// Let it end.
    Exit(RouteId, ExitReason),
    /// The route is over, after its exit or without one: undo what was done for it, and tell who ordered it.
    Over(RouteId, ExitReason),
    /// Emit a signal.
    Tell(Signal),
}

/// What is told of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A behaviour entered.
    Entered(LayerId, RouteId),
    /// A higher layer took over.
    Suspended(LayerId, RouteId),
    /// It is active again.
    Resumed(LayerId, RouteId),
    /// It left.
    Exited(LayerId, RouteId, ExitReason),
    /// Another layer is active: the one before, and the one now. Last in a turn.
    ActiveChanged(Option<LayerId>, Option<LayerId>),
}

/// A behaviour that lost its layer, or ended, and has to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaving {
    pub(super) layer: LayerId,
    pub(super) route: RouteId,
    pub(super) reason: ExitReason,
    /// False: it never entered, so it is not told.
    pub(super) entered: bool,
    /// It enters again in the next tick.
    pub(super) again: bool,
}

/// Where a transition stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing was done.
    #[default]
    Begin,
    /// The exit was called.
    Exited(Leaving),
    /// Whoever had to leave or to wait was told.
    Free,
    /// The hooks were called.
    Telling,
}

impl Phase {
    pub(super) fn leaving_mut(&mut self) -> Option<&mut Leaving> {
        if let Self::Exited(leaving) = self { Some(leaving) } else { None }
    }
}

impl BehaviorStack {
    /// Begins a turn. False: one is under way, and takes along whatever was changed.
    pub fn begin_turn(&mut self) -> bool {
        let begins = self.turn.is_none();
        if begins {
            self.turn = Some(0);
        }
        begins
    }

    /// Ends a turn of which [`Self::take_step`] said that nothing is left to do.
    pub fn end_turn(&mut self) {
        self.turn = None;
    }

    /// What to do next; none: the turn is over. To be called with nothing held, again and again; may be called from
    /// inside a hook when the stack leaves the tree in it.
    pub fn take_step(&mut self) -> Option<Step> {
        let step = self.next_step();
        if step.is_some() {
            self.turn = self.turn.map(|steps| steps.saturating_add(1));
        }
        step
    }

    fn next_step(&mut self) -> Option<Step> {
        if let Some(route) = self.to_tick.take().filter(|route| self.live == Some(*route)) {
            return Some(Step::Tick(route));
        }
        loop {
            match self.phase {
                Phase::Begin => {
                    if let Some(step) = self.begin_transition() {
                        return Some(step);
                    }
                }
                Phase::Exited(leaving) => {
                    self.phase = Phase::Free;
                    self.told.push_back(Signal::Exited(leaving.layer, leaving.route, leaving.reason));
                    if !leaving.again {
                        return Some(Step::Over(leaving.route, leaving.reason));
                    }
                    if let Some(held) = self.layers.held_mut(leaving.route) {
                        held.life = Life::Resting;
                    }
                }
                Phase::Free => {
                    self.phase = Phase::Telling;
                    if let Some(step) = self.take_over() {
                        return Some(step);
                    }
                }
                Phase::Telling => {
                    if let Some(signal) = self.told.pop_front() {
                        return Some(Step::Tell(signal));
                    }
                    self.phase = Phase::Begin;
                    if self.is_settled() {
                        return self.announce();
                    }
                }
            }
        }
    }

    /// Who has to leave or to wait. After it the transition goes on.
    fn begin_transition(&mut self) -> Option<Step> {
        match self.leaving.pop_front() {
            Some(leaving) if leaving.entered => {
                self.phase = Phase::Exited(leaving);
                return Some(Step::Exit(leaving.route, leaving.reason));
            }
            Some(leaving) => return Some(Step::Over(leaving.route, leaving.reason)),
            None => self.phase = Phase::Free,
        }
        if self.is_too_long() {
            return None;
        }
        let route = self.live.filter(|live| !self.is_target(*live))?;
        let (layer, _) = self.layers.holding(route)?;
        self.live = None;
        self.set_life(route, Life::Suspended);
        self.told.push_back(Signal::Suspended(layer, route));
        Some(Step::Suspend(route))
    }

    /// Who enters or resumes, if the place is free.
    fn take_over(&mut self) -> Option<Step> {
        let waits = self.leaving.iter().any(|leaving| leaving.entered);
        if self.live.is_some() || waits || self.is_too_long() {
            return None;
        }
        let (layer, held) = self.target()?;
        // Its hook took away what it was suspended for; it is told of the one before the other.
        if self.told.contains(&Signal::Suspended(layer, held.route)) {
            return None;
        }
        let (step, signal) = match held.life {
            Life::Waiting => (Step::Enter(held.route), Signal::Entered(layer, held.route)),
            Life::Suspended => (Step::Resume(held.route), Signal::Resumed(layer, held.route)),
            _ => return None,
        };
        self.live = Some(held.route);
        self.set_life(held.route, Life::Inside);
        self.told.push_back(signal);
        Some(step)
    }

    /// Handlers switch the stack off and on without end: nothing more begins until the next turn.
    fn is_too_long(&self) -> bool {
        self.turn.is_some_and(|steps| steps >= 2 * LONGEST_TURN)
    }

    /// True if no hook is due.
    fn is_settled(&self) -> bool {
        if self.is_too_long() {
            return self.leaving.is_empty();
        }
        let wants = match self.target() {
            Some((_, held)) => {
                self.live != Some(held.route)
                    && (self.live.is_some() || !matches!(held.life, Life::Resting | Life::Ending))
            }
            None => self.live.is_some(),
        };
        self.leaving.is_empty() && !wants
    }

    fn announce(&mut self) -> Option<Step> {
        let (previous, current) = (self.announced, self.active_layer());
        if self.turn.is_some_and(|steps| steps >= 3 * LONGEST_TURN) {
            return None;
        }
        self.announced = current;
        (previous != current).then_some(Step::Tell(Signal::ActiveChanged(previous, current)))
    }

    fn is_target(&self, route: RouteId) -> bool {
        self.target().is_some_and(|found| found.1.route == route)
    }

    fn set_life(&mut self, route: RouteId, life: Life) {
        if let Some(held) = self.layers.held_mut(route) {
            held.life = life;
        }
    }
}
