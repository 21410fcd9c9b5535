//! What an evaluator remembers by action id: cooldowns, uses, repeats, chains, overrides, targets met.
//!
//! All of it survives every change of the action list.

mod recovery;
mod saved;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::binding::BOUND_NUMBERS;
use super::{
    ActionId, ActionPlan, ActionRef, BoundNumber, CooldownPlan, EndReason, RunId, Settings, TargetKey,
};
use crate::random::{draw, mix};
use crate::time::expired;
use recovery::Recovery;

/// How many committed uses novelty looks back.
const USES: usize = 16;

/// A cooldown counts until its end was told, which may be a step after it ran out.
#[derive(Clone, Copy, Debug, Default)]
struct Cooldown {
    active: bool,
    until: f64,
    /// How long it is in all, for whoever shows it.
    length: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Record {
    pub id: ActionId,
    /// Its place in the current list.
    pub index: Option<usize>,
    cooldown: Cooldown,
    /// Commits so far: the number of the next cooldown draw.
    stamps: u64,
    pub(super) spawned: bool,
    multiplier: Option<f64>,
    /// What its numbers are that follow attributes, as last read.
    bound: [Option<f64>; BOUND_NUMBERS],
}

/// One committed use. `ended` is `None` while that run goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub action: ActionRef,
    run: RunId,
    ended: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Repeat {
    action: ActionRef,
    count: u32,
    ended: Option<f64>,
}

#[derive(Clone, Debug)]
struct Chain {
    from: Arc<ActionPlan>,
    opened: f64,
}

#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct Memory {
    // In memory in this order: what every decision reads comes first, up to `used`.
    pub now: f64,
    /// The evaluator's seed `S`.
    pub seed: u64,
    /// Number of the next evaluation, `k`.
    pub evaluation: u64,
    /// Neither a cooldown nor the recovery ends before.
    soonest: f64,
    /// The target that was met last, which is mostly the next one too.
    last_met: Option<(TargetKey, u64)>,
    /// A cooldown may be active.
    cooling: bool,
    /// An action may have a factor of its own.
    multiplied: bool,
    /// There may be a use, a repeat or a chain.
    used: bool,
    pub(super) recovery: Recovery,
    /// Newest first.
    uses: Vec<Use>,
    repeat: Option<Repeat>,
    chain: Option<Chain>,
    records: Vec<Record>,
    ordinals: BTreeMap<TargetKey, u64>,
    targets_met: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            now: 0.0,
            seed: 0,
            evaluation: 0,
            soonest: f64::INFINITY,
            last_met: None,
            cooling: false,
            multiplied: false,
            used: false,
            recovery: Recovery::default(),
            uses: Vec::new(),
            repeat: None,
            chain: None,
            records: Vec::new(),
            ordinals: BTreeMap::new(),
            targets_met: 0,
        }
    }
}

impl Memory {
    /// The record of an id, new or known.
    pub fn meet(&mut self, id: &ActionId) -> ActionRef {
        if let Some(known) = self.records.iter().position(|record| record.id == *id) {
            return ActionRef(known as u32);
        }
        self.records.push(Record {
            id: id.clone(),
            index: None,
            cooldown: Cooldown::default(),
            stamps: 0,
            spawned: false,
            multiplier: None,
            bound: [None; BOUND_NUMBERS],
        });
        ActionRef(self.records.len() as u32 - 1)
    }

    pub fn find(&self, name: &str) -> Option<ActionRef> {
        let at = self.records.iter().position(|record| record.id.name() == name)?;
        Some(ActionRef(at as u32))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.records.iter().map(|record| record.id.name())
    }

    pub fn record(&self, action: ActionRef) -> &Record {
        &self.records[action.0 as usize]
    }

    pub fn record_mut(&mut self, action: ActionRef) -> &mut Record {
        &mut self.records[action.0 as usize]
    }

    pub fn unlist_all(&mut self) {
        for record in &mut self.records {
            record.index = None;
        }
    }

    // Cooldowns.

    /// Seconds left; 0 when free.
    pub fn cooldown_left(&self, action: ActionRef) -> f64 {
        let cooldown = self.record(action).cooldown;
        if cooldown.active && !expired(self.now, cooldown.until) { cooldown.until - self.now } else { 0.0 }
    }

    /// The whole length of a cooldown that runs; 0 when free.
    pub fn cooldown_length(&self, action: ActionRef) -> f64 {
        if self.cooldown_left(action) > 0.0 { self.record(action).cooldown.length } else { 0.0 }
    }

    /// Starts or replaces a cooldown. 0 ends one that runs, at the next step at the latest.
    pub fn set_cooldown(&mut self, action: ActionRef, seconds: f64) {
        self.record_mut(action).cooldown.length = seconds;
        self.cool_until(action, seconds);
    }

    fn cool_until(&mut self, action: ActionRef, seconds: f64) {
        let until = self.now + seconds.max(0.0);
        self.soonest = self.soonest.min(until);
        let cooldown = &mut self.record_mut(action).cooldown;
        cooldown.until = until;
        cooldown.active |= seconds > 0.0;
        self.cooling |= seconds > 0.0;
    }

    /// Ends a cooldown without waiting; true if one was active, which is to be told.
    pub fn reset_cooldown(&mut self, action: ActionRef) -> bool {
        std::mem::take(&mut self.record_mut(action).cooldown.active)
    }

    /// Takes a cooldown that ran out; true once.
    fn take_expired(&mut self, action: ActionRef) -> bool {
        let now = self.now;
        let cooldown = &mut self.record_mut(action).cooldown;
        let over = cooldown.active && expired(now, cooldown.until);
        cooldown.active &= !over;
        over
    }

    /// All that ran out, in listing order, into `out`.
    pub fn take_all_expired(&mut self, out: &mut Vec<ActionRef>) {
        if !self.may_expire(self.now) {
            return;
        }
        let over = |record: &Record| record.cooldown.active && expired(self.now, record.cooldown.until);
        if self.records.iter().any(over) {
            out.extend(self.listing_order());
            out.retain(|action| self.take_expired(*action));
        }
        self.cooling = self.records.iter().any(|record| record.cooldown.active);
        let active = self.records.iter().map(|record| record.cooldown).filter(|cooldown| cooldown.active);
        self.soonest = active.map(|cooldown| cooldown.until).fold(self.recovery_end(), f64::min);
    }

    /// False if neither a cooldown nor the recovery is in the way of any action.
    pub fn may_close_gates(&self) -> bool {
        self.cooling || self.soonest < f64::INFINITY && self.recovery_end() < f64::INFINITY
    }

    /// Some action was used last.
    pub fn counts_repeats(&self) -> bool {
        self.used && self.repeat.is_some()
    }

    /// False if neither a cooldown nor the recovery has ended by then.
    pub fn may_expire(&self, now: f64) -> bool {
        expired(now, self.soonest)
    }

    /// The cooldown of a use, with the next draw of that action.
    pub fn stamp(&mut self, action: ActionRef, plan: &ActionPlan, scale: f64) -> f64 {
        self.stamp_share(action, plan, scale, 1.0)
    }

    /// The cooldown of a use that begins at its end.
    pub fn stamp_end(&mut self, action: ActionRef, plan: &ActionPlan, reason: EndReason, scale: f64) -> f64 {
        let refund = if reason.is_cut_short() { plan.cooldown.interrupt_refund } else { 0.0 };
        self.stamp_share(action, plan, scale, 1.0 - refund)
    }

    fn stamp_share(&mut self, action: ActionRef, plan: &ActionPlan, scale: f64, share: f64) -> f64 {
        let (seed, plan) = (self.seed, self.cooldown_plan(action, plan));
        let record = self.record_mut(action);
        let u = draw(seed, "cooldown", record.id.name(), record.stamps);
        record.stamps += 1;
        let seconds = rolled(&plan, scale, u) * share;
        self.set_cooldown(action, seconds);
        seconds
    }

    /// The cooldown of an id that is met for the first time; `None` if it was met before.
    pub fn spawn(&mut self, action: ActionRef, plan: &ActionPlan, scale: f64) -> Option<f64> {
        let (seed, plan) = (self.seed, self.cooldown_plan(action, plan));
        let record = self.record_mut(action);
        if std::mem::replace(&mut record.spawned, true) {
            return None;
        }
        let name = record.id.name();
        let hit = draw(seed, "spawn", name, 0) < plan.spawn_chance;
        let roll = if hit { rolled(&plan, scale, draw(seed, "spawn_roll", name, 0)) } else { 0.0 };
        let seconds = plan.initial.max(roll);
        self.set_cooldown(action, seconds);
        Some(seconds)
    }

    // Numbers.

    /// A number of an action as it is now: what its bindings made of it, else the plan's.
    pub fn number(&self, action: ActionRef, plan: &ActionPlan, number: BoundNumber) -> f64 {
        let follows = plan.bindings.iter().any(|binding| binding.number == number);
        let bound = self.record(action).bound[number as usize].filter(|_| follows);
        bound.unwrap_or_else(|| number.constant(plan))
    }

    pub fn set_number(&mut self, action: ActionRef, number: BoundNumber, value: Option<f64>) {
        self.record_mut(action).bound[number as usize] = value;
    }

    fn cooldown_plan(&self, action: ActionRef, plan: &ActionPlan) -> CooldownPlan {
        let number = |which| self.number(action, plan, which);
        let (duration, initial) = (BoundNumber::CooldownDuration, BoundNumber::CooldownInitial);
        CooldownPlan { duration: number(duration), initial: number(initial), ..plan.cooldown }
    }

    // Uses, repeats, chains.

    /// A use was committed.
    pub fn commit(&mut self, action: ActionRef, run: RunId, settings: &Settings) {
        self.used = true;
        self.uses.truncate(USES - 1);
        self.uses.insert(0, Use { action, run, ended: None });
        let before = self.repeats(action, settings);
        self.repeat = Some(Repeat { action, count: before.saturating_add(1), ended: None });
        self.chain = None;
    }

    /// The run of a committed use ended.
    pub fn finish(
        &mut self,
        plan: &Arc<ActionPlan>,
        action: ActionRef,
        run: RunId,
        reason: EndReason,
        refunds: bool,
    ) {
        let now = self.now;
        self.used = true;
        if let Some(used) = self.uses.iter_mut().find(|used| used.run == run) {
            used.ended = Some(now);
        }
        if let Some(repeat) = self.repeat.as_mut().filter(|repeat| repeat.action == action) {
            repeat.ended = Some(now);
        }
        let completed = reason == EndReason::Completed;
        self.chain = completed.then(|| Chain { from: plan.clone(), opened: now });
        let left = self.cooldown_left(action);
        if refunds && !plan.cooldown.on_end && reason.is_cut_short() && left > 0.0 {
            self.cool_until(action, left * (1.0 - plan.cooldown.interrupt_refund));
        }
    }

    /// Uses in a row of this action, as far as time has not cleared them.
    pub fn repeats(&self, action: ActionRef, settings: &Settings) -> u32 {
        let Some(repeat) = self.repeat.filter(|repeat| repeat.action == action) else {
            return 0;
        };
        let reset = settings.repeat_reset_time;
        let faded = reset > 0.0 && repeat.ended.is_some_and(|ended| expired(self.now, ended + reset));
        if faded { 0 } else { repeat.count }
    }

    /// Newest first.
    pub fn uses(&self) -> &[Use] {
        if self.used { &self.uses } else { &[] }
    }

    /// Seconds since the end of a use; 0 while it runs.
    pub fn age(&self, used: &Use) -> f64 {
        used.ended.map_or(0.0, |ended| self.now - ended)
    }

    /// The action whose links are open for the chain bonus now.
    pub fn open_chain(&self, settings: &Settings) -> Option<&Arc<ActionPlan>> {
        if !self.used {
            return None;
        }
        let chain = self.chain.as_ref()?;
        (!expired(self.now, chain.opened + settings.chain_bonus_window)).then_some(&chain.from)
    }

    // Multipliers and targets.

    pub fn multiplier(&self, action: ActionRef) -> f64 {
        self.record(action).multiplier.unwrap_or(1.0)
    }

    /// Sets or, with `None`, clears; true if one was set before.
    pub fn set_multiplier(&mut self, action: ActionRef, multiplier: Option<f64>) -> bool {
        self.multiplied |= multiplier.is_some();
        std::mem::replace(&mut self.record_mut(action).multiplier, multiplier).is_some()
    }

    pub fn clear_multipliers(&mut self) {
        self.multiplied = false;
        for record in &mut self.records {
            record.multiplier = None;
        }
    }

    /// False if no action has a factor of its own.
    pub fn has_multipliers(&self) -> bool {
        self.multiplied
    }

    /// The target's ordinal by the order in which targets were first met, from 1.
    pub fn known_ordinal(&self, target: TargetKey) -> Option<u64> {
        match self.last_met {
            Some((last, ordinal)) if last == target => Some(ordinal),
            _ => self.ordinals.get(&target).copied(),
        }
    }

    /// How many targets have been met.
    pub fn ordinals_given(&self) -> u64 {
        self.targets_met
    }

    /// Remembers a target that was looked at in earnest.
    pub fn meet_target(&mut self, target: TargetKey) {
        if self.last_met.is_some_and(|(last, _)| last == target) {
            return;
        }
        let met = &mut self.targets_met;
        let ordinal = *self.ordinals.entry(target).or_insert_with(|| {
            *met += 1;
            *met
        });
        self.last_met = Some((target, ordinal));
    }

    /// Context seed of the next evaluation.
    pub fn context_seed(&self) -> u64 {
        mix(self.seed ^ mix(self.evaluation))
    }

    /// Forgets novelty, chain and repeat counters.
    pub fn forget_uses(&mut self) {
        self.used = false;
        self.uses.clear();
        self.repeat = None;
        self.chain = None;
    }

    /// All actions: those in the list in its order, then the others by name.
    pub fn listing_order(&self) -> Vec<ActionRef> {
        let mut all: Vec<ActionRef> = (0..self.records.len() as u32).map(ActionRef).collect();
        all.sort_by_key(|action| {
            let record = self.record(*action);
            (record.index.unwrap_or(usize::MAX), record.index.is_none().then(|| record.id.name()))
        });
        all
    }
}

fn rolled(plan: &CooldownPlan, scale: f64, u: f64) -> f64 {
    (plan.duration * scale * (1.0 + plan.randomization * (2.0 * u - 1.0))).max(0.0)
}
