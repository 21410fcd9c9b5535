//! Checks of what the setters of the perception nodes are given. All have the same form, so that a table can name them.

use godot::builtin::PackedStringArray;
use godot::classes::{Engine, Node, Object};
use godot::obj::{Gd, GodotClass, Inherits, Singleton as _, WithBaseField};

use crate::base::numbers::Checked;
use crate::base::paths::{PathList, Paths};
use crate::base::tags::{self, TagList};
use crate::base::{messages, ticking};

use super::dimension::{Axes, AxesList};

/// `check(member, value, old, …)`: the value to store.
pub(super) trait Checks: Checked + WithBaseField + Inherits<Object> {
    /// Any value.
    fn any<V>(&self, _member: &str, value: V, _old: V) -> V {
        value
    }

    /// Any int, as the engine's masks take it: `~2` is a negative number to GDScript.
    fn mask(&self, _member: &str, value: i64, _old: i64) -> i64 {
        i64::from(value as u32)
    }

    /// When the node ticks.
    fn callback(&self, _member: &str, value: i64, old: i64) -> i64
    where
        Self: Inherits<Node>,
    {
        ticking::checked_callback(&self.to_gd(), value, old, false)
    }

    /// An integer within `min` and `max`; others are clamped, with a warning.
    fn count(&self, member: &str, value: i64, _old: i64, min: i64, max: i64) -> i64 {
        self.clamped_int(member, value, min, max)
    }

    /// A point or an offset; one that is not finite is refused, with a warning.
    fn vector<V: Axes>(&self, member: &str, value: V, old: V) -> V {
        if value.widened().is_finite() {
            return value;
        }
        let text = format!("{member} = {value} is refused, it stays {old}. Give finite numbers.");
        messages::warning(&self.to_gd(), member, "not finite", &text);
        old
    }

    /// Offsets; a list with one that is not finite is refused, with a warning.
    fn vectors<L: AxesList>(&self, member: &str, value: L, old: L) -> L {
        if value.widened().iter().all(|point| point.is_finite()) {
            return value;
        }
        let text = format!(
            "{member} with a point that is not finite is refused, it stays as it was. Give finite numbers."
        );
        messages::warning(&self.to_gd(), member, "not finite", &text);
        old
    }
}

impl<T: Checked + WithBaseField + Inherits<Object>> Checks for T {}

/// A property that holds a list and checks it itself.
pub(super) trait Listed {
    /// As scripts give and get it.
    type Given;
    fn given(&self) -> Self::Given;
    fn put(&mut self, owner: &Gd<Node>, member: &str, value: Self::Given);
}

impl Listed for TagList {
    type Given = PackedStringArray;

    fn given(&self) -> PackedStringArray {
        self.typed()
    }

    /// A list with a name that is no tag is refused as a whole, except in the editor, where names are typed letter by letter.
    fn put(&mut self, owner: &Gd<Node>, member: &str, value: PackedStringArray) {
        let editing = Engine::singleton().is_editor_hint();
        if editing || tags::from_script_array(owner, member, &value).1 {
            self.assign(owner, member, value);
        }
    }
}

impl<T: GodotClass> Listed for PathList<T> {
    type Given = Paths;

    fn given(&self) -> Paths {
        self.stored()
    }

    fn put(&mut self, owner: &Gd<Node>, member: &str, value: Paths) {
        self.assign(owner, member, &value);
    }
}
