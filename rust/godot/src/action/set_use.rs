//! Which actions an evaluator uses: the set that counts, and what it was granted.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{ActionPlan, Listed, SetPlan, SetSource, effective};

use super::compiled::{ActionSide, CompiledSet};
use super::driver::{self, CurrentSet};
use super::numbers::{self, Moment};
use super::sources::{self, Granted};
use super::{readings, set_activity, set_resource, weapon};
use crate::base::callbacks::{connect, disconnect};

/// How often scripts may change what there is to resolve while it is resolved.
const ROUNDS: usize = 4;

/// Finds the set that counts and gives it to the core, if anything is new. Runs scripts of the set.
pub(super) fn resolve(id: InstanceId) {
    weapon::forget_freed(id);
    weapon::ask_for_role(id);
    for _ in 0..ROUNDS {
        let found = find(id);
        // A script that was asked may have changed what there is to resolve: it is found again.
        let asked = set_activity::prepare(id, &found);
        if driver::with(id, |_| ()).is_none() {
            return;
        }
        if !asked {
            return make_active(id, found);
        }
    }
    make_active(id, find(id));
}

fn make_active(id: InstanceId, found: Found) {
    use_set(id, found);
    if driver::with(id, |_| ()).is_some() {
        set_activity::settle(id);
    }
}

/// What an evaluator should use.
pub(super) struct Found {
    pub resource: Option<Gd<Resource>>,
    source: SetSource,
    base: Option<Arc<CompiledSet>>,
    granted: Vec<Compiled>,
}

impl Found {
    /// All actions that it has, or would have without others of the same name.
    pub fn sides(&self) -> impl Iterator<Item = &Arc<ActionSide>> {
        let base = self.base.iter().flat_map(|base| &base.sides);
        base.chain(self.granted.iter().map(|one| &one.1))
    }
}

fn find(id: InstanceId) -> Found {
    let sources = sources::effective(id);
    let (resource, source) = sources.resolve(driver::is_reacting(id));
    listen(id, driver::current_set(id).resource, resource.as_ref());
    let base = resource.as_ref().and_then(set_resource::compiled);
    let granted = compiled_grants(id, sources.granted);
    Found { resource, source, base, granted }
}

type Compiled = (Arc<ActionPlan>, Arc<ActionSide>);

fn compiled_grants(id: InstanceId, mut granted: Vec<Granted>) -> Vec<Compiled> {
    let compiled = granted.iter_mut().map(Granted::compiled).collect();
    driver::sources(id, |sources| {
        let same = sources.granted.len() == granted.len()
            && sources.granted.iter().zip(&granted).all(|(own, new)| own.spec == new.spec);
        if same {
            sources.granted = granted;
        }
    });
    compiled
}

fn use_set(id: InstanceId, found: Found) {
    let Found { resource, source, base, granted } = found;
    let granted = granted.as_slice();
    let old = driver::current_set(id);
    let grants: Vec<Arc<ActionPlan>> = granted.iter().map(|one| one.0.clone()).collect();
    let another = old.resource != resource;
    let moved = old.source != source;
    if !another && old.is_made_of(base.as_ref(), &grants) {
        if moved {
            driver::set_source(id, source);
            driver::call(id, |state| state.core.tell_set_changed());
        }
        return;
    }
    let compiled = combined(base.as_ref(), granted);
    if let Some(compiled) = &compiled {
        numbers::read_all(id, compiled, Moment::Spawn);
    }
    let version = driver::with(id, |state| state.core.list_version() + 1).unwrap_or(0);
    let plan = compiled.as_ref().map(|compiled| compiled.plan.clone());
    let fallback = compiled.as_ref().and_then(|compiled| compiled.fallback.clone());
    driver::set_current(id, CurrentSet { resource, source, base, grants, compiled }, version);
    let readings = plan.as_ref().map(|plan| Arc::new(plan.readings())).unwrap_or_default();
    driver::call(id, |state| {
        state.core.set_fallback(fallback);
        state.motion.wanted = readings::wants_speed(&readings);
        state.readings = readings;
        state.needs = plan.as_ref().map(|plan| plan.needs()).unwrap_or_default();
        state.token_tags = plan.as_ref().map(|plan| plan.token_tags().into()).unwrap_or_default();
        state.core.set_plan(plan.as_deref(), another || moved);
    });
}

/// The effective list; the set itself while nothing is granted.
fn combined(base: Option<&Arc<CompiledSet>>, granted: &[Compiled]) -> Option<Arc<CompiledSet>> {
    if granted.is_empty() {
        return base.cloned();
    }
    let (plans, sides) = base.map_or((&[][..], &[][..]), |base| (base.plan.actions(), &base.sides[..]));
    let grants: Vec<Arc<ActionPlan>> = granted.iter().map(|one| one.0.clone()).collect();
    let rows: Vec<Compiled> = effective(plans, &grants)
        .into_iter()
        .map(|row| match row {
            Listed::Base(at) => (plans[at].clone(), sides[at].clone()),
            Listed::Granted(at) => granted[at].clone(),
        })
        .collect();
    let plan = Arc::new(SetPlan::new(rows.iter().map(|row| row.0.clone())));
    let sides = rows.into_iter().map(|row| row.1).collect();
    #[expect(clippy::arc_with_non_send_sync, reason = "as that of a set, which it takes the place of")]
    let made = Arc::new(CompiledSet { plan, sides, fallback: base.and_then(|base| base.fallback.clone()) });
    Some(made)
}

/// Follows the edits of the set in use.
fn listen(id: InstanceId, old: Option<Gd<Resource>>, new: Option<&Gd<Resource>>) {
    const EDITED: &str = "riposte_set_edited";
    if old.as_ref() == new {
        return;
    }
    if let Some(old) = old {
        disconnect(&old, "changed", id, EDITED);
    }
    if let Some(new) = new {
        connect(new, "changed", id, EDITED, |id| {
            driver::with(id, |state| state.core.mark_stale());
        });
    }
}
