use godot::prelude::*;
use riposte_core::action::{ActionPlan, InterruptClass};

use super::parts::{ExecutionMethods, Gates, Scorers};
use super::spec_class::Spec;
use super::{ChainLink, NumberBinding, compile, problems};
use crate::base::family::{ClassArray, FamilyArray, FamilySlot};
use crate::base::tag_numbers::TagNumbers;
use crate::base::tags::TagList;

/// One action of an [ActionSet]: what runs, how much it is wanted, and when it is possible.
///
/// The score is the weight, divided by the risk, times all factors. The action with the highest score above 0 is started.
/// The resource is read-only at run time and may be shared; arrays are replaced, not appended to.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionSpec {
    /// The name of the action, unique in its set.
    #[export]
    #[var(set = set_action_id)]
    pub(crate) action_id: StringName,
    /// Off: never chosen. It can still be started by a script.
    #[export]
    #[var(set = set_enabled)]
    #[init(val = true)]
    pub(crate) enabled: bool,

    /// How the action runs. Without it the action is never chosen.
    #[export_group(name = "Execution")]
    #[export]
    #[var(get = get_execution_method, set = set_execution_method)]
    pub(crate) execution_method: FamilySlot<ExecutionMethods>,
    /// Tags on the agent's [TagContainer] while the action runs.
    #[export]
    #[var(get = get_add_tags, set = set_add_tags)]
    #[init(val = TagList::preset(&["State.MovementBlocked"]))]
    pub(crate) add_tags: TagList,

    /// Base score. 0 or more, default 1.
    #[export_group(name = "Scoring")]
    #[export(range = (0.0, 100.0, 0.01, or_greater))]
    #[var(set = set_selection_weight)]
    #[init(val = 1.0)]
    pub(crate) selection_weight: f64,
    /// Divides the score: 2 halves it, 0.5 doubles it. 0.01 to 100, default 1.
    #[export(range = (0.01, 100.0, 0.01, exp))]
    #[var(set = set_risk_penalty)]
    #[init(val = 1.0)]
    pub(crate) risk_penalty: f64,
    /// Factors of the score, multiplied in this order. A factor of 0 rules the action out.
    #[export]
    #[var(get = get_scorers, set = set_scorers)]
    pub(crate) scorers: FamilyArray<Scorers>,
    /// Conditions, asked in this order; the first that says no rules the action out.
    #[export]
    #[var(get = get_gates, set = set_gates)]
    pub(crate) gates: FamilyArray<Gates>,
    /// All of these must be matched by a tag of the agent, the target or the world.
    #[export]
    #[var(get = get_requires_tags, set = set_requires_tags)]
    pub(crate) requires_tags: TagList,
    /// None of these may be matched by a tag of the agent, the target or the world.
    #[export]
    #[var(get = get_block_tags, set = set_block_tags)]
    pub(crate) block_tags: TagList,
    /// A factor for each tag that is matched by a tag of the agent, the target or the world. 0 to 10.
    #[export]
    #[var(get = get_tag_score_multipliers, set = set_tag_score_multipliers)]
    pub(crate) tag_score_multipliers: TagNumbers,
    /// Refused without a target. Off, the default: scored without one.
    #[export]
    #[var(set = set_require_target)]
    pub(crate) require_target: bool,
    /// Scales the penalty for having been used lately; 0 exempts the action. 0 to 10, default 1.
    #[export(range = (0.0, 10.0, 0.05))]
    #[var(set = set_novelty_weight)]
    #[init(val = 1.0)]
    pub(crate) novelty_weight: f64,

    /// Whom the action is scored on: the focus target, each target that the agent knows of (one candidate per target), or
    /// nobody. Default [constant TARGET_FOCUS].
    #[export_group(name = "Target")]
    #[export(enum = (Focus = 0, Each = 1, None = 2))]
    #[var(set = set_target_mode)]
    pub(crate) target_mode: i64,
    /// What becomes of a run when the action is worth more on another target: it keeps its target, goes on with the other
    /// one, or begins anew. Default [constant RETARGET_KEEP].
    #[export(enum = (Keep = 0, Switch = 1, Restart = 2))]
    #[var(set = set_retarget_policy)]
    pub(crate) retarget_policy: i64,

    /// What may break a run of this action. Default [constant INTERRUPT_BY_PRIORITY]. A forced start always may.
    #[export_group(name = "Interrupts")]
    #[export(enum = (Never = 0, ByPriority = 1, ByMargin = 2, Any = 3))]
    #[var(set = set_interrupt_class)]
    #[init(val = InterruptClass::ByPriority as i64)]
    pub(crate) interrupt_class: i64,
    /// The higher one breaks the lower one. It is no part of the score. -100 to 100, default 0.
    #[export(range = (-100.0, 100.0, 1.0))]
    #[var(set = set_priority)]
    pub(crate) priority: i64,
    /// Seconds for which a run is kept, unless a higher priority comes. -1, the default: as
    /// [member ActionEvaluator.min_commitment] says.
    #[export(range = (-1.0, 10.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_commitment_time)]
    #[init(val = -1.0)]
    pub(crate) commitment_time: f64,

    /// Seconds from the start of the action until it may start again. Default 0 s.
    #[export_group(name = "Cooldown", prefix = "cooldown_")]
    #[export(range = (0.0, 60.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_cooldown_duration)]
    pub(crate) cooldown_duration: f64,
    /// Seconds after the spawn of the agent before the action may start. Default 0 s.
    #[export(range = (0.0, 60.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_cooldown_initial)]
    pub(crate) cooldown_initial: f64,
    /// Share by which each duration is longer or shorter at random. 0 to 1, default 0.2.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_cooldown_randomization)]
    #[init(val = 0.2)]
    pub(crate) cooldown_randomization: f64,
    /// Share of the time left that is given back when the action is cut short. 0 to 1, default 0.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_cooldown_interrupt_refund)]
    pub(crate) cooldown_interrupt_refund: f64,
    /// Chance that the agent spawns with the cooldown running. 0 to 1, default 0.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_cooldown_spawn_chance)]
    pub(crate) cooldown_spawn_chance: f64,

    /// When the cooldown begins: with the start of a run or with its end. Default [constant ON_START].
    #[export(enum = (OnStart = 0, OnEnd = 1))]
    #[var(set = set_cooldown_starts)]
    pub(crate) cooldown_starts: i64,

    /// Use [member recovery_time] in place of the one of the [AgentConfig] when the action completes.
    #[export_group(name = "Recovery")]
    #[export]
    #[var(set = set_override_recovery_time)]
    pub(crate) override_recovery_time: bool,
    /// Seconds after this action completed in which nothing is chosen, if [member override_recovery_time] is on. It takes the
    /// place of the config's time and is not added to it. Default 0 s.
    #[export(range = (0.0, 30.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_recovery_time)]
    pub(crate) recovery_time: f64,
    /// The action may be chosen while the agent recovers: to strafe or to taunt.
    #[export]
    #[var(set = set_ignore_recovery)]
    pub(crate) ignore_recovery: bool,

    /// How often the action may run before another one has to. -1, the default: unlimited. At most 20.
    #[export_group(name = "Repeats and Chains")]
    #[export(range = (-1.0, 20.0, 1.0))]
    #[var(set = set_max_consecutive_uses)]
    #[init(val = -1)]
    pub(crate) max_consecutive_uses: i64,
    /// Follow-ups that score higher for a short time after this action completed.
    #[export]
    #[var(get = get_chain_links, set = set_chain_links)]
    pub(crate) chain_links: ClassArray<ChainLink>,

    /// Numbers of this action that follow attributes of the agent.
    #[export_group(name = "Bindings")]
    #[export]
    #[var(get = get_bindings, set = set_bindings)]
    pub(crate) bindings: ClassArray<NumberBinding>,

    base: Base<Resource>,
}

impl Spec for ActionSpec {
    const LIST: &'static str = "actions";
    const KIND: &'static str = "action";

    fn id(&self) -> StringName {
        self.action_id.clone()
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

    fn plain_plan(&self) -> ActionPlan {
        compile::plain_plan(self)
    }

    fn plain_problems(&self, ids: &[StringName]) -> Vec<String> {
        problems::plain_problems(self, ids)
    }
}
