//! Where a step over a ledge goes instead.

use glam::DVec3;

/// Places that are looked at for one step at the most.
pub const PROBES: usize = 11;
/// Angles are tried in steps of this many degrees, up to 75.
const ANGLE_STEP: f64 = 15.0;
/// What rises faster leaves the ground on purpose, m/s.
const RISING: f64 = 0.1;

/// Whether the step of a body is guarded: it walks, and neither jumps nor is launched.
pub fn is_ground_movement(on_floor: bool, upward_speed: f64) -> bool {
    on_floor && upward_speed <= RISING
}

/// The horizontal steps to try instead of `displacement`, in order: itself, then turned to the left and to the right by
/// more and more, and the shorter the more they are turned.
pub fn tries(displacement: DVec3) -> impl Iterator<Item = DVec3> {
    let way = DVec3::new(displacement.x, 0.0, displacement.z);
    (0..PROBES).map(move |at| {
        let steps = at.div_ceil(2) as f64;
        let side = if at % 2 == 1 { 1.0 } else { -1.0 };
        let angle = (side * steps * ANGLE_STEP).to_radians();
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        // Seen from above, with -z ahead, a positive angle is to the left.
        let turned = DVec3::new(way.x * cos + way.z * sin, 0.0, way.z * cos - way.x * sin);
        turned * cos
    })
}

/// The first try whose end has floor; zero if none has. `has_floor` is asked [`PROBES`] times at the most.
pub fn constrained(displacement: DVec3, mut has_floor: impl FnMut(DVec3) -> bool) -> DVec3 {
    tries(displacement).find(|step| has_floor(*step)).unwrap_or(DVec3::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A straight edge along x: floor up to it, none beyond.
    fn at_edge(displacement: DVec3, edge: f64) -> (DVec3, usize) {
        let mut asked = 0;
        let step = constrained(displacement, |end| {
            asked += 1;
            end.z >= edge
        });
        (step, asked)
    }

    #[test]
    fn ex_35_e35() {
        let ahead = DVec3::new(0.0, 0.0, -0.3);
        let near = |step: DVec3, x: f64, z: f64| {
            assert!(step.abs_diff_eq(DVec3::new(x, 0.0, z), 1e-6), "{step}");
        };
        near(at_edge(ahead, -0.2).0, -0.15, -0.15);
        near(at_edge(ahead, -0.05).0, -0.075, -0.020_096);
        let (stopped, asked) = at_edge(ahead, 0.0);
        assert_eq!(stopped, DVec3::ZERO);
        assert_eq!(asked, PROBES, "never more questions than that");
    }

    #[test]
    fn ex_35_e37() {
        assert!(!is_ground_movement(true, 3.0), "it jumps");
        assert!(is_ground_movement(true, 0.1) && is_ground_movement(true, -4.0));
        assert!(!is_ground_movement(false, 0.0), "it falls already");
    }

    #[test]
    fn a_step_on_the_floor_is_as_it_was() {
        let step = DVec3::new(0.1, 0.0, -0.2);
        assert_eq!(at_edge(step, -9.0), (step, 1));
    }

    #[test]
    fn the_right_comes_after_the_left() {
        let all: Vec<_> = tries(DVec3::new(0.0, 0.0, -1.0)).collect();
        assert_eq!(all.len(), PROBES);
        assert!(all[1].x < 0.0 && all[2].x > 0.0, "left first");
        assert!((all[1].length() - 15_f64.to_radians().cos()).abs() < 1e-12);
        assert!(all.iter().all(|step| step.y == 0.0));
    }

    #[test]
    fn the_rise_of_a_step_is_not_turned() {
        let all: Vec<_> = tries(DVec3::new(0.0, 5.0, -1.0)).collect();
        assert_eq!(all[0], DVec3::new(0.0, 0.0, -1.0));
    }
}
