//! What stands on the cards and wires of a graph: conditions, costs, gates, cooldowns, hooks, paired actions.
//!
//! Each is decided from plain numbers ([`PartsWorld`]) where it is built in; a scripted one says so, and the machine asks.

mod approach;
mod condition;
mod cooldown;
mod cost;
mod gate;
mod hook;
mod paired;
mod world;

pub use approach::{Approach, ApproachPlan, stop_distance, turn_rate};
pub use condition::{
    ConditionKind, ConditionPlan, DirectionSpace, DistanceComparison, PressView, VitalComparison,
};
pub use cooldown::{CooldownPlan, CooldownStart, Recharge};
pub use cost::{Affordable, CostPlan, affordable, pay};
pub use gate::{GraphGatePlan, TagLists, TagTest};
pub use hook::{DrainEnd, HookCalls, HookPlan, MovementSource, drained, locomotion};
pub use paired::PairedPlan;
pub use world::{Needs, PartsWorld, TargetFacts, VitalView};
