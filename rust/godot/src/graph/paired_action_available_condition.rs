use godot::prelude::*;
use riposte_core::graph::parts::ConditionKind;

use super::PairedActionSet;
use super::condition_parts::BuiltInCondition;
use super::findings::Finding;
use super::paired_action_set::{paired_plans, set_findings};
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::family::{ArrayOf, ClassArray};

type SetList = ClassArray<PairedActionSet>;

/// The sets of an accessor.
type Sets = ArrayOf<PairedActionSet>;

resource_class! {
    /// Lets a transition through while a paired action could start with the target: an execution, a throw, a takedown.
    ///
    /// Use the same sets as in the [PairedActionPayload] of the node that the transition leads to. Without a target it does not
    /// pass.
    class PairedActionAvailableCondition;
    properties {
        /// One action of one of these sets has to be available.
        #[export]
        sets: SetList = (SetList::default()) slot get_sets, set_sets(Sets);
        /// On: the transition passes where it would not, and the other way round.
        #[export]
        invert: bool = false => set_invert(any);
    }
    items {}
}

impl BuiltInCondition for PairedActionAvailableCondition {
    fn kind(&self) -> ConditionKind {
        ConditionKind::Paired { actions: paired_plans(self.sets.members()).into() }
    }

    fn is_inverted(&self) -> bool {
        self.invert
    }

    fn caption(&self) -> String {
        "paired action".to_owned()
    }

    fn findings(&self) -> Vec<Finding> {
        set_findings(self.sets.members(), self.sets.null_count())
    }
}
