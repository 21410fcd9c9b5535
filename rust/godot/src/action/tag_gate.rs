use godot::prelude::*;
use riposte_core::action::{GateKind, TagsOf};

use super::compile;
use super::parts::GatePart;
use super::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags::TagList;

resource_class! {
    /// Lets an action through by the tags of the agent, of the target or of the world.
    ///
    /// A tag is matched by itself and by every tag below it. Asked for the target's tags, the gate passes without a target.
    class TagGate;
    properties {
        /// Whose tags: the agent's, the target's, or those of [WorldTags]. Default [constant TAGS_SELF].
        #[export(enum = (Agent = 0, Target = 1, World = 2))]
        tags_of: i64 = 0 => set_tags_of(constant, 0, 2);
        /// All of these must be matched.
        #[export]
        required_tags: TagList = (TagList::default()) slot get_required_tags, set_required_tags(PackedStringArray);
        /// None of these may be matched.
        #[export]
        blocked_tags: TagList = (TagList::default()) slot get_blocked_tags, set_blocked_tags(PackedStringArray);
        /// Only for a gate of an [ActionGraphNode]. On: while the gate is closed, transitions into the node do not compete for an
        /// input, so that another one may take it. Off, the default: the input chooses the node, and its start fails.
        #[export]
        hides_transition: bool = false => set_hides_transition(any);
    }
    items {
        /// The tags of the agent.
        #[constant]
        const TAGS_SELF: i64 = 0;
        /// The tags of the target.
        #[constant]
        const TAGS_TARGET: i64 = 1;
        /// The tags of the world.
        #[constant]
        const TAGS_WORLD: i64 = 2;
    }
}

impl GatePart for TagGate {
    fn kind(&self) -> Option<GateKind> {
        let of = match self.tags_of {
            Self::TAGS_TARGET => TagsOf::Target,
            Self::TAGS_WORLD => TagsOf::World,
            _ => TagsOf::Agent,
        };
        let (required, blocked) = (self.required_tags.ids(), self.blocked_tags.ids());
        let empty = required.is_empty() && blocked.is_empty();
        (!empty).then(|| GateKind::Tags {
            of,
            required: compile::queries(required),
            blocked: compile::queries(blocked),
        })
    }

    fn label(&self) -> String {
        let of = match self.tags_of {
            Self::TAGS_TARGET => "target",
            Self::TAGS_WORLD => "world",
            _ => "agent",
        };
        let names = |list: &TagList, sign: char| {
            list.typed().as_slice().iter().map(|name| format!(" {sign}{name}")).collect::<String>()
        };
        format!("TagGate {of}:{}{}", names(&self.required_tags, '+'), names(&self.blocked_tags, '-'))
    }

    fn warnings(&self) -> Vec<String> {
        if self.required_tags.ids().is_empty() && self.blocked_tags.ids().is_empty() {
            return vec![
                "There are no tags, so the gate always passes. Set some, or remove the gate.".into(),
            ];
        }
        let required = self.required_tags.warnings("required_tags");
        required.into_iter().chain(self.blocked_tags.warnings("blocked_tags")).collect()
    }
}
