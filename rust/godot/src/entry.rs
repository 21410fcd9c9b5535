//! The entry point that the engine calls.
#![allow(unsafe_code, reason = "the entry point's `unsafe impl` is the only unsafe item of the project")]

use godot::init::InitStage;
use godot::prelude::{ExtensionLibrary, gdextension};

use crate::action;
use crate::agent::WorldTags;
use crate::base::settings;
use crate::perception::PerceptionServer;

struct RiposteExtension;

#[gdextension(entry_symbol = riposte_library_init)]
unsafe impl ExtensionLibrary for RiposteExtension {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            settings::register();
            WorldTags::arm();
            action::teach_defaults();
            PerceptionServer::arm();
        }
    }
}
