//! State in and out: dictionaries of plain values, with a version.

use godot::builtin::{GString, VarArray, VarDictionary, Variant};
use godot::classes::Object;
use godot::obj::{Gd, Inherits};

use super::messages;

/// A new state of this version.
pub(crate) fn versioned(version: i64) -> VarDictionary {
    let mut state = VarDictionary::new();
    state.set("version", version);
    state
}

/// Reads a state that was exported before. Every reader answers `None` when the structure is not as expected.
pub(crate) struct StateReader<'a> {
    state: &'a VarDictionary,
}

impl<'a> StateReader<'a> {
    /// The reader, or `None` with an error if the version is another. Numbers of JSON are floats.
    pub(crate) fn open<T: Inherits<Object>>(
        about: &Gd<T>,
        state: &'a VarDictionary,
        version: i64,
    ) -> Option<Self> {
        let found = state.get("version").and_then(|value| value.try_to_relaxed::<f64>().ok());
        if found == Some(version as f64) {
            return Some(Self { state });
        }
        let found = found.map_or_else(|| "no version".to_owned(), |number| format!("version {number}"));
        let text = format!("import_state() got a state of {found}. It reads version {version}.");
        messages::error(about, "import_state", &found, &text);
        None
    }

    /// The dictionary under a key.
    pub(crate) fn dictionary(&self, key: &str) -> Option<VarDictionary> {
        self.state.get(key)?.try_to::<VarDictionary>().ok()
    }

    /// The list of `[name, value]` under a key. Lists keep their order in JSON, dictionaries do not.
    pub(crate) fn pairs(&self, key: &str) -> Option<Vec<(String, Variant)>> {
        let list = self.state.get(key)?.try_to::<VarArray>().ok()?;
        list.iter_shared().map(|pair| name_and_value(&pair)).collect()
    }
}

fn name_and_value(pair: &Variant) -> Option<(String, Variant)> {
    let pair = pair.try_to::<VarArray>().ok()?;
    let name = pair.get(0)?.try_to_relaxed::<GString>().ok()?;
    Some((name.to_string(), pair.get(1)?))
}

/// The error about a state that is not built as `export_state` builds it; always false.
pub(crate) fn refuse_structure<T: Inherits<Object>>(about: &Gd<T>) -> bool {
    let text = "import_state() got a state with another structure. Give what export_state() returned.";
    messages::error(about, "import_state", "structure", text);
    false
}

/// A finite number.
pub(crate) fn number(value: &Variant) -> Option<f64> {
    value.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite())
}
