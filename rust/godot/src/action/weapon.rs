//! The weapon of an agent: any node that says which actions it gives.

use std::sync::OnceLock;

use godot::prelude::*;

use super::{ActionEvaluator, ActionSet, driver};
use crate::base::messages;

/// What a weapon may have.
struct Members {
    for_role: StringName,
    method: StringName,
    property: StringName,
}

fn members() -> &'static Members {
    static MEMBERS: OnceLock<Members> = OnceLock::new();
    MEMBERS.get_or_init(|| Members {
        for_role: StringName::from("get_weapon_action_set_for_role"),
        method: StringName::from("get_weapon_action_set"),
        property: StringName::from("weapon_action_set"),
    })
}

/// True if it gives sets of actions.
pub(super) fn is_provider(weapon: &Gd<Node>) -> bool {
    let members = members();
    has_method(weapon, &members.for_role, 1) || has_method(weapon, &members.method, 0) || has_property(weapon)
}

fn has_method(weapon: &Gd<Node>, name: &StringName, arguments: i32) -> bool {
    weapon.has_method(name) && weapon.get_method_argument_count(name) == arguments
}

fn has_property(weapon: &Gd<Node>) -> bool {
    let named = |row: VarDictionary| {
        row.get("name").is_some_and(|name| name.to_string() == members().property.to_string())
    };
    weapon.get_property_list().iter_shared().any(named)
}

/// Asks the weapon again, for the role that the agent has now. Runs its script.
pub(super) fn ask(this: &Gd<ActionEvaluator>) {
    let id = this.instance_id();
    let (weapon, role) = driver::sources(id, |sources| (sources.weapon, sources.role.clone()));
    let weapon = weapon.and_then(|weapon| Gd::<Node>::try_from_instance_id(weapon).ok());
    let answer = weapon.as_ref().and_then(|weapon| answer_of(this, weapon, &role));
    let asked = weapon.map(|weapon| weapon.instance_id_unchecked());
    driver::sources(id, |sources| {
        if sources.weapon == asked && sources.role == role {
            sources.weapon_set = answer.map(Gd::upcast);
        }
    });
}

fn answer_of(this: &Gd<ActionEvaluator>, weapon: &Gd<Node>, role: &StringName) -> Option<Gd<ActionSet>> {
    let mut weapon = weapon.clone();
    let members = members();
    let (name, answer) = if has_method(&weapon, &members.for_role, 1) {
        (&members.for_role, weapon.try_call(&members.for_role, &[role.to_variant()]).ok()?)
    } else if has_method(&weapon, &members.method, 0) {
        (&members.method, weapon.try_call(&members.method, &[]).ok()?)
    } else {
        (&members.property, weapon.get(&members.property))
    };
    match answer.try_to::<Option<Gd<ActionSet>>>() {
        Ok(set) => set,
        Err(_) => {
            let text =
                format!("{name} of the weapon \"{}\" is no ActionSet. Give one, or null.", weapon.get_name());
            messages::error(this, "weapon", &name.to_string(), &text);
            None
        }
    }
}

/// A weapon that was freed gives nothing any more.
pub(super) fn forget_freed(id: InstanceId) {
    driver::sources(id, |sources| {
        if sources.weapon.is_some_and(|weapon| !weapon.lookup_validity()) {
            (sources.weapon, sources.weapon_set) = (None, None);
        }
    });
}
