use std::sync::Arc;

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::tags::TagSet;

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
    /// Shared with the evaluator, which fills it in without a bind.
    data: Arc<Mutex<ContextData>>,
    base: Base<RefCounted>,
}

/// The content of a context.
#[derive(Clone)]
pub(crate) struct ContextData {
    pub(crate) agent: Option<InstanceId>,
    pub(crate) target: Option<InstanceId>,
    pub(crate) evaluator: Option<InstanceId>,
    pub(crate) vitals: Option<InstanceId>,
    pub(crate) distance: f64,
    pub(crate) direction: Vector3,
    pub(crate) angle_deg: f64,
    pub(crate) speed: f64,
    pub(crate) health_fraction: f64,
    pub(crate) stamina: f64,
    pub(crate) time: f64,
    pub(crate) self_tags: TagSet,
    pub(crate) target_tags: TagSet,
    pub(crate) world_tags: TagSet,
    pub(crate) seed: i64,
    pub(crate) action_seed: i64,
    pub(crate) action_id: StringName,
}

impl Default for ContextData {
    fn default() -> Self {
        Self {
            agent: None,
            target: None,
            evaluator: None,
            vitals: None,
            distance: 0.0,
            direction: Vector3::ZERO,
            angle_deg: 0.0,
            speed: 0.0,
            health_fraction: 1.0,
            stamina: 100.0,
            time: 0.0,
            self_tags: TagSet::default(),
            target_tags: TagSet::default(),
            world_tags: TagSet::default(),
            seed: 0,
            action_seed: 0,
            action_id: StringName::default(),
        }
    }
}

#[godot_api]
impl DecisionContext {
    /// A context of its own with the same content, to be kept.
    #[func]
    pub fn copy(&self) -> Gd<Self> {
        let made = Self::new_gd();
        *made.bind().data.lock() = self.data.lock().clone();
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
    fn set_agent(&mut self, node: Option<Gd<Node>>) {
        self.data.lock().agent = node.map(|node| node.instance_id());
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        node(self.data.lock().target)
    }

    #[func]
    fn set_target(&mut self, node: Option<Gd<Node>>) {
        self.data.lock().target = node.map(|node| node.instance_id());
    }

    #[func]
    fn get_evaluator(&self) -> Option<Gd<Node>> {
        node(self.data.lock().evaluator)
    }

    #[func]
    fn set_evaluator(&mut self, node: Option<Gd<Node>>) {
        self.data.lock().evaluator = node.map(|node| node.instance_id());
    }

    #[func]
    fn get_vitals(&self) -> Option<Gd<Node>> {
        node(self.data.lock().vitals)
    }

    #[func]
    fn set_vitals(&mut self, node: Option<Gd<Node>>) {
        self.data.lock().vitals = node.map(|node| node.instance_id());
    }

    #[func]
    fn get_distance(&self) -> f64 {
        self.data.lock().distance
    }

    #[func]
    fn set_distance(&mut self, value: f64) {
        self.data.lock().distance = value;
    }

    #[func]
    fn get_direction(&self) -> Vector3 {
        self.data.lock().direction
    }

    #[func]
    fn set_direction(&mut self, value: Vector3) {
        self.data.lock().direction = value;
    }

    #[func]
    fn get_angle_deg(&self) -> f64 {
        self.data.lock().angle_deg
    }

    #[func]
    fn set_angle_deg(&mut self, value: f64) {
        self.data.lock().angle_deg = value;
    }

    #[func]
    fn get_speed(&self) -> f64 {
        self.data.lock().speed
    }

    #[func]
    fn set_speed(&mut self, value: f64) {
        self.data.lock().speed = value;
    }

    #[func]
    fn get_health_fraction(&self) -> f64 {
        self.data.lock().health_fraction
    }

    #[func]
    fn set_health_fraction(&mut self, value: f64) {
        self.data.lock().health_fraction = value;
    }

    #[func]
    fn get_stamina(&self) -> f64 {
        self.data.lock().stamina
    }

    #[func]
    fn set_stamina(&mut self, value: f64) {
        self.data.lock().stamina = value;
    }

    #[func]
    fn get_time(&self) -> f64 {
        self.data.lock().time
    }

    #[func]
    fn set_time(&mut self, value: f64) {
        self.data.lock().time = value;
    }

    #[func]
    fn get_seed(&self) -> i64 {
        self.data.lock().seed
    }

    #[func]
    fn set_seed(&mut self, value: i64) {
        self.data.lock().seed = value;
    }

    #[func]
    fn get_action_seed(&self) -> i64 {
        self.data.lock().action_seed
    }

    #[func]
    fn set_action_seed(&mut self, value: i64) {
        self.data.lock().action_seed = value;
    }

    #[func]
    fn get_action_id(&self) -> StringName {
        self.data.lock().action_id.clone()
    }

    #[func]
    fn set_action_id(&mut self, value: StringName) {
        self.data.lock().action_id = value;
    }

    #[func]
    fn get_self_tags(&self) -> PackedStringArray {
        tags::names(self.data.lock().self_tags.tags())
    }

    #[func]
    fn set_self_tags(&mut self, value: PackedStringArray) {
        let set = self.set_of("self_tags", &value);
        self.data.lock().self_tags = set;
    }

    #[func]
    fn get_target_tags(&self) -> PackedStringArray {
        tags::names(self.data.lock().target_tags.tags())
    }

    #[func]
    fn set_target_tags(&mut self, value: PackedStringArray) {
        let set = self.set_of("target_tags", &value);
        self.data.lock().target_tags = set;
    }

    #[func]
    fn get_world_tags(&self) -> PackedStringArray {
        tags::names(self.data.lock().world_tags.tags())
    }

    #[func]
    fn set_world_tags(&mut self, value: PackedStringArray) {
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

    fn set_of(&self, member: &str, names: &PackedStringArray) -> TagSet {
        let (ids, _) = tags::from_script_array(&self.to_gd(), member, names);
        tags::with_table(|table| TagSet::new(table, ids))
    }
}

fn node(id: Option<InstanceId>) -> Option<Gd<Node>> {
    id.and_then(|id| Gd::try_from_instance_id(id).ok())
}
