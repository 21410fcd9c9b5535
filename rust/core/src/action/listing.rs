//! The list of actions changes: what is listed, what spawns, what runs on.

use std::sync::Arc;

use super::flat::FlatList;
use super::list::{Entry, List, plan_base};
use super::plan::SetPlan;
use super::run::Run;
use super::{ActionId, ActionPlan, ActionRef, BoundNumber, ChangePolicy, Evaluator, Event};

/// The list of these entries: the shared one if it is the same, else one with its flat arrays if those are. What many
/// share stays in the caches of the machine.
fn listed(entries: Vec<Entry>, shared: Option<&Arc<List>>) -> Arc<List> {
    // Without repeated ids, so that places are the same here and there.
    let shared = shared.filter(|shared| shared.entries.len() == entries.len());
    let numbered = entries.iter().enumerate().all(|(at, entry)| entry.action.0 as usize == at);
    if let Some(shared) = shared.filter(|_| numbered) {
        return shared.clone();
    }
    let flat = match shared {
        Some(shared) => shared.flat.clone(),
        None => {
            let plans: Vec<_> = entries.iter().map(|entry| entry.plan.clone()).collect();
            FlatList::of(&plans, plan_base).map(Arc::new)
        }
    };
    Arc::new(List { entries, flat })
}

impl Evaluator {
    /// Another list of actions; `None` for none at all. What is known by id stays.
    ///
    /// `tell` says that it is another set, not the same one after an edit. What becomes of the running action is the
    /// settings' change policy.
    pub fn set_list(&mut self, actions: Option<&[Arc<ActionPlan>]>, tell: bool) {
        self.use_list(actions, None, tell);
    }

    /// The same with a compiled set, whose flat arrays are then shared by all who use it.
    pub fn set_plan(&mut self, plan: Option<&SetPlan>, tell: bool) {
        self.use_list(plan.map(SetPlan::actions), plan.map(SetPlan::list), tell);
    }

    fn use_list(&mut self, actions: Option<&[Arc<ActionPlan>]>, shared: Option<&Arc<List>>, tell: bool) {
        self.memory.unlist_all();
        self.setless = actions.is_none();
        let mut entries: Vec<Entry> = Vec::new();
        for plan in actions.unwrap_or_default() {
            let action = self.memory.meet(&plan.id);
            let index = &mut self.memory.record_mut(action).index;
            if index.is_none() {
                *index = Some(entries.len());
                entries.push(Entry::new(plan.clone(), action));
            }
        }
        self.list = listed(entries, shared);
        self.list_version += 1;
        self.marks.forget();
        let mut events = Vec::new();
        if tell && self.started {
            events.push(Event::SetChanged);
        }
        if self.started {
            self.spawn_cooldowns(&mut events);
        }
        self.tell(events);
        let another = tell || self.stale_run;
        self.stale_run = self.run.as_ref().is_some_and(|run| self.loses(run, another));
    }

    /// The list is the same, but comes from somewhere else.
    pub fn tell_set_changed(&mut self) {
        if self.started {
            self.tell(vec![Event::SetChanged]);
        }
    }

    /// A run does not survive the list that there is now.
    pub(super) fn loses(&self, run: &Run, another: bool) -> bool {
        match self.settings.change_policy {
            ChangePolicy::EndIfMissing => self.memory.record(run.action).index.is_none(),
            ChangePolicy::EndAlways => another || self.memory.record(run.action).index.is_none(),
            ChangePolicy::LetFinish => false,
        }
    }

    /// What a number of an action is that follows an attribute; `None`: the plan's. Before [`Evaluator::start`] and
    /// [`Evaluator::set_list`] for what counts at spawn, in answer to [`super::Question::Numbers`] and before a snapshot for the rest.
    pub fn set_number(&mut self, id: &ActionId, number: BoundNumber, value: Option<f64>) {
        let action = self.memory.meet(id);
        self.memory.set_number(action, number, value);
        let runs = self.run.as_mut().filter(|run| run.action == action);
        if let Some(run) = runs.filter(|_| number == BoundNumber::CommitmentTime) {
            run.commitment = value;
        }
    }

    /// The listed plan of an action.
    pub fn plan(&self, action: ActionRef) -> Option<Arc<ActionPlan>> {
        self.entry(action).map(|entry| entry.plan.clone())
    }

    /// The action that runs, else the best of the last decision.
    pub fn preferred_action(&self) -> Option<ActionRef> {
        let running = self.run.as_ref().map(|run| run.action);
        running.or_else(|| self.memory.find(self.last.action.as_ref()?))
    }

    /// The plans of the listed actions that have numbers which follow attributes.
    pub fn bound_plans(&self) -> impl Iterator<Item = (usize, &Arc<ActionPlan>)> {
        let plans = self.list.entries.iter().map(|entry| &entry.plan).enumerate();
        plans.filter(|(_, plan)| !plan.bindings.is_empty())
    }

    pub(super) fn spawn_cooldowns(&mut self, events: &mut Vec<Event>) {
        let list = self.list.clone();
        for entry in &list.entries {
            let spawned = self.memory.spawn(entry.action, &entry.plan, self.settings.cooldown_scale);
            if let Some(seconds) = spawned.filter(|seconds| *seconds > 0.0) {
                events.push(Event::CooldownStarted(entry.action, seconds));
            }
        }
    }
}
