use glam::DVec3;
use godot::prelude::*;
use riposte_core::perception::{Event, LossReason, NodeId, Senses, TargetState};
use riposte_core::tags::TagId;

use crate::base::tags;

use super::dimension::Axes as _;

/// What a perception signal tells: who sensed whom, where, by which sense, and why a target was lost.
///
/// All properties are read-only, and keep what was true when the signal came; only a freed node reads as null.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub struct PerceptionEvent {
    /// The agent that senses. Null once it is freed.
    #[var(get = get_perceiver, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    perceiver: PhantomVar<Option<Gd<Node>>>,
    /// The Perception node that senses. Null once it is freed.
    #[var(get = get_perception, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    perception: PhantomVar<Option<Gd<Node>>>,
    /// The agent that was sensed or lost. Null if the stimulus is of nobody, or the node is freed.
    #[var(get = get_target, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The instance id of the target, also after it is freed; 0 if there is none.
    #[var(no_set)]
    target_id: i64,
    /// Where the target was last known to be; without a target, where the stimulus was. Zero in 2D.
    #[var(no_set)]
    location: Vector3,
    /// As [member location], for an event of a [Perception2D]; zero in 3D.
    #[var(no_set)]
    location_2d: Vector2,
    /// Where the noise was or where it hit; for sight the first visible aim point. Zero in 2D.
    #[var(no_set)]
    stimulus_location: Vector3,
    /// As [member stimulus_location], for an event of a [Perception2D]; zero in 3D.
    #[var(no_set)]
    stimulus_location_2d: Vector2,
    /// The last known velocity of the target, in m/s. Zero in 2D.
    #[var(no_set)]
    velocity: Vector3,
    /// The last known velocity of the target, in px/s, for an event of a [Perception2D]; zero in 3D.
    #[var(no_set)]
    velocity_2d: Vector2,
    /// The sense that raised the event, a SENSE_* flag; for a lost target the last one that sensed it. Of several in a tick:
    /// sight, then damage, then hearing, then custom.
    #[var(no_set)]
    sense: i64,
    /// All senses that sense the target after this tick, as SENSE_* flags.
    #[var(no_set)]
    senses: i64,
    /// The damage amount, the loudness as it was reported, or the strength of a custom sense; 0 for sight.
    #[var(no_set)]
    strength: f64,
    /// The tag of the noise, or the id of the custom sense; empty if there is none.
    #[var(no_set)]
    tag: StringName,
    /// The part of the target that is visible, 0 to 1.
    #[var(no_set)]
    visible_fraction: f64,
    /// Why a target was lost, a LOSS_* constant; LOSS_NONE in all other events.
    #[var(no_set)]
    reason: i64,
    /// The perceiver's own time when it happened, in seconds, scaled by its time_scale.
    #[var(no_set)]
    time: f64,

    perceiver_id: NodeId,
    perception_id: NodeId,
    #[allow(dead_code, reason = "the class needs it")]
    base: Base<RefCounted>,
}

#[godot_api]
impl PerceptionEvent {
    /// Seen.
    #[constant]
    const SENSE_SIGHT: i64 = Senses::SIGHT.bits() as i64;
    /// Heard.
    #[constant]
    const SENSE_HEARING: i64 = Senses::HEARING.bits() as i64;
    /// Noticed by the damage it did.
    #[constant]
    const SENSE_DAMAGE: i64 = Senses::DAMAGE.bits() as i64;
    /// Sensed by a sense of the game's own, see PerceptionServer.report_stimulus.
    #[constant]
    const SENSE_CUSTOM: i64 = Senses::CUSTOM.bits() as i64;
    /// Any sense.
    #[constant]
    const SENSE_ANY: i64 = Senses::ANY.bits() as i64;
    /// The target is not known.
    #[constant]
    const TARGET_UNKNOWN: i64 = TargetState::Unknown as i64;
    /// The target is in view, and being made out.
    #[constant]
    const TARGET_DETECTING: i64 = TargetState::Detecting as i64;
    /// A sense senses the target now.
    #[constant]
    const TARGET_SENSED: i64 = TargetState::Sensed as i64;
    /// The target is known, but no sense senses it now.
    #[constant]
    const TARGET_REMEMBERED: i64 = TargetState::Remembered as i64;
    /// Nothing was lost.
    #[constant]
    const LOSS_NONE: i64 = LossReason::None as i64;
    /// No sense sensed the target for the forget time.
    #[constant]
    const LOSS_FORGOTTEN: i64 = LossReason::Forgotten as i64;
    /// The target was freed, left the tree or the world, or was switched off.
    #[constant]
    const LOSS_GONE: i64 = LossReason::Gone as i64;
    /// A closer target took its place among those that are remembered.
    #[constant]
    const LOSS_DISPLACED: i64 = LossReason::Displaced as i64;
    /// A script forgot it, or the perceiver was switched off.
    #[constant]
    const LOSS_DISMISSED: i64 = LossReason::Dismissed as i64;

    #[func]
    fn get_perceiver(&self) -> Option<Gd<Node>> {
        node(self.perceiver_id)
    }

    #[func]
    fn get_perception(&self) -> Option<Gd<Node>> {
        node(self.perception_id)
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        node(self.target_id)
    }
}

/// What an event tells.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) perceiver: NodeId,
    pub(super) perception: NodeId,
    pub(super) planar: bool,
    pub(super) target: NodeId,
    pub(super) location: DVec3,
    pub(super) stimulus_location: DVec3,
    pub(super) velocity: DVec3,
    pub(super) sense: Senses,
    pub(super) senses: Senses,
    pub(super) strength: f64,
    pub(super) tag: Option<TagId>,
    pub(super) visible_fraction: f64,
    pub(super) reason: LossReason,
    pub(super) time: f64,
}

impl From<&Event> for Facts {
    fn from(event: &Event) -> Self {
        Self {
            target: event.target.map_or(0, |target| target.agent),
            location: event.location,
            stimulus_location: event.stimulus_location,
            velocity: event.velocity,
            sense: event.sense,
            senses: event.senses,
            strength: event.strength,
            tag: event.tag,
            visible_fraction: event.visible_fraction,
            reason: event.reason,
            time: event.time,
            ..Self::default()
        }
    }
}

impl PerceptionEvent {
    /// The event object that the signals carry.
    pub(super) fn create(facts: &Facts) -> Gd<Self> {
        let planar = facts.planar;
        let (location, location_2d) = in_dimension(facts.location, planar);
        let (stimulus_location, stimulus_location_2d) = in_dimension(facts.stimulus_location, planar);
        let (velocity, velocity_2d) = in_dimension(facts.velocity, planar);
        let tag = facts.tag.map(tags::name).unwrap_or_default();
        Gd::from_init_fn(|base| Self {
            perceiver: PhantomVar::default(),
            perception: PhantomVar::default(),
            target: PhantomVar::default(),
            target_id: facts.target,
            location,
            location_2d,
            stimulus_location,
            stimulus_location_2d,
            velocity,
            velocity_2d,
            sense: i64::from(facts.sense.bits()),
            senses: i64::from(facts.senses.bits()),
            strength: facts.strength,
            tag,
            visible_fraction: facts.visible_fraction,
            reason: facts.reason as i64,
            time: facts.time,
            perceiver_id: facts.perceiver,
            perception_id: facts.perception,
            base,
        })
    }
}

/// In the space that it belongs to; the other one is zero.
fn in_dimension(at: DVec3, planar: bool) -> (Vector3, Vector2) {
    if planar { (Vector3::ZERO, Vector2::narrowed(at)) } else { (Vector3::narrowed(at), Vector2::ZERO) }
}

fn node(id: NodeId) -> Option<Gd<Node>> {
    InstanceId::try_from_i64(id).and_then(|id| Gd::try_from_instance_id(id).ok())
}
