//! The targets that actions may choose among.

use godot::prelude::*;

use super::{State, focus_target, is_live, places, with};
use crate::action::names::names;
use crate::base::lookup::{self, Part};
use crate::base::{messages, script_method};
use crate::perception;

/// What the script of the evaluator says, else what a script has set, else whom the Perception perceives, else the focus
/// target alone. Only live ones, without the agent itself. Runs the script.
pub(super) fn candidates(id: InstanceId) -> Vec<InstanceId> {
    let read = with(id, |state| (state.agent, asks_script(state), state.use_perception));
    let (agent, scripted, perceives) = read.unwrap_or_default();
    let mut targets = if scripted { asked(id) } else { None }.unwrap_or_else(|| {
        let set = set_by_script(id);
        if set.is_empty() { known(id, agent.filter(|_| perceives)) } else { set }
    });
    targets.retain(|target| Some(*target) != agent && is_live(*target));
    targets
}

/// The same as a decision takes them: each once, the focus target first, then the nearest, and no more than its limit.
pub(in crate::action) fn ordered_candidates(id: InstanceId) -> Vec<InstanceId> {
    let targets = candidates(id);
    let focus = focus_target(id);
    let read = with(id, |state| (state.agent, state.core.settings().max_candidate_targets));
    let Some((Some(agent), most)) = read else {
        return Vec::new();
    };
    let mut ranked: Vec<(bool, f64, InstanceId)> = Vec::with_capacity(targets.len());
    for target in targets {
        if ranked.iter().all(|known| known.2 != target) {
            ranked.push((Some(target) != focus, places::way(agent, Some(target)).distance, target));
        }
    }
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    ranked.into_iter().take(most).map(|one| one.2).collect()
}

/// Inside its own virtual a script hears what would be without it, instead of being asked without end.
fn asks_script(state: &State) -> bool {
    state.scripted_candidates && !state.asking_candidates
}

/// Whom the agent knows of without a script.
fn known(id: InstanceId, perceiver: Option<InstanceId>) -> Vec<InstanceId> {
    match perceiver.and_then(|agent| lookup::part_of(agent, Part::Perception)) {
        Some(perception) => perception::perceived_targets(perception),
        None => focus_target(id).into_iter().collect(),
    }
}

fn set_by_script(id: InstanceId) -> Vec<InstanceId> {
    with(id, |state| state.candidates.clone()).unwrap_or_default()
}

fn asked(id: InstanceId) -> Option<Vec<InstanceId>> {
    let node = Gd::<Node>::try_from_instance_id(id).ok()?;
    with(id, |state| state.asking_candidates = true);
    let answer = script_method::call(&node, &names().candidate_targets, &[]);
    with(id, |state| state.asking_candidates = false);
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
