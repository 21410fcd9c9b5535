//! Lines of sight by physics rays.

use std::collections::BTreeSet;

use glam::DVec3;
use godot::builtin::{NodePath, Rid, VarDictionary};
use godot::classes::Node;
use godot::obj::Gd;
use riposte_core::perception::NodeId;

use crate::base::engine_reads;

use super::colliders::{self, Colliders, Eyes, Struck};
use super::physics::{Physics, Physics2D, Physics3D};
use super::spaces::Space;

/// A ray is cast this often at the most, when it hits bodies that it looks through.
const MAX_CASTS: u32 = 5;

/// What a Perception says about its rays.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RayRules {
    /// Layers that block sight; 0: nothing does, and no ray is cast.
    pub(crate) blocking_mask: u32,
    /// Areas on these layers block too.
    pub(crate) hit_areas: bool,
    /// No agent is looked through.
    pub(crate) blocked_by_agents: bool,
    /// Nodes, from the Perception, that are ignored with all bodies below them.
    pub(crate) exclude_paths: Vec<NodePath>,
    /// Layers that muffle noises; 0: nothing does, and no ray is cast.
    pub(crate) occlusion_mask: u32,
    /// It is drawn.
    pub(crate) debug_draw: bool,
}

/// How each perceiver looks. One query per dimension serves all that nothing has to be left out for; the others have
/// one of their own, because to tell a query what to leave out costs as much as a ray.
#[derive(Default)]
pub(crate) struct Rays {
    lookers: Vec<Option<Looker>>,
    plain: Plain,
    /// Counts the sweeps.
    round: u64,
    pub(super) colliders: Colliders,
}

/// Queries that leave nothing out, one per dimension.
#[derive(Default)]
struct Plain {
    three: PlainIn<Physics3D>,
    two: PlainIn<Physics2D>,
}

/// A query that leaves nothing out, and the layers that it hits now.
struct PlainIn<P: Physics> {
    query: Option<P::Query>,
    hits: Option<(u32, bool)>,
    /// What the last ray hit.
    hit: VarDictionary,
}

impl<P: Physics> Default for PlainIn<P> {
    fn default() -> Self {
        Self { query: None, hits: None, hit: VarDictionary::new() }
    }
}

impl<P: Physics> PlainIn<P> {
    fn lend(&mut self, hits: (u32, bool)) -> (&mut P::Query, &mut VarDictionary) {
        let query = self.query.get_or_insert_with(P::query);
        if self.hits != Some(hits) {
            self.hits = Some(hits);
            P::set_mask(query, hits.0, hits.1);
        }
        (query, &mut self.hit)
    }
}

/// A line of sight to find out.
pub(crate) struct Look<'a> {
    /// Who is looked at; what stands in the way below it is the target itself.
    pub(crate) target: NodeId,
    pub(crate) eye: DVec3,
    pub(crate) points: &'a [DVec3],
    /// Takes down where the rays end.
    pub(crate) traces: Option<&'a mut Vec<Trace>>,
}

/// Where a ray ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trace {
    pub(crate) from: DVec3,
    /// The aim point, or what hides it.
    pub(crate) to: DVec3,
    pub(crate) visible: bool,
}

/// What rays found out about the points of a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Bit i: point i is visible.
    pub(crate) points: u16,
    /// Rays cast.
    pub(crate) casts: u32,
}

impl Rays {
    /// The bodies of a perceiver's agent may be others now, or its rules are.
    pub(crate) fn forget(&mut self, index: usize) {
        if let Some(looker) = self.lookers.get_mut(index) {
            *looker = None;
        }
    }

    /// The perceiver with this index will look soon.
    pub(crate) fn expect(&self, index: usize) {
        if let Some(looker) = self.lookers.get(index) {
            let address = std::ptr::from_ref(looker).addr();
            (0..size_of_val(looker)).step_by(64).for_each(|at| engine_reads::expect(address + at));
        }
    }

    /// Colliders that left the tree, or their place in it, are not what was learnt about them.
    pub(crate) fn sweep(&mut self) {
        self.round += 1;
        let gone = colliders::take_gone();
        if gone.is_empty() {
            return;
        }
        self.colliders.forget(&gone);
        for looker in &mut self.lookers {
            if looker.as_ref().is_some_and(|looker| looker.depends_on(&gone)) {
                *looker = None;
            }
        }
    }

    /// Which points the perceiver with this index sees. `make` is its looker, if that was forgotten.
    pub(crate) fn see(
        &mut self,
        index: usize,
        make: impl FnOnce() -> Looker,
        space: &mut Space,
        look: Look<'_>,
    ) -> Seen {
        if self.lookers.len() <= index {
            self.lookers.resize_with(index + 1, || None);
        }
        let slot = &mut self.lookers[index];
        // Paths that led nowhere are tried again, once per round.
        if slot
            .as_ref()
            .is_some_and(|looker| looker.incomplete_since().is_some_and(|since| since != self.round))
        {
            *slot = None;
        }
        let looker = slot.get_or_insert_with(|| {
            let mut looker = make();
            looker.stamp(self.round);
            looker
        });
        looker.see(space, look, (&mut self.colliders, &mut self.plain))
    }

    /// As [`Self::see`], by somebody without a place in the table.
    pub(crate) fn see_once(&mut self, mut looker: Looker, space: &mut Space, look: Look<'_>) -> Seen {
        looker.see(space, look, (&mut self.colliders, &mut self.plain))
    }
}

/// Who looks, in its dimension.
pub(crate) enum Looker {
    Three(LookerIn<Physics3D>),
    Two(LookerIn<Physics2D>),
}

impl Looker {
    /// A looker whose own bodies are those of `agent` and below it. `perception`: from where the paths lead.
    pub(crate) fn new(
        planar: bool,
        agent: Option<&Gd<Node>>,
        perception: Option<&Gd<Node>>,
        rules: &RayRules,
    ) -> Self {
        if planar {
            Self::Two(LookerIn::new(agent, perception, rules))
        } else {
            Self::Three(LookerIn::new(agent, perception, rules))
        }
    }

    fn see(
        &mut self,
        space: &mut Space,
        look: Look<'_>,
        (colliders, plain): (&mut Colliders, &mut Plain),
    ) -> Seen {
        match (self, space) {
            (Self::Three(looker), Space::Three(space)) => {
                looker.see(space, look, (colliders, &mut plain.three))
            }
            (Self::Two(looker), Space::Two(space)) => looker.see(space, look, (colliders, &mut plain.two)),
            // Nobody looks into the other dimension.
            _ => Seen::default(),
        }
    }

    /// The round in which it was made, if a path led nowhere then.
    fn incomplete_since(&self) -> Option<u64> {
        match self {
            Self::Three(looker) => looker.incomplete,
            Self::Two(looker) => looker.incomplete,
        }
    }

    fn stamp(&mut self, round: u64) {
        let incomplete = match self {
            Self::Three(looker) => &mut looker.incomplete,
            Self::Two(looker) => &mut looker.incomplete,
        };
        if let Some(since) = incomplete {
            *since = round;
        }
    }

    fn depends_on(&self, gone: &BTreeSet<NodeId>) -> bool {
        let watched = match self {
            Self::Three(looker) => &looker.watched,
            Self::Two(looker) => &looker.watched,
        };
        watched.iter().any(|id| gone.contains(id))
    }
}

/// Who looks, and the bodies that it looks through.
pub(crate) struct LookerIn<P: Physics> {
    /// Its own query, once there is something to leave out.
    query: Option<P::Query>,
    /// The layers that it hits, none if nothing blocks its sight, and whether areas on them count too.
    hits: (u32, bool),
    blocked_by_agents: bool,
    own: NodeId,
    /// Nodes that are ignored with all below them.
    ignored: Vec<NodeId>,
    /// Bodies that are never hit.
    excluded: Vec<Rid>,
    /// Bodies of agents that the ray under way went through.
    passed: Vec<Rid>,
    /// Nodes whose leaving changes what is excluded, besides the children of the agent.
    watched: Vec<NodeId>,
    /// A path led nowhere, in this round.
    incomplete: Option<u64>,
}

impl<P: Physics> LookerIn<P> {
    fn new(agent: Option<&Gd<Node>>, perception: Option<&Gd<Node>>, rules: &RayRules) -> Self {
        let mut looker = Self {
            query: None,
            hits: (rules.blocking_mask, rules.hit_areas),
            blocked_by_agents: rules.blocked_by_agents,
            own: agent.map_or(0, |agent| agent.instance_id().to_i64()),
            ignored: Vec::new(),
            excluded: Vec::new(),
            passed: Vec::new(),
            watched: Vec::new(),
            incomplete: None,
        };
        if let Some(agent) = agent {
            looker.exclude(agent, true);
        }
        if let Some(perception) = perception {
            for path in &rules.exclude_paths {
                looker.ignore(perception, path);
            }
        }
        looker.renew_exclusion();
        looker
    }

    /// Leaves out the bodies of a node and below it. `told`: of a change of its children somebody tells.
    fn exclude(&mut self, node: &Gd<Node>, told: bool) {
        for body in bodies_below::<P>(node) {
            let known = told && (body == *node || body.get_parent().as_ref() == Some(node));
            if !known {
                colliders::watch(&body);
                self.watched.push(body.instance_id().to_i64());
            }
            self.excluded.extend(P::body(body));
        }
    }

    fn ignore(&mut self, perception: &Gd<Node>, path: &NodePath) {
        if path.is_empty() {
            return;
        }
        let Some(node) = perception.get_node_or_null(path) else {
            self.incomplete = Some(0);
            return;
        };
        colliders::watch(&node);
        self.watched.push(node.instance_id().to_i64());
        self.ignored.push(node.instance_id().to_i64());
        self.exclude(&node, false);
    }

    fn renew_exclusion(&mut self) {
        if self.query.is_none() && self.excluded.is_empty() && self.passed.is_empty() {
            return;
        }
        let (mask, areas) = self.hits;
        let query = self.query.get_or_insert_with(|| {
            let mut query = P::query();
            P::set_mask(&mut query, mask, areas);
            query
        });
        let all = self.excluded.iter().chain(&self.passed).copied().collect();
        P::set_exclude(query, &all);
    }

    fn see(
        &mut self,
        space: &mut P::Space,
        look: Look<'_>,
        (colliders, plain): (&mut Colliders, &mut PlainIn<P>),
    ) -> Seen {
        let Look { target, eye, points, mut traces } = look;
        let mut seen = Seen::default();
        for (index, point) in points.iter().enumerate() {
            let end = if self.hits.0 == 0 || eye.distance(*point) < P::TOUCHING {
                End { visible: true, at: *point }
            } else {
                let way = Way { from: eye, to: *point, target, traced: traces.is_some() };
                self.cast(space, &way, (colliders, plain), &mut seen.casts)
            };
            seen.points |= u16::from(end.visible) << index;
            if let Some(traces) = &mut traces {
                traces.push(Trace { from: eye, to: end.at, visible: end.visible });
            }
        }
        seen
    }

    fn cast(
        &mut self,
        space: &mut P::Space,
        &Way { from, to: point, target, traced }: &Way,
        (colliders, plain): (&mut Colliders, &mut PlainIn<P>),
        casts: &mut u32,
    ) -> End {
        let mut end = End { visible: false, at: point };
        for _ in 0..MAX_CASTS {
            *casts += 1;
            // What was met last may have given it a query of its own.
            let (query, hit) = match &mut self.query {
                Some(own) => (own, &mut plain.hit),
                None => plain.lend(self.hits),
            };
            P::aim(query, from, point);
            P::cast(space, query, hit);
            let eyes = Eyes {
                target,
                own: self.own,
                ignored: &self.ignored,
                blocked_by_agents: self.blocked_by_agents,
            };
            let struck = if hit.is_empty() { Struck::Target } else { colliders.judge(hit, &eyes) };
            if struck == Struck::Target {
                end = End { visible: true, at: point };
                break;
            }
            if traced {
                end.at = colliders.position(hit).and_then(|at| P::point(&at)).unwrap_or(point);
            }
            let Some(rid) = colliders.rid(hit).filter(|_| struck != Struck::Wall) else { break };
            match struck {
                Struck::Own => {
                    self.excluded.push(rid);
                    self.watched.extend(colliders.id(hit));
                }
                _ => self.passed.push(rid),
            }
            self.renew_exclusion();
        }
        if !self.passed.is_empty() {
            self.passed.clear();
            self.renew_exclusion();
        }
        end
    }
}

/// A ray to cast.
struct Way {
    from: DVec3,
    to: DVec3,
    /// Who is looked at.
    target: NodeId,
    /// Where it ends is wanted too.
    traced: bool,
}

/// Where a ray ended.
struct End {
    visible: bool,
    at: DVec3,
}

/// The bodies and areas that a node is and that are below it.
pub(super) fn bodies_below<P: Physics>(node: &Gd<Node>) -> impl Iterator<Item = Gd<Node>> {
    let own = node.is_class(P::BODIES).then(|| node.clone());
    let below = node.find_children_ex("*").type_(P::BODIES).owned(false).done();
    own.into_iter().chain(below.iter_shared().collect::<Vec<_>>())
}
