use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::{EndReason, Refusal, Settings, TagQueries};

use super::{ActionDecision, ActionSet, driver};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::numbers::Checked;
use crate::base::tags::{self, TagList};
use crate::base::ticking::{self, Ticker};
use crate::optional::node_id;

/// Lets an agent choose and run its actions.
///
/// Add it as a direct child of the agent, after the nodes it uses (senses, tags, vitals). At each evaluation every action
/// of the set is checked and scored for the target, and the best one with a score above 0 is started. The node tells what
/// starts and ends by its signals; [method get_last_decision] tells why.
///
/// ```gdscript
/// brain.default_action_set = preload("res://guard_moves.tres")
/// brain.target = player
/// brain.action_started.connect(func(id, target, _run): prints(id, "->", target))
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct ActionEvaluator {
    /// The agent that acts. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    pub(super) agent_path: NodePath,
    /// When the node steps: with the physics, with each drawn frame, or by [method advance].
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    process_callback: i64,
    /// Speed of everything the node counts: cooldowns, evaluations, running actions. 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    time_scale: f64,
    /// Start by itself after the agent is ready. Off: call [method start].
    #[export]
    #[var(set = set_auto_start)]
    #[init(val = true)]
    auto_start: bool,
    /// Decide by itself, in the interval below. Off: call [method evaluate_now] or [method request_evaluation].
    #[export]
    #[var(set = set_auto_evaluate)]
    #[init(val = true)]
    auto_evaluate: bool,
    /// The actions of the agent. Several agents may share one set: it is never changed.
    #[export_group(name = "Set")]
    #[export]
    #[var(set = set_default_action_set)]
    default_action_set: Option<Gd<ActionSet>>,
    /// Whom the actions are aimed at. Null: the Perception's choice, see [member use_perception]. A freed node counts as
    /// null. Not saved with the scene.
    #[var(get = get_target, set = set_target)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// Without a [member target] of its own, aim at whom the agent's Perception attends to.
    #[export_group(name = "Target")]
    #[export]
    #[var(set = set_use_perception)]
    #[init(val = true)]
    use_perception: bool,
    /// Seconds between two evaluations; 0: every step.
    #[export_group(name = "Schedule")]
    #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_evaluation_interval)]
    #[init(val = 0.1)]
    evaluation_interval: f64,
    /// Start at a random part of the interval, so that agents do not all decide in the same step.
    #[export]
    #[var(set = set_random_phase)]
    #[init(val = true)]
    random_phase: bool,
    /// Decide in the same step in which an action ended.
    #[export]
    #[var(set = set_evaluate_on_end)]
    #[init(val = true)]
    evaluate_on_end: bool,
    /// How many candidates are tried, best first, when starts are refused.
    #[export(range = (1.0, 8.0, 1.0))]
    #[var(set = set_max_start_attempts)]
    #[init(val = 3)]
    max_start_attempts: i64,
    /// Seed of all randomness of this agent: the same seed gives the same decisions. 0: from the project setting
    /// [code]riposte/evaluation/random_seed[/code] and the order in which evaluators start.
    #[export_group(name = "Choice")]
    #[export]
    #[var(set = set_random_seed)]
    random_seed: i64,
    /// Scores vary by up to this share, so that equal actions alternate. 0: none.
    #[export(range = (0.0, 0.5, 0.01))]
    #[var(set = set_jitter_amount)]
    #[init(val = 0.05)]
    jitter_amount: f64,
    /// How much a use that just ended lowers the score of the action, as a share. Fades with
    /// [member novelty_window].
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_novelty_penalty)]
    #[init(val = 0.3)]
    novelty_penalty: f64,
    /// Seconds until a use is forgotten. 0: novelty is off.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_novelty_window)]
    #[init(val = 6.0)]
    novelty_window: f64,
    /// Novelty never lowers a score below this share.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_novelty_floor)]
    #[init(val = 0.1)]
    novelty_floor: f64,
    /// Seconds for which follow-ups keep the bonus of a [ChainLink] after the action completed.
    #[export(range = (0.0, 10.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_chain_bonus_window)]
    #[init(val = 2.0)]
    chain_bonus_window: f64,
    /// Seconds after the last end of an action until its count of uses in a row clears. 0: never by time.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_repeat_reset_time)]
    #[init(val = 10.0)]
    repeat_reset_time: f64,
    /// Factor of every score; 0: nothing is chosen. See also [method set_action_override].
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(set = set_global_multiplier)]
    #[init(val = 1.0)]
    global_multiplier: f64,
    /// Factor of every cooldown that is stamped from now on.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(set = set_cooldown_scale)]
    #[init(val = 1.0)]
    cooldown_scale: f64,
    /// While the agent owns one of these tags, nothing is chosen. What runs goes on; forced starts work.
    #[export]
    #[var(get = get_global_block_tags, set = set_global_block_tags)]
    #[init(val = TagList::preset(&["State.ActionsBlocked"]))]
    global_block_tags: TagList,
    /// Keep every factor of a decision and tell [signal decision_made]. Costs time; changes no decision.
    #[export_group(name = "Debug")]
    #[export]
    #[var(set = set_record_decisions)]
    record_decisions: bool,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = driver::create(base.to_init_gd().instance_id()))]
    pub(super) id: InstanceId,
    base: Base<Node>,
}

#[godot_api]
impl ActionEvaluator {
    /// Steps with the physics.
    #[constant]
    const PROCESS_PHYSICS: i64 = ticking::PROCESS_PHYSICS;
    /// Steps with every drawn frame.
    #[constant]
    const PROCESS_IDLE: i64 = ticking::PROCESS_IDLE;
    /// Steps when [method advance] is called.
    #[constant]
    const PROCESS_MANUAL: i64 = ticking::PROCESS_MANUAL;
    /// The action's method finished with success.
    #[constant]
    const END_COMPLETED: i64 = EndReason::Completed as i64;
    /// Another action or a script took over.
    #[constant]
    const END_INTERRUPTED: i64 = EndReason::Interrupted as i64;
    /// [method abort_action], [method stop], the set changed, or the agent left the tree.
    #[constant]
    const END_CANCELLED: i64 = EndReason::Cancelled as i64;
    /// The time-out of the method or of the project settings.
    #[constant]
    const END_TIMED_OUT: i64 = EndReason::TimedOut as i64;
    /// The action's method finished without success.
    #[constant]
    const END_FAILED: i64 = EndReason::Failed as i64;
    /// There is no set.
    #[constant]
    pub(super) const SET_NONE: i64 = 0;
    /// The set is [member default_action_set].
    #[constant]
    pub(super) const SET_COMPONENT_DEFAULT: i64 = 1;
    /// Not refused.
    #[constant]
    const REFUSAL_NONE: i64 = Refusal::None as i64;
    /// The action is switched off.
    #[constant]
    const REFUSAL_DISABLED: i64 = Refusal::Disabled as i64;
    /// A tag of [member global_block_tags] is on the agent.
    #[constant]
    const REFUSAL_BLOCKED: i64 = Refusal::Blocked as i64;
    /// There is no execution method, or it lacks data.
    #[constant]
    const REFUSAL_NO_METHOD: i64 = Refusal::NoMethod as i64;
    /// The action is on cooldown.
    #[constant]
    const REFUSAL_COOLDOWN: i64 = Refusal::Cooldown as i64;
    /// The action was used too often in a row.
    #[constant]
    const REFUSAL_REPEAT_LIMIT: i64 = Refusal::RepeatLimit as i64;
    /// The target is gone.
    #[constant]
    const REFUSAL_NO_TARGET: i64 = Refusal::NoTarget as i64;
    /// A required tag is missing.
    #[constant]
    const REFUSAL_REQUIRED_TAGS: i64 = Refusal::RequiredTags as i64;
    /// A blocking tag is there.
    #[constant]
    const REFUSAL_BLOCK_TAGS: i64 = Refusal::BlockTags as i64;
    /// A gate of the action said no.
    #[constant]
    const REFUSAL_GATE: i64 = Refusal::Gate as i64;
    /// The score is not above 0.
    #[constant]
    const REFUSAL_ZERO_SCORE: i64 = Refusal::ZeroScore as i64;
    /// What runs may not be interrupted by it.
    #[constant]
    const REFUSAL_INTERRUPT_CLASS: i64 = Refusal::InterruptClass as i64;
    /// Another candidate scored higher.
    #[constant]
    const REFUSAL_OUTSCORED: i64 = Refusal::Outscored as i64;
    /// The execution method did not begin.
    #[constant]
    const REFUSAL_BEGIN_FAILED: i64 = Refusal::BeginFailed as i64;
    /// A script stopped the start: it aborted it, or stopped the evaluator.
    #[constant]
    const REFUSAL_HOOK_VETO: i64 = Refusal::HookVeto as i64;
    /// The start had to wait, and a later request took its place.
    #[constant]
    const REFUSAL_BUSY: i64 = Refusal::Busy as i64;
    /// There is no action of that name.
    #[constant]
    const REFUSAL_UNKNOWN_ACTION: i64 = Refusal::UnknownAction as i64;

    /// An action began to run. [param target] is null without one. [param run_id] names this run.
    #[signal]
    pub fn action_started(action_id: StringName, target: Option<Gd<Node>>, run_id: i64);

    /// A run ended; exactly once for each that started. [param reason] is one of the [code]END_*[/code] constants.
    #[signal]
    pub fn action_ended(action_id: StringName, reason: i64, run_id: i64);

    /// An action that was chosen or asked for did not start. [param refusal] is one of the [code]REFUSAL_*[/code] constants.
    #[signal]
    pub fn start_refused(action_id: StringName, refusal: i64, run_id: i64);

    /// An evaluation found nothing to do, after something could be done. Not told again until an action was chosen.
    #[signal]
    pub fn no_valid_action();

    /// An action can't be chosen for some seconds.
    #[signal]
    pub fn cooldown_started(action_id: StringName, duration: f64);

    /// The cooldown of an action is over.
    #[signal]
    pub fn cooldown_expired(action_id: StringName);

    /// The agent uses another set. [param source] is one of the [code]SET_*[/code] constants.
    #[signal]
    pub fn action_set_changed(action_set: Option<Gd<ActionSet>>, source: i64);

    /// A decision was made. Only while [member record_decisions] is on.
    #[signal]
    pub fn decision_made(decision: Gd<ActionDecision>);

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        let this = self.to_gd();
        let mut base = self.base_mut();
        if base.is_inside_tree() {
            Self::find_agent(&this);
        }
        base.update_configuration_warnings();
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        let callback = self.process_callback;
        driver::with(self.id, |state| state.callback = callback);
        let this = self.to_gd();
        let _released = self.base_mut();
        Self::update_ticking(&this);
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        driver::with(self.id, |state| state.time_scale = self.time_scale);
    }

    #[func]
    fn set_auto_start(&mut self, value: bool) {
        self.auto_start = value;
        driver::with(self.id, |state| state.auto_start = value);
    }

    #[func]
    fn set_auto_evaluate(&mut self, value: bool) {
        self.auto_evaluate = value;
        self.apply(|settings| settings.auto_evaluate = value);
    }

    #[func]
    fn set_default_action_set(&mut self, value: Option<Gd<ActionSet>>) {
        self.default_action_set = value;
        let this = self.to_gd();
        let mut base = self.base_mut();
        base.update_configuration_warnings();
        if base.is_inside_tree() && !Engine::singleton().is_editor_hint() {
            Self::resolve_set(&this);
        }
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        let target = driver::with(self.id, |state| state.target).flatten();
        target.and_then(|id| Gd::try_from_instance_id(id).ok())
    }

    #[func]
    fn set_target(&mut self, target: Option<Gd<Node>>) {
        let target = target.map(|node| node.instance_id());
        driver::with(self.id, |state| state.target = target);
    }

    #[func]
    fn set_use_perception(&mut self, value: bool) {
        self.use_perception = value;
        driver::with(self.id, |state| state.use_perception = value);
    }

    #[func]
    fn set_evaluation_interval(&mut self, value: f64) {
        self.evaluation_interval = self.not_negative("evaluation_interval", value, self.evaluation_interval);
        self.apply(|settings| settings.evaluation_interval = self.evaluation_interval);
    }

    #[func]
    fn set_random_phase(&mut self, value: bool) {
        self.random_phase = value;
        self.apply(|settings| settings.random_phase = value);
    }

    #[func]
    fn set_evaluate_on_end(&mut self, value: bool) {
        self.evaluate_on_end = value;
        self.apply(|settings| settings.evaluate_on_end = value);
    }

    #[func]
    fn set_max_start_attempts(&mut self, value: i64) {
        self.max_start_attempts = self.clamped_int("max_start_attempts", value, 1, 8);
        self.apply(|settings| settings.max_start_attempts = self.max_start_attempts as u32);
    }

    #[func]
    fn set_random_seed(&mut self, value: i64) {
        self.random_seed = value;
        driver::with(self.id, |state| state.random_seed = value);
        Self::apply_seed(self.id);
    }

    #[func]
    fn set_jitter_amount(&mut self, value: f64) {
        self.jitter_amount = self.clamped("jitter_amount", value, self.jitter_amount, 0.0, 0.5);
        self.apply(|settings| settings.jitter_amount = self.jitter_amount);
    }

    #[func]
    fn set_novelty_penalty(&mut self, value: f64) {
        self.novelty_penalty = self.clamped("novelty_penalty", value, self.novelty_penalty, 0.0, 1.0);
        self.apply(|settings| settings.novelty_penalty = self.novelty_penalty);
    }

    #[func]
    fn set_novelty_window(&mut self, value: f64) {
        self.novelty_window = self.not_negative("novelty_window", value, self.novelty_window);
        self.apply(|settings| settings.novelty_window = self.novelty_window);
    }

    #[func]
    fn set_novelty_floor(&mut self, value: f64) {
        self.novelty_floor = self.clamped("novelty_floor", value, self.novelty_floor, 0.0, 1.0);
        self.apply(|settings| settings.novelty_floor = self.novelty_floor);
    }

    #[func]
    fn set_chain_bonus_window(&mut self, value: f64) {
        self.chain_bonus_window = self.not_negative("chain_bonus_window", value, self.chain_bonus_window);
        self.apply(|settings| settings.chain_bonus_window = self.chain_bonus_window);
    }

    #[func]
    fn set_repeat_reset_time(&mut self, value: f64) {
        self.repeat_reset_time = self.not_negative("repeat_reset_time", value, self.repeat_reset_time);
        self.apply(|settings| settings.repeat_reset_time = self.repeat_reset_time);
    }

    /// Sets the factor of every score; 0: nothing is chosen.
    #[func]
    fn set_global_multiplier(&mut self, value: f64) {
        self.global_multiplier = self.not_negative("global_multiplier", value, self.global_multiplier);
        self.apply(|settings| settings.global_multiplier = self.global_multiplier);
    }

    #[func]
    fn set_cooldown_scale(&mut self, value: f64) {
        self.cooldown_scale = self.not_negative("cooldown_scale", value, self.cooldown_scale);
        self.apply(|settings| settings.cooldown_scale = self.cooldown_scale);
    }

    #[func]
    fn get_global_block_tags(&self) -> PackedStringArray {
        self.global_block_tags.typed()
    }

    #[func]
    fn set_global_block_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.global_block_tags.assign(&this, "global_block_tags", value);
        self.apply_block_tags();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_record_decisions(&mut self, value: bool) {
        self.record_decisions = value;
        self.apply(|settings| settings.record = value);
    }
}

impl ActionEvaluator {
    fn apply(&self, change: impl FnOnce(&mut Settings)) {
        driver::with(self.id, |state| state.core.change_settings(change));
    }

    pub(super) fn apply_block_tags(&self) {
        let ids = self.global_block_tags.ids().iter().copied();
        let queries = tags::with_table(|table| TagQueries::new(table, ids));
        self.apply(|settings| settings.global_block_tags = queries);
    }

    /// What is set in the inspector, without the set of a running game.
    pub(super) fn assigned_set(&self) -> Option<Gd<ActionSet>> {
        self.default_action_set.clone()
    }
}

#[godot_api]
impl INode for ActionEvaluator {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    /// A freed target is none; the setter alone would be an error.
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        let target = (property == "target").then(|| node_id(&value)).flatten();
        target.map(|target| driver::with(self.id, |state| state.target = target)).is_some()
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        let mut warnings = {
            let own = this.bind();
            let mut warnings = lookup::warnings(&this.clone().upcast(), &own.agent_path, Part::Evaluator);
            warnings.extend(own.global_block_tags.warnings("global_block_tags"));
            warnings
        };
        warnings.extend(Self::set_warnings(&this));
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for ActionEvaluator {
    fn entered(this: Gd<Self>) {
        driver::with(this.instance_id(), |state| state.core.enter());
        Self::find_agent(&this);
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        Self::ready_up(&this);
    }

    fn exiting(this: Gd<Self>) {
        Self::leave(&this);
    }
}

impl Ticker for ActionEvaluator {
    fn tick(this: Gd<Self>, delta: f64) {
        Self::step(&this, delta);
    }
}

impl Drop for ActionEvaluator {
    fn drop(&mut self) {
        driver::remove(self.id);
    }
}
