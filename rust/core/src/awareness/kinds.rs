//! The words of awareness, with the integers that scripts know them by.

use serde::{Deserialize, Serialize};

use crate::tags::TagId;

macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $value:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* $variant = $value,)* }

        impl $name {
            /// The one with this integer.
            pub fn from_int(value: i64) -> Option<Self> {
                match value {
                    $($value => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its integer.
            pub fn to_int(self) -> i64 {
                self as i64
            }
        }
    };
}

numbered! {
    /// How far a belief has come.
    Lifecycle {
        /// Hardly noticed.
        #[default]
        Undetected = 0,
        /// Something is there.
        Suspected = 1,
        /// Known.
        Detected = 2,
        /// Was known, and no sense senses it now.
        Lost = 3,
        /// Its record has ended.
        Expired = 4,
    }
}

numbered! {
    /// How dangerous a target is.
    ThreatLevel {
        /// Not at all.
        #[default]
        None = 0,
        /// From `threat_low` on.
        Low = 1,
        /// From `threat_medium` on.
        Medium = 2,
        /// From `threat_high` on.
        High = 3,
        /// From `threat_critical` on.
        Critical = 4,
    }
}

numbered! {
    /// What a target is to the agent.
    Relationship {
        /// Nobody knows.
        #[default]
        Unknown = 0,
        /// An enemy.
        Hostile = 1,
        /// Neither friend nor enemy.
        Neutral = 2,
        /// A friend.
        Friendly = 3,
        /// Of the same team.
        Teammate = 4,
    }
}

impl Relationship {
    /// Never a threat, never chosen by the built-in attention.
    pub fn is_friend(self) -> bool {
        matches!(self, Self::Friendly | Self::Teammate)
    }
}

numbered! {
    /// Why attention changed.
    AttentionReason {
        /// There was no target before.
        #[default]
        Acquired = 0,
        /// A better one.
        Switched = 1,
        /// The old one's belief expired.
        Expired = 2,
        /// The old one, or its source, is not there any more.
        Gone = 3,
        /// The old one is not worth it any more.
        Released = 4,
        /// A script said so.
        Overridden = 5,
    }
}

/// Which sense a slot listens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SenseId {
    /// `Sight`.
    Sight,
    /// `Hearing`.
    Hearing,
    /// `Damage`.
    Damage,
    /// A custom sense, by the id of its reports.
    Custom(TagId),
}
