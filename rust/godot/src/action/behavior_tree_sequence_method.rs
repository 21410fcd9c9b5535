use godot::classes::{IResource, Resource};
use godot::prelude::*;
use godot::register::info::{PropertyHint, PropertyInfo};
use riposte_core::runner::{ExitReason, RunnerStatus};

use super::method_run::Method;
use super::parts::{MethodPart, TreePayloads};
use super::tree_run::{TreeDefinition, TreeParts};
use crate::base::family::{ArrayOf, ClassArray, FamilySlot};
use crate::base::numbers::Checked;
use crate::runner::Runner;

/// Runs an action as one or more behavior trees, one after the other.
///
/// An entry of [member trees] is a scene whose root has the three methods below, a scene with one [code]BTPlayer[/code]
/// (LimboAI) or one [code]BeehaveTree[/code] (Beehave) in it, or a [code]BehaviorTree[/code] resource of LimboAI. Neither
/// addon is needed. Each entry is instanced under the agent when its turn comes and freed when it ends.
///
/// Before it begins, a tree finds in its blackboard, and a node is given by [code]set_runner_keys(keys: Dictionary)[/code]
/// if it has that method: [code]riposte_action_id[/code], the payload under [member payload_key],
/// [code]riposte_target[/code], [code]riposte_agent[/code] and [code]riposte_distance[/code]. Target and distance are given
/// again when the target changes.
///
/// ```gdscript
/// extends Node  # the root of a scene
/// func _enter() -> void:
///     pass
/// func _tick(_delta: float) -> int:
///     return BehaviorTreeSequenceMethod.STATUS_SUCCEEDED
/// func _exit(reason: int) -> void:
///     prints("over", reason == BehaviorTreeSequenceMethod.EXIT_REMOVED)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct BehaviorTreeSequenceMethod {
    /// The trees, in their order. The next one begins in the step in which the one before succeeded, and is ticked from the
    /// step after that. Empty: the action is never chosen. An empty row, or one without a runner, fails the start.
    #[export]
    #[var(get = get_trees, set = set_trees)]
    trees: ClassArray<Resource>,
    /// Seconds that each tree may take; over it the action ends with [constant ActionEvaluator.END_TIMED_OUT], and the action
    /// as a whole may take this many seconds times the number of trees. 0, the default: only the project setting
    /// `riposte/execution/hard_timeout` ends it.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_tree_timeout)]
    tree_timeout: f64,
    /// What the action hands to its trees: a [BehaviorTreePayload]. Empty: nothing.
    #[export]
    #[var(get = get_payload, set = set_payload)]
    payload: FamilySlot<TreePayloads>,
    /// The key under which trees find [member payload]. Default [code]riposte_payload[/code]. Empty: they are not given it.
    #[export]
    #[var(set = set_payload_key)]
    #[init(val = StringName::from("riposte_payload"))]
    payload_key: StringName,
    /// A tree that failed counts as done, and the next one begins. Off, the default: it ends the action with
    /// [constant ActionEvaluator.END_FAILED].
    #[export]
    #[var(set = set_continue_on_failure)]
    continue_on_failure: bool,
    base: Base<Resource>,
}

#[godot_api]
impl BehaviorTreeSequenceMethod {
    /// Returned by `_tick` of a runner: it wants another step.
    #[constant]
    const STATUS_RUNNING: i64 = RunnerStatus::Running as i64;
    /// Returned by `_tick` of a runner: it is done.
    #[constant]
    const STATUS_SUCCEEDED: i64 = RunnerStatus::Succeeded as i64;
    /// Returned by `_tick` of a runner: it could not do it.
    #[constant]
    const STATUS_FAILED: i64 = RunnerStatus::Failed as i64;
    /// Given to `_exit` of a runner that said it succeeded.
    #[constant]
    const EXIT_SUCCEEDED: i64 = ExitReason::Succeeded as i64;
    /// Given to `_exit` of a runner that said it failed.
    #[constant]
    const EXIT_FAILED: i64 = ExitReason::Failed as i64;
    /// Given to `_exit` of a runner whose action was cut short.
    #[constant]
    const EXIT_REMOVED: i64 = ExitReason::Removed as i64;

    #[func]
    fn get_trees(&self) -> ArrayOf<Resource> {
        self.trees.stored()
    }

    #[func]
    fn set_trees(&mut self, value: ArrayOf<Resource>) {
        let this = self.to_gd();
        if self.trees.assign(&this, "trees", &value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn set_tree_timeout(&mut self, value: f64) {
        self.tree_timeout = self.timeout("tree_timeout", value, self.tree_timeout);
        self.base_mut().emit_changed();
    }

    #[func]
    fn get_payload(&self) -> Option<Gd<Resource>> {
        self.payload.stored()
    }

    #[func]
    fn set_payload(&mut self, value: Option<Gd<Resource>>) {
        let this = self.to_gd();
        if self.payload.assign(&this, "payload", value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn set_payload_key(&mut self, value: StringName) {
        self.payload_key = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_continue_on_failure(&mut self, value: bool) {
        self.continue_on_failure = value;
        self.base_mut().emit_changed();
    }
}

#[godot_api]
impl IResource for BehaviorTreeSequenceMethod {
    /// Offers scenes, and trees of the addon that is there, instead of all resources.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        if property.property_name == "trees" {
            let (object, hint) = (VariantType::OBJECT.ord(), PropertyHint::RESOURCE_TYPE.ord());
            let also = if Runner::has_tree_resources() { ",BehaviorTree" } else { "" };
            let classes = format!("{object}/{hint}:PackedScene{also}");
            property.hint_info.hint_string = GString::from(&classes);
        }
    }
}

impl MethodPart for BehaviorTreeSequenceMethod {
    fn missing(&self) -> Option<String> {
        let missing = self.trees.entries().is_empty();
        missing.then(|| {
            "BehaviorTreeSequenceMethod has no trees. Add a scene with a runner to trees.".to_owned()
        })
    }

    fn definition(this: Gd<Self>) -> Box<dyn Method> {
        Box::new(TreeDefinition::new(this))
    }
}

impl BehaviorTreeSequenceMethod {
    /// The private copy of a run.
    pub(crate) fn parts(&self) -> TreeParts {
        TreeParts {
            trees: self.trees.entries(),
            timeout: self.tree_timeout,
            payload: self.payload.member().cloned(),
            payload_key: self.payload_key.clone(),
            continue_on_failure: self.continue_on_failure,
        }
    }
}
