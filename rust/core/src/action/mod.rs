//! Deciding and running actions: curves, compiled sets, evaluation, execution, the state of one evaluator.

pub mod curve;
pub mod plan;

pub use curve::RangeCurve;
pub use plan::{
    ActionId, ActionPlan, ChainPlan, CooldownPlan, GateKind, GatePlan, HealthSource, ScorerKind, ScorerPlan,
    SetPlan, TagMultiplier, TagQueries,
};
