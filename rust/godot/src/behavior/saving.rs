//! The state of a stack as a dictionary of plain values, and back.

use std::rc::Rc;

use godot::classes::ResourceLoader;
use godot::prelude::*;

use super::access::Behavior;
use super::state::{Row, Source, row};
use super::{BehaviorStack, driver, setting};
use crate::base::messages;
use crate::base::state::{StateReader, refuse_structure, versioned};

const VERSION: i64 = 1;

/// What a saved state says about a layer.
struct Saved {
    layer: String,
    /// The path of a node of the game, from the stack.
    node: String,
    /// The file of a scene or tree.
    file: String,
    state: Option<VarDictionary>,
}

/// Layers and what they have.
pub(super) fn export(this: &Gd<BehaviorStack>) -> VarDictionary {
    let mut layers = VarArray::new();
    for row in held(this) {
        if let Some(entry) = entry(this, &row) {
            layers.push(&varray![&GString::from(&row.layer), &entry].to_variant());
        }
    }
    let mut out = versioned(VERSION);
    out.set("enabled", this.get("enabled").booleanize());
    out.set("layers", &layers);
    out
}

fn entry(this: &Gd<BehaviorStack>, row: &Row) -> Option<VarDictionary> {
    let mut root = row.runner.root().filter(|_| row.owner.is_none())?;
    let mut entry = VarDictionary::new();
    match &row.source {
        Source::Node(_) => entry.set("node", &GString::from(&this.get_path_to(&root))),
        Source::File(file) if file.is_empty() => return None,
        Source::File(file) => entry.set("file", file.as_str()),
    }
    if root.has_method("export_state") {
        let own = root.try_call("export_state", &[]).ok()?.try_to::<VarDictionary>();
        if let Ok(own) = own {
            entry.set("state", &own);
        }
    }
    Some(entry)
}

/// The rows of the routes that hold a layer, lowest first.
fn held(this: &Gd<BehaviorStack>) -> Vec<Rc<Row>> {
    let id = this.instance_id();
    let routes = driver::with(id, |state| state.core.routes()).unwrap_or_default();
    routes.into_iter().filter_map(|route| row(id, route)).collect()
}

/// The reverse.
pub(super) fn import(this: &Gd<BehaviorStack>, state: &VarDictionary) -> bool {
    let id = this.instance_id();
    let busy = driver::with(id, |state| state.core.is_in_turn() || state.core.is_closed());
    if busy != Some(false) {
        let text = "import_state() was called from inside a hook or handler, or outside the tree. Call it after that.";
        messages::error(this, "import_state", "busy", text);
        return false;
    }
    let Some(reader) = StateReader::open(this, state, VERSION) else { return false };
    let enabled = state.get("enabled").and_then(|value| value.try_to::<bool>().ok());
    let Some((enabled, saved)) = enabled.zip(read(&reader)) else { return refuse_structure(this) };
    driver::with(id, |state| {
        state.quiet = true;
        state.core.begin_turn();
    });
    let told = restore(this, saved);
    this.clone().set("enabled", &enabled.to_variant());
    driver::finish_turn(id);
    for (route, own) in told {
        let root = row(id, route).and_then(|row| row.runner.root());
        if let Some(mut root) = root.filter(|root| root.has_method("import_state")) {
            let _told_by_the_engine = root.try_call("import_state", &[own.to_variant()]);
        }
    }
    driver::with(id, |state| state.quiet = false);
    true
}

fn read(reader: &StateReader) -> Option<Vec<Saved>> {
    let text = |entry: &VarDictionary, key: &str| match entry.get(key) {
        None => Some(String::new()),
        Some(value) => value.try_to_relaxed::<GString>().ok().map(|text| text.to_string()),
    };
    let one = |(layer, value): (String, Variant)| {
        let entry = value.try_to::<VarDictionary>().ok()?;
        let state = match entry.get("state") {
            None => None,
            Some(state) => Some(state.try_to::<VarDictionary>().ok()?),
        };
        Some(Saved { layer, node: text(&entry, "node")?, file: text(&entry, "file")?, state })
    };
    reader.pairs("layers")?.into_iter().map(one).collect()
}

/// Puts everything where it was: the routes whose behaviours have a state of their own, with that.
fn restore(this: &Gd<BehaviorStack>, saved: Vec<Saved>) -> Vec<(i64, VarDictionary)> {
    let id = this.instance_id();
    let now = held(this);
    let is_order = |layer: &str| now.iter().any(|row| row.owner.is_some() && row.layer == layer);
    for row in now.iter().filter(|row| row.owner.is_none()) {
        if !saved.iter().any(|saved| row.layer == saved.layer.as_str() && is_same(this, row, saved)) {
            driver::remove(id, row.route);
        }
    }
    let mut told = Vec::new();
    for entry in saved {
        let there = now.iter().find(|row| row.layer == entry.layer.as_str() && is_same(this, row, &entry));
        let route = match there {
            _ if is_order(&entry.layer) => continue,
            Some(row) => Some(row.route),
            None => set(this, &entry),
        };
        if let (Some(route), Some(state)) = (route, entry.state) {
            told.push((route, state));
        }
    }
    told
}

fn is_same(this: &Gd<BehaviorStack>, row: &Row, saved: &Saved) -> bool {
    match &row.source {
        Source::Node(node) => node_at(this, &saved.node).is_some_and(|at| at.instance_id() == *node),
        Source::File(file) => !file.is_empty() && *file == saved.file,
    }
}

fn set(this: &Gd<BehaviorStack>, saved: &Saved) -> Option<i64> {
    let what = match saved.file.as_str() {
        "" => node_at(this, &saved.node).map(|node| node.to_variant()),
        file => load(file).map(|scene| scene.to_variant()),
    };
    let name = if saved.file.is_empty() { &saved.node } else { &saved.file };
    let Some(what) = what else {
        left_out(
            this,
            &saved.layer,
            &format!("there is no \"{name}\". Add it before the state is imported."),
        );
        return None;
    };
    let overrides = VarDictionary::new();
    let behavior = Behavior { what: &what, overrides: &overrides, owner: None };
    let set = setting::set(this.instance_id(), &StringName::from(&saved.layer), behavior);
    set.map_err(|why| left_out(this, &saved.layer, &format!("it {why}"))).ok()
}

fn node_at(this: &Gd<BehaviorStack>, path: &str) -> Option<Gd<Node>> {
    if path.is_empty() { None } else { this.get_node_or_null(&NodePath::from(path)) }
}

fn load(path: &str) -> Option<Gd<Resource>> {
    let mut loader = ResourceLoader::singleton();
    if loader.exists(path) { loader.load(path) } else { None }
}

fn left_out(this: &Gd<BehaviorStack>, layer: &str, why: &str) {
    let text = format!("import_state() left layer \"{layer}\" out: {why}");
    messages::warning(this, "import_state", &text, &text);
}
