//! The orders that an agent knows: of its palette, of its own, and those added at run time.

use godot::prelude::*;

use riposte_core::command::Entry;

use super::driver::{self, read, with};
use super::options::Listing;
use super::request_data::RequestData;
use super::{CommandDefinition, CommandOption, CommandSystem, requesting};

/// All of them; of several with one id the first counts.
pub(super) fn all(this: &Gd<CommandSystem>) -> Vec<Gd<CommandDefinition>> {
    let mut known: Vec<Gd<CommandDefinition>> = Vec::new();
    let (palette, own) = {
        let this = this.bind();
        (this.palette.clone(), this.commands.members().to_vec())
    };
    if let Some(palette) = palette {
        known.extend(palette.bind().members().iter().cloned());
    }
    known.extend(own);
    known.extend(read(this.instance_id(), |state| state.added.clone()).unwrap_or_default());
    known
}

/// True if it is one of them.
pub(super) fn knows(id: InstanceId, definition: &Gd<CommandDefinition>) -> bool {
    let Some(this) = driver::node_of(id) else { return false };
    let wanted = definition.instance_id_unchecked();
    let holds = |known: &[Gd<CommandDefinition>]| {
        known.iter().any(|definition| definition.instance_id_unchecked() == wanted)
    };
    let own = this.bind();
    let shared = || own.palette.as_ref().is_some_and(|palette| holds(palette.bind().members()));
    holds(own.commands.members()) || shared() || read(id, |state| holds(&state.added)).unwrap_or(false)
}

/// Makes an order known. False if it is already added, or null.
pub(super) fn add(id: InstanceId, definition: Option<Gd<CommandDefinition>>) -> bool {
    let Some(definition) = definition else { return false };
    with(id, |state| {
        let is_new = !state.added.contains(&definition);
        if is_new {
            state.added.push(definition);
        }
        is_new
    })
    .unwrap_or(false)
}

/// The reverse.
pub(super) fn remove(id: InstanceId, definition: Option<Gd<CommandDefinition>>) -> bool {
    let Some(definition) = definition else { return false };
    let gone = with(id, |state| {
        let at = state.added.iter().position(|known| *known == definition)?;
        Some(state.added.remove(at))
    });
    gone.flatten().is_some()
}

/// The known order of that id.
pub(super) fn find(this: &Gd<CommandSystem>, id: &StringName) -> Option<Gd<CommandDefinition>> {
    all(this).into_iter().find(|definition| CommandDefinition::compiled(definition).id == *id)
}

/// The options on a target.
pub(super) fn options(
    this: &Gd<CommandSystem>,
    target: &Variant,
    expand: bool,
    include_refused: bool,
) -> Vec<Gd<CommandOption>> {
    listed(this, target, expand, include_refused, |listing, known| listing.options(known)).unwrap_or_default()
}

/// The best of them.
pub(super) fn best_option(this: &Gd<CommandSystem>, target: &Variant) -> Option<Gd<CommandOption>> {
    listed(this, target, false, true, |listing, known| listing.best(known)).flatten()
}

fn listed<R>(
    this: &Gd<CommandSystem>,
    target: &Variant,
    expand: bool,
    include_refused: bool,
    list: impl FnOnce(&Listing, &[Gd<CommandDefinition>]) -> R,
) -> Option<R> {
    if !driver::on_main(this, "get_options") {
        return None;
    }
    let system = this.clone().upcast();
    let agent = driver::agent_of(this.instance_id()).and_then(|agent| Gd::try_from_instance_id(agent).ok());
    let check = |data: &RequestData| requesting::judge(this, data, Entry::Issue);
    let listing = Listing { system: &system, agent, target, expand, include_refused, check: &check };
    Some(list(&listing, &all(this)))
}
