//! Runs of the methods that start abilities: they watch the activations that they started, nothing has to report back.

use std::cell::RefCell;
use std::rc::Rc;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use riposte_core::action::EndReason;

use super::method_run::{Delta, Method, MethodRun, RunLink, RunResult};
use super::{ActionContext, run_access, set_activity};
use crate::ability::access::{self, Watch};
use crate::ability::{AbilityEnd, GameplayAbility};
use crate::base::messages;

/// A class that starts abilities.
pub(crate) trait AbilityStarter:
    GodotClass + Inherits<Resource> + Inherits<Object> + Bounds<Declarer = bounds::DeclUser>
{
    /// The private copy of a run.
    fn parts(&self) -> AbilityParts;
}

/// The values of one run.
pub(crate) struct AbilityParts {
    pub(crate) ability: Option<Gd<GameplayAbility>>,
    /// Used without an ability.
    pub(crate) tag: StringName,
    pub(crate) timeout: f64,
    pub(crate) route: Route,
    pub(crate) event_tag: StringName,
    /// The action lasts as long as what it started.
    pub(crate) waits: bool,
}

/// How an ability learns of its start. The integers are the `ROUTE_*` constants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// By what started the action, and by what the ability's script has.
    Auto = 0,
    /// Plainly.
    Direct = 1,
    /// As an event.
    Event = 2,
}

impl Route {
    /// The route of a `ROUTE_*` constant.
    pub(crate) fn from_int(route: i64) -> Self {
        match route {
            1 => Self::Direct,
            2 => Self::Event,
            _ => Self::Auto,
        }
    }
}

/// The definition; each run takes a copy of its values.
pub(crate) struct AbilityDefinition<T: GodotClass>(pub(crate) Gd<T>);

impl<T: AbilityStarter> Method for AbilityDefinition<T> {
    fn new_run(&self, link: RunLink) -> Rc<dyn MethodRun> {
        let parts = self.0.bind().parts();
        let resource = self.0.clone().upcast::<Resource>();
        Rc::new(AbilityRun { parts, resource, link, started: RefCell::default() })
    }

    fn ability_to_grant(&self) -> Option<Gd<GameplayAbility>> {
        self.0.bind().parts().ability
    }
}

struct AbilityRun {
    parts: AbilityParts,
    /// For messages.
    resource: Gd<Resource>,
    link: RunLink,
    started: RefCell<Vec<Watch>>,
}

impl MethodRun for AbilityRun {
    fn timeout(&self) -> f64 {
        self.parts.timeout
    }

    fn can_begin(&self, context: &Gd<ActionContext>) -> bool {
        let Some(system) = self.system(context) else { return false };
        // What the run started that this one takes the place of is over by then.
        let ending = set_activity::running_activations(self.link.evaluator);
        let can_start = |handle| access::can_activate(system, handle, context, &ending);
        self.handles(system).into_iter().any(can_start)
    }

    fn begin(&self, context: &Gd<ActionContext>) -> bool {
        let Some(system) = self.system(context) else { return false };
        let mut any = false;
        for handle in self.handles(system) {
            let event = self.event(context, system, handle);
            let Some(watch) = access::activate(system, handle, context, event.as_ref()) else { continue };
            any = true;
            if self.parts.waits {
                set_activity::started(self.link, watch.activation());
                self.started.borrow_mut().push(watch);
            }
        }
        any
    }

    fn is_instant(&self) -> bool {
        !self.parts.waits
    }

    fn wants_tick(&self) -> bool {
        self.parts.waits
    }

    fn tick(&self, _delta: &Delta) {
        let end = self.started.borrow().iter().find_map(Watch::ended);
        if let Some(end) = end {
            run_access::record(self.link, result_of(end));
        }
    }

    fn ended(&self) {
        set_activity::ended(self.link);
    }

    fn abort(&self, reason: i64) {
        let started = self.started.take();
        for watch in started {
            watch.end(reason_of(reason));
        }
    }
}

impl AbilityRun {
    /// The agent's AbilitySystem; a warning without one.
    fn system(&self, context: &Gd<ActionContext>) -> Option<InstanceId> {
        let agent = context.bind().get_instigator()?;
        let system = access::system_of(agent.instance_id());
        if system.is_none() {
            let place = messages::node_place(&agent);
            let text =
                format!("the agent {place} has no AbilitySystem, so nothing starts. Add one below it.");
            messages::warning(&self.resource, "ability", &text, &text);
        }
        system
    }

    /// What is started, in the order in which it was granted.
    fn handles(&self, system: InstanceId) -> Vec<i64> {
        match &self.parts.ability {
            Some(ability) => {
                set_activity::handle_of(self.link.evaluator, system, ability).into_iter().collect()
            }
            None => access::find_by_tag(system, &self.parts.tag),
        }
    }

    /// The event as which the ability is started; `None`: plainly.
    fn event(&self, context: &Gd<ActionContext>, system: InstanceId, handle: i64) -> Option<StringName> {
        let context = context.bind();
        let as_event = match self.parts.route {
            Route::Direct => false,
            Route::Event => true,
            Route::Auto => context.is_given() || access::wants_events(system, handle),
        };
        let own = &self.parts.event_tag;
        as_event.then(|| if own.is_empty() { context.event_tag.clone() } else { own.clone() })
    }
}

/// What the end of an ability means for the action.
fn result_of(end: AbilityEnd) -> RunResult {
    match end.reason {
        _ if end.revoked => RunResult::Cancelled,
        EndReason::Completed => RunResult::Success,
        EndReason::Failed | EndReason::TimedOut => RunResult::Failure,
        EndReason::Interrupted | EndReason::Cancelled => RunResult::Interrupted,
    }
}

fn reason_of(code: i64) -> EndReason {
    let all = [
        EndReason::Completed,
        EndReason::Interrupted,
        EndReason::Cancelled,
        EndReason::TimedOut,
        EndReason::Failed,
    ];
    all.into_iter().find(|reason| reason.code() == code).unwrap_or(EndReason::Cancelled)
}
