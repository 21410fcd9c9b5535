//! Hooks of a node: what rides a run.

use super::condition::from_int;
use super::world::{Needs, PartsWorld};
use crate::tags::TagId;
use crate::time::TIME_TOLERANCE;

/// What counts as movement. The integers are the `DETECT_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum MovementSource {
    /// The stick, or the direction that a script set.
    #[default]
    Input = 0,
    /// How fast the agent is.
    Velocity = 1,
}

/// What an empty vital does to the run. The integers are the `ENDS_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum DrainEnd {
    /// The node completes.
    #[default]
    Finish = 0,
    /// It is cut to Root when its rules allow it.
    Cancel = 1,
    /// Nothing.
    Nothing = 2,
}

from_int! {
    MovementSource: Input, Velocity;
    DrainEnd: Finish, Cancel, Nothing;
}

/// Which of its virtuals a scripted hook has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookCalls {
    /// `_enter`.
    pub enter: bool,
    /// `_exit`.
    pub exit: bool,
    /// `_tick`, and it is to be called.
    pub tick: bool,
    /// `_marker`.
    pub marker: bool,
    /// It may finish the node.
    pub finishes: bool,
}

/// A hook.
#[derive(Clone, Debug, PartialEq)]
pub enum HookPlan {
    /// Scales how the agent moves.
    Locomotion {
        /// How fast.
        speed: f64,
        /// How fast it gets there.
        acceleration: f64,
        /// How fast it turns.
        turn: f64,
    },
    /// Cuts the node to Root when the agent moves.
    CancelOnMovement {
        /// What counts.
        detect: MovementSource,
        /// Above this.
        threshold: f64,
    },
    /// Takes from a vital.
    Drain {
        /// Which.
        tag: TagId,
        /// How much in a second.
        per_second: f64,
        /// What happens at 0.
        end: DrainEnd,
    },
    /// A script.
    Script(HookCalls),
}

impl HookPlan {
    /// It may complete the node by itself.
    pub fn may_finish(&self) -> bool {
        match self {
            Self::Drain { end, .. } => *end == DrainEnd::Finish,
            Self::Script(calls) => calls.finishes,
            Self::Locomotion { .. } | Self::CancelOnMovement { .. } => false,
        }
    }

    /// It wants to cut the node because the agent moves.
    pub fn cuts(&self, world: &PartsWorld) -> bool {
        let Self::CancelOnMovement { detect, threshold } = self else { return false };
        let moved = match detect {
            MovementSource::Input => world.move_direction.length(),
            MovementSource::Velocity => world.speed,
        };
        // Numbers of the engine are short: 0.2 there is a little more than 0.2.
        moved > *threshold + TIME_TOLERANCE
    }

    /// Something is done in every tick.
    pub fn ticks(&self) -> bool {
        match self {
            Self::Locomotion { .. } => false,
            Self::CancelOnMovement { .. } | Self::Drain { .. } => true,
            Self::Script(calls) => calls.tick,
        }
    }

    /// Says what is looked at.
    pub fn collect(&self, needs: &mut Needs) {
        match self {
            Self::CancelOnMovement { detect, .. } => needs.speed |= *detect == MovementSource::Velocity,
            Self::Drain { tag, .. } => needs.add_vital(*tag),
            Self::Locomotion { .. } | Self::Script(_) => {}
        }
    }
}

/// How hooks together scale speed, acceleration and turning.
pub fn locomotion(hooks: &[HookPlan]) -> [f64; 3] {
    hooks.iter().fold([1.0; 3], |scale, hook| match hook {
        HookPlan::Locomotion { speed, acceleration, turn } => {
            [scale[0] * speed, scale[1] * acceleration, scale[2] * turn]
        }
        _ => scale,
    })
}

/// What a drain takes of `value` in `dt` seconds, and whether nothing is left then.
pub fn drained(value: f64, per_second: f64, dt: f64) -> (f64, bool) {
    let left = value - per_second * dt;
    if left <= TIME_TOLERANCE { (value, true) } else { (value - left, false) }
}
