//! From action resources to the core's plans.
//!
//! Scripts are asked here ("are your data valid", "what is your name"), so nothing may be bound or locked: the
//! resources are read in short binds first.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{
    ActionId, ActionPlan, ChainPlan, CooldownPlan, GatePlan, InterruptClass, RetargetPolicy, ScorerPlan,
    SetPlan, TagMultiplier, TagQueries, TargetMode,
};
use riposte_core::tags::TagId;

use super::ActionSpec;
use super::compiled::{ActionSide, CompiledSet};
use super::parts;
use super::spec_class::Spec;
use crate::base::tags;

/// Compiles the actions of a set. Empty and repeated ids are left out.
pub(crate) fn compile_set<S: Spec>(specs: &[Gd<S>], fallback: &StringName) -> CompiledSet {
    let mut plan = SetPlan::default();
    let mut sides = Vec::new();
    for spec in specs {
        let (action, side) = compile_action(spec);
        if plan.push(Arc::new(action)) {
            #[expect(clippy::arc_with_non_send_sync, reason = "as the set that it is part of")]
            sides.push(Arc::new(side));
        }
    }
    let fallback = (!fallback.is_empty()).then(|| ActionId::new(&fallback.to_string()));
    CompiledSet { plan: Arc::new(plan), sides, fallback }
}

/// Compiles one action.
pub(crate) fn compile_action<S: Spec>(spec: &Gd<S>) -> (ActionPlan, ActionSide) {
    let (mut plan, id, scorers, gates, method, bindings) = {
        let own = spec.bind();
        (own.plain_plan(), own.id(), own.scorers(), own.gates(), own.method(), own.bindings())
    };
    let mut scripts = Vec::new();
    plan.scorers =
        scorers.iter().filter_map(|one| parts::scorer_plan(one, &mut scripts)).collect::<Vec<ScorerPlan>>();
    plan.gates =
        gates.iter().filter_map(|one| parts::gate_plan(one, &mut scripts)).collect::<Vec<GatePlan>>();
    let method = method.and_then(|method| parts::method_definition(&method).ok());
    plan.has_method = method.is_some();
    let mut attributes = Vec::new();
    for binding in &bindings {
        let binding = binding.bind();
        if let Some(bound) = binding.plan(attributes.len()) {
            plan.bindings.push(bound);
            attributes.push(binding.attribute.to_string());
        }
    }
    (plan, ActionSide { id, scripts, attributes, method })
}

/// What needs no script.
pub(super) fn plain_plan(spec: &ActionSpec) -> ActionPlan {
    ActionPlan {
        id: ActionId::new(&spec.action_id.to_string()),
        enabled: spec.enabled,
        selection_weight: spec.selection_weight,
        risk_penalty: spec.risk_penalty,
        requires_tags: queries(spec.requires_tags.ids()),
        block_tags: queries(spec.block_tags.ids()),
        tag_multipliers: multipliers(spec.tag_score_multipliers.entries()),
        novelty_weight: spec.novelty_weight,
        cooldown: CooldownPlan {
            duration: spec.cooldown_duration,
            initial: spec.cooldown_initial,
            randomization: spec.cooldown_randomization,
            interrupt_refund: spec.cooldown_interrupt_refund,
            spawn_chance: spec.cooldown_spawn_chance,
            on_end: spec.cooldown_starts == ActionSpec::ON_END,
        },
        max_consecutive_uses: spec.max_consecutive_uses,
        chain_links: links(spec),
        add_tags: queries(spec.add_tags.ids()),
        target_mode: TargetMode::from_int(spec.target_mode).unwrap_or_default(),
        require_target: spec.require_target,
        retarget_policy: RetargetPolicy::from_int(spec.retarget_policy).unwrap_or_default(),
        interrupt_class: InterruptClass::from_int(spec.interrupt_class).unwrap_or_default(),
        priority: spec.priority,
        commitment_time: spec.commitment_time,
        recovery: spec.override_recovery_time.then_some(spec.recovery_time),
        ignore_recovery: spec.ignore_recovery,
        ..ActionPlan::default()
    }
}

pub(super) fn queries(ids: &[TagId]) -> TagQueries {
    tags::with_table(|table| TagQueries::new(table, ids.iter().copied()))
}

pub(super) fn multipliers(entries: &[(TagId, f64)]) -> Vec<TagMultiplier> {
    tags::with_table(|table| {
        let named = entries.iter().map(|(tag, multiplier)| TagMultiplier {
            tag: *tag,
            name: Arc::from(table.name(*tag)),
            multiplier: *multiplier,
        });
        named.collect()
    })
}

fn links(spec: &ActionSpec) -> Vec<ChainPlan> {
    spec.chain_links.members().iter().filter_map(|link| link.bind().plan()).collect()
}
