//! Runs of [`CallMethod`].

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use godot::prelude::*;

use super::method_run::{Delta, Method, MethodRun, RunLink, RunResult};
use super::{ActionContext, CallMethod, run_access};
use crate::base::messages;

/// The definition; each run takes a copy of its values.
pub(crate) struct CallDefinition(pub(crate) Gd<CallMethod>);

/// The values of one run.
pub(crate) struct CallParts {
    pub(crate) node_path: NodePath,
    pub(crate) method: StringName,
    pub(crate) arguments: Vec<Variant>,
    pub(crate) pass_context: bool,
    pub(crate) abort_method: StringName,
    pub(crate) timeout: f64,
}

impl Method for CallDefinition {
    fn new_run(&self, link: RunLink) -> Rc<dyn MethodRun> {
        let parts = self.0.bind().parts();
        Rc::new(CallRun { parts, resource: self.0.clone(), link, called: Cell::new(None) })
    }
}

struct CallRun {
    parts: CallParts,
    /// For messages.
    resource: Gd<CallMethod>,
    link: RunLink,
    /// The node whose method was called.
    called: Cell<Option<InstanceId>>,
}

impl MethodRun for CallRun {
    fn timeout(&self) -> f64 {
        self.parts.timeout
    }

    fn can_begin(&self, _context: &Gd<ActionContext>) -> bool {
        true
    }

    fn begin(&self, context: &Gd<ActionContext>) -> bool {
        let Some(mut node) = self.find_node(context) else { return false };
        self.called.set(Some(node.instance_id()));
        let mut arguments = self.parts.arguments.clone();
        if self.parts.pass_context {
            arguments.push(context.to_variant());
        }
        match node.try_call(&self.parts.method, &arguments) {
            Ok(answer) => self.wait_for(&answer),
            Err(problem) => {
                let method = &self.parts.method;
                let why = messages::call_problem(&problem.to_string());
                let text =
                    format!("the call of \"{method}\" failed: {why}. Mend the method or the arguments.");
                messages::error(&self.resource, "method", &text, &text);
                false
            }
        }
    }

    fn wants_tick(&self) -> bool {
        false
    }

    fn tick(&self, _delta: &Delta) {}

    fn abort(&self, reason: i64) {
        let method = &self.parts.abort_method;
        let node = self.called.get().and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
        let Some(mut node) = node.filter(|_| !method.is_empty()) else { return };
        if !node.has_method(method) {
            let text =
                format!("abort_method: {} has no method \"{method}\". Set another or none.", place(&node));
            messages::error(&self.resource, "abort_method", &text, &text);
            return;
        }
        let _ignored = node.try_call(method, &[reason.to_variant()]);
    }
}

impl CallRun {
    fn find_node(&self, context: &Gd<ActionContext>) -> Option<Gd<Node>> {
        let agent = context.bind().get_instigator()?;
        let path = &self.parts.node_path;
        let node = if path.is_empty() { Some(agent.clone()) } else { agent.get_node_or_null(path) };
        let method = &self.parts.method;
        let text = match &node {
            None => format!("node_path: {} has no node \"{path}\". Set another path.", place(&agent)),
            Some(node) if !node.has_method(method) => {
                format!(
                    "method: {} has no method \"{method}\". Set another, or add it to the script.",
                    place(node)
                )
            }
            Some(_) => return node,
        };
        messages::error(&self.resource, "method", &text, &text);
        None
    }

    /// False: the call did not start. A signal or a coroutine is waited for, any other answer is the end.
    fn wait_for(&self, answer: &Variant) -> bool {
        let waiting = Callable::from_custom(Completion { link: self.link });
        match answer.get_type() {
            VariantType::BOOL if !answer.booleanize() => return false,
            VariantType::SIGNAL => {
                let signal = answer.to::<Signal>();
                if let Some(mut object) = signal.object() {
                    object.connect(&signal.name(), &waiting);
                    return true;
                }
            }
            VariantType::OBJECT => {
                // What a call of a function that awaits returns.
                if let Ok(mut state) = answer.try_to::<Gd<RefCounted>>()
                    && state.is_class("GDScriptFunctionState")
                {
                    state.connect("completed", &waiting);
                    return true;
                }
            }
            _ => {}
        }
        run_access::record(self.link, RunResult::Success);
        true
    }
}

fn place(node: &Gd<Node>) -> String {
    messages::node_place(node)
}

/// Records what came. After the end of the run, and after a first value, the evaluator does not take it.
struct Completion {
    link: RunLink,
}

impl RustCallable for Completion {
    fn invoke(&mut self, arguments: &[&Variant]) -> Variant {
        let refused = arguments
            .first()
            .is_some_and(|first| first.get_type() == VariantType::BOOL && !first.booleanize());
        run_access::record(self.link, if refused { RunResult::Failure } else { RunResult::Success });
        Variant::nil()
    }
}

impl PartialEq for Completion {
    fn eq(&self, other: &Self) -> bool {
        self.link == other.link
    }
}

impl Hash for Completion {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.link.evaluator.hash(state);
        self.link.run.hash(state);
    }
}

impl fmt::Display for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("riposte_call_completed")
    }
}
