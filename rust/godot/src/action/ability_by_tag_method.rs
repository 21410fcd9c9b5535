use godot::prelude::*;

use super::ability_run::{AbilityDefinition, AbilityParts, AbilityStarter, Route};
use super::method_run::Method;
use super::parts::MethodPart;
use crate::base::numbers::Checked;
use crate::base::tags;

/// Runs an action by all abilities of the agent's [AbilitySystem] that carry a tag.
///
/// At least one has to start. The action ends with the first of them that ends; the others go on. When the action is cut
/// short, all that it started end. Nothing is granted by it: the abilities come from the AbilitySystem or other actions.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AbilityByTagMethod {
    /// The tag: abilities that carry it, or one below it, are started, in the order in which they were granted. Empty: the
    /// action is never chosen.
    #[export]
    #[var(set = set_activation_tag)]
    activation_tag: StringName,
    /// Seconds after which the action ends, and with it the abilities that it started. 0, the default: only the project
    /// setting `riposte/execution/hard_timeout` ends it.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_ability_timeout)]
    ability_timeout: f64,
    base: Base<Resource>,
}

#[godot_api]
impl AbilityByTagMethod {
    #[func]
    fn set_activation_tag(&mut self, value: StringName) {
        self.activation_tag = tags::single(&self.to_gd(), "activation_tag", value, &self.activation_tag);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_ability_timeout(&mut self, value: f64) {
        self.ability_timeout = self.timeout("ability_timeout", value, self.ability_timeout);
        self.base_mut().emit_changed();
    }
}

impl MethodPart for AbilityByTagMethod {
    fn missing(&self) -> Option<String> {
        let missing = self.activation_tag.is_empty();
        missing.then(|| "AbilityByTagMethod has no activation_tag. Set the tag of the abilities.".to_owned())
    }

    fn definition(this: Gd<Self>) -> Box<dyn Method> {
        Box::new(AbilityDefinition(this))
    }
}

impl AbilityStarter for AbilityByTagMethod {
    fn parts(&self) -> AbilityParts {
        AbilityParts {
            ability: None,
            tag: self.activation_tag.clone(),
            timeout: self.ability_timeout,
            route: Route::Auto,
            event_tag: StringName::default(),
            waits: true,
        }
    }
}
