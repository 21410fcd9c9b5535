//! What was done lately is worth less.

use super::list::{Entry, factor};
use super::score::Pass;
use super::{ActionPlan, Settings};

/// One factor per list entry, newest use first; left empty when every factor is 1.
pub(super) fn fill(pass: &Pass, factors: &mut Vec<f64>) {
    factors.clear();
    if pass.memory.uses().is_empty() {
        return;
    }
    let Settings { novelty_penalty, novelty_window, .. } = *pass.settings;
    if novelty_penalty <= 0.0 || novelty_window <= 0.0 {
        return;
    }
    factors.resize(pass.entries.len(), 1.0);
    for used in pass.memory.uses() {
        let age = pass.memory.age(used);
        let Some(index) = pass.memory.record(used.action).index.filter(|_| age < novelty_window) else {
            continue;
        };
        let Some(entry) = pass.entries.get(index) else { continue };
        factors[index] *= staleness(pass.settings, &entry.plan, age);
    }
    for (entry, novelty) in pass.entries.iter().zip(factors) {
        *novelty = floored(pass.settings, &entry.plan, *novelty);
    }
}

/// The factor of one action.
pub(super) fn of(pass: &Pass, entry: &Entry) -> f64 {
    let window = pass.settings.novelty_window;
    if pass.settings.novelty_penalty <= 0.0 || window <= 0.0 {
        return 1.0;
    }
    let uses = pass.memory.uses().iter().filter(|used| used.action == entry.action);
    let ages = uses.map(|used| pass.memory.age(used)).filter(|age| *age < window);
    let product = ages.map(|age| staleness(pass.settings, &entry.plan, age)).product();
    floored(pass.settings, &entry.plan, product)
}

/// What one use of this age makes of the score.
fn staleness(settings: &Settings, plan: &ActionPlan, age: f64) -> f64 {
    let p = (settings.novelty_penalty * plan.novelty_weight).clamp(0.0, 1.0);
    1.0 - p * (1.0 - age / settings.novelty_window)
}

fn floored(settings: &Settings, plan: &ActionPlan, novelty: f64) -> f64 {
    let exempt = settings.novelty_penalty * plan.novelty_weight <= 0.0;
    if exempt { 1.0 } else { factor(novelty.max(settings.novelty_floor)) }
}
