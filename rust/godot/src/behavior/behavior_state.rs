use godot::prelude::*;
use riposte_core::runner::{ExitReason, RunnerKind, RunnerStatus};

use super::state::row_of;
use super::{BehaviorStack, driver};
use crate::base::messages;
use crate::command::CommandHandle;

/// One behaviour of an agent, in a script of your own: extend this class and override its virtuals.
///
/// Add it as a child of a [BehaviorStack] and name its layer in [member autostart_layer], or give it to
/// [method BehaviorStack.set_behavior]. It enters when its layer becomes active, waits while a higher layer is, and goes on
/// after that. Every [method _enter] is followed by exactly one [method _exit], however it ends.
///
/// With [code]loop[/code] on it keeps its layer when it said that it is done, and enters again in the next tick, until it is
/// replaced or removed. Default off.
///
/// ```gdscript
/// class_name Patrol
/// extends BehaviorState
/// @export var points: Array[Vector3]
/// func _enter() -> void:
///     _walk()
/// func _resume() -> void:
///     _walk()
/// func _tick(_delta: float) -> int:
///     return STATUS_SUCCEEDED if (get_agent() as Guard).has_arrived() else STATUS_RUNNING
/// func _walk() -> void:
///     (get_agent() as Guard).walk_to(points.pick_random())
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct BehaviorState {
    /// The layer of the [BehaviorStack] above it on which it begins as soon as the stack is ready. Of several on one layer
    /// the last child does. Empty, the default: it waits to be set.
    #[export]
    #[var(set = set_autostart_layer)]
    autostart_layer: StringName,
    // The property is called `loop`, which no field can be; help of renamed fields is lost, so the class tells it.
    #[export]
    #[var(rename = loop)]
    loops: bool,
    base: Base<Node>,
}

#[godot_api]
impl BehaviorState {
    /// Returned by [method _tick]: it wants another tick.
    #[constant]
    const STATUS_RUNNING: i64 = RunnerStatus::Running as i64;
    /// Returned by [method _tick] or given to [method finish]: it is done.
    #[constant]
    const STATUS_SUCCEEDED: i64 = RunnerStatus::Succeeded as i64;
    /// Returned by [method _tick] or given to [method finish]: it could not do it.
    #[constant]
    const STATUS_FAILED: i64 = RunnerStatus::Failed as i64;
    /// It said that it succeeded.
    #[constant]
    const EXIT_SUCCEEDED: i64 = ExitReason::Succeeded as i64;
    /// It said that it failed, or could not enter.
    #[constant]
    const EXIT_FAILED: i64 = ExitReason::Failed as i64;
    /// Another behaviour was set on its layer.
    #[constant]
    const EXIT_REPLACED: i64 = ExitReason::Replaced as i64;
    /// It was taken off its layer, or the layer off the stack.
    #[constant]
    const EXIT_REMOVED: i64 = ExitReason::Removed as i64;
    /// The stack left the tree.
    #[constant]
    const EXIT_STACK_REMOVED: i64 = ExitReason::StackRemoved as i64;
    /// Its node was freed; only the stack's signal says so.
    #[constant]
    const EXIT_FREED: i64 = ExitReason::Freed as i64;

    /// It begins: its layer became active for the first time.
    #[func(virtual, gd_self)]
    pub fn enter(_this: Gd<Self>) {}

    /// A step while it is active, from the tick after it entered or resumed; [param delta] is in seconds of the stack. The
    /// answer is one of the `STATUS_*` constants; anything but [constant STATUS_RUNNING] ends it. Default: it runs on.
    #[func(virtual, gd_self)]
    pub fn tick(_this: Gd<Self>, _delta: f64) -> i64 {
        RunnerStatus::Running.code()
    }

    /// It is over: undo what began. Once per [method _enter], also while it waits. [param exit_reason] is one of the
    /// `EXIT_*` constants.
    #[func(virtual, gd_self)]
    pub fn exit(_this: Gd<Self>, _exit_reason: i64) {}

    /// A higher layer takes over, or the stack was switched off: stop what moves. It is not ticked until
    /// [method _resume].
    #[func(virtual, gd_self)]
    pub fn suspend(_this: Gd<Self>) {}

    /// Its layer is active again, after [method _suspend]: go on.
    #[func(virtual, gd_self)]
    pub fn resume(_this: Gd<Self>) {}

    /// Ends it at once with [constant STATUS_SUCCEEDED] or [constant STATUS_FAILED], from anywhere, also while it waits.
    /// From inside a hook or a handler the end follows after that. False, without effect, if it has not entered or is over;
    /// with an error for another [param status].
    #[func(gd_self)]
    pub fn finish(this: Gd<Self>, status: i64) -> bool {
        if !messages::on_main(&this, "finish") {
            return false;
        }
        let known = RunnerKind::State.status(status).filter(|status| *status != RunnerStatus::Running);
        let Some(status) = known else {
            let text = format!("finish() got {status}. Give STATUS_SUCCEEDED 1 or STATUS_FAILED 2.");
            messages::error(&this, "finish", "status", &text);
            return false;
        };
        row_of(this.instance_id()).is_some_and(|(stack, row)| driver::finish(stack, &row, status))
    }

    /// The agent of the stack that it is set on; null while it is on none.
    #[func(gd_self)]
    pub fn get_agent(this: Gd<Self>) -> Option<Gd<Node>> {
        driver::agent_of(row_of(this.instance_id())?.0)
    }

    /// The stack that it is set on; null while it is on none.
    #[func(gd_self)]
    pub fn get_behavior_stack(this: Gd<Self>) -> Option<Gd<BehaviorStack>> {
        driver::node_of(row_of(this.instance_id())?.0)
    }

    /// The layer that it is set on, from its set to its exit; empty while it is on none.
    #[func(gd_self)]
    pub fn get_layer(this: Gd<Self>) -> StringName {
        row_of(this.instance_id()).map(|(_, row)| row.layer.clone()).unwrap_or_default()
    }

    /// The number that [method BehaviorStack.set_behavior] returned for it; 0 while it is on no layer.
    #[func(gd_self)]
    pub fn get_route_id(this: Gd<Self>) -> i64 {
        row_of(this.instance_id()).map_or(0, |(_, row)| row.route)
    }

    /// The order that it carries out; null while it carries out none.
    #[func(gd_self)]
    pub fn get_command(this: Gd<Self>) -> Option<Gd<CommandHandle>> {
        let owner = row_of(this.instance_id())?.1.owner.clone()?;
        owner.command().try_to().ok()
    }

    #[func]
    fn set_autostart_layer(&mut self, value: StringName) {
        self.autostart_layer = value;
        self.base_mut().update_configuration_warnings();
        if let Some(mut parent) = self.base().get_parent() {
            parent.update_configuration_warnings();
        }
    }
}

#[godot_api]
impl INode for BehaviorState {
    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let parent = self.base().get_parent();
        let below = parent.is_some_and(|parent| parent.try_cast::<BehaviorStack>().is_ok());
        if !self.autostart_layer.is_empty() && !below {
            let text = "autostart_layer has no effect: it does not stand below a BehaviorStack. Make it a child of one.";
            warnings.push(text);
        }
        warnings
    }
}

impl BehaviorState {
    /// True if it enters again after its own end.
    pub(super) fn loops(&self) -> bool {
        self.loops
    }

    /// The layer on which it begins by itself.
    pub(super) fn autostart_layer(&self) -> StringName {
        self.autostart_layer.clone()
    }
}
