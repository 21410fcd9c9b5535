use godot::classes::IResource;
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use riposte_core::action::RangeCurve as Curve;

use crate::base::numbers::Checked;

/// Turns a number into a score between 0 and 1: 0 outside, 1 in the optimal range, a ramp on each side.
///
/// The four values are used in ascending order, whatever the order they are typed in.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct RangeCurve {
    /// Below this the score is 0.
    #[export]
    #[var(set = set_min_value)]
    min_value: f64,
    /// From here on the score is 1. Default 1.
    #[export]
    #[var(set = set_optimal_min)]
    #[init(val = 1.0)]
    optimal_min: f64,
    /// Up to here the score is 1. Default 2.5.
    #[export]
    #[var(set = set_optimal_max)]
    #[init(val = 2.5)]
    optimal_max: f64,
    /// Above this the score is 0. Default 5.
    #[export]
    #[var(set = set_max_value)]
    #[init(val = 5.0)]
    max_value: f64,
    /// Shape of both ramps: 1 is straight, 2 stays low for long, 0.5 rises at once. 0.1 to 8, default 1.
    #[export(range = (0.1, 8.0, 0.05))]
    #[var(set = set_exponent)]
    #[init(val = 1.0)]
    exponent: f64,
    /// On, the default: the score reaches 0. Off: it never goes under [member floor_value].
    #[export]
    #[var(set = set_clamp_to_zero)]
    #[init(val = true)]
    clamp_to_zero: bool,
    /// The lowest score while [member clamp_to_zero] is off. 0 to 1, default 0.05.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_floor_value)]
    #[init(val = 0.05)]
    floor_value: f64,
    /// On: the score is 1 for every number, and the rest is unused.
    #[export]
    #[var(set = set_always_one)]
    always_one: bool,
    base: Base<Resource>,
}

#[godot_api]
impl RangeCurve {
    /// The score of a number; 0 for NaN.
    #[func]
    pub fn sample(&self, x: f64) -> f64 {
        self.curve().sample(x)
    }

    /// A new curve for fighting at arm's length: 0, 1, 2.5, 5 m.
    #[func]
    pub fn melee() -> Gd<Self> {
        Self::with([0.0, 1.0, 2.5, 5.0])
    }

    /// A new curve for shooting and throwing: 3, 5, 10, 18 m.
    #[func]
    pub fn ranged() -> Gd<Self> {
        Self::with([3.0, 5.0, 10.0, 18.0])
    }

    /// A new curve for angles to the front: 0, 0, 30, 90 degrees.
    #[func]
    pub fn frontal_angle() -> Gd<Self> {
        Self::with([0.0, 0.0, 30.0, 90.0])
    }

    /// A new curve for a low share of health: 0, 0, 0.25, 0.5.
    #[func]
    pub fn low_health() -> Gd<Self> {
        Self::with([0.0, 0.0, 0.25, 0.5])
    }

    /// A new curve that is 1 for every number.
    #[func]
    pub fn always_one_curve() -> Gd<Self> {
        Gd::from_init_fn(|base| Self { always_one: true, ..Self::of([0.0, 1.0, 2.5, 5.0], base) })
    }

    #[func]
    fn set_min_value(&mut self, value: f64) {
        self.min_value = self.finite("min_value", value, self.min_value);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_optimal_min(&mut self, value: f64) {
        self.optimal_min = self.finite("optimal_min", value, self.optimal_min);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_optimal_max(&mut self, value: f64) {
        self.optimal_max = self.finite("optimal_max", value, self.optimal_max);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_max_value(&mut self, value: f64) {
        self.max_value = self.finite("max_value", value, self.max_value);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_exponent(&mut self, value: f64) {
        self.exponent = self.clamped("exponent", value, self.exponent, 0.1, 8.0);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_clamp_to_zero(&mut self, value: bool) {
        self.clamp_to_zero = value;
        self.base_mut().notify_property_list_changed();
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_floor_value(&mut self, value: f64) {
        self.floor_value = self.clamped("floor_value", value, self.floor_value, 0.0, 1.0);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_always_one(&mut self, value: bool) {
        self.always_one = value;
        self.base_mut().notify_property_list_changed();
        self.base_mut().emit_changed();
    }
}

#[godot_api]
impl IResource for RangeCurve {
    /// Greys out what has no effect now.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let name = property.property_name.to_string();
        let unused = match name.as_str() {
            "floor_value" => self.always_one || self.clamp_to_zero,
            "min_value" | "optimal_min" | "optimal_max" | "max_value" | "exponent" | "clamp_to_zero" => {
                self.always_one
            }
            _ => false,
        };
        if unused {
            property.usage |= PropertyUsageFlags::READ_ONLY;
        }
    }
}

impl RangeCurve {
    /// The compiled curve.
    pub(crate) fn curve(&self) -> Curve {
        if self.always_one {
            return Curve::always_one();
        }
        let floor = if self.clamp_to_zero { 0.0 } else { self.floor_value };
        Curve::new(self.values(), self.exponent, floor)
    }

    /// The four values as a short text.
    pub(crate) fn describe(&self) -> String {
        if self.always_one {
            return "always 1".to_owned();
        }
        let [a, b, c, d] = self.values();
        format!("{a}/{b}/{c}/{d}")
    }

    /// True if it is 1 for every number.
    pub(crate) fn is_always_one(&self) -> bool {
        self.always_one
    }

    /// The configuration warning, if there is one to give.
    pub(crate) fn warning(&self) -> Option<String> {
        let disordered = !self.always_one && !Curve::is_ordered(self.values());
        disordered.then(|| {
            format!("The values {} are used in ascending order. Sort them as you mean them.", self.describe())
        })
    }

    fn values(&self) -> [f64; 4] {
        [self.min_value, self.optimal_min, self.optimal_max, self.max_value]
    }

    fn with(values: [f64; 4]) -> Gd<Self> {
        Gd::from_init_fn(|base| Self::of(values, base))
    }

    fn of(values: [f64; 4], base: Base<Resource>) -> Self {
        let [min_value, optimal_min, optimal_max, max_value] = values;
        Self {
            min_value,
            optimal_min,
            optimal_max,
            max_value,
            exponent: 1.0,
            clamp_to_zero: true,
            floor_value: 0.05,
            always_one: false,
            base,
        }
    }
}
