//! Numbers are checked where they enter: NaN and infinity are refused, the rest is clamped, with a warning.

use godot::classes::Object;
use godot::obj::{Inherits, WithBaseField};

use super::messages;

/// Checks of the values that a setter is given; `member` is the property's name.
pub(crate) trait Checked {
    /// The value if it is finite, else `old`.
    fn finite(&self, member: &str, value: f64, old: f64) -> f64;
    /// The value within `min` and `max`; `old` if it is not finite.
    fn clamped(&self, member: &str, value: f64, old: f64, min: f64, max: f64) -> f64;
    /// The value if it is not negative, 0 if it is; `old` if it is not finite.
    fn not_negative(&self, member: &str, value: f64, old: f64) -> f64;
    /// A time-out: the value if it is finite and not negative, else 0, which is none.
    fn timeout(&self, member: &str, value: f64, old: f64) -> f64;
    /// The integer within `min` and `max`.
    fn clamped_int(&self, member: &str, value: i64, min: i64, max: i64) -> i64;
    /// One of the constants from `min` to `max`, else the old value and an error.
    fn constant(&self, member: &str, value: i64, old: i64, min: i64, max: i64) -> i64;
}

impl<T> Checked for T
where
    T: WithBaseField + Inherits<Object>,
{
    fn finite(&self, member: &str, value: f64, old: f64) -> f64 {
        if value.is_finite() {
            return value;
        }
        let text = format!("{member} = {value} is refused, it stays {old}. Give a finite number.");
        messages::warning(&self.to_gd(), member, "not finite", &text);
        old
    }

    fn clamped(&self, member: &str, value: f64, old: f64, min: f64, max: f64) -> f64 {
        let value = self.finite(member, value, old);
        let clamped = value.clamp(min, max);
        if clamped != value {
            let text = format!("{member} = {value} is read as {clamped}. Give {}.", range(min, max));
            messages::warning(&self.to_gd(), member, "out of range", &text);
        }
        clamped
    }

    fn not_negative(&self, member: &str, value: f64, old: f64) -> f64 {
        self.clamped(member, value, old, 0.0, f64::INFINITY)
    }

    fn timeout(&self, member: &str, value: f64, _old: f64) -> f64 {
        if value.is_finite() && value >= 0.0 {
            return value;
        }
        let reason = if value.is_finite() { "out of range" } else { "not finite" };
        let text = format!("{member} = {value} is read as 0. Give 0 or more.");
        messages::warning(&self.to_gd(), member, reason, &text);
        0.0
    }

    fn clamped_int(&self, member: &str, value: i64, min: i64, max: i64) -> i64 {
        let clamped = value.clamp(min, max);
        if clamped != value {
            let text = format!("{member} = {value} is read as {clamped}. Give {min} to {max}.");
            messages::warning(&self.to_gd(), member, "out of range", &text);
        }
        clamped
    }

    fn constant(&self, member: &str, value: i64, old: i64, min: i64, max: i64) -> i64 {
        if (min..=max).contains(&value) {
            return value;
        }
        let text = format!("{member} = {value} is refused, it stays {old}. Use one of its constants.");
        messages::error(&self.to_gd(), member, "unknown", &text);
        old
    }
}

fn range(min: f64, max: f64) -> String {
    if max.is_infinite() { format!("{min} or more") } else { format!("{min} to {max}") }
}
