//! Orders of one agent.

mod check;
mod check_choice;
mod check_shape;
mod reason;

pub use check::{
    CheckDetail, CheckPlan, CheckWorld, Failure, Moment, RangeLimits, RangeRule, blocked, check_range,
    check_world,
};
pub use check_choice::{VARIANT_AUTO, VariantChoice, best_of, sound_score, variant_choice};
pub use check_shape::{Dimension, Given, TargetType, Vector, check_shape};
pub use reason::Reason;
