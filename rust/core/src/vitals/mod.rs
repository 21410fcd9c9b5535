//! Vitals of one agent: named values between 0 and a maximum that regenerate some time after a loss.

use crate::tags::TagId;
use crate::time::TIME_TOLERANCE;

/// What a row is made of. Shared, read-only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VitalPlan {
    /// Its name.
    pub tag: TagId,
    /// The value is kept between 0 and this.
    pub max: f64,
    /// The value at first; negative: the maximum.
    pub start: f64,
    /// Gain per second; negative: decay.
    pub regen: f64,
    /// Seconds after a loss before regeneration goes on.
    pub delay: f64,
}

/// What happened to a vital.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VitalEvent {
    /// The value changed.
    Changed {
        /// The row.
        tag: TagId,
        /// The value now.
        value: f64,
        /// What was really gained or lost.
        delta: f64,
    },
    /// The value reached 0 and was above before.
    Depleted {
        /// The row.
        tag: TagId,
    },
}

/// One row as it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vital {
    plan: VitalPlan,
    value: f64,
    /// Seconds until regeneration goes on.
    wait: f64,
}

impl Vital {
    fn new(plan: VitalPlan) -> Self {
        let start = if plan.start < 0.0 { plan.max } else { plan.start };
        Self { plan, value: start.clamp(0.0, plan.max), wait: 0.0 }
    }

    /// Its name.
    pub fn tag(&self) -> TagId {
        self.plan.tag
    }

    /// The value now.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The greatest value.
    pub fn max(&self) -> f64 {
        self.plan.max
    }

    /// The value as a share of the maximum; 0 if the maximum is 0.
    pub fn fraction(&self) -> f64 {
        if self.plan.max > 0.0 { self.value / self.plan.max } else { 0.0 }
    }

    /// Seconds until regeneration goes on.
    pub fn wait(&self) -> f64 {
        self.wait
    }

    fn is_moving(&self) -> bool {
        self.plan.regen > 0.0 && self.value < self.plan.max || self.plan.regen < 0.0 && self.value > 0.0
    }

    fn set(&mut self, value: f64, events: &mut Vec<VitalEvent>) {
        let before = self.value;
        self.value = value.clamp(0.0, self.plan.max);
        let delta = self.value - before;
        if delta == 0.0 {
            return;
        }
        events.push(VitalEvent::Changed { tag: self.plan.tag, value: self.value, delta });
        if self.value == 0.0 {
            events.push(VitalEvent::Depleted { tag: self.plan.tag });
        }
    }

    fn advance(&mut self, dt: f64, events: &mut Vec<VitalEvent>) {
        // The part of the step after the wait counts, so the result does not depend on the step's length.
        let over = dt - self.wait;
        self.wait = if self.wait > dt + TIME_TOLERANCE { self.wait - dt } else { 0.0 };
        if self.wait == 0.0 && over > 0.0 && self.is_moving() {
            self.set(self.value + self.plan.regen * over, events);
        }
    }
}

/// The rows of one agent.
#[derive(Clone, Debug, Default)]
pub struct Vitals {
    rows: Vec<Vital>,
}

impl Vitals {
    /// No rows.
    pub const fn new() -> Self {
        Self { rows: Vec::new() }
    }

    /// Replaces the rows. A row whose tag was there before keeps its value (within the new maximum), a new one
    /// starts at its start value. Of two with one tag the first counts.
    pub fn set_plans(&mut self, plans: &[VitalPlan]) -> Vec<VitalEvent> {
        let mut events = Vec::new();
        let mut rows: Vec<Vital> = Vec::with_capacity(plans.len());
        for plan in plans {
            if rows.iter().any(|row| row.tag() == plan.tag) {
                continue;
            }
            let mut row = Vital::new(*plan);
            if let Some(old) = self.find(plan.tag) {
                row.value = old.value;
                row.wait = old.wait.min(plan.delay);
                row.set(old.value, &mut events);
            }
            rows.push(row);
        }
        self.rows = rows;
        events
    }

    /// The row of a tag.
    pub fn find(&self, tag: TagId) -> Option<&Vital> {
        self.rows.iter().find(|row| row.tag() == tag)
    }

    /// All rows in order.
    pub fn rows(&self) -> &[Vital] {
        &self.rows
    }

    /// Sets a value, within 0 and the maximum; a loss starts the delay anew. `None` without such a row.
    pub fn set_value(&mut self, tag: TagId, value: f64) -> Option<Vec<VitalEvent>> {
        let row = self.rows.iter_mut().find(|row| row.tag() == tag)?;
        let mut events = Vec::new();
        let before = row.value;
        row.set(value, &mut events);
        if row.value < before {
            row.wait = row.plan.delay;
        }
        Some(events)
    }

    /// Adds to a value (negative: a loss). `None` without such a row.
    pub fn change(&mut self, tag: TagId, amount: f64) -> Option<Vec<VitalEvent>> {
        let value = self.find(tag)?.value;
        self.set_value(tag, value + amount)
    }

    /// Regenerates.
    pub fn advance(&mut self, dt: f64) -> Vec<VitalEvent> {
        let mut events = Vec::new();
        for row in &mut self.rows {
            row.advance(dt, &mut events);
        }
        events
    }

    /// True while a row waits or regenerates: only then there is something to advance.
    pub fn is_moving(&self) -> bool {
        self.rows.iter().any(|row| row.is_moving() || row.wait > 0.0)
    }

    /// Puts a row back as it was, without events. False without such a row.
    pub fn restore(&mut self, tag: TagId, value: f64, wait: f64) -> bool {
        let Some(row) = self.rows.iter_mut().find(|row| row.tag() == tag) else { return false };
        row.value = value.clamp(0.0, row.plan.max);
        row.wait = wait.max(0.0);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::TagTable;

    fn tags() -> (TagId, TagId) {
        let mut table = TagTable::new();
        (table.intern("Vital.Health").unwrap(), table.intern("Vital.Stamina").unwrap())
    }

    fn plan(tag: TagId) -> VitalPlan {
        VitalPlan { tag, max: 100.0, start: -1.0, regen: 0.0, delay: 0.0 }
    }

    fn vitals(plans: &[VitalPlan]) -> Vitals {
        let mut vitals = Vitals::new();
        assert!(vitals.set_plans(plans).is_empty());
        vitals
    }

    #[test]
    fn starts_at_the_maximum_or_at_the_start_value() {
        let (health, stamina) = tags();
        let v = vitals(&[plan(health), VitalPlan { start: 30.0, ..plan(stamina) }]);
        assert_eq!(v.find(health).unwrap().value(), 100.0);
        assert_eq!(v.find(stamina).unwrap().fraction(), 0.3);
    }

    #[test]
    fn is_clamped_and_tells_the_real_change() {
        let (health, _) = tags();
        let mut v = vitals(&[plan(health)]);
        let lost = v.change(health, -40.0).unwrap();
        assert_eq!(lost, vec![VitalEvent::Changed { tag: health, value: 60.0, delta: -40.0 }]);
        let gained = v.change(health, 500.0).unwrap();
        assert_eq!(gained, vec![VitalEvent::Changed { tag: health, value: 100.0, delta: 40.0 }]);
        assert!(v.set_value(health, 100.0).unwrap().is_empty());
    }

    #[test]
    fn is_depleted_once_until_it_rises_again() {
        let (health, _) = tags();
        let mut v = vitals(&[plan(health)]);
        let depleted = |events: &[VitalEvent]| events.contains(&VitalEvent::Depleted { tag: health });
        assert!(depleted(&v.change(health, -150.0).unwrap()));
        assert!(v.change(health, -10.0).unwrap().is_empty());
        v.change(health, 5.0);
        assert!(depleted(&v.set_value(health, 0.0).unwrap()));
    }

    #[test]
    fn regenerates_after_the_delay_whatever_the_step() {
        let (health, _) = tags();
        let row = VitalPlan { regen: 10.0, delay: 1.0, ..plan(health) };
        for steps in [1, 4, 30] {
            let mut v = vitals(&[row]);
            v.change(health, -50.0);
            for _ in 0..steps {
                v.advance(3.0 / f64::from(steps));
            }
            let value = v.find(health).unwrap().value();
            assert!((value - 70.0).abs() < 1e-4, "{steps} steps: {value}");
        }
    }

    #[test]
    fn a_loss_starts_the_delay_anew_and_a_gain_does_not() {
        let (health, _) = tags();
        let mut v = vitals(&[VitalPlan { regen: 10.0, delay: 1.0, ..plan(health) }]);
        v.change(health, -50.0);
        v.advance(0.9);
        v.change(health, 10.0);
        v.advance(0.2);
        assert!((v.find(health).unwrap().value() - 61.0).abs() < 1e-9);
        v.change(health, -1.0);
        v.advance(0.9);
        assert!((v.find(health).unwrap().value() - 60.0).abs() < 1e-9);
    }

    #[test]
    fn stands_still_when_full_and_decays_when_negative() {
        let (health, stamina) = tags();
        let mut v = vitals(&[VitalPlan { regen: 5.0, ..plan(health) }]);
        assert!(!v.is_moving() && v.advance(1.0).is_empty());
        v.change(health, -1.0);
        assert!(v.is_moving());
        let mut v = vitals(&[VitalPlan { regen: -60.0, ..plan(stamina) }]);
        v.advance(1.0);
        assert!(v.advance(1.0).contains(&VitalEvent::Depleted { tag: stamina }));
        assert!(!v.is_moving());
    }

    #[test]
    fn new_rows_keep_known_values_and_clamp_them() {
        let (health, stamina) = tags();
        let mut v = vitals(&[plan(health)]);
        v.change(health, -20.0);
        let events = v.set_plans(&[VitalPlan { max: 50.0, ..plan(health) }, plan(stamina), plan(stamina)]);
        assert_eq!(events, vec![VitalEvent::Changed { tag: health, value: 50.0, delta: -30.0 }]);
        assert_eq!(v.rows().len(), 2);
        assert!(v.set_plans(&[plan(stamina)]).is_empty() && v.find(health).is_none());
    }

    #[test]
    fn unknown_rows_are_none() {
        let (health, stamina) = tags();
        let mut v = vitals(&[plan(health)]);
        assert_eq!(v.change(stamina, 1.0), None);
        assert!(!v.restore(stamina, 1.0, 0.0));
        assert!(v.restore(health, 7.0, 2.0));
        assert_eq!(v.find(health).unwrap().wait(), 2.0);
    }
}
