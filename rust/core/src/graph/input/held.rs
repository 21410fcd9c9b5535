//! Which inputs are held, as far as they were walked.

use crate::tags::TagId;

/// Who sent an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The input with this number in the map.
    Input(usize),
    /// The sequence with this number in the map.
    Sequence(usize),
    /// A script.
    Script,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub tag: TagId,
    pub origin: Origin,
    /// When its button went down.
    pub since: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Held(Vec<Mark>);

impl Held {
    pub fn add(&mut self, tag: TagId, origin: Origin, since: f64) {
        if !self.has(tag, origin) {
            self.0.push(Mark { tag, origin, since });
        }
    }

    pub fn remove(&mut self, tag: TagId, origin: Origin) {
        self.0.retain(|mark| mark.tag != tag || mark.origin != origin);
    }

    pub fn has(&self, tag: TagId, origin: Origin) -> bool {
        self.0.iter().any(|mark| mark.tag == tag && mark.origin == origin)
    }

    pub fn marks(&self) -> &[Mark] {
        &self.0
    }
}
