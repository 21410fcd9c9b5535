//! Movesets: the resources that describe them, and the node that plays them.
#![allow(dead_code, reason = "the driver calls it")]

mod action_cooldown;
mod action_cost;
mod action_graph;
mod action_graph_hook;
mod action_graph_layout;
mod action_graph_node;
mod action_graph_transition;
mod action_payload;
mod action_run;
mod action_window;
mod animation_plan;
mod attribute_cost;
mod binding;
mod cancel_on_movement_hook;
mod changes;
mod checks;
mod compiled;
mod condition_parts;
mod constants;
mod cooldown_ready_condition;
mod cost_parts;
mod delay_payload;
mod direction_condition;
mod drain_vital_hook;
mod edits;
mod facts;
mod families;
mod findings;
mod gate_parts;
mod hold_payload;
mod hook_parts;
mod layout_values;
mod locomotion_modifier_hook;
mod merging;
mod naming;
mod node_table;
mod paired_action;
mod paired_action_available_condition;
mod paired_action_set;
mod payload_parts;
mod play_animation_payload;
mod playback;
mod playback_player;
mod playback_tree;
mod preload;
mod run_parts;
mod script_names;
mod scripted_payload;
mod summary;
mod target_distance_condition;
mod target_state_condition;
mod transition_condition;
mod trigger_payload;
mod vital_cost;
mod vital_threshold_condition;
mod wires;

use crate::base::defaults;

pub use action_cooldown::ActionCooldown;
pub use action_cost::ActionCost;
pub use action_graph::ActionGraph;
pub use action_graph_hook::ActionGraphHook;
pub use action_graph_layout::ActionGraphLayout;
pub use action_graph_node::ActionGraphNode;
pub use action_graph_transition::ActionGraphTransition;
pub use action_payload::ActionPayload;
pub use action_run::ActionRun;
pub use action_window::ActionWindow;
pub use attribute_cost::AttributeCost;
pub use cancel_on_movement_hook::CancelOnMovementHook;
pub use cooldown_ready_condition::CooldownReadyCondition;
pub use delay_payload::DelayPayload;
pub use direction_condition::DirectionCondition;
pub use drain_vital_hook::DrainVitalHook;
pub use hold_payload::HoldPayload;
pub use locomotion_modifier_hook::LocomotionModifierHook;
pub use paired_action::PairedAction;
pub use paired_action_available_condition::PairedActionAvailableCondition;
pub use paired_action_set::PairedActionSet;
pub use play_animation_payload::PlayAnimationPayload;
pub use target_distance_condition::TargetDistanceCondition;
pub use target_state_condition::TargetStateCondition;
pub use transition_condition::TransitionCondition;
pub use trigger_payload::TriggerPayload;
pub use vital_cost::VitalCost;
pub use vital_threshold_condition::VitalThresholdCondition;

/// To be called once per start, when the scene classes are registered.
pub(crate) fn teach_defaults() {
    defaults::teach("ActionGraph", "nodes");
}
