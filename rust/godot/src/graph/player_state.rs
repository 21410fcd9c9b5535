//! Steps of an ActionGraphPlayer by hand, and its state in and out.

use godot::prelude::*;

use super::state::with;
use super::{ActionGraphPlayer, ActionReplay, driver, replaying, saving};
use crate::base::ticking;
use crate::optional::Optional;

#[godot_api(secondary)]
impl ActionGraphPlayer {
    /// One step of some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let (callback, turning) =
            with(this.instance_id(), |state| (state.callback, state.stepping || state.core.in_turn()))
                .unwrap_or_default();
        if ticking::may_advance(&this, callback, turning, delta) {
            driver::step(this.instance_id(), delta);
        }
    }

    /// What runs, what waits and what counts time, as plain values, for saving. Graph and nodes are named. See
    /// [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        saving::export(&this)
    }

    /// Takes back what [method export_state] gave, also after JSON: the run goes on where it was, without
    /// [signal action_started]; its hooks begin with a run that is [member ActionRun.restored]. The moveset has to be the same. A
    /// node that is not there any more: Root, with a warning. False, with an error and without effect, if the version, the
    /// structure or the moveset is another.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        saving::import(&this, &state)
    }

    /// Begins to record: the state now, then every step, input, call and moveset that comes in, and what conditions, gates, costs and payloads said.
    /// Called from a signal or a virtual of this node it begins as soon as all of the current change is told. False, with an
    /// error, while it records or plays already.
    #[func(gd_self)]
    pub fn start_recording(this: Gd<Self>) -> bool {
        replaying::start(&this)
    }

    /// Ends the recording and returns it. Null, with an error, if none was started.
    #[func(gd_self)]
    pub fn stop_recording(this: Gd<Self>) -> Option<Gd<ActionReplay>> {
        replaying::stop(&this)
    }

    /// Plays a recording from its start: its state is taken over, devices and [method process_input] are ignored until it is over.
    /// Movesets come as they came then; one that is set meanwhile counts when it is over.
    /// With [param use_recorded_answers] nobody is asked anew, so that the same nodes follow whatever the world is like. Called
    /// from a signal or a virtual of this node it begins as soon as all of the current change is told. False, with an error, while
    /// it records, or if the recording is of another moveset.
    #[func(gd_self)]
    pub fn play_replay(
        this: Gd<Self>,
        replay: Optional<ActionReplay>,
        #[opt(default = false)] use_recorded_answers: bool,
    ) -> bool {
        replaying::play(&this, replay.0, use_recorded_answers)
    }
}
