//! Cooldowns, as scripts see them.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::{Call, Reply};

use super::state::with;
use super::{ActionGraphPlayer, driver};
use crate::base::messages;

fn key_of(key: &StringName) -> Arc<str> {
    Arc::from(key.to_string())
}

/// Seconds until a charge is there.
pub(super) fn remaining(id: InstanceId, key: &StringName) -> f64 {
    with(id, |state| state.core.remaining_cooldown(&key_of(key))).unwrap_or(0.0)
}

/// Charges that are there; -1 for an unknown key.
pub(super) fn charges(id: InstanceId, key: &StringName) -> i64 {
    with(id, |state| state.core.charges(&key_of(key))).flatten().map_or(-1, i64::from)
}

/// Sets one.
pub(super) fn set(this: &Gd<ActionGraphPlayer>, key: &StringName, seconds: f64, charges: i64) -> bool {
    if !driver::on_main(this, "set_cooldown") {
        return false;
    }
    let seconds = if seconds.is_finite() && seconds >= 0.0 {
        seconds
    } else {
        let text = format!("set_cooldown() got {seconds} s, which is read as 0. Give seconds, 0 or more.");
        messages::error(this, "set_cooldown", "seconds", &text);
        0.0
    };
    let call = Call::SetCooldown { key: key_of(key), seconds, charges };
    matches!(driver::call(this.instance_id(), call), Some(Reply::Flag(true)))
}

/// Gives back all charges.
pub(super) fn reset(this: &Gd<ActionGraphPlayer>) {
    if driver::on_main(this, "reset_all_cooldowns") {
        driver::call(this.instance_id(), Call::ResetCooldowns);
    }
}
