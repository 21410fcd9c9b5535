use godot::prelude::*;
use riposte_core::awareness::Override;

use super::constants::api_with_constants;
use super::{
    AwarenessProfile, AwarenessRecord, freezing, profile_compile, queries, saving, sides, state, syncing,
    telling,
};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::optional::OptionalId;
use crate::perception::{self, NodeArg, state as perception_state};

/// What an agent makes of what it senses: one belief for each target, with confidence, threat and relationship, and one
/// target that it attends to.
///
/// Add it as a direct child of the agent, beside its Perception. It runs in the tick of that Perception, on its time; it
/// has no clock of its own. All numbers are in its [AwarenessProfile]. Signals come after those of the Perception, when
/// everything is settled, so a handler may ask and change anything.
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct AgentAwareness {
    /// The numbers and policies. It may be shared by any number of agents. Empty: default values.
    #[export]
    #[var(set = set_profile)]
    profile: Option<Gd<AwarenessProfile>>,
    /// Off: all beliefs expire at the next tick, and the agent attends to nobody. Default on.
    #[export]
    #[var(set = set_enabled)]
    #[init(val = true)]
    pub(super) enabled: bool,
    /// The agent. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// The Perception whose targets are judged. Empty: the first one of the agent.
    #[export]
    #[var(set = set_perception_path)]
    pub(super) perception_path: NodePath,
    /// Logs every change of state, threat level and attention. Default off. The project setting
    /// [code]riposte/debug/log_decisions[/code] switches it on for all agents.
    #[export]
    #[var(set = set_debug_log_decisions)]
    pub(super) debug_log_decisions: bool,

    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = base.to_init_gd().instance_id())]
    id: InstanceId,
    /// The policies have to be copied again.
    pub(super) copy_anew: bool,
    base: Base<Node>,
}

api_with_constants! {
AgentAwareness {
    /// The lifecycle of a belief changed. [param previous_state] is one of the `LIFECYCLE_*` constants. A new belief begins
    /// without a signal, until it leaves UNDETECTED.
    #[signal]
    pub fn belief_state_changed(record: Gd<AwarenessRecord>, previous_state: i64);
    /// The threat level of one belief changed. [param previous_level] is one of the `THREAT_*` constants.
    #[signal]
    pub fn threat_level_changed(record: Gd<AwarenessRecord>, previous_level: i64);
    /// The highest threat level of all beliefs changed. Both are `THREAT_*` constants.
    #[signal]
    pub fn highest_threat_changed(level: i64, previous_level: i64);
    /// The agent attends to another target. [param previous] is null if there was none or it is freed, [param current] if
    /// there is none; [param reason] is one of the `ATTENTION_*` constants.
    #[signal]
    pub fn attention_changed(previous: Gd<Node>, current: Gd<Node>, reason: i64);

    /// All beliefs, expired ones too: best score first, then the target that was there earlier.
    #[func(gd_self)]
    fn get_records(this: Gd<Self>) -> Array<Gd<AwarenessRecord>> {
        queries::records(this.instance_id())
    }

    /// The belief of a target; null if there is none. The target may be named by its agent, its source, or a node below the
    /// agent.
    #[func(gd_self)]
    fn get_record(this: Gd<Self>, target: NodeArg) -> Option<Gd<AwarenessRecord>> {
        let id = this.instance_id();
        queries::of(id, &target, |belief| belief.key()).map(|belief| sides::record(id, belief))
    }

    /// Targets that may be attended to, best score first: beliefs that are not expired and whose source has
    /// can_hold_attention.
    #[func(gd_self)]
    fn get_targets_by_score(this: Gd<Self>) -> Array<Gd<Node>> {
        queries::candidates(this.instance_id())
    }

    /// The lifecycle of a target: one of the `LIFECYCLE_*` constants; -1 without a belief.
    #[func(gd_self)]
    fn get_state(this: Gd<Self>, target: NodeArg) -> i64 {
        queries::of(this.instance_id(), &target, |belief| belief.state.to_int()).unwrap_or(-1)
    }

    /// How sure the agent is of a target, 0 to 1; 0 without a belief.
    #[func(gd_self)]
    fn get_confidence(this: Gd<Self>, target: NodeArg) -> f64 {
        queries::of(this.instance_id(), &target, |belief| belief.confidence).unwrap_or(0.0)
    }

    /// How dangerous a target is, 0 to 1; 0 without a belief.
    #[func(gd_self)]
    fn get_threat(this: Gd<Self>, target: NodeArg) -> f64 {
        queries::of(this.instance_id(), &target, |belief| belief.threat).unwrap_or(0.0)
    }

    /// How much attention a target deserves; 0 without a belief.
    #[func(gd_self)]
    fn get_score(this: Gd<Self>, target: NodeArg) -> f64 {
        queries::of(this.instance_id(), &target, |belief| belief.score).unwrap_or(0.0)
    }

    /// The threat level of a target, or without one the highest of all: one of the `THREAT_*` constants.
    #[func(gd_self)]
    fn get_threat_level(this: Gd<Self>, #[opt(default = OptionalId::null())] target: OptionalId) -> i64 {
        let id = this.instance_id();
        if target.0.is_none() {
            return state::with_mind(id, |minds, key| minds.highest(key).to_int()).unwrap_or(0);
        }
        queries::of(id, &target.node(), |belief| belief.level.to_int()).unwrap_or(0)
    }

    /// The target that the agent attends to; null if there is none.
    #[func(gd_self)]
    pub(super) fn get_attention_target(this: Gd<Self>) -> Option<Gd<Node>> {
        let target = state::with_mind(this.instance_id(), |minds, key| minds.attention_target(key));
        perception::live_agent(target.flatten()?)
    }

    /// For how long the agent has attended to its target, in seconds; 0 without one.
    #[func(gd_self)]
    fn get_time_on_attention(this: Gd<Self>) -> f64 {
        state::with_mind(this.instance_id(), |minds, key| minds.time_on_attention(key)).unwrap_or(0.0)
    }

    /// Makes the agent attend to a target until [method clear_attention_override], or until the target's belief ends. False
    /// if there is no belief of it; then nothing changes.
    #[func(gd_self)]
    fn set_attention_override(this: Gd<Self>, target: NodeArg) -> bool {
        let id = this.instance_id();
        let Some(target) = target.0.as_ref().and_then(perception::target_of) else { return false };
        match state::with_mind(id, |minds, key| minds.set_attention_override(key, target.id)) {
            None | Some(Override::Refused) => false,
            Some(Override::Holds) => {
                queries::protect(id);
                true
            }
            Some(Override::Changed(event)) => {
                queries::protect(id);
                telling::tell_now(id, event);
                true
            }
        }
    }

    /// Lets the agent choose again, from its next update on.
    #[func(gd_self)]
    fn clear_attention_override(this: Gd<Self>) {
        state::with_mind(this.instance_id(), |minds, key| minds.clear_attention_override(key));
    }

    /// How the agent stands to any node: one of the `RELATION_*` constants.
    #[func(gd_self)]
    fn get_relationship(this: Gd<Self>, target: NodeArg) -> i64 {
        queries::relationship(this.instance_id(), &target)
    }

    /// Says how the agent stands to a node, whatever tags and adapters say. [param relationship] is one of the `RELATION_*`
    /// constants; another number is an error.
    #[func(gd_self)]
    fn set_relationship_override(this: Gd<Self>, target: NodeArg, relationship: i64) -> bool {
        queries::set_relationship(&this, &target, relationship)
    }

    /// Takes back what [method set_relationship_override] said.
    #[func(gd_self)]
    fn clear_relationship_override(this: Gd<Self>, target: OptionalId) {
        let agent = queries::agent_id(target);
        if let Some(agent) = agent {
            state::with_mind(this.instance_id(), |minds, key| minds.clear_relationship_override(key, agent));
        }
    }

    /// How a target holds itself, as the game says: one of the `STANCE_*` constants; `STANCE_UNREPORTED` if nobody says.
    #[func(gd_self)]
    fn get_posture(_this: Gd<Self>, target: NodeArg) -> i64 {
        queries::posture(&target)
    }

    /// The stance in which a target is seen, which lowers its aim points and decides how many of them must be visible: one
    /// of the `STANCE_*` constants.
    #[func(gd_self)]
    fn get_vision_stance(_this: Gd<Self>, target: NodeArg) -> i64 {
        queries::vision_stance(&target)
    }

    /// The agent's share of full health, 0 to 1; 1 if nobody knows.
    #[func(gd_self)]
    fn get_own_health(this: Gd<Self>) -> f64 {
        queries::own_health(this.instance_id())
    }

    /// What pain multiplies every reading of the senses by, 0 to 1; 1 without pain.
    #[func(gd_self)]
    fn get_pain_factor(this: Gd<Self>) -> f64 {
        queries::pain_factor(this.instance_id())
    }

    /// The share of full health of any node, 0 to 1; 1 if nobody knows.
    #[func(gd_self)]
    fn get_health_of(_this: Gd<Self>, node: NodeArg) -> f64 {
        queries::health_of(&node)
    }

    /// For how long the agent has seen a target in a stance (`STANCE_*`; -1: in any), in seconds.
    #[func(gd_self)]
    fn get_observed_time(this: Gd<Self>, target: NodeArg, #[opt(default = -1)] stance: i64) -> f64 {
        queries::observed_time(this.instance_id(), &target, stance)
    }

    /// The share of the time in which the agent saw a target crouched or prone, 0 to 1.
    #[func(gd_self)]
    fn get_sneaking_fraction(this: Gd<Self>, target: NodeArg) -> f64 {
        queries::sneaking_fraction(this.instance_id(), &target)
    }

    /// What the agent observed: a dictionary for each target with `target`, and the seconds `standing`, `crouched`, `prone`
    /// and `guessed` (those whose posture nobody told).
    #[func(gd_self)]
    fn get_observations(this: Gd<Self>) -> Array<VarDictionary> {
        queries::observations(this.instance_id())
    }

    /// Forgets what the agent observed of a target, or without one of all.
    #[func(gd_self)]
    fn clear_observations(this: Gd<Self>, #[opt(default = OptionalId::null())] target: OptionalId) {
        let agent = queries::agent_id(target);
        if target.0.is_none() || agent.is_some() {
            state::with_mind(this.instance_id(), |minds, key| minds.clear_observations(key, agent));
        }
    }

    /// Makes the Perception forget a target. False if it does not know it.
    #[func(gd_self)]
    fn forget(this: Gd<Self>, target: NodeArg) -> bool {
        queries::forget(this.instance_id(), &target)
    }

    /// The beliefs, attention and observations as plain values, for saving. See [method import_state].
    #[func(gd_self)]
    fn export_state(this: Gd<Self>) -> VarDictionary {
        saving::export(this.instance_id())
    }

    /// Puts the node into a state that [method export_state] gave, without signals; import the Perception's state first.
    /// False, with an error and without effect, if the state has another version or structure. What is known of nodes that
    /// are not there is left out, with a warning.
    #[func(gd_self)]
    fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        saving::import(&this, &state)
    }

    #[func]
    fn set_profile(&mut self, value: Option<Gd<AwarenessProfile>>) {
        self.copy_anew |= self.profile != value;
        self.profile = value.clone();
        let id = self.id;
        let base = self.base_mut();
        // A scene may be made on a thread; what is kept beside a node is kept on the main thread.
        if base.is_inside_tree() {
            syncing::listen_to_profile(id, value.as_ref());
            syncing::changed(id);
        }
    }

    #[func]
    fn set_enabled(&mut self, value: bool) {
        self.enabled = value;
        state::mark(self.id);
    }

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        let this = self.to_gd();
        let base = self.base_mut();
        if base.is_inside_tree() {
            Self::find_agent(&this);
        }
        syncing::changed(this.instance_id());
    }

    #[func]
    fn set_perception_path(&mut self, path: NodePath) {
        self.perception_path = path;
        let id = self.id;
        let _released = self.base_mut();
        syncing::changed(id);
    }

    #[func]
    fn set_debug_log_decisions(&mut self, value: bool) {
        self.debug_log_decisions = value;
        state::mark(self.id);
    }
}
}

#[godot_api]
impl INode for AgentAwareness {
    fn get_configuration_warnings(&self) -> PackedStringArray {
        let node: Gd<Node> = self.to_gd().upcast();
        let mut warnings = lookup::warnings(&node, &self.agent_path, Part::Awareness);
        if syncing::find_perception(&node, &self.perception_path).is_none() {
            warnings.push(
                "There is no Perception, so nothing is believed. Add one to the agent, or set perception_path."
                    .to_owned(),
            );
        }
        if let Some(profile) = &self.profile {
            warnings.extend(profile_compile::warnings(profile));
        }
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for AgentAwareness {
    fn entered(this: Gd<Self>) {
        let id = this.instance_id();
        perception_state::with(|state| {
            state.minds.add(id);
            if let Some(mind) = state.minds.mind(id) {
                state.minds.world.set_present(mind.key, true);
            }
        });
        let profile = this.bind().profile.clone();
        syncing::listen_to_profile(id, profile.as_ref());
        Self::find_agent(&this);
        state::mark(id);
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        state::mark(this.instance_id());
    }

    fn exiting(this: Gd<Self>) {
        let id = this.instance_id();
        lookup::detach(id);
        freezing::freeze_all(id);
        syncing::listen_to_profile(id, None);
        syncing::listen_to_agent(id, None);
        perception_state::with(|state| {
            let Some(mind) = state.minds.mind(id) else { return };
            state.minds.world.set_present(mind.key, false);
            if let Some(perceiver) = mind.perceiver.filter(|_| mind.active) {
                syncing::release(state, perceiver);
            }
            if let Some(mind) = state.minds.mind_mut(id) {
                mind.active = false;
            }
        });
    }
}

impl AgentAwareness {
    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        let agent = lookup::attach(&this.clone().upcast(), &path, Part::Awareness);
        syncing::listen_to_agent(this.instance_id(), agent.map(|agent| agent.instance_id()));
    }
}

impl Drop for AgentAwareness {
    fn drop(&mut self) {
        let id = self.id;
        let mind = perception_state::with(|state| state.minds.remove(id));
        sides::forget(id, mind.map(|mind| mind.key));
    }
}
