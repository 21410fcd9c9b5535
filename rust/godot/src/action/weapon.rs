//! The weapon of an agent: any node that says which actions or reactions it gives.

use std::sync::OnceLock;

use godot::prelude::*;

use super::{driver, set_resource, sources};
use crate::base::messages;

/// What a weapon may have.
struct Members {
    for_role: StringName,
    method: StringName,
    property: StringName,
}

/// Those of actions and of reactions.
fn members(kind: &str) -> &'static Members {
    static MEMBERS: OnceLock<[Members; 2]> = OnceLock::new();
    let make = |kind: &str| Members {
        for_role: StringName::from(&format!("get_weapon_{kind}_set_for_role")),
        method: StringName::from(&format!("get_weapon_{kind}_set")),
        property: StringName::from(&format!("weapon_{kind}_set")),
    };
    let made = MEMBERS.get_or_init(|| ["action", "reaction"].map(make));
    &made[usize::from(kind == "reaction")]
}

/// True if it gives sets of that kind.
pub(super) fn is_provider(weapon: &Gd<Node>, kind: &str) -> bool {
    let members = members(kind);
    has_method(weapon, &members.for_role, 1)
        || has_method(weapon, &members.method, 0)
        || has_property(weapon, &members.property)
}

fn has_method(weapon: &Gd<Node>, name: &StringName, arguments: i32) -> bool {
    weapon.has_method(name) && weapon.get_method_argument_count(name) == arguments
}

fn has_property(weapon: &Gd<Node>, name: &StringName) -> bool {
    let name = name.to_string();
    let named = |row: VarDictionary| row.get("name").is_some_and(|row| row.to_string() == name);
    weapon.get_property_list().iter_shared().any(named)
}

/// Asks the weapon again, for the role that the agent has now. Runs its script.
pub(super) fn ask(id: InstanceId) {
    let role = sources::effective(id).role;
    let weapon = driver::sources(id, |sources| sources.weapon);
    let weapon = weapon.and_then(|weapon| Gd::<Node>::try_from_instance_id(weapon).ok());
    let answer = weapon.as_ref().and_then(|weapon| answer_of(id, weapon, &role));
    let asked = weapon.map(|weapon| weapon.instance_id_unchecked());
    let role_now = sources::effective(id).role;
    driver::sources(id, |sources| {
        if sources.weapon == asked && role_now == role {
            (sources.weapon_set, sources.weapon_role) = (answer, role);
        }
    });
}

/// The same, if it was asked for another role.
pub(super) fn ask_for_role(id: InstanceId) {
    let (has, asked) = driver::sources(id, |sources| (sources.weapon.is_some(), sources.weapon_role.clone()));
    if has && sources::effective(id).role != asked {
        ask(id);
    }
}

fn answer_of(id: InstanceId, weapon: &Gd<Node>, role: &StringName) -> Option<Gd<Resource>> {
    let mut weapon = weapon.clone();
    let reacts = driver::is_reacting(id);
    let members = members(if reacts { "reaction" } else { "action" });
    let (name, answer) = if has_method(&weapon, &members.for_role, 1) {
        (&members.for_role, weapon.try_call(&members.for_role, &[role.to_variant()]).ok()?)
    } else if has_method(&weapon, &members.method, 0) {
        (&members.method, weapon.try_call(&members.method, &[]).ok()?)
    } else {
        (&members.property, weapon.get(&members.property))
    };
    if answer.is_nil() {
        return None;
    }
    let set = answer.try_to::<Gd<Resource>>().ok().filter(|set| set_resource::is_set(set, reacts));
    if set.is_none()
        && let Ok(node) = Gd::<Node>::try_from_instance_id(id)
    {
        let (weapon, class) = (weapon.get_name(), if reacts { "ReactionSet" } else { "ActionSet" });
        let text = format!("{name} of the weapon \"{weapon}\" is no {class}. Give one, or null.");
        messages::error(&node, "weapon", &name.to_string(), &text);
    }
    set
}

/// A weapon that was freed gives nothing any more.
pub(super) fn forget_freed(id: InstanceId) {
    driver::sources(id, |sources| {
        if sources.weapon.is_some_and(|weapon| !weapon.lookup_validity()) {
            (sources.weapon, sources.weapon_set) = (None, None);
        }
    });
}
