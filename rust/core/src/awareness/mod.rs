//! Awareness: what an agent makes of what its senses report.
//!
//! An [`AwarenessWorld`] holds one mind per agent. A mind follows the records of one perceiver: per target it keeps a
//! [`Belief`] with confidence, lifecycle, relationship and threat, and it commits to one target.
//!
//! An update is a resumable machine: it never calls out, but returns a [`Question`] and goes on with its [`Answer`].
//!
//! ```text
//! due      which minds, after perception has settled   both worlds locked
//! begin    beliefs begin, follow records, end          both worlds locked
//! next     numbers, until something must be asked      world locked
//! answer   policies, adapters                          nothing held
//! ```

mod attention;
mod belief;
mod choice;
mod course;
mod explain;
mod kinds;
mod memory;
mod mind;
mod profile;
mod queries;
mod question;
mod regard;
mod relation;
mod seat;
mod sense;
mod stance;
mod state;
mod threat;
mod walk;
mod world;

pub use belief::{Belief, Frozen};
pub use explain::{Explanation, SenseFactors};
pub use kinds::{AttentionReason, Lifecycle, Relationship, SenseId, ThreatLevel};
pub use memory::Observation;
pub use mind::{Asks, Surroundings};
pub use profile::{
    AttentionRule, FusionRule, LEAST_DAMAGE_FULL, MOST_OBSERVATIONS, Mended, Profile, RelationRules,
    ScoreWeights, SenseSlot, ThreatFactors, ThreatRule, ThreatWeights,
};
pub use question::{Answer, BeliefRef, Event, Problem, Question, Update};
pub use relation::RelationSource;
pub use sense::Sample;
pub use stance::{
    HealthAnswers, LateHealth, Posture, SourceStance, StanceAnswers, crouch_member, health_fraction,
    health_percent, health_share, pain_factor,
};
pub use state::{AttentionState, BeliefState, MindState, STATE_VERSION, SampleState, StateError};
pub use threat::{ScoreParts, ThreatParts};
pub use world::{AwarenessStats, AwarenessWorld, MindKey, Override};
