//! Which node of a scene is the runner, and the player that a tree resource needs.

use godot::classes::{ClassDb, Object, PackedScene, ProjectSettings, Resource, ResourceLoader};
use godot::prelude::*;
use riposte_core::runner::RunnerKind;

use crate::base::messages;

const PLAYER: &str = "BTPlayer";
const TREE_NODE: &str = "BeehaveTree";
const TREE_RESOURCE: &str = "BehaviorTree";
const STATE: &str = "BehaviorState";
const HOOKS: [&str; 3] = ["_enter", "_tick", "_exit"];

/// A runner that is not in the tree yet.
pub(super) struct Found {
    /// What is added to the agent and freed at the end.
    pub root: Gd<Node>,
    /// The root, or the tree below it.
    pub node: Gd<Node>,
    pub kind: RunnerKind,
}

/// Makes the runner of a scene or of a tree resource, or says why there is none: "fact. Fix."
pub(super) fn make(entry: &Gd<Resource>) -> Result<Found, String> {
    if let Ok(scene) = entry.clone().try_cast::<PackedScene>() {
        return from_scene(&scene);
    }
    if is_named(entry, TREE_RESOURCE) {
        return with_player(entry);
    }
    let class = messages::class_label(entry);
    Err(format!("is a {class}, which is no tree. Set a scene, or a BehaviorTree of LimboAI."))
}

/// The runner of a node that is there: itself, or the only tree below it. Else why there is none: "fact. Fix."
pub(super) fn of_node(root: &Gd<Node>) -> Result<Found, String> {
    look(root).map(|(node, kind)| Found { root: root.clone(), node, kind })
}

/// True if a running game can put tree resources into the list.
pub(super) fn has_tree_resources() -> bool {
    ClassDb::singleton().class_exists(TREE_RESOURCE)
}

fn from_scene(scene: &Gd<PackedScene>) -> Result<Found, String> {
    let root = if scene.can_instantiate() { scene.instantiate() } else { None };
    let Some(root) = root else {
        return Err("is a scene without nodes. Add a root node to it.".to_owned());
    };
    match look(&root) {
        Ok((node, kind)) => Ok(Found { root, node, kind }),
        Err(why) => {
            root.free();
            Err(if wants_player(scene) { no_class(PLAYER) } else { why })
        }
    }
}

/// The runner of a scene: its root, or the only tree below it.
fn look(root: &Gd<Node>) -> Result<(Gd<Node>, RunnerKind), String> {
    if root.is_class(STATE) {
        return Ok((root.clone(), RunnerKind::State));
    }
    if HOOKS.iter().all(|hook| root.has_method(*hook)) {
        return Ok((root.clone(), RunnerKind::Hooks));
    }
    if let Some(kind) = tree_kind(root) {
        return Ok((root.clone(), kind));
    }
    let mut trees = Vec::new();
    collect(root, &mut trees);
    match trees.len() {
        1 => Ok(trees.remove(0)),
        0 => Err(
            "has no runner: its root lacks _enter, _tick and _exit and is no BehaviorState, and there is no \
                  BTPlayer or BeehaveTree in it. Add one of them."
                .to_owned(),
        ),
        count => Err(format!("has {count} behavior trees, and only one can run. Leave one in the scene.")),
    }
}

fn collect(node: &Gd<Node>, found: &mut Vec<(Gd<Node>, RunnerKind)>) {
    for child in node.get_children().iter_shared() {
        match tree_kind(&child) {
            Some(kind) => found.push((child, kind)),
            None => collect(&child, found),
        }
    }
}

fn tree_kind(node: &Gd<Node>) -> Option<RunnerKind> {
    if is_named(node, PLAYER) {
        return Some(RunnerKind::LimboAi);
    }
    is_named(node, TREE_NODE).then_some(RunnerKind::Beehave)
}

/// True if the object is of that class, be it the engine's, an extension's or a script's.
fn is_named<T: Inherits<Object>>(object: &Gd<T>, class: &str) -> bool {
    let object: Gd<Object> = object.clone().upcast();
    if object.is_class(class) {
        return true;
    }
    let mut script = object.get_script();
    while let Some(at) = script {
        if at.get_global_name() == class {
            return true;
        }
        script = at.get_base_script();
    }
    false
}

/// The player that runs a tree resource.
fn with_player(tree: &Gd<Resource>) -> Result<Found, String> {
    let Some(mut node) = new_player() else { return Err(no_class(PLAYER)) };
    node.set("behavior_tree", &tree.to_variant());
    Ok(Found { root: node.clone(), node, kind: RunnerKind::LimboAi })
}

fn new_player() -> Option<Gd<Node>> {
    let db = ClassDb::singleton();
    let made = if db.class_exists(PLAYER) { db.instantiate(PLAYER) } else { new_of_script(PLAYER)? };
    made.try_to::<Gd<Node>>().ok()
}

/// An instance of a class that a script of the project names.
fn new_of_script(class: &str) -> Option<Variant> {
    let classes = ProjectSettings::singleton().get_global_class_list();
    let row =
        classes.iter_shared().find(|row| row.get("class").is_some_and(|name| name.to_string() == class))?;
    let path = row.get("path")?.to_string();
    ResourceLoader::singleton().load(&path)?.try_call("new", &[]).ok()
}

/// The engine puts plain nodes in place of those whose class is not there.
fn wants_player(scene: &Gd<PackedScene>) -> bool {
    let Some(state) = scene.get_state() else { return false };
    (0..state.get_node_count()).any(|index| state.get_node_type(index) == PLAYER)
}

fn no_class(class: &str) -> String {
    format!(
        "needs the class {class}, which is not there. Install LimboAI, or use a scene with another runner."
    )
}
