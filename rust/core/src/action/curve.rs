//! The response curve of every range scorer: a trapezoid with shaped ramps.

/// Values beyond this are read as this, so that no difference of two of them overflows.
const LIMIT: f64 = 1e15;

/// How a ramp bends. The usual exponents need no `pow`, the one expensive operation of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    Step,
    Linear,
    Square,
    Cube,
    Root,
    RootCube,
    Power(f64),
}

impl Shape {
    fn new(exponent: f64) -> Self {
        match exponent {
            e if !e.is_finite() || e < 0.0 => Self::Linear,
            0.0 => Self::Step,
            0.5 => Self::Root,
            1.0 => Self::Linear,
            1.5 => Self::RootCube,
            2.0 => Self::Square,
            3.0 => Self::Cube,
            e => Self::Power(e),
        }
    }

    pub fn apply(self, t: f64) -> f64 {
        match self {
            Self::Step => 1.0,
            Self::Linear => t,
            Self::Square => t * t,
            Self::Cube => t * t * t,
            Self::Root => t.sqrt(),
            Self::RootCube => t * t.sqrt(),
            // The platform's pow differs in the last bits between platforms; this one does not.
            Self::Power(e) => libm::pow(t, e),
        }
    }
}

/// A score between 0 and 1 for a number: 0 outside `a..d`, 1 from `b` to `c`, shaped ramps between.
///
/// `a <= b <= c <= d` are the four typed values in ascending order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeCurve {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    floor: f64,
    shape: Shape,
}

/// What a curve is made of, for those who keep many in arrays.
pub(super) struct CurveParts {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: f64,
    pub floor: f64,
    pub shape: Shape,
}

impl RangeCurve {
    /// A curve from four values in any order (they are sorted), the exponent of both ramps and the score
    /// that it never goes under (0: clamped to zero).
    ///
    /// Numbers that are not finite are read as 0, an unusable exponent as 1, the floor is kept within 0 to 1.
    pub fn new(values: [f64; 4], exponent: f64, floor: f64) -> Self {
        let mut sorted = values.map(|v| if v.is_finite() { v.clamp(-LIMIT, LIMIT) } else { 0.0 });
        sorted.sort_unstable_by(f64::total_cmp);
        let [a, b, c, d] = sorted;
        let floor = if floor.is_finite() { floor.clamp(0.0, 1.0) } else { 0.0 };
        Self { a, b, c, d, floor, shape: Shape::new(exponent) }
    }

    /// 1 for every input but NaN.
    pub fn always_one() -> Self {
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { a: low, b: low, c: high, d: high, floor: 0.0, shape: Shape::Linear }
    }

    /// 0/1/2.5/5 m.
    pub fn melee() -> Self {
        Self::new([0.0, 1.0, 2.5, 5.0], 1.0, 0.0)
    }

    /// 3/5/10/18 m.
    pub fn ranged() -> Self {
        Self::new([3.0, 5.0, 10.0, 18.0], 1.0, 0.0)
    }

    /// 0/0/30/90 degrees.
    pub fn frontal_angle() -> Self {
        Self::new([0.0, 0.0, 30.0, 90.0], 1.0, 0.0)
    }

    /// 0/0/0.25/0.5 of full health.
    pub fn low_health() -> Self {
        Self::new([0.0, 0.0, 0.25, 0.5], 1.0, 0.0)
    }

    /// True if the four values stand in ascending order already.
    pub fn is_ordered(values: [f64; 4]) -> bool {
        values.windows(2).all(|pair| pair[0] <= pair[1])
    }

    /// Where the curve is 1: from here …
    pub fn optimal_min(&self) -> f64 {
        self.b
    }

    /// … to here.
    pub fn optimal_max(&self) -> f64 {
        self.c
    }

    /// The numbers behind it.
    pub(super) fn parts(self) -> CurveParts {
        let Self { a, b, c, d, floor, shape } = self;
        CurveParts { a, b, c, d, floor, shape }
    }

    /// The score of a number; 0 for NaN.
    #[inline]
    pub fn sample(&self, x: f64) -> f64 {
        if x >= self.b && x <= self.c {
            return 1.0;
        }
        if x.is_nan() {
            return 0.0;
        }
        let s = if x < self.a || x > self.d {
            0.0
        } else if x < self.b {
            self.shape.apply((x - self.a) / (self.b - self.a))
        } else {
            self.shape.apply((self.d - x) / (self.d - self.c))
        };
        self.floor + (1.0 - self.floor) * s
    }
}
