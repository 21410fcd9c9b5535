//! Integers of the graph that several files read.

/// The moment at which a transition fires.
pub(crate) mod fires {
    pub(crate) const INPUT_PRESSED: i64 = 0;
    pub(crate) const INPUT_RELEASED: i64 = 1;
    pub(crate) const INPUT_RELEASED_EARLY: i64 = 2;
    pub(crate) const ACTION_COMPLETED: i64 = 3;
    pub(crate) const ACTION_FAILED: i64 = 4;
}
