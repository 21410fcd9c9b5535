//! Whether an agent sees a target: for actions that need it, and for scripts that ask the context.

use std::cell::RefCell;

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::{SightBudget, SightMemory, TargetKey};

use super::places::{Body, units_per_meter};
use super::world::node_of;
use super::{key_of, reacting, with};
use crate::base::lookup::{self, Part};
use crate::base::settings;
use crate::perception;

thread_local! {
    /// All evaluators share it: rays are cast on the main thread only.
    static BUDGET: RefCell<SightBudget> = const { RefCell::new(SightBudget::new()) };
}

/// The eye of an agent without a Perception, and what its evaluator saw.
pub(in crate::action) struct Eye {
    /// Metres above the agent's origin.
    pub height: f64,
    /// Physics layers that block.
    pub mask: u32,
    pub memory: SightMemory,
    /// What the context says that a script brought for this decision.
    given: Option<bool>,
}

impl Default for Eye {
    /// As the properties of a new node: no setter is called for these.
    fn default() -> Self {
        Self { height: 1.6, mask: 1, memory: SightMemory::default(), given: None }
    }
}

/// Answers the core.
pub(super) fn answer(id: InstanceId, target: TargetKey) -> bool {
    node_of(target).is_some_and(|node| sees(id, &node))
}

/// Whether the agent of an evaluator sees a node. In one decision a target is looked at once. Outside the physics step, and
/// when the rays of this step are used up, what was seen last counts for a short time. May ask the target's stance.
pub(in crate::action) fn sees(id: InstanceId, target: &Gd<Node>) -> bool {
    let key = key_of(target.instance_id());
    let Some((known, agent, now)) =
        with(id, |state| (state.eye.given.or(state.eye.memory.known(key)), state.agent, state.core.now()))
    else {
        return false;
    };
    if let Some(seen) = known {
        return seen;
    }
    let Some(agent) = agent else { return false };
    let seen = match lookup::part_of(agent, Part::Perception) {
        Some(senses) if perception::sees_now(senses, target) => Some(true),
        _ if !may_look() => None,
        Some(senses) => Some(perception::looks_at(senses, target)),
        None => Some(ray(id, agent, target)),
    };
    match seen {
        Some(seen) => {
            with(id, |state| state.eye.memory.note(key, now, seen));
            seen
        }
        None => remembers(id, key),
    }
}

/// A decision begins.
pub(super) fn begin(id: InstanceId) {
    with(id, |state| {
        state.eye.given = None;
        state.eye.memory.begin_decision();
    });
}

/// A decision with the context of a script: what stands there counts.
pub(super) fn give(id: InstanceId, seen: bool) {
    with(id, |state| state.eye.given = Some(seen));
}

fn may_look() -> bool {
    let engine = Engine::singleton();
    if !engine.is_in_physics_frame() {
        return false;
    }
    let limit = settings::MAX_LOOKS.read().cast_unsigned();
    BUDGET.with_borrow_mut(|budget| budget.take(engine.get_physics_frames(), limit))
}

/// What this evaluator or the other one of the agent saw last.
fn remembers(id: InstanceId, target: TargetKey) -> bool {
    let last = |id| with(id, |state| state.eye.memory.last(target, state.core.now())).unwrap_or(false);
    let other = if reacting::is_reacting(id) { reacting::sibling(id) } else { None };
    last(id) || other.is_some_and(last)
}

fn ray(id: InstanceId, agent: InstanceId, target: &Gd<Node>) -> bool {
    let Some((height, mask)) = with(id, |state| (state.eye.height, state.eye.mask)) else { return false };
    let Ok(node) = Gd::<Node>::try_from_instance_id(agent) else { return false };
    let Some(body) = Body::of(agent) else { return false };
    perception::ray(&node, height * units_per_meter(body.is_flat()), mask, target)
}
