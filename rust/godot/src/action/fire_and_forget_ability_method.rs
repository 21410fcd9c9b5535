use godot::prelude::*;

use super::ability_run::{AbilityDefinition, AbilityParts, AbilityStarter, Route};
use super::method_run::Method;
use super::parts::MethodPart;
use crate::ability::GameplayAbility;
use crate::base::tags;

/// Runs an action by starting an ability of the agent's [AbilitySystem] and leaving it alone.
///
/// The action completes in the step in which it starts; the ability goes on by itself. Use the recovery of the action to
/// hold off the next one.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct FireAndForgetAbilityMethod {
    /// The ability, granted while the set of the action is active. Empty: [member activation_tag] says which.
    #[export]
    #[var(set = set_ability)]
    ability: Option<Gd<GameplayAbility>>,
    /// Used without [member ability]: every granted ability that carries this tag, or one below it, is started. Empty too:
    /// the action is never chosen.
    #[export]
    #[var(set = set_activation_tag)]
    activation_tag: StringName,
    base: Base<Resource>,
}

#[godot_api]
impl FireAndForgetAbilityMethod {
    #[func]
    fn set_ability(&mut self, value: Option<Gd<GameplayAbility>>) {
        self.ability = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_activation_tag(&mut self, value: StringName) {
        self.activation_tag = tags::single(&self.to_gd(), "activation_tag", value, &self.activation_tag);
        self.base_mut().emit_changed();
    }
}

impl MethodPart for FireAndForgetAbilityMethod {
    fn missing(&self) -> Option<String> {
        let missing = self.ability.is_none() && self.activation_tag.is_empty();
        missing.then(|| {
            "FireAndForgetAbilityMethod has neither ability nor activation_tag. Set one of them.".to_owned()
        })
    }

    fn definition(this: Gd<Self>) -> Box<dyn Method> {
        Box::new(AbilityDefinition(this))
    }
}

impl AbilityStarter for FireAndForgetAbilityMethod {
    fn parts(&self) -> AbilityParts {
        AbilityParts {
            ability: self.ability.clone(),
            tag: self.activation_tag.clone(),
            timeout: 0.0,
            route: Route::Auto,
            event_tag: StringName::default(),
            waits: false,
        }
    }
}
