//! What the senses say of one target: a value per slot that rises, holds and falls; and their fusion.

use crate::time::{TIME_TOLERANCE, expired};

use super::kinds::SenseId;
use super::profile::{FusionRule, Profile, SenseSlot};

/// What one sense says of one target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Which sense.
    pub sense: SenseId,
    /// Before weighing, 0..1.
    pub value: f64,
    /// The slot's weight.
    pub weight: f64,
    /// The sense senses the target, or did within its hold time.
    pub active: bool,
}

/// State of one slot of one belief.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SlotState {
    pub(super) value: f64,
    /// What the sense said last, before pain.
    pub(super) reading: f64,
    /// Time since the sense's bit was last set; infinite: never.
    pub(super) since: f64,
    /// The sense's bit is set in this update.
    pub(super) set: bool,
    pub(super) active: bool,
}

impl Default for SlotState {
    fn default() -> Self {
        Self { value: 0.0, reading: 0.0, since: f64::INFINITY, set: false, active: false }
    }
}

/// How much time an update is about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    /// Since the belief's last update.
    pub(super) dt: f64,
    /// Since the last tick. A bit that is off now was on until then, because an update follows every change.
    pub(super) tick: f64,
}

/// The reading of a sense at a part `x` of its range.
pub(super) fn reading(slot: &SenseSlot, quality: f64, x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    (quality * (slot.max_confidence + (slot.far_confidence - slot.max_confidence) * x)).clamp(0.0, 1.0)
}

/// The bit of a slot among those of its belief. The last one stands for all slots from there on.
pub(super) fn slot_bit(at: usize) -> u64 {
    1 << at.min(63)
}

/// Which slots of a belief may have something to say.
pub(super) fn stirred(slots: &[SlotState]) -> u64 {
    let loud = slots.iter().enumerate().filter(|(_, state)| !state.is_silent());
    loud.fold(0, |bits, (at, _)| bits | slot_bit(at))
}

impl SlotState {
    /// It has never sensed the target, so that no time changes it.
    fn is_silent(&self) -> bool {
        !self.set && self.value == 0.0 && self.since == f64::INFINITY
    }

    #[inline]
    pub(super) fn step(&mut self, slot: &SenseSlot, step: Step, pain: f64) {
        if self.set {
            self.since = 0.0;
        } else if self.since == 0.0 {
            self.since = step.tick.min(step.dt);
        } else {
            self.since += step.dt;
        }
        self.active = self.set || expired(slot.hold_time, self.since);
        let goal = if self.active { (self.reading * pain).clamp(0.0, 1.0) } else { 0.0 };
        if self.value < goal {
            let rise = if slot.rise_time > 0.0 { goal * step.dt / slot.rise_time } else { goal };
            self.value = (self.value + rise).min(goal);
        } else if self.value > goal {
            let fall = if slot.fall_time > 0.0 { step.dt / slot.fall_time } else { 1.0 };
            self.value = (self.value - fall).max(goal);
        }
    }
}

/// What all slots of a belief say together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chorus {
    /// Built-in fusion or the sum, 0..1.
    pub(super) fused: f64,
    pub(super) active: u32,
    /// For how long no sense has been active, as far as the slots know.
    pub(super) quiet: f64,
}

/// Moves all slots of a belief on, and listens to them. The `stirred` ones; the others never sensed it.
#[inline]
pub(super) fn listen(
    profile: &Profile,
    (slots, stirred): (&mut [SlotState], u64),
    step: Step,
    pain: f64,
) -> Chorus {
    let (mut best, mut sum, mut active, mut quiet) = (0.0_f64, 0.0, 0_u32, f64::INFINITY);
    for (at, (state, slot)) in slots.iter_mut().zip(&profile.senses).enumerate() {
        if stirred & slot_bit(at) == 0 {
            continue;
        }
        if state.is_silent() {
            state.active = false;
            continue;
        }
        state.step(slot, step, pain);
        if state.active {
            active += 1;
            best = best.max(state.value * slot.weight);
            sum += state.value * slot.weight;
        } else {
            quiet = quiet.min(state.since - slot.hold_time);
        }
    }
    let fused = match (active, profile.fusion) {
        (0, _) => 0.0,
        (_, FusionRule::Summing) => sum,
        _ => best + profile.corroboration_bonus * f64::from(active - 1),
    };
    Chorus { fused: fused.clamp(0.0, 1.0), active, quiet: quiet.max(TIME_TOLERANCE) }
}

/// Confidence follows fusion up at once and down slowly.
pub(super) fn confidence(profile: &Profile, before: f64, fused: f64, dt: f64) -> f64 {
    if fused >= before {
        return fused;
    }
    let fade = if profile.confidence_fade_time > 0.0 { dt / profile.confidence_fade_time } else { 1.0 };
    fused.max(before - fade)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(dt: f64) -> Step {
        Step { dt, tick: dt }
    }

    #[test]
    fn a_value_rises_by_its_reading_and_falls_by_time() {
        let slot = SenseSlot { rise_time: 2.0, fall_time: 4.0, ..SenseSlot::new(SenseId::Sight) };
        let mut state = SlotState { reading: 0.8, set: true, ..SlotState::default() };
        state.step(&slot, step(0.0), 1.0);
        assert_eq!((state.value, state.active), (0.0, true));
        state.step(&slot, step(1.0), 1.0);
        assert!((state.value - 0.4).abs() < 1e-12);
        state.step(&slot, step(9.0), 1.0);
        assert!((state.value - 0.8).abs() < 1e-12);
        state.set = false;
        state.step(&slot, step(1.0), 1.0);
        assert!((state.value - 0.55).abs() < 1e-12 && !state.active);
    }

    #[test]
    fn a_bit_that_went_off_was_on_until_the_last_tick() {
        let slot = SenseSlot { hold_time: 0.05, ..SenseSlot::new(SenseId::Sight) };
        let mut state = SlotState { reading: 1.0, set: true, ..SlotState::default() };
        state.step(&slot, step(0.0), 1.0);
        state.set = false;
        state.step(&slot, Step { dt: 0.1, tick: 0.02 }, 1.0);
        assert!(state.active && (state.since - 0.02).abs() < 1e-12);
        state.step(&slot, Step { dt: 0.1, tick: 0.02 }, 1.0);
        assert!(!state.active && (state.since - 0.12).abs() < 1e-12);
    }
}
