//! What a system was granted: definitions, their handles, and edits of them.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::ability::{EndRequest, Step};

use super::GameplayAbility;
use super::definition::Definition;
use super::driver::{node_of, perform, settle, with};
use super::state::side;
use crate::base::callbacks::{connect, disconnect};

/// Name of the connections to definitions.
const EDITED: &str = "riposte_ability_edited";

/// Signals of a definition that mean it is another one now.
const EDITS: [&str; 2] = ["changed", "script_changed"];

/// Grants an ability once more; the same ability has the same handle as long as it is granted.
pub(super) fn grant(id: InstanceId, ability: &Gd<GameplayAbility>) -> i64 {
    let (handle, is_new) = grant_quietly(id, ability);
    if let Some(node) = node_of(id).filter(|_| is_new) {
        node.signals().ability_granted().emit(handle);
    }
    handle
}

/// The same without a word: the handle, and whether it is a new one.
pub(super) fn grant_quietly(id: InstanceId, ability: &Gd<GameplayAbility>) -> (i64, bool) {
    if let Some(handle) = handle_of(id, ability) {
        with(id, |state| state.core.grant_again(handle));
        return (handle, false);
    }
    let definition = Definition::new(ability);
    let plan = ability.bind().plan(definition.own);
    let Some(handle) = with(id, |state| state.core.grant(plan)) else { return (0, false) };
    side(id, |side| side.definitions.insert(handle, Rc::new(definition)));
    for signal in EDITS {
        connect(ability, signal, id, EDITED, edited);
    }
    (handle, true)
}

/// The same for a script; what scripts granted is saved.
pub(super) fn grant_by_script(id: InstanceId, ability: &Gd<GameplayAbility>) -> i64 {
    let handle = grant(id, ability);
    count_by_script(id, handle, 1);
    handle
}

/// Another number of grants by scripts.
pub(super) fn count_by_script(id: InstanceId, handle: i64, more: i32) {
    if !with(id, |state| state.core.is_granted(handle)).unwrap_or(false) {
        return;
    }
    side(id, |side| {
        let count = side.by_script.entry(handle).or_default();
        *count = count.saturating_add_signed(more);
    });
}

/// The handle of a granted ability.
pub(super) fn handle_of(id: InstanceId, ability: &Gd<GameplayAbility>) -> Option<i64> {
    let wanted = ability.instance_id();
    let known: Vec<i64> = side(id, |side| {
        let same = side.definitions.iter().filter(|known| known.1.resource.instance_id_unchecked() == wanted);
        same.map(|known| *known.0).collect()
    });
    with(id, |state| known.into_iter().find(|handle| state.core.is_granted(*handle))).flatten()
}

/// The definition of a granted ability.
pub(super) fn resource_of(id: InstanceId, handle: i64) -> Option<Gd<GameplayAbility>> {
    side(id, |side| side.definitions.get(&handle).map(|known| known.resource.clone()))
}

/// Takes one grant away; false without it.
pub(super) fn revoke(id: InstanceId, handle: i64) -> bool {
    let request = with(id, |state| state.core.revoke(handle));
    settle(id, request.unwrap_or(EndRequest::Unknown))
}

/// The same for a script.
pub(super) fn revoke_by_script(id: InstanceId, handle: i64) -> bool {
    count_by_script(id, handle, -1);
    revoke(id, handle)
}

/// Takes one grant away as soon as the ability does not run.
pub(super) fn release(id: InstanceId, handle: i64) -> bool {
    let request = with(id, |state| state.core.release(handle));
    settle(id, request.unwrap_or(EndRequest::Unknown))
}

/// An ability is not granted any more.
pub(super) fn forget(id: InstanceId, handle: i64) {
    let gone = side(id, |side| {
        side.by_script.remove(&handle);
        side.definitions.remove(&handle)
    });
    let Some(gone) = gone else { return };
    // It may have been granted anew meanwhile.
    if handle_of(id, &gone.resource).is_none() {
        for signal in EDITS {
            disconnect(&gone.resource, signal, id, EDITED);
        }
    }
}

/// A definition was edited: what runs keeps its copy, the next start sees the change.
fn edited(id: InstanceId) {
    let known: Vec<(i64, Gd<GameplayAbility>)> =
        side(id, |side| side.definitions.iter().map(|known| (*known.0, known.1.resource.clone())).collect());
    for (handle, resource) in known {
        let definition = Rc::new(Definition::new(&resource));
        let plan = resource.bind().plan(definition.own);
        with(id, |state| state.core.set_plan(handle, plan));
        let old =
            side(id, |side| side.definitions.get_mut(&handle).map(|own| std::mem::replace(own, definition)));
        drop(old);
    }
}

/// Takes one grant of a script away without a word about it.
pub(super) fn revoke_quietly(id: InstanceId, handle: i64) {
    count_by_script(id, handle, -1);
    if let Some(EndRequest::Job(job)) = with(id, |state| state.core.revoke(handle)) {
        while let Some(step) = with(id, |state| state.core.next(job)).flatten() {
            match step {
                Step::Revoked(handle) => forget(id, handle),
                step => perform(id, step),
            }
        }
    }
}
