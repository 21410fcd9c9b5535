//! Perception: who sees, hears and feels whom, and what each remembers.
//!
//! A [`PerceptionWorld`] holds perceivers and sources. A [`Tick`] runs through it in phases over plain data
//! (see [`tick`]); what happened comes out as a list of [`Event`]s in the order in which it must be told.
//! 3D and 2D are spaces of one world: 2D lies in the plane z = 0.

mod area;
mod ask;
mod clock;
mod detection;
mod event;
mod frame;
mod gaze;
mod grid;
mod hearing;
mod inbox;
mod perceiver;
mod queries;
mod receive;
mod record;
mod registry;
mod reporting;
mod reports;
mod saved;
mod saving;
mod schedule;
mod sensed;
mod senses;
mod settings;
mod settle;
mod sight;
mod snapshot;
mod space;
mod stand;
mod target;
mod tell;
pub mod tick;
mod workers;
mod world;

pub use ask::{About, Ask, LineOfSight, Muffling, Question};
pub use event::{Event, EventKind};
pub use frame::{Frame, Pose, eye_and_forward};
pub use perceiver::{PerceiverKey, PerceiverPlace};
pub use record::Record;
pub use reporting::Reported;
pub use reports::{Damage, Noise, Stimulation};
pub use saved::{
    DetectionState, PerceiverState, QueueState, ReaderState, RecordState, ReportState, STATE_VERSION,
    ScanState, StateError,
};
pub use sensed::{EndedRecord, Identity, Pulse, RecordView, Sensed};
pub use senses::{LossReason, Senses, Stance, TargetState};
pub use settings::{Affiliation, MAX_AIM_POINTS, PerceiverSettings, SourceSettings, WorldSettings};
pub use snapshot::aim_points;
pub use space::SpaceId;
pub use target::{NodeId, SourceKey, SourcePlace, TargetKey, TargetRef};
pub use tick::{Expected, Scope, Tick, TickStats};
pub use world::PerceptionWorld;
