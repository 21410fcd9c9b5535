//! What an order hands to abilities and actions.

use godot::prelude::*;

use super::CommandHandle;
use crate::action::ActionContext;
use crate::optional::Optional;

/// A context with the order's target, and with `object`, `magnitude` and `tags` of its payload.
pub(super) fn context_of(handle: &Gd<CommandHandle>) -> Gd<ActionContext> {
    let (target, payload) = {
        let handle = handle.bind();
        (handle.get_target(), handle.get_payload())
    };
    let magnitude = payload.get("magnitude").and_then(|value| value.try_to_relaxed::<f64>().ok());
    let object = payload.get("object").and_then(|value| value.try_to::<Optional<Object>>().ok());
    let tags = payload.get("tags").map(|value| tags_of(&value)).unwrap_or_default();
    ActionContext::create(
        Optional(target),
        magnitude.filter(|magnitude| magnitude.is_finite()).unwrap_or(0.0),
        object.unwrap_or_else(Optional::null),
        tags,
    )
}

/// One tag, or any kind of array of them.
fn tags_of(value: &Variant) -> PackedStringArray {
    if let Ok(tags) = value.try_to::<PackedStringArray>() {
        return tags;
    }
    let one = |value: &Variant| value.try_to_relaxed::<GString>().ok();
    match value.try_to::<AnyArray>() {
        Ok(list) => list.iter_shared().filter_map(|tag| one(&tag)).collect(),
        Err(_) => one(value).into_iter().collect(),
    }
}
