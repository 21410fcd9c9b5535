//! Configuration warnings of a stack and of its states.

use godot::prelude::*;

use super::BehaviorState;

/// About the states below a stack that begin by themselves.
pub(super) fn autostarts(stack: &Gd<Node>, layers: &PackedStringArray) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    let mut warnings = Vec::new();
    for (layer, node) in autostarting(stack) {
        let layer = layer.to_string();
        let name = node.get_name();
        if !layers.contains(&layer) {
            warnings.push(format!(
                "{name}: autostart_layer is \"{layer}\", which is not in layers. Known: {}.",
                names(layers)
            ));
        } else if seen.contains(&layer) {
            warnings.push(format!(
                "{name} is not the only one that begins on layer \"{layer}\"; the last one does. Clear autostart_layer \
                 of the others."
            ));
        }
        seen.push(layer);
    }
    warnings
}

/// The states below a stack that begin by themselves, with their layers, in their order.
pub(super) fn autostarting(stack: &Gd<Node>) -> Vec<(StringName, Gd<BehaviorState>)> {
    let children = stack.get_children();
    let states = children.iter_shared().filter_map(|child| child.try_cast::<BehaviorState>().ok());
    let layer_of = |state: &Gd<BehaviorState>| state.bind().autostart_layer();
    states.map(|state| (layer_of(&state), state)).filter(|found| !found.0.is_empty()).collect()
}

/// Names for a message.
pub(super) fn names(layers: &PackedStringArray) -> String {
    let names: Vec<String> = layers.as_slice().iter().map(GString::to_string).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
