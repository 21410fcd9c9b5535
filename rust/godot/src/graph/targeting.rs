//! Whom the moves of a player are aimed at.

use godot::prelude::*;

use super::state::with;
use crate::action;
use crate::base::lookup;

/// The node that the game has set; else whom the agent is busy with; else whom its senses attend to.
pub(crate) fn target_of(player: InstanceId) -> Option<Gd<Node>> {
    let set = with(player, |state| state.target).flatten();
    let set = set.and_then(live);
    set.or_else(|| action::focus_of(lookup::agent_of(player)?).and_then(live))
}

fn live(id: InstanceId) -> Option<Gd<Node>> {
    Gd::<Node>::try_from_instance_id(id).ok().filter(|node| !node.is_queued_for_deletion())
}
