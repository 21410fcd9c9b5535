//! Inputs that are walked or wait.

use glam::DVec2;

use crate::graph::{FiresOn, Moment};
use crate::tags::TagId;

/// One input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub tag: TagId,
    pub moment: Moment,
    pub stick: DVec2,
    pub direction: DVec2,
    /// Counts arrivals.
    pub seq: u64,
    /// Player time of its arrival.
    pub born: f64,
    /// Time in hit-stop up to its arrival.
    pub thawed: f64,
    /// It ages in hit-stop too.
    pub ages: bool,
    /// The running node answers it; else only the root does.
    pub combo: bool,
    /// The sequence of inputs that it is an item of; 0: none.
    pub sequence: i64,
    /// The move that ended does not count for it.
    pub ignores_grace: bool,
}

impl Entry {
    pub fn is_press(&self) -> bool {
        self.moment == Moment::Pressed
    }

    pub fn fires_on(&self) -> FiresOn {
        fires_on(self.moment)
    }
}

/// The moment of a transition that answers this moment of an input.
pub(super) fn fires_on(moment: Moment) -> FiresOn {
    match moment {
        Moment::Pressed => FiresOn::Pressed,
        Moment::Released => FiresOn::Released,
        Moment::ReleasedEarly => FiresOn::ReleasedEarly,
    }
}

/// Tags of inputs with their ancestors, as far as they were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Lineages {
    known: Vec<(TagId, Box<[TagId]>)>,
}

impl Lineages {
    pub fn learn(&mut self, lineage: &[TagId]) {
        if let Some(tag) = lineage.first()
            && !self.known.iter().any(|known| known.0 == *tag)
        {
            self.known.push((*tag, lineage.into()));
        }
    }

    /// The tag itself and its ancestors.
    pub fn of<'a>(&'a self, tag: &'a TagId) -> &'a [TagId] {
        let known = self.known.iter().find(|known| known.0 == *tag);
        known.map_or(std::slice::from_ref(tag), |known| &known.1)
    }
}
