//! The `range` property of scorers: one RangeCurve, whose edits count as edits of the scorer.

use std::cell::Cell;

use godot::meta::GodotConvert;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use godot::register::info::{ParamMetadata, PropertyHint, PropertyHintInfo, PropertyUsageFlags};
use riposte_core::action::RangeCurve as Curve;

use super::RangeCurve;
use crate::base::defaults;
use crate::base::family::rewire;

/// A curve or nothing. A scorer without a curve has no effect.
pub(crate) struct RangeSlot {
    stored: Option<Gd<RangeCurve>>,
    /// The default curve is made under construction, where nothing can be connected. It can't be edited before a
    /// script or the inspector got it by the getter.
    wired: Cell<bool>,
}

impl RangeSlot {
    /// The default value of a property: a new curve.
    pub(crate) fn preset(curve: fn() -> Gd<RangeCurve>) -> Self {
        let stored = if defaults::asking() { None } else { Some(curve()) };
        Self { stored, wired: Cell::new(false) }
    }

    /// What the getter returns. No owner as a counted reference here: the engine asks a getter for the default
    /// value on an instance that nobody refers to yet, and dropping a first reference would free it.
    pub(crate) fn get(&self, owner: &Gd<Resource>) -> Option<Gd<RangeCurve>> {
        if !self.wired.replace(true) {
            rewire(owner, &[], &resources(&self.stored));
        }
        self.stored.clone()
    }

    /// What the setter does; emit `changed` afterwards.
    pub(crate) fn assign<T: Inherits<Resource>>(&mut self, owner: &Gd<T>, value: Option<Gd<RangeCurve>>) {
        rewire(&owner.clone().upcast(), &resources(&self.stored), &resources(&value));
        self.wired.set(true);
        self.stored = value;
    }

    /// The compiled curve.
    pub(crate) fn curve(&self) -> Option<Curve> {
        self.stored.as_ref().map(|curve| curve.bind().curve())
    }

    /// A label: the class with its range.
    pub(crate) fn label(&self, class: &str, unit: &str) -> String {
        match &self.stored {
            Some(curve) => format!("{class} ({}{unit})", curve.bind().describe()),
            None => format!("{class} (no range)"),
        }
    }

    /// The configuration warning, if there is one to give.
    pub(crate) fn warning(&self) -> Option<String> {
        match &self.stored {
            Some(curve) => curve.bind().warning(),
            None => Some(
                "There is no range, so the scorer has no effect. Set range or remove the scorer.".to_owned(),
            ),
        }
    }
}

fn resources(curve: &Option<Gd<RangeCurve>>) -> Vec<Gd<Resource>> {
    curve.iter().map(|curve| curve.clone().upcast()).collect()
}

impl GodotConvert for RangeSlot {
    type Via = Option<Gd<RangeCurve>>;

    fn godot_shape() -> GodotShape {
        let curves = PropertyHintInfo { hint: PropertyHint::RESOURCE_TYPE, hint_string: "RangeCurve".into() };
        GodotShape::Custom {
            variant_type: VariantType::OBJECT,
            var_hint: PropertyHintInfo::none(),
            export_hint: curves,
            class_name: Some("RangeCurve".into()),
            // An empty range has a meaning of its own, so it is stored.
            usage_flags: PropertyUsageFlags::STORE_IF_NULL,
            metadata: ParamMetadata::NONE,
        }
    }
}

impl Var for RangeSlot {
    type PubType = Option<Gd<RangeCurve>>;

    fn var_get(field: &Self) -> Self::Via {
        field.stored.clone()
    }

    fn var_set(_field: &mut Self, _value: Self::Via) {
        debug_assert!(false, "the property needs a setter that listens");
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.stored.clone()
    }

    fn var_pub_set(_field: &mut Self, _value: Self::PubType) {
        debug_assert!(false, "the property needs a setter that listens");
    }
}

impl Export for RangeSlot {}
