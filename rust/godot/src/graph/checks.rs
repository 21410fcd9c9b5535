//! What the setters of graphs do with numbers.

use godot::classes::Object;
use godot::obj::{Inherits, WithBaseField};

use crate::base::messages;

/// `check(member, value, old, …)`: the value to store.
pub(super) trait GraphChecks: WithBaseField + Inherits<Object> {
    /// 0 or more, or -1 for the value of another place; anything else is -1.
    fn inherited(&self, member: &str, value: f64, _old: f64) -> f64 {
        let sound = if value.is_finite() && value >= 0.0 { value } else { -1.0 };
        if value != sound {
            let text = format!("{member} = {value} is read as -1. Give 0 or more, or -1 to leave it.");
            messages::warning(&self.to_gd(), member, "out of range", &text);
        }
        sound
    }
}

impl<T: WithBaseField + Inherits<Object>> GraphChecks for T {}
