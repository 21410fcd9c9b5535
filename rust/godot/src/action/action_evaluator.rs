use godot::prelude::*;
use riposte_core::action::ChangePolicy;

use super::driver::frames::Lod;
use super::evaluator_class::parts::*;
use super::evaluator_class::{evaluator_class, evaluator_table};
use super::names::names;
use super::script_calls::overrides_node;
use super::{ActionDecision, ActionSet, evaluator_virtuals};
use crate::optional::node_id;

type OwnSet = Option<Gd<ActionSet>>;
type TargetNode = PhantomVar<Option<Gd<Node>>>;

evaluator_class! {
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
    class ActionEvaluator of ActionSet by create, Evaluator, "action", "acts";
    told { "[signal action_set_changed], [signal action_ended], [signal action_started] and [signal cooldown_started]" }
    records { "Each is told by [signal decision_made]." }
    running {
        /// Start by itself after the agent is ready. Off: call [method start].
        #[export]
        auto_start: bool = true => set_auto_start(any);
        /// Decide by itself, in the interval below. Off: call [method evaluate_now] or [method request_evaluation].
        #[export]
        auto_evaluate: bool = true => set_auto_evaluate(any);
    }
    sources default_action_set, set_default_action_set {
        /// What the agent has in common with others of its kind: sets by role, recovery times.
        #[export_group(name = "Set")]
        #[export]
        #[var(set = set_config)]
        config: GivenConfig = (None);
        /// What the agent is there for, a tag like [code]Role.Attacker[/code]: weapon and [member config] may have a set for it.
        /// It can change at any time.
        #[export]
        #[var(set = set_role)]
        role: StringName = (StringName::default());
        /// The actions of the agent if neither weapon nor [member config] have any. Several agents may share one set: it is never
        /// changed.
        #[export]
        #[var(set = set_default_action_set)]
        default_action_set: OwnSet = (None);
        /// The weapon with which the agent starts, see [method set_weapon]. Looked up when the evaluator starts. Empty: none.
        #[export]
        #[var(set = set_weapon_path)]
        weapon_path: NodePath = (NodePath::default());
        /// What becomes of a running action when the agent gets another set, one of the [code]CHANGE_*[/code] constants. Default
        /// [constant CHANGE_END_IF_MISSING].
        #[export]
        set_change_policy: i64 = 0 => set_set_change_policy(constant, 0, 2)
            choices "End if Missing:0,Let Finish:1,End Always:2";
    }
    target {
        /// Whom the actions are aimed at. Null: the Perception's choice, see [member use_perception]. A freed node counts as
        /// null. Not saved with the scene.
        #[var(get = get_target, set = set_target)]
        #[expect(dead_code, reason = "a property without a place of its own")]
        target: TargetNode = (TargetNode::default());
        /// Without a [member target] of its own, aim at whom the agent's Perception attends to.
        #[export_group(name = "Target")]
        #[export]
        use_perception: bool = true => set_use_perception(any);
        /// How many targets an action with [constant ActionSpec.TARGET_EACH] is scored on: the focus target first, then the
        /// nearest. 1 to 64, default 8.
        #[export(range = (1.0, 64.0, 1.0))]
        max_candidate_targets: i64 = 8 => set_max_candidate_targets(count, 1, 64);
        /// Seconds between two evaluations; 0: every step.
        #[export_group(name = "Schedule")]
        #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
        evaluation_interval: f64 = 0.1 => set_evaluation_interval(not_negative);
        /// Start at a random part of the interval, so that agents do not all decide in the same step.
        #[export]
        random_phase: bool = true => set_random_phase(any);
        /// Decide in the same step in which an action ended.
        #[export]
        evaluate_on_end: bool = true => set_evaluate_on_end(any);
        /// Decide less often the farther the agent is from the closest node in the group [code]riposte_viewer[/code] (the camera or
        /// the player). Without such a node nothing changes. Default false.
        #[export]
        lod_enabled: bool = false => set_lod_enabled(any) then push_lod;
        /// Up to this distance to the closest viewer the interval is [member evaluation_interval]. In 2D 1 m is
        /// [code]riposte/2d/pixels_per_meter[/code] pixels.
        #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "m"))]
        lod_near: f64 = 20.0 => set_lod_near(not_negative);
        /// From this distance on the interval is [member lod_max_scale] times as long; between the two it grows evenly.
        #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "m"))]
        lod_far: f64 = 60.0 => set_lod_far(not_negative);
        /// How many times longer the interval becomes far away, 1 or more. An interval of 0 counts as one step here.
        #[export(range = (1.0, 20.0, 0.1, or_greater))]
        lod_max_scale: f64 = 4.0 => set_lod_max_scale(clamped, 1.0, f64::INFINITY);
        /// How many candidates are tried, best first, when starts are refused.
        #[export(range = (1.0, 8.0, 1.0))]
        max_start_attempts: i64 = 3 => set_max_start_attempts(count, 1, 8);
    }
    choice {
        /// Scores vary by up to this share, so that equal actions alternate. 0: none.
        #[export(range = (0.0, 0.5, 0.01))]
        jitter_amount: f64 = 0.05 => set_jitter_amount(clamped, 0.0, 0.5);
        /// How much a use that just ended lowers the score of the action, as a share. Fades with
        /// [member novelty_window].
        #[export(range = (0.0, 1.0, 0.01))]
        novelty_penalty: f64 = 0.3 => set_novelty_penalty(share);
        /// Seconds until a use is forgotten. 0: novelty is off.
        #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
        novelty_window: f64 = 6.0 => set_novelty_window(not_negative);
        /// Novelty never lowers a score below this share.
        #[export(range = (0.0, 1.0, 0.01))]
        novelty_floor: f64 = 0.1 => set_novelty_floor(share);
        /// Seconds for which follow-ups keep the bonus of a [ChainLink] after the action completed.
        #[export(range = (0.0, 10.0, 0.1, or_greater, suffix = "s"))]
        chain_bonus_window: f64 = 2.0 => set_chain_bonus_window(not_negative);
        /// Seconds for which follow-ups may skip recovery after the action completed, see [ChainLink]. 0: never.
        #[export(range = (0.0, 10.0, 0.05, or_greater, suffix = "s"))]
        chain_followup_window: f64 = 0.6 => set_chain_followup_window(not_negative);
    }
    switching {
        /// By which share another candidate has to score higher than what runs, so that equal ones do not alternate. 0 or more,
        /// default 0.15.
        #[export(range = (0.0, 2.0, 0.01, or_greater))]
        switch_margin: f64 = 0.15 => set_switch_margin(not_negative);
        /// Seconds for which what runs is kept before another action of the same priority may break it. Default 0.3 s; see
        /// [member ActionSpec.commitment_time].
        #[export(range = (0.0, 10.0, 0.05, or_greater, suffix = "s"))]
        min_commitment: f64 = 0.3 => set_min_commitment(not_negative);
        /// Factor of every score; 0: nothing is chosen. See also [method set_action_override].
        #[export(range = (0.0, 10.0, 0.01, or_greater))]
        #[var(set = set_global_multiplier)]
        global_multiplier: f64 = 1.0;
    }
    scales {
        /// Factor of every recovery that begins from now on.
        #[export(range = (0.0, 10.0, 0.01, or_greater))]
        recovery_scale: f64 = 1.0 => set_recovery_scale(not_negative);
        /// While the agent owns one of these tags, nothing is chosen. What runs goes on; forced starts work.
        #[export]
        #[var(get = get_global_block_tags, set = set_global_block_tags)]
        global_block_tags: TagList = (TagList::preset(&["State.ActionsBlocked"]));
    }
    items {
        /// An action began to run. [param target] is null without one. [param run_id] names this run.
        #[signal]
        pub fn action_started(action_id: StringName, target: Option<Gd<Node>>, run_id: i64);

        /// A run ended; exactly once for each that started. [param reason] is one of the [code]END_*[/code] constants.
        #[signal]
        pub fn action_ended(action_id: StringName, reason: i64, run_id: i64);

        /// The running action goes on with another target.
        #[signal]
        pub fn action_retargeted(action_id: StringName, target: Option<Gd<Node>>, run_id: i64);

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

        /// The agent recovers for some seconds, in which nothing is chosen.
        #[signal]
        pub fn recovery_started(duration: f64);

        /// The recovery is over.
        #[signal]
        pub fn recovery_ended();

        /// [member role] changed.
        #[signal]
        pub fn role_changed(role: StringName);

        /// A decision was made. Only while [member record_decisions] is on.
        #[signal]
        pub fn decision_made(decision: Gd<ActionDecision>);

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

        /// Sets the factor of every score; 0: nothing is chosen.
        #[func]
        fn set_global_multiplier(&mut self, value: f64) {
            self.global_multiplier = self.not_negative("global_multiplier", value, self.global_multiplier);
            self.push();
        }
    }
    engine {
        /// A freed target is none; the setter alone would be an error.
        fn on_set(&mut self, property: StringName, value: Variant) -> bool {
            let target = (property == "target").then(|| node_id(&value)).flatten();
            target.map(|target| driver::with(self.id, |state| state.target = target)).is_some()
        }
    }
}

impl ActionEvaluator {
    /// What only a node that chooses actions has.
    fn fill(&self, state: &mut State) {
        state.auto_start = self.auto_start;
        state.use_perception = self.use_perception;
        let (enabled, near, far) = (self.lod_enabled, self.lod_near, self.lod_far);
        state.lod = Lod { enabled, near, far, longest: self.lod_max_scale };
        state.core.change_settings(|settings| {
            settings.auto_evaluate = self.auto_evaluate;
            settings.change_policy = ChangePolicy::from_code(self.set_change_policy).unwrap_or_default();
            settings.max_candidate_targets = self.max_candidate_targets as usize;
            settings.evaluation_interval = self.evaluation_interval;
            settings.random_phase = self.random_phase;
            settings.evaluate_on_end = self.evaluate_on_end;
            settings.max_start_attempts = self.max_start_attempts as u32;
            settings.novelty_penalty = self.novelty_penalty;
            settings.novelty_window = self.novelty_window;
            settings.novelty_floor = self.novelty_floor;
            settings.chain_bonus_window = self.chain_bonus_window;
            settings.chain_followup_window = self.chain_followup_window;
            settings.switch_margin = self.switch_margin;
            settings.min_commitment = self.min_commitment;
            settings.global_multiplier = self.global_multiplier;
            settings.recovery_scale = self.recovery_scale;
        });
    }

    fn push_lod(&self) {
        if !self.lod_enabled {
            driver::with(self.id, |state| state.core.set_interval_scale(1.0));
        }
    }

    /// Two equal actions can take turns if the dice alone make a difference as large as the margin.
    fn other_warnings(&self) -> Option<String> {
        let (jitter, margin) = (self.jitter_amount, self.switch_margin);
        let flickers = (1.0 + jitter) / (1.0 - jitter) > 1.0 + margin;
        flickers.then(|| {
            format!(
                "jitter_amount {jitter} alone can change a score by more than switch_margin {margin}, so running actions may \
                 replace each other without end. Lower it, or raise the margin."
            )
        })
    }
}

impl EvaluatorNode for ActionEvaluator {
    fn find_virtuals(this: &Gd<Self>) {
        let scripted = overrides_node(&this.clone().upcast(), &names().candidate_targets);
        driver::with(this.instance_id(), |state| state.scripted_candidates = scripted);
        evaluator_virtuals::find(&this.clone().upcast());
    }

    fn global_multiplier(this: &Gd<Self>) -> f64 {
        this.bind().global_multiplier
    }

    fn restore_multiplier(this: &Gd<Self>, factor: f64) {
        let mut own = this.clone();
        let mut own = own.bind_mut();
        own.global_multiplier = factor;
        own.push();
    }

    fn role_changed(this: &Gd<Self>, role: &StringName) {
        this.signals().role_changed().emit(role);
    }
}
