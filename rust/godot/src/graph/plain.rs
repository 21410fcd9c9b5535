//! States as plain values: what is made of numbers, texts, lists and dictionaries, also after a way through JSON.

use godot::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

/// A state as scripts get it.
pub(super) fn shown<T: Serialize>(state: &T) -> Variant {
    serde_json::to_value(state).map_or_else(|_| Variant::nil(), |value| to_variant(&value))
}

/// A state from what a script gave; `None` if it is built differently.
pub(super) fn read<T: DeserializeOwned>(given: &Variant) -> Option<T> {
    serde_json::from_value(to_value(given)?).ok()
}

fn to_variant(value: &Value) -> Variant {
    match value {
        Value::Null => Variant::nil(),
        Value::Bool(truth) => truth.to_variant(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.to_variant(),
            None => number.as_f64().unwrap_or(0.0).to_variant(),
        },
        Value::String(text) => GString::from(text.as_str()).to_variant(),
        Value::Array(items) => items.iter().map(to_variant).collect::<VarArray>().to_variant(),
        Value::Object(entries) => {
            let mut shown = VarDictionary::new();
            for (key, value) in entries {
                shown.set(key.as_str(), &to_variant(value));
            }
            shown.to_variant()
        }
    }
}

fn to_value(given: &Variant) -> Option<Value> {
    /// Far more than a state needs, and far less than the stack holds.
    const DEEPEST: u32 = 100;
    value_within(given, DEEPEST)
}

fn value_within(given: &Variant, depth: u32) -> Option<Value> {
    let inner = |given: &Variant| value_within(given, depth.checked_sub(1)?);
    Some(match given.get_type() {
        VariantType::NIL => Value::Null,
        VariantType::BOOL => Value::Bool(given.to()),
        VariantType::INT => Value::Number(Number::from(given.to::<i64>())),
        VariantType::FLOAT => number(given.to())?,
        VariantType::STRING | VariantType::STRING_NAME => {
            Value::String(given.try_to_relaxed::<GString>().ok()?.to_string())
        }
        VariantType::ARRAY => {
            let items = given.try_to::<AnyArray>().ok()?;
            Value::Array(items.iter_shared().map(|item| inner(&item)).collect::<Option<_>>()?)
        }
        VariantType::PACKED_BYTE_ARRAY => {
            let bytes = given.try_to::<PackedByteArray>().ok()?;
            Value::Array(bytes.as_slice().iter().map(|byte| Value::Number(Number::from(*byte))).collect())
        }
        VariantType::DICTIONARY => {
            let entries = given.try_to::<AnyDictionary>().ok()?;
            let mut made = Map::new();
            for (key, value) in entries.iter_shared() {
                made.insert(key.try_to_relaxed::<GString>().ok()?.to_string(), inner(&value)?);
            }
            Value::Object(made)
        }
        _ => return None,
    })
}

/// The numbers of JSON are floats; whole ones may have been integers.
fn number(given: f64) -> Option<Value> {
    if given.fract() == 0.0 && given.abs() < 9.0e15 {
        return Some(Value::Number(Number::from(given as i64)));
    }
    Number::from_f64(given).map(Value::Number)
}
