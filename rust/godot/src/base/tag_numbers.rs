//! A property that gives tags numbers: `Dictionary[StringName, float]` in scripts and files.

use godot::builtin::{AnyDictionary, Dictionary, GString, StringName, Variant, VariantType};
use godot::classes::{Engine, Object};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToArg, ToGodot};
use godot::obj::{EngineEnum as _, Gd, Inherits, Singleton as _};
use godot::register::info::{ParamMetadata, PropertyHint, PropertyHintInfo, PropertyUsageFlags};
use godot::register::property::{Export, Var};
use riposte_core::tags::TagId;

use super::convert::type_name;
use super::{messages, tags};

/// Numbers between 0 and 10 by tag, in the order of the dictionary. What is stored is read-only: an entry that
/// a script sets behind our back would not be in the mirror.
pub(crate) struct TagNumbers {
    stored: Dictionary<StringName, f64>,
    entries: Vec<(TagId, f64)>,
}

const MAX: f64 = 10.0;

impl Default for TagNumbers {
    fn default() -> Self {
        Self { stored: Dictionary::new().into_read_only(), entries: Vec::new() }
    }
}

impl TagNumbers {
    /// What the setter of property `member` does. Any dictionary will do. A name that is no tag is left out with
    /// an error (in the editor it stays and is warned of); a number is clamped with a warning. False, with an
    /// error and without effect, if a key or a value is of another type.
    pub(crate) fn assign<T: Inherits<Object>>(
        &mut self,
        owner: &Gd<T>,
        member: &str,
        value: &NumbersByTag,
    ) -> bool {
        let editing = Engine::singleton().is_editor_hint();
        let mut stored: Dictionary<StringName, f64> = Dictionary::new();
        let mut entries = Vec::new();
        for (key, number) in value.0.iter_shared() {
            let Some((name, number)) = name_of(&key).zip(number.try_to_relaxed::<f64>().ok()) else {
                let text = format!(
                    "{member} has {} : {}; it stays as it was. Give tags and numbers.",
                    type_name(&key),
                    type_name(&number)
                );
                messages::error(owner, member, "type", &text);
                return false;
            };
            let number = checked(owner, member, &name, number);
            let tag =
                if editing { tags::intern(&name).ok() } else { tags::from_script(owner, member, &name) };
            if editing || tag.is_some() {
                stored.set(&StringName::from(&name), number);
            }
            entries.extend(tag.map(|tag| (tag, number)));
        }
        self.stored = stored.into_read_only();
        self.entries = entries;
        true
    }

    /// What the getter returns.
    pub(crate) fn stored(&self) -> NumbersByTag {
        NumbersByTag(self.stored.clone().upcast_any_dictionary())
    }

    /// The numbers, in order.
    pub(crate) fn entries(&self) -> &[(TagId, f64)] {
        &self.entries
    }

    /// Configuration warnings about names that are no tags or not declared.
    pub(crate) fn warnings(&self, member: &str) -> Vec<String> {
        self.stored.keys_shared().filter_map(|name| tags::warning(member, &name.to_string())).collect()
    }
}

fn name_of(key: &Variant) -> Option<String> {
    key.try_to_relaxed::<GString>().ok().map(|name| name.to_string())
}

fn checked<T: Inherits<Object>>(owner: &Gd<T>, member: &str, name: &str, number: f64) -> f64 {
    let used = if number.is_finite() { number.clamp(0.0, MAX) } else { 1.0 };
    if used != number {
        let text = format!("{member}[\"{name}\"] = {number} is read as {used}. Give 0 to {MAX}.");
        messages::warning(owner, member, name, &text);
    }
    used
}

/// Numbers by tag as accessors take and give them: typed in signatures, any dictionary from a script.
#[derive(Debug)]
pub(crate) struct NumbersByTag(AnyDictionary);

fn shape() -> GodotShape {
    // The value's own hint gives the inspector a slider.
    let (name, number) = (VariantType::STRING_NAME.ord(), VariantType::FLOAT.ord());
    let export = format!("{name}:;{number}/{}:0,{MAX},0.01", PropertyHint::RANGE.ord());
    let typed =
        PropertyHintInfo { hint: PropertyHint::DICTIONARY_TYPE, hint_string: "StringName;float".into() };
    GodotShape::Custom {
        variant_type: VariantType::DICTIONARY,
        var_hint: typed,
        export_hint: PropertyHintInfo {
            hint: PropertyHint::TYPE_STRING,
            hint_string: GString::from(&export),
        },
        class_name: None,
        usage_flags: PropertyUsageFlags::NONE,
        metadata: ParamMetadata::NONE,
    }
}

impl GodotConvert for TagNumbers {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        shape()
    }
}

impl Var for TagNumbers {
    type PubType = NumbersByTag;

    fn var_get(field: &Self) -> Self::Via {
        field.stored().0
    }

    fn var_set(_field: &mut Self, _value: Self::Via) {
        debug_assert!(false, "the property needs a setter that checks");
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.stored()
    }

    fn var_pub_set(_field: &mut Self, _value: Self::PubType) {
        debug_assert!(false, "the property needs a setter that checks");
    }
}

impl Export for TagNumbers {}

impl GodotConvert for NumbersByTag {
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        shape()
    }
}

impl ToGodot for NumbersByTag {
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, Self::Via, Self::Pass> {
        self.0.clone()
    }
}

impl FromGodot for NumbersByTag {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}
