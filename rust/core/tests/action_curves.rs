//! Worked examples of the response curve.

mod action_support;

use action_support::near;
use riposte_core::action::RangeCurve;

#[track_caller]
fn samples(curve: &RangeCurve, pairs: &[(f64, f64)]) {
    for (x, want) in pairs {
        let got = curve.sample(*x);
        assert!((got - want).abs() < 1e-6, "at {x}: got {got}, want {want}");
    }
}

fn melee(exponent: f64) -> RangeCurve {
    RangeCurve::new([0.0, 1.0, 2.5, 5.0], exponent, 0.0)
}

#[test]
fn ex_30_a1() {
    let pairs =
        [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (2.0, 1.0), (2.5, 1.0), (3.75, 0.5), (5.0, 0.0), (5.01, 0.0)];
    samples(&RangeCurve::melee(), &pairs);
}

#[test]
#[allow(clippy::approx_constant, reason = "the value as the specification prints it")]
fn ex_30_a2() {
    near(melee(2.0).sample(3.75), 0.25);
    near(melee(0.5).sample(3.75), 0.707107);
    near(melee(2.0).sample(0.5), 0.25);
}

#[test]
fn ex_30_a3() {
    let pairs = [(2.9, 0.0), (3.0, 0.0), (4.0, 0.5), (7.0, 1.0), (14.0, 0.5), (18.0, 0.0)];
    samples(&RangeCurve::ranged(), &pairs);
}

#[test]
fn ex_30_a4() {
    samples(&RangeCurve::frontal_angle(), &[(0.0, 1.0), (30.0, 1.0), (60.0, 0.5), (90.0, 0.0), (180.0, 0.0)]);
}

#[test]
fn ex_30_a5() {
    samples(&RangeCurve::low_health(), &[(0.0, 1.0), (0.2, 1.0), (0.3, 0.8), (0.5, 0.0), (0.51, 0.0)]);
}

#[test]
fn ex_30_a6() {
    let curve = RangeCurve::new([0.0, 1.0, 2.5, 5.0], 1.0, 0.05);
    samples(&curve, &[(6.0, 0.05), (3.75, 0.525), (2.0, 1.0)]);
}

#[test]
fn ex_30_a7() {
    samples(&RangeCurve::always_one(), &[(-1e9, 1.0), (0.0, 1.0), (f64::NAN, 0.0)]);
}

/// The configuration warning is the resource's; the core says that there is cause for one.
#[test]
fn ex_30_a8() {
    let typed = [5.0, 2.5, 1.0, 0.0];
    near(RangeCurve::new(typed, 1.0, 0.0).sample(3.75), 0.5);
    assert!(!RangeCurve::is_ordered(typed));
    assert!(RangeCurve::is_ordered([2.0, 2.0, 2.0, 2.0]));
}

#[test]
fn ex_30_a9() {
    samples(&RangeCurve::new([2.0; 4], 1.0, 0.0), &[(1.999, 0.0), (2.0, 1.0), (2.001, 0.0)]);
}

#[test]
fn quick_exponents_agree_with_pow() {
    for exponent in [0.5, 1.0, 2.0, 3.0] {
        for x in [0.1, 0.5, 0.9, 3.0, 4.9] {
            let slow = melee(exponent + 1e-12).sample(x);
            assert!((melee(exponent).sample(x) - slow).abs() < 1e-9, "exponent {exponent} at {x}");
        }
    }
}

#[test]
fn unusable_numbers_never_leave_the_curve() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300];
    for value in odd {
        let curve = RangeCurve::new([value, 0.0, 1.0, value], value, value);
        for x in odd.into_iter().chain([0.0, 0.5, 2.0]) {
            let s = curve.sample(x);
            assert!((0.0..=1.0).contains(&s), "{value} at {x}: {s}");
        }
    }
}
