//! A decision context without a decision: the agent and its target as they are now, for gates outside of an evaluator.

use godot::prelude::*;

use super::places::{Body, angle_to, way_from};
use super::world::health_of;
use crate::action::DecisionContext;
use crate::action::context_data::ContextData;
use crate::agent;
use crate::base::lookup::{self, Part};

/// The context of an agent and a target. Runs methods of the agent: nothing may be bound or locked.
pub(in crate::action) fn context(
    agent: InstanceId,
    target: Option<InstanceId>,
    action_id: &StringName,
) -> Gd<DecisionContext> {
    let own = Body::of(agent);
    let way = way_from(own.as_ref(), target);
    let angle = own.as_ref().filter(|_| target.is_some()).map_or(0.0, |own| angle_to(agent, own, &way));
    let tags_of = |node: InstanceId| agent::read_tags(node, |tags, _| tags.clone());
    let content = ContextData {
        agent: Some(agent),
        target,
        evaluator: lookup::part_of(agent, Part::Evaluator),
        vitals: None,
        distance: way.distance,
        direction: way.direction,
        angle_deg: angle,
        speed: None,
        health_fraction: health_of(agent),
        stamina: None,
        sight: None,
        threat: None,
        self_tags: tags_of(agent),
        target_tags: target.map(tags_of).unwrap_or_default(),
        world_tags: agent::read_world_tags(|tags, _| tags.clone()),
        action_id: action_id.clone(),
        ..ContextData::default()
    };
    let made = DecisionContext::new_gd();
    let data = made.bind().data();
    *data.lock() = content;
    made
}
