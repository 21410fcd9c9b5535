use godot::prelude::*;

use super::driver;
use crate::ability::GameplayAbility;
use crate::base::lookup::{self, Part};
use crate::optional::Optional;

/// What an action hands to its behavior trees, in a script of your own: extend this class and export what the trees need.
///
/// One general tree ("walk there, then use it") then serves many actions. Set it as
/// [member BehaviorTreeSequenceMethod.payload]. A tree reads it from its blackboard, other nodes by [method for_agent].
///
/// ```gdscript
/// class_name ThrowPayload
/// extends BehaviorTreePayload
/// @export var bomb: PackedScene
/// @export var windup := 0.6
/// # In a task: var payload := blackboard.get_var(&"riposte_payload") as ThrowPayload
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct BehaviorTreePayload {
    base: Base<Resource>,
}

#[godot_api]
impl BehaviorTreePayload {
    /// An ability that the agent is granted while the action is in its set, and that the task *Activate Blackboard Ability*
    /// starts. Null, the default: none. A pure read.
    #[func(virtual, gd_self)]
    pub fn get_ability_to_grant(_this: Gd<Self>) -> Option<Gd<GameplayAbility>> {
        None
    }

    /// The payload of what the agent does now: that of its running action, else that of its running reaction. Null without
    /// one, and for a node that is no agent.
    #[func]
    pub fn for_agent(agent: Optional<Node>) -> Option<Gd<Resource>> {
        let agent = agent.0?.instance_id();
        [Part::Evaluator, Part::Reactions]
            .into_iter()
            .filter_map(|part| lookup::part_of(agent, part))
            .find_map(driver::payload)
    }
}
