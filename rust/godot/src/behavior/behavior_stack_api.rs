//! What scripts do with a BehaviorStack.

use godot::prelude::*;

use super::behavior_stack_execution::Order;
use super::{BehaviorStack, access, driver, saving, setting};
use crate::base::messages;
use crate::base::ticking::{self, Ticker as _};
use crate::command::CommandHandle;
use crate::optional::{Entries, Optional};

#[godot_api(secondary)]
impl BehaviorStack {
    /// Puts a behaviour on a layer: the id of its route, which is never used again. What the layer had is over, with
    /// [constant EXIT_REPLACED].
    ///
    /// [param behavior] is a [BehaviorState], another node with the three hooks, a node with one tree of LimboAI or Beehave
    /// in it, a [PackedScene] of one of these, or a [code]BehaviorTree[/code] of LimboAI. A scene is instanced below the stack
    /// and freed at its end. [param overrides], property to value, are set on the behavior before it enters and put back after
    /// its exit. With a [param handle] it carries out that order: it finds it by [method BehaviorState.get_command], and its
    /// end is reported to it. 0, with an error, for an unknown layer, for what is no behavior, for a node that is on another
    /// layer, and outside the tree.
    #[func(gd_self)]
    pub fn set_behavior(
        this: Gd<Self>,
        layer: StringName,
        behavior: Variant,
        #[opt(default = Entries::none())] overrides: Entries,
        #[opt(default = Optional::null())] handle: Optional<CommandHandle>,
    ) -> i64 {
        if !messages::on_main(&this, "set_behavior") {
            return 0;
        }
        let id = this.instance_id();
        let asked =
            access::Behavior { what: &behavior, overrides: &overrides.0, owner: handle.0.map(Order::owner) };
        setting::set(id, &layer, asked).unwrap_or_else(|why| {
            // While everything leaves, what a handler sets next is nobody's fault.
            let leaving = driver::with(id, |state| state.core.is_closed() && state.core.is_in_turn());
            if leaving == Some(false) {
                messages::error(&this, "set_behavior", &why, &format!("set_behavior() {why}"));
            }
            0
        })
    }

    /// Takes exactly this route off its layer, with [constant EXIT_REMOVED]. False, without effect, if it is over or was
    /// replaced.
    #[func(gd_self)]
    pub fn remove_behavior(this: Gd<Self>, route_id: i64) -> bool {
        messages::on_main(&this, "remove_behavior") && driver::remove(this.instance_id(), route_id)
    }

    /// Takes what a layer has off it, with [constant EXIT_REMOVED]. False if it has nothing.
    #[func(gd_self)]
    pub fn clear_layer(this: Gd<Self>, layer: StringName) -> bool {
        let route = Self::get_route(this.clone(), layer);
        messages::on_main(&this, "clear_layer") && driver::remove(this.instance_id(), route)
    }

    /// The behavior of a layer; null without one, and after it was freed.
    #[func(gd_self)]
    pub fn get_behavior(this: Gd<Self>, layer: StringName) -> Option<Gd<Node>> {
        let id = this.instance_id();
        let found = driver::with(id, |state| {
            let layer = state.core.find_layer(&layer.to_string())?;
            state.core.behavior(layer)
        });
        let node = InstanceId::try_from_i64(found.flatten()?)?;
        Gd::try_from_instance_id(node).ok()
    }

    /// The route of a layer; 0 without a behavior.
    #[func(gd_self)]
    pub fn get_route(this: Gd<Self>, layer: StringName) -> i64 {
        let found = driver::with(this.instance_id(), |state| {
            let layer = state.core.find_layer(&layer.to_string())?;
            state.core.route(layer)
        });
        found.flatten().unwrap_or(0)
    }

    /// The highest layer that has a behavior; empty without one, and while [member enabled] is off.
    #[func(gd_self)]
    pub fn get_active_layer(this: Gd<Self>) -> StringName {
        let found = driver::with(this.instance_id(), |state| {
            let layer = state.core.active_layer()?;
            Some(StringName::from(state.core.layer_name(layer)))
        });
        found.flatten().unwrap_or_default()
    }

    /// True if this is the active layer.
    #[func(gd_self)]
    pub fn is_layer_active(this: Gd<Self>, layer: StringName) -> bool {
        !layer.is_empty() && Self::get_active_layer(this) == layer
    }

    /// Moves behaviors by some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let now = driver::with(this.instance_id(), |state| (state.callback, state.core.is_in_turn()));
        let (callback, stepping) = now.unwrap_or_default();
        if messages::on_main(&this, "advance") && ticking::may_advance(&this, callback, stepping, delta) {
            Self::tick(this, delta);
        }
    }

    /// What is on which layer, as plain values, for saving: behaviors by their path from the stack, scenes by their file. A
    /// behavior with a method [code]export_state() -> Dictionary[/code] adds its own. What an order set is left to the order.
    /// See [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        saving::export(&this)
    }

    /// Brings the layers to an exported state; what an order set stays. A behavior that is there already goes on, the others
    /// leave and enter with their hooks, but without signals; then [code]import_state(state: Dictionary)[/code] of those that
    /// have it is called. False, with an error and without effect, if version or structure is another, and from inside a hook
    /// or handler. Layers and behaviors that are not there are left out with a warning.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        messages::on_main(&this, "import_state") && saving::import(&this, &state)
    }
}
