//! Calls of a fusion policy: one per belief and update, so that everything around the call is made ready once.

use godot::prelude::*;
use riposte_core::awareness::Sample;

use super::SenseSample;
use super::policies::{self, Slot};
use super::sense_sample::Contents;

/// A fusion policy, and what it is given again and again.
pub(super) struct Fusing {
    policy: Gd<Resource>,
    /// The samples and the bonus.
    arguments: [Variant; 2],
    contents: Contents,
    bonus: f64,
}

impl Fusing {
    /// For an agent's copy.
    pub(super) fn new(policy: Gd<Resource>) -> Self {
        let bonus = 0.0;
        let arguments = [Variant::nil(), bonus.to_variant()];
        Self { policy, arguments, contents: Contents::default(), bonus }
    }

    /// The policy.
    pub(super) fn policy(&self) -> &Gd<Resource> {
        &self.policy
    }

    /// What the policy makes of samples. Runs the script: nothing may be bound or locked.
    pub(super) fn call(&mut self, samples: &[Sample], bonus: f64) -> Variant {
        self.fill(samples);
        if self.bonus.to_bits() != bonus.to_bits() {
            self.bonus = bonus;
            self.arguments[1] = bonus.to_variant();
        }
        policies::call(&self.policy, Slot::Fusion, &self.arguments)
    }

    fn fill(&mut self, samples: &[Sample]) {
        if !self.arguments[0].is_nil() {
            let mut contents = self.contents.lock();
            if contents.len() == samples.len() {
                return contents.copy_from_slice(samples);
            }
        }
        let (array, contents) = SenseSample::create(samples.to_vec());
        // What a script takes out or sorts would be missing in the next call.
        self.arguments[0] = array.into_read_only().to_variant();
        self.contents = contents;
    }
}
