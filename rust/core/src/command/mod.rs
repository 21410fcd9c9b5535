//! Orders of one agent: what is current, what waits, and exactly one end for each.
//!
//! [`Commands`] is a machine without scripts and engine. Requests ([`Commands::submit`]), controls ([`Commands::cancel`],
//! [`Commands::skip`], …), reports and ticks change the state at once and append what is to be told and done to one row.
//! Whoever called one of them then runs the turn, if none runs:
//!
//! ```text
//! let receipt = { lock; commands.submit(entry, order) };
//! if { lock; commands.begin_turn() } {
//!     while let Some(effect) = { lock; commands.next_effect() } {
//!         perform(effect);            // hooks and signals, nothing is held; they may call anything
//!     }                               // questions: { lock; commands.answer(ticket, answer) }
//! }
//! let receipt = { lock; commands.settle(receipt) };
//! ```
//!
//! So nothing is ever told inside of something else, and the depth of the stack does not grow with the number of orders.

mod check;
mod check_choice;
mod check_shape;
mod controls;
mod effect;
mod ending;
mod entries;
mod order;
mod plan;
mod published;
mod reason;
mod saved;
mod starting;
mod state;
mod ticking;
mod turn;
mod waiting;

pub use check::{
    CheckDetail, CheckPlan, CheckWorld, Failure, Moment, RangeLimits, RangeRule, blocked, check_range,
    check_world,
};
pub use check_choice::{VARIANT_AUTO, VariantChoice, best_of, sound_score, variant_choice};
pub use check_shape::{Dimension, Given, TargetType, Vector, check_shape};
pub use effect::{Effect, Info, Start, Step, Ticket};
pub use entries::Receipt;
pub use order::{NewOrder, OrderData, OrderKey};
pub use plan::{
    EndlessPolicy, Entry, FailurePolicy, InvalidPolicy, LostPolicy, OrderPlan, Outcome, Phase, RunResult,
    SameRequest, Settings,
};
pub use published::{Published, PublishedNews, PublishedOrder};
pub use reason::Reason;
pub use saved::{SavedCommands, SavedCurrent, SavedIntent, SavedOrder, SavedStart};
pub use state::Commands;
pub use ticking::{Readings, Steady};
pub use turn::Answer;
