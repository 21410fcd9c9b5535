use std::any::Any;
use std::cell::OnceCell;
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::command::RunResult;

use super::aim::Aim;
use super::order::Order;
use super::{CommandDefinition, CommandSystem, CommandVariant, driver, requesting};
use crate::optional::Optional;

/// One start of one order, as its execution gets it: what to do, for whom, and the way to report how it went.
///
/// An order that is started again, after a failure or an interruption, gets a new handle with a new
/// [member execution_id]. Only the first report on the handle that runs has an effect; all later ones, and those on older
/// handles, answer false and change nothing. So a coroutine or a timer may report without looking.
#[derive(GodotClass)]
#[class(init, tool, base = RefCounted)]
pub struct CommandHandle {
    /// The order, from its acceptance to its end.
    #[var(get = get_command_id, no_set)]
    command_id: PhantomVar<i64>,
    /// This start of the order.
    #[var(get = get_execution_id, no_set)]
    execution_id: PhantomVar<i64>,
    /// How often the order was started, this time included: 1 for the first.
    #[var(get = get_attempt, no_set)]
    attempt: PhantomVar<i64>,
    /// True if the order was interrupted before, and goes on now.
    #[var(get = get_is_resumed, no_set)]
    is_resumed: PhantomVar<bool>,
    /// The node that gives the order. Null once it was freed.
    #[var(get = get_system, no_set)]
    system: PhantomVar<Option<Gd<CommandSystem>>>,
    /// Who carries the order out. Null once it was freed.
    #[var(get = get_agent, no_set)]
    agent: PhantomVar<Option<Gd<Node>>>,
    /// What was ordered.
    #[var(get = get_definition, no_set)]
    definition: PhantomVar<Option<Gd<CommandDefinition>>>,
    /// Which variant of it; 0 for an order without variants.
    #[var(get = get_variant, no_set)]
    variant: PhantomVar<i64>,
    /// The settings of definition and variant as they count for this start, ranges in world units.
    #[var(get = get_settings, no_set)]
    settings: PhantomVar<Option<Gd<CommandVariant>>>,
    /// What was sent along with the order. Read-only.
    #[var(get = get_payload, no_set)]
    payload: PhantomVar<VarDictionary>,
    /// Who asked for it.
    #[var(get = get_source, no_set)]
    source: PhantomVar<StringName>,
    /// The first target that is still there; null without one.
    #[var(get = get_target, no_set)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The targets that are still there.
    #[var(get = get_targets, no_set)]
    targets: PhantomVar<Array<Gd<Node>>>,
    /// Where the first target is, or was when it was seen last: a [Vector3] or [Vector2]. Null if it has no position.
    #[var(get = get_last_target_location, no_set)]
    last_target_location: PhantomVar<Variant>,
    /// The place of the order, a [Vector3] or [Vector2]; null without one.
    #[var(get = get_location, no_set)]
    location: PhantomVar<Variant>,
    /// The direction of the order, of length 1; null without one.
    #[var(get = get_direction, no_set)]
    direction: PhantomVar<Variant>,
    /// Anything that this start has to remember. Nobody else reads it.
    #[var]
    data: VarDictionary,
    /// What the order needs to go on after an interruption. Set it before you answer [method cancelled]; the next start of the
    /// same order finds it here.
    #[var]
    resume_data: Variant,
    /// Why the execution is asked to stop: [code]replaced[/code], [code]cancelled[/code], [code]cleared[/code],
    /// [code]skipped[/code], [code]interrupted[/code], [code]endless_ended[/code], [code]timed_out[/code],
    /// [code]target_lost[/code], [code]agent_removed[/code] or [code]imported[/code]. Empty before.
    #[var(no_set)]
    cancel_reason: StringName,
    /// True if the execution is asked to stop and the order is to come back later.
    #[var(no_set)]
    will_resume: bool,
    start: Option<Start>,
    /// Made when it is asked for.
    settings_made: OnceCell<Gd<CommandVariant>>,
    seen_at: Option<Aim>,
    kept: Option<Rc<dyn Any>>,
    base: Base<RefCounted>,
}

/// Which start a handle stands for.
#[derive(Clone)]
pub(crate) struct Start {
    pub system: InstanceId,
    pub agent: InstanceId,
    pub command_id: i64,
    pub execution_id: i64,
    pub attempt: i64,
    pub is_resumed: bool,
    pub order: Rc<Order>,
}

#[godot_api]
impl CommandHandle {
    /// The order is done. False if this start is over already.
    #[func(gd_self)]
    pub fn succeed(this: Gd<Self>, #[opt(default = "")] reason: StringName) -> bool {
        driver::report_by_handle(&this, "succeed", RunResult::Succeeded, reason)
    }

    /// The order failed. False if this start is over already.
    #[func(gd_self)]
    pub fn fail(this: Gd<Self>, #[opt(default = "failed")] reason: StringName) -> bool {
        driver::report_by_handle(&this, "fail", RunResult::Failed, reason)
    }

    /// The execution has stopped: the answer to [method CommandExecution._cancel_execution], or of one that stops by itself.
    /// False if this start is over already.
    #[func(gd_self)]
    pub fn cancelled(this: Gd<Self>, #[opt(default = "")] reason: StringName) -> bool {
        driver::report_by_handle(&this, "cancelled", RunResult::Cancelled, reason)
    }

    /// One of the three by number: [constant CommandSystem.RESULT_SUCCEEDED], [constant CommandSystem.RESULT_FAILED] or
    /// [constant CommandSystem.RESULT_CANCELLED]; another number is an error. False if this start is over already.
    #[func(gd_self)]
    pub fn finish(this: Gd<Self>, result: i64, #[opt(default = "")] reason: StringName) -> bool {
        let result = requesting::reported(&this, "finish", result);
        result.is_some_and(|result| driver::report_by_handle(&this, "finish", result, reason))
    }

    /// Whether the order can be stopped, for the rest of this start. If somebody already asked for its end, true stops it
    /// now. False if the start does not run any more, or is being stopped.
    #[func(gd_self)]
    pub fn set_cancelable(this: Gd<Self>, value: bool) -> bool {
        driver::set_cancelable(&this, value)
    }

    /// The start fails with the reason [code]executor_freed[/code] as soon as this node is freed or leaves the tree. False
    /// if the start is over, or the node is not there.
    #[func(gd_self)]
    pub fn watch(this: Gd<Self>, node: Optional<Node>) -> bool {
        let Some(node) = node.0 else { return false };
        driver::watch(&this, node.instance_id())
    }

    /// True from the start until its end.
    #[func(gd_self)]
    pub fn is_current(this: Gd<Self>) -> bool {
        driver::is_living(&this)
    }

    /// True while the execution is asked to stop and did not answer yet.
    #[func(gd_self)]
    pub fn is_cancelling(this: Gd<Self>) -> bool {
        driver::is_cancelling(&this)
    }

    #[func]
    fn get_command_id(&self) -> i64 {
        self.start.as_ref().map_or(0, |start| start.command_id)
    }

    #[func]
    fn get_execution_id(&self) -> i64 {
        self.start.as_ref().map_or(0, |start| start.execution_id)
    }

    #[func]
    fn get_attempt(&self) -> i64 {
        self.start.as_ref().map_or(0, |start| start.attempt)
    }

    #[func]
    fn get_is_resumed(&self) -> bool {
        self.start.as_ref().is_some_and(|start| start.is_resumed)
    }

    #[func]
    pub(crate) fn get_system(&self) -> Option<Gd<CommandSystem>> {
        Gd::try_from_instance_id(self.start.as_ref()?.system).ok()
    }

    #[func]
    pub(crate) fn get_agent(&self) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(self.start.as_ref()?.agent).ok()
    }

    #[func]
    pub(crate) fn get_definition(&self) -> Option<Gd<CommandDefinition>> {
        Some(self.start.as_ref()?.order.accepted.request.definition.clone())
    }

    #[func]
    fn get_variant(&self) -> i64 {
        self.start.as_ref().map_or(0, |start| start.order.accepted.request.variant)
    }

    #[func]
    fn get_settings(&self) -> Option<Gd<CommandVariant>> {
        let merged = &self.start.as_ref()?.order.accepted.settings;
        Some(self.settings_made.get_or_init(|| merged.to_variant()).clone())
    }

    #[func]
    pub(crate) fn get_payload(&self) -> VarDictionary {
        self.start.as_ref().map(|start| start.order.accepted.request.payload.clone()).unwrap_or_default()
    }

    #[func]
    fn get_source(&self) -> StringName {
        self.start.as_ref().map(|start| start.order.accepted.request.source.clone()).unwrap_or_default()
    }

    #[func]
    pub(crate) fn get_target(&self) -> Option<Gd<Node>> {
        self.start.as_ref()?.order.target()
    }

    #[func]
    fn get_targets(&self) -> Array<Gd<Node>> {
        self.start.as_ref().map(|start| start.order.living_targets()).unwrap_or_default()
    }

    #[func]
    fn get_last_target_location(&self) -> Variant {
        let now =
            self.get_target().filter(|target| target.is_inside_tree()).and_then(|target| Aim::at(&target));
        let seen = || {
            let start = self.start.as_ref()?;
            driver::seen_at(start.system, start.execution_id as u64).or(self.seen_at)
        };
        now.or_else(seen).map_or_else(Variant::nil, Aim::to_script)
    }

    #[func]
    fn get_location(&self) -> Variant {
        self.aim(|order| order.accepted.request.location)
    }

    #[func]
    fn get_direction(&self) -> Variant {
        self.aim(|order| order.accepted.request.direction)
    }
}

impl CommandHandle {
    /// The handle of a new start.
    pub(crate) fn of(start: Start, resume_data: Variant) -> Gd<Self> {
        // Filled in at once: a bind afterwards costs a call of the operating system.
        Gd::from_init_fn(|base| Self {
            command_id: PhantomVar::default(),
            execution_id: PhantomVar::default(),
            attempt: PhantomVar::default(),
            is_resumed: PhantomVar::default(),
            system: PhantomVar::default(),
            agent: PhantomVar::default(),
            definition: PhantomVar::default(),
            variant: PhantomVar::default(),
            settings: PhantomVar::default(),
            payload: PhantomVar::default(),
            source: PhantomVar::default(),
            target: PhantomVar::default(),
            targets: PhantomVar::default(),
            last_target_location: PhantomVar::default(),
            location: PhantomVar::default(),
            direction: PhantomVar::default(),
            data: VarDictionary::new(),
            resume_data,
            cancel_reason: StringName::default(),
            will_resume: false,
            start: Some(start),
            settings_made: OnceCell::new(),
            seen_at: None,
            kept: None,
            base,
        })
    }

    /// Which start it stands for; `None` for one that a script made.
    pub(crate) fn start(&self) -> Option<&Start> {
        self.start.as_ref()
    }

    /// Reports for a built-in execution. False: too late.
    pub(crate) fn report(this: &Gd<Self>, result: RunResult, reason: &str) -> bool {
        driver::report_by_handle(this, "report", result, StringName::from(reason))
    }

    /// Keeps what a built-in execution has to remember of this start.
    pub(crate) fn keep(this: &Gd<Self>, kept: Rc<dyn Any>) {
        let old = this.clone().bind_mut().kept.replace(kept);
        drop(old);
    }

    /// What was kept.
    pub(crate) fn kept<T: 'static>(this: &Gd<Self>) -> Option<Rc<T>> {
        let kept = this.bind().kept.clone()?;
        kept.downcast().ok()
    }

    /// The execution is about to be asked to stop.
    pub(crate) fn tell_cancel(&mut self, reason: StringName, will_resume: bool) {
        (self.cancel_reason, self.will_resume) = (reason, will_resume);
    }

    /// Where the target was seen last.
    pub(crate) fn saw_target_at(&mut self, place: Aim) {
        self.seen_at = Some(place);
    }

    /// What it was left for the next start.
    pub(crate) fn resume_data(&self) -> Variant {
        self.resume_data.clone()
    }

    fn aim(&self, of: fn(&Order) -> Option<Aim>) -> Variant {
        let aim = self.start.as_ref().and_then(|start| of(&start.order));
        aim.map_or_else(Variant::nil, Aim::to_script)
    }
}
