//! The border between the driver and execution methods.
//!
//! A class of the family implements [`Method`] on a small handle of its definition; each run of an action gets a
//! [`MethodRun`], the private duplicate of the definition's values. Both are called with nothing bound or locked:
//! whatever they run (scripts, animations) may call back into the evaluator.

use std::cell::OnceCell;
use std::rc::Rc;

use godot::prelude::*;

use super::ActionContext;
use crate::ability::GameplayAbility;

/// The definition of how an action runs, as an action set holds it. Never written by a run.
pub trait Method {
    /// A private duplicate for one run: exported values copied one level deep (arrays, dictionaries and packed
    /// arrays; sub-resources are shared), script variables fresh. Nothing is called yet.
    fn new_run(&self, link: RunLink) -> Rc<dyn MethodRun>;

    /// The ability that runs need; the agent has it while the set is active. A pure read, which may run scripts.
    fn ability_to_grant(&self) -> Option<Gd<GameplayAbility>> {
        None
    }

    /// [`Method::preload`] does something.
    fn preloads(&self) -> bool {
        false
    }

    /// Its set became active for an agent: the definition may load what its runs need.
    fn preload(&self, _agent: &Gd<Node>) {}
}

/// One run of an execution method. Takes `&self`, because a run can be ended while its own tick is on the stack.
pub trait MethodRun {
    /// Own time-out in seconds, 0 for none. Asked once, after the method began. The driver checks the number.
    fn timeout(&self) -> f64;

    /// The pre-check, before anything is touched. May be called more than once.
    fn can_begin(&self, context: &Gd<ActionContext>) -> bool;

    /// The start; false is a failed start.
    fn begin(&self, context: &Gd<ActionContext>) -> bool;

    /// The run completes in the step in which it starts.
    fn is_instant(&self) -> bool {
        false
    }

    /// False: [`MethodRun::tick`] is never called.
    fn wants_tick(&self) -> bool;

    /// One step of a run that began in an earlier step.
    fn tick(&self, delta: &Delta);

    /// Where the engine keeps what [`MethodRun::tick`] calls, for fetching it ahead; 0: nowhere.
    fn address(&self) -> usize {
        0
    }

    /// The run goes on with another target.
    fn retarget(&self, _target: Option<&Gd<Node>>) {}

    /// The run is over, whichever way, also when a hook vetoed it after it began: gives back what it holds of the agent.
    /// May come twice.
    fn ended(&self) {}

    /// What the run needs to go on after it was saved; empty: it can't.
    fn export_state(&self) -> VarDictionary {
        VarDictionary::new()
    }

    /// The run was saved and is taken up here, instead of [`MethodRun::begin`]. False: it can't.
    fn import_state(&self, _context: &Gd<ActionContext>, _state: &VarDictionary) -> bool {
        false
    }

    /// What the action hands to its behaviour trees, if it has that.
    fn payload(&self) -> Option<Gd<Resource>> {
        None
    }

    /// The run ends and the method did not finish itself. `reason` is one of `END_*`.
    fn abort(&self, reason: i64);
}

/// The length of a step, as it is and as scripts are given it: made once for all that are ticked by the same.
#[derive(Default)]
pub struct Delta {
    seconds: f64,
    variant: OnceCell<Variant>,
}

impl Delta {
    /// So many seconds.
    pub fn new(seconds: f64) -> Self {
        Self { seconds, variant: OnceCell::new() }
    }

    /// The seconds.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The same for a script.
    pub fn variant(&self) -> &Variant {
        self.variant.get_or_init(|| self.seconds.to_variant())
    }
}

/// Names one run of one evaluator. Stale after that run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLink {
    /// Instance id of the evaluator.
    pub evaluator: InstanceId,
    /// Its run id.
    pub run: i64,
}

/// What a method records about its run; the run ends at the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunResult {
    /// `finish_execution(true)`: END_COMPLETED.
    Success,
    /// `finish_execution(false)`: END_FAILED.
    Failure,
    /// Someone else took what the method used (replaced the animation): END_INTERRUPTED.
    Interrupted,
    /// Its own time is over: END_TIMED_OUT, in the step of the tick that says so, and the method is aborted.
    TimedOut,
    /// What the method used was taken away (revoked the ability): END_CANCELLED.
    Cancelled,
}
