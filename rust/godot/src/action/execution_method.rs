use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::action::EndReason;

use super::ActionContext;
use super::method_run::{Method, RunLink, RunResult};
use super::names::names;
use super::run_access;
use super::script_calls::{call, overrides, truth};
use super::scripted_method::ScriptedMethod;
use crate::ability::GameplayAbility;

/// How an action runs, in a script of your own: extend this class and override its virtuals.
///
/// The resource in the action set is a definition and is never changed. Each run gets a private copy: exported values
/// are copied (arrays and dictionaries one level deep), other variables of the script start fresh. So a variable may hold
/// the state of a run.
///
/// ```gdscript
/// class_name WaitMethod
/// extends ExecutionMethod
/// @export var seconds := 1.0
/// var left: float
/// func _begin_execute(_context: ActionContext) -> bool:
///     left = seconds
///     return true
/// func _tick_execute(delta: float) -> void:
///     left -= delta
///     if left <= 0.0:
///         finish_execution()
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ExecutionMethod {
    /// Set on the private copy of a run.
    run: Option<Rc<CurrentRun>>,
    base: Base<Resource>,
}

/// What a private copy knows about its run. The driver has it too: a bind of the copy costs more than all of this.
pub(super) struct CurrentRun {
    link: RunLink,
    context: RefCell<Option<Gd<ActionContext>>>,
    over: Cell<bool>,
}

impl CurrentRun {
    /// The context of the run, as soon as there is one.
    pub(super) fn give_context(&self, context: &Gd<ActionContext>) {
        let before = self.context.replace(Some(context.clone()));
        drop(before);
    }

    /// The run is over; a script that kept the copy gets neutral answers.
    pub(super) fn leave(&self) {
        self.over.set(true);
        let context = self.context.take();
        drop(context);
    }
}

#[godot_api]
impl ExecutionMethod {
    /// The run finished itself with success.
    #[constant]
    const END_COMPLETED: i64 = EndReason::Completed as i64;
    /// Another action or a script took over.
    #[constant]
    const END_INTERRUPTED: i64 = EndReason::Interrupted as i64;
    /// The run was aborted, the evaluator stopped, the set changed, or the agent left the tree.
    #[constant]
    const END_CANCELLED: i64 = EndReason::Cancelled as i64;
    /// The time-out of the method or of the project settings.
    #[constant]
    const END_TIMED_OUT: i64 = EndReason::TimedOut as i64;
    /// The run finished itself without success.
    #[constant]
    const END_FAILED: i64 = EndReason::Failed as i64;

    /// Load what the runs will need. Called on the definition, once for each evaluator each time its set becomes active, before
    /// any of the set's actions runs. [param agent] is the agent that will act.
    #[func(virtual, gd_self)]
    pub fn preload_assets(_this: Gd<Self>, _agent: Gd<Node>) {}

    /// An ability that the runs need: the agent's [AbilitySystem] is granted it while the set of the action is active. Null, the
    /// default: none. Called on the definition; it must not change anything.
    #[func(virtual, gd_self)]
    pub fn get_ability_to_grant(_this: Gd<Self>) -> Option<Gd<GameplayAbility>> {
        None
    }

    /// False: something is missing, the action is never chosen. Asked on the definition, once and after it changed.
    #[func(virtual, gd_self)]
    pub fn has_valid_data(_this: Gd<Self>) -> bool {
        true
    }

    /// Seconds after which the run is ended with `END_TIMED_OUT`. 0, the default: only the project setting
    /// `riposte/execution/hard_timeout` ends it. Asked once, at the start.
    #[func(virtual, gd_self)]
    pub fn get_execution_timeout(_this: Gd<Self>) -> f64 {
        0.0
    }

    /// The name in logs. Default: the class name.
    #[func(virtual, gd_self)]
    pub fn get_display_name(_this: Gd<Self>) -> GString {
        GString::from("ExecutionMethod")
    }

    /// False: the action can't start now; nothing was touched, nothing is charged. May be asked more than once, so it must
    /// not change anything.
    #[func(virtual, gd_self)]
    pub fn can_begin(_this: Gd<Self>, _context: Gd<ActionContext>) -> bool {
        true
    }

    /// The start. False: it failed, nothing is charged, the action may be tried again.
    #[func(virtual, gd_self)]
    pub fn begin_execute(_this: Gd<Self>, _context: Gd<ActionContext>) -> bool {
        true
    }

    /// Every step while running, from the step after the start. A script without it costs nothing.
    #[func(virtual, gd_self)]
    pub fn tick_execute(_this: Gd<Self>, _delta: f64) {}

    /// The run ends and did not finish itself: undo what began. [param reason] is one of the `END_*` constants.
    #[func(virtual, gd_self)]
    pub fn abort_execute(_this: Gd<Self>, _reason: i64) {}

    /// The run goes on with another target, which [method get_target] gives from now on.
    #[func(virtual, gd_self)]
    pub fn retarget(_this: Gd<Self>, _target: Gd<Node>) {}

    /// What this run needs to go on after it was saved, as plain values (see [method ActionEvaluator.export_state]). Asked on the
    /// copy that runs; a pure read. Empty, the default: the run can't be taken up.
    #[func(virtual, gd_self)]
    pub fn export_state(_this: Gd<Self>) -> VarDictionary {
        VarDictionary::new()
    }

    /// The run is taken up where it was saved: called on a new copy, instead of [method _begin_execute], with what
    /// [method _export_state] returned. Cooldown, hooks and signals of the start are not repeated. False, the default: it
    /// can't, and the run is over without a word.
    #[func(virtual, gd_self)]
    pub fn import_state(_this: Gd<Self>, _state: VarDictionary) -> bool {
        false
    }

    /// The run is done; it ends at the next step, as completed or as failed. Only the first call counts. Outside a run it
    /// does nothing. [param note] goes to the log, see [member ActionEvaluator.debug_log_execution].
    #[func(gd_self)]
    pub fn finish_execution(
        this: Gd<Self>,
        #[opt(default = true)] success: bool,
        #[opt(default = "")] note: GString,
    ) {
        let Some(link) = Self::link(&this) else { return };
        let result = if success { RunResult::Success } else { RunResult::Failure };
        let outcome = match (run_access::record(link, result), success) {
            (true, true) => "finished",
            (true, false) => "failed",
            (false, _) => "finished again, which has no effect",
        };
        let note = if note.is_empty() { String::new() } else { format!(": {note}") };
        run_access::note(link, &format!("{outcome}{note}"));
    }

    /// True from the start to the end of the run that this copy belongs to.
    #[func(gd_self)]
    pub fn is_executing(this: Gd<Self>) -> bool {
        Self::elapsed(&this).is_some()
    }

    /// The agent that acts; null outside a run.
    #[func(gd_self)]
    pub fn get_agent(this: Gd<Self>) -> Option<Gd<Node>> {
        Self::context(&this)?.bind().get_instigator()
    }

    /// The target; null without one, after it was freed, and outside a run.
    #[func(gd_self)]
    pub fn get_target(this: Gd<Self>) -> Option<Gd<Node>> {
        Self::context(&this)?.bind().get_target()
    }

    /// The evaluator that runs the action; null outside a run.
    #[func(gd_self)]
    pub fn get_evaluator(this: Gd<Self>) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(Self::link(&this)?.evaluator).ok()
    }

    /// What the action was started with; null outside a run.
    #[func(gd_self)]
    pub fn get_context(this: Gd<Self>) -> Option<Gd<ActionContext>> {
        Self::context(&this)
    }

    /// The action that runs; empty outside a run.
    #[func(gd_self)]
    pub fn get_action_id(this: Gd<Self>) -> StringName {
        Self::context(&this).map(|context| context.bind().action_id.clone()).unwrap_or_default()
    }

    /// Seconds since the start; 0 outside a run.
    #[func(gd_self)]
    pub fn get_elapsed(this: Gd<Self>) -> f64 {
        Self::elapsed(&this).unwrap_or(0.0)
    }
}

impl ExecutionMethod {
    /// The definition of a scripted method, or why it can't run. Runs scripts.
    pub(crate) fn scripted_definition(method: &Gd<Resource>) -> Result<Box<dyn Method>, String> {
        let Ok(definition) = method.clone().try_cast::<Self>() else {
            return Err("The execution method is of a class that is not there.".to_owned());
        };
        if overrides(method, &names().has_valid_data) && !truth(&call(method, &names().has_valid_data, &[])) {
            return Err(
                "The execution method says that its data is not valid. Fill in its properties.".to_owned()
            );
        }
        Ok(Box::new(ScriptedMethod::new(definition)))
    }

    /// Makes this instance the private copy of a run.
    pub(super) fn enter_run(&mut self, link: RunLink) -> Rc<CurrentRun> {
        let run = Rc::new(CurrentRun { link, context: RefCell::new(None), over: Cell::new(false) });
        self.run = Some(run.clone());
        run
    }

    fn run(this: &Gd<Self>) -> Option<Rc<CurrentRun>> {
        this.bind().run.clone().filter(|run| !run.over.get())
    }

    fn link(this: &Gd<Self>) -> Option<RunLink> {
        Self::run(this).map(|run| run.link)
    }

    fn context(this: &Gd<Self>) -> Option<Gd<ActionContext>> {
        Self::run(this)?.context.borrow().clone()
    }

    fn elapsed(this: &Gd<Self>) -> Option<f64> {
        run_access::elapsed(Self::link(this)?)
    }
}
