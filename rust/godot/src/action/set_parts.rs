//! What sets of actions and of reactions have in common.

use std::sync::Arc;

use godot::prelude::*;

use super::compiled::CompiledSet;
use super::problems::Problem;
use super::spec_class::Spec;
use crate::base::{defaults, messages};

/// Version of the file format that this library writes.
pub(super) const FORMAT_VERSION: i64 = 1;

/// The compiled set, until something changes.
#[derive(Default)]
pub(super) struct Cache {
    pub compiled: Option<Arc<CompiledSet>>,
    /// Counts the changes.
    pub revision: u64,
}

impl Cache {
    /// Something changed.
    pub fn spoil(&mut self) {
        self.compiled = None;
        self.revision += 1;
    }

    /// Keeps what was compiled, unless a script that was asked has edited the set meanwhile.
    pub fn keep(&mut self, compiled: &Arc<CompiledSet>, revision: u64) {
        if self.revision == revision {
            self.compiled = Some(compiled.clone());
        }
    }
}

/// The element with that id.
pub(super) fn find<S: Spec>(specs: &[Gd<S>], id: &StringName) -> Option<Gd<S>> {
    specs.iter().find(|spec| !id.is_empty() && spec.bind().id() == *id).cloned()
}

/// The ids that count, in order.
pub(super) fn ids<S: Spec>(specs: &[Gd<S>]) -> PackedStringArray {
    let mut ids: Vec<GString> = Vec::new();
    for spec in specs {
        let id = GString::from(&spec.bind().id());
        if !id.is_empty() && !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.into_iter().collect()
}

/// Problems as `validate()` gives them.
pub(super) fn rows(problems: &[Problem], kind: &str) -> Array<VarDictionary> {
    let row = |problem: &Problem| {
        let mut row = vdict! {
            "severity" => if problem.is_error { "error" } else { "warning" },
            "message" => problem.message.as_str(),
        };
        row.set(kind, &problem.action);
        row
    };
    problems.iter().map(row).collect()
}

/// The version as the file has it.
pub(super) fn stored_version(version: i64) -> i64 {
    // Another value than the one that is stored: the version stands in every file.
    if defaults::asking() { 0 } else { version }
}

/// Lets elements put older forms into their properties, before anybody reads them.
pub(super) fn settle<T: Inherits<Object>, S: Spec>(set: &Gd<T>, specs: &[Gd<S>]) {
    let mut old = false;
    for spec in specs {
        old |= spec.clone().bind_mut().settle();
    }
    if old {
        tell_later(set);
    }
}

fn tell_later<T: Inherits<Object>>(set: &Gd<T>) {
    set.clone().upcast::<Object>().call_deferred("_tell_migration", &[]);
}

/// A set that a script made in the compact form has no file, and nothing to save.
pub(super) fn tell_migration<T: Inherits<Resource> + Inherits<Object>>(set: &Gd<T>) {
    if !set.clone().upcast::<Resource>().get_path().is_empty() {
        let text = format!(
            "the file has an older format and was read as format version {FORMAT_VERSION}. Save it to keep that."
        );
        messages::warning(set, "format_version", "older", &text);
    }
}

/// An error about a file of a later version of the library; an older one is told of when it is loaded.
pub(super) fn check_version<T: Inherits<Object>>(set: &Gd<T>, version: i64) {
    if version < FORMAT_VERSION {
        tell_later(set);
    }
    if version > FORMAT_VERSION {
        let text = format!(
            "the file has format version {version}, this library reads {FORMAT_VERSION}. What it does not know is \
             lost when you save: update the addon first."
        );
        messages::error(set, "format_version", "newer", &text);
    }
}
