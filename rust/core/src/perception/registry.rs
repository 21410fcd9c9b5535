//! All sources and targets: which source counts for which agent, and what became of it.

use std::collections::BTreeMap;

use crate::arena::{Arena, Handle};
use crate::tags::TagSet;

use super::settings::SourceSettings;
use super::space::SpaceId;
use super::stand::Stands;
use super::target::{NodeId, Source, SourceKey, SourcePlace, Target, TargetKey, TargetRef};

#[derive(Debug, Default)]
pub(super) struct Registry {
    /// In order of registration.
    sources: Vec<Source>,
    positions: Arena<u32>,
    targets: Arena<Target>,
    by_agent: BTreeMap<NodeId, TargetKey>,
    /// Targets without a source, known by the damage that they did.
    strays: Vec<TargetKey>,
    next_id: u64,
    /// The sources that count, in order of registration.
    active: Vec<SourceKey>,
    active_stale: bool,
    pub(super) stands: Stands,
    /// Rises when a target may have become unavailable to someone.
    epoch: u32,
    /// Rises when what a target says of itself may have changed: tags, settings, which source counts.
    revision: u32,
}

impl Registry {
    pub(super) fn epoch(&self) -> u32 {
        self.epoch
    }

    pub(super) fn revision(&self) -> u32 {
        self.revision
    }

    pub(super) fn add_source(&mut self, settings: SourceSettings, tags: TagSet) -> SourceKey {
        let key = SourceKey(self.positions.insert(self.sources.len() as u32));
        let (space, order, target, doomed) = (None, 0, None, false);
        self.sources.push(Source { key, settings, tags, space, order, target, doomed });
        key
    }

    pub(super) fn remove_source(&mut self, key: SourceKey) {
        let Some(position) = self.positions.remove(key.0) else { return };
        let source = self.sources.remove(position as usize);
        for (at, moved) in self.sources.iter().enumerate().skip(position as usize) {
            if let Some(slot) = self.positions.get_mut(moved.key.0) {
                *slot = at as u32;
            }
        }
        self.active_stale = true;
        self.stands.stale = true;
        self.detach(source.target, key);
    }

    pub(super) fn source_count(&self) -> usize {
        self.sources.len()
    }

    pub(super) fn position(&self, key: SourceKey) -> Option<usize> {
        self.positions.get(key.0).map(|at| *at as usize)
    }

    pub(super) fn source(&self, key: SourceKey) -> Option<&Source> {
        self.position(key).map(|at| &self.sources[at])
    }

    fn source_mut(&mut self, key: SourceKey) -> Option<&mut Source> {
        let at = self.position(key)?;
        Some(&mut self.sources[at])
    }

    pub(super) fn set_settings(&mut self, key: SourceKey, settings: SourceSettings) {
        let Some(source) = self.source_mut(key) else { return };
        source.settings = settings;
        let target = source.target;
        self.stands.stale = true;
        self.revision = self.revision.wrapping_add(1);
        self.refresh(target);
    }

    pub(super) fn set_tags(&mut self, key: SourceKey, tags: TagSet) {
        let Some(source) = self.source_mut(key) else { return };
        if source.tags != tags {
            source.tags = tags;
            self.revision = self.revision.wrapping_add(1);
        }
    }

    pub(super) fn set_doomed(&mut self, key: SourceKey) {
        let Some(source) = self.source_mut(key) else { return };
        if !source.doomed {
            source.doomed = true;
            let target = source.target;
            self.stands.stale = true;
            self.refresh(target);
        }
    }

    pub(super) fn set_place(&mut self, key: SourceKey, place: SourcePlace) {
        let Some(source) = self.source_mut(key) else { return };
        let before = source.target;
        source.space = place.space;
        source.order = place.order;
        self.stands.stale = true;
        // Out of the tree it still stands for its agent: it may be back before the next tick.
        if place.space.is_none() {
            return self.refresh(before);
        }
        let after = place.agent.map(|agent| self.ensure(agent, &place.ancestors));
        if before != after {
            if let Some(source) = self.source_mut(key) {
                source.target = after;
            }
            self.detach(before, key);
        }
        self.attach(after, key);
    }

    /// The target of an agent, made if it is new.
    fn ensure(&mut self, agent: NodeId, ancestors: &[NodeId]) -> TargetKey {
        let known = self.by_agent.get(&agent).copied();
        if let Some(target) = known.and_then(|key| self.targets.get_mut(key.0)) {
            if target.ancestors != ancestors {
                target.ancestors = ancestors.to_vec();
                target.marks = Target::marks_of(agent, ancestors);
                self.stands.stale = true;
                self.epoch = self.epoch.wrapping_add(1);
            }
            return target.reference.key;
        }
        let (id, sources, active, space, uses) = (self.next_id, Vec::new(), None, None, 0);
        self.next_id += 1;
        let (ancestors, marks) = (ancestors.to_vec(), Target::marks_of(agent, ancestors));
        let key = TargetKey(self.targets.insert_with(|handle: Handle| {
            let reference = TargetRef { key: TargetKey(handle), id, agent };
            Target { reference, ancestors, marks, sources, active, space, uses }
        }));
        self.by_agent.insert(agent, key);
        key
    }

    /// The target that a node without a source makes when it does damage. It is in use until released.
    pub(super) fn ensure_stray(&mut self, agent: NodeId, ancestors: &[NodeId], space: SpaceId) -> TargetRef {
        let key = self.ensure(agent, ancestors);
        if !self.strays.contains(&key) {
            self.strays.push(key);
        }
        self.set_stray_space(key, Some(space));
        // It was made or found in the line above.
        self.targets.get(key.0).map_or(TargetRef { key, id: 0, agent }, |target| target.reference)
    }

    pub(super) fn strays(&self) -> impl Iterator<Item = TargetRef> {
        self.strays.iter().filter_map(|key| self.targets.get(key.0)).map(|target| target.reference)
    }

    pub(super) fn set_stray_space(&mut self, key: TargetKey, space: Option<SpaceId>) {
        let Some(target) = self.targets.get_mut(key.0) else { return };
        if target.sources.is_empty() && target.space != space {
            target.space = space;
            self.epoch = self.epoch.wrapping_add(1);
        }
    }

    fn attach(&mut self, target: Option<TargetKey>, key: SourceKey) {
        let Some(handle) = target else { return };
        let Some(entry) = self.targets.get_mut(handle.0) else { return };
        if !entry.sources.contains(&key) {
            entry.sources.push(key);
            self.strays.retain(|stray| *stray != handle);
        }
        self.refresh(target);
    }

    fn detach(&mut self, target: Option<TargetKey>, key: SourceKey) {
        let Some(entry) = target.and_then(|target| self.targets.get_mut(target.0)) else { return };
        entry.sources.retain(|source| *source != key);
        self.refresh(target);
        if let Some(key) = target {
            self.tidy(key);
        }
    }

    /// Finds out anew which source counts for a target.
    fn refresh(&mut self, target: Option<TargetKey>) {
        let Some(handle) = target.map(|target| target.0) else { return };
        let Some(mut sources) = self.targets.get_mut(handle).map(|entry| std::mem::take(&mut entry.sources))
        else {
            return;
        };
        sources.sort_by_key(|key| (self.source(*key).map_or(u64::MAX, |source| source.order), *key));
        let live =
            sources.iter().copied().find(|key| self.source(*key).is_some_and(super::target::Source::live));
        let space = live.and_then(|key| self.source(key)).and_then(|source| source.space);
        let Some(entry) = self.targets.get_mut(handle) else { return };
        entry.sources = sources;
        if entry.active != live {
            self.active_stale = true;
            self.stands.stale = true;
            self.revision = self.revision.wrapping_add(1);
        }
        if entry.space != space {
            self.epoch = self.epoch.wrapping_add(1);
        }
        entry.active = live;
        entry.space = space;
    }

    pub(super) fn target(&self, key: TargetKey) -> Option<&Target> {
        self.targets.get(key.0)
    }

    pub(super) fn target_by_id(&self, id: u64) -> Option<&Target> {
        self.targets.iter().map(|(_, target)| target).find(|target| target.reference.id == id)
    }

    pub(super) fn target_of(&self, agent: NodeId) -> Option<&Target> {
        self.by_agent.get(&agent).and_then(|key| self.target(*key))
    }

    /// Where a perceiver of `agent` can sense the target; `None`: nowhere.
    pub(super) fn reach(&self, key: TargetKey, agent: NodeId) -> Option<SpaceId> {
        let target = self.target(key)?;
        if target.belongs_to(agent) { None } else { target.space }
    }

    /// The target is named by one more record or report.
    pub(super) fn hold(&mut self, key: TargetKey) {
        if let Some(target) = self.targets.get_mut(key.0) {
            target.uses += 1;
        }
    }

    pub(super) fn release(&mut self, key: TargetKey) {
        if let Some(target) = self.targets.get_mut(key.0) {
            target.uses = target.uses.saturating_sub(1);
            self.tidy(key);
        }
    }

    /// Forgets a target that nobody names any more.
    pub(super) fn tidy(&mut self, key: TargetKey) {
        let Some(entry) = self.target(key) else { return };
        if entry.uses == 0 && entry.sources.is_empty() {
            let agent = entry.reference.agent;
            self.by_agent.remove(&agent);
            self.targets.remove(key.0);
            self.strays.retain(|stray| *stray != key);
        }
    }

    /// Forgets the targets without a source that nobody came to name.
    pub(super) fn drop_unused_strays(&mut self) {
        for at in (0..self.strays.len()).rev() {
            self.tidy(self.strays[at]);
        }
    }

    /// The sources that count, as they were found out last.
    pub(super) fn known_active(&self) -> &[SourceKey] {
        &self.active
    }

    /// The sources that count, in order of registration.
    pub(super) fn active(&mut self) -> &[SourceKey] {
        if self.active_stale {
            self.active_stale = false;
            self.active.clear();
            let counts = |source: &&Source| {
                let target = source.target.and_then(|key| self.targets.get(key.0));
                target.is_some_and(|target| target.active == Some(source.key))
            };
            self.active.extend(self.sources.iter().filter(counts).map(|source| source.key));
        }
        &self.active
    }
}
