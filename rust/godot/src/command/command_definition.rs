use std::sync::Arc;

use godot::prelude::*;

use super::checks::CommandChecks;
use super::command_variant::{ExecutionSlot, GivenResource, OptionalTexture};
use super::definition_plan::CompiledCommand;
use super::{CommandRequest, CommandVariant, resolving};
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::family::{ArrayOf, ClassArray};
use crate::base::tags::TagList;
use crate::optional::Optional;

type VariantArray = ClassArray<CommandVariant>;
type GivenVariants = ArrayOf<CommandVariant>;
type Cache = Option<Arc<CompiledCommand>>;

resource_class! {
    /// What an order is: what it is aimed at, what it takes, how players see it, and what carries it out.
    ///
    /// Agents share the resource; a [CommandSystem] gives the orders. An order without [member variants] has one form. Extend the
    /// class in a script where a rule depends on the agent, its weapon or its state, and override its virtuals. They answer
    /// questions, more than once for one order, so they must not change anything. A change of the resource applies from the next
    /// start.
    ///
    /// ```gdscript
    /// class_name MineDefinition
    /// extends CommandDefinition
    /// func _can_execute(agent: Node, _request: CommandRequest, _variant: CommandVariant) -> StringName:
    ///     return &"" if agent.ore < agent.max_ore else &"bag_full"
    /// ```
    class CommandDefinition;
    properties {
        /// The name of the order in saved states and on the network, and of the behaviour that carries it out by default. Empty,
        /// the default: the name of the file; inside of another file the resource name, else the number that it has there.
        #[export]
        id: StringName = (StringName::default()) => set_id(any);
        /// What players read. Empty, the default: [member id].
        #[export_group(name = "Display")]
        #[export]
        display_name: GString = (GString::new()) => set_display_name(any);
        /// What players see.
        #[export]
        icon: OptionalTexture = None => set_icon(any);
        /// A longer text for players.
        #[export(multiline)]
        description: GString = (GString::new()) => set_description(any);
        /// Place among the orders of an agent, lower first; equal ones stand as they are listed. Default 0.
        #[export]
        sort_order: i64 = 0 => set_sort_order(any);
        /// What the order is aimed at, one of the `TARGET_TYPE_*` constants. A request of another shape is refused. Default
        /// TARGET_TYPE_NONE.
        #[export_group(name = "Target")]
        #[export]
        target_type: i64 = 0 => set_target_type(choice, 0, 3, 0)
            choices "None:0,Node:1,Location:2,Direction:3";
        /// The agent may be its own target. Default off. Only for TARGET_TYPE_NODE.
        #[export]
        allow_self: bool = false => set_allow_self(any);
        /// How many targets one order may have, 1 to 64. Default 1. Only for TARGET_TYPE_NODE.
        #[export(range = (1.0, 64.0, 1.0))]
        max_targets: i64 = 1 => set_max_targets(count, 1, 64);
        /// Godot groups: each target has to be in one of them. Empty, the default: any. Only for TARGET_TYPE_NODE.
        #[export]
        target_groups: PackedStringArray = (PackedStringArray::new()) => set_target_groups(any);
        /// The agent must own all of these, or a tag below each. They need a [TagContainer].
        #[export_group(name = "Requirements")]
        #[export]
        agent_required_tags: TagList = (TagList::default())
            slot get_agent_required_tags, set_agent_required_tags(PackedStringArray);
        /// The agent must own none of these, nor a tag below one.
        #[export]
        agent_blocked_tags: TagList = (TagList::default())
            slot get_agent_blocked_tags, set_agent_blocked_tags(PackedStringArray);
        /// Each target must own all of these in its [TagContainer], or a tag below each.
        #[export]
        target_required_tags: TagList = (TagList::default())
            slot get_target_required_tags, set_target_required_tags(PackedStringArray);
        /// Each target must own none of these, nor a tag below one.
        #[export]
        target_blocked_tags: TagList = (TagList::default())
            slot get_target_blocked_tags, set_target_blocked_tags(PackedStringArray);
        /// The target or place may not be nearer, in metres, centre to centre. Default 0. See [member range_rule].
        #[export_group(name = "Range")]
        #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
        #[var(set = set_range_min)]
        range_min: f64 = 0.0;
        /// The target or place may not be further away, in metres, centre to centre. 0, the default: no limit.
        #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
        #[var(set = set_range_max)]
        range_max: f64 = 0.0;
        /// When the range counts, one of the `RANGE_*` constants. RANGE_INFORM, the default: never, the execution reads it.
        #[export]
        range_rule: i64 = 0 => set_range_rule(choice, 0, 2, 0)
            choices "Inform:0,At Issue:1,At Start:2";
        /// On: the range is in world units, in 2D pixels. Off, the default: in metres, which the project setting
        /// [code]riposte/2d/pixels_per_meter[/code] converts in 2D.
        #[export]
        in_pixels: bool = false => set_in_pixels(any);
        /// How good the order is before a script is asked, 0 or more; see [method CommandSystem.get_best_option]. Default 1.
        #[export_group(name = "Execution")]
        #[export(range = (0.0, 10.0, 0.01, or_greater))]
        base_score: f64 = 1.0 => set_base_score(amount, 1.0);
        /// What carries the order out. Null, the default: [member CommandSystem.default_execution].
        #[export]
        execution: ExecutionSlot = (ExecutionSlot::default())
            slot get_execution, set_execution(GivenResource);
        /// Whether other orders and cancels may stop it: CANCELABLE, the default, or NON_CANCELABLE.
        #[export_group(name = "Lifecycle")]
        #[export]
        cancellation_policy: i64 = 0 => set_cancellation_policy(choice, 0, 1, 0)
            choices "Cancelable:0,Non Cancelable:1";
        /// On: the waiting orders go on after this one was cancelled. Off, the default: they end too.
        #[export]
        cancelled_counts_as_success: bool = false => set_cancelled_counts_as_success(any);
        /// What a failure does to the waiting orders: FAILURE_CLEAR, the default, or FAILURE_CONTINUE.
        #[export]
        failure_policy: i64 = 0 => set_failure_policy(choice, 0, 1, 0)
            choices "Clear:0,Continue:1";
        /// How often the order is started again after a failure. Default 0.
        #[export(range = (0.0, 10.0, 1.0, or_greater))]
        retry_count: i64 = 0 => set_retry_count(count, 0, 1_000_000);
        /// Seconds between a failure and the next start. Default 0.
        #[export(range = (0.0, 60.0, 0.05, or_greater, suffix = "s"))]
        retry_delay: f64 = 0.0 => set_retry_delay(amount, 0.0);
        /// On: the order never ends by itself, such as a guard or a patrol. Default off.
        #[export]
        endless: bool = false => set_endless(any);
        /// What an order does that is queued directly behind an endless one, one of the `ENDLESS_*` constants. Default
        /// ENDLESS_END.
        #[export]
        endless_policy: i64 = 0 => set_endless_policy(choice, 0, 2, 0)
            choices "End:0,Wait:1,Reject:2";
        /// Seconds that one start may take; then it fails with [code]timed_out[/code]. 0, the default: no limit.
        #[export(range = (0.0, 60.0, 0.05, or_greater, suffix = "s"))]
        time_limit: f64 = 0.0 => set_time_limit(amount, 0.0);
        /// Seconds that the execution may take to stop. -1, the default: [member CommandSystem.cancel_timeout].
        #[export(range = (-1.0, 60.0, 0.05, or_greater, suffix = "s"))]
        cancel_timeout: f64 = (-1.0) => set_cancel_timeout(amount_or_inherited);
        /// What happens when the last target of the running order is gone, one of the `LOST_*` constants. Default LOST_FAIL.
        #[export]
        target_lost_policy: i64 = 1 => set_target_lost_policy(choice, 0, 3, 1)
            choices "Continue:0,Fail:1,Retarget:2,Succeed:3";
        /// What happens to a waiting order that is no longer legal when its turn comes: INVALID_SKIP, the default, or
        /// INVALID_FAIL.
        #[export]
        invalid_policy: i64 = 0 => set_invalid_policy(choice, 0, 1, 0)
            choices "Skip:0,Fail:1";
        /// What [method CommandSystem.issue_command] does with an order that is equal to the current one: SAME_KEEP, the default,
        /// or SAME_RESTART.
        #[export]
        same_request: i64 = 0 => set_same_request(choice, 0, 1, 0)
            choices "Keep:0,Restart:1";
        /// Tags on the agent while an execution of the order is alive. They need a [TagContainer].
        #[export]
        granted_tags: TagList = (TagList::default())
            slot get_granted_tags, set_granted_tags(PackedStringArray);
        /// Forms of the order, for example "Attack" with sword, bow or spell. A request names one by its index, null elements not
        /// counted. Assign a new array: the one that is read is read-only.
        #[export_group(name = "Variants")]
        #[export]
        variants: VariantArray = (VariantArray::default()) slot get_variants, set_variants(GivenVariants);
        cache: Cache = None;
    }
    items {
        /// Aimed at nothing.
        #[constant]
        const TARGET_TYPE_NONE: i64 = 0;
        /// Aimed at one node or several; a point on the first may be given too.
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
        /// The range counts when the order starts, and when it is accepted in the place of another one.
        #[constant]
        const RANGE_AT_START: i64 = 2;
        /// Other orders and cancels may stop it.
        #[constant]
        pub(super) const CANCELABLE: i64 = 0;
        /// It runs to its end.
        #[constant]
        pub(super) const NON_CANCELABLE: i64 = 1;
        /// After a failure the waiting orders end too.
        #[constant]
        const FAILURE_CLEAR: i64 = 0;
        /// After a failure the waiting orders go on.
        #[constant]
        const FAILURE_CONTINUE: i64 = 1;
        /// The endless order ends, and the new one takes its place.
        #[constant]
        const ENDLESS_END: i64 = 0;
        /// The new order waits.
        #[constant]
        const ENDLESS_WAIT: i64 = 1;
        /// The new order is refused.
        #[constant]
        const ENDLESS_REJECT: i64 = 2;
        /// The order goes on without a target.
        #[constant]
        const LOST_CONTINUE: i64 = 0;
        /// The order fails.
        #[constant]
        const LOST_FAIL: i64 = 1;
        /// The order starts again on the node that [method _find_new_target] returns; without one it fails.
        #[constant]
        const LOST_RETARGET: i64 = 2;
        /// The order succeeds.
        #[constant]
        const LOST_SUCCEED: i64 = 3;
        /// Only this order ends.
        #[constant]
        const INVALID_SKIP: i64 = 0;
        /// It ends as if it had failed.
        #[constant]
        const INVALID_FAIL: i64 = 1;
        /// The current order goes on.
        #[constant]
        const SAME_KEEP: i64 = 0;
        /// The current order is replaced as by any other.
        #[constant]
        const SAME_RESTART: i64 = 1;
        /// The allowed form with the highest score, chosen when the order is accepted.
        #[constant]
        const VARIANT_AUTO: i64 = -1;

        /// How many forms the order has; 1 without variants.
        #[func]
        pub fn get_variant_count(&self) -> i64 {
            self.variants.members().len().max(1) as i64
        }

        /// The index of a form by its [member CommandVariant.id]; -1 if there is none.
        #[func(gd_self)]
        pub fn find_variant(this: Gd<Self>, variant_id: StringName) -> i64 {
            resolving::find_variant(&this, &variant_id)
        }

        /// The settings of a form for this agent: a new [CommandVariant] with all of definition, variant and
        /// [method _get_variant] filled in, ranges in world units. Without variants the index counts for nothing. Null if there is
        /// no such form, or not now.
        #[func(gd_self)]
        pub fn resolve(this: Gd<Self>, agent: Optional<Node>, variant: i64) -> Option<Gd<CommandVariant>> {
            resolving::resolve(&this, agent.0.as_ref(), variant)
        }

        /// The settings of a form for this agent. [param base] is a private copy with all filled in, ranges in world units: return
        /// it, changed or not. Another [CommandVariant] is merged over it. Null: there is no such form now. Default: [param base].
        #[func(virtual, gd_self)]
        pub fn get_variant(_this: Gd<Self>, _agent: Gd<Node>, _variant: i64, base: Gd<CommandVariant>) -> Option<Gd<CommandVariant>> {
            Some(base)
        }

        /// Empty if the target of the request is fine, else the reason of the refusal, a name of yours. Default: empty.
        #[func(virtual, gd_self)]
        pub fn validate_target(_this: Gd<Self>, _agent: Gd<Node>, _request: Gd<CommandRequest>, _variant: Gd<CommandVariant>) -> StringName {
            StringName::default()
        }

        /// Empty if the agent can carry the order out now, else the reason of the refusal, a name of yours. Default: empty.
        #[func(virtual, gd_self)]
        pub fn can_execute(_this: Gd<Self>, _agent: Gd<Node>, _request: Gd<CommandRequest>, _variant: Gd<CommandVariant>) -> StringName {
            StringName::default()
        }

        /// How good the order is, 0 or more. Asked to choose a form or the best option. Default: [code]variant.base_score[/code].
        #[func(virtual, gd_self)]
        pub fn score(_this: Gd<Self>, _agent: Gd<Node>, _request: Gd<CommandRequest>, variant: Gd<CommandVariant>) -> f64 {
            variant.bind().base_score
        }

        /// What carries the order out. Null, or what is no execution: the order is refused (`no_execution`). Default:
        /// [code]variant.execution[/code].
        #[func(virtual, gd_self, rename = _get_execution)]
        pub fn chosen_execution(_this: Gd<Self>, _agent: Gd<Node>, _request: Gd<CommandRequest>, variant: Gd<CommandVariant>) -> Option<Gd<Resource>> {
            variant.bind().execution.stored()
        }

        /// Another target for an order with LOST_RETARGET whose targets are all gone; null, the default, if there is none.
        #[func(virtual, gd_self)]
        pub fn find_new_target(_this: Gd<Self>, _agent: Gd<Node>, _request: Gd<CommandRequest>) -> Option<Gd<Node>> {
            None
        }

        #[func]
        fn set_range_min(&mut self, value: f64) {
            self.range_min = self.amount("range_min", value, self.range_min, 0.0);
            self.range_max = self.range_end("range_max", self.range_max, self.range_min);
            self.base_mut().emit_changed();
        }

        #[func]
        fn set_range_max(&mut self, value: f64) {
            let value = self.amount("range_max", value, self.range_max, 0.0);
            self.range_max = self.range_end("range_max", value, self.range_min);
            self.base_mut().emit_changed();
        }

        /// It, or something below it, was edited.
        #[func(rename = _spoil)]
        fn spoil(&mut self) {
            self.cache = None;
        }
    }
}

impl CommandDefinition {
    /// What it compiles to, made once after a change.
    pub(crate) fn compiled(this: &Gd<Self>) -> Arc<CompiledCommand> {
        if let Some(known) = &this.bind().cache {
            return known.clone();
        }
        #[expect(clippy::arc_with_non_send_sync, reason = "the icons and executions in it are the engine's")]
        let made = Arc::new(CompiledCommand::of(this));
        let mut own = this.clone();
        let spoil = own.callable("_spoil");
        for signal in ["changed", "script_changed"] {
            if !own.is_connected(signal, &spoil) {
                own.connect(signal, &spoil);
            }
        }
        own.bind_mut().cache = Some(made.clone());
        made
    }
}
