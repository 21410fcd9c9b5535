//! What each kind of runner is called with, in its own words.

use godot::prelude::*;
use riposte_core::runner::{ExitReason, RunnerKind, RunnerStatus};

use crate::base::{messages, script_method};

/// Both addons number "only when it is called" as 2.
const MANUAL: i64 = 2;

/// Before the runner is in the tree: it is told whose it is, and not to step by itself.
pub(super) fn prepare(node: &Gd<Node>, kind: RunnerKind, agent: &Gd<Node>) {
    let (who, place) = (agent.to_variant(), agent.get_path().to_variant());
    match kind {
        RunnerKind::Hooks | RunnerKind::State => {}
        RunnerKind::LimboAi => {
            set(node, "update_mode", &MANUAL.to_variant());
            match instance(node) {
                None => {
                    set(node, "agent_node", &place);
                    call_quietly(node, "set_scene_root_hint", &[who]);
                }
                Some(last) => make_anew(node, &last, agent),
            }
        }
        RunnerKind::Beehave => {
            set(node, "process_thread", &MANUAL.to_variant());
            set(node, "actor", &who);
        }
    }
}

/// A player that is in the tree made its instance when it was ready, for the node that its own path names. Neither path
/// nor root can be changed then, so an instance for the agent takes its place.
fn make_anew(node: &Gd<Node>, last: &Gd<Object>, agent: &Gd<Node>) {
    let known = last.clone().try_call("get_agent", &[]).ok().and_then(|agent| agent.object_id());
    if known == Some(agent.instance_id()) {
        return;
    }
    let who = agent.to_variant();
    let (tree, board) = (node.get("behavior_tree"), node.get("blackboard"));
    let Ok(mut tree) = tree.try_to::<Gd<Object>>() else { return };
    if let Ok(made) = tree.try_call("instantiate", &[who.clone(), board, node.to_variant(), who]) {
        call_quietly(node, "set_bt_instance", &[made]);
    }
}

/// In the tree: versions that look for an actor of their own there are told again.
pub(super) fn settle(node: &Gd<Node>, kind: RunnerKind, agent: &Gd<Node>) {
    if kind == RunnerKind::Beehave {
        set(node, "actor", &agent.to_variant());
    }
}

/// True if the runner's blackboard declares its keys, and that one is not among them. To be asked before keys are given.
pub(super) fn lacks_key(node: &Gd<Node>, kind: RunnerKind, key: &StringName) -> bool {
    let Some(mut board) = blackboard(node, kind) else { return false };
    if kind == RunnerKind::Beehave {
        let declared = board.get("blackboard").try_to::<AnyDictionary>();
        return declared
            .is_ok_and(|declared| !declared.is_empty() && !declared.contains_key(&key.to_variant()));
    }
    let declared = board.try_call("list_vars", &[]).ok().and_then(|vars| vars.try_to::<AnyArray>().ok());
    let known = board.try_call("has_var", &[key.to_variant()]);
    declared.is_some_and(|declared| !declared.is_empty()) && known.is_ok_and(|known| !known.booleanize())
}

/// Gives a tree its keys in its blackboard, and a node by `set_runner_keys`, if it has that.
pub(super) fn give_keys(node: &Gd<Node>, kind: RunnerKind, keys: &[(StringName, Variant)]) {
    if kind.has_hooks() {
        if node.has_method("set_runner_keys") {
            let given: VarDictionary =
                keys.iter().map(|(key, value)| (key.to_variant(), value.clone())).collect();
            call_quietly(node, "set_runner_keys", &[given.to_variant()]);
        }
        return;
    }
    let method = if kind == RunnerKind::LimboAi { "set_var" } else { "set_value" };
    for (key, value) in keys {
        let Some(mut board) = blackboard(node, kind) else { return };
        let _told_by_the_engine = board.try_call(method, &[key.to_variant(), value.clone()]);
    }
}

/// Begins; what is wrong if it can't: "fact. Fix."
pub(super) fn enter(node: &Gd<Node>, kind: RunnerKind) -> Result<(), String> {
    match kind {
        RunnerKind::Hooks => call(node, "_enter", &[]).map(drop),
        RunnerKind::State => {
            call_own(node, "_enter", &[]);
            Ok(())
        }
        RunnerKind::LimboAi => {
            // A player that is on has tried to make its tree already, and said what is wrong.
            if !node.get("active").booleanize() {
                set(node, "active", &true.to_variant());
            }
            let ready = instance(node).is_some();
            let why = "has a BTPlayer without a tree that can run. Give it a BehaviorTree with a root task.";
            ready.then_some(()).ok_or_else(|| why.to_owned())
        }
        RunnerKind::Beehave => Ok(()),
    }
}

/// A step, and how the runner stands after it; what is wrong if it does not say.
pub(super) fn tick(node: &Gd<Node>, kind: RunnerKind, delta: f64) -> Result<RunnerStatus, String> {
    let (method, said) = match kind {
        RunnerKind::Hooks => ("_tick", call(node, "_tick", &[delta.to_variant()])?),
        RunnerKind::State => match call_own(node, "_tick", &[delta.to_variant()]) {
            Some(said) => ("_tick", said),
            None => return Ok(RunnerStatus::Running),
        },
        RunnerKind::Beehave => ("tick", call(node, "tick", &[])?),
        RunnerKind::LimboAi => {
            call(node, "update", &[delta.to_variant()])?;
            let Some(mut last) = instance(node) else { return Ok(RunnerStatus::Failed) };
            ("get_last_status", last.try_call("get_last_status", &[]).unwrap_or_default())
        }
    };
    if !node.is_instance_valid() {
        return Ok(RunnerStatus::Failed);
    }
    let status = said.try_to::<i64>().ok().and_then(|said| kind.status(said));
    status.ok_or_else(|| {
        let fix = "Return STATUS_RUNNING 0, STATUS_SUCCEEDED 1 or STATUS_FAILED 2";
        let fix = if kind.has_hooks() { fix } else { "Use a version that returns its status" };
        format!("has a runner whose {method}() returned {said}, which is no status, so it failed. {fix}.")
    })
}

/// The end of a runner that was entered.
pub(super) fn exit(node: &Gd<Node>, kind: RunnerKind, reason: ExitReason) {
    match kind {
        RunnerKind::Hooks => {
            call_quietly(node, "_exit", &[reason.code().to_variant()]);
        }
        RunnerKind::State => {
            call_own(node, "_exit", &[reason.code().to_variant()]);
        }
        RunnerKind::LimboAi => {
            let root = instance(node).and_then(|mut last| last.try_call("get_root_task", &[]).ok());
            if let Some(mut root) = root.and_then(|root| root.try_to::<Gd<Object>>().ok()) {
                let _told_by_the_engine = root.try_call("abort", &[]);
            }
            set(node, "active", &false.to_variant());
        }
        // A tree that ended by itself has nothing to interrupt; its leaves would take it for a second end.
        RunnerKind::Beehave if reason.is_own_end() => {}
        RunnerKind::Beehave => {
            call_quietly(node, "interrupt", &[]);
        }
    }
}

/// It has to wait, or goes on. A tree that is not ticked waits by itself.
pub(super) fn pause(node: &Gd<Node>, kind: RunnerKind, waits: bool) {
    let method = if waits { "_suspend" } else { "_resume" };
    match kind {
        RunnerKind::Hooks if node.has_method(method) => call_quietly(node, method, &[]),
        RunnerKind::State => drop(call_own(node, method, &[])),
        _ => {}
    }
}

/// Calls a hook that the script of a state has; none without it.
fn call_own(node: &Gd<Node>, method: &str, arguments: &[Variant]) -> Option<Variant> {
    let method = StringName::from(method);
    let own = node.is_instance_valid() && node.get_script().is_some() && node.has_method(&method);
    own.then(|| script_method::call(node, &method, arguments))
}

fn blackboard(node: &Gd<Node>, kind: RunnerKind) -> Option<Gd<Object>> {
    if kind.has_hooks() || !node.is_instance_valid() {
        return None;
    }
    node.get("blackboard").try_to::<Gd<Object>>().ok()
}

/// The running tree of a player.
fn instance(node: &Gd<Node>) -> Option<Gd<Object>> {
    let mut player = alive(node)?;
    player.try_call("get_bt_instance", &[]).ok()?.try_to::<Gd<Object>>().ok()
}

/// The node, unless what was called before freed it.
fn alive(node: &Gd<Node>) -> Option<Gd<Node>> {
    node.is_instance_valid().then(|| node.clone())
}

fn set(node: &Gd<Node>, property: &str, value: &Variant) {
    if let Some(mut node) = alive(node) {
        node.set(property, value);
    }
}

/// What a script gets wrong the engine tells; what is not there is not needed.
fn call_quietly(node: &Gd<Node>, method: &str, arguments: &[Variant]) {
    if let Some(mut node) = alive(node) {
        let _told_by_the_engine = node.try_call(method, arguments);
    }
}

fn call(node: &Gd<Node>, method: &str, arguments: &[Variant]) -> Result<Variant, String> {
    let Some(mut called) = alive(node) else { return Ok(Variant::nil()) };
    called.try_call(method, arguments).map_err(|_| {
        let class =
            alive(node).map_or_else(String::new, |node| format!(" ({})", messages::class_label(&node)));
        format!(
            "has a runner{class} whose {method}() can't be called. Give it the parameters of its contract."
        )
    })
}
