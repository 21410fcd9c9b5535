use godot::prelude::*;
use riposte_core::graph::input::{InputPolicy, InputSpec, Stay, Trigger};
use riposte_core::tags::TagId;

use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::{messages, tags};

const POLICY_KEEP: i64 = 0;
const POLICY_AGE: i64 = 1;
const POLICY_DROP: i64 = 2;

/// Below this an action would never be up again.
const WEAKEST: f64 = 0.001;

resource_class! {
    /// One input of a player: which actions of the project's Input Map make it, and when it counts.
    ///
    /// Put it into [member ActionInputMap.inputs]. Its [member tag] is what transitions of an [ActionGraph] wait for.
    /// [codeblock]
    /// var light := ActionInput.new()
    /// light.tag = &"Input.LightAttack"
    /// light.actions = ["attack"]
    /// [/codeblock]
    class ActionInput;
    properties {
        /// What the graph knows the input by, for example [code]Input.LightAttack[/code]. An input without a tag does nothing.
        #[export]
        tag: StringName = (StringName::default()) => set_tag(tag);
        /// Names of actions in the project's Input Map. Several are a chord: all of them have to be down. None: only
        /// [method ActionGraphPlayer.push_input] presses it.
        #[export]
        actions: PackedStringArray = (PackedStringArray::new()) => set_actions(any);
        /// When it counts as pressed, one of the `TRIGGER_*` constants. Default TRIGGER_PRESS.
        #[export(enum = (Press = 0, Hold = 1))]
        trigger: i64 = (Self::TRIGGER_PRESS) => set_trigger(constant, 0, 1);
        /// TRIGGER_HOLD: seconds that it has to be down, on the clock of the [ActionGraphPlayer]. Let go before, the input is
        /// released early. Default 0.3.
        #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
        hold_seconds: f64 = 0.3 => set_hold_seconds(not_negative);
        /// An action is down from this strength on, 0.001 to 1; for triggers and sticks. Default 0.5.
        #[export(range = (0.05, 1.0, 0.01))]
        press_threshold: f64 = 0.5 => set_press_threshold(clamped, WEAKEST, 1.0);
        /// An action is up again when all its keys, buttons and axes are below this strength, 0 to 1. Above
        /// [member press_threshold] that one counts. Default 0.3.
        #[export(range = (0.0, 1.0, 0.01))]
        release_threshold: f64 = 0.3 => set_release_threshold(share);
        /// For a chord: seconds that inputs of its parts wait for the rest of it. If it comes in that time they send nothing
        /// until they are pressed anew; the longest chord wins. 0, the default: the parts act at once, and the chord too.
        #[export(range = (0.0, 1.0, 0.01, or_greater, suffix = "s"))]
        chord_seconds: f64 = 0.0 => set_chord_seconds(not_negative);
        /// What becomes of it in hit-stop ([method ActionGraphPlayer.freeze]), one of the `POLICY_*` constants. Default
        /// POLICY_KEEP.
        #[export(enum = (Keep = 0, Age = 1, Drop = 2))]
        in_freeze: i64 = (Self::POLICY_KEEP) => set_in_freeze(constant, 0, 2);
        /// What becomes of one that waits when the [ActionGraphPlayer] is paused: POLICY_KEEP, the default, or POLICY_DROP.
        /// Nothing ages in a pause.
        #[export(enum = (Keep = 0, Drop = 2))]
        in_pause: i64 = (Self::POLICY_KEEP) => set_in_pause(kept_or_dropped);
        /// On: events that it listens to are marked as handled, so that nothing behind the [ActionGraphPlayer] hears them.
        /// Default off.
        #[export]
        handle_event: bool = false => set_handle_event(any);
    }
    items {
        /// Pressed as soon as it goes down.
        #[constant]
        const TRIGGER_PRESS: i64 = 0;
        /// Pressed when it was down for [member hold_seconds].
        #[constant]
        const TRIGGER_HOLD: i64 = 1;
        /// It waits and does not age.
        #[constant]
        const POLICY_KEEP: i64 = POLICY_KEEP;
        /// It waits and ages.
        #[constant]
        const POLICY_AGE: i64 = POLICY_AGE;
        /// It is dropped.
        #[constant]
        const POLICY_DROP: i64 = POLICY_DROP;

        fn kept_or_dropped(&self, member: &str, value: i64, old: i64) -> i64 {
            if matches!(value, POLICY_KEEP | POLICY_DROP) {
                return value;
            }
            let text = format!("{member} = {value} is refused, it stays {old}. Use POLICY_KEEP or POLICY_DROP.");
            messages::error(&self.to_gd(), member, "unknown", &text);
            old
        }
    }
}

impl ActionInput {
    /// Its tag, if it has one.
    pub(super) fn tag_id(&self) -> Option<TagId> {
        let name = self.tag.to_string();
        if name.is_empty() { None } else { tags::intern(&name).ok() }
    }

    /// The names of its actions, without empty ones.
    pub(super) fn action_names(&self) -> impl Iterator<Item = StringName> + '_ {
        let names = self.actions.as_slice().iter();
        names.filter(|name| !name.is_empty()).map(StringName::from)
    }

    /// What the core makes of it; `None` without a tag.
    pub(super) fn spec(&self, mut number: impl FnMut(StringName) -> usize) -> Option<InputSpec> {
        let trigger = match self.trigger {
            Self::TRIGGER_HOLD => Trigger::Hold(self.hold_seconds),
            _ => Trigger::Press,
        };
        Some(InputSpec {
            tag: self.tag_id()?,
            actions: self.action_names().map(&mut number).collect(),
            trigger,
            press_threshold: self.press_threshold,
            release_threshold: self.release_threshold,
            chord_seconds: self.chord_seconds,
            policy: InputPolicy { in_freeze: stay(self.in_freeze), in_pause: stay(self.in_pause) },
        })
    }
}

fn stay(policy: i64) -> Stay {
    match policy {
        POLICY_AGE => Stay::Age,
        POLICY_DROP => Stay::Drop,
        _ => Stay::Keep,
    }
}
