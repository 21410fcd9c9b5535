use godot::prelude::*;

use super::call_run::{CallDefinition, CallParts};
use super::method_run::Method;
use super::parts::MethodPart;
use crate::base::numbers::Checked;

/// Runs an action by calling a method of the agent, or of a node below it.
///
/// A method that returns `false` did not start. One that awaits, or returns a signal, runs until it returns or the
/// signal comes; `false` then means that it failed. Any other method is done at once.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct CallMethod {
    /// The node to call, from the agent. Empty: the agent itself.
    #[export]
    #[var(set = set_node_path)]
    node_path: NodePath,
    /// The method to call. Empty: the action is never chosen.
    #[export]
    #[var(set = set_method)]
    method: StringName,
    /// What the method is called with.
    #[export]
    #[var(set = set_arguments)]
    arguments: VarArray,
    /// On, the default: the [ActionContext] comes after the arguments.
    #[export]
    #[var(set = set_pass_context)]
    #[init(val = true)]
    pass_context: bool,
    /// Called with the reason, one of the `END_*` constants, when the action is cut short. Empty: nothing.
    #[export]
    #[var(set = set_abort_method)]
    abort_method: StringName,
    /// Seconds after which the action is ended. 0, the default: only the project setting
    /// `riposte/execution/hard_timeout` ends it.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_call_timeout)]
    call_timeout: f64,
    base: Base<Resource>,
}

#[godot_api]
impl CallMethod {
    #[func]
    fn set_node_path(&mut self, value: NodePath) {
        self.node_path = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_method(&mut self, value: StringName) {
        self.method = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_arguments(&mut self, value: VarArray) {
        self.arguments = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_pass_context(&mut self, value: bool) {
        self.pass_context = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_abort_method(&mut self, value: StringName) {
        self.abort_method = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_call_timeout(&mut self, value: f64) {
        self.call_timeout = self.timeout("call_timeout", value);
        self.base_mut().emit_changed();
    }
}

impl MethodPart for CallMethod {
    fn missing(&self) -> Option<String> {
        let missing = self.method.is_empty();
        missing
            .then(|| "CallMethod has no method. Set method to the name of a method of the agent.".to_owned())
    }

    fn definition(this: Gd<Self>) -> Box<dyn Method> {
        Box::new(CallDefinition(this))
    }
}

impl CallMethod {
    /// The private copy of a run.
    pub(crate) fn parts(&self) -> CallParts {
        CallParts {
            node_path: self.node_path.clone(),
            method: self.method.clone(),
            arguments: self.arguments.iter_shared().collect(),
            pass_context: self.pass_context,
            abort_method: self.abort_method.clone(),
            timeout: self.call_timeout,
        }
    }
}
