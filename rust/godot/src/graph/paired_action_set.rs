use godot::prelude::*;
use riposte_core::graph::parts::PairedPlan;

use super::PairedAction;
use super::findings::Finding;
use crate::action::resource_class::{Slot, resource_class};
use crate::base::family::{ArrayOf, ClassArray};

type ActionList = ClassArray<PairedAction>;

/// The actions of an accessor.
type Actions = ArrayOf<PairedAction>;

resource_class! {
    /// Paired actions in order of preference: the first that is available with the target is played.
    ///
    /// For example one for a target that lies on the ground, then one for a target that is stunned. Used by
    /// [PairedActionPayload] and [PairedActionAvailableCondition].
    class PairedActionSet;
    properties {
        /// The actions, the best first.
        #[export]
        actions: ActionList = (ActionList::default()) slot get_actions, set_actions(Actions);
    }
    items {}
}

/// The actions of sets, in order.
pub(super) fn paired_actions(sets: &[Gd<PairedActionSet>]) -> Vec<Gd<PairedAction>> {
    sets.iter().flat_map(|set| set.bind().actions.members().to_vec()).collect()
}

/// What the actions of sets ask of the target, in order.
pub(super) fn paired_plans(sets: &[Gd<PairedActionSet>]) -> Vec<PairedPlan> {
    paired_actions(sets).iter().map(|action| action.bind().plan()).collect()
}

/// What is wrong with sets and their actions.
pub(super) fn set_findings(sets: &[Gd<PairedActionSet>], nulls: usize) -> Vec<Finding> {
    let empty = |nulls: usize, member: &str| {
        let text = format!("{nulls} empty element(s) in {member} are skipped. Remove them.");
        (nulls > 0).then(|| Finding::new("W6", text))
    };
    let mut found: Vec<Finding> = empty(nulls, "sets").into_iter().collect();
    for set in sets {
        let nulls = set.bind().actions.null_count();
        found.extend(empty(nulls, "actions of a set"));
    }
    found.extend(paired_actions(sets).iter().flat_map(|action| action.bind().findings()));
    found
}
