//! Deciding and running actions: the resources that describe them and the nodes that use them.

#[allow(dead_code, reason = "filled in by the evaluator, the next part")]
mod action_context;
mod action_gate;
mod action_scorer;
mod action_set;
mod action_spec;
mod angle_scorer;
mod animation_method;
mod animation_run;
mod call_method;
mod call_run;
mod chain_link;
mod compile;
#[allow(dead_code, reason = "read by the evaluator, the next part")]
pub mod compiled;
#[allow(dead_code, reason = "filled in by the evaluator, the next part")]
mod decision_context;
mod distance_scorer;
mod execution_method;
mod health_scorer;
#[allow(dead_code, reason = "called by the evaluator, the next part")]
pub mod method_run;
mod names;
mod parts;
mod problems;
mod range_curve;
mod range_slot;
#[allow(dead_code, reason = "installed by the evaluator, the next part")]
pub mod run_access;
mod script_calls;
mod scripted_method;
mod seeded;

use crate::base::defaults;

pub use action_context::ActionContext;
pub use action_set::ActionSet;
pub use action_spec::ActionSpec;
pub use angle_scorer::AngleScorer;
pub use animation_method::AnimationMethod;
pub use call_method::CallMethod;
pub use chain_link::ChainLink;
pub use decision_context::DecisionContext;
pub use distance_scorer::DistanceScorer;
pub use execution_method::ExecutionMethod;
pub use health_scorer::HealthScorer;
pub use range_curve::RangeCurve;

/// To be called once per start, when the scene classes are registered.
pub(crate) fn teach_defaults() {
    defaults::teach("ActionSet", "format_version");
    for scorer in ["DistanceScorer", "AngleScorer", "HealthScorer"] {
        defaults::teach(scorer, "range");
    }
}
