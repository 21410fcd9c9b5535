use godot::prelude::*;

/// A recording of an [ActionGraphPlayer]: see [method ActionGraphPlayer.start_recording]. It can be saved as a file.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionReplay {
    /// The version of its structure.
    #[export]
    pub(super) version: i64,
    /// The file of the moveset that was played; empty for one that is in no file.
    #[export]
    pub(super) graph_path: GString,
    /// The state in which it begins, as of [method ActionGraphPlayer.export_state].
    #[export]
    pub(super) start_state: VarDictionary,
    /// The steps: each has its seconds and the calls that were made.
    #[export]
    pub(super) ticks: VarArray,
    /// The movesets that were made active after the start: calls name them by their place.
    #[export]
    pub(super) graphs: VarArray,
    /// What was answered to questions about the world, in order.
    #[export]
    pub(super) answers: PackedByteArray,
    base: Base<Resource>,
}
