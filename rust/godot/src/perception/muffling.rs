//! Bodies between a noise and an ear.

use std::collections::BTreeMap;

use glam::DVec3;
use godot::builtin::{Rid, VarDictionary};
use godot::classes::Node;
use godot::obj::{Gd, InstanceId};
use riposte_core::perception::NodeId;

use super::colliders::Colliders;
use super::physics::{Physics, Physics2D, Physics3D};
use super::rays::bodies_below;
use super::spaces::Space;

/// One ray query per dimension.
#[derive(Default)]
pub(crate) struct Mufflers {
    three: Option<Muffler<Physics3D>>,
    two: Option<Muffler<Physics2D>>,
    /// Bodies of the agents that made or heard a noise in this tick.
    agents: BTreeMap<NodeId, Vec<Rid>>,
}

/// A noise on its way to an ear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Muffled {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    /// Whose bodies do not count; 0: nobody's.
    pub(crate) agents: [NodeId; 2],
    pub(crate) mask: u32,
    /// Bodies to count at the most.
    pub(crate) most: u32,
}

impl Mufflers {
    /// What was gathered for one tick may be wrong in the next.
    pub(crate) fn begin(&mut self) {
        self.agents.clear();
    }

    /// How many bodies stand between a noise and an ear, and how many rays it took.
    pub(crate) fn muffle(
        &mut self,
        space: &mut Space,
        noise: &Muffled,
        colliders: &mut Colliders,
    ) -> (u32, u32) {
        if noise.mask == 0 || noise.most == 0 {
            return (0, 0);
        }
        let Self { three, two, agents } = self;
        match space {
            Space::Three(space) => three.get_or_insert_default().count(space, noise, agents, colliders),
            Space::Two(space) => two.get_or_insert_default().count(space, noise, agents, colliders),
        }
    }
}

/// Counts what muffles noises.
struct Muffler<P: Physics> {
    query: P::Query,
}

impl<P: Physics> Default for Muffler<P> {
    fn default() -> Self {
        Self { query: P::query() }
    }
}

impl<P: Physics> Muffler<P> {
    fn count(
        &mut self,
        space: &mut P::Space,
        noise: &Muffled,
        agents: &mut BTreeMap<NodeId, Vec<Rid>>,
        colliders: &mut Colliders,
    ) -> (u32, u32) {
        let (mut bodies, mut casts) = (0, 0);
        if noise.from.distance(noise.to) < P::TOUCHING {
            return (0, 0);
        }
        P::set_mask(&mut self.query, noise.mask, false);
        P::aim(&mut self.query, noise.from, noise.to);
        let mut excluded = Vec::new();
        for agent in noise.agents {
            excluded.extend_from_slice(agents.entry(agent).or_insert_with(|| bodies_of::<P>(agent)));
        }
        let mut hit = VarDictionary::new();
        // The last ray only tells that there is nothing more.
        while casts <= noise.most && bodies < noise.most {
            P::set_exclude(&mut self.query, &excluded.iter().copied().collect());
            casts += 1;
            P::cast(space, &self.query, &mut hit);
            if hit.is_empty() {
                break;
            }
            let counts = !colliders.is_below(&hit, noise.agents) && !leaves::<P>(&hit, noise, colliders);
            bodies += u32::from(counts);
            let Some(rid) = colliders.rid(&hit) else { break };
            excluded.push(rid);
        }
        (bodies, casts)
    }
}

/// True if the noise was made on a surface and goes away from it: steps on a floor. One engine takes that for a hit.
fn leaves<P: Physics>(hit: &VarDictionary, noise: &Muffled, colliders: &Colliders) -> bool {
    let place = colliders.position(hit).and_then(|at| P::point(&at));
    let normal = colliders.normal(hit).and_then(|normal| P::point(&normal));
    let (Some(place), Some(normal)) = (place, normal) else { return false };
    place.distance(noise.from) < P::SURFACE && normal.dot(noise.to - noise.from) >= 0.0
}

fn bodies_of<P: Physics>(agent: NodeId) -> Vec<Rid> {
    let node = InstanceId::try_from_i64(agent).and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    node.map(|node| bodies_below::<P>(&node).filter_map(P::body).collect()).unwrap_or_default()
}
