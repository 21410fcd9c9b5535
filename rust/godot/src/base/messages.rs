//! Errors and warnings in one form, each once per cause: `ClassName (Guard/Brain): what is wrong. How to mend it.`
//!
//! An error tells what a script did wrong, a warning what was mended on the way. What a designer can mend in
//! the inspector is a configuration warning of the node and does not belong here.

use std::collections::BTreeSet;

use godot::classes::{Node, Object, Resource};
use godot::global::{godot_print, push_error, push_warning};
use godot::init::is_main_thread;
use godot::obj::{Gd, Inherits, InstanceId};
use godot::prelude::ToGodot as _;
use parking_lot::Mutex;

use super::settings;

/// What was said already: about whom, which member, which reason.
type Cause = (Subject, String, String);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// A saved resource: every loaded copy of the file has the same fault.
    File(String),
    Object(i64),
}

/// Causes to remember before those of freed objects are forgotten.
const REMEMBERED: usize = 4096;

static SAID: Mutex<BTreeSet<Cause>> = Mutex::new(BTreeSet::new());

/// What a script did wrong. Once per object, member and reason; `text` is "fact. Fix."
pub(crate) fn error<T: Inherits<Object>>(about: &Gd<T>, member: &str, reason: &str, text: &str) {
    let about: Gd<Object> = about.clone().upcast();
    if is_new(&about, member, reason) {
        push_error(&[format!("{}: {text}", label(&about)).to_variant()]);
    }
}

/// What was clamped, ignored or left out. Once per object, member and reason; `text` is "fact. Fix."
pub(crate) fn warning<T: Inherits<Object>>(about: &Gd<T>, member: &str, reason: &str, text: &str) {
    let about: Gd<Object> = about.clone().upcast();
    if is_new(&about, member, reason) {
        push_warning(&[format!("{}: {text}", label(&about)).to_variant()]);
    }
}

/// What a script asked for in vain, where that is no mistake: a line each time while `riposte/debug/log_execution` is on.
pub(crate) fn note<T: Inherits<Object>>(about: &Gd<T>, text: &str) {
    if settings::LOG_EXECUTION.read() {
        godot_print!("{}: {text}", label(&about.clone().upcast()));
    }
}

/// True on the main thread; elsewhere an error about the method that was called.
pub(crate) fn on_main<T: Inherits<Object>>(about: &Gd<T>, member: &str) -> bool {
    let fine = is_main_thread();
    if !fine {
        let text = format!("{member}() was called from another thread. Use call_deferred().");
        error(about, member, "thread", &text);
    }
    fine
}

/// `ClassName (Node/path)`, or `ClassName (res://file)` for a saved resource, or the class alone.
pub(crate) fn label(object: &Gd<Object>) -> String {
    let class = object.get_class();
    match place(object) {
        Some(place) => format!("{class} ({place})"),
        None => class.to_string(),
    }
}

/// The script's global name if it has one, else the engine class: `get_class()` of a scripted resource is
/// its native base, which is not what the user calls it.
pub(crate) fn class_label<T: Inherits<Object>>(object: &Gd<T>) -> String {
    let object: Gd<Object> = object.clone().upcast();
    if let Some(script) = object.get_script() {
        let name = script.get_global_name();
        if !name.is_empty() {
            return name.to_string();
        }
    }
    object.get_class().to_string()
}

/// What went wrong in a call: the binding's message names the objects that were passed; what tells one failure from another comes after.
pub(crate) fn call_problem(problem: &str) -> String {
    let reason = problem.split_once("Reason:").map_or(problem, |(_, reason)| reason);
    reason.lines().next().unwrap_or_default().trim().trim_end_matches('.').to_owned()
}

fn is_new(about: &Gd<Object>, member: &str, reason: &str) -> bool {
    let cause = (subject(about), member.to_owned(), reason.to_owned());
    let mut said = SAID.lock();
    if said.len() >= REMEMBERED && !said.contains(&cause) {
        said.retain(|(subject, _, _)| match subject {
            Subject::File(_) => true,
            Subject::Object(id) => InstanceId::try_from_i64(*id).is_some_and(InstanceId::lookup_validity),
        });
    }
    said.insert(cause)
}

fn subject(object: &Gd<Object>) -> Subject {
    let path = resource_path(object).unwrap_or_default();
    if path.is_empty() { Subject::Object(object.instance_id().to_i64()) } else { Subject::File(path) }
}

fn resource_path(object: &Gd<Object>) -> Option<String> {
    object.clone().try_cast::<Resource>().ok().map(|resource| resource.get_path().to_string())
}

fn place(object: &Gd<Object>) -> Option<String> {
    if let Some(path) = resource_path(object) {
        return (!path.is_empty()).then_some(path);
    }
    // A loader thread may own a node, but nobody may walk the tree there.
    if !is_main_thread() {
        return None;
    }
    object.clone().try_cast::<Node>().ok().map(|node| node_place(&node))
}

/// The path below the current scene. A component of the scene's root keeps the root's name in front, so that
/// the agent is always named.
pub(crate) fn node_place(node: &Gd<Node>) -> String {
    let in_tree = node.is_inside_tree();
    let scene = if in_tree { node.get_tree().get_current_scene() } else { None };
    let mut names = vec![node_name(node)];
    let mut below_scene = false;
    let mut at = node.get_parent();
    while let Some(parent) = at {
        at = parent.get_parent();
        if in_tree && at.is_none() {
            break; // the root window
        }
        names.push(node_name(&parent));
        if scene.as_ref() == Some(&parent) {
            below_scene = true;
            break;
        }
    }
    if below_scene && names.len() > 2 {
        names.pop();
    }
    names.reverse();
    names.join("/")
}

fn node_name(node: &Gd<Node>) -> String {
    let name = node.get_name().to_string();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}
