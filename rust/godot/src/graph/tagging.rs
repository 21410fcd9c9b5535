//! Tags that a player puts on its agent: in the agent's `TagContainer`, or, where there is none, kept by the player itself.

use godot::prelude::*;
use riposte_core::tags::{OwnedTags, TagId, TagSet};

use super::state::with;
use crate::agent;
use crate::base::lookup::{self, Part};
use crate::base::tags;

/// What lies on the agent because of this player.
#[derive(Default)]
pub(super) struct Applied {
    /// Each tag, and the container that got it.
    placed: Vec<(TagId, Option<InstanceId>)>,
    /// Those of an agent without a container.
    own: OwnedTags,
    /// The tag among them that says that something runs.
    pub running: Option<TagId>,
}

/// Adds tags and takes others back, as one change.
pub(super) fn exchange(player: InstanceId, add: &[TagId], remove: &[TagId]) {
    let container = lookup::agent_of(player).and_then(|agent| lookup::part_of(agent, Part::Tags));
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
        tags::with_table(|table| {
            if container.is_none() {
                add.iter().for_each(|tag| self.own.add(table, *tag, 1));
            }
            let own = gone.iter().filter(|(_, at)| at.is_none());
            own.for_each(|(tag, _)| self.own.remove(table, *tag, 1));
        });
        self.own.take_changes();
        gone
    }

    /// Takes back what is still placed, when the player is freed.
    pub(super) fn take_back(self) {
        for (tag, at) in self.placed {
            if let Some(container) = at {
                agent::remove_tags(container, &[tag]);
            }
        }
    }

    /// Those that the player keeps itself.
    pub(super) fn own(&self) -> &TagSet {
        self.own.set()
    }
}

/// Whether the agent has a tag or one below it.
pub(super) fn has(player: InstanceId, tag: TagId) -> bool {
    let by_agent =
        lookup::agent_of(player).is_some_and(|agent| agent::read_tags(agent, |tags, _| tags.matches(tag)));
    by_agent || with(player, |state| state.applied.own().matches(tag)).unwrap_or(false)
}
