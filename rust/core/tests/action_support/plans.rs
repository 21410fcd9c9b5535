//! Settings, actions and parts of them for tests.

use riposte_core::action::*;

use super::Rig;

/// Jitter 0, novelty off, S = 12345, evaluations on request only.
pub fn quiet() -> Settings {
    Settings {
        jitter_amount: 0.0,
        novelty_penalty: 0.0,
        auto_evaluate: false,
        random_phase: false,
        evaluate_on_end: false,
        ..Settings::default()
    }
}

/// An action that runs until it is told otherwise, with a fixed cooldown.
pub fn spec(id: &str) -> ActionPlan {
    let cooldown = CooldownPlan { randomization: 0.0, ..CooldownPlan::default() };
    ActionPlan { has_method: true, cooldown, ..ActionPlan::named(id) }
}

pub fn weighted(id: &str, weight: f64) -> ActionPlan {
    ActionPlan { selection_weight: weight, ..spec(id) }
}

pub fn scorer(kind: ScorerKind) -> ScorerPlan {
    let label = match kind {
        ScorerKind::Distance { .. } => "DistanceScorer",
        ScorerKind::Angle { .. } => "AngleScorer",
        ScorerKind::Health { .. } => "HealthScorer",
        ScorerKind::Reading { .. } => "AttributeScorer",
        _ => "ActionScorer",
    };
    ScorerPlan { kind, label: label.into() }
}

pub fn distance() -> ScorerPlan {
    scorer(ScorerKind::Distance { range: Some(RangeCurve::melee()), in_pixels: false })
}

pub fn angle() -> ScorerPlan {
    scorer(ScorerKind::Angle { range: Some(RangeCurve::frontal_angle()) })
}

pub fn script_scorer(slot: usize) -> ScorerPlan {
    scorer(ScorerKind::Script { slot })
}

pub fn script_gate(slot: usize, label: &str) -> GatePlan {
    GatePlan { kind: GateKind::Script { slot }, label: label.into() }
}

impl Rig {
    /// A reaction to this event, of priority 100, that runs until it is told otherwise.
    pub fn reaction(&mut self, id: &str, trigger: &str) -> ActionPlan {
        let reaction = ReactionPlan { trigger_tags: self.queries(&[trigger]), ..ReactionPlan::default() };
        ActionPlan { priority: 100, reaction: Some(reaction), ..spec(id) }
    }
}

/// The part of a plan that makes it a reaction.
pub fn reaction_of(plan: &mut ActionPlan) -> &mut ReactionPlan {
    plan.reaction.get_or_insert_with(ReactionPlan::default)
}

/// Global and own hook that want every call.
pub fn all_hooks() -> RunHooks {
    [HookCalls { before: true, tick: true, after: true }; 2]
}
