use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::runner::ExitReason;

use super::state::{STACKS, State, take_returns, take_rows};
use super::{access, driver, setting, warnings};
use crate::base::callbacks;
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::setter::Owner;
use crate::base::ticking::{self, Ticker};
use crate::runner::Runner;

/// What an agent does, in layers: the highest layer that has a behaviour runs, those below it wait.
///
/// Add it as a direct child of the agent, and behaviours below it: [BehaviorState]s, nodes with `_enter()`,
/// `_tick(delta: float) -> int` and `_exit(exit_reason: int)` (`_suspend()` and `_resume()` if they have them), or scenes
/// with one tree of LimboAI or Beehave in it. A patrol on the lowest layer is suspended while an order runs on the highest,
/// and goes on when that is over. It needs no [code]CommandSystem[/code]; orders use it by themselves.
///
/// Before it enters, a tree finds in its blackboard, and a node is given by [code]set_runner_keys(keys: Dictionary)[/code]
/// if it has that method: [code]riposte_command[/code] (the handle of the order, or null), [code]riposte_agent[/code] and
/// [code]riposte_target[/code].
///
/// ```gdscript
/// var route := stack.set_behavior(&"Unit", $Patrol)
/// stack.set_behavior(&"Squad", preload("res://flank.tscn"), {"side": 1})
/// stack.remove_behavior(route)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct BehaviorStack {
    /// The agent. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// Off suspends what runs, and nothing enters until it is on again; behaviours may be set and removed all the same.
    /// Default on.
    #[export]
    #[var(set = set_enabled)]
    #[init(val = true)]
    enabled: bool,
    /// Names of the layers, lowest first. Each name once, none empty: others are refused with an error. Behaviours of a layer
    /// that is taken off are removed. Default [code]Unit[/code], [code]Squad[/code], [code]Command[/code].
    #[export]
    #[var(set = set_layers)]
    #[init(val = PackedStringArray::from(USUAL_LAYERS.map(GString::from)))]
    layers: PackedStringArray,
    /// When behaviours are ticked: with the physics, with each frame, or by [method advance].
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    process_callback: i64,
    /// Speed of the time that behaviours are ticked with; at 0 they are not ticked. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    time_scale: f64,
    #[export_group(name = "Debug", prefix = "debug_")]
    /// Prints every hook and signal with the time, `suspend(Patrol)`, `entered(Command,3)`. Default off. The project setting
    /// [code]riposte/debug/log_execution[/code] switches it on for all agents.
    #[export]
    #[var(set = set_debug_log_execution)]
    debug_log_execution: bool,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = State::create(base.to_init_gd().instance_id(), &USUAL_LAYERS.map(str::to_owned)))]
    id: InstanceId,
    base: Base<Node>,
}

const USUAL_LAYERS: [&str; 3] = ["Unit", "Squad", "Command"];

#[godot_api]
impl BehaviorStack {
    /// Ticks with the physics.
    #[constant]
    const PROCESS_PHYSICS: i64 = ticking::PROCESS_PHYSICS;
    /// Ticks with every drawn frame.
    #[constant]
    const PROCESS_IDLE: i64 = ticking::PROCESS_IDLE;
    /// Ticks when [method advance] is called.
    #[constant]
    const PROCESS_MANUAL: i64 = ticking::PROCESS_MANUAL;
    /// The behaviour said that it succeeded.
    #[constant]
    const EXIT_SUCCEEDED: i64 = ExitReason::Succeeded as i64;
    /// The behaviour said that it failed, or could not enter.
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
    /// Its node was freed.
    #[constant]
    const EXIT_FREED: i64 = ExitReason::Freed as i64;

    /// Another layer is active. Empty: none was, or none is. Last of all signals, and once, however much changed.
    #[signal]
    pub fn active_layer_changed(previous: StringName, current: StringName);

    /// A behaviour entered; its `_enter` has run.
    #[signal]
    pub fn behavior_entered(layer: StringName, route_id: i64);

    /// A higher layer took over, or the stack was switched off; its `_suspend` has run.
    #[signal]
    pub fn behavior_suspended(layer: StringName, route_id: i64);

    /// A behaviour is active again; its `_resume` has run.
    #[signal]
    pub fn behavior_resumed(layer: StringName, route_id: i64);

    /// A behaviour that had entered is over; its `_exit` has run. [param exit_reason] is one of the `EXIT_*` constants.
    #[signal]
    pub fn behavior_exited(layer: StringName, route_id: i64, exit_reason: i64);

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        if self.base().is_inside_tree() {
            lookup::attach(&self.to_gd().upcast(), &self.agent_path, Part::Behaviors);
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func(gd_self)]
    fn set_enabled(this: impl Owner<Self>, value: bool) {
        let mut this = this.node();
        this.bind_mut().enabled = value;
        driver::change(this.instance_id(), |core| core.set_enabled(value));
    }

    #[func(gd_self)]
    fn set_layers(this: impl Owner<Self>, value: PackedStringArray) {
        let mut this = this.node();
        let names: Vec<String> = value.as_slice().iter().map(GString::to_string).collect();
        let wrong = names.iter().enumerate().find_map(|(at, name)| match name.is_empty() {
            true => Some(format!("layers[{at}] is empty")),
            false => names[..at].contains(name).then(|| format!("layers[{at}] is \"{name}\" once more")),
        });
        if let Some(wrong) = wrong {
            let text = format!("{wrong}; layers stays as it was. Give each layer a name of its own.");
            messages::error(&this, "layers", &wrong, &text);
            return;
        }
        this.bind_mut().layers = value;
        this.update_configuration_warnings();
        driver::change(this.instance_id(), |core| core.set_layers(&names));
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        driver::with(self.id, |state| state.callback = self.process_callback);
        let id = self.id;
        let _released = self.base_mut();
        driver::update_ticking(id);
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        driver::with(self.id, |state| state.time_scale = self.time_scale);
    }

    #[func]
    fn set_debug_log_execution(&mut self, value: bool) {
        self.debug_log_execution = value;
        driver::with(self.id, |state| state.logs = value);
    }
}

#[godot_api]
impl INode for BehaviorStack {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let this: Gd<Node> = self.to_gd().upcast();
        let mut found = lookup::warnings(&this, &self.agent_path, Part::Behaviors);
        found.extend(warnings::autostarts(&this, &self.layers));
        found.iter().map(GString::from).collect()
    }
}

impl Lifecycle for BehaviorStack {
    fn entered(this: Gd<Self>) {
        let id = this.instance_id();
        Self::find_agent(&this);
        driver::with(id, |state| state.core.enter_tree());
        if this.is_node_ready() {
            // Its children come back after it, and nobody says when the last one is there.
            callbacks::defer(id, "riposte_stack_back", |id| {
                if let Some(this) = driver::node_of(id).filter(|this| this.is_inside_tree()) {
                    Self::begin(&this);
                }
            });
        }
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        driver::with(this.instance_id(), |state| state.driven.readied());
        Self::begin(&this);
    }

    fn exiting(this: Gd<Self>) {
        driver::close(this.instance_id());
        lookup::detach(this.instance_id());
    }
}

impl Ticker for BehaviorStack {
    fn tick(this: Gd<Self>, delta: f64) {
        driver::tick(this.instance_id(), delta);
    }
}

impl BehaviorStack {
    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        lookup::attach(&this.clone().upcast(), &path, Part::Behaviors);
    }

    /// Its children are ready: behaviours that begin by themselves are set, and what is set enters.
    fn begin(this: &Gd<Self>) {
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let id = this.instance_id();
        Self::calm_trees(this);
        for (layer, state) in warnings::autostarting(&this.clone().upcast()) {
            let (what, overrides) = (state.to_variant(), VarDictionary::new());
            let behavior = access::Behavior { what: &what, overrides: &overrides, owner: None };
            if let Err(why) = setting::set(id, &layer, behavior) {
                let text = format!("autostart_layer of \"{}\" {why}", state.get_name());
                messages::error(this, "autostart_layer", &text, &text);
            }
        }
        for act in take_returns(id) {
            act();
        }
        driver::change(id, |core| core.open());
    }

    /// Trees that wait to be set must not step by themselves.
    fn calm_trees(this: &Gd<Self>) {
        let Some(agent) = driver::agent_of(this.instance_id()) else { return };
        for child in this.get_children().iter_shared() {
            if let Some(tree) = Runner::of_node(&child).ok().filter(Runner::is_tree) {
                tree.adopt(&agent);
            }
        }
    }
}

impl Drop for BehaviorStack {
    fn drop(&mut self) {
        STACKS.lock().remove(self.id);
        drop((take_rows(self.id), take_returns(self.id)));
    }
}
