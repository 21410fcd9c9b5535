//! What the inspector warns of at a CommandSystem.

use godot::prelude::*;

use super::problems::{self, CommandList};
use super::{CommandDefinition, CommandSystem, builtin};
use crate::base::lookup::{self, Part};
use crate::behavior::BehaviorStackExecution;

/// The warnings.
pub(super) fn of(this: &Gd<CommandSystem>) -> Vec<String> {
    let node = this.clone().upcast::<Node>();
    let (path, palette, own, nulls, block_tags) = {
        let this = this.bind();
        let own = (this.commands.members().to_vec(), this.commands.null_count());
        let block_tags = this.global_block_tags.warnings("global_block_tags");
        (this.agent_path.clone(), this.palette.clone(), own.0, own.1, block_tags)
    };
    let (shared, shared_nulls) = palette.map_or((Vec::new(), 0), |palette| {
        let palette = palette.bind();
        (palette.members().to_vec(), palette.commands.null_count())
    });
    let mut warnings = lookup::warnings(&node, &path, Part::Commands);
    warnings.extend(block_tags);
    let lists = [
        CommandList { member: "palette.commands", orders: &shared, nulls: shared_nulls },
        CommandList { member: "commands", orders: &own, nulls },
    ];
    let agent = lookup::find_agent(&node, &path);
    warnings.extend(problems::of_commands(&lists, agent.as_ref()));
    if let Some(agent) = agent {
        let default = this.bind().default_execution.member().cloned().or_else(builtin::default_execution);
        warnings
            .extend(shared.iter().chain(&own).flat_map(|order| unavailable(order, &agent, default.as_ref())));
    }
    warnings
}

/// What is missing for orders that run behaviours.
fn unavailable(
    order: &Gd<CommandDefinition>,
    agent: &Gd<Node>,
    default: Option<&Gd<Resource>>,
) -> Vec<String> {
    let plan = CommandDefinition::compiled(order);
    let mut found: Vec<String> = Vec::new();
    for form in &plan.forms {
        let execution = form.execution.as_ref().or(default);
        let problem =
            execution.and_then(|execution| BehaviorStackExecution::problem(execution, agent, &plan.id));
        if let Some(problem) = problem.map(|problem| format!("Order \"{}\": {problem}", plan.id))
            && !found.contains(&problem)
        {
            found.push(problem);
        }
    }
    found
}
