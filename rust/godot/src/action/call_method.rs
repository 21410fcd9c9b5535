use godot::prelude::*;

use super::call_run::{CallDefinition, CallParts};
use super::method_run::Method;
use super::parts::MethodPart;
use super::resource_class::{SpecChecks as _, resource_class};
use crate::base::numbers::Checked as _;

resource_class! {
    /// Runs an action by calling a method of the agent, or of a node below it.
    ///
    /// A method that returns `false` did not start. One that awaits, or returns a signal, runs until it returns or the
    /// signal comes; `false` then means that it failed. Any other method is done at once.
    class CallMethod;
    properties {
        /// The node to call, from the agent. Empty: the agent itself.
        #[export]
        node_path: NodePath = (NodePath::default()) => set_node_path(any);
        /// The method to call. Empty: the action is never chosen.
        #[export]
        method: StringName = (StringName::default()) => set_method(any);
        /// What the method is called with.
        #[export]
        arguments: VarArray = (VarArray::new()) => set_arguments(any);
        /// On, the default: the [ActionContext] comes after the arguments.
        #[export]
        pass_context: bool = true => set_pass_context(any);
        /// Called with the reason, one of the `END_*` constants, when the action is cut short. Empty: nothing.
        #[export]
        abort_method: StringName = (StringName::default()) => set_abort_method(any);
        /// Seconds after which the action is ended. 0, the default: only the project setting
        /// `riposte/execution/hard_timeout` ends it.
        #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
        call_timeout: f64 = 0.0 => set_call_timeout(timeout);
    }
    items {}
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
