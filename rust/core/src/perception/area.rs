//! The part of the ground in which a scan can find anybody.

use super::frame::View;
use super::settings::Cone;

/// A rectangle of the ground, along the rows and the columns of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) rows: (f64, f64),
    pub(super) columns: (f64, f64),
}

/// A place or a direction on the ground: along the rows, along the columns.
pub(super) type Ground = (f64, f64);

/// What a scan asks of the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Up to where a source may be from the perceiver.
    pub(super) radius: f64,
    /// Up to where the cone does not count; 0: it always does.
    pub(super) auto: f64,
    /// How far the aim point of a source may be from the source.
    pub(super) aim: f64,
}

impl Area {
    /// Everything that a circle touches.
    pub(super) fn around((row, column): Ground, radius: f64) -> Self {
        Self { rows: (row - radius, row + radius), columns: (column - radius, column + radius) }
    }

    fn meet(self, other: Self) -> Self {
        let meet = |a: (f64, f64), b: (f64, f64)| (a.0.max(b.0), a.1.min(b.1));
        Self { rows: meet(self.rows, other.rows), columns: meet(self.columns, other.columns) }
    }

    fn join(self, other: Self) -> Self {
        let join = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
        Self { rows: join(self.rows, other.rows), columns: join(self.columns, other.columns) }
    }

    /// Where the sources may be that a cone takes in: a rectangle around the cone's shadow, cut off at the radius.
    pub(super) fn of_cone(
        ground: impl Fn(glam::DVec3) -> Ground,
        view: &View,
        cone: Cone,
        it: Reach,
    ) -> Self {
        let centre = ground(view.origin);
        let circle = Self::around(centre, it.radius);
        let (along_rows, along_columns) = ground(view.forward);
        let level = (along_rows * along_rows + along_columns * along_columns).sqrt();
        // A cone that holds the vertical falls to all sides.
        let Some(sine) = cone.sine().filter(|sine| *sine < level * 0.999) else { return circle };
        // Half the angle of the shadow, and its middle.
        let sine = sine / level;
        let cosine = (1.0 - sine * sine).sqrt();
        let (f, g) = (along_rows / level, along_columns / level);
        let length = it.radius + it.aim + view.eye.distance(view.origin);
        let side = |f: f64, across: f64| {
            let (left, right) = (f * cosine - across * sine, f * cosine + across * sine);
            let low = if -f >= cosine { -1.0 } else { left.min(right).min(0.0) };
            let high = if f >= cosine { 1.0 } else { left.max(right).max(0.0) };
            (low * length - it.aim, high * length + it.aim)
        };
        let (eye_row, eye_column) = ground(view.eye);
        let (rows, columns) = (side(f, g), side(g, f));
        let shadow = Self {
            rows: (eye_row + rows.0, eye_row + rows.1),
            columns: (eye_column + columns.0, eye_column + columns.1),
        };
        let seen = circle.meet(shadow);
        if it.auto > 0.0 { seen.join(circle.meet(Self::around(centre, it.auto))) } else { seen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::draw;
    use glam::DVec3;

    /// Whatever the cone takes in is inside, and the rectangle is smaller than that of the circle.
    #[test]
    fn holds_all_that_may_be_seen() {
        let mut inside = 0;
        let mut smaller = 0;
        for case in 0..400u64 {
            let number = |what: &str, from: f64, to: f64| from + draw(1, "area", what, case) * (to - from);
            let place = |what: &str, n: u64, by: f64| {
                let axis = |axis: &str| (draw(2, what, axis, case * 1000 + n) - 0.5) * 2.0 * by;
                DVec3::new(axis("x"), axis("y"), axis("z"))
            };
            let origin = place("origin", 0, 50.0);
            let forward = place("forward", 0, 1.0).normalize();
            let view = View { origin, eye: origin + place("eye", 0, 2.0), forward };
            let cone = Cone::new(number("fov", 0.0, 250.0));
            let reach = Reach {
                radius: number("radius", 1.0, 30.0),
                auto: if case % 3 == 0 { number("auto", 0.0, 5.0) } else { 0.0 },
                aim: 3.0,
            };
            let ground = |it: DVec3| (it.z, it.x);
            let area = Area::of_cone(ground, &view, cone, reach);
            let circle = Area::around(ground(origin), reach.radius);
            let size = |it: Area| (it.rows.1 - it.rows.0).max(0.0) * (it.columns.1 - it.columns.0).max(0.0);
            smaller += usize::from(size(area) < 0.6 * size(circle));
            for n in 0..200 {
                let source = origin + place("source", n, reach.radius);
                let aim = source + place("aim", n, 1.7);
                let near = source.distance(origin);
                if near > reach.radius || !(cone.contains(forward, aim - view.eye) || near <= reach.auto) {
                    continue;
                }
                inside += 1;
                let (row, column) = ground(source);
                let holds = (area.rows.0..=area.rows.1).contains(&row)
                    && (area.columns.0..=area.columns.1).contains(&column);
                assert!(holds, "case {case}: {source} is not in {area:?}, {view:?}, {reach:?}");
            }
        }
        assert!(inside > 5000 && smaller > 40, "{inside} inside, {smaller} smaller");
    }

    #[test]
    fn a_quarter_looking_along_a_row_is_half_as_wide_as_the_circle() {
        let view = View { origin: DVec3::ZERO, eye: DVec3::ZERO, forward: DVec3::X };
        let reach = Reach { radius: 10.0, auto: 0.0, aim: 0.0 };
        let area = Area::of_cone(|it| (it.z, it.x), &view, Cone::new(90.0), reach);
        let edge = 10.0 * 45.01_f64.to_radians().sin();
        assert!(area.columns.0.abs() < 1e-9 && (area.columns.1 - 10.0).abs() < 1e-9, "{area:?}");
        assert!((area.rows.0 + edge).abs() < 1e-9 && (area.rows.1 - edge).abs() < 1e-9, "{area:?}");
        let behind = Reach { auto: 2.0, ..reach };
        assert_eq!(Area::of_cone(|it| (it.z, it.x), &view, Cone::new(90.0), behind).columns.0, -2.0);
    }
}
