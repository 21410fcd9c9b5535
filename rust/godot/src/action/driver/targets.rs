//! The targets that actions may choose among.

use godot::prelude::*;

use super::{focus_target, is_live, with};
use crate::action::names::names;
use crate::base::lookup::{self, Part};
use crate::base::{messages, script_method};
use crate::perception;

/// What the script of the evaluator says, else what a script has set, else whom the Perception perceives, else the focus
/// target alone. Only live ones, without the agent itself. Runs the script.
pub(in crate::action) fn candidates(id: InstanceId) -> Vec<InstanceId> {
    let read = with(id, |state| (state.agent, state.scripted_candidates, state.use_perception));
    let (agent, scripted, perceives) = read.unwrap_or_default();
    let mut targets = if scripted { asked(id) } else { None }.unwrap_or_else(|| set_by_script(id));
    if targets.is_empty() && !scripted {
        let perception =
            agent.filter(|_| perceives).and_then(|agent| lookup::part_of(agent, Part::Perception));
        targets = match perception {
            Some(perception) => perception::perceived_targets(perception),
            None => focus_target(id).into_iter().collect(),
        };
    }
    targets.retain(|target| Some(*target) != agent && is_live(*target));
    targets
}

fn set_by_script(id: InstanceId) -> Vec<InstanceId> {
    with(id, |state| state.candidates.clone()).unwrap_or_default()
}

fn asked(id: InstanceId) -> Option<Vec<InstanceId>> {
    let node = Gd::<Node>::try_from_instance_id(id).ok()?;
    let answer = script_method::call(&node, &names().candidate_targets, &[]);
    let Ok(array) = answer.try_to::<AnyArray>() else {
        let text =
            "_get_candidate_targets() did not return an array, so it is not used. Return an array of nodes.";
        messages::warning(&node, "_get_candidate_targets", "type", text);
        return None;
    };
    Some(nodes_in(&array))
}

/// The nodes in an array; all else is left out.
pub(in crate::action) fn nodes_in(array: &AnyArray) -> Vec<InstanceId> {
    let node = |one: Variant| {
        let id = one.object_id_unchecked().filter(|_| one.get_type() == VariantType::OBJECT)?;
        Gd::<Node>::try_from_instance_id(id).ok().map(|_| id)
    };
    array.iter_shared().filter_map(node).collect()
}
