//! Warping to a target in a window of time.

use glam::DVec3;
use riposte_core::motion::{Ended, Warp, WarpLimits, WarpTarget};

const DT: f64 = 0.1;
const LIMITS: WarpLimits = WarpLimits { vertical: false, max_speed: 20.0 };

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn at(point: DVec3, offset: f64) -> WarpTarget {
    WarpTarget { point, follows: Some(7), offset }
}

/// A body whose every step is what the warp says.
struct Course {
    warp: Warp,
    limits: WarpLimits,
    body: DVec3,
    ended: Vec<Ended>,
}

impl Course {
    fn to(target: WarpTarget) -> Self {
        let mut warp = Warp::default();
        warp.set_target("Target", target);
        assert!(warp.open("Target", 0.5));
        Self { warp, limits: LIMITS, body: DVec3::ZERO, ended: Vec::new() }
    }

    fn step(&mut self) -> DVec3 {
        if let Some(leading) = self.warp.leading() {
            self.body += leading.target.step(&self.limits, self.body, leading.left, DT);
        }
        self.ended.extend(self.warp.count(DT, &self.limits, Some(self.body)));
        self.body
    }

    fn steps(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.step().z).collect()
    }

    fn reached(&self) -> Vec<bool> {
        self.ended.iter().map(|ended| ended.reached).collect()
    }
}

fn near(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}, wanted {wanted:?}");
}

#[test]
fn ex_35_e29() {
    let point = at(v(3.0, 0.0, -4.0), 1.0).warp_point(DVec3::ZERO);
    assert!(point.abs_diff_eq(v(2.4, 0.0, -3.2), 1e-9), "{point}");
}

#[test]
fn ex_35_e30() {
    let mut course = Course::to(at(v(0.0, 0.0, -5.0), 1.0));
    near(&course.steps(5), &[-0.8, -1.6, -2.4, -3.2, -4.0]);
    assert_eq!(course.reached(), [true]);
}

#[test]
fn ex_35_e31() {
    let mut course = Course::to(at(v(0.0, 0.0, -5.0), 1.0));
    near(&course.steps(2), &[-0.8, -1.6]);
    course.warp.saw(7, v(0.0, 0.0, -6.0));
    near(&course.steps(3), &[-2.733_333_333, -3.866_666_667, -5.0]);
    assert_eq!(course.reached(), [true]);
}

#[test]
fn ex_35_e32() {
    let mut course = Course::to(at(v(0.0, 0.0, -20.0), 1.0));
    near(&course.steps(5), &[-2.0, -4.0, -6.0, -8.0, -10.0]);
    assert_eq!(course.reached(), [false]);
}

#[test]
fn ex_35_e33() {
    let target = at(v(-3.0, 0.0, 0.0), 1.0);
    let (mut yaw, mut left) = (0.0_f64, 0.5);
    let errors: Vec<f64> = (0..5)
        .map(|_| {
            let facing = v(-yaw.sin(), 0.0, -yaw.cos());
            yaw += target.turn(facing, DVec3::ZERO, left, DT);
            left -= DT;
            90.0 - yaw.to_degrees()
        })
        .collect();
    near(&errors, &[72.0, 54.0, 36.0, 18.0, 0.0]);
}

/// The half of it that is maths: with an offset the last stretch is left out, without one it is not.
#[test]
fn ex_35_e34() {
    let body = v(0.0, 0.0, -4.5);
    let target = v(0.0, 0.0, -5.0);
    assert_eq!(at(target, 1.0).step(&LIMITS, body, 0.5, DT), DVec3::ZERO, "it pauses");
    let step = at(target, 0.0).step(&LIMITS, body, 0.5, DT);
    assert!(step.abs_diff_eq(v(0.0, 0.0, -0.1), 1e-9), "no pause: {step}");
}

#[test]
fn goes_on_when_the_target_moves_off() {
    let mut course = Course::to(at(v(0.0, 0.0, -0.5), 1.0));
    near(&course.steps(2), &[0.0, 0.0]);
    course.warp.saw(7, v(0.0, 0.0, -4.0));
    near(&course.steps(3), &[-1.0, -2.0, -3.0]);
}

#[test]
fn height_is_warped_only_on_request() {
    let mut course = Course::to(at(v(0.0, 2.0, -5.0), 1.0));
    course.step();
    assert_eq!(course.body.y, 0.0);
    let mut course = Course::to(at(v(0.0, 2.0, -5.0), 1.0));
    course.limits.vertical = true;
    course.steps(5);
    assert!(course.body.abs_diff_eq(v(0.0, 2.0, -4.0), 1e-9), "{}", course.body);
    assert_eq!(course.reached(), [true]);
}

#[test]
fn the_first_window_with_a_target_leads() {
    let mut warp = Warp::default();
    assert!(warp.open("Nobody", 1.0) && warp.open("A", 0.2) && warp.open("B", 1.0));
    assert_eq!(warp.leading(), None, "no target yet");
    warp.set_target("B", at(v(1.0, 0.0, 0.0), 0.0));
    assert_eq!(warp.leading().map(|leading| leading.target.point.x), Some(1.0));
    warp.set_target("A", at(v(2.0, 0.0, 0.0), 0.0));
    assert_eq!(warp.leading().map(|leading| leading.target.point.x), Some(2.0), "A was opened before B");
    assert_eq!(warp.count(0.2, &LIMITS, None), [Ended { name: "A".into(), reached: false }]);
    assert_eq!(warp.leading().map(|leading| leading.target.point.x), Some(1.0));
}

#[test]
fn a_window_opened_again_lasts_anew() {
    let mut warp = Warp::default();
    assert!(warp.open("A", 0.2) && !warp.open("A", 0.5));
    assert!(warp.count(0.3, &LIMITS, None).is_empty());
    assert!(warp.is_open("A") && warp.is_open("") && !warp.is_open("B"));
    assert_eq!(warp.close("A", &LIMITS, None), Some(Ended { name: "A".into(), reached: false }));
    assert_eq!(warp.close("A", &LIMITS, None), None);
}

#[test]
fn only_the_own_target_is_cleared() {
    let mut warp = Warp::default();
    let mine = warp.set_target("Target", at(DVec3::ZERO, 1.0));
    warp.set_target("Target", at(DVec3::X, 1.0));
    assert!(!warp.clear_own(mine), "another took its place");
    assert!(warp.target("Target").is_some());
    assert!(warp.clear_target("Target") && !warp.clear_target("Target"));
}

#[test]
fn a_body_on_its_target_has_neither_way_nor_turn() {
    let target = at(DVec3::ZERO, 0.0);
    assert_eq!(target.step(&LIMITS, DVec3::ZERO, 0.5, DT), DVec3::ZERO);
    assert_eq!(target.turn(v(0.0, 0.0, -1.0), DVec3::ZERO, 0.5, DT), 0.0);
    assert_eq!(target.turn(v(0.0, 1.0, 0.0), DVec3::X, 0.5, DT), 0.0);
}
