//! `export_state` and `import_state` of the server: the reports that wait, then all perceivers.

use godot::classes::Viewport;
use godot::prelude::*;
use riposte_core::perception::{NodeId, QueueState, ReaderState, ReportState, STATE_VERSION};

use crate::base::state::{StateReader, refuse_structure, versioned};
use crate::base::tags;

use super::arguments::lineage;
use super::dimension::Placed;
use super::perception_server::PerceptionServer;
use super::saving::{self, refuse, targets_of, warn_of_missing};
use super::state;
use super::values::{Entry, count, list, point, text};
use crate::base::tree_paths;

const VERSION: i64 = STATE_VERSION as i64;

/// Everything that no node has, and what each Perception knows.
pub(super) fn export() -> VarDictionary {
    let nodes = state::with(|state| state.perception_nodes());
    let perceivers = nodes.into_iter().filter_map(|node| {
        let mut entry = VarDictionary::new();
        entry.set("path", &GString::from(&tree_paths::path_of(node)?));
        entry.set("state", &saving::export(node));
        Some(entry.to_variant())
    });
    let mut out = versioned(VERSION);
    out.set("perceivers", &list(perceivers));
    let queue = state::with(|state| {
        let node = |key| state.perceiver_node(key).map(InstanceId::to_i64);
        tags::with_table(|table| state.world.export_queue(table, node))
    });
    out.set("ticks", queue.ticks as i64);
    out.set("time", queue.time);
    out.set("seen", queue.seen as i64);
    out.set("reports", &list(queue.reports.iter().map(|report| write_report(report).to_variant())));
    out.set("readers", &list(queue.readers.iter().filter_map(write_reader)));
    out
}

fn write_report(report: &ReportState) -> VarDictionary {
    write_known_report(report).unwrap_or_else(|| {
        // Keeps the place of the others.
        let mut nothing = VarDictionary::new();
        nothing.set("kind", "nothing");
        nothing
    })
}

fn path(node: NodeId) -> Option<GString> {
    tree_paths::path_of(InstanceId::try_from_i64(node)?).map(|path| GString::from(&path))
}

fn write_known_report(report: &ReportState) -> Option<VarDictionary> {
    let mut out = VarDictionary::new();
    match report {
        ReportState::Noise { space, location, loudness, tag, lineage, source, identity } => {
            let (world, planar) = world_path(*space)?;
            out.set("kind", "noise");
            out.set("world", &GString::from(&world));
            out.set("planar", planar);
            out.set("location", &point(*location, planar));
            out.set("loudness", *loudness);
            out.set("tag", &GString::from(tag.as_deref().unwrap_or_default()));
            out.set("instigator", &lineage.first().copied().and_then(path).unwrap_or_default());
            out.set("source", &source.and_then(path).unwrap_or_default());
            out.set("identity", &list(identity.iter().map(|tag| GString::from(tag).to_variant())));
        }
        ReportState::Damage { victim, attacker, hit, amount } => {
            out.set("kind", "damage");
            out.set("victim", &path(*victim)?);
            if let Some((attacker, place)) = attacker {
                out.set("attacker", &path(*attacker).unwrap_or_default());
                out.set("attacker_location", &point(*place, false));
            }
            out.set("hit", &point(*hit, false));
            out.set("amount", *amount);
        }
        ReportState::Stimulus { perceiver, target, location, sense, strength } => {
            out.set("kind", "stimulus");
            out.set("perceiver", &path(*perceiver)?);
            out.set("target", &path(*target)?);
            out.set("location", &point(*location, false));
            out.set("sense", &GString::from(sense));
            out.set("strength", *strength);
        }
        ReportState::Nothing => return None,
    }
    Some(out)
}

fn write_reader(reader: &ReaderState) -> Option<Variant> {
    let window =
        |(from, until): (u64, Option<u64>)| varray![from as i64, until.map_or(-1, |until| until as i64)];
    let mut out = VarDictionary::new();
    out.set("perceiver", &path(reader.perceiver)?);
    out.set("next", reader.next as i64);
    out.set("late", &list(reader.late.iter().map(|number| (*number as i64).to_variant())));
    out.set("hearing", &window(reader.hearing));
    out.set("damage", &window(reader.damage));
    Some(out.to_variant())
}

/// The path of a viewport of a world, and whether it is a world of 2D.
fn world_path(number: u16) -> Option<(String, bool)> {
    let (world, planar, nodes) = state::with(|state| {
        let (world, planar) = state.world_numbered(number)?;
        Some((world, planar, state.placed_nodes()))
    })?;
    let root = tree_paths::root()?.upcast::<Viewport>();
    if world_of(&root, planar) == Some(world) {
        return Some((root.get_path().to_string(), planar));
    }
    let here = |node: &Placed| node.is_planar() == planar && node.world() == Some(world);
    let node = nodes.into_iter().filter_map(Placed::by_id).find(here)?;
    Some((node.node().get_viewport()?.get_path().to_string(), planar))
}

fn world_of(viewport: &Gd<Viewport>, planar: bool) -> Option<InstanceId> {
    match planar {
        true => viewport.find_world_2d().map(|world| world.instance_id()),
        false => viewport.find_world_3d().map(|world| world.instance_id()),
    }
}

/// Takes back what [`export`] gave. False, with an error and without effect, if it is no such state.
pub(super) fn import(saved: &VarDictionary) -> bool {
    let server = PerceptionServer::singleton();
    if StateReader::open(&server, saved, VERSION).is_none() {
        return false;
    }
    let saved = Entry::of(saved);
    let mut missing = Vec::new();
    let perceivers = saved.list("perceivers", |value| {
        let entry = Entry::read(value)?;
        Some((entry.text("path")?, entry.dictionary("state")?))
    });
    let Some((perceivers, queue)) = perceivers.zip(read_queue(&saved, &mut missing)) else {
        return refuse_structure(&server);
    };
    if !perceivers.iter().all(|(_, state)| saving::is_sound(state)) {
        return refuse_structure(&server);
    }
    let targets = targets_of(agents_of(&queue).into_iter());
    let restored = state::with(|state| {
        let keys = state.perceivers_by_node();
        let resolve = |agent: NodeId| targets.get(&agent).copied();
        let perceiver = |node: NodeId| keys.get(&node).copied();
        tags::with_table_mut(|table| state.world.import_queue(&queue, table, resolve, perceiver))
    });
    if let Err(problem) = restored {
        refuse(&server, &problem.to_string());
        return false;
    }
    for (path, state) in perceivers {
        match tree_paths::node_at(&path).and_then(|id| Gd::<Node>::try_from_instance_id(id).ok()) {
            Some(node) => _ = saving::import(&node, &state),
            None => missing.push(path),
        }
    }
    missing.iter().for_each(|path| warn_of_missing(&server, path));
    true
}

/// The agents that reports name as targets.
fn agents_of(queue: &QueueState) -> Vec<NodeId> {
    let agent = |report: &ReportState| match report {
        ReportState::Noise { source, .. } => *source,
        ReportState::Damage { attacker, .. } => attacker.map(|attacker| attacker.0),
        ReportState::Stimulus { target, .. } => Some(*target),
        ReportState::Nothing => None,
    };
    queue.reports.iter().filter_map(agent).collect()
}

fn read_queue(saved: &Entry, missing: &mut Vec<String>) -> Option<QueueState> {
    let mut node = |path: &str| {
        let found = tree_paths::node_at(path).map(InstanceId::to_i64);
        if found.is_none() && !path.is_empty() {
            missing.push(path.to_owned());
        }
        found
    };
    let mut reports = Vec::new();
    for entry in saved.list("reports", Entry::read)? {
        reports.push(read_report(&entry, &mut node)?);
    }
    let mut readers = Vec::new();
    for entry in saved.list("readers", Entry::read)? {
        let Some(perceiver) = node(&entry.text("perceiver")?) else { continue };
        let late = entry.list("late", count)?;
        let (hearing, damage) = (read_window(&entry, "hearing")?, read_window(&entry, "damage")?);
        readers.push(ReaderState { perceiver, next: entry.count("next")?, late, hearing, damage });
    }
    let (ticks, seen) = (saved.count("ticks")?, saved.count("seen")?);
    Some(QueueState { version: STATE_VERSION, ticks, time: saved.number("time")?, reports, seen, readers })
}

fn read_window(entry: &Entry, key: &str) -> Option<(u64, Option<u64>)> {
    let numbers = entry.list(key, crate::base::state::number)?;
    let [from, until] = numbers[..] else { return None };
    (from >= 0.0).then_some((from as u64, (until >= 0.0).then_some(until as u64)))
}

/// A report; one about a node that is not there is of no use any more. `None` if the structure is another.
fn read_report(entry: &Entry, node: &mut impl FnMut(&str) -> Option<NodeId>) -> Option<ReportState> {
    let report = match entry.text("kind")?.as_str() {
        "noise" => return read_noise(entry, node),
        "damage" => {
            let (hit, amount) = (entry.point("hit")?, entry.number("amount")?);
            let attacker = match entry.has("attacker") {
                true => node(&entry.text("attacker")?).zip(Some(entry.point("attacker_location")?)),
                false => None,
            };
            let Some(victim) = node(&entry.text("victim")?) else { return Some(ReportState::Nothing) };
            ReportState::Damage { victim, attacker, hit, amount }
        }
        "stimulus" => {
            let (location, strength) = (entry.point("location")?, entry.number("strength")?);
            let (sense, perceiver) = (entry.text("sense")?, node(&entry.text("perceiver")?));
            let Some((perceiver, target)) = perceiver.zip(node(&entry.text("target")?)) else {
                return Some(ReportState::Nothing);
            };
            ReportState::Stimulus { perceiver, target, location, sense, strength }
        }
        "nothing" => ReportState::Nothing,
        _ => return None,
    };
    Some(report)
}

fn read_noise(entry: &Entry, node: &mut impl FnMut(&str) -> Option<NodeId>) -> Option<ReportState> {
    let planar = entry.flag("planar")?;
    let viewport = node(&entry.text("world")?).and_then(InstanceId::try_from_i64);
    let viewport = viewport.and_then(|id| Gd::<Viewport>::try_from_instance_id(id).ok());
    let world = viewport.and_then(|viewport| world_of(&viewport, planar));
    let space = world.map(|world| state::with(|state| state.space_of(world, planar)));
    let instigator = node(&entry.text("instigator")?).and_then(InstanceId::try_from_i64);
    let instigator = instigator.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    let (tag, source) = (entry.text("tag")?, entry.text("source")?);
    let (location, loudness) = (entry.point("location")?, entry.number("loudness")?);
    let identity = entry.list("identity", text)?;
    let Some(space) = space else { return Some(ReportState::Nothing) };
    Some(ReportState::Noise {
        space: space.number(),
        location,
        loudness,
        tag: (!tag.is_empty()).then_some(tag),
        lineage: instigator.as_ref().map(lineage).unwrap_or_default(),
        source: node(&source),
        identity,
    })
}
