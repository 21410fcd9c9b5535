//! Deciding and running actions: the resources that describe them and the nodes that use them.

mod ability_by_tag_method;
mod ability_method;
mod ability_payload;
mod ability_run;
mod ability_task;
mod action_context;
mod action_decision;
mod action_evaluator;
mod action_gate;
mod action_hook;
mod action_hook_context;
mod action_payload;
mod action_scorer;
mod action_set;
mod action_spec;
mod agent_config;
mod angle_scorer;
mod animation_method;
mod animation_motion;
mod animation_run;
mod attribute_gate;
mod attribute_scorer;
mod behavior_tree_payload;
mod behavior_tree_sequence_method;
mod call_method;
mod call_run;
mod chain_link;
mod combat_token_gate;
mod combat_tokens;
mod compact;
mod compile;
mod compiled;
mod context_data;
mod decision_context;
mod distance_scorer;
mod driver;
mod evaluator_api;
mod evaluator_calls;
mod evaluator_class;
mod evaluator_constants;
mod evaluator_overview;
mod evaluator_recovery;
mod evaluator_running;
mod evaluator_runs;
mod evaluator_sets;
mod evaluator_sources;
mod evaluator_state;
mod evaluator_targets;
mod evaluator_virtuals;
mod execution_method;
mod fire_and_forget_ability_method;
pub(crate) mod gate_alone;
mod health_scorer;
mod hook_part;
mod method_run;
mod motion;
mod names;
mod number_binding;
mod numbers;
pub(crate) mod parts;
pub(crate) mod private_copy;
mod problems;
mod range_curve;
mod range_slot;
mod reaction_api;
mod reaction_evaluator;
mod reaction_set;
mod reaction_spec;
mod readings;
mod refusal_constants;
pub(crate) mod resource_class;
mod run_access;
pub(crate) mod script_calls;
mod scripted_method;
mod seeded;
mod set_activity;
mod set_class;
mod set_parts;
mod set_resource;
mod set_use;
mod sources;
mod spec_class;
mod speed_scorer;
mod stamina_gate;
mod tag_gate;
mod token_pools;
mod tree_payload;
mod tree_run;
mod vital_gate;
mod vital_scorer;
mod weapon;

use godot::obj::InstanceId;

use crate::base::defaults;
use crate::base::lookup::{self, Part};

pub(crate) use driver::logs_execution;
pub(crate) use motion::told as told_speed;
pub(crate) use reaction_api::hear;
pub(crate) use set_activity::abilities_came;

pub use ability_by_tag_method::AbilityByTagMethod;
pub use ability_method::AbilityMethod;
pub use ability_payload::AbilityPayload;
pub use action_context::ActionContext;
pub use action_decision::ActionDecision;
pub use action_evaluator::ActionEvaluator;
pub use action_hook::ActionHook;
pub use action_hook_context::ActionHookContext;
pub use action_set::ActionSet;
pub use action_spec::ActionSpec;
pub use agent_config::AgentConfig;
pub use angle_scorer::AngleScorer;
pub use animation_method::AnimationMethod;
pub use attribute_gate::AttributeGate;
pub use attribute_scorer::AttributeScorer;
pub use behavior_tree_sequence_method::BehaviorTreeSequenceMethod;
pub use call_method::CallMethod;
pub use chain_link::ChainLink;
pub use combat_token_gate::CombatTokenGate;
pub use combat_tokens::CombatTokens;
pub use decision_context::DecisionContext;
pub use distance_scorer::DistanceScorer;
pub use execution_method::ExecutionMethod;
pub use fire_and_forget_ability_method::FireAndForgetAbilityMethod;
pub use health_scorer::HealthScorer;
pub use number_binding::NumberBinding;
pub use range_curve::RangeCurve;
pub use reaction_evaluator::ReactionEvaluator;
pub use reaction_set::ReactionSet;
pub use reaction_spec::ReactionSpec;
pub use speed_scorer::SpeedScorer;
pub use stamina_gate::StaminaGate;
pub use tag_gate::TagGate;
pub use vital_gate::VitalGate;
pub use vital_scorer::VitalScorer;

/// To be called once per start, when the scene classes are registered.
pub(crate) fn teach_defaults() {
    defaults::teach("ActionSet", "format_version");
    defaults::teach("ReactionSet", "format_version");
    let scorers =
        ["DistanceScorer", "AngleScorer", "HealthScorer", "SpeedScorer", "VitalScorer", "AttributeScorer"];
    for scorer in scorers {
        defaults::teach(scorer, "range");
    }
}

/// Whom an agent is busy with: the focus target of its ActionEvaluator, without one whom its senses attend to.
pub(crate) fn focus_of(agent: InstanceId) -> Option<InstanceId> {
    match lookup::part_of(agent, Part::Evaluator) {
        Some(evaluator) => driver::focus_target(evaluator),
        None => driver::attention_target(agent),
    }
}

/// True if an evaluator is out of the tree, or on its way out.
pub(crate) fn is_leaving(evaluator: InstanceId) -> bool {
    driver::with(evaluator, |state| state.core.is_away()).unwrap_or(true)
}

/// How many nodes the steps of evaluators have read so far.
#[cfg(debug_assertions)]
pub(crate) fn step_readings() -> u64 {
    driver::stepping::readings()
}

/// How often steps have looked through an agent for whom to ask.
#[cfg(debug_assertions)]
pub(crate) fn agents_found_out() -> u64 {
    driver::bodies::found_out()
}
