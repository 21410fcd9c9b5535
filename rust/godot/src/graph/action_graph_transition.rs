use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

use super::constants::fires;
use super::families::Conditions;
use super::{changes, summary};
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::family::FamilyArray;
use crate::base::numbers::Checked;
use crate::base::tags::TagList;

type ConditionList = FamilyArray<Conditions>;

resource_class! {
    /// One wire of an [ActionGraph]: which input leads from the node it lies in to which node, and when it counts.
    ///
    /// It lies in [member ActionGraphNode.transitions] of the node it leaves; [method ActionGraph.add_transition] makes one. Of
    /// several that fit an input the one with the highest [member priority] is taken, then the one with more
    /// [member conditions], then the first in the list.
    class ActionGraphTransition;
    properties {
        /// What the wire does, in words.
        #[export]
        #[var(get = get_summary, no_set, usage_flags = [EDITOR, READ_ONLY])]
        #[expect(dead_code, reason = "it is read by its getter")]
        summary: Text = (PhantomVar::default());
        /// Its name, unique in the graph, for example [code]light_1__light_2[/code]. [method ActionGraph.add_transition] and the
        /// inspector give it one.
        #[export]
        #[var(set = set_id, usage_flags = [STORAGE])]
        id: StringName = (StringName::default());
        /// The id of the node it leads to; [code]root[/code] ends the move.
        #[export]
        #[var(set = set_to)]
        to: StringName = (StringName::default());
        /// The moment, one of the `FIRES_*` constants. Default FIRES_INPUT_PRESSED.
        #[export]
        #[var(set = set_fires_on, hint = ENUM, hint_string =
            "Input Pressed:0,Input Released:1,Input Released Early:2,Action Completed:3,Action Failed:4")]
        fires_on: i64 = 0;
        /// The input, a tag; tags below it count too. Needed for the three input moments.
        #[export]
        input_tag: StringName = (StringName::default()) => set_input_tag(tag);
        /// Which wire is taken of several that fit: the highest. -100 to 100, default 0.
        #[export(range = (-100.0, 100.0, 1.0))]
        priority: i64 = 0 => set_priority(count, -100, 100);
        /// Whether the input waits for the window of the move, one of the `TIMING_*` constants. Default TIMING_WAIT_FOR_WINDOW.
        #[export]
        timing: i64 = 0 => set_timing(constant, 0, 1) choices "Wait For Window:0,Interrupt:1";
        /// The agent must own all of these tags, or a tag below each.
        #[export]
        required_tags: TagList = (TagList::default()) slot get_required_tags, set_required_tags(PackedStringArray);
        /// The agent must own none of these tags, nor a tag below one. It beats [member required_tags].
        #[export]
        blocked_tags: TagList = (TagList::default()) slot get_blocked_tags, set_blocked_tags(PackedStringArray);
        /// All of these must pass. They only look and spend nothing. Assign a new array: the one that is read is read-only.
        #[export]
        conditions: ConditionList = (ConditionList::default()) slot get_conditions, set_conditions(AnyArray);
        /// Only while a window of one of these kinds is open, for example [code]perfect[/code]. Empty, the default: the plain
        /// window.
        #[export]
        window_kinds: PackedStringArray = (PackedStringArray::new()) => set_window_kinds(any);
        /// Off: only a press made inside the window counts, not one that waited for it. Default on.
        #[export]
        accept_buffered: bool = true => set_accept_buffered(any);
    }
    items {
        /// The input's trigger completes: the button goes down, or was held long enough.
        #[constant]
        const FIRES_INPUT_PRESSED: i64 = fires::INPUT_PRESSED;
        /// The button goes up after that.
        #[constant]
        const FIRES_INPUT_RELEASED: i64 = fires::INPUT_RELEASED;
        /// The button goes up before it was held long enough.
        #[constant]
        const FIRES_INPUT_RELEASED_EARLY: i64 = fires::INPUT_RELEASED_EARLY;
        /// The move came to its own end and no input leads on.
        #[constant]
        const FIRES_ACTION_COMPLETED: i64 = fires::ACTION_COMPLETED;
        /// The node that the wire leaves could not start.
        #[constant]
        const FIRES_ACTION_FAILED: i64 = fires::ACTION_FAILED;
        /// The input waits until the window of the move opens.
        #[constant]
        const TIMING_WAIT_FOR_WINDOW: i64 = 0;
        /// The input cuts the move at once, from its `cancel_window_start` on, whatever its windows and cancel rules.
        #[constant]
        pub(super) const TIMING_INTERRUPT: i64 = 1;

        #[func]
        fn get_summary(&self) -> GString {
            GString::from(&summary::of_transition(self))
        }

        #[func]
        fn set_id(&mut self, value: StringName) {
            self.id = value;
            changes::renamed();
            self.base_mut().emit_changed();
        }

        #[func]
        fn set_to(&mut self, value: StringName) {
            self.to = value;
            self.base_mut().emit_changed();
        }

        #[func]
        fn set_fires_on(&mut self, value: i64) {
            self.fires_on = self.constant("fires_on", value, self.fires_on, 0, 4);
            self.base_mut().notify_property_list_changed();
            self.base_mut().emit_changed();
        }
    }
}

type Text = PhantomVar<GString>;

#[godot_api]
impl IResource for ActionGraphTransition {
    /// Hides what has no effect at the chosen moment. What is set stays in view where it still counts.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        if self.is_input() {
            return;
        }
        let hidden = match property.property_name.to_string().as_str() {
            "input_tag" | "timing" => true,
            "priority" => self.priority == 0,
            "conditions" => self.conditions.members().is_empty(),
            _ => false,
        };
        if hidden {
            property.usage = PropertyUsageFlags::NO_EDITOR;
        }
    }

    fn to_string(&self) -> GString {
        GString::from(&format!("<ActionGraphTransition {}: {}>", self.id, summary::of_transition(self)))
    }
}

impl ActionGraphTransition {
    /// True if an input takes it, and not the end of a move.
    pub(crate) fn is_input(&self) -> bool {
        self.fires_on <= fires::INPUT_RELEASED_EARLY
    }
}
