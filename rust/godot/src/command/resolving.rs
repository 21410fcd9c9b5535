//! The settings of one form of an order for one agent.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::command::{Dimension, VariantChoice, variant_choice};

use super::definition_plan::{CompiledCommand, Merged, names};
use super::{CommandDefinition, CommandVariant, aim};
use crate::action::script_calls::call;
use crate::base::family::describe;
use crate::base::{messages, settings};

/// The index of a form by its name; -1 if there is none.
pub(super) fn find_variant(definition: &Gd<CommandDefinition>, id: &StringName) -> i64 {
    let own = definition.bind();
    let found = own.variants.members().iter().position(|variant| variant.bind().id == *id);
    found.map_or(-1, |index| index as i64)
}

/// The settings as a resource; none for a form that is not there. Runs scripts.
pub(super) fn resolve(
    definition: &Gd<CommandDefinition>,
    agent: Option<&Gd<Node>>,
    variant: i64,
) -> Option<Gd<CommandVariant>> {
    let plan = CommandDefinition::compiled(definition);
    let VariantChoice::Index(index) = variant_choice(plan.listed, variant) else { return None };
    form(definition, &plan, agent, index).map(|merged| merged.to_variant())
}

/// The settings of a form, ranges in world units; none if it is not there now. Runs scripts: nothing may be bound or locked.
pub(super) fn form(
    definition: &Gd<CommandDefinition>,
    plan: &CompiledCommand,
    agent: Option<&Gd<Node>>,
    index: usize,
) -> Option<Arc<Merged>> {
    let merged = plan.forms.get(index)?.in_world(unit(plan, agent));
    if !plan.asks.get_variant {
        return merged.enabled.then_some(merged);
    }
    let base = merged.to_variant();
    let arguments = [agent.cloned().to_variant(), (index as i64).to_variant(), base.to_variant()];
    let resource: Gd<Resource> = definition.clone().upcast();
    let answer = call(&resource, &names().get_variant, &arguments);
    let merged = match answer.try_to::<Option<Gd<CommandVariant>>>() {
        Ok(None) => return None,
        Ok(Some(given)) => {
            let mut made = merged.overlaid(&given.bind(), given == base);
            made.mend_range(&resource, index);
            #[expect(
                clippy::arc_with_non_send_sync,
                reason = "the icons and executions in it are the engine's"
            )]
            let made = Arc::new(made);
            made
        }
        Err(_) => {
            wrong_answer(&resource, "_get_variant", &answer, "Return a CommandVariant, or null to refuse.");
            merged
        }
    };
    merged.enabled.then_some(merged)
}

/// World units of one unit of the resource.
fn unit(plan: &CompiledCommand, agent: Option<&Gd<Node>>) -> f64 {
    let planar = || agent.is_some_and(|agent| aim::dimension_of(agent) == Dimension::Plane);
    if !plan.in_pixels && planar() { settings::PIXELS_PER_METER.read() } else { 1.0 }
}

/// A virtual returned what it should not.
pub(super) fn wrong_answer(about: &Gd<Resource>, method: &str, answer: &Variant, fix: &str) {
    let found = describe(answer);
    let text = format!("{method}() returned {found}, which is left aside. {fix}");
    messages::error(about, method, &found, &text);
}
