//! What is remembered, as plain values and back.

use std::sync::Arc;

use super::{Chain, Cooldown, Memory, Record, Recovery, Repeat, USES, Use};
use crate::action::saved::{CooldownState, EvaluatorState, Unknown};
use crate::action::{ActionPlan, ActionRef, RunId};

impl Memory {
    /// Fills in everything that is kept here.
    pub fn save(&self, state: &mut EvaluatorState) {
        let name = |action| self.record(action).id.name().to_owned();
        (state.time, state.seed, state.evaluation_index) = (self.now, self.seed, self.evaluation);
        let all = || self.listing_order().into_iter().map(|action| (action, self.record(action)));
        let cooled = all().filter(|(_, record)| record.cooldown.active || record.stamps > 0);
        let cooldown = |(action, record): (ActionRef, &Record)| CooldownState {
            action: name(action),
            remaining: self.cooldown_left(action),
            stamps: record.stamps,
        };
        state.cooldowns = cooled.map(cooldown).collect();
        state.spawned = all().filter(|(_, record)| record.spawned).map(|(action, _)| name(action)).collect();
        let age = |ended: Option<f64>| ended.map_or(0.0, |ended| self.now - ended);
        state.repeat = self.repeat.map(|repeat| (name(repeat.action), repeat.count, age(repeat.ended)));
        state.uses = self.uses.iter().map(|used| (name(used.action), self.age(used))).collect();
        state.chain =
            self.chain.as_ref().map(|chain| (chain.from.id.name().to_owned(), self.now - chain.opened));
        (state.recovery_remaining, state.recovery_draws) = (self.recovery_left(), self.recovery.draws);
        state.target_ordinals = self.ordinals.iter().map(|(key, ordinal)| (*key, *ordinal)).collect();
        let set = all().filter_map(|(action, record)| Some((name(action), record.multiplier?)));
        state.overrides = set.collect();
    }

    /// Takes back what was saved; what the chain hangs on is found among the listed plans. Names that were never met
    /// are left out and returned.
    pub fn restore(&mut self, state: &EvaluatorState, listed: &[Arc<ActionPlan>]) -> Unknown {
        let mut unknown = Unknown::default();
        (self.now, self.seed, self.evaluation) = (state.time, state.seed, state.evaluation_index);
        for record in &mut self.records {
            (record.cooldown, record.stamps, record.spawned) = (Cooldown::default(), 0, false);
            record.multiplier = None;
        }
        (self.cooling, self.multiplied, self.last_met) = (false, !state.overrides.is_empty(), None);
        self.soonest = f64::INFINITY;
        self.recovery = Recovery::drawn(state.recovery_draws);
        self.rest(state.recovery_remaining);
        for saved in &state.cooldowns {
            let Some(action) = self.known(&saved.action, &mut unknown) else { continue };
            self.record_mut(action).stamps = saved.stamps;
            self.set_cooldown(action, saved.remaining);
        }
        for name in &state.spawned {
            if let Some(action) = self.known(name, &mut unknown) {
                self.record_mut(action).spawned = true;
            }
        }
        for (name, multiplier) in &state.overrides {
            if let Some(action) = self.known(name, &mut unknown) {
                self.record_mut(action).multiplier = Some(*multiplier);
            }
        }
        self.restore_uses(state, listed, &mut unknown);
        self.ordinals = state.target_ordinals.iter().copied().collect();
        self.targets_met = self.ordinals.values().copied().max().unwrap_or(0);
        unknown
    }

    fn restore_uses(&mut self, state: &EvaluatorState, listed: &[Arc<ActionPlan>], unknown: &mut Unknown) {
        let now = self.now;
        self.used = true;
        self.uses.clear();
        for (name, age) in &state.uses {
            // More than is remembered is not from an export.
            if let Some(action) = self.known(name, unknown).filter(|_| self.uses.len() < USES) {
                self.uses.push(Use { action, run: 0, ended: Some(now - age) });
            }
        }
        self.repeat = state.repeat.as_ref().and_then(|(name, count, age)| {
            let action = self.known(name, unknown)?;
            Some(Repeat { action, count: *count, ended: Some(now - age) })
        });
        self.chain = state.chain.as_ref().and_then(|(name, age)| {
            let from = listed.iter().find(|plan| plan.id.name() == name);
            if from.is_none() {
                unknown.note(name);
            }
            Some(Chain { from: from?.clone(), opened: now - age })
        });
    }

    /// The newest use of an action goes on: its run was taken up again.
    pub fn reopen(&mut self, action: ActionRef, run: RunId) {
        if let Some(used) = self.uses.iter_mut().find(|used| used.action == action) {
            (used.run, used.ended) = (run, None);
        }
        if let Some(repeat) = self.repeat.as_mut().filter(|repeat| repeat.action == action) {
            repeat.ended = None;
        }
    }

    fn known(&self, name: &str, unknown: &mut Unknown) -> Option<ActionRef> {
        let found = self.find(name);
        if found.is_none() {
            unknown.note(name);
        }
        found
    }
}
