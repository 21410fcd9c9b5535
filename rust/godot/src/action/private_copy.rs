//! What the private copy of a definition gets: the values of its properties, containers copied one level deep.

use godot::obj::Inherits;
use godot::prelude::*;
use godot::register::info::PropertyUsageFlags;

/// Stored properties of every resource that are not the method's own. Its name is copied too, but without its property:
/// hardly any has one.
const NOT_COPIED: &[&str] = &["script", "resource_path", "resource_local_to_scene", "resource_name"];

/// The properties of a definition that its copies get.
pub(crate) fn stored_properties(resource: &Gd<Resource>) -> Vec<StringName> {
    let mut found = Vec::new();
    for info in resource.get_property_list().iter_shared() {
        let usage = info.get("usage").and_then(|usage| usage.try_to::<i64>().ok()).unwrap_or_default();
        let stored = usage.cast_unsigned() & PropertyUsageFlags::STORAGE.ord() != 0;
        if let Some(name) = info.get("name").filter(|_| stored) {
            found.push(name.to_string());
        }
    }
    found.retain(|name| !NOT_COPIED.contains(&name.as_str()));
    found.iter().map(StringName::from).collect()
}

/// Gives a copy the name of its definition and the values of these properties. Runs setters of its script.
pub(crate) fn fill<T: Inherits<Resource>>(from: &Gd<T>, to: &mut Gd<T>, properties: &[StringName]) {
    let (from, to) = (from.upcast_ref::<Resource>(), to.upcast_mut::<Resource>());
    let name = from.get_name();
    if !name.is_empty() {
        to.set_name(&name);
    }
    for property in properties {
        to.set(property, &one_level_copy(&from.get(property)));
    }
}

/// Containers are copied, what they contain is shared. Some engines' `duplicate()` shares the containers too.
fn one_level_copy(value: &Variant) -> Variant {
    // A packed array inside a Variant is shared; a new Variant around the same array is not.
    fn repacked<T: FromGodot + ToGodot>(value: &Variant) -> Variant {
        value.try_to::<T>().map(|array| array.to_variant()).unwrap_or_default()
    }
    match value.get_type() {
        VariantType::ARRAY => value.to::<AnyArray>().duplicate_shallow().to_variant(),
        VariantType::DICTIONARY => value.to::<AnyDictionary>().duplicate_shallow().to_variant(),
        VariantType::PACKED_BYTE_ARRAY => repacked::<PackedByteArray>(value),
        VariantType::PACKED_INT32_ARRAY => repacked::<PackedInt32Array>(value),
        VariantType::PACKED_INT64_ARRAY => repacked::<PackedInt64Array>(value),
        VariantType::PACKED_FLOAT32_ARRAY => repacked::<PackedFloat32Array>(value),
        VariantType::PACKED_FLOAT64_ARRAY => repacked::<PackedFloat64Array>(value),
        VariantType::PACKED_STRING_ARRAY => repacked::<PackedStringArray>(value),
        VariantType::PACKED_VECTOR2_ARRAY => repacked::<PackedVector2Array>(value),
        VariantType::PACKED_VECTOR3_ARRAY => repacked::<PackedVector3Array>(value),
        VariantType::PACKED_VECTOR4_ARRAY => repacked::<PackedVector4Array>(value),
        VariantType::PACKED_COLOR_ARRAY => repacked::<PackedColorArray>(value),
        _ => value.clone(),
    }
}
