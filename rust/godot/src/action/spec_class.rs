//! What actions and reactions have in common, written once: the table of their properties, and how they are read.

use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use riposte_core::action::ActionPlan;

use super::parts::{ExecutionMethods, Gates, Scorers};
use super::{ActionHook, ChainLink, NumberBinding};
use crate::base::family::{ArrayOf, ClassArray, FamilyArray, FamilySlot};

/// One element of a set.
pub(crate) trait Spec:
    GodotClass + Inherits<Resource> + Inherits<Object> + Bounds<Declarer = bounds::DeclUser>
{
    /// The set's property.
    const LIST: &'static str;
    /// What it is, for messages.
    const KIND: &'static str;

    /// Its name in the set.
    fn id(&self) -> StringName;
    /// How it runs.
    fn method(&self) -> Option<Gd<Resource>>;
    /// Factors of its score.
    fn scorers(&self) -> Vec<Gd<Resource>>;
    /// Its conditions.
    fn gates(&self) -> Vec<Gd<Resource>>;
    /// Numbers that follow attributes.
    fn bindings(&self) -> Vec<Gd<NumberBinding>>;
    /// User code around its runs.
    fn hook(&self) -> Option<Gd<ActionHook>>;
    /// What needs no script.
    fn plain_plan(&self) -> ActionPlan;
    /// It is taken into a set, or compiled alone. True if it was given in the compact form of an older file format.
    fn settle(&mut self) -> bool;
    /// What is wrong and needs no script to tell. `ids` are those of the set.
    fn plain_problems(&self, ids: &[StringName]) -> Vec<String>;
}

/// Writes the class of an action or a reaction: the properties of both, and its own in the groups where they stand.
/// What both have is added here, to the table and to `common_plan`; what one has, to the section of its own table.
macro_rules! spec_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident, $list:literal, $kind:literal, $id:ident;
        first { $($first:tt)* }
        event { $($event:tt)* }
        execution { $($execution:tt)* }
        scoring { $($scoring:tt)* }
        cooldown { $($cooldown:tt)* }
        repeats { $($repeats:tt)* }
        last { $($last:tt)* }
        items { $($items:tt)* }
    ) => {
        resource_class! {
            $(#[$($head)*])*
            class $name;
            properties {
                $($first)*
                /// Off: never chosen. It can still be started by a script.
                #[export]
                enabled: bool = true => set_enabled(any);
                $($event)*
                /// How it runs. Without one it is never chosen.
                #[export_group(name = "Execution")]
                #[export]
                execution_method: MethodSlot = (MethodSlot::default())
                    slot get_execution_method, set_execution_method(GivenResource);
                $($execution)*
                /// Your own code around its runs, called after that of [member AgentConfig.global_hook]. Null: none.
                #[export]
                hook: OptionalHook = None => set_hook(any);
                /// Base score. 0 or more, default 1.
                #[export_group(name = "Scoring")]
                #[export(range = (0.0, 100.0, 0.01, or_greater))]
                selection_weight: f64 = 1.0 => set_selection_weight(not_negative);
                /// Divides the score: 2 halves it, 0.5 doubles it. 0.01 to 100, default 1.
                #[export(range = (0.01, 100.0, 0.01, exp))]
                risk_penalty: f64 = 1.0 => set_risk_penalty(clamped, 0.01, 100.0);
                /// Factors of the score, multiplied in this order. A factor of 0 rules it out.
                #[export]
                scorers: ScorerArray = (ScorerArray::default()) slot get_scorers, set_scorers(AnyArray);
                /// Conditions, asked in this order; the first that says no rules it out.
                #[export]
                gates: GateArray = (GateArray::default()) slot get_gates, set_gates(AnyArray);
                /// All of these must be matched by a tag of the agent, the target or the world.
                #[export]
                requires_tags: TagList = (TagList::default())
                    slot get_requires_tags, set_requires_tags(PackedStringArray);
                /// None of these may be matched by a tag of the agent, the target or the world.
                #[export]
                block_tags: TagList = (TagList::default()) slot get_block_tags, set_block_tags(PackedStringArray);
                /// A factor for each tag that is matched by a tag of the agent, the target or the world. 0 to 10.
                #[export]
                tag_score_multipliers: TagNumbers = (TagNumbers::default())
                    slot get_tag_score_multipliers, set_tag_score_multipliers(NumbersByTag);
                /// Refused without a target. Off, the default: scored without one.
                #[export]
                require_target: bool = false => set_require_target(any);
                /// Refused on a target that the agent does not see: for shots and leaps. With a Perception, what it sees, else a ray
                /// of the evaluator. Without a target it is refused too.
                #[export]
                require_line_of_sight: bool = false => set_require_line_of_sight(any);
                $($scoring)*
                /// Seconds from the start until it may start again. Default 0 s.
                #[export_group(name = "Cooldown", prefix = "cooldown_")]
                #[export(range = (0.0, 60.0, 0.05, or_greater, suffix = "s"))]
                cooldown_duration: f64 = 0.0 => set_cooldown_duration(not_negative);
                /// Seconds after the spawn of the agent before it may start. Default 0 s.
                #[export(range = (0.0, 60.0, 0.05, or_greater, suffix = "s"))]
                cooldown_initial: f64 = 0.0 => set_cooldown_initial(not_negative);
                /// Share by which each duration is longer or shorter at random. 0 to 1, default 0.2.
                #[export(range = (0.0, 1.0, 0.01))]
                cooldown_randomization: f64 = 0.2 => set_cooldown_randomization(share);
                /// Share of the time left that is given back when it is cut short. 0 to 1, default 0.
                #[export(range = (0.0, 1.0, 0.01))]
                cooldown_interrupt_refund: f64 = 0.0 => set_cooldown_interrupt_refund(share);
                /// Chance that the agent spawns with the cooldown running. 0 to 1, default 0.
                #[export(range = (0.0, 1.0, 0.01))]
                cooldown_spawn_chance: f64 = 0.0 => set_cooldown_spawn_chance(share);
                $($cooldown)*
                /// How often it may run before another one has to. -1, the default: unlimited. At most 20.
                #[export_group(name = "Repeats and Chains")]
                #[export(range = (-1.0, 20.0, 1.0))]
                max_consecutive_uses: i64 = (-1) => set_max_consecutive_uses(count, -1, 20);
                $($repeats)*
                $($last)*
            }
            items { $($items)* }
        }

        impl $name {
            /// What every action and reaction has, as far as it needs no script.
            fn common_plan(&self) -> ActionPlan {
                ActionPlan {
                    id: ActionId::new(&self.$id.to_string()),
                    enabled: self.enabled,
                    selection_weight: self.selection_weight,
                    risk_penalty: self.risk_penalty,
                    requires_tags: compile::queries(self.requires_tags.ids()),
                    block_tags: compile::queries(self.block_tags.ids()),
                    tag_multipliers: compile::multipliers(self.tag_score_multipliers.entries()),
                    require_target: self.require_target,
                    require_line_of_sight: self.require_line_of_sight,
                    cooldown: CooldownPlan {
                        duration: self.cooldown_duration,
                        initial: self.cooldown_initial,
                        randomization: self.cooldown_randomization,
                        interrupt_refund: self.cooldown_interrupt_refund,
                        spawn_chance: self.cooldown_spawn_chance,
                        ..CooldownPlan::default()
                    },
                    max_consecutive_uses: self.max_consecutive_uses,
                    add_tags: compile::queries(self.add_tags.ids()),
                    target_lost_policy: LostPolicy::from_int(self.target_lost_policy).unwrap_or_default(),
                    ..ActionPlan::default()
                }
            }
        }

        impl Spec for $name {
            const LIST: &'static str = $list;
            const KIND: &'static str = $kind;

            fn id(&self) -> StringName {
                self.$id.clone()
            }

            fn method(&self) -> Option<Gd<Resource>> {
                self.execution_method.member().cloned()
            }

            fn scorers(&self) -> Vec<Gd<Resource>> {
                self.scorers.members().to_vec()
            }

            fn gates(&self) -> Vec<Gd<Resource>> {
                self.gates.members().to_vec()
            }

            fn bindings(&self) -> Vec<Gd<NumberBinding>> {
                self.bindings.members().to_vec()
            }

            fn hook(&self) -> Option<Gd<ActionHook>> {
                self.hook.clone()
            }

            fn plain_plan(&self) -> ActionPlan {
                self.own_plan(self.common_plan())
            }

            fn settle(&mut self) -> bool {
                self.settle_compact()
            }

            fn plain_problems(&self, ids: &[StringName]) -> Vec<String> {
                let mut found = Vec::new();
                for (member, nulls) in [
                    ("scorers", self.scorers.null_count()),
                    ("gates", self.gates.null_count()),
                    ("bindings", self.bindings.null_count()),
                ] {
                    if nulls > 0 {
                        found.push(empty_element(member));
                    }
                }
                for (index, binding) in self.bindings.members().iter().enumerate() {
                    let problem = binding.bind().warning();
                    found.extend(problem.map(|problem| format!("bindings[{index}]: {problem}")));
                }
                if self.max_consecutive_uses == 0 {
                    found.push(format!(
                        "max_consecutive_uses is 0, so the {} is never chosen. Set -1 for unlimited.",
                        $kind
                    ));
                }
                found.extend(self.own_problems(ids));
                found.extend(self.add_tags.warnings("add_tags"));
                found.extend(self.requires_tags.warnings("requires_tags"));
                found.extend(self.block_tags.warnings("block_tags"));
                found.extend(self.tag_score_multipliers.warnings("tag_score_multipliers"));
                found
            }
        }
    };
}

pub(super) use spec_class;

/// A warning about nulls in an array.
pub(super) fn empty_element(member: &str) -> String {
    format!("{member}: an empty element is left out. Fill or remove it.")
}

/// Types of properties, as one token.
pub(super) type MethodSlot = FamilySlot<ExecutionMethods>;
pub(super) type ScorerArray = FamilyArray<Scorers>;
pub(super) type GateArray = FamilyArray<Gates>;
pub(super) type BindingArray = ClassArray<NumberBinding>;
pub(super) type GivenBindings = ArrayOf<NumberBinding>;
pub(super) type LinkArray = ClassArray<ChainLink>;
pub(super) type GivenLinks = ArrayOf<ChainLink>;
/// An optional resource, as scripts give it.
pub(super) type GivenResource = Option<Gd<Resource>>;
pub(super) type OptionalHook = Option<Gd<ActionHook>>;
