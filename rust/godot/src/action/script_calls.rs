//! Calls into scripts that extend our resource classes.
//!
//! By name and as a Variant: a script may return another type than the virtual says, which is no reason to panic.
//! Nothing may be bound or locked.

use std::sync::OnceLock;

use godot::builtin::{GString, StringName, Variant, VariantType};
use godot::classes::{Engine, Node, Resource};
use godot::obj::{Gd, Singleton as _};

use super::names::names;
use crate::base::{messages, script_method};

/// True if a script overrides this virtual and may run here: in the editor only a tool script does.
pub(crate) fn overrides(resource: &Gd<Resource>, method: &StringName) -> bool {
    script_method::exists(resource, method)
        && (!is_editor() || resource.get_script().is_some_and(|script| script.is_tool()))
}

/// The same for a node.
pub(crate) fn overrides_node(node: &Gd<Node>, method: &StringName) -> bool {
    script_method::exists(node, method) && !is_editor()
}

/// It stays the same as long as the program runs.
fn is_editor() -> bool {
    static EDITOR: OnceLock<bool> = OnceLock::new();
    *EDITOR.get_or_init(|| Engine::singleton().is_editor_hint())
}

/// Calls a virtual that the script overrides.
pub(crate) fn call(resource: &Gd<Resource>, method: &StringName, arguments: &[Variant]) -> Variant {
    script_method::call(resource, method, arguments)
}

/// The answer as a number; NaN if it is none.
pub(crate) fn number(answer: &Variant) -> f64 {
    match answer.get_type() {
        VariantType::FLOAT => answer.to::<f64>(),
        _ => answer.try_to_relaxed::<f64>().unwrap_or(f64::NAN),
    }
}

/// The answer as yes or no; no if it is neither.
pub(crate) fn truth(answer: &Variant) -> bool {
    match answer.get_type() {
        VariantType::BOOL => answer.to::<bool>(),
        _ => answer.try_to_relaxed::<bool>().unwrap_or(false),
    }
}

/// The label of a scriptable resource: what its script says, else the class name.
pub(crate) fn display_name(resource: &Gd<Resource>) -> String {
    if overrides(resource, &names().display_name) {
        let answer = call(resource, &names().display_name, &[]);
        if let Ok(name) = answer.try_to_relaxed::<GString>()
            && !name.is_empty()
        {
            return name.to_string();
        }
    }
    messages::class_label(resource)
}
