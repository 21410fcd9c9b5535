//! Random numbers for scripts that are the same for the same decision.

use godot::prelude::*;
use riposte_core::random::{mix, unit};

use super::DecisionContext;
use crate::base::messages;

/// `unit(mix(A ^ mix(salt)))`, A being the action seed of the context.
pub(crate) fn random(about: &Gd<Resource>, context: Option<Gd<DecisionContext>>, salt: i64) -> f64 {
    let Some(context) = context else {
        let text = "seeded_random() got no context. Pass on the context that the virtual was given.";
        messages::error(about, "seeded_random", "no context", text);
        return 0.0;
    };
    // Seeds cross to scripts as the same 64 bits, signed.
    let seed = context.bind().action_seed.cast_unsigned();
    unit(mix(seed ^ mix(salt.cast_unsigned())))
}
