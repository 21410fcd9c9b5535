//! What an ActionGraphPlayer is given as input, and what it says about inputs.

use godot::prelude::*;

use super::{ActionGraphPlayer, inputs, player_input, sequences};

#[godot_api(secondary)]
impl ActionGraphPlayer {
    /// Gives an input, as a button would: [param tag] of the graph, and a moment, one of the `FIRES_*` constants.
    /// [param direction] is a direction in the world, X and Z in 3D, X and Y in 2D; [code]Vector2.INF[/code], the default, is the
    /// move direction. Acts at once, and answers what became of the input, one of the `INPUT_*` constants.
    #[func(gd_self)]
    pub fn process_input(
        this: Gd<Self>,
        tag: StringName,
        #[opt(default = 0)] moment: i64,
        #[opt(default = Vector2::INF)] direction: Vector2,
    ) -> i64 {
        inputs::process(&this, &tag, moment, direction)
    }

    /// Presses or releases a button of this tag: with an [ActionInput] of that tag its trigger and hold time count. Acts in the
    /// same step. Answers as [method process_input]; [constant INPUT_BUFFERED] while a hold has begun.
    #[func(gd_self)]
    pub fn push_input(
        this: Gd<Self>,
        tag: StringName,
        pressed: bool,
        #[opt(default = Vector2::INF)] direction: Vector2,
    ) -> i64 {
        inputs::push(&this, &tag, pressed, direction)
    }

    /// Sets the direction in the world that the agent moves in, X and Z in 3D, X and Y in 2D, length 0 to 1: for an AI. A stick of
    /// [member input_map] overwrites it while it is pushed.
    #[func(gd_self)]
    pub fn set_move_direction(this: Gd<Self>, planar: Vector2) {
        player_input::set_move_direction(&this, planar);
    }

    /// The direction in the world that the agent moves in; zero while it stands.
    #[func(gd_self)]
    pub fn get_move_direction(this: Gd<Self>) -> Vector2 {
        player_input::move_direction(this.instance_id())
    }

    /// Plays several inputs: each is a tag, or a dictionary [code]{tag, moment, direction}[/code]. [param mode] is
    /// [constant SEQUENCE_CHAIN] or [constant SEQUENCE_DISCRETE]. Answers a handle above 0 for [signal sequence_ended]; 0, with an
    /// error, if an item is none. A sequence that runs is called off.
    #[func(gd_self)]
    pub fn queue_input_sequence(this: Gd<Self>, inputs: AnyArray, #[opt(default = 0)] mode: i64) -> i64 {
        sequences::queue(&this, &inputs, mode)
    }

    /// Calls a sequence off: the one that runs (0), or the one of this handle. False if it has ended.
    #[func(gd_self)]
    pub fn cancel_input_sequence(this: Gd<Self>, #[opt(default = 0)] handle: i64) -> bool {
        sequences::cancel(&this, handle)
    }

    /// True while an input of this tag waits.
    #[func(gd_self)]
    pub fn is_buffered(this: Gd<Self>, tag: StringName) -> bool {
        inputs::is_buffered(&this, &tag)
    }

    /// True while the button of this tag is down; a press by [method process_input] counts until its release.
    #[func(gd_self)]
    pub fn is_held(this: Gd<Self>, tag: StringName) -> bool {
        player_input::is_held(&this, &tag)
    }

    /// Seconds that the button of this tag is down, on the clock of this node; 0 while it is up.
    #[func(gd_self)]
    pub fn held_time(this: Gd<Self>, tag: StringName) -> f64 {
        player_input::held_time(&this, &tag)
    }

    /// Drops all inputs that wait. Answers how many.
    #[func(gd_self)]
    pub fn clear_buffer(this: Gd<Self>) -> i64 {
        inputs::clear(&this)
    }

    /// Tags of inputs with which something would be done now: they would act, or be kept.
    #[func(gd_self)]
    pub fn get_offered_inputs(this: Gd<Self>) -> PackedStringArray {
        inputs::offered(&this)
    }

    /// What would become of an input now and why, in words: at which stop it would end, and why each transition that it could
    /// take is not taken. Changes nothing.
    #[func(gd_self)]
    pub fn explain_input(
        this: Gd<Self>,
        tag: StringName,
        #[opt(default = 0)] moment: i64,
        #[opt(default = Vector2::INF)] direction: Vector2,
    ) -> GString {
        inputs::explain(&this, &tag, moment, direction)
    }

    /// What became of the last input: [code]tag, moment, result, stop[/code] (the name of the stop), [code]why[/code] (a `DROP_*`
    /// constant, -1 if it was not dropped), [code]node, node_time, live[/code] (it had not waited), [code]transitions[/code] (a list of
    /// [code]{transition, node, to, verdict}[/code]) and [code]text[/code]. Empty before the first.
    #[func(gd_self)]
    pub fn get_last_input_report(this: Gd<Self>) -> VarDictionary {
        inputs::last_report(&this)
    }
}
