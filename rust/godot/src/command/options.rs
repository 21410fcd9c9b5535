//! The orders that an agent could be given on something, for menus and default clicks.
//!
//! Scripts are asked here: nothing may be bound or locked.

use std::collections::HashSet;
use std::sync::Arc;

use godot::prelude::*;
use riposte_core::command::{TargetType, VARIANT_AUTO, best_of};

use super::aim::Aim;
use super::command_option::OptionData;
use super::definition_plan::{CompiledCommand, Merged};
use super::request_data::RequestData;
use super::validation::{Accepted, Refusal, score_of};
use super::{CommandDefinition, CommandOption, resolving};
use crate::base::family::describe;
use crate::base::messages;
use crate::optional::node_id;

/// What the orders are aimed at.
enum Pointed {
    Nothing,
    /// A node, also one that was freed.
    At(InstanceId),
    Place(Aim),
}

/// What is listed.
pub(crate) struct Listing<'a> {
    /// The node: for messages.
    pub system: &'a Gd<Node>,
    pub agent: Option<Gd<Node>>,
    /// A node, a vector or null.
    pub target: &'a Variant,
    /// One option for each form.
    pub expand: bool,
    pub include_refused: bool,
    /// What [method issue_command] would say, without doing it.
    pub check: &'a dyn Fn(&RequestData) -> Result<Accepted, Refusal>,
}

/// One form of an order, as it was judged.
struct Judged {
    request: RequestData,
    verdict: Result<Accepted, Refusal>,
    /// Of what is allowed, else 0.
    score: f64,
    shown: Arc<Merged>,
}

impl Listing<'_> {
    /// The options of these orders, of several with one name the first, sorted.
    pub(crate) fn options(&self, known: &[Gd<CommandDefinition>]) -> Vec<Gd<CommandOption>> {
        let pointed = self.pointed();
        let mut plans = each_once(known);
        plans.sort_by_key(|(_, plan)| plan.sort_order);
        let mut options = Vec::with_capacity(plans.len());
        for (definition, plan) in &plans {
            let mut forms: Vec<Judged> =
                (0..plan.forms.len()).map(|index| self.judge(definition, plan, index, &pointed)).collect();
            if plan.listed > 0 && !self.expand {
                forms = vec![best_form(definition, plan, forms)];
            }
            let told = forms.into_iter().filter(|form| self.include_refused || form.verdict.is_ok());
            options.extend(told.map(Judged::option));
        }
        options
    }

    /// The option with the highest score above 0, of several the first.
    pub(crate) fn best(&self, known: &[Gd<CommandDefinition>]) -> Option<Gd<CommandOption>> {
        let mut options = self.options(known);
        let best = best_of(options.iter().map(|option| {
            let option = option.bind();
            (option.allowed() && option.score() > 0.0).then(|| option.score())
        }));
        best.map(|index| options.swap_remove(index))
    }

    fn pointed(&self) -> Pointed {
        if let Some(aim) = Aim::read(self.target) {
            return aim.map_or(Pointed::Nothing, Pointed::Place);
        }
        match (node_id(self.target), self.target.object_id_unchecked()) {
            (Some(Some(id)), _) | (Some(None), Some(id)) => Pointed::At(id),
            _ => {
                let found = describe(self.target);
                let text = format!(
                    "get_options() got {found} as the target, which is left aside. Give a node, a Vector3, a Vector2 or null."
                );
                messages::error(self.system, "get_options", &found, &text);
                Pointed::Nothing
            }
        }
    }

    fn judge(
        &self,
        definition: &Gd<CommandDefinition>,
        plan: &CompiledCommand,
        index: usize,
        pointed: &Pointed,
    ) -> Judged {
        let agent = self.agent.as_ref().filter(|agent| agent.is_instance_valid());
        let settings = resolving::form(definition, plan, agent, index);
        let shown = settings.unwrap_or_else(|| plan.forms[index].clone());
        let mut request = RequestData { variant: index as i64, ..RequestData::simple(definition) };
        match (shown.check.target_type, pointed) {
            (TargetType::Node, Pointed::At(id)) => request.targets.push(*id),
            (TargetType::Location, Pointed::Place(place)) => request.location = Some(*place),
            (TargetType::Direction, Pointed::Place(place)) => {
                let from = self.agent.as_ref().filter(|agent| agent.is_instance_valid()).and_then(Aim::at);
                request.direction = from.and_then(|from| from.to(*place));
            }
            _ => {}
        }
        let verdict = (self.check)(&request);
        let score = verdict.as_ref().map_or(0.0, score_of);
        Judged { request, verdict, score, shown }
    }
}

/// The orders, each once, and of several with one id the first. Looked up, because twice as many would make four times as many
/// pairs.
fn each_once(known: &[Gd<CommandDefinition>]) -> Vec<(Gd<CommandDefinition>, Arc<CompiledCommand>)> {
    let (mut objects, mut ids) = (HashSet::new(), HashSet::new());
    let mut plans = Vec::with_capacity(known.len());
    for definition in known {
        let plan = CommandDefinition::compiled(definition);
        let is_new = objects.insert(definition.instance_id_unchecked())
            && (plan.id.is_empty() || ids.insert(plan.id.clone()));
        if is_new {
            plans.push((definition.clone(), plan));
        }
    }
    plans
}

/// The best of the forms that are allowed; if none is, the first one.
fn best_form(definition: &Gd<CommandDefinition>, plan: &CompiledCommand, mut forms: Vec<Judged>) -> Judged {
    let best = best_of(forms.iter().map(|form| form.verdict.is_ok().then_some(form.score)));
    let mut form = forms.swap_remove(best.unwrap_or(0));
    form.request.variant = VARIANT_AUTO;
    // The order itself is shown, not the form that happens to be the best.
    let mut shown = (*form.shown).clone();
    let own = definition.bind();
    shown.display_name = own.shown_name(&plan.id);
    shown.icon = own.icon.clone();
    shown.description = own.description.clone();
    #[expect(clippy::arc_with_non_send_sync, reason = "the icons and executions in it are the engine's")]
    let shown = Arc::new(shown);
    form.shown = shown;
    form
}

impl Judged {
    fn option(self) -> Gd<CommandOption> {
        let refused = self.verdict.err();
        CommandOption::make(OptionData {
            request: self.request,
            refused: refused.map(|why| (StringName::from(why.reason.name()), why.detail)),
            score: self.score,
            display_name: self.shown.display_name.clone(),
            icon: self.shown.icon.clone(),
            description: self.shown.description.clone(),
        })
    }
}
