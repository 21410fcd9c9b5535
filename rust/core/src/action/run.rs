//! One run of an action.

use std::sync::Arc;

use super::{ActionPlan, ActionRef, EndReason, RunHooks, RunId, TargetKey, TargetWish};
use crate::time::expired;

/// Who asked for a start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// It scored highest.
    #[default]
    Scored,
    /// A script called.
    Forced,
    /// Nothing else could be done.
    Fallback,
}

impl Origin {
    /// The integer of the `ORIGIN_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The origin with this integer.
    pub fn from_code(code: i64) -> Option<Self> {
        [Self::Scored, Self::Forced, Self::Fallback].into_iter().find(|origin| origin.code() == code)
    }
}

/// A wish to start an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartRequest {
    /// Which one; `None` for a name that nobody knows.
    pub action: Option<ActionRef>,
    /// On whom, unless the adapter holds a context that names a target.
    pub target: TargetWish,
    /// Gates and interrupt rules apply, the score does not.
    pub respect_gates: bool,
}

/// Where a run is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Until `action_started` was told.
    Starting,
    Running,
    /// Until it is forgotten.
    Ending,
}

/// A step of what runs in which nothing happens to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calm {
    /// Nobody is asked.
    Silent,
    /// The method of this run has its tick.
    Ticks(RunId),
}

/// What is known of a run.
#[derive(Clone, Debug)]
pub struct Run {
    pub(super) id: RunId,
    pub(super) action: ActionRef,
    pub(super) plan: Arc<ActionPlan>,
    pub(super) target: Option<TargetKey>,
    pub(super) elapsed: f64,
    pub(super) timeout: f64,
    pub(super) phase: Phase,
    /// What the method recorded; performed at the next step.
    pub(super) result: Option<EndReason>,
    pub(super) instant: bool,
    pub(super) ticks: bool,
    /// Which hooks it has.
    pub(super) hooks: RunHooks,
    /// How many of them were called at its end.
    pub(super) hooked_ends: usize,
    /// The method's or a hook's tick is on the stack.
    pub(super) ticking: bool,
    /// An end that waits until the call or sequence in progress returns.
    pub(super) abort: Option<EndReason>,
    /// The reason of the end that goes on.
    pub(super) ending: Option<EndReason>,
    /// `action_started` was told.
    pub(super) announced: bool,
    /// Its tags are on the agent.
    pub(super) tagged: bool,
    /// The step in which it began.
    pub(super) step: u64,
    pub(super) origin: Origin,
    /// Novelty, chain and jitter as they were at its start: what it is worth while it runs does not flicker.
    pub(super) frozen: [f64; 3],
    /// What its commitment time is that follows an attribute.
    pub(super) commitment: Option<f64>,
    /// Seconds of recovery that hooks asked for.
    pub(super) requested_recovery: f64,
}

impl Run {
    pub(super) fn new(id: RunId, action: ActionRef, plan: Arc<ActionPlan>) -> Self {
        Self {
            id,
            action,
            plan,
            target: None,
            elapsed: 0.0,
            timeout: 0.0,
            phase: Phase::Starting,
            result: None,
            instant: false,
            ticks: false,
            hooks: RunHooks::default(),
            hooked_ends: 0,
            ticking: false,
            abort: None,
            ending: None,
            announced: false,
            tagged: false,
            step: 0,
            origin: Origin::Scored,
            frozen: [1.0; 3],
            commitment: None,
            requested_recovery: 0.0,
        }
    }

    /// Asks for an end later; false if one was asked for already. The first reason counts.
    pub(super) fn want_end(&mut self, reason: EndReason) -> bool {
        let first = self.abort.is_none();
        self.abort.get_or_insert(reason);
        first
    }

    /// It has neither a result nor an end, and none was asked for.
    pub fn goes_on(&self) -> bool {
        self.result.is_none() && self.abort.is_none() && self.phase != Phase::Ending
    }

    /// What a step of this length asks of it, if that is its method's tick at the most: no loss of a target, no hook before
    /// the method, no end. `lives` tells whether a target is still there.
    pub(super) fn calm_step(&self, delta: f64, lives: impl FnOnce(TargetKey) -> bool) -> Option<Calm> {
        let hooked = self.hooks.iter().any(|calls| calls.tick);
        let runs = self.phase == Phase::Running && self.result.is_none() && self.abort.is_none();
        let calm = runs && (self.ticks || !hooked) && !expired(self.elapsed + delta, self.timeout);
        let calm = calm && self.target.is_none_or(lives);
        calm.then_some(if self.ticks { Calm::Ticks(self.id) } else { Calm::Silent })
    }

    /// Its number.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// What runs.
    pub fn action(&self) -> ActionRef {
        self.action
    }

    /// The plan it began with; a later edit does not change it.
    pub fn plan(&self) -> &Arc<ActionPlan> {
        &self.plan
    }

    /// On whom. The adapter asks whether that one is still there.
    pub fn target(&self) -> Option<TargetKey> {
        self.target
    }

    /// Seconds since its start.
    pub fn elapsed(&self) -> f64 {
        self.elapsed
    }
}
