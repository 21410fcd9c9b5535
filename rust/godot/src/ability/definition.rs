//! A granted definition: what to copy for an activation, and which virtuals its script has.

use std::sync::OnceLock;

use godot::prelude::*;

use super::GameplayAbility;
use crate::action::ActionContext;
use crate::action::private_copy::{self, stored_properties};
use crate::action::script_calls::overrides;

/// Names of the virtuals, made once.
pub(super) struct Names {
    pub can_activate: StringName,
    pub context_received: StringName,
    pub activate: StringName,
    pub activate_from_event: StringName,
    pub tick: StringName,
    pub end: StringName,
}

static NAMES: OnceLock<Names> = OnceLock::new();

/// The names.
pub(super) fn names() -> &'static Names {
    NAMES.get_or_init(|| Names {
        can_activate: StringName::from("_can_activate"),
        context_received: StringName::from("_on_context_received"),
        activate: StringName::from("_activate"),
        activate_from_event: StringName::from("_activate_from_event"),
        tick: StringName::from("_tick"),
        end: StringName::from("_end"),
    })
}

/// Which virtuals a script has.
#[derive(Clone, Copy)]
pub(super) struct Overrides {
    pub can_activate: bool,
    pub context_received: bool,
    pub activate: bool,
    pub activate_from_event: bool,
    pub tick: bool,
    pub end: bool,
}

/// A definition, looked at once.
pub(super) struct Definition {
    pub resource: Gd<GameplayAbility>,
    pub own: Overrides,
    copied: Vec<StringName>,
}

impl Definition {
    /// Looks at the script of a definition.
    pub fn new(ability: &Gd<GameplayAbility>) -> Self {
        let resource: Gd<Resource> = ability.clone().upcast();
        let names = names();
        let own = Overrides {
            can_activate: overrides(&resource, &names.can_activate),
            context_received: overrides(&resource, &names.context_received),
            activate: overrides(&resource, &names.activate),
            activate_from_event: overrides(&resource, &names.activate_from_event),
            tick: overrides(&resource, &names.tick),
            end: overrides(&resource, &names.end),
        };
        let mut copied = stored_properties(&resource);
        copied.retain(|name| !GameplayAbility::PROPERTIES.contains(&name.to_string().as_str()));
        Self { resource: ability.clone(), own, copied }
    }

    /// A private copy for one activation. Runs the script's setters.
    pub fn copy(&self, system: InstanceId, context: &Gd<ActionContext>) -> Gd<GameplayAbility> {
        let mut copy = GameplayAbility::new_gd();
        self.resource.bind().copy_into(&mut copy.bind_mut());
        if let Some(script) = self.resource.get_script() {
            copy.set_script(&script);
        }
        private_copy::fill(&self.resource, &mut copy, &self.copied);
        copy.bind_mut().enter_run(system, context.clone());
        copy
    }
}
