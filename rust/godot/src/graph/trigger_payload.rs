use godot::classes::IResource;
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

use crate::action::resource_class::{Slot, SpecChecks as _, resource_class};
use crate::base::numbers::Checked as _;
use crate::base::tags::TagList;

/// Any object of the game, or nothing.
type OptionalResource = Option<Gd<Resource>>;

resource_class! {
    /// Triggers abilities of the agent's [AbilitySystem], by an event or by their tags.
    ///
    /// Abilities get an [ActionContext] with the player's target, [member event_magnitude] and [member optional_object].
    class TriggerPayload;
    properties {
        /// What is done: [constant TRIGGER_SEND_EVENT], the default, or [constant TRIGGER_ACTIVATE_BY_TAG].
        #[export]
        #[var(set = set_mode, hint = ENUM, hint_string = "Send Event:0,Activate by Tag:1")]
        mode: i64 = 0;
        /// The event that is sent. It starts every ability that has it, or a tag above it, in its trigger tags, and is told by
        /// [signal ActionGraphPlayer.event_sent], also without an [AbilitySystem].
        #[export]
        event_tag: StringName = (StringName::default()) => set_event_tag(tag);
        /// A number for whoever gets the event: charge, damage. Default 0.
        #[export]
        event_magnitude: f64 = 0.0 => set_event_magnitude(finite);
        /// A resource for whoever gets the event: a weapon, an item.
        #[export]
        optional_object: OptionalResource = (None) => set_optional_object(any);
        /// The abilities that are activated: every granted one with one of these tags, or a tag below one. Can none of them start,
        /// then the move can't either.
        #[export]
        ability_tags: TagList = (TagList::default()) slot get_ability_tags, set_ability_tags(PackedStringArray);
        /// The move is over at once. Off: it lasts until the first of the abilities that it triggered ends; when the move is left
        /// before, they are cancelled. Default on.
        #[export]
        end_immediately: bool = true => set_end_immediately(any);
    }
    items {
        /// Sends [member event_tag].
        #[constant]
        const TRIGGER_SEND_EVENT: i64 = 0;
        /// Activates the abilities with [member ability_tags].
        #[constant]
        const TRIGGER_ACTIVATE_BY_TAG: i64 = 1;

        #[func]
        fn set_mode(&mut self, value: i64) {
            self.mode = self.constant("mode", value, self.mode, 0, Self::TRIGGER_ACTIVATE_BY_TAG);
            self.base_mut().notify_property_list_changed();
            self.base_mut().emit_changed();
        }
    }
}

impl TriggerPayload {
    /// True if it activates abilities by their tags.
    pub(super) fn is_by_tag(&self) -> bool {
        self.mode == Self::TRIGGER_ACTIVATE_BY_TAG
    }
}

#[godot_api]
impl IResource for TriggerPayload {
    /// Greys out what has no effect now.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let by_tag = self.is_by_tag();
        let unused = match property.property_name.to_string().as_str() {
            "event_tag" => by_tag,
            "ability_tags" => !by_tag,
            _ => false,
        };
        if unused {
            property.usage |= PropertyUsageFlags::READ_ONLY;
        }
    }
}
