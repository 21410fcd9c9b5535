use std::sync::Arc;

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::tags::TagSet;

use super::context_data::{About, ContextData};
use super::driver;
use crate::ability::access;
use crate::base::numbers::Checked;
use crate::base::tags;
use crate::optional::node_id;

/// What an evaluator knows at one moment about its agent and one target.
///
/// The instance that a script is given is used again for the next candidate: it is valid during the call. [method copy]
/// keeps one. A script may also make one, fill it in, and ask [method ActionEvaluator.evaluate_best_action] with it.
#[derive(GodotClass)]
#[class(init, base = RefCounted)]
pub struct DecisionContext {
    /// The agent that decides. Null when it was freed.
    #[var(get = get_agent, set = set_agent)]
    agent: PhantomVar<Option<Gd<Node>>>,
    /// The target of the candidate. Null without one and when it was freed.
    #[var(get = get_target, set = set_target)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The [ActionEvaluator] that asks. Null when it was freed.
    #[var(get = get_evaluator, set = set_evaluator)]
    evaluator: PhantomVar<Option<Gd<Node>>>,
    /// The agent's [AgentVitals]. Null without one.
    #[var(get = get_vitals, set = set_vitals)]
    vitals: PhantomVar<Option<Gd<Node>>>,
    /// The agent's [AbilitySystem]. Null without one.
    #[var(get = get_ability_system, set = set_ability_system)]
    ability_system: PhantomVar<Option<Gd<Node>>>,
    /// Distance from the agent to the target, centre to centre, in world units; 0 without a target.
    #[var(get = get_distance, set = set_distance)]
    distance: PhantomVar<f64>,
    /// Unit vector from the agent to the target (z is 0 in 2D); zero without a target.
    #[var(get = get_direction, set = set_direction)]
    direction: PhantomVar<Vector3>,
    /// Angle between the agent's facing and the target in degrees, 0 in front, 180 behind, both seen from above; 0
    /// without a target.
    #[var(get = get_angle_deg, set = set_angle_deg)]
    angle_deg: PhantomVar<f64>,
    /// How fast the agent moves, in world units per second: over the ground in 3D, in any direction in 2D. The speed of its
    /// property [code]velocity[/code] or [code]linear_velocity[/code], else its way from step to step.
    #[var(get = get_speed, set = set_speed)]
    speed: PhantomVar<f64>,
    /// The agent's share of full health, 0 to 1; 1 when nobody knows.
    #[var(get = get_health_fraction, set = set_health_fraction)]
    health_fraction: PhantomVar<f64>,
    /// The agent's stamina; 100 when nobody knows.
    #[var(get = get_stamina, set = set_stamina)]
    stamina: PhantomVar<f64>,
    /// Whether the agent sees the target, as for [member ActionSpec.require_line_of_sight]; false without a target. Found out
    /// when it is first read, and at most once per target and evaluation.
    #[var(get = get_has_line_of_sight, set = set_has_line_of_sight)]
    has_line_of_sight: PhantomVar<bool>,
    /// How dangerous the agent finds the target, 0 to 1, see [method Perception3D.get_threat]; 0 without a target and for an
    /// agent without a Perception.
    #[var(get = get_threat, set = set_threat)]
    threat: PhantomVar<f64>,
    /// The agent's tags.
    #[var(get = get_self_tags, set = set_self_tags)]
    self_tags: PhantomVar<PackedStringArray>,
    /// The target's tags; empty without a target.
    #[var(get = get_target_tags, set = set_target_tags)]
    target_tags: PhantomVar<PackedStringArray>,
    /// The tags of the world. See [WorldTags].
    #[var(get = get_world_tags, set = set_world_tags)]
    world_tags: PhantomVar<PackedStringArray>,
    /// The seed of this evaluation.
    #[var(get = get_seed, set = set_seed)]
    seed: PhantomVar<i64>,
    /// The seed of this candidate. See [method ActionScorer.seeded_random].
    #[var(get = get_action_seed, set = set_action_seed)]
    action_seed: PhantomVar<i64>,
    /// The action that is looked at.
    #[var(get = get_action_id, set = set_action_id)]
    action_id: PhantomVar<StringName>,
    /// The evaluator's clock in seconds.
    #[var(get = get_time, set = set_time)]
    time: PhantomVar<f64>,
    /// What [method ActionEvaluator._build_decision_context] adds for scorers and gates of the game. Empty without it.
    #[var(get = get_extra, set = set_extra)]
    extra: PhantomVar<VarDictionary>,
    /// Shared with the evaluator, which fills it in without a bind.
    data: Arc<Mutex<ContextData>>,
    base: Base<RefCounted>,
}

#[godot_api]
impl DecisionContext {
    /// A context of its own with the same content, to be kept.
    #[func]
    pub fn copy(&self) -> Gd<Self> {
        // It tells of its own moment later too.
        self.get_has_line_of_sight();
        self.get_vitals();
        for find in [Self::get_speed, Self::get_stamina, Self::get_threat] {
            find(self);
        }
        let made = Self::new_gd();
        let copied = self.data.lock().copied();
        *made.bind().data.lock() = copied;
        made
    }

    /// True if this tag or one below it is on the agent, the target or the world.
    #[func(gd_self)]
    pub fn has_tag(this: Gd<Self>, tag: StringName) -> bool {
        let Some(tag) = tags::from_script(&this, "has_tag", &tag.to_string()) else { return false };
        let data = this.bind().data.clone();
        let data = data.lock();
        [&data.self_tags, &data.target_tags, &data.world_tags].into_iter().any(|set| set.matches(tag))
    }

    #[func]
    fn get_agent(&self) -> Option<Gd<Node>> {
        node(self.data.lock().agent)
    }

    #[func]
    fn set_agent(&self, node: Option<Gd<Node>>) {
        self.data.lock().agent = node.map(|node| node.instance_id());
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        node(self.data.lock().target)
    }

    #[func]
    fn set_target(&self, node: Option<Gd<Node>>) {
        self.data.lock().target = node.map(|node| node.instance_id());
    }

    #[func]
    fn get_evaluator(&self) -> Option<Gd<Node>> {
        node(self.data.lock().evaluator)
    }

    #[func]
    fn set_evaluator(&self, node: Option<Gd<Node>>) {
        self.data.lock().evaluator = node.map(|node| node.instance_id());
    }

    #[func]
    fn get_vitals(&self) -> Option<Gd<Node>> {
        node(self.find(|data| &mut data.vitals, About::vitals))
    }

    #[func]
    fn set_vitals(&self, node: Option<Gd<Node>>) {
        self.data.lock().vitals = Some(node.map(|node| node.instance_id()));
    }

    #[func]
    fn get_ability_system(&self) -> Option<Gd<Node>> {
        let (known, agent) = {
            let data = self.data.lock();
            (data.abilities, data.agent)
        };
        node(known.unwrap_or_else(|| agent.and_then(access::system_of)))
    }

    #[func]
    fn set_ability_system(&self, node: Option<Gd<Node>>) {
        self.data.lock().abilities = Some(node.map(|node| node.instance_id()));
    }

    #[func]
    fn get_distance(&self) -> f64 {
        self.data.lock().distance
    }

    #[func]
    fn set_distance(&self, value: f64) {
        let old = self.data.lock().distance;
        self.data.lock().distance = self.finite("distance", value, old);
    }

    #[func]
    fn get_direction(&self) -> Vector3 {
        self.data.lock().direction
    }

    #[func]
    fn set_direction(&self, value: Vector3) {
        let old = self.data.lock().direction;
        let length = f64::from(value.length());
        self.data.lock().direction =
            if self.finite("direction", length, 0.0) == length { value } else { old };
    }

    #[func]
    fn get_angle_deg(&self) -> f64 {
        self.data.lock().angle_deg
    }

    #[func]
    fn set_angle_deg(&self, value: f64) {
        let old = self.data.lock().angle_deg;
        self.data.lock().angle_deg = self.finite("angle_deg", value, old);
    }

    #[func]
    fn get_speed(&self) -> f64 {
        self.find(|data| &mut data.speed, About::speed)
    }

    #[func]
    fn set_speed(&self, value: f64) {
        let old = self.get_speed();
        self.data.lock().speed = Some(self.finite("speed", value, old));
    }

    #[func]
    fn get_health_fraction(&self) -> f64 {
        self.data.lock().health_fraction
    }

    #[func]
    fn set_health_fraction(&self, value: f64) {
        let old = self.data.lock().health_fraction;
        self.data.lock().health_fraction = self.finite("health_fraction", value, old);
    }

    #[func]
    fn get_stamina(&self) -> f64 {
        self.find(|data| &mut data.stamina, About::stamina)
    }

    #[func]
    fn set_stamina(&self, value: f64) {
        let old = self.get_stamina();
        self.data.lock().stamina = Some(self.finite("stamina", value, old));
    }

    #[func]
    fn get_has_line_of_sight(&self) -> bool {
        let data = self.data.clone();
        let (known, evaluator, target) = {
            let data = data.lock();
            (data.sight, data.evaluator, data.target)
        };
        let seen = known.unwrap_or_else(|| {
            evaluator
                .zip(node(target))
                .is_some_and(|(evaluator, target)| driver::sight::sees(evaluator, &target))
        });
        let mut data = data.lock();
        if data.target == target {
            data.sight = Some(seen);
        }
        seen
    }

    #[func]
    fn set_has_line_of_sight(&self, value: bool) {
        self.data.lock().sight = Some(value);
    }

    #[func]
    fn get_threat(&self) -> f64 {
        self.find(|data| &mut data.threat, About::threat)
    }

    #[func]
    fn set_threat(&self, value: f64) {
        let old = self.get_threat();
        self.data.lock().threat = Some(self.finite("threat", value, old));
    }

    #[func]
    fn get_extra(&self) -> VarDictionary {
        self.data.lock().extra.get_or_insert_with(VarDictionary::new).clone()
    }

    #[func]
    fn set_extra(&self, value: VarDictionary) {
        // What was in it may run a script when it is freed.
        let old = self.data.lock().extra.replace(value);
        drop(old);
    }

    #[func]
    fn get_time(&self) -> f64 {
        self.data.lock().time
    }

    #[func]
    fn set_time(&self, value: f64) {
        let old = self.data.lock().time;
        self.data.lock().time = self.finite("time", value, old);
    }

    #[func]
    fn get_seed(&self) -> i64 {
        self.data.lock().seed
    }

    #[func]
    fn set_seed(&self, value: i64) {
        self.data.lock().seed = value;
    }

    #[func]
    fn get_action_seed(&self) -> i64 {
        self.data.lock().action_seed
    }

    #[func]
    fn set_action_seed(&self, value: i64) {
        self.data.lock().action_seed = value;
    }

    #[func]
    fn get_action_id(&self) -> StringName {
        self.data.lock().action_id.clone()
    }

    #[func]
    fn set_action_id(&self, value: StringName) {
        self.data.lock().action_id = value;
    }

    #[func]
    fn get_self_tags(&self) -> PackedStringArray {
        tags::names(self.data.lock().self_tags.tags())
    }

    #[func]
    fn set_self_tags(&self, value: PackedStringArray) {
        let set = self.set_of("self_tags", &value);
        self.data.lock().self_tags = set;
    }

    #[func]
    fn get_target_tags(&self) -> PackedStringArray {
        tags::names(self.data.lock().target_tags.tags())
    }

    #[func]
    fn set_target_tags(&self, value: PackedStringArray) {
        let set = self.set_of("target_tags", &value);
        self.data.lock().target_tags = set;
    }

    #[func]
    fn get_world_tags(&self) -> PackedStringArray {
        tags::names(self.data.lock().world_tags.tags())
    }

    #[func]
    fn set_world_tags(&self, value: PackedStringArray) {
        let set = self.set_of("world_tags", &value);
        self.data.lock().world_tags = set;
    }
}

#[godot_api]
impl IRefCounted for DecisionContext {
    /// A freed target is none; the setter alone would be an error.
    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        let target = (property == "target").then(|| node_id(&value)).flatten();
        target.map(|id| self.data.lock().target = id).is_some()
    }
}

impl DecisionContext {
    /// The content, to be read and filled in without a bind.
    pub(crate) fn data(&self) -> Arc<Mutex<ContextData>> {
        self.data.clone()
    }

    /// What is found out when it is first read, with nothing locked.
    fn find<T: Copy>(&self, place: fn(&mut ContextData) -> &mut Option<T>, ask: fn(About) -> T) -> T {
        let data = self.data.clone();
        let (known, about) = {
            let mut data = data.lock();
            (*place(&mut data), data.about())
        };
        if let Some(known) = known {
            return known;
        }
        let found = ask(about);
        let mut data = data.lock();
        if data.about() == about {
            *place(&mut data) = Some(found);
        }
        found
    }

    fn set_of(&self, member: &str, names: &PackedStringArray) -> TagSet {
        let (ids, _) = tags::from_script_array(&self.to_gd(), member, names);
        tags::with_table(|table| TagSet::new(table, ids))
    }
}

fn node(id: Option<InstanceId>) -> Option<Gd<Node>> {
    id.and_then(|id| Gd::try_from_instance_id(id).ok())
}
