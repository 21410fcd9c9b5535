use std::sync::Arc;

use godot::prelude::*;
use riposte_core::action::{Decision, DecisionOutcome, DecisionRow, Origin, TargetKey};

use super::driver;
use crate::base::messages;

/// What an [ActionEvaluator] decided, and why.
///
/// Get one with [method ActionEvaluator.get_last_decision] or [method ActionEvaluator.evaluate_best_action]; it does not change
/// afterwards. [code]print(decision.to_text())[/code] shows every candidate with its score or the reason why it was
/// refused.
#[derive(GodotClass)]
#[class(init, base = RefCounted)]
pub struct ActionDecision {
    /// How it ended, one of the [code]DECISION_*[/code] constants.
    #[var(get = get_outcome, no_set)]
    outcome: PhantomVar<i64>,
    /// The chosen action; empty if nothing was chosen.
    #[var(get = get_action_id, no_set)]
    action_id: PhantomVar<StringName>,
    /// The target of the chosen action. Null without one and when it was freed.
    #[var(get = get_target, no_set)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The score of the chosen action; 0 for a forced start.
    #[var(get = get_score, no_set)]
    score: PhantomVar<f64>,
    /// The evaluator's clock in seconds.
    #[var(get = get_time, no_set)]
    time: PhantomVar<f64>,
    /// Number of the evaluation, from 0.
    #[var(get = get_evaluation_index, no_set)]
    evaluation_index: PhantomVar<i64>,
    /// The seed of the evaluation.
    #[var(get = get_seed, no_set)]
    seed: PhantomVar<i64>,
    /// Who asked for the start, one of the [code]ORIGIN_*[/code] constants.
    #[var(get = get_origin, no_set)]
    origin: PhantomVar<i64>,
    decision: Arc<Decision>,
    base: Base<RefCounted>,
}

#[godot_api]
impl ActionDecision {
    /// Nothing was chosen.
    #[constant]
    const DECISION_NONE: i64 = DecisionOutcome::None as i64;
    /// The chosen action was started.
    #[constant]
    const DECISION_STARTED: i64 = DecisionOutcome::Started as i64;
    /// What runs goes on.
    #[constant]
    const DECISION_KEPT: i64 = DecisionOutcome::Kept as i64;
    /// The winner took the place of what ran.
    #[constant]
    const DECISION_SWITCHED: i64 = DecisionOutcome::Switched as i64;
    /// What runs goes on with another target.
    #[constant]
    const DECISION_RETARGETED: i64 = DecisionOutcome::Retargeted as i64;
    /// What ran began anew with another target.
    #[constant]
    const DECISION_RESTARTED: i64 = DecisionOutcome::Restarted as i64;
    /// Nothing was valid, and the fallback was started.
    #[constant]
    const DECISION_FALLBACK: i64 = DecisionOutcome::Fallback as i64;
    /// Every start was refused.
    #[constant]
    const DECISION_START_REFUSED: i64 = DecisionOutcome::StartRefused as i64;
    /// The answer of [method ActionEvaluator.evaluate_best_action]: nothing was started.
    #[constant]
    const DECISION_PREVIEW: i64 = DecisionOutcome::Preview as i64;
    /// It scored highest.
    #[constant]
    const ORIGIN_SCORED: i64 = Origin::Scored as i64;
    /// A script started it.
    #[constant]
    const ORIGIN_FORCED: i64 = Origin::Forced as i64;
    /// Nothing else could be done.
    #[constant]
    const ORIGIN_FALLBACK: i64 = Origin::Fallback as i64;
    /// True if an action was chosen.
    #[func]
    fn is_valid(&self) -> bool {
        self.decision.action.is_some() && self.decision.outcome != DecisionOutcome::None
    }

    /// One dictionary per candidate, in the order of the set: [code]action_id[/code], [code]target[/code] (its path,
    /// empty when it is gone), [code]score[/code], [code]won[/code], [code]refusal[/code] (one of the [code]REFUSAL_*[/code] constants of
    /// [ActionEvaluator]), [code]detail[/code] (a text) and [code]factors[/code]: an array of [code][name, value][/code], filled only
    /// while decisions are recorded. The row of the running action has [code]hold[/code] too: what others have to beat. Empty for
    /// a forced start.
    #[func]
    fn get_candidates(&self) -> Array<VarDictionary> {
        // Most often all candidates have one target.
        let mut last = (None, NodePath::default());
        let mut rows = Array::new();
        for row in &self.decision.rows {
            if last.0 != row.target {
                last = (row.target, target_path(row.target));
            }
            rows.push(&candidate(row, &last.1));
        }
        rows
    }

    /// Several lines that tell what was chosen, and of every candidate its score or why it was refused.
    #[func]
    fn to_text(&self) -> GString {
        GString::from(&self.decision.to_text(&|key| target_name(key)))
    }

    #[func]
    fn get_outcome(&self) -> i64 {
        self.decision.outcome.code()
    }

    #[func]
    fn get_action_id(&self) -> StringName {
        self.decision.action.as_deref().map(StringName::from).unwrap_or_default()
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        self.decision.target.and_then(driver::node_of)
    }

    #[func]
    fn get_score(&self) -> f64 {
        self.decision.score
    }

    #[func]
    fn get_time(&self) -> f64 {
        self.decision.time
    }

    #[func]
    fn get_evaluation_index(&self) -> i64 {
        self.decision.evaluation_index.cast_signed()
    }

    #[func]
    fn get_seed(&self) -> i64 {
        self.decision.seed.cast_signed()
    }

    #[func]
    fn get_origin(&self) -> i64 {
        self.decision.origin.code()
    }
}

impl ActionDecision {
    /// The decision that an evaluator made last.
    pub(crate) fn last_of(evaluator: InstanceId) -> Gd<Self> {
        let decision = driver::with(evaluator, |state| state.core.last_decision());
        Self::from_core(decision.unwrap_or_default())
    }

    /// A decision of the core.
    pub(crate) fn from_core(decision: impl Into<Arc<Decision>>) -> Gd<Self> {
        let mut made = Self::new_gd();
        made.bind_mut().decision = decision.into();
        made
    }

    /// What [`ActionDecision::to_text`] gives.
    pub(crate) fn text(this: &Gd<Self>) -> String {
        let decision = this.bind().decision.clone();
        decision.to_text(&|key| target_name(key))
    }
}

/// One row of [`ActionDecision::get_candidates`].
pub(super) fn candidate(row: &DecisionRow, path: &NodePath) -> VarDictionary {
    let factors: VarArray = row
        .factors
        .iter()
        .map(|(name, value)| varray![&GString::from(&**name), *value].to_variant())
        .collect();
    let mut made = vdict! {
        "action_id" => &StringName::from(&*row.action),
        "target" => path,
        "score" => row.score,
        "won" => row.won,
        "refusal" => row.refusal.code(),
        "detail" => &GString::from(&row.detail),
        "factors" => &factors,
    };
    if let Some(hold) = row.hold {
        made.set("hold", hold);
    }
    made
}

/// The path of a target; empty when it is gone.
pub(super) fn target_path(target: Option<TargetKey>) -> NodePath {
    target.and_then(driver::node_of).map(|node| node.get_path()).unwrap_or_default()
}

/// The place of a target in the scene, for texts.
pub(super) fn target_name(target: TargetKey) -> String {
    driver::node_of(target).map_or_else(|| "(gone)".to_owned(), |node| messages::node_place(&node))
}
