use std::cell::RefCell;

use godot::classes::Engine;
use godot::prelude::*;

use super::evaluator_running::EvaluatorNode;
use super::evaluator_state::{ReadState, restore_actions};
use super::names::names;
use super::script_calls::overrides_node;
use super::{ActionSet, AgentConfig, driver, evaluator_virtuals};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::Part;
use crate::base::tags::TagList;
use crate::base::ticking::Ticker;
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
    pub(super) process_callback: i64,
    /// Speed of everything the node counts: cooldowns, evaluations, running actions. 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    pub(super) time_scale: f64,
    /// Start by itself after the agent is ready. Off: call [method start].
    #[export]
    #[var(set = set_auto_start)]
    #[init(val = true)]
    pub(super) auto_start: bool,
    /// Decide by itself, in the interval below. Off: call [method evaluate_now] or [method request_evaluation].
    #[export]
    #[var(set = set_auto_evaluate)]
    #[init(val = true)]
    pub(super) auto_evaluate: bool,
    /// Decide and run actions only on the peer that has the multiplayer authority over this node; the others follow by
    /// [member sync_state]. Off: it decides on every peer. No matter without a multiplayer peer.
    #[export]
    #[var(set = set_authority_only)]
    #[init(val = true)]
    pub(super) authority_only: bool,
    /// What runs and what is on cooldown, for the other peers: give this property to a MultiplayerSynchronizer. On the authority
    /// it is a new dictionary whenever something is different. Written on another peer it is what the queries answer from, and
    /// [signal action_set_changed], [signal action_ended], [signal action_started] and [signal cooldown_started] follow at the
    /// end of the frame. Not saved with the scene.
    #[var(get = get_sync_state, set = set_sync_state)]
    pub(super) sync_state: PhantomVar<VarDictionary>,
    /// `sync_state` as it was last read or written.
    pub(super) synced: RefCell<VarDictionary>,
    /// What the agent has in common with others of its kind: sets by role, recovery times.
    #[export_group(name = "Set")]
    #[export]
    #[var(set = set_config)]
    pub(super) config: Option<Gd<AgentConfig>>,
    /// What the agent is there for, a tag like [code]Role.Attacker[/code]: weapon and [member config] may have a set for it.
    /// It can change at any time.
    #[export]
    #[var(set = set_role)]
    pub(super) role: StringName,
    /// The actions of the agent if neither weapon nor [member config] have any. Several agents may share one set: it is never
    /// changed.
    #[export]
    #[var(set = set_default_action_set)]
    pub(super) default_action_set: Option<Gd<ActionSet>>,
    /// The weapon with which the agent starts, see [method set_weapon]. Looked up when the evaluator starts. Empty: none.
    #[export]
    #[var(set = set_weapon_path)]
    pub(super) weapon_path: NodePath,
    /// What becomes of a running action when the agent gets another set, one of the [code]CHANGE_*[/code] constants. Default
    /// [constant CHANGE_END_IF_MISSING].
    #[export(enum = (EndIfMissing = 0, LetFinish = 1, EndAlways = 2))]
    #[var(set = set_set_change_policy)]
    pub(super) set_change_policy: i64,
    /// Whom the actions are aimed at. Null: the Perception's choice, see [member use_perception]. A freed node counts as
    /// null. Not saved with the scene.
    #[var(get = get_target, set = set_target)]
    pub(super) target: PhantomVar<Option<Gd<Node>>>,
    /// Without a [member target] of its own, aim at whom the agent's Perception attends to.
    #[export_group(name = "Target")]
    #[export]
    #[var(set = set_use_perception)]
    #[init(val = true)]
    pub(super) use_perception: bool,
    /// How many targets an action with [constant ActionSpec.TARGET_EACH] is scored on: the focus target first, then the
    /// nearest. 1 to 64, default 8.
    #[export(range = (1.0, 64.0, 1.0))]
    #[var(set = set_max_candidate_targets)]
    #[init(val = 8)]
    pub(super) max_candidate_targets: i64,
    /// Seconds between two evaluations; 0: every step.
    #[export_group(name = "Schedule")]
    #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_evaluation_interval)]
    #[init(val = 0.1)]
    pub(super) evaluation_interval: f64,
    /// Start at a random part of the interval, so that agents do not all decide in the same step.
    #[export]
    #[var(set = set_random_phase)]
    #[init(val = true)]
    pub(super) random_phase: bool,
    /// Decide in the same step in which an action ended.
    #[export]
    #[var(set = set_evaluate_on_end)]
    #[init(val = true)]
    pub(super) evaluate_on_end: bool,
    /// Decide less often the farther the agent is from the closest node in the group [code]riposte_viewer[/code] (the camera or
    /// the player). Without such a node nothing changes. Default false.
    #[export]
    #[var(set = set_lod_enabled)]
    pub(super) lod_enabled: bool,
    /// Up to this distance to the closest viewer the interval is [member evaluation_interval]. In 2D 1 m is
    /// [code]riposte/2d/pixels_per_meter[/code] pixels.
    #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "m"))]
    #[var(set = set_lod_near)]
    #[init(val = 20.0)]
    pub(super) lod_near: f64,
    /// From this distance on the interval is [member lod_max_scale] times as long; between the two it grows evenly.
    #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "m"))]
    #[var(set = set_lod_far)]
    #[init(val = 60.0)]
    pub(super) lod_far: f64,
    /// How many times longer the interval becomes far away, 1 or more. An interval of 0 counts as one step here.
    #[export(range = (1.0, 20.0, 0.1, or_greater))]
    #[var(set = set_lod_max_scale)]
    #[init(val = 4.0)]
    pub(super) lod_max_scale: f64,
    /// How many candidates are tried, best first, when starts are refused.
    #[export(range = (1.0, 8.0, 1.0))]
    #[var(set = set_max_start_attempts)]
    #[init(val = 3)]
    pub(super) max_start_attempts: i64,
    /// Seed of all randomness of this agent: the same seed gives the same decisions. 0: from the project setting
    /// [code]riposte/evaluation/random_seed[/code] and the order in which evaluators start.
    #[export_group(name = "Choice")]
    #[export]
    #[var(set = set_random_seed)]
    pub(super) random_seed: i64,
    /// Scores vary by up to this share, so that equal actions alternate. 0: none.
    #[export(range = (0.0, 0.5, 0.01))]
    #[var(set = set_jitter_amount)]
    #[init(val = 0.05)]
    pub(super) jitter_amount: f64,
    /// How much a use that just ended lowers the score of the action, as a share. Fades with
    /// [member novelty_window].
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_novelty_penalty)]
    #[init(val = 0.3)]
    pub(super) novelty_penalty: f64,
    /// Seconds until a use is forgotten. 0: novelty is off.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_novelty_window)]
    #[init(val = 6.0)]
    pub(super) novelty_window: f64,
    /// Novelty never lowers a score below this share.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_novelty_floor)]
    #[init(val = 0.1)]
    pub(super) novelty_floor: f64,
    /// Seconds for which follow-ups keep the bonus of a [ChainLink] after the action completed.
    #[export(range = (0.0, 10.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_chain_bonus_window)]
    #[init(val = 2.0)]
    pub(super) chain_bonus_window: f64,
    /// Seconds for which follow-ups may skip recovery after the action completed, see [ChainLink]. 0: never.
    #[export(range = (0.0, 10.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_chain_followup_window)]
    #[init(val = 0.6)]
    pub(super) chain_followup_window: f64,
    /// Seconds after the last end of an action until its count of uses in a row clears. 0: never by time.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_repeat_reset_time)]
    #[init(val = 10.0)]
    pub(super) repeat_reset_time: f64,
    /// By which share another candidate has to score higher than what runs, so that equal ones do not alternate. 0 or more,
    /// default 0.15.
    #[export(range = (0.0, 2.0, 0.01, or_greater))]
    #[var(set = set_switch_margin)]
    #[init(val = 0.15)]
    pub(super) switch_margin: f64,
    /// Seconds for which what runs is kept before another action of the same priority may break it. Default 0.3 s; see
    /// [member ActionSpec.commitment_time].
    #[export(range = (0.0, 10.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_min_commitment)]
    #[init(val = 0.3)]
    pub(super) min_commitment: f64,
    /// Factor of every score; 0: nothing is chosen. See also [method set_action_override].
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(set = set_global_multiplier)]
    #[init(val = 1.0)]
    pub(super) global_multiplier: f64,
    /// Factor of every cooldown that is stamped from now on.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(set = set_cooldown_scale)]
    #[init(val = 1.0)]
    pub(super) cooldown_scale: f64,
    /// Factor of every recovery that begins from now on.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(set = set_recovery_scale)]
    #[init(val = 1.0)]
    pub(super) recovery_scale: f64,
    /// While the agent owns one of these tags, nothing is chosen. What runs goes on; forced starts work.
    #[export]
    #[var(get = get_global_block_tags, set = set_global_block_tags)]
    #[init(val = TagList::preset(&["State.ActionsBlocked"]))]
    pub(super) global_block_tags: TagList,
    /// Keep every factor of a decision and tell [signal decision_made]. Costs time; changes no decision.
    #[export_group(name = "Debug")]
    #[export]
    #[var(set = set_record_decisions)]
    pub(super) record_decisions: bool,
    /// How many recorded decisions [method get_history] gives; the oldest go first. 0: none. Default 32.
    #[export(range = (0.0, 1000.0, 1.0, or_greater))]
    #[var(set = set_history_size)]
    #[init(val = 32)]
    pub(super) history_size: i64,
    /// Print every decision with all candidates. Records, as [member record_decisions] does. The project setting
    /// [code]riposte/debug/log_decisions[/code] switches it on for all agents.
    #[export]
    #[var(set = set_debug_log_decisions)]
    pub(super) debug_log_decisions: bool,
    /// Print a line for each start, end and refused start. The project setting
    /// [code]riposte/debug/log_execution[/code] switches it on for all agents.
    #[export]
    #[var(set = set_debug_log_execution)]
    pub(super) debug_log_execution: bool,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    pub(super) hooked: Hooked,
    #[init(val = driver::create(base.to_init_gd().instance_id()))]
    pub(super) id: InstanceId,
    pub(super) base: Base<Node>,
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
        Self::warnings(&this)
    }
}

impl Lifecycle for ActionEvaluator {
    fn entered(this: Gd<Self>) {
        driver::with(this.instance_id(), |state| state.core.enter());
        if !Engine::singleton().is_editor_hint() {
            driver::following::entered(&this.clone().upcast());
        }
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

impl EvaluatorNode for ActionEvaluator {
    const PART: Part = Part::Evaluator;
    const KIND: &'static str = "action";

    fn agent_path(this: &Gd<Self>) -> NodePath {
        this.bind().agent_path.clone()
    }

    fn assigned_sets(this: &Gd<Self>) -> Vec<Gd<Resource>> {
        this.bind().given_sets().into_iter().map(Gd::upcast).collect()
    }

    fn source_warnings(this: &Gd<Self>, none: bool) -> Vec<String> {
        let (weapon, config) = {
            let own = this.bind();
            (own.weapon_path.clone(), own.config.clone())
        };
        let mut warnings = config.map(|config| config.bind().warnings()).unwrap_or_default();
        if !weapon.is_empty() && this.get_node_or_null(&weapon).is_none() {
            warnings.push(format!("weapon_path \"{weapon}\" leads to no node. Set another, or clear it."));
        }
        if none && weapon.is_empty() {
            let text =
                "There is no default_action_set and no set in config, so the agent never acts. Assign one.";
            warnings.push(text.to_owned());
        }
        warnings
    }

    fn find_weapon(this: &Gd<Self>) {
        Self::use_weapon_path(this);
    }

    fn find_virtuals(this: &Gd<Self>) {
        let scripted = overrides_node(&this.clone().upcast(), &names().candidate_targets);
        driver::with(this.instance_id(), |state| state.scripted_candidates = scripted);
        evaluator_virtuals::find(&this.clone().upcast());
    }

    fn global_multiplier(this: &Gd<Self>) -> f64 {
        this.bind().global_multiplier
    }

    fn restore(this: &Gd<Self>, read: &ReadState) {
        restore_actions(this, read);
    }

    fn role_and_grants(this: &Gd<Self>) -> (String, Vec<GString>) {
        let granted = Self::granted_specs(this).into_iter().map(|spec| spec.get_path());
        (this.bind().role.to_string(), granted.collect())
    }

    fn apply_block_tags(this: &Gd<Self>) {
        this.bind().push_block_tags();
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
