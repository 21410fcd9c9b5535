//! `export_state` and `import_state` of a Perception.

use std::collections::BTreeMap;

use godot::prelude::*;
use riposte_core::perception::{
    DetectionState, NodeId, PerceiverState, RecordState, STATE_VERSION, ScanState, Senses, TargetRef,
};

use crate::base::messages;
use crate::base::state::{StateReader, number, refuse_structure, versioned};

use super::dimension::Placed;
use super::mirror::{self, Copied};
use super::placement::ancestors_of;
use super::state;
use super::values::{Entry, list, point, text};
use crate::base::tree_paths;

const VERSION: i64 = STATE_VERSION as i64;

/// What a Perception knows, as plain values; empty if it has never been in the tree.
pub(super) fn export(perception: InstanceId) -> VarDictionary {
    let Some(known) = state::with(|state| state.world.export_perceiver(state.perceiver(perception)?)) else {
        return VarDictionary::new();
    };
    let planar = Placed::by_id(perception).is_some_and(|node| node.is_planar());
    let record =
        |record: &RecordState| Some(write_record(record, &path(record.target)?, planar).to_variant());
    let mut out = versioned(VERSION);
    out.set("time", known.time);
    out.set("wait", known.wait);
    out.set("scan_now", known.scan_now);
    out.set("records", &list(known.records.iter().filter_map(record)));
    out.set("dismissed", &list(known.dismissed.iter().filter_map(record)));
    let level = |entry: &DetectionState| Some(write_level(entry, &path(entry.target)?, planar).to_variant());
    out.set("detection", &list(known.detection.iter().filter_map(level)));
    let served = known.scan.iter().flat_map(|scan| &scan.served);
    out.set("served", &list(served.filter_map(|agent| path(*agent).map(|path| path.to_variant()))));
    if let Some(scan) = &known.scan {
        let mut rest = VarDictionary::new();
        rest.set("found", i64::from(scan.found));
        rest.set("ticks", scan.ticks as i64);
        rest.set("seconds", scan.seconds);
        out.set("scan", &rest);
    }
    out
}

fn path(agent: NodeId) -> Option<GString> {
    tree_paths::path_of(InstanceId::try_from_i64(agent)?).map(|path| GString::from(&path))
}

fn write_record(record: &RecordState, target: &GString, planar: bool) -> VarDictionary {
    let mut out = VarDictionary::new();
    out.set("target", target);
    out.set("senses", i64::from(record.senses));
    out.set("age", record.age);
    out.set("location", &point(record.location, planar));
    out.set("velocity", &point(record.velocity, planar));
    if let Some((time, place)) = record.last_check {
        out.set("last_check", time);
        out.set("last_check_location", &point(place, planar));
    }
    out.set("fraction", record.fraction);
    out.set("points", i64::from(record.points));
    out.set("sight_x", record.sight_x);
    out.set("sense", i64::from(record.sense));
    out.set("announced", record.announced);
    out.set("sight_announced", record.sight_announced);
    out
}

fn write_level(entry: &DetectionState, target: &GString, planar: bool) -> VarDictionary {
    let mut out = VarDictionary::new();
    out.set("target", target);
    out.set("level", entry.level);
    out.set("last_check", entry.last_check);
    out.set("distance", entry.distance);
    out.set("location", &point(entry.location, planar));
    out.set("fraction", entry.fraction);
    out.set("announced", entry.announced);
    out.set("dismissed", entry.dismissed);
    out
}

/// True if it is the state of a Perception, whether its nodes are there or not.
pub(super) fn is_sound(saved: &VarDictionary) -> bool {
    let version = saved.get("version").and_then(|version| number(&version));
    let known = read(&Entry::of(saved), &mut Vec::new());
    version == Some(VERSION as f64) && known.is_some_and(|known| known.check().is_ok())
}

/// Takes back what [`export`] gave. False, with an error and without effect, if it is no such state.
pub(super) fn import(perception: &Gd<Node>, saved: &VarDictionary) -> bool {
    if StateReader::open(perception, saved, VERSION).is_none() {
        return false;
    }
    let mut missing = Vec::new();
    let Some(known) = read(&Entry::of(saved), &mut missing) else { return refuse_structure(perception) };
    let id = perception.instance_id();
    if mirror::is_mirror(id) {
        let text = "import_state() has no effect here, another peer has the authority. Import there.";
        messages::error(perception, "import_state", "authority", text);
        return false;
    }
    let Some(key) = state::with(|state| state.perceiver(id)) else {
        let text = "import_state() was called before the node was in the tree. Add it first.";
        messages::error(perception, "import_state", "outside", text);
        return false;
    };
    let targets = targets_of(known.agents());
    let resolve = |agent: NodeId| targets.get(&agent).copied();
    if let Err(problem) = state::with(|state| state.world.import_perceiver(key, &known, resolve)) {
        refuse(perception, &problem.to_string());
        return false;
    }
    for path in missing {
        warn_of_missing(perception, &path);
    }
    true
}

pub(super) fn refuse<T: Inherits<Object>>(about: &Gd<T>, problem: &str) {
    let text = format!("import_state(): {problem}. Give what export_state() returned.");
    messages::error(about, "import_state", problem, &text);
}

pub(super) fn warn_of_missing<T: Inherits<Object>>(about: &Gd<T>, path: &str) {
    let text = format!("import_state(): there is no node at \"{path}\", what is about it is left out.");
    messages::warning(about, "import_state", path, &text);
}

/// The targets that agents are; those without a source become targets now.
pub(super) fn targets_of(agents: impl Iterator<Item = NodeId>) -> BTreeMap<NodeId, TargetRef> {
    let target = |agent: NodeId| {
        if let Some(known) = state::with(|state| state.world.target_of(agent)) {
            return Some((agent, known));
        }
        let placed = Placed::by_id(InstanceId::try_from_i64(agent)?)?;
        let (space, above) = (placed.space()?, ancestors_of(&placed.node()));
        Some((agent, state::with(|state| state.world.stray(agent, &above, space))))
    };
    agents.filter_map(target).collect()
}

/// The agent at a path, or its path among the missing ones.
fn agent_at(path: &str, missing: &mut Vec<String>) -> Option<NodeId> {
    let found = tree_paths::node_at(path).map(InstanceId::to_i64);
    if found.is_none() && !missing.iter().any(|known| known == path) {
        missing.push(path.to_owned());
    }
    found
}

fn read(saved: &Entry, missing: &mut Vec<String>) -> Option<PerceiverState> {
    let records = saved.list("records", read_record)?;
    let dismissed = saved.list_or_none("dismissed", read_record)?;
    let detection = saved.list_or_none("detection", read_level)?;
    let served = saved.list_or_none("served", text)?;
    let mut agent = |path: &str| agent_at(path, missing);
    let scan = match saved.entry("scan") {
        Some(rest) => Some(ScanState {
            served: served.iter().filter_map(|path| agent(path)).collect(),
            found: u32::try_from(rest.count("found")?).ok()?,
            ticks: rest.count("ticks")?,
            seconds: rest.number("seconds")?,
        }),
        None => None,
    };
    let mut record =
        |(path, record): (String, RecordState)| Some(RecordState { target: agent(&path)?, ..record });
    let records = records.into_iter().filter_map(&mut record).collect();
    let dismissed = dismissed.into_iter().filter_map(&mut record).collect();
    let level =
        |(path, entry): (String, DetectionState)| Some(DetectionState { target: agent(&path)?, ..entry });
    let detection = detection.into_iter().filter_map(level).collect();
    let (time, wait) = (saved.number("time")?, saved.number("wait")?);
    let scan_now = saved.flag("scan_now").unwrap_or(false);
    let version = STATE_VERSION;
    Some(PerceiverState { version, time, wait, scan_now, records, dismissed, detection, scan })
}

fn read_record(value: &Variant) -> Option<(String, RecordState)> {
    let entry = Entry::read(value)?;
    let last_check = match entry.has("last_check") {
        true => Some((entry.number("last_check")?, entry.point("last_check_location")?)),
        false => None,
    };
    let senses = u8::try_from(entry.count("senses")?).ok()?;
    let seen = senses & Senses::SIGHT.bits() != 0;
    let record = RecordState {
        target: 0,
        senses,
        age: entry.number("age")?,
        location: entry.point("location")?,
        velocity: entry.point("velocity")?,
        last_check,
        fraction: entry.number("fraction")?,
        points: u16::try_from(entry.count("points")?).ok()?,
        sight_x: entry.number("sight_x").unwrap_or(0.0),
        sense: u8::try_from(entry.count("sense")?).ok()?,
        announced: entry.flag("announced")?,
        sight_announced: entry.flag("sight_announced").unwrap_or(seen),
    };
    Some((entry.text("target")?, record))
}

fn read_level(value: &Variant) -> Option<(String, DetectionState)> {
    let entry = Entry::read(value)?;
    let level = DetectionState {
        target: 0,
        level: entry.number("level")?,
        last_check: entry.number("last_check")?,
        distance: entry.number("distance").unwrap_or(0.0),
        location: entry.point("location").unwrap_or_default(),
        fraction: entry.number("fraction").unwrap_or(0.0),
        announced: entry.flag("announced").unwrap_or(true),
        dismissed: entry.flag("dismissed").unwrap_or(false),
    };
    Some((entry.text("target")?, level))
}

/// A mirror that has the authority now goes on from what it was told.
pub(super) fn take_over(perception: InstanceId, copies: &[Copied]) {
    let known = state::with(|state| state.world.export_perceiver(state.perceiver(perception)?));
    let Some(known) = known else { return };
    let record = |copied: &Copied| {
        Some(RecordState {
            target: copied.agent?.to_i64(),
            senses: copied.senses.bits(),
            age: copied.age,
            location: copied.location,
            sense: copied.senses.leading().bits(),
            announced: true,
            sight_announced: copied.senses.intersects(Senses::SIGHT),
            ..RecordState::default()
        })
    };
    let known = PerceiverState { records: copies.iter().filter_map(record).collect(), ..known };
    let targets = targets_of(known.agents());
    state::with(|state| {
        let key = state.perceiver(perception)?;
        state.world.import_perceiver(key, &known, |agent| targets.get(&agent).copied()).ok()
    });
}
