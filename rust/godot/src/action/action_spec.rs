use godot::classes::IResource;
use godot::prelude::*;
use riposte_core::action::{
    ActionId, ActionPlan, CooldownPlan, InterruptClass, LostPolicy, RetargetPolicy, TargetMode,
};

use super::compact::{CompactForm, Slots};
use super::resource_class::{Slot, SpecChecks, resource_class};
use super::spec_class::{
    BindingArray, GateArray, GivenBindings, GivenLinks, GivenResource, LinkArray, MethodSlot, OptionalHook,
    ScorerArray, Spec, empty_element, spec_class,
};
use super::{ActionHook, NumberBinding, compile};
use crate::base::numbers::Checked;
use crate::base::tag_numbers::{NumbersByTag, TagNumbers};
use crate::base::tags::TagList;

spec_class! {
    /// One action of an [ActionSet]: what runs, how much it is wanted, and when it is possible.
    ///
    /// The score is the weight, divided by the risk, times all factors. The action with the highest score above 0 is started.
    /// The resource is read-only at run time and may be shared; arrays are replaced, not appended to.
    class ActionSpec, "actions", "action", action_id;
    first {
        /// The name of the action, unique in its set.
        #[export]
        action_id: StringName = (StringName::default()) => set_action_id(any);
    }
    event {}
    execution {
        /// Tags on the agent's [TagContainer] while the action runs.
        #[export]
        add_tags: TagList = (TagList::preset(&["State.MovementBlocked"]))
            slot get_add_tags, set_add_tags(PackedStringArray);
    }
    scoring {
        /// Scales the penalty for having been used lately; 0 exempts the action. 0 to 10, default 1.
        #[export(range = (0.0, 10.0, 0.05))]
        novelty_weight: f64 = 1.0 => set_novelty_weight(clamped, 0.0, 10.0);
        /// Whom the action is scored on: the focus target, each target that the agent knows of (one candidate per target), or
        /// nobody. Default [constant TARGET_FOCUS].
        #[export_group(name = "Target")]
        #[export(enum = (Focus = 0, Each = 1, None = 2))]
        target_mode: i64 = 0 => set_target_mode(constant, 0, 2);
        /// What becomes of a run when the action is worth more on another target: it keeps its target, goes on with the other
        /// one, or begins anew. Default [constant RETARGET_KEEP].
        #[export(enum = (Keep = 0, Switch = 1, Restart = 2))]
        retarget_policy: i64 = 0 => set_retarget_policy(constant, 0, 2);
        /// What becomes of a run whose target was freed or left the tree: it goes on without one, ends with END_FAILED, or
        /// turns to another target. Default [constant LOST_CONTINUE].
        #[export(enum = (Continue = 0, Fail = 1, Retarget = 2))]
        target_lost_policy: i64 = 0 => set_target_lost_policy(constant, 0, 2);
        /// What may break a run of this action. Default [constant INTERRUPT_BY_PRIORITY]. A forced start always may.
        #[export_group(name = "Interrupts")]
        #[export]
        interrupt_class: i64 = (InterruptClass::ByPriority as i64) => set_interrupt_class(constant, 0, 3)
            choices "Never:0,By Priority:1,By Margin:2,Any:3";
        /// The higher one breaks the lower one. It is no part of the score. -100 to 100, default 0.
        #[export(range = (-100.0, 100.0, 1.0))]
        priority: i64 = 0 => set_priority(count, -100, 100);
        /// Seconds for which a run is kept, unless a higher priority comes. -1, the default: as
        /// [member ActionEvaluator.min_commitment] says.
        #[export(range = (-1.0, 10.0, 0.05, or_greater, suffix = "s"))]
        commitment_time: f64 = (-1.0) => set_commitment_time(clamped, -1.0, f64::MAX);
    }
    cooldown {
        /// When the cooldown begins: with the start of a run or with its end. Default [constant ON_START].
        #[export]
        cooldown_starts: i64 = 0 => set_cooldown_starts(constant, 0, 1)
            choices "On Start:0,On End:1";
        /// Use [member recovery_time] in place of the one of the [AgentConfig] when the action completes.
        #[export_group(name = "Recovery")]
        #[export]
        override_recovery_time: bool = false => set_override_recovery_time(any);
        /// Seconds after this action completed in which nothing is chosen, if [member override_recovery_time] is on. It takes the
        /// place of the config's time and is not added to it. Default 0 s.
        #[export(range = (0.0, 30.0, 0.05, or_greater, suffix = "s"))]
        recovery_time: f64 = 0.0 => set_recovery_time(not_negative);
        /// The action may be chosen while the agent recovers: to strafe or to taunt.
        #[export]
        ignore_recovery: bool = false => set_ignore_recovery(any);
    }
    repeats {
        /// Follow-ups that score higher for a short time after this action completed.
        #[export]
        chain_links: LinkArray = (LinkArray::default()) slot get_chain_links, set_chain_links(GivenLinks);
    }
    last {
        /// Numbers of this action that follow attributes of the agent.
        #[export_group(name = "Bindings")]
        #[export]
        bindings: BindingArray = (BindingArray::default()) slot get_bindings, set_bindings(GivenBindings);
        compact: CompactForm = (CompactForm::default());
    }
    items {
        /// Scored on the focus target, or without one if there is none.
        #[constant]
        const TARGET_FOCUS: i64 = TargetMode::Focus as i64;
        /// Scored on each target that the agent knows of.
        #[constant]
        const TARGET_EACH: i64 = TargetMode::Each as i64;
        /// Scored without a target.
        #[constant]
        const TARGET_NONE: i64 = TargetMode::None as i64;
        /// A run keeps its target.
        #[constant]
        const RETARGET_KEEP: i64 = RetargetPolicy::Keep as i64;
        /// The same run goes on with the better target.
        #[constant]
        const RETARGET_SWITCH: i64 = RetargetPolicy::Switch as i64;
        /// The run ends with END_INTERRUPTED, and another one begins on the better target.
        #[constant]
        const RETARGET_RESTART: i64 = RetargetPolicy::Restart as i64;
        /// A run whose target is gone goes on without one.
        #[constant]
        const LOST_CONTINUE: i64 = LostPolicy::Continue as i64;
        /// A run whose target is gone ends with END_FAILED.
        #[constant]
        const LOST_FAIL: i64 = LostPolicy::Fail as i64;
        /// A run whose target is gone turns to the best other target; without one it ends with END_FAILED.
        #[constant]
        const LOST_RETARGET: i64 = LostPolicy::Retarget as i64;
        /// Nothing that is chosen breaks it.
        #[constant]
        const INTERRUPT_NEVER: i64 = InterruptClass::Never as i64;
        /// An action of higher priority breaks it.
        #[constant]
        const INTERRUPT_BY_PRIORITY: i64 = InterruptClass::ByPriority as i64;
        /// That, or one of the same priority that scores higher by [member ActionEvaluator.switch_margin].
        #[constant]
        const INTERRUPT_BY_MARGIN: i64 = InterruptClass::ByMargin as i64;
        /// Whatever scores higher breaks it.
        #[constant]
        const INTERRUPT_ANY: i64 = InterruptClass::Any as i64;
        /// The cooldown begins when a run starts.
        #[constant]
        const ON_START: i64 = 0;
        /// The cooldown begins when a run ends.
        #[constant]
        const ON_END: i64 = 1;
    }
}

#[godot_api]
impl IResource for ActionSpec {
    /// Keys of the compact form are no properties; files of format version 0 and scripts may have them.
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        let owner = self.to_gd().upcast();
        let key = property.to_string();
        let (compact, slots) = self.compact_slots(&owner);
        match compact.put(slots, &key, &value) {
            None => false,
            Some(changed) => {
                if changed {
                    self.base_mut().emit_changed();
                }
                true
            }
        }
    }
}

impl ActionSpec {
    fn compact_slots<'a>(&'a mut self, owner: &'a Gd<Resource>) -> (&'a mut CompactForm, Slots<'a>) {
        let slots = Slots {
            owner,
            method: &mut self.execution_method,
            scorers: &mut self.scorers,
            gates: &mut self.gates,
        };
        (&mut self.compact, slots)
    }

    fn settle_compact(&mut self) -> bool {
        let owner = self.to_gd().upcast();
        let (compact, slots) = self.compact_slots(&owner);
        compact.settle(slots)
    }

    fn own_plan(&self, common: ActionPlan) -> ActionPlan {
        ActionPlan {
            novelty_weight: self.novelty_weight,
            cooldown: CooldownPlan { on_end: self.cooldown_starts == Self::ON_END, ..common.cooldown },
            chain_links: self.chain_links.members().iter().filter_map(|link| link.bind().plan()).collect(),
            target_mode: TargetMode::from_int(self.target_mode).unwrap_or_default(),
            retarget_policy: RetargetPolicy::from_int(self.retarget_policy).unwrap_or_default(),
            interrupt_class: InterruptClass::from_int(self.interrupt_class).unwrap_or_default(),
            priority: self.priority,
            commitment_time: self.commitment_time,
            recovery: self.override_recovery_time.then_some(self.recovery_time),
            ignore_recovery: self.ignore_recovery,
            ..common
        }
    }

    fn own_problems(&self, ids: &[StringName]) -> Vec<String> {
        let mut found = Vec::new();
        if self.chain_links.null_count() > 0 {
            found.push(empty_element("chain_links"));
        }
        for link in self.chain_links.members() {
            let link = link.bind().plan().map(|link| link.action.name().to_owned()).unwrap_or_default();
            if !ids.iter().any(|id| id.to_string() == link) {
                found.push(format!(
                    "chain_links: there is no action \"{link}\" in the set. Set another, or add it."
                ));
            }
        }
        found
    }
}
