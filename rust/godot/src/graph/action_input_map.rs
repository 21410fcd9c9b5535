use std::sync::Arc;

use godot::prelude::*;

use super::input_compile::{self, CompiledInputs};
use super::{ActionInput, ActionInputSequence};
use crate::base::family::{ArrayOf, ClassArray};
use crate::base::numbers::Checked;

/// How the buttons and the stick of a player become inputs of an [ActionGraph].
///
/// Set it as [member ActionGraphPlayer.input_map]. It names actions of the project's Input Map, so keys, pads and rebinding stay
/// there. One resource serves any number of players; edits count at once.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionInputMap {
    /// The inputs. Several of one button are tried in the order of their parts: chords first. Read-only for scripts: assign an
    /// array, don't append.
    #[export]
    #[var(get = get_inputs, set = set_inputs)]
    inputs: ClassArray<ActionInput>,
    /// Motion inputs, made of directions and inputs. Those with the most steps are tried first. Read-only for scripts: assign.
    #[export]
    #[var(get = get_sequences, set = set_sequences)]
    sequences: ClassArray<ActionInputSequence>,
    /// The action of the project's Input Map that pushes the stick to the left. Empty: none.
    #[export_group(name = "Stick", prefix = "move_")]
    #[export]
    #[var(set = set_move_left)]
    pub(super) move_left: StringName,
    /// The action that pushes it to the right.
    #[export]
    #[var(set = set_move_right)]
    pub(super) move_right: StringName,
    /// The action that pushes it up: forward, seen from the camera.
    #[export]
    #[var(set = set_move_up)]
    pub(super) move_up: StringName,
    /// The action that pushes it down.
    #[export]
    #[var(set = set_move_down)]
    pub(super) move_down: StringName,
    /// A stick that is pushed less far counts as not pushed, 0 to 1. Farther out it is read as it is, not stretched. Dead zones
    /// of the actions do not count for it. Default 0.2.
    #[export_group(name = "")]
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_stick_deadzone)]
    #[init(val = 0.2)]
    pub(super) stick_deadzone: f64,
    compiled: Option<Arc<CompiledInputs>>,
    base: Base<Resource>,
}

#[godot_api]
impl ActionInputMap {
    #[func]
    fn get_inputs(&self) -> ArrayOf<ActionInput> {
        self.inputs.stored()
    }

    #[func]
    fn set_inputs(&mut self, value: ArrayOf<ActionInput>) {
        let this = self.to_gd();
        if self.inputs.assign_watched(&this, "inputs", &value, "_part_changed") {
            self.part_changed();
        }
    }

    #[func]
    fn get_sequences(&self) -> ArrayOf<ActionInputSequence> {
        self.sequences.stored()
    }

    #[func]
    fn set_sequences(&mut self, value: ArrayOf<ActionInputSequence>) {
        let this = self.to_gd();
        if self.sequences.assign_watched(&this, "sequences", &value, "_part_changed") {
            self.part_changed();
        }
    }

    #[func]
    fn set_move_left(&mut self, value: StringName) {
        self.move_left = value;
        self.part_changed();
    }

    #[func]
    fn set_move_right(&mut self, value: StringName) {
        self.move_right = value;
        self.part_changed();
    }

    #[func]
    fn set_move_up(&mut self, value: StringName) {
        self.move_up = value;
        self.part_changed();
    }

    #[func]
    fn set_move_down(&mut self, value: StringName) {
        self.move_down = value;
        self.part_changed();
    }

    #[func]
    fn set_stick_deadzone(&mut self, value: f64) {
        self.stick_deadzone = self.clamped("stick_deadzone", value, self.stick_deadzone, 0.0, 1.0);
        self.part_changed();
    }

    /// An element was edited.
    #[func(rename = _part_changed)]
    fn part_changed(&mut self) {
        self.compiled = None;
        self.base_mut().emit_changed();
    }
}

impl ActionInputMap {
    /// The compiled map: made once after a change, for all players.
    pub(super) fn compiled(this: &Gd<Self>) -> Arc<CompiledInputs> {
        if let Some(known) = this.bind().compiled.clone() {
            return known;
        }
        let made = input_compile::compile(this);
        this.clone().bind_mut().compiled = Some(made.clone());
        made
    }

    /// The inputs without nulls.
    pub(super) fn input_list(&self) -> &[Gd<ActionInput>] {
        self.inputs.members()
    }

    /// The sequences without nulls.
    pub(super) fn sequence_list(&self) -> &[Gd<ActionInputSequence>] {
        self.sequences.members()
    }

    /// How many elements are null.
    pub(super) fn null_count(&self) -> usize {
        self.inputs.null_count() + self.sequences.null_count()
    }

    /// The actions of the stick: left, right, up, down.
    pub(super) fn stick_actions(&self) -> [&StringName; 4] {
        [&self.move_left, &self.move_right, &self.move_up, &self.move_down]
    }
}
