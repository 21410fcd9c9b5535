//! What an input did.

/// The moment of an input that a transition may wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Moment {
    /// Its trigger completed: the key went down, or was held long enough.
    #[default]
    Pressed,
    /// It went up after that.
    Released,
    /// It went up before its trigger completed.
    ReleasedEarly,
}

impl Moment {
    /// All moments, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Pressed, Self::Released, Self::ReleasedEarly];

    /// The integer that scripts know it by.
    pub fn code(self) -> i64 {
        match self {
            Self::Pressed => 0,
            Self::Released => 1,
            Self::ReleasedEarly => 2,
        }
    }

    /// The moment with this integer.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|moment| moment.code() == code)
    }
}
