//! Puts behaviours on layers, or says why not.

use std::rc::Rc;

use godot::classes::Object;
use godot::prelude::*;
use riposte_core::behavior::{RouteId, SetRefusal};

use super::access::RouteOwner;
use super::state::{Row, Source, add_row, row, stack_of};
use super::{driver, properties};
use crate::base::{convert, messages, tree_paths};
use crate::runner::Runner;

/// What is put on a layer.
pub(crate) struct Behavior<'a> {
    /// A node, a scene, or a tree resource.
    pub what: &'a Variant,
    pub overrides: &'a VarDictionary,
    pub owner: Option<Rc<dyn RouteOwner>>,
}

/// Puts a behaviour on a layer: its route, or why not: "fact. Fix."
pub(crate) fn set(id: InstanceId, layer: &StringName, behavior: Behavior) -> Result<RouteId, String> {
    let object = behavior.what.try_to::<Gd<Object>>().ok().filter(Gd::is_instance_valid);
    let Some(object) = object else {
        let found = convert::type_name(behavior.what);
        let found = if found == "Object" { "a freed object" } else { found };
        return Err(format!("got {found} as behavior. Give a node, a scene or a tree."));
    };
    check(id, layer, object.instance_id().to_i64())?;
    let (runner, root, source) = runner_of(id, &object)?;
    let about = driver::node_of(id).ok_or_else(gone)?.upcast();
    let overrides = properties::checked(&about, &root, behavior.overrides);
    // What was asked of scripts meanwhile may have changed the layers.
    let set = driver::with(id, |state| {
        let begins = state.core.begin_turn();
        (state.core.set(&layer.to_string(), root.instance_id().to_i64()), begins)
    });
    let Some((route, begins)) = set else { return Err(gone()) };
    if let Ok(route) = route {
        let row = Row {
            route,
            layer: layer.clone(),
            runner,
            root: root.instance_id(),
            source,
            overrides,
            before: Default::default(),
            entered: Default::default(),
            owner: behavior.owner,
        };
        add_row(id, row);
        place(id, route);
    }
    if begins {
        driver::finish_turn(id);
    }
    route.map_err(|refusal| explain(id, layer, refusal))
}

/// A scene stands under the stack from its set on, if it can.
fn place(id: InstanceId, route: RouteId) {
    let ready = driver::node_of(id).is_some_and(|node| node.is_node_ready());
    if let Some(row) = row(id, route).filter(|_| ready) {
        // What went wrong is told when it enters.
        let _again = driver::place(id, &row);
    }
}

fn check(id: InstanceId, layer: &StringName, behavior: i64) -> Result<(), String> {
    let checked =
        driver::with(id, |state| state.core.check(&layer.to_string(), behavior)).ok_or_else(gone)?;
    checked.map(drop).map_err(|refusal| explain(id, layer, refusal))
}

fn runner_of(id: InstanceId, object: &Gd<Object>) -> Result<(Runner, Gd<Node>, Source), String> {
    if let Ok(entry) = object.clone().try_cast::<Resource>() {
        let runner = Runner::make(&entry).map_err(|why| format!("got a behavior that {why}"))?;
        let root =
            runner.root().ok_or_else(|| "got a scene that freed itself. Mend its script.".to_owned())?;
        return Ok((runner, root, Source::File(entry.get_path().to_string())));
    }
    let Ok(node) = object.clone().try_cast::<Node>() else {
        let class = messages::class_label(object);
        return Err(format!("got a {class} as behavior. Give a node, a scene or a tree."));
    };
    if !node.is_inside_tree() || node.is_queued_for_deletion() {
        let name = node.get_name();
        return Err(format!(
            "got \"{name}\", which is not in the tree, or about to leave it. Add it below the stack first."
        ));
    }
    if let Some(other) = stack_of(node.instance_id()).filter(|other| *other != id) {
        let other = tree_paths::path_of(other).unwrap_or_default();
        return Err(format!(
            "got \"{}\", which is on a layer of {other}. Remove it there first.",
            node.get_name()
        ));
    }
    let runner = Runner::of_node(&node).map_err(|why| format!("got \"{}\", which {why}", node.get_name()))?;
    let source = Source::Node(node.instance_id());
    Ok((runner, node, source))
}

fn explain(id: InstanceId, layer: &StringName, refusal: SetRefusal) -> String {
    let names = driver::with(id, |state| state.core.layer_names().join(", ")).unwrap_or_default();
    let names = if names.is_empty() { "none" } else { &names };
    match refusal {
        SetRefusal::UnknownLayer => format!("got layer \"{layer}\", which is not there. Known: {names}."),
        SetRefusal::OnLayer(other) => {
            let other = driver::with(id, |state| state.core.layer_name(other).to_owned()).unwrap_or_default();
            format!(
                "got a node that is on layer \"{other}\" already. Remove it there first, or use a second node."
            )
        }
        SetRefusal::Closed => "was called outside the tree. Add the stack to the tree first.".to_owned(),
        SetRefusal::TooLong => {
            "was called without end from hooks and handlers. Set the next behavior in a later frame."
                .to_owned()
        }
    }
}

fn gone() -> String {
    "was called while the stack was freed. Keep it while its behaviors are set.".to_owned()
}
