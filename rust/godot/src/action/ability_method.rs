use godot::prelude::*;

use super::ability_run::{AbilityDefinition, AbilityParts, AbilityStarter, Route};
use super::method_run::Method;
use super::parts::MethodPart;
use crate::ability::GameplayAbility;
use crate::base::numbers::Checked;
use crate::base::tags;

/// Runs an action by an ability of the agent's [AbilitySystem]: the action starts with it and ends with it.
///
/// The ability is granted while the set of the action is active. Whether it can start is asked before anything is touched:
/// a refusal costs no cooldown and interrupts nothing. When the action is cut short, the ability ends with the same reason;
/// when somebody else ends the ability, the action is interrupted.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AbilityMethod {
    /// The ability. Empty: the action is never chosen.
    #[export]
    #[var(set = set_ability)]
    ability: Option<Gd<GameplayAbility>>,
    /// Seconds after which the action ends, and with it the ability. 0, the default: only the project setting
    /// `riposte/execution/hard_timeout` ends it.
    #[export(range = (0.0, 60.0, 0.1, or_greater, suffix = "s"))]
    #[var(set = set_ability_timeout)]
    ability_timeout: f64,
    /// How the ability learns of its start: by [method GameplayAbility._activate], or as an event by
    /// [method GameplayAbility._activate_from_event]. Default [constant ROUTE_AUTO].
    #[export(enum = (Auto = 0, Direct = 1, Event = 2))]
    #[var(set = set_route)]
    route: i64,
    /// The event, for a start as an event. Empty, the default: the event that a reaction answers.
    #[export]
    #[var(set = set_event_tag)]
    event_tag: StringName,
    base: Base<Resource>,
}

#[godot_api]
impl AbilityMethod {
    /// As an event, if the action was started with a context or as a reaction, or if the ability's script has only
    /// `_activate_from_event`. Else directly.
    #[constant]
    const ROUTE_AUTO: i64 = Route::Auto as i64;
    /// By `_activate`.
    #[constant]
    const ROUTE_DIRECT: i64 = Route::Direct as i64;
    /// By `_activate_from_event`, or by `_activate` if the ability's script does not have it.
    #[constant]
    const ROUTE_EVENT: i64 = Route::Event as i64;

    #[func]
    fn set_ability(&mut self, value: Option<Gd<GameplayAbility>>) {
        self.ability = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_ability_timeout(&mut self, value: f64) {
        self.ability_timeout = self.timeout("ability_timeout", value, self.ability_timeout);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_route(&mut self, value: i64) {
        self.route = self.constant("route", value, self.route, Self::ROUTE_AUTO, Self::ROUTE_EVENT);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_event_tag(&mut self, value: StringName) {
        self.event_tag = tags::single(&self.to_gd(), "event_tag", value, &self.event_tag);
        self.base_mut().emit_changed();
    }
}

impl MethodPart for AbilityMethod {
    fn missing(&self) -> Option<String> {
        self.ability.is_none().then(|| "AbilityMethod has no ability. Set ability.".to_owned())
    }

    fn definition(this: Gd<Self>) -> Box<dyn Method> {
        Box::new(AbilityDefinition(this))
    }
}

impl AbilityStarter for AbilityMethod {
    fn parts(&self) -> AbilityParts {
        AbilityParts {
            ability: self.ability.clone(),
            tag: StringName::default(),
            timeout: self.ability_timeout,
            route: Route::from_int(self.route),
            event_tag: self.event_tag.clone(),
            waits: true,
        }
    }
}
