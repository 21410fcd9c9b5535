//! Deciding and running actions: the resources that describe them and the nodes that use them.

#[allow(dead_code, reason = "filled in by the evaluator, the next part")]
mod action_context;
#[allow(dead_code, reason = "read by the evaluator, the next part")]
pub mod compiled;
#[allow(dead_code, reason = "filled in by the evaluator, the next part")]
mod decision_context;
#[allow(dead_code, reason = "called by the evaluator, the next part")]
pub mod method_run;

pub use action_context::ActionContext;
#[allow(unused_imports, reason = "named by the scriptable classes, the next part")]
pub use decision_context::DecisionContext;
