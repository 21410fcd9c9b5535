use godot::prelude::*;

use super::PairedActionSet;
use super::findings::Finding;
use super::paired_action_set::{paired_actions, set_findings};
use super::paired_part::PairedPart;
use crate::action::resource_class::{Slot, resource_class};
use crate::base::family::{ArrayOf, ClassArray};

type SetList = ClassArray<PairedActionSet>;

/// The sets of an accessor.
type Sets = ArrayOf<PairedActionSet>;

resource_class! {
    /// Plays the first paired action that is available with the target: an execution, a throw, a takedown.
    ///
    /// If none is available the node cannot start. The node lasts as long as the initiator's animation; when it ends for whatever
    /// reason, both are free again. Meanwhile the partner's presses are blocked. If the partner leaves the tree or gets another
    /// moveset, the node ends in the same step.
    class PairedActionPayload;
    properties {
        /// The sets, in order of preference.
        #[export]
        sets: SetList = (SetList::default()) slot get_sets, set_sets(Sets);
    }
    items {}
}

impl PairedActionPayload {
    /// What its runs do.
    pub(super) fn part(&self) -> PairedPart {
        PairedPart::of(&paired_actions(self.sets.members()))
    }

    /// What is wrong with it.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut found = set_findings(self.sets.members(), self.sets.null_count());
        if paired_actions(self.sets.members()).is_empty() {
            let text = "PairedAction has no action in its sets, so the node can never start. Add one.";
            found.push(Finding::new("W11", text));
        }
        found
    }
}
