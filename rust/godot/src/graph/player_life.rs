//! An ActionGraphPlayer in the tree: coming, leaving, steps, warnings.

use godot::classes::Engine;
use godot::obj::Singleton as _;
use godot::prelude::*;
use riposte_core::graph::Settings;

use super::nodes::{Found, Paths};
use super::player_input::InputSetup;
use super::state::{self, with};
use super::{
    ActionGraphPlayer, debugging, driver, pairing, player_input, player_warnings, sources, stepping,
};
use crate::base::lifecycle::Lifecycle;
use crate::base::lookup::{self, Part};
use crate::base::network;
use crate::base::quitting;
use crate::base::tags;

#[godot_api]
impl INode for ActionGraphPlayer {
    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        player_warnings::of(&this).iter().map(GString::from).collect()
    }
}

impl Lifecycle for ActionGraphPlayer {
    fn entered(this: Gd<Self>) {
        let id = this.instance_id();
        // A node that a loading thread made has no state yet.
        let made = !state::exists(id);
        if made {
            state::insert(id);
        }
        // What nobody set has its default, which no setter handed over.
        let own = this.bind();
        own.push();
        own.push_network();
        own.hand_paths();
        let graph = own.default_graph.clone();
        drop(own);
        if made {
            sources::set_default(&this, graph);
        }
        Self::find_agent(&this);
        Self::open_to_peers(&this);
        network::follow_tree();
        stepping::ensure_steppers();
        with(id, |state| state.driven.forget());
        if this.is_node_ready() {
            Self::begin(&this);
        }
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        with(this.instance_id(), |state| state.driven.readied());
        Self::begin(&this);
    }

    fn exiting(this: Gd<Self>) {
        let id = this.instance_id();
        player_input::left(&this);
        driver::leave_tree(id);
        with(id, |state| state.seat.leave());
        debugging::update(id);
        lookup::detach(id);
    }
}

impl ActionGraphPlayer {
    /// In the tree and ready: from now on it plays.
    fn begin(this: &Gd<Self>) {
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let id = this.instance_id();
        with(id, |state| {
            state.entered = true;
            state.found = Found::default();
            state.bound_at = 0;
            state.world.forget();
        });
        debugging::update(id);
        quitting::watch();
        Self::listen(this);
        sources::activate(id);
        driver::update_ticking(id);
    }

    /// Devices are listened to as set.
    pub(super) fn listen(this: &Gd<Self>) {
        let setup = {
            let own = this.bind();
            InputSetup { mode: own.input_mode, map: own.input_map.clone(), device: own.input_device }
        };
        player_input::configure(this, setup);
    }

    pub(super) fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        lookup::attach(&this.clone().upcast(), &path, Part::Moves);
        with(this.instance_id(), |state| {
            state.found = Found::default();
            state.bound_at = 0;
            state.world.forget();
        });
    }

    /// Hands the settings to the state.
    pub(super) fn push(&self) {
        let block = pairing::with_block(self.id, self.global_block_tags.ids().to_vec());
        let running = self.action_running_tag.to_string();
        let running = if running.is_empty() { None } else { tags::intern(&running).ok() };
        with(self.id, |state| {
            state.core.set_settings(Settings {
                time_scale: self.time_scale,
                action_speed: self.action_speed,
                global_block_tags: block,
                ..state.core.settings().clone()
            });
            state.running_tag = running;
            state.callback = self.process_callback;
            state.switches.logs = self.debug_log_actions;
            state.switches.shows = self.debug_overlay_actions;
        });
    }

    /// Hands the paths to the state; what they lead to is looked for anew.
    pub(super) fn push_paths(&mut self) {
        self.hand_paths();
        self.base_mut().update_configuration_warnings();
    }

    pub(super) fn hand_paths(&self) {
        with(self.id, |state| {
            state.found = Found::default();
            state.bound_at = 0;
            state.paths = Paths {
                animation_player: self.animation_player_path.clone(),
                animation_tree: self.animation_tree_path.clone(),
                facing: self.facing_path.clone(),
                model_front: self.use_model_front,
                direction_reference: self.direction_reference.clone(),
            };
        });
    }
}

impl Drop for ActionGraphPlayer {
    fn drop(&mut self) {
        state::remove(self.id);
    }
}
