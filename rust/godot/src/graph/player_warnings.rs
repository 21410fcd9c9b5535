//! Configuration warnings of an ActionGraphPlayer.

use std::collections::BTreeSet;

use godot::classes::AnimationMixer;
use godot::prelude::*;
use riposte_core::graph::parts::CostPlan;

use super::animation_plan::AnimationPlan;
use super::compiled::CompiledGraph;
use super::{ActionGraph, ActionGraphPlayer, nodes, player_input};
use crate::base::lookup::{self, Part};
use crate::base::tags;

/// All of them.
pub(crate) fn of(this: &Gd<ActionGraphPlayer>) -> Vec<String> {
    let (path, graph, mut warnings) = {
        let own = this.bind();
        let mut warnings = own.global_block_tags.warnings("global_block_tags");
        let running = own.action_running_tag.to_string();
        if !running.is_empty() {
            warnings.extend(tags::warning("action_running_tag", &running));
        }
        (own.agent_path.clone(), own.default_graph.clone(), warnings)
    };
    let node: Gd<Node> = this.clone().upcast();
    warnings.splice(0..0, lookup::warnings(&node, &path, Part::Moves));
    warnings.extend(player_input::warnings(this));
    let own = this.bind();
    if own.network_mode == ActionGraphPlayer::NETWORK_PREDICTED && own.owner_peer == 0 {
        warnings.push(
            "network_mode is Predicted and owner_peer is 0, so nobody plays ahead. Set owner_peer to the id of the agent's player, \
             or leave it at 0 for an AI."
                .to_owned(),
        );
    }
    drop(own);
    let Some(graph) = graph else {
        warnings.push(
            "There is no moveset. Set default_graph, or let a weapon bring one by an ActionGraphGrant."
                .to_owned(),
        );
        return warnings;
    };
    let Some(compiled) = ActionGraph::compiled(&graph) else {
        warnings.push("default_graph has errors, see the output. It is not played.".to_owned());
        return warnings;
    };
    if let Some(agent) = lookup::find_agent(&node, &path) {
        warnings.extend(animations(this, &agent, &compiled));
        warnings.extend(components(&agent, &compiled));
    }
    warnings
}

fn animations(this: &Gd<ActionGraphPlayer>, agent: &Gd<Node>, compiled: &CompiledGraph) -> Vec<String> {
    let plans = compiled.nodes.iter().filter_map(|node| node.payload.as_ref()?.animation());
    let names: BTreeSet<String> = plans
        .flat_map(|plan| plan.names.iter().map(ToString::to_string))
        .filter(|name| !name.is_empty())
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let path = this.bind().animation_player_path.clone();
    let mixer = if path.is_empty() {
        let found = agent.find_children_ex("*").type_("AnimationPlayer").owned(false).done();
        found.front().and_then(|node| node.try_cast::<AnimationMixer>().ok())
    } else if this.is_inside_tree() {
        this.get_node_or_null(&path).and_then(|node| node.try_cast::<AnimationMixer>().ok())
    } else {
        None
    };
    match mixer {
        None if path.is_empty() => {
            vec!["The moveset plays animations, and the agent has no AnimationPlayer below it. Add one, or set animation_player_path.".to_owned()]
        }
        None => vec![format!(
            "animation_player_path: there is no AnimationPlayer at \"{path}\". Set another path."
        )],
        Some(mixer) => {
            let missing = names.iter().filter(|name| !mixer.has_animation(name.as_str()));
            let text = |name: &String| {
                format!(
                    "There is no animation \"{name}\" in {}. Add it, or correct the moveset.",
                    mixer.get_name()
                )
            };
            missing.map(text).collect()
        }
    }
}

fn components(agent: &Gd<Node>, compiled: &CompiledGraph) -> Vec<String> {
    let id = agent.instance_id();
    let mut warnings = Vec::new();
    let plans = compiled.core.nodes();
    let missing = |part: Part| lookup::part_of(id, part).is_none();
    if missing(Part::Tags) && plans.iter().any(|node| !node.applied.is_empty()) {
        warnings.push(
            "The agent has no TagContainer, so only has_action_tag() knows the tags of its moves. Add one to the agent."
                .to_owned(),
        );
    }
    let vital = plans.iter().flat_map(|node| &node.costs).find_map(|cost| match cost {
        CostPlan::Vital { tag, .. } => Some(*tag),
        _ => None,
    });
    if let Some(tag) = vital.filter(|_| missing(Part::Vitals)) {
        warnings.push(format!(
            "Moves cost {}, and the agent has no AgentVitals, so nothing is paid. Add one to the agent.",
            tags::name(tag)
        ));
    }
    let moving = compiled.nodes.iter().find(|node| {
        let plan = node.payload.as_ref().and_then(|payload| payload.animation());
        plan.is_some_and(AnimationPlan::needs_approach)
    });
    if let Some(node) = moving.filter(|_| missing(Part::Approach)) {
        warnings.push(unmoved(agent, &node.id));
    }
    warnings
}

fn unmoved(agent: &Gd<Node>, node: &StringName) -> String {
    let class = if nodes::is_planar(agent.instance_id()) { "AttackApproach2D" } else { "AttackApproach3D" };
    format!(
        "\"{node}\" turns the agent or keeps a distance, and the agent has no {class}, so nothing moves it. Add one to the \
         agent."
    )
}
