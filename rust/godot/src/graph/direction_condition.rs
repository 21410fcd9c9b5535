use godot::prelude::*;
use riposte_core::graph::parts::{ConditionKind, DirectionSpace};

use super::condition_parts::BuiltInCondition;
use super::findings::Finding;
use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;

/// All sectors.
const ALL: i64 = 31;

resource_class! {
    /// Lets a transition through by the direction of the input: forward, back, left, right or none.
    ///
    /// What counts is the direction at the press, also if the press waited for a window. Where a transition fires without an
    /// input, the direction in which the agent moves counts. A sector is a quarter of the circle; its limits belong to forward
    /// and back.
    class DirectionCondition;
    properties {
        /// The directions that pass, a sum of the [code]DIRECTION_*[/code] constants. Default [constant DIRECTION_FORWARD].
        #[export(flags = (Forward = 1, Back = 2, Left = 4, Right = 8, Neutral = 16))]
        directions: i64 = 1 => set_directions(count, 0, ALL);
        /// What the direction is compared with: where the agent looks, the stick itself, or the way to the target. Default
        /// [constant SPACE_FACING].
        #[export(enum = (Facing = 0, Stick = 1, Target = 2))]
        space: i64 = 0 => set_space(constant, 0, 2);
        /// How far the stick has to be pushed, 0 to 1; less is neutral. Default 0.3.
        #[export(range = (0.0, 1.0, 0.01))]
        dead_zone: f64 = 0.3 => set_dead_zone(share);
        /// On: the transition passes where it would not, and the other way round.
        #[export]
        invert: bool = false => set_invert(any);
    }
    items {
        /// At most 45° away from straight ahead.
        #[constant]
        const DIRECTION_FORWARD: i64 = 1;
        /// At least 135° away from straight ahead.
        #[constant]
        const DIRECTION_BACK: i64 = 2;
        /// To the left.
        #[constant]
        const DIRECTION_LEFT: i64 = 4;
        /// To the right.
        #[constant]
        const DIRECTION_RIGHT: i64 = 8;
        /// No direction: the stick is inside its dead zone.
        #[constant]
        const DIRECTION_NEUTRAL: i64 = 16;
        /// Forward is where the agent looks.
        #[constant]
        const SPACE_FACING: i64 = DirectionSpace::Facing as i64;
        /// Forward is up on the stick.
        #[constant]
        const SPACE_STICK: i64 = DirectionSpace::Stick as i64;
        /// Forward is the way to the target; without a target, where the agent looks.
        #[constant]
        const SPACE_TARGET: i64 = DirectionSpace::Target as i64;
    }
}

impl BuiltInCondition for DirectionCondition {
    fn kind(&self) -> ConditionKind {
        ConditionKind::Direction {
            directions: u8::try_from(self.directions).unwrap_or_default(),
            space: DirectionSpace::from_int(self.space).unwrap_or_default(),
            dead_zone: self.dead_zone,
        }
    }

    fn is_inverted(&self) -> bool {
        self.invert
    }

    fn caption(&self) -> String {
        let names = ["forward", "back", "left", "right", "neutral"];
        let chosen = names.iter().enumerate().filter(|(bit, _)| self.directions & (1 << bit) != 0);
        let list = chosen.map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
        let space = ["", "stick ", "to target: "][usize::try_from(self.space).unwrap_or_default().min(2)];
        format!("{space}{}", if list.is_empty() { "no direction" } else { &list })
    }

    fn findings(&self) -> Vec<Finding> {
        let text = "never chosen: directions is empty. Choose a direction, or remove the condition.";
        (self.directions == 0 && !self.invert).then(|| Finding::new("W15", text)).into_iter().collect()
    }
}
