//! Senses, states and reasons. The integers are part of the public interface and never change.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use serde::{Deserialize, Serialize};

/// A set of senses: several can sense one target at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Senses(u8);

impl Senses {
    /// No sense.
    pub const NONE: Self = Self(0);
    /// Seen. Sticky: holds until the next check of the pair says otherwise.
    pub const SIGHT: Self = Self(1);
    /// Heard. Momentary.
    pub const HEARING: Self = Self(2);
    /// Noticed by the damage it did. Momentary.
    pub const DAMAGE: Self = Self(4);
    /// Sensed by a sense of the game's own. Momentary.
    pub const CUSTOM: Self = Self(8);
    /// All senses.
    pub const ANY: Self = Self(15);

    /// The known bits of a number; others are dropped.
    pub fn from_bits(bits: i64) -> Self {
        Self((bits & 15) as u8)
    }

    /// The bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// True if no sense is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if any sense is in both sets.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set without the senses of another.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The sense that speaks for the set: sight, then damage, then hearing, then custom.
    pub fn leading(self) -> Self {
        [Self::SIGHT, Self::DAMAGE, Self::HEARING, Self::CUSTOM]
            .into_iter()
            .find(|sense| self.intersects(*sense))
            .unwrap_or(Self::NONE)
    }

    /// Precedence of one sense: which of several says where the target is.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::SIGHT => 4,
            Self::DAMAGE => 3,
            Self::HEARING => 2,
            Self::CUSTOM => 1,
            _ => 0,
        }
    }
}

impl BitOr for Senses {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Senses {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOrAssign for Senses {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// How a target holds itself: how high its aim points are, and how many of them must be visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stance {
    /// Upright.
    #[default]
    Standing = 0,
    /// Lower.
    Crouched = 1,
    /// On the ground.
    Prone = 2,
}

/// What a perceiver knows of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetState {
    /// Nothing.
    Unknown = 0,
    /// In view, and being made out.
    Detecting = 1,
    /// A sense senses it now.
    Sensed = 2,
    /// Known, but no sense senses it now.
    Remembered = 3,
}

/// Why a record ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LossReason {
    /// It did not.
    #[default]
    None = 0,
    /// Unsensed for the forget time.
    Forgotten = 1,
    /// The target is not there any more, or is switched off.
    Gone = 2,
    /// A closer target took its place.
    Displaced = 3,
    /// A script ended it, or the perceiver was switched off.
    Dismissed = 4,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sight_leads_then_damage_then_hearing() {
        assert_eq!(Senses::ANY.leading(), Senses::SIGHT);
        assert_eq!((Senses::HEARING | Senses::DAMAGE).leading(), Senses::DAMAGE);
        assert_eq!((Senses::HEARING | Senses::CUSTOM).leading(), Senses::HEARING);
        assert_eq!(Senses::NONE.leading(), Senses::NONE);
        assert_eq!(Senses::from_bits(-1), Senses::ANY);
    }
}
