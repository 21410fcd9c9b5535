//! What happens when a set becomes active for an agent and when it leaves: its methods load what they need, and the agent is
//! granted the abilities that they use.

use godot::prelude::*;
use riposte_core::action::{Run, RunId};

use super::driver;
use super::method_run::RunLink;
use super::set_use::Found;
use crate::ability::{GameplayAbility, access};
use crate::base::lookup::{self, Part};

/// What the set of an evaluator did so far.
#[derive(Default)]
pub(super) struct Activity {
    /// The set that is active.
    set: Option<InstanceId>,
    /// Definitions of methods that were asked to load what they need.
    preloaded: Vec<InstanceId>,
    /// They are being asked.
    asking: bool,
    /// Abilities that the methods use.
    wanted: Vec<InstanceId>,
    /// Abilities that were granted.
    grants: Vec<Grant>,
    /// Activations by the run that started them and waits for them.
    activations: Vec<(RunId, i64)>,
}

/// One grant that the evaluator has to give back.
#[derive(Clone)]
struct Grant {
    ability: Gd<GameplayAbility>,
    system: InstanceId,
    handle: i64,
}

/// Asks the methods that are new since the set became active to load what they need, and grants abilities. True if somebody
/// was asked who may have changed what there is to resolve. Runs scripts.
pub(super) fn prepare(id: InstanceId, found: &Found) -> bool {
    let agent = driver::with(id, |state| state.agent).flatten();
    let Some(agent) = agent.and_then(|agent| Gd::<Node>::try_from_instance_id(agent).ok()) else {
        return false;
    };
    if driver::activity(id, |activity| std::mem::replace(&mut activity.asking, true)) {
        return false;
    }
    let asked = preload(id, found, &agent);
    let granted = grant_all(id, found, agent.instance_id_unchecked());
    if driver::with(id, |_| ()).is_some() {
        driver::activity(id, |activity| activity.asking = false);
    }
    asked || granted
}

fn preload(id: InstanceId, found: &Found, agent: &Gd<Node>) -> bool {
    let set = found.resource.as_ref().map(|set| set.instance_id());
    let new = driver::activity(id, |activity| {
        if activity.set != set {
            activity.set = set;
            activity.preloaded.clear();
        }
        let mut new = Vec::new();
        for side in found.sides() {
            let preloads = side.method.as_ref().is_some_and(|method| method.preloads());
            let definition = side.definition.filter(|one| preloads && !activity.preloaded.contains(one));
            if let Some(definition) = definition {
                activity.preloaded.push(definition);
                new.push(side.clone());
            }
        }
        new
    });
    for method in new.iter().filter_map(|side| side.method.as_ref()) {
        if agent.is_instance_valid() {
            method.preload(agent);
        }
    }
    !new.is_empty()
}

/// Grants the abilities that methods of the set use. True if one is new.
fn grant_all(id: InstanceId, found: &Found, agent: InstanceId) -> bool {
    let methods = found.sides().filter_map(|side| side.method.as_ref());
    let abilities: Vec<Gd<GameplayAbility>> =
        methods.filter_map(|method| method.ability_to_grant()).collect();
    if driver::with(id, |_| ()).is_none() {
        return false;
    }
    driver::activity(id, |activity| {
        activity.wanted = abilities.iter().map(|ability| ability.instance_id()).collect();
    });
    let Some(system) = access::system_of(agent) else { return false };
    let before = driver::activity(id, |activity| activity.grants.len());
    for ability in &abilities {
        grant(id, system, ability);
    }
    driver::with(id, |_| ()).is_some() && driver::activity(id, |activity| activity.grants.len()) > before
}

/// Grants an ability, unless this evaluator did already: its handle.
fn grant(id: InstanceId, system: InstanceId, ability: &Gd<GameplayAbility>) -> Option<i64> {
    let known = access::handle_of(system, ability);
    let own = known.filter(|known| {
        driver::activity(id, |activity| {
            activity.grants.iter().any(|grant| grant.system == system && grant.handle == *known)
        })
    });
    if own.is_some() {
        return own;
    }
    let handle = access::grant(system, ability);
    if handle == 0 {
        return None;
    }
    let row = Grant { ability: ability.clone(), system, handle };
    if driver::with(id, |_| ()).is_none() {
        access::release(system, handle);
        return None;
    }
    driver::activity(id, |activity| activity.grants.push(row));
    Some(handle)
}

/// The handle of an ability that a method is about to start; granted now if the agent's AbilitySystem came after the set.
pub(super) fn handle_of(id: InstanceId, system: InstanceId, ability: &Gd<GameplayAbility>) -> Option<i64> {
    access::handle_of(system, ability).or_else(|| grant(id, system, ability))
}

/// A run started an ability and ends it when it is cut short.
pub(super) fn started(link: RunLink, activation: i64) {
    driver::activity(link.evaluator, |activity| activity.activations.push((link.run, activation)));
}

/// That run is over.
pub(super) fn ended(link: RunLink) {
    if driver::with(link.evaluator, |_| ()).is_some() {
        driver::activity(link.evaluator, |activity| activity.activations.retain(|one| one.0 != link.run));
    }
}

/// The activations that end with what runs now.
pub(super) fn running_activations(id: InstanceId) -> Vec<i64> {
    let run = driver::with(id, |state| state.core.running().map(Run::id)).flatten();
    let own = |activity: &mut Activity| {
        activity.activations.iter().filter(|one| Some(one.0) == run).map(|one| one.1).collect()
    };
    if run.is_some() { driver::activity(id, own) } else { Vec::new() }
}

/// The set is in use: abilities that no method uses any more are given back.
pub(super) fn settle(id: InstanceId) {
    let gone: Vec<Grant> = driver::activity(id, |activity| {
        let wanted = std::mem::take(&mut activity.wanted);
        let all = std::mem::take(&mut activity.grants).into_iter();
        let (kept, gone) = all.partition(|grant| wanted.contains(&grant.ability.instance_id_unchecked()));
        (activity.wanted, activity.grants) = (wanted, kept);
        gone
    });
    give_back(gone);
}

/// The evaluator leaves the tree; what it uses becomes active again when it comes back.
pub(super) fn leave(id: InstanceId) {
    let old = driver::activity(id, std::mem::take);
    give_back(old.grants);
}

fn give_back(grants: Vec<Grant>) {
    for grant in grants {
        access::release(grant.system, grant.handle);
    }
}

/// An AbilitySystem came to an agent: sets that were active before grant their abilities.
pub(crate) fn abilities_came(agent: InstanceId) {
    for part in [Part::Evaluator, Part::Reactions] {
        if let Some(evaluator) = lookup::part_of(agent, part) {
            driver::with(evaluator, |state| state.core.mark_stale());
        }
    }
}
