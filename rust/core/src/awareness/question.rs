//! What an update asks of the adapter, what it says happened, and what was wrong with an answer.

use crate::perception::{NodeId, TargetRef};

use super::kinds::{AttentionReason, Lifecycle, Relationship, ThreatLevel};
use super::stance::Posture;
use super::world::MindKey;

/// One update of one mind; stale once another began or the mind is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    pub(super) mind: MindKey,
    pub(super) serial: u64,
}

impl Update {
    /// Whose.
    pub fn mind(self) -> MindKey {
        self.mind
    }
}

/// Names one belief of a mind: a target may get a second one after the first was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BeliefRef {
    /// Number of the target.
    pub target_id: u64,
    /// Number of the belief in its mind.
    pub serial: u64,
}

/// What an update needs to go on. Nothing is held while the adapter finds the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Question {
    /// The own health, 0..1: [`Answer::Number`]. Asked only while pain dulls the senses.
    Health,
    /// Identity tags of an agent that has no source: [`super::AwarenessWorld::answer_identity`].
    Identity {
        /// Whose.
        agent: NodeId,
    },
    /// Confidence of a belief from its samples ([`super::AwarenessWorld::samples`]): [`Answer::Number`].
    Fuse {
        /// Which.
        belief: BeliefRef,
        /// Per further active sense.
        bonus: f64,
    },
    /// What the target is to the agent, as the agent itself says: [`Answer::Relationship`]. Asked only where
    /// [`super::Asks::relationship`] says that somebody answers.
    Relationship {
        /// Who.
        target: TargetRef,
    },
    /// Threat of a belief: [`Answer::Number`].
    Threat {
        /// Which.
        belief: BeliefRef,
        /// What the target is to the agent.
        relationship: Relationship,
    },
    /// Whom to attend to, of [`super::AwarenessWorld::candidates`]: [`Answer::Target`].
    Attention {
        /// The current one; `None` when it is gone or expired.
        current: Option<TargetRef>,
        /// For how long.
        time: f64,
        /// The profile's stickiness.
        stickiness: f64,
        /// The profile's switch threshold.
        threshold: f64,
    },
    /// The posture of a target: [`Answer::Posture`]. Asked only where [`super::Asks::posture`] says so.
    Posture {
        /// Whose.
        target: TargetRef,
    },
}

/// The adapter's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// There is none: for a policy the built-in rule holds, for the rest the next source.
    None,
    /// A number.
    Number(f64),
    /// The integer of a relationship.
    Relationship(i64),
    /// The number of a target; `None`: nobody.
    Target(Option<u64>),
    /// A node that is no target at all.
    Stranger,
    /// How a target stands.
    Posture(Posture),
}

/// What happened, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The lifecycle of a belief changed.
    State {
        /// Which; it may be removed by now, see [`super::AwarenessWorld::removed`].
        belief: BeliefRef,
        /// About whom.
        target: TargetRef,
        /// Before.
        previous: Lifecycle,
        /// After.
        state: Lifecycle,
    },
    /// The threat level of a belief changed.
    Level {
        /// Which.
        belief: BeliefRef,
        /// About whom.
        target: TargetRef,
        /// Before.
        previous: ThreatLevel,
        /// After.
        level: ThreatLevel,
    },
    /// The highest of all levels changed.
    Highest {
        /// After.
        level: ThreatLevel,
        /// Before.
        previous: ThreatLevel,
    },
    /// The attention target changed.
    Attention {
        /// Before; it may be gone.
        previous: Option<TargetRef>,
        /// After.
        current: Option<TargetRef>,
        /// Why.
        reason: AttentionReason,
    },
}

impl Event {
    /// Order inside one update; beginnings of equal rank stay in their order.
    pub(super) fn rank(&self) -> (u8, u64) {
        match self {
            Self::State { target, .. } => (0, target.id),
            Self::Level { target, .. } => (1, target.id),
            Self::Highest { .. } => (2, 0),
            Self::Attention { .. } => (3, 0),
        }
    }
}

/// An answer that could not be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Problem {
    /// A fusion policy gave no number; it counts as 0.
    Fusion(f64),
    /// A threat policy gave no number; it counts as 0.
    Threat(f64),
    /// An attention policy chose a node that is neither a candidate nor the current target; the current one stays.
    Stranger,
    /// An adapter gave an integer that is no relationship; the next source was asked.
    Relationship(i64),
    /// Health that is no number; it counts as 1.
    Health(f64),
}
