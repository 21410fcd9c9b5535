use std::cell::RefCell;

use godot::classes::Engine;
use godot::prelude::*;

use super::evaluator_running::EvaluatorNode;
use super::{ReactionSet, driver, evaluator_virtuals};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::tags::TagList;
use crate::base::ticking::Ticker;

/// Lets an agent answer events at once: a hit, a noise, an attack that is coming.
///
/// Add it as a direct child of the agent, after its [ActionEvaluator]. [method react] tells it of an event. The reactions
/// that answer the event are checked and scored as actions are; the best one is started, and interrupts the agent's action if
/// that may be interrupted. It waits for neither intervals nor recovery.
///
/// ```gdscript
/// reactions.default_reaction_set = preload("res://guard_reactions.tres")
/// func take_hit(attacker: Node, damage: float) -> void:
///     reactions.react(&"Event.Hit", ActionContext.create(attacker, damage))
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct ReactionEvaluator {
    /// The agent that reacts. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    pub(super) agent_path: NodePath,
    /// When the node steps: with the physics, with each drawn frame, or by [method advance].
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    pub(super) process_callback: i64,
    /// Speed of everything the node counts: cooldowns, delays, running reactions. 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    pub(super) time_scale: f64,
    /// React only on the peer that has the multiplayer authority over this node; the others follow by [member sync_state].
    /// Off: it reacts on every peer. No matter without a multiplayer peer.
    #[export]
    #[var(set = set_authority_only)]
    #[init(val = true)]
    pub(super) authority_only: bool,
    /// What runs and what is on cooldown, for the other peers: give this property to a MultiplayerSynchronizer. On the authority
    /// it is a new dictionary whenever something is different. Written on another peer it is what the queries answer from, and
    /// [signal reaction_set_changed], [signal reaction_ended], [signal reaction_started] and [signal cooldown_started] follow at
    /// the end of the frame. Not saved with the scene.
    #[var(get = get_sync_state, set = set_sync_state)]
    pub(super) sync_state: PhantomVar<VarDictionary>,
    /// `sync_state` as it was last read or written.
    pub(super) synced: RefCell<VarDictionary>,
    /// The reactions of the agent. Several agents may share one set: it is never changed.
    #[export_group(name = "Set")]
    #[export]
    #[var(set = set_default_reaction_set)]
    pub(super) default_reaction_set: Option<Gd<ReactionSet>>,
    /// Seed of all randomness of this node: the same seed gives the same chances, delays and cooldowns. 0: from the project
    /// setting [code]riposte/evaluation/random_seed[/code] and the order in which evaluators start.
    #[export_group(name = "Choice")]
    #[export]
    #[var(set = set_random_seed)]
    pub(super) random_seed: i64,
    /// Scores vary by up to this share while [member live_seed] is on. Default 0.05.
    #[export(range = (0.0, 0.5, 0.01))]
    #[var(set = set_jitter_amount)]
    #[init(val = 0.05)]
    pub(super) jitter_amount: f64,
    /// Scores vary from event to event. Off, the default: the same event gives the same choice, and the random numbers of
    /// scorers are always the same.
    #[export]
    #[var(set = set_live_seed)]
    pub(super) live_seed: bool,
    /// Seconds after the last end of a reaction until its count of uses in a row clears. 0: never by time. Default 10 s.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_repeat_reset_time)]
    #[init(val = 10.0)]
    pub(super) repeat_reset_time: f64,
    /// Factor of every cooldown that is stamped from now on. Default 1.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(set = set_cooldown_scale)]
    #[init(val = 1.0)]
    pub(super) cooldown_scale: f64,
    /// While the agent owns one of these tags, no event is answered. What runs goes on; forced starts work.
    #[export]
    #[var(get = get_global_block_tags, set = set_global_block_tags)]
    #[init(val = TagList::preset(&["State.ReactionsBlocked"]))]
    pub(super) global_block_tags: TagList,
    /// Keep every event's reactions with all factors, see [method get_history]. Costs time; changes no decision.
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
    #[init(val = driver::create_reacting(base.to_init_gd().instance_id()))]
    pub(super) id: InstanceId,
    pub(super) base: Base<Node>,
}

#[godot_api]
impl INode for ReactionEvaluator {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        let mut warnings = {
            let own = this.bind();
            let mut warnings = lookup::warnings(&this.clone().upcast(), &own.agent_path, Part::Reactions);
            warnings.extend(own.global_block_tags.warnings("global_block_tags"));
            warnings
        };
        warnings.extend(Self::set_warnings(&this));
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for ReactionEvaluator {
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

impl EvaluatorNode for ReactionEvaluator {
    const PART: Part = Part::Reactions;
    const KIND: &'static str = "reaction";

    fn find_virtuals(this: &Gd<Self>) {
        evaluator_virtuals::find(&this.clone().upcast());
    }

    fn agent_path(this: &Gd<Self>) -> NodePath {
        this.bind().agent_path.clone()
    }

    fn assigned_sets(this: &Gd<Self>) -> Vec<Gd<Resource>> {
        this.bind().default_reaction_set.clone().map(Gd::upcast).into_iter().collect()
    }

    fn source_warnings(_this: &Gd<Self>, none: bool) -> Vec<String> {
        let text = "There is no default_reaction_set, so the agent never reacts. Assign one.";
        none.then(|| text.to_owned()).into_iter().collect()
    }

    fn apply_block_tags(this: &Gd<Self>) {
        this.bind().push_block_tags();
    }
}

impl Ticker for ReactionEvaluator {
    fn tick(this: Gd<Self>, delta: f64) {
        Self::step(&this, delta);
    }
}

impl Drop for ReactionEvaluator {
    fn drop(&mut self) {
        driver::remove(self.id);
    }
}
