use godot::prelude::*;
use riposte_core::awareness::{Belief, BeliefRef, Frozen, Lifecycle, Sample};

use super::constants::api_with_constants;
use super::{SenseSample, explain, state};
use crate::base::convert::vector3;
use crate::perception::{self, state as perception_state};

/// What an agent believes of one target: read-only.
///
/// A record shows the belief as it is now, until the belief is removed; then it keeps its last values. Get one from
/// [method AgentAwareness.get_record], or in a signal.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub struct AwarenessRecord {
    /// The agent that the belief is about. Null if it is freed or gone.
    #[var(get = get_target, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The instance id of the target, also after it is freed.
    #[var(get = get_target_id, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    target_id: PhantomVar<i64>,
    /// One of the `LIFECYCLE_*` constants.
    #[var(get = get_state, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    state: PhantomVar<i64>,
    /// How sure the agent is, 0 to 1.
    #[var(get = get_confidence, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    confidence: PhantomVar<f64>,
    /// What each sense says, in the order of the profile. A new array of new samples at each call.
    #[var(get = get_samples, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    samples: PhantomVar<Array<Gd<SenseSample>>>,
    /// How many senses are active.
    #[var(get = get_active_senses, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    active_senses: PhantomVar<i64>,
    /// The target is in sight now.
    #[var(get = get_is_seen, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    is_seen: PhantomVar<bool>,
    /// 1 while the target is in sight; after that it fades to 0 within the profile's contact_fade_time.
    #[var(get = get_contact, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    contact: PhantomVar<f64>,
    /// Share of the target's aim points that were visible at the last look, 0 to 1.
    #[var(get = get_visible_fraction, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    visible_fraction: PhantomVar<f64>,
    /// Damage that the target did to the agent, fading.
    #[var(get = get_damage, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    damage: PhantomVar<f64>,
    /// All damage that the target did to the agent since the belief began.
    #[var(get = get_damage_total, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    damage_total: PhantomVar<f64>,
    /// When the target last did damage, in seconds of the Perception's time; -1: never.
    #[var(get = get_last_damage_time, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    last_damage_time: PhantomVar<f64>,
    /// Where the target was last known to be, in metres. Zero in 2D.
    #[var(get = get_location, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    location: PhantomVar<Vector3>,
    /// Where the target was last known to be in 2D, in pixels. Zero in 3D.
    #[var(get = get_location_2d, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    location_2d: PhantomVar<Vector2>,
    /// How it moved when it was last seen, in metres per second. Zero in 2D.
    #[var(get = get_velocity, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    velocity: PhantomVar<Vector3>,
    /// How it moved when it was last seen in 2D, in pixels per second. Zero in 3D.
    #[var(get = get_velocity_2d, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    velocity_2d: PhantomVar<Vector2>,
    /// For how long no sense has sensed the target, in seconds.
    #[var(get = get_age, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    age: PhantomVar<f64>,
    /// For how long the belief has been in its state, in seconds.
    #[var(get = get_time_in_state, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    time_in_state: PhantomVar<f64>,
    /// How the agent stands to the target: one of the `RELATION_*` constants.
    #[var(get = get_relationship, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    relationship: PhantomVar<i64>,
    /// How the target held itself when it was last observed: one of the `STANCE_*` constants.
    #[var(get = get_posture, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    posture: PhantomVar<i64>,
    /// How dangerous the target is, 0 to 1.
    #[var(get = get_threat, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    threat: PhantomVar<f64>,
    /// The level of the threat: one of the `THREAT_*` constants.
    #[var(get = get_threat_level, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    threat_level: PhantomVar<i64>,
    /// How much attention the target deserves.
    #[var(get = get_score, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    score: PhantomVar<f64>,
    view: View,
    /// While a signal tells of a state that the belief has left again.
    told: Option<i64>,
    #[allow(dead_code, reason = "the class needs it")]
    base: Base<RefCounted>,
}

/// Where the values come from.
enum View {
    /// The state of a node.
    Live { node: InstanceId, belief: BeliefRef },
    /// The belief was removed.
    Kept(Box<Kept>),
}

/// The last values of a belief.
pub(super) struct Kept {
    /// The values.
    pub(super) frozen: Frozen,
    /// In pixels.
    pub(super) planar: bool,
    /// The target itself is gone.
    pub(super) gone: bool,
    /// The agent whose belief it is.
    pub(super) agent: Option<InstanceId>,
}

api_with_constants! {
AwarenessRecord {
    /// True if the target's own Perception senses the agent now with one of these senses (`SENSE_*` of
    /// [PerceptionEvent]). Default: it sees the agent.
    #[func]
    fn is_sensed_back(&self, #[opt(default = 1)] sense_mask: i64) -> bool {
        let own = match &self.view {
            View::Live { node, .. } => state::agent_of(*node),
            View::Kept(kept) => kept.agent,
        };
        let target = self.read(|belief| belief.target.agent);
        own.zip(target).is_some_and(|(own, target)| perception::senses_back(target, own, sense_mask))
    }

    /// Every factor of confidence, threat and score, for a look behind them: a dictionary for each of
    /// [code]confidence[/code], [code]threat[/code] and [code]score[/code].
    #[func]
    fn explain(&self) -> VarDictionary {
        match &self.view {
            View::Live { node, belief } => {
                let known = state::with_mind(*node, |minds, key| minds.explain(key, *belief));
                known.flatten().map(|explanation| explain::dictionary(&explanation)).unwrap_or_default()
            }
            View::Kept(kept) => explain::dictionary(&kept.frozen.explanation),
        }
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        let gone = matches!(&self.view, View::Kept(kept) if kept.gone);
        let target = self.read(|belief| belief.target).filter(|_| !gone)?;
        perception::live_agent(target)
    }

    #[func]
    fn get_target_id(&self) -> i64 {
        self.read(|belief| belief.target.agent).unwrap_or(0)
    }

    #[func]
    fn get_state(&self) -> i64 {
        let now = || self.read(|belief| belief.state.to_int()).unwrap_or(Self::LIFECYCLE_EXPIRED);
        self.told.unwrap_or_else(now)
    }

    #[func]
    fn get_confidence(&self) -> f64 {
        self.read(|belief| belief.confidence).unwrap_or(0.0)
    }

    #[func]
    fn get_samples(&self) -> Array<Gd<SenseSample>> {
        SenseSample::create(self.current_samples()).0
    }

    #[func]
    fn get_active_senses(&self) -> i64 {
        self.read(|belief| i64::from(belief.active_senses)).unwrap_or(0)
    }

    #[func]
    fn get_is_seen(&self) -> bool {
        self.read(Belief::is_seen).unwrap_or(false)
    }

    #[func]
    fn get_contact(&self) -> f64 {
        self.read(|belief| belief.contact).unwrap_or(0.0)
    }

    #[func]
    fn get_visible_fraction(&self) -> f64 {
        self.read(|belief| belief.visible_fraction).unwrap_or(0.0)
    }

    #[func]
    fn get_damage(&self) -> f64 {
        self.read(|belief| belief.damage).unwrap_or(0.0)
    }

    #[func]
    fn get_damage_total(&self) -> f64 {
        self.read(|belief| belief.damage_total).unwrap_or(0.0)
    }

    #[func]
    fn get_last_damage_time(&self) -> f64 {
        self.read(|belief| belief.last_damage).flatten().unwrap_or(-1.0)
    }

    #[func]
    fn get_location(&self) -> Vector3 {
        self.space(|belief| belief.location)
    }

    #[func]
    fn get_location_2d(&self) -> Vector2 {
        self.plane(|belief| belief.location)
    }

    #[func]
    fn get_velocity(&self) -> Vector3 {
        self.space(|belief| belief.velocity)
    }

    #[func]
    fn get_velocity_2d(&self) -> Vector2 {
        self.plane(|belief| belief.velocity)
    }

    #[func]
    fn get_age(&self) -> f64 {
        self.read(|belief| belief.age).unwrap_or(0.0)
    }

    #[func]
    fn get_time_in_state(&self) -> f64 {
        match &self.view {
            View::Live { node, belief } => state::with_mind(*node, |minds, key| {
                let since = minds.belief_by_ref(key, *belief).map(|belief| belief.state_since);
                since.map_or(0.0, |since| minds.now(key) - since)
            })
            .unwrap_or(0.0),
            View::Kept(kept) => kept.frozen.time_in_state,
        }
    }

    #[func]
    fn get_relationship(&self) -> i64 {
        self.read(|belief| belief.relationship.to_int()).unwrap_or(0)
    }

    #[func]
    fn get_posture(&self) -> i64 {
        self.read(|belief| belief.posture.to_int()).unwrap_or(Self::STANCE_UNREPORTED)
    }

    #[func]
    fn get_threat(&self) -> f64 {
        self.read(|belief| belief.threat).unwrap_or(0.0)
    }

    #[func]
    fn get_threat_level(&self) -> i64 {
        self.read(|belief| belief.level.to_int()).unwrap_or(0)
    }

    #[func]
    fn get_score(&self) -> f64 {
        self.read(|belief| belief.score).unwrap_or(0.0)
    }
}
}

impl AwarenessRecord {
    /// A record that shows a belief of a node.
    pub(super) fn live(node: InstanceId, belief: BeliefRef) -> Gd<Self> {
        Self::create(View::Live { node, belief })
    }

    /// A record of a belief that was removed.
    pub(super) fn kept(kept: Kept) -> Gd<Self> {
        Self::create(View::Kept(Box::new(kept)))
    }

    /// The belief is removed: these are its last values.
    pub(super) fn freeze(&mut self, kept: Kept) {
        self.view = View::Kept(Box::new(kept));
    }

    /// A signal is about to tell of a state. A belief that begins anew passes several in one update: the record shows
    /// the one that is told.
    pub(super) fn tell(record: &Gd<Self>, state: Lifecycle) {
        let state = state.to_int();
        if record.bind().get_state() != state {
            record.clone().bind_mut().told = Some(state);
        }
    }

    /// The signal is over.
    pub(super) fn told(record: &Gd<Self>) {
        if record.bind().told.is_some() {
            record.clone().bind_mut().told = None;
        }
    }

    fn create(view: View) -> Gd<Self> {
        Gd::from_init_fn(|base| Self {
            target: PhantomVar::default(),
            target_id: PhantomVar::default(),
            state: PhantomVar::default(),
            confidence: PhantomVar::default(),
            samples: PhantomVar::default(),
            active_senses: PhantomVar::default(),
            is_seen: PhantomVar::default(),
            contact: PhantomVar::default(),
            visible_fraction: PhantomVar::default(),
            damage: PhantomVar::default(),
            damage_total: PhantomVar::default(),
            last_damage_time: PhantomVar::default(),
            location: PhantomVar::default(),
            location_2d: PhantomVar::default(),
            velocity: PhantomVar::default(),
            velocity_2d: PhantomVar::default(),
            age: PhantomVar::default(),
            time_in_state: PhantomVar::default(),
            relationship: PhantomVar::default(),
            posture: PhantomVar::default(),
            threat: PhantomVar::default(),
            threat_level: PhantomVar::default(),
            score: PhantomVar::default(),
            view,
            told: None,
            base,
        })
    }

    fn read<R>(&self, of: impl FnOnce(&Belief) -> R) -> Option<R> {
        match &self.view {
            View::Live { node, belief } => {
                state::with_mind(*node, |minds, key| minds.belief_by_ref(key, *belief).map(of)).flatten()
            }
            View::Kept(kept) => Some(of(&kept.frozen.belief)),
        }
    }

    fn current_samples(&self) -> Vec<Sample> {
        match &self.view {
            View::Live { node, belief } => {
                let mut samples = Vec::new();
                state::with_mind(*node, |minds, key| minds.samples(key, *belief, &mut samples));
                samples
            }
            View::Kept(kept) => kept.frozen.samples.clone(),
        }
    }

    fn is_planar(&self) -> bool {
        match &self.view {
            View::Live { node, .. } => perception_state::with(|state| state.minds.is_planar(*node)),
            View::Kept(kept) => kept.planar,
        }
    }

    fn space(&self, of: impl FnOnce(&Belief) -> glam::DVec3) -> Vector3 {
        if self.is_planar() { Vector3::ZERO } else { self.read(of).map(vector3).unwrap_or_default() }
    }

    fn plane(&self, of: impl FnOnce(&Belief) -> glam::DVec3) -> Vector2 {
        let point = if self.is_planar() { self.read(of).map(vector3) } else { None };
        point.map(|point| Vector2::new(point.x, point.y)).unwrap_or_default()
    }
}
