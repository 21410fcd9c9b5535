use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::parts::{CooldownPlan, CooldownStart, Recharge};

use crate::action::resource_class::{SpecChecks, resource_class};
use crate::base::numbers::Checked;

resource_class! {
    /// How often a node of an [ActionGraph] can start: entering it takes a charge, and charges come back with time.
    ///
    /// Without a charge left the node cannot start. Nodes with one [member key] share the charges. A start that failed takes none.
    /// Time passes with the player's clock: not in a freeze, not while the game is paused, also while another graph is played.
    class ActionCooldown;
    properties {
        /// The name under which the charges are kept. Default empty: the id of the node.
        #[export]
        key: StringName = (StringName::default()) => set_key(any);
        /// How long a charge takes to come back, in seconds. Default 1.
        #[export(range = (0.0, 60.0, 0.01, or_greater, suffix = "s"))]
        seconds: f64 = 1.0 => set_seconds(not_negative);
        /// How many there are, 1 to 20. Default 1.
        #[export(range = (1.0, 20.0, 1.0))]
        charges: i64 = 1 => set_charges(count, 1, 20);
        /// How they come back: one after the other, or all together. Default [constant RECHARGE_ONE_BY_ONE].
        #[export]
        recharge: i64 = 0 => set_recharge(constant, 0, 1) choices "One By One:0,All At Once:1";
        /// When the time begins: when the node starts, or when it ends. Default [constant ON_START].
        #[export]
        starts: i64 = 0 => set_starts(constant, 0, 1) choices "On Start:0,On End:1";
        /// The share of the time left that is given back when the run is cancelled, 0 to 1. Default 0.
        #[export(range = (0.0, 1.0, 0.01))]
        interrupt_refund: f64 = 0.0 => set_interrupt_refund(share);
    }
    items {
        /// One charge after the other, each takes [member seconds].
        #[constant]
        const RECHARGE_ONE_BY_ONE: i64 = Recharge::OneByOne as i64;
        /// All charges that are missing together, [member seconds] after the first of them was taken.
        #[constant]
        const RECHARGE_ALL_AT_ONCE: i64 = Recharge::AllAtOnce as i64;
        /// The time begins when the node starts.
        #[constant]
        const ON_START: i64 = CooldownStart::OnStart as i64;
        /// The time begins when the node ends, however it ends.
        #[constant]
        const ON_END: i64 = CooldownStart::OnEnd as i64;
    }
}

/// Compiles a cooldown of the node with this id.
pub(crate) fn cooldown_plan(cooldown: &Gd<ActionCooldown>, node: &str) -> CooldownPlan {
    let cooldown = cooldown.bind();
    let key = cooldown.key.to_string();
    CooldownPlan {
        key: Arc::from(if key.is_empty() { node } else { key.as_str() }),
        seconds: cooldown.seconds,
        charges: u32::try_from(cooldown.charges).unwrap_or(1),
        recharge: Recharge::from_int(cooldown.recharge).unwrap_or_default(),
        starts: CooldownStart::from_int(cooldown.starts).unwrap_or_default(),
        interrupt_refund: cooldown.interrupt_refund,
    }
}
