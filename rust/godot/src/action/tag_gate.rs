use godot::prelude::*;
use riposte_core::action::{GateKind, TagsOf};

use super::compile;
use super::parts::GatePart;
use crate::base::numbers::Checked;
use crate::base::tags::TagList;

/// Lets an action through by the tags of the agent, of the target or of the world.
///
/// A tag is matched by itself and by every tag below it. Asked for the target's tags, the gate passes without a target.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct TagGate {
    /// Whose tags: the agent's, the target's, or those of [WorldTags]. Default [constant TAGS_SELF].
    #[export(enum = (Agent = 0, Target = 1, World = 2))]
    #[var(set = set_tags_of)]
    tags_of: i64,
    /// All of these must be matched.
    #[export]
    #[var(get = get_required_tags, set = set_required_tags)]
    required_tags: TagList,
    /// None of these may be matched.
    #[export]
    #[var(get = get_blocked_tags, set = set_blocked_tags)]
    blocked_tags: TagList,
    base: Base<Resource>,
}

#[godot_api]
impl TagGate {
    /// The tags of the agent.
    #[constant]
    const TAGS_SELF: i64 = 0;
    /// The tags of the target.
    #[constant]
    const TAGS_TARGET: i64 = 1;
    /// The tags of the world.
    #[constant]
    const TAGS_WORLD: i64 = 2;

    #[func]
    fn set_tags_of(&mut self, value: i64) {
        self.tags_of = self.constant("tags_of", value, self.tags_of, Self::TAGS_SELF, Self::TAGS_WORLD);
        self.base_mut().emit_changed();
    }

    #[func]
    fn get_required_tags(&self) -> PackedStringArray {
        self.required_tags.typed()
    }

    #[func]
    fn set_required_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.required_tags.assign(&this, "required_tags", value);
        self.base_mut().emit_changed();
    }

    #[func]
    fn get_blocked_tags(&self) -> PackedStringArray {
        self.blocked_tags.typed()
    }

    #[func]
    fn set_blocked_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.blocked_tags.assign(&this, "blocked_tags", value);
        self.base_mut().emit_changed();
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
