//! Where an agent says that it looks.

use std::sync::OnceLock;

use godot::prelude::*;

use super::providers::{self, Found};

/// Whether an agent has the method.
static ANSWERS: Found<bool> = Found::nothing();

fn method() -> &'static StringName {
    static METHOD: OnceLock<StringName> = OnceLock::new();
    METHOD.get_or_init(|| StringName::from("get_facing_direction"))
}

/// True if the agent has `get_facing_direction()`. Looked up again when its script changes.
pub(crate) fn answers(agent: &Gd<Node>) -> bool {
    *ANSWERS.about(agent, |nodes| nodes.first().is_some_and(|agent| providers::has(agent, method(), 0)))
}

/// What that method says; `None` without it, and if it is no direction. Runs the agent's script: nothing may be bound or
/// locked.
pub(crate) fn asked(agent: InstanceId) -> Option<Vector3> {
    let known = ANSWERS.known(agent).map(|answers| *answers);
    let answers =
        known.unwrap_or_else(|| Gd::try_from_instance_id(agent).is_ok_and(|node| self::answers(&node)));
    let answer = answers.then(|| providers::call(agent, method(), &[])).flatten()?;
    let flat = || answer.try_to::<Vector2>().map(|v| Vector3::new(v.x, v.y, 0.0));
    answer.try_to::<Vector3>().or_else(|_| flat()).ok().filter(|v| v.is_finite())
}
