//! A perceiver on a peer that has no authority over it: it never senses, and holds a copy of what the authority knows.
//!
//! The copy comes by `sync_state`, which a MultiplayerSynchronizer carries over. On the authority that property is what is
//! published.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use godot::classes::SceneTree;
use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::perception::{NodeId, PerceiverPlace, Senses};

use crate::base::callbacks::defer;
use crate::base::messages;
use crate::base::network::{has_authority, has_own_api, is_networked};
use crate::base::tree_paths;

use super::queries::Known;
use super::values::{self, Entry};
use super::{dispatch, placement, saving, state};

/// All perceivers that follow their authority.
#[derive(Default)]
struct Mirrors {
    /// Perception nodes with `authority_only` off.
    everywhere: BTreeSet<NodeId>,
    /// Perception nodes below a node that has a MultiplayerAPI of its own.
    own_api: BTreeSet<NodeId>,
    /// Perception nodes without authority, and what they were told.
    copies: BTreeMap<NodeId, Vec<Copied>>,
    /// What is to be told of them at the end of the frame.
    news: BTreeMap<NodeId, Vec<News>>,
}

/// A copied record that began, or ended.
#[derive(Clone, Debug)]
pub(super) struct News {
    pub(super) begins: bool,
    pub(super) record: Copied,
}

/// A record of the authority.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    path: String,
    /// The agent, once the path has led to it.
    pub(super) agent: Option<InstanceId>,
    pub(super) senses: Senses,
    pub(super) location: DVec3,
    pub(super) age: f64,
    /// Its beginning was told.
    told: bool,
}

static MIRRORS: Mutex<Option<Mirrors>> = Mutex::new(None);

fn with<R>(f: impl FnOnce(&mut Mirrors) -> R) -> R {
    f(MIRRORS.lock().get_or_insert_default())
}

/// `authority_only` of a Perception in the game changed.
pub(super) fn set_authority_only(perception: InstanceId, authority_only: bool) {
    if state::with(|state| state.perceiver(perception)).is_some() {
        note(perception, authority_only);
        refresh(perception);
    }
}

fn note(perception: InstanceId, authority_only: bool) {
    let id = perception.to_i64();
    with(|mirrors| match authority_only {
        true => mirrors.everywhere.remove(&id),
        false => mirrors.everywhere.insert(id),
    });
}

/// A Perception is freed.
pub(super) fn forget(perception: InstanceId) {
    let id = perception.to_i64();
    with(|mirrors| {
        mirrors.everywhere.remove(&id);
        mirrors.own_api.remove(&id);
        mirrors.copies.remove(&id);
        mirrors.news.remove(&id);
    });
}

/// True while any Perception follows its authority.
pub(super) fn any() -> bool {
    with(|mirrors| !mirrors.copies.is_empty())
}

/// True while the Perception follows its authority.
pub(super) fn is_mirror(perception: InstanceId) -> bool {
    with(|mirrors| mirrors.copies.contains_key(&perception.to_i64()))
}

/// Finds out who has the authority, once per common tick. Without a multiplayer peer it costs one look.
pub(super) fn refresh_all(tree: &Gd<SceneTree>) {
    let networked = tree.get_multiplayer().is_some_and(|api| is_networked(&api));
    let nodes = match networked || any() {
        true => state::with(|state| state.perception_nodes()),
        false => {
            with(|mirrors| mirrors.own_api.iter().copied().filter_map(InstanceId::try_from_i64).collect())
        }
    };
    nodes.into_iter().for_each(refresh);
}

/// A Perception entered the tree.
pub(super) fn entered(perception: &Gd<Node>, authority_only: bool) {
    note(perception.instance_id(), authority_only);
    let own_api = has_own_api(perception);
    let id = perception.instance_id();
    with(|mirrors| match own_api {
        true => mirrors.own_api.insert(id.to_i64()),
        false => mirrors.own_api.remove(&id.to_i64()),
    });
    settle(perception);
}

/// Finds out who has the authority over one Perception, and changes sides if that is somebody else now.
pub(super) fn refresh(perception: InstanceId) {
    let Ok(node) = Gd::<Node>::try_from_instance_id(perception) else { return };
    if node.is_inside_tree() && settle(&node) {
        placement::replace_perceiver(perception);
    }
}

/// True if it changed sides.
fn settle(node: &Gd<Node>) -> bool {
    let id = node.instance_id();
    let everywhere = with(|mirrors| mirrors.everywhere.contains(&id.to_i64()));
    let follows = !everywhere && !has_authority(node);
    if follows == is_mirror(id) {
        return false;
    }
    if follows {
        let copies = own_records(id);
        with(|mirrors| mirrors.copies.insert(id.to_i64(), copies));
        state::with(|state| {
            state.perceiver(id).map(|key| state.world.place_perceiver(key, PerceiverPlace::default()))
        });
    } else if let Some(copies) = with(|mirrors| mirrors.copies.remove(&id.to_i64())) {
        saving::take_over(id, &copies);
    }
    true
}

/// What a Perception knows itself, as it is published.
fn own_records(perception: InstanceId) -> Vec<Copied> {
    let known = state::with(|state| state.world.export_perceiver(state.perceiver(perception)?));
    let records = known.map(|known| known.records).unwrap_or_default();
    let copied = records.into_iter().filter(|record| record.announced).filter_map(|record| {
        let agent = InstanceId::try_from_i64(record.target)?;
        let (senses, age) = (Senses::from_bits(record.senses.into()), record.age);
        let path = tree_paths::path_of(agent)?;
        Some(Copied { path, agent: Some(agent), senses, location: record.location, age, told: true })
    });
    copied.collect()
}

/// What the getter of `sync_state` gives: a new dictionary only if something else is known than in `last`, ages aside.
pub(super) fn published(perception: &Gd<Node>, last: &VarDictionary) -> VarDictionary {
    if is_mirror(perception.instance_id()) {
        return last.clone();
    }
    let planar = perception.is_class("Node2D");
    let records = own_records(perception.instance_id());
    let known = read(last).unwrap_or_default();
    let same = |a: &Copied, b: &Copied| {
        a.path == b.path && a.senses == b.senses && a.location.abs_diff_eq(b.location, 1e-6)
    };
    let unchanged = known.len() == records.len() && known.iter().zip(&records).all(|(a, b)| same(a, b));
    if unchanged {
        return last.clone();
    }
    let mut list = VarArray::new();
    for record in records {
        let mut entry = VarDictionary::new();
        entry.set("path", &GString::from(&record.path));
        entry.set("senses", i64::from(record.senses.bits()));
        entry.set("location", &values::point(record.location, planar));
        entry.set("age", record.age);
        list.push(&entry.to_variant());
    }
    let mut state = VarDictionary::new();
    state.set("records", &list);
    state
}

/// The records of a published state; `None` if it is none.
fn read(state: &VarDictionary) -> Option<Vec<Copied>> {
    if state.is_empty() {
        return Some(Vec::new());
    }
    Entry::of(state).list("records", |entry| read_record(&Entry::read(entry)?))
}

fn read_record(entry: &Entry) -> Option<Copied> {
    Some(Copied {
        path: entry.text("path")?,
        agent: None,
        senses: Senses::from_bits(entry.count("senses")? as i64),
        location: entry.point("location")?,
        age: entry.number("age").filter(|age| *age >= 0.0)?,
        told: false,
    })
}

/// Takes over what the authority published; what became different is told at the end of the frame, because nothing may
/// call a handler while a property is written. False without effect: it is no published state, or this is the authority.
pub(super) fn receive(perception: &Gd<Node>, state: &VarDictionary) -> bool {
    let id = perception.instance_id();
    let Some(mut records) = read(state) else {
        let text = "sync_state was given something else than another peer's sync_state. Leave it to a MultiplayerSynchronizer.";
        messages::error(perception, "sync_state", "structure", text);
        return false;
    };
    let Some(before) = with(|mirrors| mirrors.copies.get(&id.to_i64()).cloned()) else { return false };
    let mut news = Vec::new();
    for record in &mut records {
        record.agent = tree_paths::node_at(&record.path);
        record.told = find(&before, record).is_some_and(|known| known.told);
        if !record.told && record.agent.is_some() {
            record.told = true;
            news.push(News { begins: true, record: record.clone() });
        }
    }
    let lost = before.into_iter().filter(|known| known.told && find(&records, known).is_none());
    let lost: Vec<_> = lost.map(|record| News { begins: false, record }).collect();
    news.splice(0..0, lost);
    let tell_later = !news.is_empty();
    with(|mirrors| {
        mirrors.copies.insert(id.to_i64(), records);
        mirrors.news.entry(id.to_i64()).or_default().extend(news);
    });
    if tell_later {
        defer(id, "riposte_mirror", tell);
    }
    true
}

/// The record of the same agent.
fn find<'a>(records: &'a [Copied], of: &Copied) -> Option<&'a Copied> {
    records.iter().find(|known| known.path == of.path && known.agent == of.agent)
}

fn tell(perception: InstanceId) {
    let news = with(|mirrors| mirrors.news.remove(&perception.to_i64())).unwrap_or_default();
    for news in news {
        dispatch::tell_news(perception, &news);
    }
}

/// The copied records of a mirror, with the agents that are there; `None` for a Perception that senses itself.
pub(super) fn known(perception: InstanceId) -> Option<Vec<(InstanceId, Known)>> {
    let copies = with(|mirrors| mirrors.copies.get(&perception.to_i64()).cloned())?;
    let known = copies.into_iter().filter_map(|copied| {
        let agent = copied
            .agent
            .filter(|agent| agent.lookup_validity())
            .or_else(|| tree_paths::node_at(&copied.path))?;
        let (senses, location, age) = (copied.senses, copied.location, copied.age);
        Some((agent, Known { senses, location, age, ..Known::default() }))
    });
    Some(known.collect())
}

/// The mirrors that know an agent by one of these senses; with an empty set those that know it at all.
pub(super) fn knowing(agent: InstanceId, senses: Senses) -> Vec<InstanceId> {
    let mirrors: Vec<_> = with(|mirrors| mirrors.copies.keys().copied().collect());
    let knows = |perception: &InstanceId| {
        let known = known(*perception).unwrap_or_default();
        known.iter().any(|(it, known)| *it == agent && (senses.is_empty() || known.senses.intersects(senses)))
    };
    mirrors.into_iter().filter_map(InstanceId::try_from_i64).filter(knows).collect()
}
