//! The curves of many actions side by side, in loops that the compiler makes for several at a time.
//!
//! What comes out is bit for bit what [`RangeCurve::sample`] says.

use super::curve::{RangeCurve, Shape};

/// The scorers of all actions that stand at the same place in their lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Column {
    inputs: Vec<u8>,
    /// What all of them look at, if that is the same.
    input: Option<u8>,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    d: Vec<f64>,
    rise: Vec<f64>,
    fall: Vec<f64>,
    floor: Vec<f64>,
    above_floor: Vec<f64>,
    /// 1 where the ramps are squares, else 0; empty: none are.
    squares: Vec<f64>,
    /// Those whose ramps are bent in another way.
    bent: Vec<(u32, Shape)>,
}

impl Column {
    pub fn push(&mut self, input: u8, curve: Option<RangeCurve>) {
        let parts = curve.unwrap_or_else(RangeCurve::always_one).parts();
        let at = self.inputs.len();
        self.inputs.push(input);
        self.input = (at == 0 || self.input == Some(input)).then_some(input);
        self.a.push(parts.a);
        self.b.push(parts.b);
        self.c.push(parts.c);
        self.d.push(parts.d);
        self.rise.push(parts.b - parts.a);
        self.fall.push(parts.d - parts.c);
        self.floor.push(parts.floor);
        self.above_floor.push(1.0 - parts.floor);
        let square = parts.shape == Shape::Square;
        if square || !self.squares.is_empty() {
            self.squares.resize(at, 0.0);
            self.squares.push(f64::from(u8::from(square)));
        }
        if !matches!(parts.shape, Shape::Linear | Shape::Square) {
            self.bent.push((at as u32, parts.shape));
        }
    }

    /// Multiplies each score by the sample of its curve. `ramps`: memory that is used again.
    pub fn multiply(&self, inputs: &[f64], ramps: &mut Vec<f64>, scores: &mut [f64]) {
        ramps.resize(scores.len(), 0.0);
        match self.input {
            Some(input) => self.multiply_all(|_| inputs[input as usize], ramps, scores),
            None => self.multiply_all(|at| inputs[self.inputs[at] as usize], ramps, scores),
        }
    }

    #[inline(always)]
    fn multiply_all(&self, input: impl Fn(usize) -> f64, ramps: &mut [f64], scores: &mut [f64]) {
        self.climb(&input, ramps);
        for (ramp, square) in ramps.iter_mut().zip(&self.squares) {
            *ramp = pick(*square != 0.0, *ramp * *ramp, *ramp);
        }
        for (at, shape) in &self.bent {
            let at = *at as usize;
            self.bend(&mut ramps[at], at, input(at), *shape);
        }
        let count = scores.len();
        let (b, c, ramps) = (&self.b[..count], &self.c[..count], &ramps[..count]);
        let (floor, above) = (&self.floor[..count], &self.above_floor[..count]);
        for at in 0..count {
            let (x, b, c) = (input(at), b[at], c[at]);
            let sample = floor[at] + above[at] * ramps[at];
            let sample = pick((x >= b) & (x <= c), 1.0, sample);
            scores[at] *= pick(x.is_nan(), 0.0, sample);
        }
    }

    /// How far up the ramps, 0 outside. Between them, where the sample is 1, it may be anything.
    #[inline(always)]
    fn climb(&self, input: &impl Fn(usize) -> f64, ramps: &mut [f64]) {
        let count = ramps.len();
        let (a, b, d) = (&self.a[..count], &self.b[..count], &self.d[..count]);
        let (rise, fall) = (&self.rise[..count], &self.fall[..count]);
        for at in 0..count {
            let (x, a, b, d) = (input(at), a[at], b[at], d[at]);
            let rises = x < b;
            let way = pick(rises, x - a, d - x);
            let length = pick(rises, rise[at], fall[at]);
            ramps[at] = pick((x >= a) & (x <= d), way / length, 0.0);
        }
    }

    #[inline(always)]
    fn bend(&self, ramp: &mut f64, at: usize, x: f64, shape: Shape) {
        match shape {
            // These are 0 at 0, so that nothing has to be known of where it is.
            Shape::Cube | Shape::Root | Shape::RootCube => *ramp = shape.apply(*ramp),
            _ => {
                let inside = x >= self.a[at] && x <= self.d[at];
                if inside && !(x >= self.b[at] && x <= self.c[at]) {
                    *ramp = shape.apply(*ramp);
                }
            }
        }
    }
}

/// One of two that were both computed: a branch would be guessed wrong half of the time, and loops with branches are made
/// one number at a time.
#[inline(always)]
fn pick(first: bool, one: f64, other: f64) -> f64 {
    let mask = u64::from(first).wrapping_neg();
    f64::from_bits(one.to_bits() & mask | other.to_bits() & !mask)
}
