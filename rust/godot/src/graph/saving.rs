//! The state of a player as a dictionary of plain values, and back.

use godot::prelude::*;
use riposte_core::graph::Saved;

use super::state::with;
use super::{ActionGraphPlayer, driver, plain, sources};
use crate::base::state::{StateReader, refuse_structure, versioned};
use crate::base::{messages, tags};

const VERSION: i64 = 1;

/// Everything that runs, waits and counts time.
pub(super) fn export(this: &Gd<ActionGraphPlayer>) -> VarDictionary {
    let id = this.instance_id();
    let mut out = versioned(VERSION);
    let known = with(id, |state| {
        let saved = tags::with_table(|table| state.core.export(table));
        (saved, state.sources.overrides(), state.last_node.clone())
    });
    let (saved, overrides, last_node) = known.unwrap_or_default();
    out.set("graph", &graph_path(id));
    out.set("overrides", &overrides);
    out.set("last_node", &GString::from(&last_node));
    if let Ok(fields) = plain::shown(&saved).try_to::<VarDictionary>() {
        out.extend_dictionary(&fields, true);
    }
    out
}

/// The file of the moveset that counts; empty for one in no file.
pub(super) fn graph_path(id: InstanceId) -> GString {
    sources::active(id).map(|graph| graph.get_path()).unwrap_or_default()
}

/// Whether a state or a recording of this moveset may be taken over; an error that names both if not.
pub(super) fn is_same_graph(this: &Gd<ActionGraphPlayer>, member: &str, path: &GString) -> bool {
    let graph = sources::own(this.instance_id());
    let own = graph.as_ref().map(|graph| graph.get_path()).unwrap_or_default();
    if own == *path && graph.is_some() {
        return true;
    }
    let named = |path: &GString| if path.is_empty() { "no file".to_owned() } else { format!("\"{path}\"") };
    let text = format!(
        "{member}() got a state of another moveset: of {}, and {} is active. Make the same one active first.",
        named(path),
        named(&own)
    );
    messages::error(this, member, &format!("{path} {own}"), &text);
    false
}

/// The reverse.
pub(super) fn import(this: &Gd<ActionGraphPlayer>, state: &VarDictionary) -> bool {
    const MEMBER: &str = "import_state";
    if !driver::on_main(this, MEMBER) || StateReader::open(this, state, VERSION).is_none() {
        return false;
    }
    let path = state.get("graph").and_then(|path| path.try_to_relaxed::<GString>().ok());
    let saved = plain::read::<Saved>(&state.to_variant());
    let Some((path, saved)) = path.zip(saved) else { return refuse_structure(this) };
    let id = this.instance_id();
    if !with(id, |state| state.entered).unwrap_or(false) {
        let text = "import_state() was called before the node is ready. Add it to the tree first.";
        messages::error(this, MEMBER, "tree", text);
        return false;
    }
    if !is_same_graph(this, MEMBER, &path) {
        return false;
    }
    if let Some(missing) = driver::import(id, &saved) {
        for name in missing {
            let text = format!("import_state() left out \"{name}\", which is not there any more.");
            messages::warning(this, MEMBER, &name, &text);
        }
    }
    let last = state.get("last_node").and_then(|node| node.try_to_relaxed::<StringName>().ok());
    with(id, |state| state.last_node = last.unwrap_or_default());
    true
}
