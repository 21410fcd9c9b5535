use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::action::EndReason;
use riposte_core::command::RunResult;

use super::builtin::BuiltinExecution;
use super::order_context::context_of;
use super::{CommandHandle, CommandRequest, driver, listener};
use crate::action::{self, ActionEvaluator};
use crate::base::lookup::{self, Part};
use crate::optional::Optional;

/// Carries an order out by an action of the agent's [ActionEvaluator].
///
/// The action gets an [ActionContext] with the order's target, and with [code]object[/code], [code]magnitude[/code] and
/// [code]tags[/code] of its payload. When it completes, the order has succeeded. It fails when the action fails
/// ([code]action_failed[/code]), times out ([code]timed_out[/code]) or does not start ([code]action_refused[/code]), and is
/// cancelled when another action takes over or somebody ends it ([code]action_interrupted[/code]).
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionExecution {
    /// The action, by its [member ActionSpec.action_id] in the set of the evaluator.
    #[export]
    #[var(set = set_action)]
    action: StringName,
    /// On: the action must pass its gates and may interrupt nothing. Off, the default: it starts whatever runs.
    #[export]
    #[var(set = set_respect_gates)]
    respect_gates: bool,
    /// On, the default: the evaluator chooses nothing itself while the order runs, see
    /// [method ActionEvaluator.hold_selection].
    #[export]
    #[var(set = set_hold_evaluator)]
    #[init(val = true)]
    hold_evaluator: bool,
    base: Base<Resource>,
}

#[godot_api]
impl ActionExecution {
    #[func]
    fn set_action(&mut self, value: StringName) {
        self.action = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_respect_gates(&mut self, value: bool) {
        self.respect_gates = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_hold_evaluator(&mut self, value: bool) {
        self.hold_evaluator = value;
        self.base_mut().emit_changed();
    }
}

const ENDED: &str = "action_ended";
const REFUSED: &str = "start_refused";

/// How a run was over.
#[derive(Clone, Copy)]
enum Over {
    Ended(i64),
    Refused,
}

/// What a start does with the evaluator.
struct Use {
    evaluator: InstanceId,
    held: bool,
    /// 0 until it is known.
    run: Cell<i64>,
    over: Cell<bool>,
    /// Runs that were over before the evaluator said which one is ours.
    early: RefCell<Vec<(i64, Over)>>,
}

impl Use {
    fn node(&self) -> Option<Gd<ActionEvaluator>> {
        Gd::try_from_instance_id(self.evaluator).ok()
    }
}

fn evaluator_of(agent: &Gd<Node>) -> Option<Gd<ActionEvaluator>> {
    Gd::try_from_instance_id(lookup::part_of(agent.instance_id(), Part::Evaluator)?).ok()
}

impl BuiltinExecution for Gd<ActionExecution> {
    fn is_available(&self, agent: &Gd<Node>, _request: &dyn Fn() -> Gd<CommandRequest>) -> StringName {
        if !self.bind().action.is_empty() && evaluator_of(agent).is_some() {
            return StringName::default();
        }
        StringName::from("execution_unavailable")
    }

    fn start(&self, handle: &Gd<CommandHandle>) {
        let agent = handle.bind().get_agent();
        let Some(evaluator) = agent.and_then(|agent| evaluator_of(&agent)) else {
            CommandHandle::report(handle, RunResult::Failed, "execution_unavailable");
            return;
        };
        let (action, respect, held) = {
            let own = self.bind();
            (own.action.clone(), own.respect_gates, own.hold_evaluator)
        };
        let used = Rc::new(Use {
            evaluator: evaluator.instance_id(),
            held,
            run: Cell::new(0),
            over: Cell::new(false),
            early: RefCell::default(),
        });
        CommandHandle::keep(handle, used.clone());
        driver::watch(handle, used.evaluator);
        listener::listen(&evaluator, ENDED, handle, |handle, arguments| hear(handle, arguments, false));
        listener::listen(&evaluator, REFUSED, handle, |handle, arguments| hear(handle, arguments, true));
        if held {
            ActionEvaluator::hold_selection(evaluator.clone(), Optional(Some(handle.clone().upcast())));
        }
        let context = context_of(handle);
        let run = ActionEvaluator::execute_action_with_context(evaluator, action, Some(context), respect);
        if run == 0 {
            used.over.set(true);
            CommandHandle::report(handle, RunResult::Failed, "action_refused");
            return;
        }
        used.run.set(run);
        let over = used.early.take().into_iter().find(|known| known.0 == run);
        if let Some((_, over)) = over {
            tell(handle, &used, over);
        }
    }

    fn cancel(&self, handle: &Gd<CommandHandle>) {
        let used = CommandHandle::kept::<Use>(handle);
        let node = used.as_ref().filter(|used| !used.over.get()).and_then(|used| used.node().zip(Some(used)));
        let waits = node.is_some_and(|(node, used)| ActionEvaluator::cancel_action(node, used.run.get()));
        // What ends now tells it by its signal; a run that is over, or not there, has nothing to tell.
        if !waits {
            CommandHandle::report(handle, RunResult::Cancelled, "");
        }
    }

    fn left(&self, handle: &Gd<CommandHandle>) {
        let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
        let Some(evaluator) = used.node() else { return };
        listener::stop(&evaluator, ENDED, handle);
        listener::stop(&evaluator, REFUSED, handle);
        if used.run.get() != 0 && !used.over.replace(true) {
            ActionEvaluator::cancel_action(evaluator.clone(), used.run.get());
        }
        if used.held && evaluator.is_instance_valid() {
            ActionEvaluator::release_selection(evaluator, Optional(Some(handle.clone().upcast())));
        }
    }
}

fn hear(handle: &Gd<CommandHandle>, arguments: &[&Variant], refused: bool) {
    let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
    let number = |at: usize| arguments.get(at).and_then(|argument| argument.try_to::<i64>().ok());
    let (Some(reason), Some(run)) = (number(1), number(2)) else { return };
    let over = if refused { Over::Refused } else { Over::Ended(reason) };
    if used.run.get() == 0 {
        used.early.borrow_mut().push((run, over));
    } else if used.run.get() == run {
        tell(handle, &used, over);
    }
}

fn tell(handle: &Gd<CommandHandle>, used: &Use, over: Over) {
    used.over.set(true);
    let is = |reason: EndReason, code: i64| reason.code() == code;
    let (report, reason) = match over {
        Over::Refused => (RunResult::Failed, "action_refused"),
        Over::Ended(code) if is(EndReason::Completed, code) => (RunResult::Succeeded, ""),
        Over::Ended(code) if is(EndReason::Failed, code) => (RunResult::Failed, "action_failed"),
        Over::Ended(code) if is(EndReason::TimedOut, code) => (RunResult::Failed, "timed_out"),
        Over::Ended(_) if action::is_leaving(used.evaluator) => (RunResult::Failed, "executor_freed"),
        Over::Ended(_) => (RunResult::Cancelled, "action_interrupted"),
    };
    CommandHandle::report(handle, report, reason);
}
