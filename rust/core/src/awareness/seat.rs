//! When a mind is updated: what every tick looks at of it.

use crate::perception::{PerceiverKey, PerceptionWorld, Scope};
use crate::time::expired;

use super::world::MindKey;

/// What every tick touches of a mind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) key: MindKey,
    pub(super) perceiver: Option<PerceiverKey>,
    pub(super) enabled: bool,
    /// In the tree.
    pub(super) present: bool,
    /// Has beliefs; has some that are not expired.
    pub(super) knows: bool,
    pub(super) live: bool,
    pub(super) interval: f64,
    /// The perceiver's time at its last tick, and between its last two.
    pub(super) seen: f64,
    pub(super) tick: f64,
    pub(super) updated: f64,
    /// The perceiver may know targets already that there are no beliefs of.
    pub(super) wakes: bool,
    /// The perceiver's clock is another one.
    pub(super) rebase: bool,
    /// By how much it jumped since the last update.
    pub(super) jump: f64,
}

impl Seat {
    /// Of a new mind.
    pub(super) fn new(key: MindKey, interval: f64) -> Self {
        Self {
            key,
            perceiver: None,
            enabled: true,
            present: true,
            knows: false,
            live: false,
            interval,
            seen: 0.0,
            tick: 0.0,
            updated: 0.0,
            wakes: true,
            rebase: false,
            jump: 0.0,
        }
    }

    /// The perceiver, unless it is nowhere.
    pub(super) fn placed(&self, perception: &PerceptionWorld) -> Option<PerceiverKey> {
        self.perceiver.filter(|key| perception.perceiver_place(*key).is_some())
    }

    /// True if only a change of what its perceiver knows can make it due.
    pub(super) fn is_at_rest(&self) -> bool {
        !(self.knows || self.enabled && self.wakes)
    }

    /// True if this tick updates the mind.
    pub(super) fn is_due(&mut self, perception: &PerceptionWorld, scope: Scope) -> bool {
        let Some(perceiver) = self.perceiver.filter(|_| self.knows || self.enabled) else {
            return self.knows && scope == Scope::Common;
        };
        let pulse = perception.pulse(perceiver, scope);
        if !pulse.ticks {
            return self.knows && scope == Scope::Common && self.placed(perception).is_none();
        }
        let wakes = self.enabled && std::mem::take(&mut self.wakes);
        let behind = wakes && perception.records(perceiver).next().is_some();
        let changed = behind || (self.enabled && pulse.changed);
        if !changed && !self.knows {
            return false;
        }
        self.look_at_clock(pulse.now);
        if !self.enabled && self.live {
            return true;
        }
        changed || (self.tick > 0.0 && expired(self.seen - self.updated, self.interval))
    }

    /// Takes over a saved clock.
    pub(super) fn restore(&mut self, now: f64, updated: f64, wakes: bool) {
        self.wakes = wakes;
        (self.seen, self.updated) = (now, updated);
        (self.tick, self.jump, self.rebase) = (0.0, 0.0, false);
    }

    fn look_at_clock(&mut self, now: f64) {
        let jumped = std::mem::take(&mut self.rebase) || now < self.seen;
        if jumped && self.knows {
            self.jump += now - self.seen;
            self.updated += now - self.seen;
        }
        let first = !self.knows && !self.live;
        self.tick = if jumped || first { 0.0 } else { now - self.seen };
        if first {
            self.updated = now;
        }
        self.seen = now;
    }
}
