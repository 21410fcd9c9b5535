//! What the setters of orders do with numbers: a wrong one never stays, and a warning says what counts instead.

use godot::classes::Object;
use godot::obj::{Inherits, WithBaseField};

use crate::base::messages;

/// `check(member, value, old, …)`: the value to store.
pub(super) trait CommandChecks: WithBaseField + Inherits<Object> {
    /// One of the constants from `min` to `max`, else `default`.
    fn choice(&self, member: &str, value: i64, _old: i64, min: i64, max: i64, default: i64) -> i64 {
        if (min..=max).contains(&value) {
            return value;
        }
        let text = format!("{member} = {value} is read as {default}. Use one of its constants.");
        messages::warning(&self.to_gd(), member, "unknown", &text);
        default
    }

    /// 0 or more, else 0; `default` for what is no finite number.
    fn amount(&self, member: &str, value: f64, _old: f64, default: f64) -> f64 {
        let sound = if value.is_finite() { value.max(0.0) } else { default };
        self.told(member, value, sound, "Give 0 or more.")
    }

    /// 0 or more, or -1 for the value of another place; anything else is -1.
    fn amount_or_inherited(&self, member: &str, value: f64, _old: f64) -> f64 {
        let sound = if value.is_finite() && value >= 0.0 { value } else { -1.0 };
        self.told(member, value, sound, "Give 0 or more, or -1 to leave it.")
    }

    /// A maximum of a range, 0 for none: not under `min`.
    fn range_end(&self, member: &str, value: f64, min: f64) -> f64 {
        let sound = if value > 0.0 && value < min { min } else { value };
        self.told(member, value, sound, "Give range_min or more, or 0 for no limit.")
    }

    /// The sound value, with a warning if it is another one.
    fn told(&self, member: &str, value: f64, sound: f64, fix: &str) -> f64 {
        if value != sound {
            let text = format!("{member} = {value} is read as {sound}. {fix}");
            messages::warning(&self.to_gd(), member, "out of range", &text);
        }
        sound
    }
}

impl<T: WithBaseField + Inherits<Object>> CommandChecks for T {}
