//! The entry point that the engine calls.
#![allow(unsafe_code, reason = "the entry point is an unsafe trait")]

use godot::init::InitStage;
use godot::prelude::{ExtensionLibrary, gdextension};

use crate::action;
use crate::agent::WorldTags;
use crate::awareness;

use crate::base::{callbacks, settings};
use crate::graph;
use crate::motion;
use crate::perception::{PerceptionServer, state, stats};

struct RiposteExtension;

#[gdextension(entry_symbol = riposte_library_init)]
unsafe impl ExtensionLibrary for RiposteExtension {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            settings::register();
            WorldTags::arm();
            action::CombatTokens::arm();
            action::teach_defaults();
            awareness::teach_defaults();
            graph::teach_defaults();
            PerceptionServer::arm();
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        // The first stage to go, and the only moment before a reload at which every class still works.
        if stage == InitStage::Editor {
            callbacks::disconnect_in_editor();
        }
        if matches!(stage, InitStage::Editor | InitStage::Scene) {
            // An exported game has no editor stage.
            stats::remove_monitors();
            motion::remove_monitors();
        }
        if stage == InitStage::Scene {
            // Their code goes with the library.
            state::with(|state| state.world.stop_workers());
        }
    }
}
