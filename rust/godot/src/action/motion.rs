//! How fast an agent moves.
//!
//! Its property `velocity` or `linear_velocity` says it. For an agent that has neither, its way from step to step is
//! measured, as long as its actions look at the speed.

use std::sync::OnceLock;

use godot::prelude::*;

use super::driver;

/// The way of an agent from step to step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// Some built-in scorer looks at the speed.
    pub wanted: bool,
    /// It has no velocity of its own, as far as is known.
    silent: bool,
    /// Whether it has one was asked.
    known: bool,
    last: Option<Vector3>,
    speed: f64,
}

impl Default for Motion {
    fn default() -> Self {
        Self { wanted: false, silent: true, known: false, last: None, speed: 0.0 }
    }
}

impl Motion {
    /// The agent is somebody else.
    pub(super) fn forget(&mut self) {
        *self = Self { wanted: self.wanted, ..Self::default() };
    }
}

/// The speed in world units per second: in space over the ground, on the plane as it is. Runs getters of the game.
pub(super) fn speed(evaluator: InstanceId, agent: InstanceId) -> f64 {
    let told = told(agent);
    let measured = driver::with(evaluator, |state| {
        (state.motion.silent, state.motion.known) = (told.is_none(), true);
        state.motion.speed
    });
    told.or(measured).unwrap_or(0.0)
}

/// Asks once whether the agent has a velocity, so that one that has none is measured before anybody reads its speed.
pub(super) fn get_to_know(evaluator: InstanceId, agent: InstanceId) {
    if driver::with(evaluator, |state| state.motion.known) == Some(false) {
        speed(evaluator, agent);
    }
}

/// Measures the way since the last step.
pub(super) fn follow(evaluator: InstanceId, delta: f64) {
    let followed = driver::with(evaluator, |state| {
        let motion = &state.motion;
        let wanted = motion.wanted || state.needs.scripts || state.judges;
        state.agent.filter(|_| wanted && motion.silent && delta > 0.0)
    });
    let Some(at) = followed.flatten().and_then(driver::places::on_ground) else { return };
    driver::with(evaluator, |state| {
        let motion = &mut state.motion;
        let way = motion.last.map_or(0.0, |last| over_ground(at - last));
        (motion.last, motion.speed) = (Some(at), way / delta);
    });
}

/// What the agent says itself, in world units per second. Runs getters of the game.
pub(crate) fn told(agent: InstanceId) -> Option<f64> {
    static NAMES: OnceLock<[StringName; 2]> = OnceLock::new();
    let names = NAMES.get_or_init(|| ["velocity", "linear_velocity"].map(StringName::from));
    names.iter().find_map(|name| {
        let node = Gd::<Node>::try_from_instance_id(agent).ok()?;
        let flat = node.is_class("Node2D");
        length(&node.get(name), flat).filter(|speed| speed.is_finite())
    })
}

fn length(velocity: &Variant, flat: bool) -> Option<f64> {
    match velocity.get_type() {
        VariantType::VECTOR2 => velocity.try_to::<Vector2>().ok().map(|v| f64::from(v.length())),
        VariantType::VECTOR3 => {
            let v = velocity.try_to::<Vector3>().ok()?;
            Some(over_ground(if flat { Vector3::new(v.x, 0.0, v.y) } else { v }))
        }
        _ => None,
    }
}

fn over_ground(v: Vector3) -> f64 {
    f64::from(v.x).hypot(f64::from(v.z))
}
