use std::cell::Cell;
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::behavior::RouteId;
use riposte_core::command::RunResult;
use riposte_core::runner::ExitReason;

use super::access::{self, Behavior, RouteOwner};
use super::driver;
use super::state::{on_return, rows};
use crate::base::messages;
use crate::command::builtin::BuiltinExecution;
use crate::command::{CommandDefinition, CommandHandle, CommandRequest, CommandSystem};

/// Carries an order out by a behavior on a layer of the agent's [BehaviorStack]. What runs below that layer waits meanwhile
/// and goes on afterwards.
///
/// It is what a [CommandSystem] uses for orders that name no execution. The behavior is [member behavior_scene], else the child
/// of the stack with the name [member behavior_name]. It finds the order by [method BehaviorState.get_command], a tree in its
/// blackboard under [code]riposte_command[/code], and the target under [code]riposte_target[/code].
///
/// The order succeeds when the behavior does, fails with it ([code]behavior_failed[/code]), is cancelled when others replace or
/// remove it ([code]behavior_replaced[/code]), and fails with [code]executor_freed[/code] when its node is freed or the stack
/// leaves the tree. Without a stack, its layer or the behavior it is refused: [code]execution_unavailable[/code].
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct BehaviorStackExecution {
    /// A scene with the behavior, instanced for each start of an order. Empty, the default: a child of the stack.
    #[export]
    #[var(set = set_behavior_scene)]
    behavior_scene: Option<Gd<PackedScene>>,
    /// The name of the child of the stack. Empty, the default: the id of the order.
    #[export]
    #[var(set = set_behavior_name)]
    behavior_name: StringName,
    /// The layer of the stack. Default [code]Command[/code].
    #[export]
    #[var(set = set_layer)]
    #[init(val = StringName::from("Command"))]
    layer: StringName,
    /// Properties of the behavior, name to value, that it has while it carries out the order: set before it enters, put back
    /// after its exit.
    #[export]
    #[var(set = set_overrides)]
    overrides: VarDictionary,
    base: Base<Resource>,
}

#[godot_api]
impl BehaviorStackExecution {
    #[func]
    fn set_behavior_scene(&mut self, value: Option<Gd<PackedScene>>) {
        self.behavior_scene = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_behavior_name(&mut self, value: StringName) {
        self.behavior_name = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_layer(&mut self, value: StringName) {
        self.layer = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_overrides(&mut self, value: VarDictionary) {
        self.overrides = value;
        self.base_mut().emit_changed();
    }
}

/// What a start of an order needs of the resource.
struct Plan {
    scene: Option<Gd<PackedScene>>,
    name: StringName,
    layer: StringName,
    overrides: VarDictionary,
}

impl BehaviorStackExecution {
    fn plan(&self) -> Plan {
        Plan {
            scene: self.behavior_scene.clone(),
            name: self.behavior_name.clone(),
            layer: self.layer.clone(),
            overrides: self.overrides.clone(),
        }
    }

    /// What keeps an agent from carrying out an order, if this is what would; "fact. Fix."
    pub(crate) fn problem(execution: &Gd<Resource>, agent: &Gd<Node>, id: &StringName) -> Option<String> {
        let this: Gd<Self> = execution.clone().try_cast().ok()?;
        this.bind().plan().find(agent, id).err()
    }
}

impl Plan {
    /// The stack and the behaviour, or why there is none.
    fn find(&self, agent: &Gd<Node>, id: &StringName) -> Result<(InstanceId, Variant), String> {
        let stack = access::stack_of(agent.instance_id()).and_then(driver::node_of);
        let Some(stack) = stack.filter(|stack| stack.is_inside_tree()) else {
            return Err("there is no BehaviorStack. Add one to the agent.".to_owned());
        };
        let layer = self.layer.to_string();
        let known = driver::with(stack.instance_id(), |state| state.core.find_layer(&layer).is_some());
        if known != Some(true) {
            return Err(format!("the BehaviorStack has no layer \"{layer}\". Add it to layers."));
        }
        if let Some(scene) = &self.scene {
            return Ok((stack.instance_id(), scene.to_variant()));
        }
        let name = if self.name.is_empty() { id } else { &self.name };
        let children = stack.get_children();
        let child = children.iter_shared().find(|child| child.get_name() == *name);
        match child.filter(|child| !name.is_empty() && !child.is_queued_for_deletion()) {
            Some(child) => Ok((stack.instance_id(), child.to_variant())),
            None => Err(format!(
                "the BehaviorStack has no child \"{name}\". Add it, or set behavior_scene or behavior_name."
            )),
        }
    }
}

impl BuiltinExecution for Gd<BehaviorStackExecution> {
    fn is_available(&self, agent: &Gd<Node>, request: &dyn Fn() -> Gd<CommandRequest>) -> StringName {
        let plan = self.bind().plan();
        let id = id_of(request().bind().definition.clone());
        if plan.find(agent, &id).is_ok() { StringName::default() } else { UNAVAILABLE.into() }
    }

    fn start(&self, handle: &Gd<CommandHandle>) {
        let plan = self.bind().plan();
        let (agent, id) = {
            let handle = handle.bind();
            (handle.get_agent(), id_of(handle.get_definition()))
        };
        let Some((stack, what)) = agent.and_then(|agent| plan.find(&agent, &id).ok()) else {
            CommandHandle::report(handle, RunResult::Failed, UNAVAILABLE);
            return;
        };
        let start = Rc::new(Start { stack, execution: self.clone(), silent: Cell::new(false) });
        CommandHandle::keep(handle, start.clone());
        let owner: Rc<dyn RouteOwner> = Rc::new(Order { handle: handle.clone(), start: Some(start) });
        let behavior = Behavior { what: &what, overrides: &plan.overrides, owner: Some(owner) };
        if let Err(why) = access::set(stack, &plan.layer, behavior) {
            let text = format!("the order \"{id}\" {why}");
            messages::error(self, "start", &text, &text);
            CommandHandle::report(handle, RunResult::Failed, UNAVAILABLE);
        }
    }

    fn cancel(&self, handle: &Gd<CommandHandle>) {
        let ends_by_itself =
            route_of(handle).is_some_and(|(start, route)| !access::remove(start.stack, route));
        // What is about to be told of its own end tells how it went.
        if !ends_by_itself && CommandHandle::is_current(handle.clone()) {
            CommandHandle::report(handle, RunResult::Cancelled, "");
        }
    }

    fn left(&self, handle: &Gd<CommandHandle>) {
        if let Some((start, route)) = route_of(handle) {
            start.silent.set(true);
            access::remove(start.stack, route);
        }
    }
}

const UNAVAILABLE: &str = "execution_unavailable";

/// What is kept with a handle.
struct Start {
    stack: InstanceId,
    execution: Gd<BehaviorStackExecution>,
    /// The order is over: it is not told of the end any more.
    silent: Cell<bool>,
}

/// The order that a behaviour carries out.
pub(super) struct Order {
    handle: Gd<CommandHandle>,
    start: Option<Rc<Start>>,
}

impl Order {
    /// For a behaviour that a script set for an order: its end is that of the order too.
    pub(super) fn owner(handle: Gd<CommandHandle>) -> Rc<dyn RouteOwner> {
        Rc::new(Self { handle, start: None })
    }

    /// Agent, stack and orders leave the tree together, and the orders stay: it begins anew when the stack is back.
    fn comes_back(&self) -> bool {
        let (Some(start), Some(system)) = (self.start.clone(), self.handle.bind().get_system()) else {
            return false;
        };
        let policy = system.get("exit_tree_policy").try_to::<i64>().unwrap_or_default();
        let keeps = policy == CommandSystem::EXIT_TREE_KEEP;
        if system.is_inside_tree() || !keeps {
            return false;
        }
        let handle = self.handle.clone();
        on_return(
            start.stack,
            Box::new(move || {
                if CommandHandle::is_current(handle.clone()) {
                    start.execution.start(&handle);
                }
            }),
        );
        true
    }
}

impl RouteOwner for Order {
    fn command(&self) -> Variant {
        self.handle.to_variant()
    }

    fn target(&self) -> Option<Gd<Node>> {
        self.handle.bind().get_target()
    }

    fn over(&self, _route: RouteId, reason: ExitReason) {
        if self.start.as_ref().is_some_and(|start| start.silent.get()) {
            return;
        }
        if reason == ExitReason::StackRemoved && self.comes_back() {
            return;
        }
        let (result, reason) = match reason {
            ExitReason::Succeeded => (RunResult::Succeeded, ""),
            ExitReason::Failed => (RunResult::Failed, "behavior_failed"),
            ExitReason::Replaced | ExitReason::Removed => (RunResult::Cancelled, "behavior_replaced"),
            ExitReason::StackRemoved | ExitReason::Freed => (RunResult::Failed, "executor_freed"),
        };
        CommandHandle::report(&self.handle, result, reason);
    }
}

/// The route of a start, until it is over.
fn route_of(handle: &Gd<CommandHandle>) -> Option<(Rc<Start>, RouteId)> {
    let start = CommandHandle::kept::<Start>(handle)?;
    let own = handle.instance_id();
    let found: Vec<(RouteId, Rc<dyn RouteOwner>)> = rows(start.stack, |rows| {
        rows.iter().filter_map(|row| row.owner.clone().map(|owner| (row.route, owner))).collect()
    });
    let route = found.into_iter().find(|(_, owner)| owner.command().object_id() == Some(own))?.0;
    Some((start, route))
}

fn id_of(definition: Option<Gd<CommandDefinition>>) -> StringName {
    definition.map(|definition| CommandDefinition::compiled(&definition).id.clone()).unwrap_or_default()
}
