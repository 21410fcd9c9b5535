//! Resource classes written as a table of their properties: sets, actions, scorers, gates.

use godot::obj::WithBaseField;
use godot::prelude::*;

use super::RangeCurve;
use super::range_slot::RangeSlot;
use crate::base::family::{ArrayOf, ClassArray, ElementClass, Family, FamilyArray, FamilySlot};
use crate::base::numbers::Checked;
use crate::base::tag_numbers::{NumbersByTag, TagNumbers};
use crate::base::tags::{self, TagList};

/// `check(member, value, old, …)`: the value to store. All have the same form, so that a table can name them.
pub(crate) trait SpecChecks: Checked + WithBaseField + Inherits<Object> {
    /// Any value.
    fn any<V>(&self, _member: &str, value: V, _old: V) -> V {
        value
    }

    /// An integer within `min` and `max`.
    fn count(&self, member: &str, value: i64, _old: i64, min: i64, max: i64) -> i64 {
        self.clamped_int(member, value, min, max)
    }

    /// Bits of physics layers; a negative number has all bits that it has in 32.
    fn layers(&self, _member: &str, value: i64, _old: i64) -> i64 {
        i64::from(value as u32)
    }

    /// 0 to 1.
    fn share(&self, member: &str, value: f64, old: f64) -> f64 {
        self.clamped(member, value, old, 0.0, 1.0)
    }

    /// A tag or nothing; `old` if it is none.
    fn tag(&self, member: &str, value: StringName, old: StringName) -> StringName {
        tags::single(&self.to_gd(), member, value, &old)
    }
}

impl<T: Checked + WithBaseField + Inherits<Object>> SpecChecks for T {}

/// A property that checks what it is given itself.
pub(crate) trait Slot {
    /// As scripts give and get it.
    type Given;
    /// `owner` is only borrowed: a getter makes no counted reference of its resource.
    fn given(&self, owner: &Gd<Resource>) -> Self::Given;
    /// False: refused, nothing changed.
    fn put(&mut self, owner: &Gd<Resource>, member: &str, value: Self::Given) -> bool;
}

impl Slot for TagList {
    type Given = PackedStringArray;

    fn given(&self, _owner: &Gd<Resource>) -> PackedStringArray {
        self.typed()
    }

    fn put(&mut self, owner: &Gd<Resource>, member: &str, value: PackedStringArray) -> bool {
        self.assign(owner, member, value);
        true
    }
}

impl<F: Family> Slot for FamilySlot<F> {
    type Given = Option<Gd<Resource>>;

    fn given(&self, _owner: &Gd<Resource>) -> Option<Gd<Resource>> {
        self.stored()
    }

    fn put(&mut self, owner: &Gd<Resource>, member: &str, value: Option<Gd<Resource>>) -> bool {
        self.assign(owner, member, value)
    }
}

impl<F: Family> Slot for FamilyArray<F> {
    type Given = AnyArray;

    fn given(&self, _owner: &Gd<Resource>) -> AnyArray {
        self.stored()
    }

    fn put(&mut self, owner: &Gd<Resource>, member: &str, value: AnyArray) -> bool {
        self.assign(owner, member, &value)
    }
}

impl Slot for TagNumbers {
    type Given = NumbersByTag;

    fn given(&self, _owner: &Gd<Resource>) -> NumbersByTag {
        self.stored()
    }

    fn put(&mut self, owner: &Gd<Resource>, member: &str, value: NumbersByTag) -> bool {
        self.assign(owner, member, &value)
    }
}

impl Slot for RangeSlot {
    type Given = OptionalCurve;

    fn given(&self, owner: &Gd<Resource>) -> OptionalCurve {
        self.get(owner)
    }

    fn put(&mut self, owner: &Gd<Resource>, _member: &str, value: OptionalCurve) -> bool {
        self.assign(owner, value);
        true
    }
}

impl<T: ElementClass> Slot for ClassArray<T> {
    type Given = ArrayOf<T>;

    fn given(&self, _owner: &Gd<Resource>) -> ArrayOf<T> {
        self.stored()
    }

    fn put(&mut self, owner: &Gd<Resource>, member: &str, value: ArrayOf<T>) -> bool {
        self.assign(owner, member, &value)
    }
}

/// Writes a class of a resource from a table of its properties.
///
/// A line is `attributes name: type = default => setter(check, arguments);` or, for a [`Slot`],
/// `… slot getter, setter(type that scripts give);`. Types and defaults are one token or in brackets. The names of a choice
/// are identifiers in `#[export(enum)]`; where one has several words, they stand behind the setter: `choices "On Start:0"`.
macro_rules! resource_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident;
        properties { $(
            $(#[$($attribute:tt)*])*
            $field:ident: $type:tt = $default:tt
                $(=> $setter:ident($check:ident $($arguments:tt)*) $(choices $choices:literal)?)?
                $(slot $get:ident, $set:ident($given:ident))?;
        )* }
        items { $($items:tt)* }
    ) => {
        $(#[$($head)*])*
        #[derive(GodotClass)]
        #[class(init, tool, base = Resource)]
        pub struct $name {
            $(
                $(#[$($attribute)*])*
                $(#[var(set = $setter $(, hint = ENUM, hint_string = $choices)?)])?
                $(#[var(get = $get, set = $set)])?
                #[init(val = $default)]
                pub(crate) $field: $type,
            )*
            base: Base<Resource>,
        }

        #[godot_api]
        impl $name {
            $($items)*

            $($(
                #[func]
                fn $setter(&mut self, value: $type) {
                    let old = self.$field.clone();
                    self.$field = self.$check(stringify!($field), value, old $($arguments)*);
                    self.base_mut().emit_changed();
                }
            )?
            $(
                #[func]
                fn $get(&self) -> $given {
                    self.$field.given(&self.base())
                }

                #[func]
                fn $set(&mut self, value: $given) {
                    let this = self.to_gd().upcast();
                    if self.$field.put(&this, stringify!($field), value) {
                        self.base_mut().emit_changed();
                    }
                }
            )?)*
        }
    };
}

pub(crate) use resource_class;

/// A curve or nothing, as scripts give it.
pub(crate) type OptionalCurve = Option<Gd<RangeCurve>>;
