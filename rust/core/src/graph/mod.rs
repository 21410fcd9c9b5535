//! Movesets: which move follows which input, and when.
//!
//! A [`GraphPlan`] is compiled to a [`Graph`], which all players of it share; a [`Binding`] adds the times of one agent's animations.

mod binding;
mod compiled;
pub mod direction;
mod effect;
pub mod input;
mod machine;
mod moment;
pub mod parts;
mod plan;
mod reason;
mod windows;
mod windows_read;

pub use binding::{Binding, NodeTimes};
pub use compiled::{Graph, GraphError, Node, ROOT_INDEX, Wire};
pub use effect::{Answer, Candidate, Effect, Question, RunningTag, Ticket};
pub use machine::{
    Call, DryRun, Explained, InputReport, Machine, Place, Press, Receipt, RecordedCall, RecordedPress,
    RecordedTick, Replay, Reply, Restore, RunInfo, Saved, SavedCooldown, SavedEntry, SavedItem, SavedRun,
    SavedSequence, SavedTag, Settings, Show, Submission, ToldTimes, Verdict, View, WaitingView, WireReport,
};
pub use moment::Moment;
pub use plan::{GraphPlan, NodePlan, PayloadPlan, ROOT, TransitionPlan};
pub use reason::{
    BufferMode, Drop, Fail, FiresOn, InputResult, MoveEnd, NoWindow, SequenceMode, Stop, Timing,
};
pub use windows::{MoveTimes, Window};
pub use windows_read::{
    AnimationFacts, AuthoredWindow, MoveReading, SectionNames, WindowKey, WindowProblem, read_move,
};
