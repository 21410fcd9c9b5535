//! The workload of the evaluation benchmark in the core: agents with actions, scorers and targets.

use std::hint::black_box;
use std::sync::Arc;

use riposte_core::action::{
    ActionId, ActionPlan, Decision, DecisionScratch, Evaluator, RangeCurve, ScorerKind, ScorerPlan, SetPlan,
    Settings, Snapshot, Source, TagQueries, TargetKey, TargetMode, TargetView,
};
use riposte_core::tags::{TagId, TagSet, TagTable};

use crate::bench::Random;

/// No score is zero, so that every contestant samples every curve.
const FLOOR: f64 = 0.05;

/// How big the workload is.
#[derive(Clone, Copy)]
pub struct Size {
    pub agents: usize,
    pub actions: usize,
    pub scorers: usize,
    /// 0: the one that the agent is after; else as many that each action may choose among.
    pub each: usize,
}

/// The workload of the goals.
pub const W: Size = Size { agents: 1000, actions: 12, scorers: 3, each: 0 };

/// What one agent sees.
pub struct View {
    pub distance: f64,
    pub angle: f64,
    pub health: f64,
}

/// Actions, and agents that decide among them.
pub struct Workload {
    size: Size,
    /// Of all actions, one after the other.
    curves: Vec<RangeCurve>,
    bases: Vec<f64>,
    pub views: Vec<View>,
    pub evaluators: Vec<Evaluator>,
    tags: [TagSet; 3],
    random: Random,
    scratch: DecisionScratch,
}

/// Index of the chosen action, and its score.
pub type Choice = Option<(usize, f64)>;

impl Workload {
    pub fn new(size: Size, settings: &Settings) -> Self {
        let mut random = Random::new(1);
        let mut table = TagTable::new();
        let mut tag = |name: &str| table.intern(name).expect("the name is valid");
        let [red, blue, melee, alert, stunned] =
            ["Team.Red", "Team.Blue", "Weapon.Melee", "State.Alert", "State.Stunned"].map(&mut tag);
        let (mut plans, mut curves, mut bases) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..size.actions {
            let ranges = curves_of(number, size.scorers, &mut random);
            let tags = (TagQueries::new(&table, [melee]), TagQueries::new(&table, [stunned]));
            let mut plan = plan(number, &ranges, tags, &mut random);
            plan.target_mode = if size.each > 0 { TargetMode::Each } else { TargetMode::Focus };
            bases.push(plan.selection_weight / plan.risk_penalty);
            curves.extend(ranges);
            plans.push(Arc::new(plan));
        }
        let plans = SetPlan::new(plans);
        let evaluator = |number: usize| {
            let mut evaluator = Evaluator::new(settings.clone());
            evaluator.set_seed(number as u64 + 1);
            evaluator.set_plan(Some(&plans), false);
            evaluator
        };
        let set = |tags: &[TagId]| TagSet::new(&table, tags.iter().copied());
        Self {
            size,
            curves,
            bases,
            views: Vec::new(),
            evaluators: (0..size.agents).map(evaluator).collect(),
            tags: [set(&[red, melee, alert]), set(&[blue, alert]), set(&[])],
            random,
            scratch: DecisionScratch::default(),
        }
    }

    /// New places and healths.
    pub fn next_round(&mut self) {
        let random = &mut self.random;
        let mut view = || View {
            distance: random.range(0.5, 9.0),
            angle: random.range(0.0, 180.0),
            health: random.range(0.01, 1.0),
        };
        self.views = (0..self.size.agents).map(|_| view()).collect();
    }

    /// Every agent decides.
    pub fn decide(&mut self, choices: &mut Vec<Choice>) {
        choices.clear();
        decide_some(&self.tags, self.size, &self.views, &mut self.evaluators, 0, choices, &mut self.scratch);
    }

    /// Every agent decides, on so many threads; what each would remember of it.
    pub fn decide_on(&mut self, threads: usize, rounds: usize) -> Vec<Choice> {
        let share = self.size.agents.div_ceil(threads);
        let (tags, size) = (&self.tags, self.size);
        let mut found: Vec<Vec<Choice>> = vec![Vec::new(); threads];
        std::thread::scope(|scope| {
            let parts = self.evaluators.chunks_mut(share).zip(self.views.chunks(share)).enumerate();
            for ((number, (evaluators, views)), choices) in parts.zip(&mut found) {
                scope.spawn(move || {
                    let mut scratch = DecisionScratch::default();
                    // A list of the thread's own: the heads of those in `found` share lines of the cache.
                    let mut own = Vec::with_capacity(evaluators.len());
                    for _ in 0..rounds {
                        own.clear();
                        decide_some(tags, size, views, evaluators, number * share, &mut own, &mut scratch);
                    }
                    *choices = own;
                });
            }
        });
        found.concat()
    }

    /// What every agent knows now.
    pub fn states(&self) -> Vec<Decision> {
        self.evaluators.iter().map(Evaluator::last_decision).collect()
    }

    /// The floor.
    pub fn sample_all(&self) {
        self.sample_some(&self.views);
    }

    /// The floor on so many threads.
    pub fn sample_on(&self, threads: usize, rounds: usize) {
        std::thread::scope(|scope| {
            for views in self.views.chunks(self.size.agents.div_ceil(threads)) {
                scope.spawn(move || (0..rounds).for_each(|_| self.sample_some(views)));
            }
        });
    }

    fn sample_some(&self, views: &[View]) {
        for view in views {
            let inputs = [view.distance, view.angle, view.health];
            for curves in self.curves.chunks_exact(self.size.scorers) {
                let samples = curves.iter().zip(inputs.iter().cycle()).map(|(curve, x)| curve.sample(*x));
                black_box(samples.product::<f64>());
            }
        }
    }

    /// What a plain loop chooses.
    pub fn wanted(&self, view: &View) -> Choice {
        let inputs = [view.distance, view.angle, view.health];
        let mut best: Choice = None;
        for (action, curves) in self.curves.chunks_exact(self.size.scorers).enumerate() {
            let mut score = self.bases[action];
            for (curve, x) in curves.iter().zip(inputs.iter().cycle()) {
                score *= curve.sample(*x);
            }
            if score > best.map_or(0.0, |best| best.1) {
                best = Some((action, score));
            }
        }
        best
    }
}

fn decide_some(
    tags: &[TagSet; 3],
    size: Size,
    views: &[View],
    evaluators: &mut [Evaluator],
    first: usize,
    choices: &mut Vec<Choice>,
    scratch: &mut DecisionScratch,
) {
    let mut each: [TargetView; 8] = [view_of(0, 0.0, 0.0, &tags[1]); 8];
    for (at, (evaluator, view)) in evaluators.iter_mut().zip(views).enumerate() {
        let number = (first + at) as u64;
        for (n, other) in each[..size.each].iter_mut().enumerate() {
            let far = view.distance + n as f64 * 0.7;
            *other = view_of(number + 10_000 * n as u64, far, view.angle, &tags[1]);
        }
        let snapshot = Snapshot {
            seed: None,
            health: view.health,
            tags: &tags[0],
            world: &tags[2],
            focus: Some(view_of(number, view.distance, view.angle, &tags[1])),
            each: &each[..size.each],
            held: None,
            readings: &[],
        };
        let choice = evaluator.decide_with(&snapshot, scratch);
        choices.push(choice.and_then(|(action, score)| Some((evaluator.index(action)?, score))));
    }
}

fn view_of(key: u64, distance: f64, angle: f64, tags: &TagSet) -> TargetView<'_> {
    let key = TargetKey(key);
    TargetView { key, distance, meters: distance, angle, health: 1.0, tags, tokens: &[], readings: &[] }
}

fn sorted(random: &mut Random, limit: f64) -> [f64; 4] {
    let mut values = [0; 4].map(|_| random.range(0.0, limit));
    values.sort_by(f64::total_cmp);
    values
}

fn curves_of(number: usize, scorers: usize, random: &mut Random) -> Vec<RangeCurve> {
    let exponent = if number % 12 == 5 { 1.5 } else { [1.0, 1.0, 1.0, 2.0][number % 4] };
    let mut values = |kind: usize| match kind {
        0 => sorted(random, 10.0),
        1 => {
            let (optimal, more) = (random.range(10.0, 60.0), random.range(20.0, 120.0));
            [0.0, 0.0, optimal, optimal + more]
        }
        _ => sorted(random, 1.0),
    };
    (0..scorers).map(|scorer| RangeCurve::new(values(scorer % 3), exponent, FLOOR)).collect()
}

fn plan(
    number: usize,
    curves: &[RangeCurve],
    (requires_tags, block_tags): (TagQueries, TagQueries),
    random: &mut Random,
) -> ActionPlan {
    let scorer = |(kind, curve): (usize, &RangeCurve)| {
        let range = Some(*curve);
        let kind = match kind % 3 {
            0 => ScorerKind::Distance { range, in_pixels: false },
            1 => ScorerKind::Angle { range },
            _ => ScorerKind::Health { range, source: Source::Agent },
        };
        ScorerPlan { kind, label: "".into() }
    };
    ActionPlan {
        id: ActionId::new(&format!("Action{number}")),
        has_method: true,
        selection_weight: random.range(0.5, 2.0),
        risk_penalty: random.range(0.8, 1.5),
        scorers: curves.iter().enumerate().map(scorer).collect(),
        requires_tags,
        block_tags,
        ..ActionPlan::default()
    }
}
