use godot::prelude::*;
use riposte_core::action::{ActionId, ActionPlan, CooldownPlan, InterruptClass, LostPolicy, ReactionPlan};

use super::resource_class::{Slot, SpecChecks, resource_class};
use super::spec_class::{
    BindingArray, GateArray, GivenBindings, GivenResource, MethodSlot, OptionalHook, ScorerArray, Spec,
    empty_element, spec_class,
};
use super::{ActionHook, NumberBinding, compile};
use crate::base::numbers::Checked;
use crate::base::tag_numbers::{NumbersByTag, TagNumbers};
use crate::base::tags::TagList;

spec_class! {
    /// One reaction of a [ReactionSet]: which events it answers, what runs, and what has to make room for it.
    ///
    /// Of the reactions that answer an event and pass, the one with the highest score above 0 is started. The resource is
    /// read-only at run time and may be shared; arrays are replaced, not appended to.
    class ReactionSpec, "reactions", "reaction", reaction_id;
    first {
        /// The name of the reaction, unique in its set.
        #[export]
        reaction_id: StringName = (StringName::default()) => set_reaction_id(any);
    }
    event {
        /// Events that it answers: [code]Event.Attack[/code] answers [code]Event.Attack.Heavy[/code] too.
        #[export_group(name = "Event")]
        #[export]
        trigger_tags: TagList = (TagList::default()) slot get_trigger_tags, set_trigger_tags(PackedStringArray);
        /// Weakest event that it answers, by [member ActionContext.magnitude]. Default 0.
        #[export]
        min_magnitude: f64 = 0.0 => set_min_magnitude(finite);
        /// Strongest event that it answers, by [member ActionContext.magnitude]. Default 1000000.
        #[export]
        max_magnitude: f64 = 1_000_000.0 => set_max_magnitude(finite);
        /// Share of the events that it answers, rolled for each. 0 to 1, default 1.
        #[export(range = (0.0, 1.0, 0.01))]
        chance: f64 = 1.0 => set_chance(share);
        /// Seconds from the event to the start. Default 0 s.
        #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
        delay: f64 = 0.0 => set_delay(not_negative);
        /// Share by which each delay is longer or shorter at random. 0 to 1, default 0.2.
        #[export(range = (0.0, 1.0, 0.01))]
        delay_randomization: f64 = 0.2 => set_delay_randomization(share);
        /// Higher numbers win against running actions and other reactions. -100 to 100, default 100.
        #[export_group(name = "Interrupts")]
        #[export(range = (-100.0, 100.0, 1.0))]
        priority: i64 = 100 => set_priority(count, -100, 100);
        /// The running action has to end for it; it is refused if the action may not be interrupted. Off: it runs beside the
        /// action.
        #[export]
        interrupts_action: bool = true => set_interrupts_action(any);
        /// Break even an action with [constant INTERRUPT_NEVER].
        #[export]
        force_interrupt: bool = false => set_force_interrupt(any);
        /// What a later reaction needs to break this one: nothing does, a higher [member priority], or the same one.
        #[export]
        interrupt_class: i64 = (InterruptClass::ByPriority as i64) => set_interrupt_class(constant, 0, 3)
            choices "Never:0,By Priority:1,By Margin:2,Any:3";
    }
    execution {
        /// Tags on the agent's [TagContainer] while it runs. The default keeps the agent from choosing actions meanwhile.
        #[export]
        add_tags: TagList = (TagList::preset(&["State.ActionsBlocked"]))
            slot get_add_tags, set_add_tags(PackedStringArray);
    }
    scoring {
        /// What becomes of a run whose target was freed or left the tree: it goes on without one, ends with END_FAILED, or
        /// turns to another target. Default [constant LOST_CONTINUE].
        #[export(enum = (Continue = 0, Fail = 1, Retarget = 2))]
        target_lost_policy: i64 = 0 => set_target_lost_policy(constant, 0, 2);
    }
    cooldown {}
    repeats {}
    last {
        /// Seconds that are added to the recovery of the agent's actions when the reaction completes. Default 0 s.
        #[export_group(name = "Recovery")]
        #[export(range = (0.0, 10.0, 0.05, or_greater, suffix = "s"))]
        recovery_time: f64 = 0.0 => set_recovery_time(not_negative);
        /// Numbers of the reaction that follow attributes of the agent.
        #[export_group(name = "Numbers")]
        #[export]
        bindings: BindingArray = (BindingArray::default()) slot get_bindings, set_bindings(GivenBindings);
    }
    items {
        /// A run whose target is gone goes on without one.
        #[constant]
        const LOST_CONTINUE: i64 = LostPolicy::Continue as i64;
        /// A run whose target is gone ends with END_FAILED.
        #[constant]
        const LOST_FAIL: i64 = LostPolicy::Fail as i64;
        /// A run whose target is gone turns to the best other target; without one it ends with END_FAILED.
        #[constant]
        const LOST_RETARGET: i64 = LostPolicy::Retarget as i64;
        /// No later reaction breaks it.
        #[constant]
        const INTERRUPT_NEVER: i64 = InterruptClass::Never as i64;
        /// A later reaction of higher priority breaks it.
        #[constant]
        const INTERRUPT_BY_PRIORITY: i64 = InterruptClass::ByPriority as i64;
        /// The same as [constant INTERRUPT_ANY].
        #[constant]
        const INTERRUPT_BY_MARGIN: i64 = InterruptClass::ByMargin as i64;
        /// A later reaction breaks it whose priority is not lower.
        #[constant]
        const INTERRUPT_ANY: i64 = InterruptClass::Any as i64;
    }
}

impl ReactionSpec {
    /// The compact form is one of actions.
    fn settle_compact(&mut self) -> bool {
        false
    }

    fn own_plan(&self, common: ActionPlan) -> ActionPlan {
        let reaction = ReactionPlan {
            trigger_tags: compile::queries(self.trigger_tags.ids()),
            min_magnitude: self.min_magnitude,
            max_magnitude: self.max_magnitude,
            chance: self.chance,
            delay: self.delay,
            delay_randomization: self.delay_randomization,
            interrupts_action: self.interrupts_action,
            force_interrupt: self.force_interrupt,
        };
        ActionPlan {
            reaction: Some(reaction),
            priority: self.priority,
            interrupt_class: InterruptClass::from_int(self.interrupt_class).unwrap_or_default(),
            recovery: Some(self.recovery_time),
            ..common
        }
    }

    fn own_problems(&self, _ids: &[StringName]) -> Vec<String> {
        let mut found = Vec::new();
        if self.trigger_tags.ids().is_empty() {
            found.push("trigger_tags is empty, so no event starts the reaction. Name one.".to_owned());
        }
        if self.min_magnitude > self.max_magnitude {
            found.push("min_magnitude is above max_magnitude, so no event fits. Swap them.".to_owned());
        }
        found.extend(self.trigger_tags.warnings("trigger_tags"));
        found
    }
}
