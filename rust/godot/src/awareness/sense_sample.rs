use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::awareness::Sample;

use super::awareness_sense::id_of;

/// What one sense says of one target: read-only.
///
/// The samples that a [FusionPolicy] is given are used again for the next target. Those of [member AwarenessRecord.samples]
/// may be kept; they stay as they are.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub struct SenseSample {
    /// Sight, Hearing, Damage, or the id of a sense of your own.
    #[var(get = get_sense_id, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    sense_id: PhantomVar<StringName>,
    /// How sure the sense is, 0 to 1, before the weight.
    #[var(get = get_confidence, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    confidence: PhantomVar<f64>,
    /// What it is multiplied by, from the profile. 0 to 2.
    #[var(get = get_weight, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    weight: PhantomVar<f64>,
    /// The sense senses the target, or did within its hold time.
    #[var(get = get_is_active, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    is_active: PhantomVar<bool>,
    /// Shared with the agent, which fills it in without a bind.
    contents: Contents,
    /// Its place there.
    at: usize,
    #[allow(dead_code, reason = "the class needs it")]
    base: Base<RefCounted>,
}

/// What the samples of one list say.
pub(super) type Contents = Arc<Shown>;

/// Samples of one or more beliefs, as many of each, one belief after the other; those of one belief are shown.
pub(super) struct Shown {
    all: Mutex<Vec<Sample>>,
    /// Where those begin.
    from: AtomicUsize,
}

impl Shown {
    /// Those of other beliefs, and of one at least; the first one's are shown.
    pub(super) fn fill(&self, samples: &[Sample]) {
        let mut all = self.all.lock();
        self.show(0);
        all.clear();
        all.extend_from_slice(samples);
    }

    /// Those from this place on are shown.
    pub(super) fn show(&self, from: usize) {
        self.from.store(from, Ordering::Relaxed);
    }

    fn content(&self, at: usize) -> Sample {
        let all = self.all.lock();
        // Another thread may ask while the place is moved.
        *all.get(self.from.load(Ordering::Relaxed) + at).unwrap_or(&all[at])
    }
}

#[godot_api]
impl SenseSample {
    #[func]
    fn get_sense_id(&self) -> StringName {
        id_of(self.content().sense)
    }

    #[func]
    fn get_confidence(&self) -> f64 {
        self.content().value
    }

    #[func]
    fn get_weight(&self) -> f64 {
        self.content().weight
    }

    #[func]
    fn get_is_active(&self) -> bool {
        self.content().active
    }
}

impl SenseSample {
    /// Samples, and what they say for changing it.
    pub(super) fn create(samples: Vec<Sample>) -> (Array<Gd<Self>>, Contents) {
        let count = samples.len();
        let contents: Contents = Arc::new(Shown { all: Mutex::new(samples), from: AtomicUsize::new(0) });
        let make = |at| {
            Gd::from_init_fn(|base| Self {
                sense_id: PhantomVar::default(),
                confidence: PhantomVar::default(),
                weight: PhantomVar::default(),
                is_active: PhantomVar::default(),
                contents: contents.clone(),
                at,
                base,
            })
        };
        ((0..count).map(make).collect(), contents)
    }

    fn content(&self) -> Sample {
        self.contents.content(self.at)
    }
}
