//! What conditions, costs, gates and hooks see of the world.

use glam::DVec2;

use crate::tags::{TagId, TagSet};

/// A vital of the agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VitalView {
    /// Its name.
    pub tag: TagId,
    /// The value.
    pub value: f64,
    /// The greatest value.
    pub max: f64,
    /// False for one that the agent has no row of: conditions see it, and nothing is paid from it.
    pub row: bool,
}

impl VitalView {
    /// The value as a share of the maximum; 0 if the maximum is 0.
    pub fn fraction(&self) -> f64 {
        if self.max > 0.0 { self.value / self.max } else { 0.0 }
    }
}

/// What is known of the target.
#[derive(Clone, Copy, Debug)]
pub struct TargetFacts<'a> {
    /// Its tags.
    pub tags: &'a TagSet,
    /// From origin to origin, in world units.
    pub units: f64,
    /// The same, seen from above; in 2D the same number.
    pub planar_units: f64,
    /// World units to a metre: 1 in 3D.
    pub units_per_meter: f64,
    /// From the agent to it on the ground; zero if it stands in the same place.
    pub direction: DVec2,
    /// Its player is in a paired action.
    pub paired: bool,
}

/// The world at one moment, read once. Nothing of the game runs when it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct PartsWorld<'a> {
    /// The agent's tags, with those that the running node applies.
    pub tags: &'a TagSet,
    /// Tags of the world.
    pub world_tags: &'a TagSet,
    /// The agent's vitals, those of [`Needs::vitals`] that are there.
    pub vitals: &'a [VitalView],
    /// Numbers that the game keeps, in the order of [`Needs::attributes`]; `None`: the agent has no such number.
    pub attributes: &'a [Option<f64>],
    /// Where the agent looks, on the ground.
    pub facing: DVec2,
    /// The stick as it is held now.
    pub stick: DVec2,
    /// Where the agent is to move, on the ground; its length is how far the stick is pushed.
    pub move_direction: DVec2,
    /// How fast the agent is, in metres per second.
    pub speed: f64,
    /// The target, if there is one.
    pub target: Option<TargetFacts<'a>>,
}

impl PartsWorld<'_> {
    /// The vital of this name.
    pub fn vital(&self, tag: TagId) -> Option<&VitalView> {
        self.vitals.iter().find(|vital| vital.tag == tag)
    }
}

/// What a graph looks at, so that the adapter reads nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Vitals of the agent, each once.
    pub vitals: Vec<TagId>,
    /// Attributes of the agent, each once. Costs name them by their place.
    pub attributes: Vec<String>,
    /// Where the target is, and its tags.
    pub target: bool,
    /// Tags of the world.
    pub world_tags: bool,
    /// How fast the agent is.
    pub speed: bool,
}

impl Needs {
    /// A vital is looked at.
    pub fn add_vital(&mut self, tag: TagId) {
        if !self.vitals.contains(&tag) {
            self.vitals.push(tag);
        }
    }

    /// The place of an attribute.
    pub fn attribute(&mut self, name: &str) -> usize {
        let known = self.attributes.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.attributes.push(name.to_owned());
            self.attributes.len() - 1
        })
    }
}
