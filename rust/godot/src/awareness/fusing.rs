//! Calls of a fusion policy: one per belief and update, so that everything around the call is made ready once.
//!
//! All beliefs of a mind are asked about in a row, with nothing in between but a look whether the policy itself has looked at
//! something: only then may the mind be another one by now.

use std::cell::{Cell, RefCell};

use godot::prelude::*;
use riposte_core::awareness::{MindKey, Sample};

use super::policies::{self, Slot};
use super::sense_sample::Contents;
use super::{SenseSample, asking, sides, state};
use crate::base::{engine_reads, script_method};
use crate::perception::state as perception_state;

/// Lists to keep: one per number of senses that is in use, and for updates inside of policies.
const SPARE: usize = 4;

/// What a fusion policy is given again and again.
///
/// Shared by all agents: what each had of its own would be in no cache when its turn comes, once in six steps or less.
struct Arguments {
    /// The samples and the bonus.
    values: [Variant; 2],
    contents: Contents,
    /// Samples of one belief.
    count: usize,
    bonus: f64,
    /// What the policy said of the beliefs.
    fused: Vec<f64>,
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static ARGUMENTS: &'static RefCell<Vec<Arguments>> = Box::leak(Box::default());
    /// A list that the next update may use.
    static LIST: Cell<Vec<Sample>> = const { Cell::new(Vec::new()) };
}

/// A list to be filled with samples.
pub(super) fn spare_list() -> Vec<Sample> {
    LIST.take()
}

/// That list is not used any more.
pub(super) fn keep_list(list: Vec<Sample>) {
    LIST.set(list);
}

/// Without any mind no arguments are kept either: they are objects of the engine, which counts those that stay.
pub(super) fn drop_unused() {
    if !state::with(|minds| minds.is_empty()) {
        return;
    }
    let unused = ARGUMENTS.with(|spare| std::mem::take(&mut *spare.borrow_mut()));
    drop(unused);
}

impl Arguments {
    /// Those that nobody uses now, or new ones; for the samples of one belief.
    fn take(samples: &[Sample]) -> Self {
        let count = samples.len();
        let known = ARGUMENTS.with(|spare| {
            let mut spare = spare.borrow_mut();
            let at = spare.iter().rposition(|arguments| arguments.count == count)?;
            Some(spare.swap_remove(at))
        });
        known.unwrap_or_else(|| Self::new(samples))
    }

    fn new(samples: &[Sample]) -> Self {
        let (array, contents) = SenseSample::create(samples.to_vec());
        let (count, bonus) = (samples.len(), 0.0);
        // What a script takes out or sorts would be missing in the next call.
        let values = [array.into_read_only().to_variant(), bonus.to_variant()];
        Self { values, contents, count, bonus, fused: Vec::new() }
    }

    fn give_back(self) {
        let unused = ARGUMENTS.with(|spare| {
            let mut spare = spare.borrow_mut();
            let oldest = if spare.len() < SPARE { None } else { Some(spare.remove(0)) };
            spare.push(self);
            oldest
        });
        drop(unused);
    }

    fn fill(&mut self, samples: &[Sample], bonus: f64) {
        self.contents.fill(samples);
        self.fused.clear();
        if self.bonus.to_bits() != bonus.to_bits() {
            self.bonus = bonus;
            self.values[1] = bonus.to_variant();
        }
    }
}

/// The copies of fusion policies, by the index of the mind's key, with the node: close together, because what else is
/// known of a node is in no cache when its turn comes.
#[derive(Default)]
struct Copies {
    policies: Vec<(i64, Option<Gd<Resource>>)>,
    /// Counts what was forgotten: a copy that is in use then may be out of date.
    forgotten: u64,
}

thread_local! {
    /// Never dropped, as above.
    static COPIES: &'static RefCell<Copies> = Box::leak(Box::default());
}

/// Another copy counts from now on, or the node is freed.
pub(super) fn forget_copy(key: MindKey) {
    let unused = COPIES.with(|copies| {
        let mut copies = copies.borrow_mut();
        copies.forgotten += 1;
        copies.policies.get_mut(key.index()).and_then(|(_, policy)| policy.take())
    });
    drop(unused);
}

/// The mind will be updated soon: the processor may fetch its policy.
pub(super) fn expect(key: MindKey) {
    COPIES.with(|copies| {
        let copies = copies.borrow();
        if let Some((_, Some(policy))) = copies.policies.get(key.index()) {
            engine_reads::expect_object(script_method::address(policy));
        }
    });
}

/// One update's calls of a fusion policy.
pub(super) struct Fusing {
    policy: Gd<Resource>,
    forgotten: u64,
    arguments: Option<Arguments>,
}

impl Fusing {
    /// For the mind of a node; `None` if it has no policy.
    pub(super) fn begin(node: InstanceId, key: MindKey) -> Option<Self> {
        let (known, forgotten) = COPIES.with(|copies| {
            let mut copies = copies.borrow_mut();
            let entry = copies.policies.get_mut(key.index()).filter(|(of, _)| *of == node.to_i64());
            (entry.and_then(|(_, policy)| policy.take()), copies.forgotten)
        });
        let policy = known.or_else(|| sides::policy(node, Slot::Fusion))?;
        Some(Self { policy, forgotten, arguments: None })
    }

    /// The update is over; what it takes for the next is kept.
    pub(super) fn end(self, node: InstanceId, key: MindKey) {
        if let Some(arguments) = self.arguments {
            arguments.give_back();
        }
        let unused = COPIES.with(|copies| {
            let mut copies = copies.borrow_mut();
            if copies.forgotten != self.forgotten {
                return Err(self.policy);
            }
            if copies.policies.len() <= key.index() {
                copies.policies.resize(key.index() + 1, (0, None));
            }
            let kept = &mut copies.policies[key.index()];
            kept.0 = node.to_i64();
            Ok(kept.1.replace(self.policy))
        });
        // Scripts ran, and the node may be gone.
        if unused.is_err() {
            drop_unused();
        }
    }

    /// What the policy makes of the samples of some beliefs: of all of them, or of those up to the one at which it looked at
    /// something or changed it. Runs the script: nothing may be bound or locked.
    pub(super) fn call(&mut self, samples: &[Sample], beliefs: usize, bonus: f64) -> &[f64] {
        let count = samples.len() / beliefs;
        let arguments = self.arguments.get_or_insert_with(|| Arguments::take(&samples[..count]));
        if arguments.count != count {
            *arguments = Arguments::take(&samples[..count]);
        }
        arguments.fill(samples, bonus);
        let (looks, method) = (perception_state::looks(), Slot::Fusion.method());
        for belief in 0..beliefs {
            arguments.contents.show(belief * count);
            let answer = script_method::call(&self.policy, method, &arguments.values);
            arguments.fused.push(asking::number(&answer));
            if perception_state::looks() != looks {
                break;
            }
        }
        policies::note_calls(arguments.fused.len());
        &arguments.fused
    }
}
