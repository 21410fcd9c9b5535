//! Tags that a player puts on its agent: in the agent's `TagContainer`, or, where there is none, kept by the player itself.

use godot::prelude::*;
use riposte_core::tags::{TagId, TagSet};

use super::state::with;
use crate::agent;
use crate::base::lookup::{self, Part};
use crate::base::tags;

/// What lies on the agent because of this player.
#[derive(Default)]
pub(super) struct Applied {
    /// Each tag, and the container that got it.
    placed: Vec<(TagId, Option<InstanceId>)>,
    /// Those that are not in the agent's container: it has none, or another one than at their start.
    own: TagSet,
    /// The container of which that is true.
    own_beside: Option<InstanceId>,
    /// The tag among them that says that something runs.
    pub running: Option<TagId>,
}

/// Adds tags and takes others back, as one change.
pub(super) fn exchange(player: InstanceId, add: &[TagId], remove: &[TagId]) {
    let container = container_of(player);
    let Some(strays) = with(player, |state| state.applied.exchange(container, add, remove)) else { return };
    let here = |at: &Option<InstanceId>| container.is_some() && *at == container;
    if let Some(container) = container {
        let gone: Vec<TagId> = strays.iter().filter(|(_, at)| here(at)).map(|(tag, _)| *tag).collect();
        agent::exchange_tags(container, add, &gone);
    }
    for (tag, at) in strays.iter().filter(|(_, at)| !here(at)) {
        if let Some(other) = at {
            agent::remove_tags(*other, &[*tag]);
        }
    }
}

impl Applied {
    /// Notes the change; tags of containers that are to be taken back there.
    fn exchange(
        &mut self,
        container: Option<InstanceId>,
        add: &[TagId],
        remove: &[TagId],
    ) -> Vec<(TagId, Option<InstanceId>)> {
        let gone = remove.iter().filter_map(|tag| {
            let at = self.placed.iter().position(|placed| placed.0 == *tag)?;
            Some(self.placed.remove(at))
        });
        let gone: Vec<_> = gone.collect();
        self.placed.extend(add.iter().map(|tag| (*tag, container)));
        self.gather(container);
        gone
    }

    fn gather(&mut self, container: Option<InstanceId>) {
        self.own_beside = container;
        let beside = self.placed.iter().filter(|(_, at)| at.is_none() || *at != container);
        tags::with_table(|table| self.own.assign(table, beside.map(|(tag, _)| *tag)));
    }

    /// Takes back what is still placed, when the player is freed.
    pub(super) fn take_back(self) {
        for (tag, at) in self.placed {
            if let Some(container) = at {
                agent::remove_tags(container, &[tag]);
            }
        }
    }

    /// Those that the player keeps itself beside the agent's container, which may have come or gone in mid-move.
    pub(super) fn own(&mut self, container: Option<InstanceId>) -> &TagSet {
        if self.own_beside != container {
            self.gather(container);
        }
        &self.own
    }
}

/// The container of a player's agent.
pub(super) fn container_of(player: InstanceId) -> Option<InstanceId> {
    lookup::agent_of(player).and_then(|agent| lookup::part_of(agent, Part::Tags))
}

/// True if one of these tags, or one below it, is kept by the player itself.
pub(super) fn keeps_any(player: InstanceId, tags: &[TagId]) -> bool {
    let container = container_of(player);
    with(player, |state| state.applied.own(container).matches_any(tags)).unwrap_or(false)
}

/// Whether the agent has a tag or one below it.
pub(super) fn has(player: InstanceId, tag: TagId) -> bool {
    let by_agent =
        lookup::agent_of(player).is_some_and(|agent| agent::read_tags(agent, |tags, _| tags.matches(tag)));
    by_agent || keeps_any(player, &[tag])
}
