use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::command::RunResult;

use super::builtin::BuiltinExecution;
use super::{CommandHandle, CommandRequest};
use crate::action::script_calls::{call, overrides};
use crate::base::messages;

/// How an order is carried out, in a script of your own: extend this class and override its virtuals.
///
/// The resource is a stateless adapter that all agents share, so keep nothing of an order in its variables: use
/// [member CommandHandle.data], or the node that does the work. Each start of an order has a handle of its own, and ends
/// with the first report on it; a report that comes late has no effect.
///
/// ```gdscript
/// class_name DigExecution
/// extends CommandExecution
/// func _start_execution(handle: CommandHandle) -> void:
///     await handle.agent.dig(handle.location)
///     handle.succeed()
/// func _cancel_execution(handle: CommandHandle) -> void:
///     handle.agent.stop_digging()
///     handle.cancelled()
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct CommandExecution {
    base: Base<Resource>,
}

#[godot_api]
impl CommandExecution {
    /// Whether the agent can be served: empty if it can, else the reason why not. Asked before an order is accepted, and
    /// again before a waiting one starts; it must not change anything. Default: empty.
    #[func(virtual, gd_self)]
    pub fn is_available(_this: Gd<Self>, _agent: Gd<Node>, _request: Gd<CommandRequest>) -> StringName {
        StringName::default()
    }

    /// Begin the work of this start. Report its end by [method CommandHandle.succeed], [method CommandHandle.fail] or
    /// [method CommandHandle.cancelled], at once, later, or after an [code]await[/code]. An execution without this method
    /// fails with the reason [code]not_implemented[/code]. If the script aborts with an error, nothing can tell: the order
    /// runs until its time limit or a cancel.
    #[func(virtual, gd_self)]
    pub fn start_execution(_this: Gd<Self>, _handle: Gd<CommandHandle>) {}

    /// Stop only what this start began, then report: [method CommandHandle.cancelled], or the true result if it had just
    /// ended. The answer may come later; see [member CommandSystem.cancel_timeout]. An execution without this method
    /// answers cancelled at once.
    #[func(virtual, gd_self)]
    pub fn cancel_execution(_this: Gd<Self>, _handle: Gd<CommandHandle>) {}
}

impl BuiltinExecution for Gd<CommandExecution> {
    fn is_available(&self, agent: &Gd<Node>, request: &dyn Fn() -> Gd<CommandRequest>) -> StringName {
        let resource = self.clone().upcast();
        if !overrides(&resource, &names().is_available) {
            return StringName::default();
        }
        let answer = call(&resource, &names().is_available, &[agent.to_variant(), request().to_variant()]);
        reason_of(&resource, &answer)
    }

    fn start(&self, handle: &Gd<CommandHandle>) {
        let resource = self.clone().upcast();
        if overrides(&resource, &names().start) {
            call(&resource, &names().start, &[handle.to_variant()]);
            return;
        }
        let class = messages::class_label(self);
        let text = format!("{class} has no _start_execution(), so the order failed. Write one.");
        messages::error(self, "_start_execution", "missing", &text);
        CommandHandle::report(handle, RunResult::Failed, "not_implemented");
    }

    fn cancel(&self, handle: &Gd<CommandHandle>) {
        let resource = self.clone().upcast();
        if overrides(&resource, &names().cancel) {
            call(&resource, &names().cancel, &[handle.to_variant()]);
        } else {
            CommandHandle::report(handle, RunResult::Cancelled, "");
        }
    }
}

fn reason_of(about: &Gd<Resource>, answer: &Variant) -> StringName {
    if matches!(answer.get_type(), VariantType::STRING_NAME | VariantType::STRING) {
        return answer.try_to_relaxed::<StringName>().unwrap_or_default();
    }
    let fix = "Return a StringName, &\"\" for yes.";
    super::resolving::wrong_answer(about, "_is_available", answer, fix);
    StringName::default()
}

struct Names {
    is_available: StringName,
    start: StringName,
    cancel: StringName,
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names {
        is_available: StringName::from("_is_available"),
        start: StringName::from("_start_execution"),
        cancel: StringName::from("_cancel_execution"),
    })
}
