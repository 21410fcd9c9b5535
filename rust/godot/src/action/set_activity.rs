//! What happens when a set becomes active for an agent: its methods load what they need.

use godot::prelude::*;

use super::driver;
use super::set_use::Found;

/// What the set of an evaluator did so far.
#[derive(Default)]
pub(super) struct Activity {
    /// The set that is active.
    set: Option<InstanceId>,
    /// Definitions of methods that were asked to load what they need.
    preloaded: Vec<InstanceId>,
    /// They are being asked.
    asking: bool,
}

/// Asks the methods that are new since the set became active. True if somebody was asked. Runs scripts.
pub(super) fn prepare(id: InstanceId, found: &Found) -> bool {
    let agent = driver::with(id, |state| state.agent).flatten();
    let Some(agent) = agent.and_then(|agent| Gd::<Node>::try_from_instance_id(agent).ok()) else {
        return false;
    };
    let set = found.resource.as_ref().map(|set| set.instance_id());
    let new = driver::activity(id, |activity| {
        if activity.asking {
            return Vec::new();
        }
        if activity.set != set {
            *activity = Activity { set, ..Activity::default() };
        }
        let mut new = Vec::new();
        for side in found.sides() {
            let preloads = side.method.as_ref().is_some_and(|method| method.preloads());
            let definition = side.definition.filter(|one| preloads && !activity.preloaded.contains(one));
            if let Some(definition) = definition {
                activity.preloaded.push(definition);
                new.push(side.clone());
            }
        }
        activity.asking = !new.is_empty();
        new
    });
    for method in new.iter().filter_map(|side| side.method.as_ref()) {
        if agent.is_instance_valid() {
            method.preload(&agent);
        }
    }
    if driver::with(id, |_| ()).is_some() {
        driver::activity(id, |activity| activity.asking = false);
    }
    !new.is_empty()
}

/// The evaluator leaves the tree; what it uses becomes active again when it comes back.
pub(super) fn leave(id: InstanceId) {
    driver::activity(id, |activity| *activity = Activity::default());
}
