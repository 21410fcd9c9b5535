//! What a designer can mend in the orders of an agent: configuration warnings of its CommandSystem.

use godot::prelude::*;
use riposte_core::command::{Dimension, TargetType};

use super::definition_plan::CompiledCommand;
use super::{CommandDefinition, aim};
use crate::agent;

/// One list of orders, as it is set.
pub(crate) struct CommandList<'a> {
    /// Where it stands, for example `commands` or `palette.commands`.
    pub member: &'a str,
    pub orders: &'a [Gd<CommandDefinition>],
    pub nulls: usize,
}

/// The warnings about these orders, for this agent.
pub(crate) fn of_commands(lists: &[CommandList], agent: Option<&Gd<Node>>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen: Vec<(StringName, Gd<CommandDefinition>)> = Vec::new();
    for list in lists {
        if list.nulls > 0 {
            found.push(empty_element(list.member));
        }
        for definition in list.orders {
            let id = definition.bind().command_id();
            let twin = seen.iter().find(|(name, _)| *name == id && !id.is_empty());
            match twin {
                Some((_, other)) if other == definition => {}
                Some(_) => found.push(format!(
                    "{}: there are two orders with the id \"{id}\". Only the first counts; rename the other one.",
                    list.member
                )),
                None => found.extend(of_command(definition, agent)),
            }
            seen.push((id, definition.clone()));
        }
    }
    found
}

fn empty_element(member: &str) -> String {
    format!("{member}: an empty element is left out. Fill or remove it.")
}

/// The warnings about one order.
fn of_command(definition: &Gd<CommandDefinition>, agent: Option<&Gd<Node>>) -> Vec<String> {
    let plan = CommandDefinition::compiled(definition);
    let mut found = definition.bind().own_problems(&plan);
    found.extend(range_problems(&plan, agent));
    let tagged = |form: &std::sync::Arc<super::definition_plan::Merged>| {
        !form.check.agent_required.is_empty() || !form.check.agent_blocked.is_empty()
    };
    let uses_tags = !plan.granted.is_empty() || plan.forms.iter().any(tagged);
    if uses_tags && agent.is_some_and(|agent| !agent::has_container(agent.instance_id())) {
        found.push("its tags need a TagContainer, and the agent has none. Add one.".to_owned());
    }
    let name = if plan.id.is_empty() { "without a name".to_owned() } else { format!("\"{}\"", plan.id) };
    found.into_iter().map(|problem| format!("Order {name}: {problem}")).collect()
}

fn range_problems(plan: &CompiledCommand, agent: Option<&Gd<Node>>) -> Option<String> {
    let ranged = |kinds: &[TargetType]| {
        plan.forms.iter().any(|form| {
            let range = form.check.range;
            (range.min > 0.0 || range.max > 0.0) && kinds.contains(&form.check.target_type)
        })
    };
    if ranged(&[TargetType::None, TargetType::Direction]) {
        let text = "it has a range, which counts only for TARGET_TYPE_NODE and TARGET_TYPE_LOCATION. Set range_min and \
                    range_max to 0, or change target_type.";
        return Some(text.to_owned());
    }
    let nowhere = agent.is_some_and(|agent| aim::dimension_of(agent) == Dimension::Either);
    (nowhere && ranged(&[TargetType::Node, TargetType::Location])).then(|| {
        "it has a range, and the agent has no position, so that the range never counts. Make the agent a Node3D, Node2D \
         or Control, or set range_min and range_max to 0."
            .to_owned()
    })
}

impl CommandDefinition {
    /// What is wrong with the resource itself.
    fn own_problems(&self, plan: &CompiledCommand) -> Vec<String> {
        let mut found = Vec::new();
        if self.variants.null_count() > 0 {
            found.push(empty_element("variants"));
        }
        let on_nodes = plan.forms.iter().any(|form| form.check.target_type == TargetType::Node);
        let about_nodes = [
            (self.max_targets != 1, "max_targets"),
            (!self.target_groups.is_empty(), "target_groups"),
            (self.allow_self, "allow_self"),
        ];
        for (set, member) in about_nodes.into_iter().filter(|_| !on_nodes) {
            if set {
                found.push(format!(
                    "{member} counts only for TARGET_TYPE_NODE. Reset it, or change target_type."
                ));
            }
        }
        let never_stops = plan.forms.iter().any(|form| !form.cancelable);
        if self.endless && self.time_limit == 0.0 && never_stops {
            let text = "it is endless, has no time_limit and is NON_CANCELABLE, so that nothing ends it. Set a time_limit, \
                        or make it CANCELABLE.";
            found.push(text.to_owned());
        }
        if self.retry_delay > 0.0 && self.retry_count == 0 {
            found.push("retry_delay counts only with a retry_count above 0. Set both or none.".to_owned());
        }
        found.extend(self.agent_required_tags.warnings("agent_required_tags"));
        found.extend(self.agent_blocked_tags.warnings("agent_blocked_tags"));
        found.extend(self.target_required_tags.warnings("target_required_tags"));
        found.extend(self.target_blocked_tags.warnings("target_blocked_tags"));
        found.extend(self.granted_tags.warnings("granted_tags"));
        for (index, variant) in self.variants.members().iter().enumerate() {
            let variant = variant.bind();
            let lists = [
                ("agent_required_tags", &variant.agent_required_tags),
                ("agent_blocked_tags", &variant.agent_blocked_tags),
                ("target_required_tags", &variant.target_required_tags),
                ("target_blocked_tags", &variant.target_blocked_tags),
            ];
            for (member, list) in lists {
                found.extend(list.warnings(&format!("variants[{index}].{member}")));
            }
        }
        found
    }
}
