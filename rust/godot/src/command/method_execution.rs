use std::fmt;
use std::hash::Hash;

use godot::classes::object::ConnectFlags;
use godot::prelude::*;
use riposte_core::command::RunResult;

use super::builtin::BuiltinExecution;
use super::{CommandHandle, CommandRequest, driver};
use crate::base::convert::type_name;
use crate::base::messages;

/// Carries an order out by calling a method of the agent, or of a node below it.
///
/// The method gets the [CommandHandle]. What it returns is the result: nothing, true, 1 or an empty name is success; false or
/// 2 fails with the reason [code]method_failed[/code]; 3 is cancelled; a name or a text fails with it as the reason. A method
/// that awaits, or returns a signal, is waited for; if the order ends before, what comes later has no effect.
///
/// ```gdscript
/// func dig(handle: CommandHandle) -> bool:
///     await get_tree().create_timer(2.0).timeout
///     return has_shovel
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct MethodExecution {
    /// The method to call, with the handle. Without it no order is accepted.
    #[export]
    #[var(set = set_method)]
    method: StringName,
    /// The node to call, from the agent. Empty: the agent itself.
    #[export]
    #[var(set = set_node_path)]
    node_path: NodePath,
    /// Called with the handle when the order is to stop; waited for if it awaits, then the order counts as stopped. Empty: it
    /// is stopped at once, and the method may run on without effect.
    #[export]
    #[var(set = set_cancel_method)]
    cancel_method: StringName,
    /// On: what both methods return is ignored; the script reports by the handle. Off, the default.
    #[export]
    #[var(set = set_wait_for_report)]
    wait_for_report: bool,
    base: Base<Resource>,
}

#[godot_api]
impl MethodExecution {
    #[func]
    fn set_method(&mut self, value: StringName) {
        self.method = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_node_path(&mut self, value: NodePath) {
        self.node_path = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_cancel_method(&mut self, value: StringName) {
        self.cancel_method = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_wait_for_report(&mut self, value: bool) {
        self.wait_for_report = value;
        self.base_mut().emit_changed();
    }
}

/// The node whose method was called.
struct Called(InstanceId);

impl BuiltinExecution for Gd<MethodExecution> {
    fn is_available(&self, agent: &Gd<Node>, _request: &dyn Fn() -> Gd<CommandRequest>) -> StringName {
        match find(self, agent) {
            Some(_) => StringName::default(),
            None => StringName::from("execution_unavailable"),
        }
    }

    fn start(&self, handle: &Gd<CommandHandle>) {
        let agent = handle.bind().get_agent();
        let Some((agent, mut node)) = agent.and_then(|agent| find(self, &agent).map(|node| (agent, node)))
        else {
            CommandHandle::report(handle, RunResult::Failed, "execution_unavailable");
            return;
        };
        CommandHandle::keep(handle, std::rc::Rc::new(Called(node.instance_id())));
        if node != agent {
            driver::watch(handle, node.instance_id());
        }
        let (method, waits) = (self.bind().method.clone(), self.bind().wait_for_report);
        let asked = if waits { Asked::Nothing } else { Asked::Result };
        match node.try_call(&method, &[handle.to_variant()]) {
            Ok(answer) => asked.wait_for(self, handle, &answer),
            Err(problem) => {
                let why = messages::call_problem(&problem.to_string());
                let text = format!("method: the call of \"{method}\" failed: {why}. Mend the method.");
                messages::error(self, "method", &text, &text);
                CommandHandle::report(handle, RunResult::Failed, "method_failed");
            }
        }
    }

    fn cancel(&self, handle: &Gd<CommandHandle>) {
        let (method, waits) = (self.bind().cancel_method.clone(), self.bind().wait_for_report);
        let node = CommandHandle::kept::<Called>(handle)
            .and_then(|called| Gd::<Node>::try_from_instance_id(called.0).ok());
        let Some(mut node) = node.filter(|_| !method.is_empty()) else {
            CommandHandle::report(handle, RunResult::Cancelled, "");
            return;
        };
        let asked = if waits { Asked::Nothing } else { Asked::Stop };
        match node.try_call(&method, &[handle.to_variant()]) {
            Ok(answer) => asked.wait_for(self, handle, &answer),
            Err(problem) => {
                let why = messages::call_problem(&problem.to_string());
                let text = format!(
                    "cancel_method: the call of \"{method}\" failed: {why}. Mend the method, or set another or none."
                );
                messages::error(self, "cancel_method", &text, &text);
                CommandHandle::report(handle, RunResult::Cancelled, "");
            }
        }
    }
}

fn find(this: &Gd<MethodExecution>, agent: &Gd<Node>) -> Option<Gd<Node>> {
    let (path, method) = {
        let own = this.bind();
        (own.node_path.clone(), own.method.clone())
    };
    let node = if path.is_empty() { Some(agent.clone()) } else { agent.get_node_or_null(&path) };
    node.filter(|node| !method.is_empty() && node.has_method(&method))
}

/// What a call is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Asked {
    /// What comes is the result of the order.
    Result,
    /// Whatever comes, the order has stopped.
    Stop,
    /// The script reports by itself.
    Nothing,
}

impl Asked {
    /// Takes the answer of a call, now or when the coroutine or the signal is through.
    fn wait_for(self, about: &Gd<MethodExecution>, handle: &Gd<CommandHandle>, answer: &Variant) {
        if self == Self::Nothing {
            return;
        }
        let (about_id, handle_id) = (about.instance_id(), handle.instance_id());
        let waiting = Callable::from_custom(Completion { asked: self, about: about_id, handle: handle_id });
        match answer.get_type() {
            VariantType::SIGNAL => {
                let signal = answer.to::<Signal>();
                if let Some(mut object) = signal.object() {
                    object.connect_flags(&signal.name(), &waiting, ONCE);
                    return;
                }
            }
            VariantType::OBJECT => {
                // What a call of a function that awaits returns.
                if let Ok(mut state) = answer.try_to::<Gd<RefCounted>>()
                    && state.is_class("GDScriptFunctionState")
                {
                    state.connect_flags("completed", &waiting, ONCE);
                    return;
                }
            }
            _ => {}
        }
        self.take(about, handle, answer);
    }

    fn take(self, about: &Gd<MethodExecution>, handle: &Gd<CommandHandle>, answer: &Variant) {
        let (report, reason) = match self {
            Self::Nothing => return,
            Self::Stop => (RunResult::Cancelled, StringName::default()),
            Self::Result => result_of(about, answer),
        };
        driver::report_by_handle(handle, "report", report, reason);
    }
}

const ONCE: ConnectFlags = ConnectFlags::ONE_SHOT;

/// What a returned value says.
fn result_of(about: &Gd<MethodExecution>, answer: &Variant) -> (RunResult, StringName) {
    let failed = || StringName::from("method_failed");
    match answer.get_type() {
        VariantType::NIL => (RunResult::Succeeded, StringName::default()),
        VariantType::BOOL if answer.booleanize() => (RunResult::Succeeded, StringName::default()),
        VariantType::BOOL => (RunResult::Failed, failed()),
        VariantType::INT if answer.to::<i64>() == 1 => (RunResult::Succeeded, StringName::default()),
        VariantType::INT if answer.to::<i64>() == 2 => (RunResult::Failed, failed()),
        VariantType::INT if answer.to::<i64>() == 3 => (RunResult::Cancelled, StringName::default()),
        VariantType::STRING | VariantType::STRING_NAME => {
            let reason = answer.try_to_relaxed::<StringName>().unwrap_or_default();
            let report = if reason.is_empty() { RunResult::Succeeded } else { RunResult::Failed };
            (report, reason)
        }
        _ => {
            let text = format!(
                "method: \"{}\" returned {}, so the order failed. Return nothing, true, false, 1 to 3, or a reason.",
                about.bind().method,
                type_name(answer)
            );
            messages::error(about, "method", &text, &text);
            (RunResult::Failed, failed())
        }
    }
}

/// Takes what came. After the end of the start it has no effect.
#[derive(PartialEq, Hash)]
struct Completion {
    asked: Asked,
    about: InstanceId,
    handle: InstanceId,
}

impl RustCallable for Completion {
    fn invoke(&mut self, arguments: &[&Variant]) -> Variant {
        let answer = arguments.first().map_or_else(Variant::nil, |first| (*first).clone());
        // A handle that nobody has any more stands for a start that is over.
        if let (Ok(about), Ok(handle)) =
            (Gd::try_from_instance_id(self.about), Gd::try_from_instance_id(self.handle))
        {
            self.asked.take(&about, &handle, &answer);
        }
        Variant::nil()
    }
}

impl fmt::Display for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("riposte_method_completed")
    }
}
