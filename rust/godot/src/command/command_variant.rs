use godot::classes::Texture2D;
use godot::prelude::*;

use super::builtin::Executions;
use super::checks::CommandChecks;
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::family::FamilySlot;
use crate::base::tags::TagList;

/// Types of properties, as one token.
pub(super) type ExecutionSlot = FamilySlot<Executions>;
pub(super) type GivenResource = Option<Gd<Resource>>;
pub(super) type OptionalTexture = Option<Gd<Texture2D>>;

/// The value that leaves a property to the definition.
pub(super) const INHERIT: i64 = -1;

resource_class! {
    /// One form of an order that has several, for example "Attack" with sword, bow or spell: what differs from the definition.
    ///
    /// Put it into [member CommandDefinition.variants]. What is left at its default is taken from the [CommandDefinition]; tags
    /// and groups are added to those of the definition. [method CommandDefinition.resolve] gives a copy in which all is filled
    /// in.
    class CommandVariant;
    properties {
        /// Its own name, see [method CommandDefinition.find_variant].
        #[export]
        id: StringName = (StringName::default()) => set_id(any);
        /// Off: the form can't be ordered (`bad_variant`). Default on.
        #[export]
        enabled: bool = true => set_enabled(any);
        /// What players read. Empty, the default: that of the definition.
        #[export_group(name = "Display")]
        #[export]
        display_name: GString = (GString::new()) => set_display_name(any);
        /// What players see. Null, the default: that of the definition.
        #[export]
        icon: OptionalTexture = None => set_icon(any);
        /// A longer text for players. Empty, the default: that of the definition.
        #[export(multiline)]
        description: GString = (GString::new()) => set_description(any);
        /// What the form is aimed at, one of the `TARGET_TYPE_*` constants. Default INHERIT.
        #[export_group(name = "Target")]
        #[export]
        target_type: i64 = (INHERIT) => set_target_type(choice, INHERIT, 3, INHERIT)
            choices "Inherit:-1,None:0,Node:1,Location:2,Direction:3";
        /// Godot groups that are legal too: each target has to be in one of these or of the definition's.
        #[export]
        target_groups: PackedStringArray = (PackedStringArray::new()) => set_target_groups(any);
        /// The agent must own these too, or a tag below each.
        #[export_group(name = "Requirements")]
        #[export]
        agent_required_tags: TagList = (TagList::default())
            slot get_agent_required_tags, set_agent_required_tags(PackedStringArray);
        /// The agent must own none of these either, nor a tag below one.
        #[export]
        agent_blocked_tags: TagList = (TagList::default())
            slot get_agent_blocked_tags, set_agent_blocked_tags(PackedStringArray);
        /// Each target must own these too, or a tag below each.
        #[export]
        target_required_tags: TagList = (TagList::default())
            slot get_target_required_tags, set_target_required_tags(PackedStringArray);
        /// Each target must own none of these either, nor a tag below one.
        #[export]
        target_blocked_tags: TagList = (TagList::default())
            slot get_target_blocked_tags, set_target_blocked_tags(PackedStringArray);
        /// The target may not be nearer, in metres (in 2D see [member CommandDefinition.in_pixels]). -1, the default: that of the
        /// definition. In a copy made by [method CommandDefinition.resolve] in world units: metres, or pixels in 2D.
        #[export_group(name = "Range")]
        #[export(range = (-1.0, 100.0, 0.01, or_greater, suffix = "m"))]
        range_min: f64 = (-1.0) => set_range_min(amount_or_inherited);
        /// The target may not be further away, in metres; 0: no limit. -1, the default: that of the definition. In a copy made by
        /// [method CommandDefinition.resolve] in world units.
        #[export(range = (-1.0, 100.0, 0.01, or_greater, suffix = "m"))]
        range_max: f64 = (-1.0) => set_range_max(amount_or_inherited);
        /// When the range counts, one of the `RANGE_*` constants. Default INHERIT.
        #[export]
        range_rule: i64 = (INHERIT) => set_range_rule(choice, INHERIT, 2, INHERIT)
            choices "Inherit:-1,Inform:0,At Issue:1,At Start:2";
        /// How good the form is before a script is asked, 0 or more. -1, the default: that of the definition.
        #[export_group(name = "Execution")]
        #[export(range = (-1.0, 10.0, 0.01, or_greater))]
        base_score: f64 = (-1.0) => set_base_score(amount_or_inherited);
        /// What carries the form out. Null, the default: that of the definition.
        #[export]
        execution: ExecutionSlot = (ExecutionSlot::default())
            slot get_execution, set_execution(GivenResource);
        /// Whether requests may stop it: `CANCELABLE` or `NON_CANCELABLE`. Default INHERIT.
        #[export]
        cancellation_policy: i64 = (INHERIT) => set_cancellation_policy(choice, INHERIT, 1, INHERIT)
            choices "Inherit:-1,Cancelable:0,Non Cancelable:1";
    }
    items {
        /// The value of the definition counts.
        #[constant]
        const INHERIT: i64 = INHERIT;
        /// Aimed at nothing.
        #[constant]
        const TARGET_TYPE_NONE: i64 = 0;
        /// Aimed at one node or several.
        #[constant]
        const TARGET_TYPE_NODE: i64 = 1;
        /// Aimed at a place.
        #[constant]
        const TARGET_TYPE_LOCATION: i64 = 2;
        /// Aimed in a direction.
        #[constant]
        const TARGET_TYPE_DIRECTION: i64 = 3;
        /// The range never refuses an order; its execution reads it.
        #[constant]
        const RANGE_INFORM: i64 = 0;
        /// The range counts when the order is accepted.
        #[constant]
        const RANGE_AT_ISSUE: i64 = 1;
        /// The range counts when the order starts.
        #[constant]
        const RANGE_AT_START: i64 = 2;
        /// Other orders and cancels may stop it.
        #[constant]
        pub(super) const CANCELABLE: i64 = 0;
        /// It runs to its end.
        #[constant]
        pub(super) const NON_CANCELABLE: i64 = 1;
    }
}
