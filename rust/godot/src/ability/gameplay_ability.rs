use std::sync::Arc;

use godot::prelude::*;
use riposte_core::ability::AbilityPlan;
use riposte_core::action::EndReason;
use riposte_core::tags::{TagId, TagSet};

use super::definition::Overrides;
use super::{AbilitySystem, driver};
use crate::action::ActionContext;
use crate::action::resource_class::{Slot as _, SpecChecks as _, resource_class};
use crate::base::numbers::Checked as _;
use crate::base::tags::{self, TagList};
use crate::motion::Movement;

resource_class! {
    /// Something an agent can do, in a script of your own: extend this class and override its virtuals.
    ///
    /// Grant it to an [AbilitySystem]. The resource is a definition and is never changed. Each activation gets a private
    /// copy: exported values are copied (arrays and dictionaries one level deep), other variables of the script start fresh.
    /// So a variable may hold the state of what runs.
    ///
    /// ```gdscript
    /// class_name DashAbility
    /// extends GameplayAbility
    /// @export var seconds := 0.3
    /// func _activate(context: ActionContext) -> void:
    ///     get_agent().velocity = context.direction * 12.0
    /// func _tick(_delta: float) -> void:
    ///     if get_elapsed() >= seconds:
    ///         end_ability()
    /// func _end(_reason: int) -> void:
    ///     get_agent().velocity = Vector3.ZERO
    /// ```
    class GameplayAbility;
    properties {
        /// Tags that the ability is found by, for example `Attack.Light`: [method AbilitySystem.activate_by_tag] with
        /// `Attack` starts it too.
        #[export]
        ability_tags: TagList = (TagList::default()) slot get_ability_tags, set_ability_tags(PackedStringArray);
        /// Events that start the ability, see [method AbilitySystem.send_event]. `Hit` answers `Hit.Head` too.
        #[export]
        trigger_tags: TagList = (TagList::default()) slot get_trigger_tags, set_trigger_tags(PackedStringArray);
        /// Tags that are on the agent while the ability is active. They need a [TagContainer].
        #[export]
        granted_tags: TagList = (TagList::default()) slot get_granted_tags, set_granted_tags(PackedStringArray);
        /// The agent must own all of these, or a tag below each.
        #[export]
        required_tags: TagList = (TagList::default()) slot get_required_tags, set_required_tags(PackedStringArray);
        /// The agent must own none of these, nor a tag below one.
        #[export]
        blocked_tags: TagList = (TagList::default()) slot get_blocked_tags, set_blocked_tags(PackedStringArray);
        /// Active abilities that carry one of these, or a tag below one, are interrupted when this one starts.
        #[export]
        cancel_tags: TagList = (TagList::default()) slot get_cancel_tags, set_cancel_tags(PackedStringArray);
        /// Seconds from a start until it can start again, in the time of the [AbilitySystem]. Default 0.
        #[export(range = (0.0, 60.0, 0.05, or_greater, suffix = "s"))]
        cooldown: f64 = 0.0 => set_cooldown(not_negative);
        /// Activating it while it is active: off refuses, on interrupts it and starts it anew. Default off.
        #[export]
        retrigger: bool = false => set_retrigger(any);
        #[export_group(name = "Movement")]
        /// Puts the tag `State.RotationLocked` on the agent while active: your movement code must not turn the body toward
        /// its target then. Warping still does. Default on.
        #[export]
        lock_rotation: bool = true => set_lock_rotation(any);
        /// Holds the agent's [LedgeGuard3D] while active, so that it does not walk off a ledge. Default on.
        #[export]
        prevent_ledge_fall: bool = true => set_prevent_ledge_fall(any);
        /// The name under which the target is given to the agent's [MotionWarp3D] while active. Windows of this name steer the
        /// agent to it. Default `Target`; empty: no warping.
        #[export]
        warp_target_name: StringName = ("Target".into()) => set_warp_target_name(any);
        /// How far in front of the target warping ends, in metres. Nearer than that the agent is not moved. Default 1.
        #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "m"))]
        warp_offset: f64 = 1.0 => set_warp_offset(not_negative);
        /// A target that is nearer than this at the start is not warped to, in metres. 0, the default: every target is.
        #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "m"))]
        warp_skip_distance: f64 = 0.0 => set_warp_skip_distance(not_negative);
        /// Set on the private copy of an activation.
        run: MaybeRun = None;
    }
    items {
        /// False: it can't start now, and nothing is charged. Asked after tags and cooldown. May be asked more than once, so it
        /// must not change anything. Default true.
        #[func(virtual, gd_self)]
        pub fn can_activate(_this: Gd<Self>, _context: Gd<ActionContext>) -> bool {
            true
        }

        /// What the activation is started with: the given context, or a new one. Without a target in it, the focus target of the
        /// agent is filled in. Comes before [method _can_activate].
        #[func(virtual, gd_self)]
        pub fn on_context_received(_this: Gd<Self>, _context: Gd<ActionContext>) {}

        /// The start. The ability is active until [method end_ability] or somebody else ends it.
        #[func(virtual, gd_self)]
        pub fn activate(_this: Gd<Self>, _context: Gd<ActionContext>) {}

        /// The start by an event, instead of [method _activate]. Without it an event calls [method _activate].
        #[func(virtual, gd_self)]
        pub fn activate_from_event(_this: Gd<Self>, _event_tag: StringName, _context: Gd<ActionContext>) {}

        /// Each step while active, from the frame after the start. [param delta] is in seconds. A script without it costs nothing.
        #[func(virtual, gd_self)]
        pub fn tick(_this: Gd<Self>, _delta: f64) {}

        /// The ability ended, whoever ended it: undo what began. Once per activation. [param reason] is one of the `END_*`
        /// constants.
        #[func(virtual, gd_self)]
        pub fn end(_this: Gd<Self>, _reason: i64) {}

        /// Ends this activation at once, as completed or as failed. Nothing happens if it is over, or on the definition.
        #[func(gd_self)]
        pub fn end_ability(this: Gd<Self>, #[opt(default = true)] success: bool) {
            let reason = if success { EndReason::Completed } else { EndReason::Failed };
            Self::end_run(&this, reason);
        }

        /// Ends this activation at once with [constant END_CANCELLED]. Nothing happens if it is over, or on the definition.
        #[func(gd_self)]
        pub fn cancel_ability(this: Gd<Self>) {
            Self::end_run(&this, EndReason::Cancelled);
        }

        /// What the activation was started with; null outside of one.
        #[func(gd_self)]
        pub fn get_action_context(this: Gd<Self>) -> Option<Gd<ActionContext>> {
            this.bind().run.as_ref().map(|run| run.context.clone())
        }

        /// The agent that acts; null outside an activation.
        #[func(gd_self)]
        pub fn get_agent(this: Gd<Self>) -> Option<Gd<Node>> {
            let system = this.bind().run.as_ref()?.system;
            Gd::try_from_instance_id(driver::agent_of(system)?).ok()
        }

        /// The target; null without one, after it was freed, and outside an activation.
        #[func(gd_self)]
        pub fn get_target(this: Gd<Self>) -> Option<Gd<Node>> {
            let context = this.bind().run.as_ref()?.context.clone();
            context.bind().get_target()
        }

        /// The system that runs it; null outside an activation.
        #[func(gd_self)]
        pub fn get_ability_system(this: Gd<Self>) -> Option<Gd<AbilitySystem>> {
            let system = this.bind().run.as_ref()?.system;
            Gd::try_from_instance_id(system).ok()
        }

        /// True from the start to the end of the activation that this copy belongs to.
        #[func(gd_self)]
        pub fn is_active(this: Gd<Self>) -> bool {
            Self::elapsed(&this).is_some()
        }

        /// Seconds since the start; 0 outside an activation.
        #[func(gd_self)]
        pub fn get_elapsed(this: Gd<Self>) -> f64 {
            Self::elapsed(&this).unwrap_or(0.0)
        }
    }
}

/// What a private copy knows about its activation.
pub(crate) struct CurrentRun {
    system: InstanceId,
    /// 0 until it is active.
    activation: i64,
    context: Gd<ActionContext>,
}

type MaybeRun = Option<CurrentRun>;

impl GameplayAbility {
    /// Names of the properties that [`Self::copy_into`] copies.
    pub(super) const PROPERTIES: &[&str] = &[
        "ability_tags",
        "trigger_tags",
        "granted_tags",
        "required_tags",
        "blocked_tags",
        "cancel_tags",
        "cooldown",
        "retrigger",
        "lock_rotation",
        "prevent_ledge_fall",
        "warp_target_name",
        "warp_offset",
        "warp_skip_distance",
    ];

    /// The values of this class's own properties, for a private copy.
    pub(super) fn copy_into(&self, copy: &mut Self) {
        copy.ability_tags = self.ability_tags.clone();
        copy.trigger_tags = self.trigger_tags.clone();
        copy.granted_tags = self.granted_tags.clone();
        copy.required_tags = self.required_tags.clone();
        copy.blocked_tags = self.blocked_tags.clone();
        copy.cancel_tags = self.cancel_tags.clone();
        copy.cooldown = self.cooldown;
        copy.retrigger = self.retrigger;
        copy.lock_rotation = self.lock_rotation;
        copy.prevent_ledge_fall = self.prevent_ledge_fall;
        copy.warp_target_name = self.warp_target_name.clone();
        copy.warp_offset = self.warp_offset;
        copy.warp_skip_distance = self.warp_skip_distance;
    }

    /// What the core decides with.
    pub(super) fn plan(&self, own: Overrides) -> Arc<AbilityPlan> {
        let mut granted: Vec<TagId> = self.granted_tags.ids().to_vec();
        granted.sort_unstable();
        granted.dedup();
        Arc::new(AbilityPlan {
            tags: tags::with_table(|table| TagSet::new(table, self.ability_tags.ids().iter().copied())),
            triggers: self.trigger_tags.ids().to_vec(),
            required: self.required_tags.ids().to_vec(),
            blocked: self.blocked_tags.ids().to_vec(),
            cancels: self.cancel_tags.ids().to_vec(),
            granted,
            cooldown: self.cooldown,
            retrigger: self.retrigger,
            ticks: own.tick,
        })
    }

    /// What it does with the movement of the agent.
    pub(super) fn movement(&self) -> Movement {
        Movement {
            lock_rotation: self.lock_rotation,
            prevent_ledge_fall: self.prevent_ledge_fall,
            warp_target_name: self.warp_target_name.clone(),
            warp_offset: self.warp_offset,
            warp_skip_distance: self.warp_skip_distance,
        }
    }

    /// True if it puts tags on the agent.
    pub(super) fn tags_agent(&self) -> bool {
        self.lock_rotation || !self.granted_tags.ids().is_empty()
    }

    /// Configuration warnings of a node that has it.
    pub(super) fn warnings(&self) -> Vec<String> {
        let lists = [
            ("ability_tags", &self.ability_tags),
            ("trigger_tags", &self.trigger_tags),
            ("granted_tags", &self.granted_tags),
            ("required_tags", &self.required_tags),
            ("blocked_tags", &self.blocked_tags),
            ("cancel_tags", &self.cancel_tags),
        ];
        lists.iter().flat_map(|(member, list)| list.warnings(member)).collect()
    }

    /// Makes this instance the private copy of an activation that is about to start.
    pub(super) fn enter_run(&mut self, system: InstanceId, context: Gd<ActionContext>) {
        self.run = Some(CurrentRun { system, activation: 0, context });
    }

    /// It is active now.
    pub(super) fn begin_run(&mut self, activation: i64) {
        if let Some(run) = &mut self.run {
            run.activation = activation;
        }
    }

    /// It is over; a script that kept the copy gets neutral answers.
    pub(super) fn leave_run(&mut self) -> Option<Gd<ActionContext>> {
        self.run.take().map(|run| run.context)
    }

    fn elapsed(this: &Gd<Self>) -> Option<f64> {
        let (system, activation) = this.bind().run.as_ref().map(|run| (run.system, run.activation))?;
        driver::with(system, |state| state.core.elapsed(activation)).flatten()
    }

    fn end_run(this: &Gd<Self>, reason: EndReason) {
        let run = this.bind().run.as_ref().map(|run| (run.system, run.activation));
        if let Some((system, activation)) = run {
            driver::end(system, activation, reason);
        }
    }
}
