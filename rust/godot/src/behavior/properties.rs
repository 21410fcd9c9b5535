//! Overrides: properties that a behaviour has while it is in.

use godot::prelude::*;

use super::state::Row;
use crate::base::messages;

/// The overrides that a behaviour can have. The others are named in a warning and left out.
pub(super) fn checked(
    about: &Gd<Node>,
    behavior: &Gd<Node>,
    wanted: &VarDictionary,
) -> Vec<(StringName, Variant)> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let known: Vec<String> = behavior
        .get_property_list()
        .iter_shared()
        .filter_map(|info| info.get("name").map(|name| name.to_string()))
        .collect();
    let mut found = Vec::new();
    for (key, value) in wanted.iter_shared() {
        let name = key.to_string();
        if known.contains(&name) {
            found.push((StringName::from(&name), value));
            continue;
        }
        let class = messages::class_label(behavior);
        let text = format!(
            "overrides has \"{name}\", which {class} \"{}\" has not; it is left out. Name a property of the behavior.",
            behavior.get_name()
        );
        messages::warning(about, "set_behavior", &name, &text);
    }
    found
}

/// Sets the overrides, and notes what was there. Runs setters of the game.
pub(super) fn apply(row: &Row) {
    for (name, value) in &row.overrides {
        let Some(mut node) = row.runner.root() else { return };
        let before = node.get(name);
        row.before.borrow_mut().push((name.clone(), before));
        node.set(name, value);
    }
}

/// Puts back what was there.
pub(super) fn restore(row: &Row) {
    let mut before = row.before.take();
    while let Some((name, value)) = before.pop() {
        if let Some(mut node) = row.runner.root() {
            node.set(&name, &value);
        }
    }
}
