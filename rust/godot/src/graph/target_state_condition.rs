use godot::prelude::*;
use riposte_core::graph::parts::{ConditionKind, TagLists};

use super::condition_parts::BuiltInCondition;
use super::findings::{self, Finding};
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::tags::TagList;

resource_class! {
    /// Lets a transition through by the tags of the target.
    ///
    /// A tag is matched by itself and by every tag below it. Without a target it does not pass. The target is that of
    /// [method ActionGraphPlayer.get_target].
    class TargetStateCondition;
    properties {
        /// All of these must be matched.
        #[export]
        required_tags: TagList = (TagList::default()) slot get_required_tags, set_required_tags(PackedStringArray);
        /// None of these may be matched.
        #[export]
        blocked_tags: TagList = (TagList::default()) slot get_blocked_tags, set_blocked_tags(PackedStringArray);
        /// On: the transition passes where it would not, and the other way round.
        #[export]
        invert: bool = false => set_invert(any);
    }
    items {}
}

impl BuiltInCondition for TargetStateCondition {
    fn kind(&self) -> ConditionKind {
        ConditionKind::TargetState(Box::new(TagLists {
            required: self.required_tags.ids().to_vec(),
            blocked: self.blocked_tags.ids().to_vec(),
        }))
    }

    fn is_inverted(&self) -> bool {
        self.invert
    }

    fn caption(&self) -> String {
        let names = |list: &TagList, sign: &str| {
            list.typed().as_slice().iter().map(|name| format!(" {sign}{name}")).collect::<String>()
        };
        format!("target{}{}", names(&self.required_tags, ""), names(&self.blocked_tags, "not "))
    }

    fn findings(&self) -> Vec<Finding> {
        let mut found = findings::tag_list("required_tags", &self.required_tags);
        found.extend(findings::tag_list("blocked_tags", &self.blocked_tags));
        found
    }
}
