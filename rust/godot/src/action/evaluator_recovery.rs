//! Rest between the actions of an [`ActionEvaluator`], holding its choice, and the distance that an action wants.

use godot::prelude::*;
use riposte_core::action::{ActionPlan, ScorerKind};

use super::evaluator_calls::EvaluatorCalls;
use super::{ActionEvaluator, driver};
use crate::base::{messages, settings};
use crate::optional::Optional;

#[godot_api(secondary)]
impl ActionEvaluator {
    /// True while the agent recovers from an action: nothing is chosen, except follow-ups and actions that ignore recovery.
    /// What runs, forced starts, movement and reactions go on.
    #[func(gd_self)]
    pub fn is_action_recovering(this: Gd<Self>) -> bool {
        Self::get_recovery_remaining(this) > 0.0
    }

    /// Seconds left of the recovery; 0 when rested.
    #[func(gd_self)]
    pub fn get_recovery_remaining(this: Gd<Self>) -> f64 {
        driver::with(this.instance_id(), |state| state.core.recovery_left()).unwrap_or(0.0)
    }

    /// Adds seconds to what is left of the recovery. Negative or not finite is an error without effect.
    #[func(gd_self)]
    pub fn add_recovery(this: Gd<Self>, seconds: f64) {
        if !seconds.is_finite() || seconds < 0.0 {
            let text = format!("add_recovery() got {seconds} s. Give 0 s or more.");
            messages::error(&this, "add_recovery", "seconds", &text);
            return;
        }
        driver::call(this.instance_id(), |state| state.core.add_recovery(seconds));
    }

    /// Ends the recovery at once.
    #[func(gd_self)]
    pub fn clear_recovery(this: Gd<Self>) {
        driver::call(this.instance_id(), |state| state.core.clear_recovery());
    }

    /// Stops all choosing until [method release_selection], for a cutscene or while something else leads the agent. Any number
    /// of holders may hold; one that is freed does not hold any more. What runs goes on, and forced starts work. False for
    /// null.
    #[func(gd_self)]
    pub fn hold_selection(this: Gd<Self>, holder: Optional<Object>) -> bool {
        let Some(holder) = holder.0.map(|holder| holder.instance_id()) else { return false };
        driver::with(this.instance_id(), |state| {
            if !state.holders.contains(&holder) {
                state.holders.push(holder);
            }
            state.count_holders();
        });
        true
    }

    /// Lets a holder go. False if it did not hold.
    #[func(gd_self)]
    pub fn release_selection(this: Gd<Self>, holder: Optional<Object>) -> bool {
        let Some(holder) = holder.0.map(|holder| holder.instance_id()) else { return false };
        let released = driver::with(this.instance_id(), |state| {
            let before = state.holders.len();
            state.holders.retain(|known| *known != holder);
            let released = state.holders.len() < before;
            state.count_holders();
            released
        });
        released.unwrap_or(false)
    }

    /// The distance from which an action is best, in world units: the optimal values of its first [DistanceScorer], nearest
    /// and farthest. An empty [param action_id]: the running action, else the best of the last evaluation. (-1, -1) if there
    /// is no such action or it has no [DistanceScorer]. An unknown id is an error.
    #[func(gd_self)]
    pub fn get_preferred_distance(this: Gd<Self>, #[opt(default = "")] action_id: StringName) -> Vector2 {
        const NONE: Vector2 = Vector2::new(-1.0, -1.0);
        let id = this.instance_id();
        let asked = if action_id.is_empty() {
            driver::with(id, |state| state.core.preferred_action()).flatten()
        } else {
            Self::find(&this, "get_preferred_distance", &action_id)
        };
        let plan = asked.and_then(|action| driver::with(id, |state| state.core.plan(action)).flatten());
        let Some((near, far, in_pixels)) = plan.as_ref().and_then(|plan| preferred(plan)) else {
            return NONE;
        };
        let agent = driver::with(id, |state| state.agent).flatten();
        let flat = agent.is_some_and(|agent| Gd::<Node2D>::try_from_instance_id(agent).is_ok());
        let unit = if flat && !in_pixels { settings::PIXELS_PER_METER.read() } else { 1.0 };
        Vector2::new((near * unit) as f32, (far * unit) as f32)
    }
}

/// Nearest, farthest, and whether these are pixels.
fn preferred(plan: &ActionPlan) -> Option<(f64, f64, bool)> {
    plan.scorers.iter().find_map(|scorer| match scorer.kind {
        ScorerKind::Distance { range: Some(range), in_pixels } => {
            let (near, far) = (range.optimal_min(), range.optimal_max());
            (near.is_finite() && far.is_finite()).then_some((near, far, in_pixels))
        }
        _ => None,
    })
}
