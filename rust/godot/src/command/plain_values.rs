//! Values that a file of plain text can hold.

use godot::prelude::*;

/// Lists within lists at the most; what is deeper, or within itself, is left out.
const DEEPEST: u32 = 16;

/// A copy of a value without what is not plain; `lost` is told where something was left out. `None`: nothing is left.
pub(super) fn plain(value: &Variant, place: &str, lost: &mut Vec<String>) -> Option<Variant> {
    copy(value, place, lost, 0)
}

fn copy(value: &Variant, place: &str, lost: &mut Vec<String>, depth: u32) -> Option<Variant> {
    let kept = match value.get_type() {
        VariantType::NIL | VariantType::BOOL | VariantType::INT | VariantType::STRING => Some(value.clone()),
        VariantType::FLOAT if value.to::<f64>().is_finite() => Some(value.clone()),
        VariantType::STRING_NAME => Some(GString::from(&value.to::<StringName>()).to_variant()),
        VariantType::ARRAY if depth < DEEPEST => {
            let list = value.to::<AnyArray>();
            let copies = list.iter_shared().enumerate();
            let copies = copies
                .map(|(at, one)| copy(&one, &format!("{place}[{at}]"), lost, depth + 1).unwrap_or_default());
            Some(copies.collect::<VarArray>().to_variant())
        }
        VariantType::DICTIONARY if depth < DEEPEST => {
            Some(entries(&value.to::<AnyDictionary>(), place, lost, depth).to_variant())
        }
        _ => None,
    };
    if kept.is_none() {
        lost.push(place.to_owned());
    }
    kept
}

fn entries(known: &AnyDictionary, place: &str, lost: &mut Vec<String>, depth: u32) -> VarDictionary {
    let mut made = VarDictionary::new();
    for (key, value) in known.iter_shared() {
        let name = match key.get_type() {
            VariantType::STRING => key.to::<GString>(),
            VariantType::STRING_NAME => GString::from(&key.to::<StringName>()),
            _ => {
                lost.push(format!("{place}[{key}]"));
                continue;
            }
        };
        if let Some(value) = copy(&value, &format!("{place}.{name}"), lost, depth + 1) {
            made.set(&name, &value);
        }
    }
    made
}
