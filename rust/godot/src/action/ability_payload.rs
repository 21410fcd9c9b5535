use godot::prelude::*;

use crate::ability::GameplayAbility;

/// Hands an ability to the behavior trees of an action, and grants it to the agent while the action is in its set.
///
/// One general tree ("walk there, then use it") then serves many actions: its task *Activate Blackboard Ability* starts the
/// ability of whichever action runs. Set it as [member BehaviorTreeSequenceMethod.payload].
///
/// ```gdscript
/// var payload := AbilityPayload.new()
/// payload.ability = preload("res://abilities/throw.tres")
/// method.payload = payload
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AbilityPayload {
    /// The ability. Empty: there is nothing to start.
    #[export]
    #[var(set = set_ability)]
    ability: Option<Gd<GameplayAbility>>,
    base: Base<Resource>,
}

#[godot_api]
impl AbilityPayload {
    #[func]
    fn set_ability(&mut self, value: Option<Gd<GameplayAbility>>) {
        self.ability = value;
        self.base_mut().emit_changed();
    }
}

impl AbilityPayload {
    /// The ability.
    pub(crate) fn ability(&self) -> Option<Gd<GameplayAbility>> {
        self.ability.clone()
    }
}
