//! What an evaluator knows, as plain values: for saving, replay and rollback.

use std::sync::Arc;

use super::list::is_factor;
use super::run::Phase;
use super::{ActionPlan, Evaluator, Origin, RunId, TargetKey};

/// The cooldown of one action.
#[derive(Clone, Debug, PartialEq)]
pub struct CooldownState {
    /// Whose.
    pub action: String,
    /// Seconds left; 0 when free.
    pub remaining: f64,
    /// Stamps so far: the number of the next draw.
    pub stamps: u64,
}

/// What ran at the time. It does not run on, unless its method can: [`Evaluator::resume`].
#[derive(Clone, Debug, PartialEq)]
pub struct RunningState {
    /// What.
    pub action: String,
    /// Seconds since its start.
    pub elapsed: f64,
    /// On whom.
    pub target: Option<TargetKey>,
    /// Its number.
    pub run: Option<RunId>,
    /// Who asked for it.
    pub origin: Origin,
    /// Novelty, chain and jitter as they were at its start.
    pub frozen: [f64; 3],
}

impl RunningState {
    /// True if no number is out of its range.
    pub fn is_sound(&self) -> bool {
        let factors = self.frozen.iter().all(|factor| is_factor(*factor));
        factors && is_time(self.elapsed)
    }
}

/// The longest time that counts; beyond it a step is too small to add up.
const LONGEST: f64 = 1e9;

fn is_time(value: f64) -> bool {
    (0.0..=LONGEST).contains(&value)
}

/// Everything that an evaluator knows between two steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluatorState {
    /// Its clock.
    pub time: f64,
    /// Number of the next evaluation.
    pub evaluation_index: u64,
    /// The seed of all draws.
    pub seed: u64,
    /// Actions that are or were on cooldown.
    pub cooldowns: Vec<CooldownState>,
    /// Actions that had their spawn cooldown.
    pub spawned: Vec<String>,
    /// The last committed action, its uses in a row, seconds since its last end.
    pub repeat: Option<(String, u32, f64)>,
    /// Committed uses with the seconds since their end, newest first.
    pub uses: Vec<(String, f64)>,
    /// Seconds left of the recovery.
    pub recovery_remaining: f64,
    /// Recovery draws so far.
    pub recovery_draws: u64,
    /// What the chain windows hang on, and the seconds since they opened.
    pub chain: Option<(String, f64)>,
    /// Targets in the order in which they were first met.
    pub target_ordinals: Vec<(TargetKey, u64)>,
    /// The id that the next start gets.
    pub next_run_id: i64,
    /// When the next evaluation is due, by the clock.
    pub next_due: f64,
    /// Factors that were set for single actions.
    pub overrides: Vec<(String, f64)>,
    /// What ran.
    pub running: Option<RunningState>,
}

/// Names that a state has and an evaluator never met.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unknown(pub Vec<String>);

impl Unknown {
    pub(super) fn note(&mut self, name: &str) {
        if !self.0.iter().any(|known| known == name) {
            self.0.push(name.to_owned());
        }
    }
}

impl EvaluatorState {
    /// True if no number is out of its range: what [`Evaluator::import`] takes.
    pub fn is_sound(&self) -> bool {
        let ages = self.uses.iter().map(|used| used.1);
        let ages = ages.chain(self.repeat.iter().map(|repeat| repeat.2));
        let mut times = ages
            .chain(self.chain.iter().map(|chain| chain.1))
            .chain(self.cooldowns.iter().map(|cooldown| cooldown.remaining))
            .chain([self.time, self.recovery_remaining, self.next_due.abs()]);
        let factors = self.overrides.iter().all(|entry| is_factor(entry.1));
        times.all(is_time) && factors && self.next_run_id >= 1
    }
}

impl Evaluator {
    /// What is known now. A pure read.
    pub fn export(&self) -> EvaluatorState {
        let mut state = EvaluatorState {
            next_run_id: self.next_run_id(),
            next_due: self.schedule.due,
            ..EvaluatorState::default()
        };
        self.memory.save(&mut state);
        state.running = self.run.as_ref().map(|run| RunningState {
            action: run.plan.id.name().to_owned(),
            elapsed: run.elapsed,
            target: run.target,
            run: Some(run.id),
            origin: run.origin,
            frozen: run.frozen,
        });
        state
    }

    /// False while a run starts, ends or ticks, or a decision goes on: nothing may be replaced under them.
    pub fn can_import(&self) -> bool {
        !self.is_busy() && self.run.as_ref().is_none_or(|run| run.phase == Phase::Running && !run.ticking)
    }

    /// Replaces everything that is known; to be called with nothing running. Nothing is told. Names that were never met are
    /// left out and returned.
    pub fn import(&mut self, state: &EvaluatorState) -> Unknown {
        let listed: Vec<Arc<ActionPlan>> = self.list.entries.iter().map(|entry| entry.plan.clone()).collect();
        let unknown = self.memory.restore(state, &listed);
        self.next_run = state.next_run_id - 1;
        self.schedule.due = state.next_due;
        self.schedule.requested = false;
        self.forget_events();
        self.nothing_valid = false;
        self.resumed = !self.started;
        // An action that the saved evaluator never met is met now.
        for entry in &self.list.clone().entries {
            let _quiet = self.memory.spawn(entry.action, &entry.plan, self.settings.cooldown_scale);
        }
        unknown
    }
}
