//! Deciding and running actions: curves, compiled sets, evaluation, execution, the state of one evaluator.
//!
//! [`Evaluator`] is a resumable machine. It never calls out: it returns a [`Question`], and goes on with its
//! [`Answer`]. So a script may answer in the middle of a decision, and may call back while it does.

pub mod animation;
pub mod curve;
pub mod plan;

mod asking;
mod batch;
mod binding;
mod budget;
mod choice;
mod decision;
mod delayed;
mod ending;
mod evaluation;
mod executor;
mod flat;
mod flat_curves;
mod flat_pass;
mod following;
mod gates;
mod gating;
mod glimpse;
mod history;
mod hooks;
mod list;
mod listing;
mod machine;
mod memory;
mod migration;
mod novelty;
mod overview;
mod question;
mod quiet;
mod reaction;
mod readings;
mod reason;
mod recovering;
mod resuming;
mod row;
mod run;
mod saved;
mod schedule;
mod score;
mod sets;
mod settings;
mod sight;
mod snapshot;
mod state;
mod step;
mod switching;
mod targeting;
mod targets;
mod tokens;

pub use animation::{AnimationGoal, AnimationNow, AnimationVerdict};
pub use asking::Virtuals;
pub use batch::{DecisionScratch, decide_all};
pub use binding::{BindMode, BindingPlan, BoundNumber, bound_number};
pub use budget::{Budget, BudgetCount};
pub use curve::RangeCurve;
pub use decision::{Decision, DecisionOutcome, DecisionRow};
pub use evaluation::seeded_random;
pub use following::{News, Published, Publisher};
pub use gates::{GateKind, GatePlan, TagsOf};
pub use hooks::{HookCall, HookCalls, HookMoment, HookSlot, RunHooks};
pub use list::is_factor;
pub use machine::{Outcome, SpareStack};
pub use migration::{
    CompactAction, CompactRange, MigratedAction, MigratedMethod, MigratedScorer, from_version_0,
};
pub use overview::ActionOverview;
pub use plan::{
    ActionId, ActionPlan, ChainPlan, CooldownPlan, Needs, ScorerKind, ScorerPlan, SetPlan, TagMultiplier,
    TagQueries,
};
pub use question::{ActionRef, Answer, Event, Prepare, Question, RunId, ScriptCall, TargetWish, Ticket};
pub use quiet::{Quiet, QuietScratch, QuietTarget, QuietView, TagMark};
pub use reaction::{ContextKey, ReactionEvent, ReactionPlan, Rival};
pub use readings::{Limits, Reading, ReadingId, Share, Source, WantedReadings};
pub use reason::{Detail, EndReason, Refusal};
pub use run::{Origin, Run, StartRequest};
pub use saved::{CooldownState, EvaluatorState, RunningState, Unknown};
pub use schedule::lod_scale;
pub use sets::{ChangePolicy, Listed, SetChain, SetSource, closest_role, effective};
pub use settings::Settings;
pub use sight::{SightBudget, SightMemory};
pub use snapshot::{Snapshot, TargetKey, TargetView, planar_angle};
pub use state::Evaluator;
pub use targeting::{InterruptClass, LostPolicy, RetargetPolicy, TargetMode};
pub use tokens::{TokenChange, TokenClaim, TokenPools, TokenWish};
