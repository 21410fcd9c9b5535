//! What scripts ask a CommandSystem about.

use godot::prelude::*;
use riposte_core::command::Phase;

use super::{
    CommandDefinition, CommandHandle, CommandInfo, CommandOption, CommandSystem, driver, known, order_saving,
    peers, reasons, telling,
};
use crate::base::ticking::{self, Ticker as _};
use crate::optional::{Anything, Optional};

#[godot_api(secondary)]
impl CommandSystem {
    /// The order that runs, is being stopped, or waits for its next try; null if there is none.
    #[func(gd_self)]
    pub fn get_current_command(this: Gd<Self>) -> Option<Gd<CommandInfo>> {
        let id = this.instance_id();
        peers::current(id).unwrap_or_else(|| telling::current(id))
    }

    /// The handle of the start that runs; null if there is none.
    #[func(gd_self)]
    pub fn get_current_handle(this: Gd<Self>) -> Option<Gd<CommandHandle>> {
        driver::current_handle(this.instance_id())
    }

    /// An order by its id, while it lives, and the last result. Null for any other.
    #[func(gd_self)]
    pub fn get_command(this: Gd<Self>, command_id: i64) -> Option<Gd<CommandInfo>> {
        let id = this.instance_id();
        peers::command(id, command_id).unwrap_or_else(|| telling::command(id, command_id))
    }

    /// The orders that wait, the next one first.
    #[func(gd_self)]
    pub fn get_command_queue(this: Gd<Self>) -> Array<Gd<CommandInfo>> {
        let id = this.instance_id();
        peers::queue(id).unwrap_or_else(|| telling::queue(id))
    }

    /// How many orders wait.
    #[func(gd_self)]
    pub fn get_queue_length(this: Gd<Self>) -> i64 {
        let id = this.instance_id();
        let own = || driver::read(id, |state| state.core.queue_length()).unwrap_or(0);
        peers::phase(id).map_or_else(own, |known| known.1) as i64
    }

    /// What happens now, one of the `PHASE_*` constants.
    #[func(gd_self)]
    pub fn get_phase(this: Gd<Self>) -> i64 {
        let id = this.instance_id();
        let own = || driver::read(id, |state| state.core.phase()).unwrap_or(Phase::Idle);
        peers::phase(id).map_or_else(own, |known| known.0).code()
    }

    /// True if no order runs and none waits.
    #[func(gd_self)]
    pub fn is_idle(this: Gd<Self>) -> bool {
        let id = this.instance_id();
        let own = || driver::read(id, |state| state.core.is_idle()).unwrap_or(true);
        peers::phase(id).map_or_else(own, |(phase, waiting)| phase == Phase::Idle && waiting == 0)
    }

    /// The order that ended last, of those that had started; null before the first.
    #[func(gd_self)]
    pub fn get_last_result(this: Gd<Self>) -> Option<Gd<CommandInfo>> {
        let id = this.instance_id();
        peers::last_result(id).unwrap_or_else(|| telling::last_result(id))
    }

    /// Adds an order to those that this agent knows. False if it is there already, or null.
    #[func(gd_self)]
    pub fn add_command(this: Gd<Self>, definition: Optional<CommandDefinition>) -> bool {
        known::add(this.instance_id(), definition.0)
    }

    /// Takes an order away that [method add_command] added. False if it was not added.
    #[func(gd_self)]
    pub fn remove_command(this: Gd<Self>, definition: Optional<CommandDefinition>) -> bool {
        known::remove(this.instance_id(), definition.0)
    }

    /// A known order by its id: of the palette, of [member commands], or added. Null if there is none.
    #[func(gd_self)]
    pub fn find_command(this: Gd<Self>, id: StringName) -> Option<Gd<CommandDefinition>> {
        known::find(&this, &id)
    }

    /// The orders that the agent could be given on [param target], by [member CommandDefinition.sort_order]: a node, a [Vector3]
    /// or [Vector2], or null, the default, for orders that are aimed at nothing. One for each order, or with
    /// [param expand_variants] one for each variant; those that would be refused say why, and are left out without
    /// [param include_refused].
    #[func(gd_self)]
    pub fn get_options(
        this: Gd<Self>,
        #[opt(default = Anything::none())] target: Anything,
        #[opt(default = false)] expand_variants: bool,
        #[opt(default = true)] include_refused: bool,
    ) -> Array<Gd<CommandOption>> {
        known::options(&this, &target.0, expand_variants, include_refused).into_iter().collect()
    }

    /// Of the options that are allowed the one with the highest score above 0, of several the first: what a click on the target
    /// could mean. Null if there is none.
    #[func(gd_self)]
    pub fn get_best_option(
        this: Gd<Self>,
        #[opt(default = Anything::none())] target: Anything,
    ) -> Option<Gd<CommandOption>> {
        known::best_option(&this, &target.0)
    }

    /// What a reason means, translated by [method Object.tr]; a name of the game's own as it is.
    #[func]
    pub fn describe_reason(reason: StringName) -> GString {
        reasons::describe(&reason)
    }

    /// One step of some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let (callback, turning) =
            driver::read(this.instance_id(), |state| (state.callback, state.core.in_turn()))
                .unwrap_or_default();
        if ticking::may_advance(&this, callback, turning, delta) {
            Self::tick(this, delta);
        }
    }

    /// All orders and the last result as plain values, for saving. Definitions are named by id and file, nodes by their path
    /// from the agent. What is no plain value in payloads and [member CommandHandle.resume_data] is left out with a warning.
    /// See [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        order_saving::export(&this)
    }

    /// Takes back what [method export_state] gave, also after JSON. The start that runs goes on if it is the one of the state;
    /// else it is stopped without a signal of its end, and the order of the state starts anew. False, with an error and
    /// without effect, if the version or the structure is another. Orders whose definition is not there are left out with a
    /// warning.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        order_saving::import(&this, &state)
    }
}
