//! The nodes themselves, kept so that a tick reads a transform without looking a node up or binding it, and what they
//! say about rays.

use glam::DVec3;
use godot::builtin::NodePath;
use godot::classes::Node;
use godot::obj::{Gd, InstanceId};
use riposte_core::perception::{Expected, Frame, MAX_AIM_POINTS, NodeId, PerceiverKey, SourceKey, Stance};

use crate::awareness::SourceStance;
use crate::base::engine_reads;

use super::debug_draw::Drawings;
use super::dimension::Placed;
use super::muffling::{Muffled, Mufflers};
use super::rays::{Look, Looker, RayRules, Rays, Seen};
use super::spaces::Space;
use super::stances::{self, Tellers};
use super::state;

/// Handles of nodes by the index of their key. A handle is used only while its node is in the tree.
#[derive(Default)]
pub(crate) struct Nodes {
    perceivers: Vec<Option<Placed>>,
    sources: Vec<Option<Placed>>,
    /// The agents of the sources.
    bodies: Vec<Option<Gd<Node>>>,
    rules: Vec<RayRules>,
    source_rules: Vec<SourceRules>,
    tellers: Vec<Tellers>,
    pub(crate) rays: Rays,
    pub(crate) mufflers: Mufflers,
    pub(crate) drawings: Drawings,
}

/// What a source says about rays and about its stance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SourceRules {
    /// `BLOCKS_*`.
    pub(crate) blocks_sight: i64,
    /// Nodes, from the source, that are aim points.
    pub(crate) aim_point_paths: Vec<NodePath>,
    /// -1: unreported, else the stance.
    pub(crate) stance: i64,
    /// Without a reported stance the agent is asked.
    pub(crate) auto_detect_stance: bool,
}

impl Default for SourceRules {
    fn default() -> Self {
        Self { blocks_sight: 0, aim_point_paths: Vec::new(), stance: -1, auto_detect_stance: true }
    }
}

impl From<&SourceRules> for SourceStance {
    fn from(rules: &SourceRules) -> Self {
        Self { stance: rules.stance, auto_detect: rules.auto_detect_stance }
    }
}

impl Nodes {
    /// The node that says where a perceiver is.
    pub(crate) fn set_perceiver(&mut self, key: PerceiverKey, node: Placed) {
        *slot(&mut self.perceivers, key.index()) = Some(node);
    }

    /// The node that says where a source is.
    pub(crate) fn set_source(&mut self, key: SourceKey, node: Placed) {
        *slot(&mut self.sources, key.index()) = Some(node);
    }

    /// The agent that a source stands for.
    pub(crate) fn set_body(&mut self, key: SourceKey, agent: Option<Gd<Node>>) {
        *slot(&mut self.bodies, key.index()) = agent;
    }

    /// True if a source or its agent is queued for deletion, or gone.
    pub(crate) fn is_going(&self, key: SourceKey) -> bool {
        let going = |node: &Gd<Node>| !node.is_instance_valid() || node.is_queued_for_deletion();
        let source = match self.sources.get(key.index()) {
            Some(Some(Placed::Three(node))) => !node.is_instance_valid() || node.is_queued_for_deletion(),
            Some(Some(Placed::Two(node))) => !node.is_instance_valid() || node.is_queued_for_deletion(),
            _ => false,
        };
        source || self.bodies.get(key.index()).and_then(Option::as_ref).is_some_and(going)
    }

    /// What a Perception says about its rays.
    pub(crate) fn set_rules(&mut self, key: PerceiverKey, rules: RayRules) {
        let slot = slot(&mut self.rules, key.index());
        if *slot != rules {
            let before = std::mem::replace(slot, rules);
            self.drawings.count(before.debug_draw, slot.debug_draw);
            self.rays.forget(key.index());
        }
    }

    /// What a source says about rays and about its stance.
    pub(crate) fn set_source_rules(&mut self, key: SourceKey, rules: SourceRules) {
        state::with(|state| state.set_stance(key, SourceStance::from(&rules)));
        self.rays.colliders.set_blocks_sight(key.index(), rules.blocks_sight);
        *slot(&mut self.source_rules, key.index()) = rules;
    }

    /// What a source says about rays and about its stance.
    pub(crate) fn source_rules(&self, key: SourceKey) -> Option<&SourceRules> {
        self.source_rules.get(key.index())
    }

    /// The stance of a source's agent, if it is known that nobody has to be asked for it.
    pub(crate) fn silent_stance(&self, key: SourceKey, agent: NodeId) -> Option<Stance> {
        let rules = self.source_rules.get(key.index())?;
        let tellers = self.tellers.get(key.index()).copied().unwrap_or_default();
        let silent = !rules.auto_detect_stance || tellers.are_silent(agent);
        silent.then(|| stances::reported(rules.stance))
    }

    /// What was found out about those who may tell the stance of a source's agent.
    pub(crate) fn set_tellers(&mut self, key: SourceKey, tellers: Tellers) {
        *slot(&mut self.tellers, key.index()) = tellers;
    }

    /// The node that says where a perceiver is.
    pub(crate) fn perceiver(&self, key: PerceiverKey) -> Option<&Placed> {
        self.perceivers.get(key.index()).and_then(Option::as_ref)
    }

    /// True if a perceiver is to be drawn.
    pub(crate) fn is_drawn(&self, key: PerceiverKey) -> bool {
        self.drawings.everybody() || self.rules.get(key.index()).is_some_and(|rules| rules.debug_draw)
    }

    /// A transform will be read soon: the processor may fetch the node meanwhile. What moved is worked out by way of
    /// its agent.
    pub(crate) fn expect(&self, expected: Expected) {
        match expected {
            Expected::Perceiver(key) => expect_at(&self.perceivers, key.index()),
            Expected::Source(key) => {
                expect_at(&self.sources, key.index());
                if let Some(Some(agent)) = self.bodies.get(key.index()) {
                    engine_reads::expect_place_of(agent);
                }
            }
        }
    }

    /// A perceiver will look at somebody soon.
    pub(crate) fn expect_look(&self, key: PerceiverKey) {
        self.rays.expect(key.index());
    }

    /// Where a perceiver is.
    pub(crate) fn perceiver_frame(&self, key: PerceiverKey) -> Frame {
        frame_at(&self.perceivers, key.index())
    }

    /// Where a source is.
    pub(crate) fn source_frame(&self, key: SourceKey) -> Frame {
        frame_at(&self.sources, key.index())
    }

    /// Aim points that are nodes, in the world; paths that lead to nothing with a place are left out.
    pub(crate) fn node_points(&self, key: SourceKey) -> Vec<DVec3> {
        let paths = self.source_rules(key).map_or(&[][..], |rules| &rules.aim_point_paths);
        let source = self.sources.get(key.index()).and_then(Option::as_ref);
        let Some(source) = source.filter(|source| source.is_in_tree()) else { return Vec::new() };
        points_of_paths(source, paths)
    }

    /// Which points a perceiver sees. `shown`: its drawing shows the rays.
    pub(crate) fn see(&mut self, key: PerceiverKey, space: &mut Space, look: Look<'_>, shown: bool) -> Seen {
        let Self { perceivers, rules, rays, drawings, .. } = self;
        let traces = if shown { drawings.traces(key, look.target) } else { None };
        let look = Look { traces, ..look };
        let make = || {
            let perception = perceivers.get(key.index()).and_then(Option::as_ref);
            let perception = perception.filter(|perception| perception.is_in_tree());
            let planar = perception.is_some_and(Placed::is_planar);
            let agent = state::with(|state| state.world.perceiver_place(key)).map(|(_, agent)| agent);
            let agent = agent.and_then(InstanceId::try_from_i64);
            let agent = agent.and_then(|id| Gd::try_from_instance_id(id).ok());
            let rules = rules.get(key.index()).cloned().unwrap_or_default();
            Looker::new(planar, agent.as_ref(), perception.map(Placed::node).as_ref(), &rules)
        };
        rays.see(key.index(), make, space, look)
    }

    /// How many bodies stand between a noise and a perceiver's eye, and how many rays it took.
    pub(crate) fn muffle(&mut self, key: PerceiverKey, space: &mut Space, noise: Muffled) -> (u32, u32) {
        let mask = self.rules.get(key.index()).map_or(0, |rules| rules.occlusion_mask);
        self.mufflers.muffle(space, &Muffled { mask, ..noise }, &mut self.rays.colliders)
    }
}

/// Where the nodes are that paths from a source lead to.
pub(super) fn points_of_paths(source: &Placed, paths: &[NodePath]) -> Vec<DVec3> {
    let planar = source.is_planar();
    let source = source.node();
    let places = paths.iter().filter(|path| !path.is_empty()).filter_map(|path| {
        let node = Placed::of(&source.get_node_or_null(path)?)?;
        if node.is_planar() == planar { node.origin() } else { None }
    });
    places.take(MAX_AIM_POINTS).collect()
}

fn frame_at(list: &[Option<Placed>], index: usize) -> Frame {
    // What is not there is skipped, as a node with broken numbers is.
    list.get(index).and_then(Option::as_ref).map_or(Frame::at(DVec3::NAN), Placed::frame)
}

fn expect_at(list: &[Option<Placed>], index: usize) {
    match list.get(index) {
        Some(Some(Placed::Three(node))) => engine_reads::expect_place_of(node),
        Some(Some(Placed::Two(node))) => engine_reads::expect_place_of(node),
        _ => {}
    }
}

fn slot<T: Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize_with(index + 1, T::default);
    }
    &mut list[index]
}
