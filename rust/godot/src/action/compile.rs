//! From action resources to the core's plans.
//!
//! Scripts are asked here ("are your data valid", "what is your name"), so nothing may be bound or locked: the
//! resources are read in short binds first.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{ActionId, ActionPlan, GatePlan, ScorerPlan, SetPlan, TagMultiplier, TagQueries};
use riposte_core::tags::TagId;

use super::compiled::{ActionSide, CompiledSet};
use super::hook_part::HookPart;
use super::parts;
use super::spec_class::Spec;
use crate::agent::attributes::Attribute;
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
    spec.clone().bind_mut().settle();
    let (mut plan, id, scorers, gates, method, bindings, hook) = {
        let own = spec.bind();
        (own.plain_plan(), own.id(), own.scorers(), own.gates(), own.method(), own.bindings(), own.hook())
    };
    let mut scripts = Vec::new();
    plan.scorers =
        scorers.iter().filter_map(|one| parts::scorer_plan(one, &mut scripts)).collect::<Vec<ScorerPlan>>();
    plan.gates =
        gates.iter().filter_map(|one| parts::gate_plan(one, &mut scripts)).collect::<Vec<GatePlan>>();
    let definition = method.as_ref().map(|method| method.instance_id());
    let method = method.and_then(|method| parts::method_definition(&method).ok());
    plan.has_method = method.is_some();
    let mut attributes = Vec::new();
    for binding in &bindings {
        let binding = binding.bind();
        if let Some(bound) = binding.plan(attributes.len()) {
            plan.bindings.push(bound);
            attributes.push(Attribute::of(&binding.attribute.to_string()));
        }
    }
    let hook = hook.as_ref().and_then(HookPart::of);
    (plan, ActionSide { id, scripts, attributes, method, definition, hook })
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
