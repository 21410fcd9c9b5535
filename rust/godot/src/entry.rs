//! The entry point that the engine calls.
#![allow(unsafe_code, reason = "the entry point's `unsafe impl` is the only unsafe item of the project")]

use godot::prelude::{ExtensionLibrary, gdextension};

struct RiposteExtension;

#[gdextension(entry_symbol = riposte_library_init)]
unsafe impl ExtensionLibrary for RiposteExtension {}
