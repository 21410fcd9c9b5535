//! How an attack closes in on its target, or makes room.

use crate::graph::Window;

/// How an attack approaches. Lengths are in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApproachPlan {
    /// Where it stops, from origin to origin.
    pub stop: f64,
    /// Nearer than that it steps back for so many seconds.
    pub make_room: f64,
    /// How fast it moves.
    pub speed: f64,
    /// How far it moves towards the target in one move at the most.
    pub most: f64,
}

/// How far an approach is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Approach {
    went: f64,
    backed: f64,
}

impl Approach {
    /// The speed of a step towards the target; negative: away from it. Never past the place where it stops.
    pub fn step(&mut self, plan: &ApproachPlan, distance: f64, dt: f64) -> f64 {
        if dt <= 0.0 {
            return 0.0;
        }
        let missing = distance - plan.stop;
        if missing > 0.0 {
            let way = missing.min(plan.speed * dt).min(plan.most - self.went).max(0.0);
            self.went += way;
            return way / dt;
        }
        let time = dt.min(plan.make_room - self.backed);
        if missing == 0.0 || time <= 0.0 {
            return 0.0;
        }
        self.backed += dt;
        -(plan.speed * time).min(-missing) / dt
    }
}

/// Where an attack stops: as its payload says, else as the window that is open or the next one that says it, else as the
/// weapon, else as the agent. Negative numbers say nothing.
pub fn stop_distance(payload: f64, windows: &[Window], node_time: f64, weapon: f64, own: f64) -> f64 {
    let ahead = windows.iter().filter(|window| window.end > node_time && window.stop_distance >= 0.0);
    let window = ahead.min_by(|a, b| a.start.total_cmp(&b.start)).map(|window| window.stop_distance);
    let said = [Some(payload), window, Some(weapon)].into_iter().flatten().find(|distance| *distance >= 0.0);
    said.unwrap_or(own)
}

/// How fast to turn, in degrees per second, so that an angle is not overshot within a step.
pub fn turn_rate(angle: f64, fastest: f64, dt: f64) -> f64 {
    if dt <= 0.0 {
        return 0.0;
    }
    let rate = angle / dt;
    rate.clamp(-fastest, fastest)
}
