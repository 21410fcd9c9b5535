//! Which moveset an ActionGraphPlayer plays, and what it is at.

use godot::prelude::*;

use super::state::with;
use super::{
    ActionGraph, ActionGraphPlayer, ActionRun, calls, cooldowns, driver, sources, tagging, targeting, view,
};
use crate::base::tags;
use crate::optional::Optional;

#[godot_api(secondary)]
impl ActionGraphPlayer {
    /// Makes another moveset active, under a key: of several the one that was set last counts, and setting a key again makes it the
    /// last. A running move ends with [constant END_REMOVED]. False, with an error and without effect, for null and for a graph
    /// with errors.
    #[func(gd_self)]
    pub fn set_graph(
        this: Gd<Self>,
        graph: Optional<ActionGraph>,
        #[opt(default = "script")] key: StringName,
    ) -> bool {
        sources::set(&this, graph.0, key)
    }

    /// Takes back the moveset of a key; the one that was set before it counts again, and [member default_graph] in the end. False if
    /// none is set under this key.
    #[func(gd_self)]
    pub fn clear_graph(this: Gd<Self>, #[opt(default = "script")] key: StringName) -> bool {
        sources::clear(&this, &key)
    }

    /// The active moveset; null if there is none.
    #[func(gd_self)]
    pub fn get_graph(this: Gd<Self>) -> Option<Gd<ActionGraph>> {
        sources::active(this.instance_id())
    }

    /// Cuts the running move to Root, whatever its rules say, for a stagger or a cutscene. Waiting inputs are cleared. False at Root.
    /// [param reason] is for the log.
    #[func(gd_self)]
    pub fn interrupt_for_external(this: Gd<Self>, #[opt(default = "")] reason: StringName) -> bool {
        calls::interrupt(&this, &reason)
    }

    /// Opens a window of the running move, the plain one if [param kind] is empty: for keys of animations. False at Root, and while
    /// the windows of the move are read from such keys. A script that opens a window uses [method ActionRun.open_window].
    #[func(gd_self)]
    pub fn open_action_window(this: Gd<Self>, #[opt(default = "")] kind: StringName) -> bool {
        calls::window(&this, &kind, true)
    }

    /// Closes a window of the running move, as [method open_action_window] opens it.
    #[func(gd_self)]
    pub fn close_action_window(this: Gd<Self>, #[opt(default = "")] kind: StringName) -> bool {
        calls::window(&this, &kind, false)
    }

    /// Lets the clocks of this node stand still for some seconds, as hit-stop. While it is frozen, a longer time takes the place of
    /// a shorter rest, and inputs wait for the end.
    #[func(gd_self)]
    pub fn freeze(this: Gd<Self>, seconds: f64) {
        calls::freeze(&this, seconds);
    }

    /// Ends a freeze now.
    #[func(gd_self)]
    pub fn unfreeze(this: Gd<Self>) {
        calls::unfreeze(&this);
    }

    /// True during a freeze.
    #[func(gd_self)]
    pub fn is_frozen(this: Gd<Self>) -> bool {
        with(this.instance_id(), |state| state.core.is_frozen()).unwrap_or(false)
    }

    /// All there is to show: [code]graph, node, display_name, run_id, node_time, time_left[/code] (-1: endless), [code]windows[/code]
    /// (the kinds that are open), [code]offers, waiting[/code] (a list of [code]{tag, moment, age, combo}[/code]),
    /// [code]grace_left, frozen_left, blocked, sequence_left[/code]. Empty without a graph.
    #[func(gd_self)]
    pub fn get_action_state(this: Gd<Self>) -> VarDictionary {
        view::state_of(&this)
    }

    /// The id of the node that runs: [code]root[/code] while none does, empty without a graph.
    #[func(gd_self)]
    pub fn get_current_node(this: Gd<Self>) -> StringName {
        view::current_node(this.instance_id())
    }

    /// True while any node but Root runs.
    #[func(gd_self)]
    pub fn is_action_running(this: Gd<Self>) -> bool {
        with(this.instance_id(), |state| state.run_id().is_some()).unwrap_or(false)
    }

    /// The handle of the run; null at Root.
    #[func(gd_self)]
    pub fn get_run(this: Gd<Self>) -> Option<Gd<ActionRun>> {
        driver::current_run(this.instance_id()).map(|run| run.handle())
    }

    /// Whether a node could start now, one of the `FAIL_*` constants. Changes nothing.
    #[func(gd_self)]
    pub fn can_start_node(this: Gd<Self>, id: StringName) -> i64 {
        calls::can_start(&this, &id)
    }

    /// Seconds until a charge of a cooldown is back; 0 while one is there. The key is that of the [ActionCooldown], or the id of its
    /// node.
    #[func(gd_self)]
    pub fn get_remaining_cooldown(this: Gd<Self>, key: StringName) -> f64 {
        cooldowns::remaining(this.instance_id(), &key)
    }

    /// The charges of a cooldown that are there; -1 for an unknown key.
    #[func(gd_self)]
    pub fn get_charges(this: Gd<Self>, key: StringName) -> i64 {
        cooldowns::charges(this.instance_id(), &key)
    }

    /// Sets a cooldown: the seconds until the next charge is back, and, from 0 on, how many charges are there. False for an unknown
    /// key.
    #[func(gd_self)]
    pub fn set_cooldown(
        this: Gd<Self>,
        key: StringName,
        seconds: f64,
        #[opt(default = -1)] charges: i64,
    ) -> bool {
        cooldowns::set(&this, &key, seconds, charges)
    }

    /// Gives back the charges of all cooldowns.
    #[func(gd_self)]
    pub fn reset_all_cooldowns(this: Gd<Self>) {
        cooldowns::reset(&this);
    }

    /// Sets whom moves are aimed at. Null: nobody in particular, see [method get_target].
    #[func(gd_self)]
    pub fn set_target(this: Gd<Self>, node: Optional<Node>) {
        with(this.instance_id(), |state| state.target = node.0.map(|node| node.instance_id()));
    }

    /// Whom moves are aimed at: the node of [method set_target]; else the focus target of the agent's [ActionEvaluator]; else the
    /// attention target of its perception; else null.
    #[func(gd_self)]
    pub fn get_target(this: Gd<Self>) -> Option<Gd<Node>> {
        targeting::target_of(this.instance_id())
    }

    /// True if the agent has this tag or one below it, be it in its [TagContainer] or by the move that runs.
    #[func(gd_self)]
    pub fn has_action_tag(this: Gd<Self>, tag: StringName) -> bool {
        let tag = tags::from_script(&this, "has_action_tag", &tag.to_string());
        tag.is_some_and(|tag| tagging::has(this.instance_id(), tag))
    }

    /// Factors by which the hooks of the running move scale the agent's speed (x), acceleration (y) and turning (z).
    #[func(gd_self)]
    pub fn get_locomotion_scale(this: Gd<Self>) -> Vector3 {
        with(this.instance_id(), |state| state.locomotion).unwrap_or(Vector3::ONE)
    }
}
