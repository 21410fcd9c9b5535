//! A CommandSystem in the tree: coming, leaving, steps, warnings.

use godot::prelude::*;
use riposte_core::command::Settings;

use super::state::{self, State};
use super::{CommandSystem, driver, peers, system_warnings};
use crate::action::script_calls::overrides_node;
use crate::base::callbacks::connect;
use crate::base::lifecycle::Lifecycle;
use crate::base::lookup::{self, Part};
use crate::base::ticking::Ticker;
use crate::base::virtuals::{Stepped, stepped};

stepped!(CommandSystem);

impl Stepped for CommandSystem {
    const NAME: &'static str = "CommandSystem";

    fn step(id: InstanceId, delta: f64) {
        driver::step(id, delta);
    }

    fn warnings(this: Gd<Self>) -> PackedStringArray {
        system_warnings::of(&this).iter().map(GString::from).collect()
    }
}

impl Lifecycle for CommandSystem {
    fn entered(this: Gd<Self>) {
        let id = this.instance_id();
        // A node that a loading thread made has no state yet.
        if !state::exists(id) {
            state::insert(id, State::new());
        }
        // What nobody set has its default, which no setter handed over.
        this.bind().push();
        look_at_script(id);
        connect(&this, "script_changed", id, "riposte_orders_script", look_at_script);
        Self::find_agent(&this);
        driver::with(id, |state| state.driven.forget());
        Self::open_to_peers(&this);
        driver::call(id, |core| core.enter_tree());
        // What starts here may free it.
        if let Some(this) = driver::node_of(id).filter(|this| this.is_inside_tree()) {
            peers::entered(&this);
        }
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        driver::with(this.instance_id(), |state| state.driven.readied());
        driver::update_ticking(this.instance_id());
    }

    fn exiting(this: Gd<Self>) {
        let id = this.instance_id();
        driver::leave_tree(id);
        lookup::detach(id);
    }
}

impl Ticker for CommandSystem {
    fn tick(this: Gd<Self>, delta: f64) {
        driver::step(this.instance_id(), delta);
    }
}

impl CommandSystem {
    pub(super) fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        lookup::attach(&this.clone().upcast(), &path, Part::Commands);
    }

    /// Hands all settings to the state.
    pub(super) fn push(&self) {
        let default_execution = self.default_execution.member().cloned();
        let block_tags = self.global_block_tags.ids().into();
        let sources = self.insert_only_sources.as_slice().iter().map(StringName::from).collect();
        let old = driver::with(self.id, |state| {
            state.core.set_settings(Settings {
                max_queue_length: self.max_queue_length as u32,
                max_starts_per_turn: self.max_starts_per_turn as u32,
                max_events_per_turn: u32::try_from(self.max_events_per_turn).unwrap_or(u32::MAX),
                cancel_timeout: self.cancel_timeout,
            });
            state.core.set_insert_only_sources(sources);
            state.core.set_enabled(self.enabled);
            state.callback = self.process_callback;
            state.time_scale = self.time_scale;
            state.exit_keeps = self.exit_tree_policy == Self::EXIT_TREE_KEEP;
            state.logs = self.debug_log_execution;
            state.rules.restricted = self.restrict_to_palette;
            state.rules.block_tags = block_tags;
            std::mem::replace(&mut state.rules.default_execution, default_execution)
        });
        drop(old);
    }
}

/// Which virtuals the script of the node has.
fn look_at_script(id: InstanceId) {
    let Some(node) = driver::node_of(id) else { return };
    let asks = overrides_node(&node.upcast(), &StringName::from("_can_accept"));
    driver::with(id, |state| state.rules.asks_can_accept = asks);
}

impl Drop for CommandSystem {
    fn drop(&mut self) {
        driver::remove(self.id);
    }
}
