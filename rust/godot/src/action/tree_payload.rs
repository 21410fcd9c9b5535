//! What a payload of behaviour trees says about abilities.

use godot::prelude::*;

use super::AbilityPayload;
use super::names::names;
use super::script_calls::{call, overrides};
use crate::ability::GameplayAbility;
use crate::base::messages;

/// The ability that a payload brings, if it does. Runs scripts.
pub(crate) fn ability_of(payload: &Gd<Resource>) -> Option<Gd<GameplayAbility>> {
    if let Ok(own) = payload.clone().try_cast::<AbilityPayload>() {
        return own.bind().ability();
    }
    let method = &names().ability_to_grant;
    if !overrides(payload, method) {
        return None;
    }
    let answer = call(payload, method, &[]);
    answer.try_to::<Option<Gd<GameplayAbility>>>().unwrap_or_else(|_| {
        let text =
            "_get_ability_to_grant() returned no GameplayAbility, so there is none. Return one or null.";
        messages::warning(payload, "_get_ability_to_grant", text, text);
        None
    })
}
