//! Random numbers for scripts that are the same for the same decision.

use godot::prelude::*;
use riposte_core::action::seeded_random;

use super::DecisionContext;
use crate::base::messages;

/// The number for the context's action seed and a salt.
pub(crate) fn random(about: &Gd<Resource>, context: Option<Gd<DecisionContext>>, salt: i64) -> f64 {
    let Some(context) = context else {
        let text = "seeded_random() got no context. Pass on the context that the virtual was given.";
        messages::error(about, "seeded_random", "no context", text);
        return 0.0;
    };
    // Seeds cross to scripts as the same 64 bits, signed.
    let seed = context.bind().data().lock().action_seed;
    seeded_random(seed.cast_unsigned(), salt.cast_unsigned())
}
