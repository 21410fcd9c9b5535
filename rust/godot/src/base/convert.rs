//! Engine values and core values. The core computes in f64; the engine stores f32.

use glam::DVec3;
use godot::builtin::{Variant, VariantType, Vector3};

/// A point or direction for the core.
pub(crate) fn dvec3(v: Vector3) -> DVec3 {
    DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

/// A point or direction for the engine.
pub(crate) fn vector3(v: DVec3) -> Vector3 {
    Vector3::new(v.x as f32, v.y as f32, v.z as f32)
}

/// What a value is, for a message.
pub(crate) fn type_name(value: &Variant) -> &'static str {
    match value.get_type() {
        VariantType::NIL => "null",
        other => other.godot_type_name(),
    }
}
