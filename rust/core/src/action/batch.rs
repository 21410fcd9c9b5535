//! Decisions of many agents in one call, on several threads if there are many.

use super::score::Scratch;
use super::{ActionRef, Evaluator, Snapshot};

/// With fewer agents per thread starting one costs more than it saves.
const FEWEST: usize = 32;

/// The working memory of [`Evaluator::decide_with`]. Used for one evaluator after the other it stays warm, where the memory
/// of each would be cold.
#[derive(Debug, Default)]
pub struct DecisionScratch(Scratch);

impl Evaluator {
    /// [`Evaluator::decide`] in memory that others use too.
    pub fn decide_with(
        &mut self,
        snapshot: &Snapshot,
        scratch: &mut DecisionScratch,
    ) -> Option<(ActionRef, f64)> {
        self.decide_in(&mut scratch.0, snapshot)
    }
}

/// What every evaluator would choose, as [`Evaluator::decide`] says it: for agents whose actions need no script.
///
/// `snapshot` gives the world as the agent of that number sees it. Each agent is looked at alone, so the answers in `best`
/// are the same with any number of threads; 0 or 1: the calling thread does it all.
pub fn decide_all<'a>(
    evaluators: &mut [Evaluator],
    snapshot: &(dyn Fn(usize) -> Snapshot<'a> + Sync),
    threads: usize,
    best: &mut Vec<Option<(ActionRef, f64)>>,
) {
    best.clear();
    best.resize(evaluators.len(), None);
    let lanes = threads.min(evaluators.len() / FEWEST).max(1);
    if lanes == 1 {
        return decide_lane(evaluators, 0, snapshot, best);
    }
    let part = evaluators.len().div_ceil(lanes);
    std::thread::scope(|scope| {
        let parts = evaluators.chunks_mut(part).zip(best.chunks_mut(part));
        let mut parts = parts.enumerate().map(|(lane, (own, best))| (lane * part, own, best));
        let first = parts.next();
        for (from, own, best) in parts {
            scope.spawn(move || decide_lane(own, from, snapshot, best));
        }
        if let Some((from, own, best)) = first {
            decide_lane(own, from, snapshot, best);
        }
    });
}

fn decide_lane<'a>(
    evaluators: &mut [Evaluator],
    from: usize,
    snapshot: &(dyn Fn(usize) -> Snapshot<'a> + Sync),
    best: &mut [Option<(ActionRef, f64)>],
) {
    let mut scratch = DecisionScratch::default();
    for (at, (evaluator, best)) in evaluators.iter_mut().zip(best).enumerate() {
        *best = evaluator.decide_with(&snapshot(from + at), &mut scratch);
    }
}
