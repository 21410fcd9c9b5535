//! What may take the place of what runs.

use super::evaluation::Purpose;
use super::list::Entry;
use super::list::List;
use super::run::Run;
use super::{
    ActionPlan, Detail, Evaluator, InterruptClass, Origin, Refusal, RetargetPolicy, Settings, TargetKey,
    TargetMode,
};
use crate::time::expired;

/// What runs, as a decision looks at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'a> {
    pub run: &'a Run,
    settings: &'a Settings,
}

/// How a candidate stands to what runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is what runs.
    Same,
    /// The action that runs, on another target.
    OtherTarget,
    /// Another action, or nothing runs.
    #[default]
    Rival,
}

impl Evaluator {
    /// While [`super::Question::Snapshot`] is out: some action that the answer is about tries each target. Else nobody need
    /// be asked who there is, [`super::Snapshot::each`] may be empty.
    pub fn tries_each(&self) -> bool {
        let Some(purpose) = self.machine.asking().map(|frame| frame.purpose) else { return true };
        let held = self.run.as_ref().filter(|_| purpose == Purpose::Decide);
        let held = held.map(|run| Held::of(run, &self.settings));
        let open = |plan: &ActionPlan| held.is_none_or(|held| held.is_open_to(plan));
        let tries = |entry: &Entry| entry.plan.target_mode == TargetMode::Each && open(&entry.plan);
        match purpose {
            Purpose::Score(action) | Purpose::Gates(action) | Purpose::Replace(action) => {
                self.entry(action).is_some_and(tries)
            }
            Purpose::Decide | Purpose::React | Purpose::Preview => self.list.entries.iter().any(tries),
        }
    }
}

impl<'a> Held<'a> {
    pub fn of(run: &'a Run, settings: &'a Settings) -> Self {
        Self { run, settings }
    }

    fn is_fallback(&self) -> bool {
        self.run.origin == Origin::Fallback
    }

    pub fn standing(&self, plan: &ActionPlan, target: Option<TargetKey>) -> Standing {
        if plan.id != self.run.plan.id {
            Standing::Rival
        } else if target == self.run.target {
            Standing::Same
        } else {
            Standing::OtherTarget
        }
    }

    /// False if whatever scored would be refused.
    pub fn may_yield(&self, list: &List) -> bool {
        let plan = &self.run.plan;
        if self.is_fallback() || self.may_retarget() {
            return true;
        }
        match plan.interrupt_class {
            InterruptClass::Never => false,
            InterruptClass::ByPriority => {
                list.entries.iter().any(|entry| entry.plan.priority > plan.priority)
            }
            InterruptClass::ByMargin | InterruptClass::Any => true,
        }
    }

    fn may_retarget(&self) -> bool {
        match self.run.plan.retarget_policy {
            RetargetPolicy::Keep => false,
            RetargetPolicy::Switch => true,
            RetargetPolicy::Restart => self.run.plan.interrupt_class != InterruptClass::Never,
        }
    }

    /// Candidates of this action are looked at: what the class of the run shuts out is not.
    fn is_open_to(&self, plan: &ActionPlan) -> bool {
        let own = plan.id == self.run.plan.id;
        let standing = if own { Standing::OtherTarget } else { Standing::Rival };
        self.forbids(plan, standing) != Some(Refusal::InterruptClass)
    }

    /// Why a candidate need not even be scored.
    pub fn forbids(&self, plan: &ActionPlan, standing: Standing) -> Option<Refusal> {
        match standing {
            Standing::Same => None,
            Standing::OtherTarget if self.may_retarget() => None,
            Standing::OtherTarget if self.run.plan.retarget_policy == RetargetPolicy::Keep => {
                Some(Refusal::RetargetPolicy)
            }
            Standing::OtherTarget => Some(Refusal::InterruptClass),
            Standing::Rival if self.is_fallback() => None,
            Standing::Rival => {
                let higher = plan.priority > self.run.plan.priority;
                let closed = match self.run.plan.interrupt_class {
                    InterruptClass::Never => true,
                    InterruptClass::ByPriority => !higher,
                    InterruptClass::ByMargin | InterruptClass::Any => false,
                };
                closed.then_some(Refusal::InterruptClass)
            }
        }
    }

    /// The rules of class, priority and commitment; `Ok(true)`: the candidate passes whatever its score.
    pub fn admits(&self, plan: &ActionPlan, standing: Standing) -> Result<bool, Refusal> {
        if let Some(refusal) = self.forbids(plan, standing) {
            return Err(refusal);
        }
        if standing == Standing::Rival {
            if self.is_fallback() || plan.priority > self.run.plan.priority {
                return Ok(true);
            }
            let lower = plan.priority < self.run.plan.priority;
            if lower && self.run.plan.interrupt_class == InterruptClass::ByMargin {
                return Err(Refusal::InterruptClass);
            }
        }
        if expired(self.run.elapsed, self.commitment()) { Ok(false) } else { Err(Refusal::Commitment) }
    }

    fn commitment(&self) -> f64 {
        let own = self.run.commitment.unwrap_or(self.run.plan.commitment_time);
        if own >= 0.0 { own } else { self.settings.min_commitment }
    }

    /// Why a candidate with this score may not take over from what runs and is worth `hold` now.
    pub fn refuses(
        &self,
        plan: &ActionPlan,
        standing: Standing,
        score: f64,
        hold: f64,
    ) -> Option<(Refusal, Detail)> {
        match self.admits(plan, standing) {
            Err(refusal) => return Some((refusal, Detail::None)),
            Ok(true) => return None,
            Ok(false) => {}
        }
        let any = standing == Standing::Rival && self.run.plan.interrupt_class == InterruptClass::Any;
        if any {
            return (score <= hold).then_some((Refusal::Outscored, Detail::None));
        }
        let margin = self.settings.switch_margin;
        (score < hold * (1.0 + margin))
            .then_some((Refusal::SwitchMargin, Detail::Margin { score, hold, margin }))
    }
}
