//! Who a source is to others: its own tags, and those that its agent owns.

use godot::obj::InstanceId;
use riposte_core::tags::{TagId, TagSet};

use crate::agent;
use crate::base::{lookup, tags};

use super::state;

/// Tags of its own, and those of the agent if there is one to ask.
pub(super) fn tags_of(own: &[TagId], agent: Option<InstanceId>) -> TagSet {
    let owned = agent.map(|agent| agent::read_tags(agent, |set, _| set.tags().to_vec())).unwrap_or_default();
    tags::with_table(|table| TagSet::new(table, own.iter().chain(&owned).copied()))
}

/// The tags of a source changed, or whether it takes those of its agent.
pub(super) fn set(source: InstanceId, (own, use_agent_tags): (Vec<TagId>, bool)) {
    let agent = lookup::agent_of(source).filter(|_| use_agent_tags);
    let set = tags_of(&own, agent);
    state::with(|state| {
        let key = state.source(source)?;
        state.set_identity(source, own, use_agent_tags);
        state.world.set_source_tags(key, set);
        Some(())
    });
}

/// The source has another agent.
pub(super) fn refresh(source: InstanceId) {
    let known = state::with(|state| state.identity(source).cloned());
    if let Some(known) = known.filter(|known| known.1) {
        set(source, known);
    }
}

/// The tags that an agent owns changed.
pub(crate) fn agent_tags_changed(agent: InstanceId) {
    let sources = state::with(|state| state.sources_of_agent(agent));
    sources.into_iter().for_each(refresh);
}
