//! Row `evaluation` in the core: 1,000 agents with 12 actions of 3 scorers and one target each decide.
//!
//! Against the floor: the same curve evaluations and multiplications over a flat array, nothing else.

mod bench;

use std::hint::black_box;
use std::sync::Arc;

use bench::{Random, Report, median};
use riposte_core::action::{
    ActionId, ActionPlan, Evaluator, RangeCurve, ScorerKind, ScorerPlan, Settings, Snapshot, Source,
    TagQueries, TargetKey, TargetView,
};
use riposte_core::tags::{TagId, TagSet, TagTable};

const WARM_UP: usize = 3;
const ROUNDS: usize = 30;
/// No score is zero, so that every contestant samples every curve.
const FLOOR: f64 = 0.05;

/// How big the workload is.
#[derive(Clone, Copy)]
struct Size {
    agents: usize,
    actions: usize,
    scorers: usize,
}

const W: Size = Size { agents: 1000, actions: 12, scorers: 3 };

/// What one agent sees.
struct View {
    distance: f64,
    angle: f64,
    health: f64,
}

/// Actions, and agents that decide among them.
struct Workload {
    size: Size,
    /// Of all actions, one after the other.
    curves: Vec<RangeCurve>,
    bases: Vec<f64>,
    views: Vec<View>,
    evaluators: Vec<Evaluator>,
    agent_tags: TagSet,
    target_tags: TagSet,
    world_tags: TagSet,
    random: Random,
}

impl Workload {
    fn new(size: Size, settings: &Settings) -> Self {
        let mut random = Random::new(1);
        let mut table = TagTable::new();
        let mut tag = |name: &str| table.intern(name).expect("the name is valid");
        let [red, blue, melee, alert, stunned] =
            ["Team.Red", "Team.Blue", "Weapon.Melee", "State.Alert", "State.Stunned"].map(&mut tag);
        let (mut plans, mut curves, mut bases) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..size.actions {
            let ranges = curves_of(number, size.scorers, &mut random);
            let tags = (TagQueries::new(&table, [melee]), TagQueries::new(&table, [stunned]));
            let plan = plan(number, &ranges, tags, &mut random);
            bases.push(plan.selection_weight / plan.risk_penalty);
            curves.extend(ranges);
            plans.push(Arc::new(plan));
        }
        let evaluator = |number: usize| {
            let mut evaluator = Evaluator::new(settings.clone());
            evaluator.set_seed(number as u64 + 1);
            evaluator.set_list(Some(&plans), false);
            evaluator
        };
        let set = |tags: &[TagId]| TagSet::new(&table, tags.iter().copied());
        Self {
            size,
            curves,
            bases,
            views: Vec::new(),
            evaluators: (0..size.agents).map(evaluator).collect(),
            agent_tags: set(&[red, melee, alert]),
            target_tags: set(&[blue, alert]),
            world_tags: set(&[]),
            random,
        }
    }

    /// New places and healths.
    fn next_round(&mut self) {
        let random = &mut self.random;
        let mut view = || View {
            distance: random.range(0.5, 9.0),
            angle: random.range(0.0, 180.0),
            health: random.range(0.01, 1.0),
        };
        self.views = (0..self.size.agents).map(|_| view()).collect();
    }

    /// Every agent decides: index of the action, and its score.
    fn decide(&mut self, choices: &mut Vec<Option<(usize, f64)>>) {
        choices.clear();
        for (number, (evaluator, view)) in self.evaluators.iter_mut().zip(&self.views).enumerate() {
            let snapshot = Snapshot {
                seed: None,
                health: view.health,
                tags: &self.agent_tags,
                world: &self.world_tags,
                readings: &[],
                focus: Some(TargetView {
                    key: TargetKey(number as u64),
                    distance: view.distance,
                    meters: view.distance,
                    angle: view.angle,
                    health: 1.0,
                    tags: &self.target_tags,
                    tokens: &[],
                    readings: &[],
                }),
                each: &[],
                held: None,
            };
            let choice = evaluator.decide(&snapshot);
            choices.push(choice.and_then(|(action, score)| Some((evaluator.index(action)?, score))));
        }
    }

    /// The floor.
    fn sample_all(&self) {
        for view in &self.views {
            let inputs = [view.distance, view.angle, view.health];
            for curves in self.curves.chunks_exact(self.size.scorers) {
                let samples = curves.iter().zip(inputs.iter().cycle()).map(|(curve, x)| curve.sample(*x));
                black_box(samples.product::<f64>());
            }
        }
    }

    /// What a plain loop chooses.
    fn wanted(&self, view: &View) -> Option<(usize, f64)> {
        let inputs = [view.distance, view.angle, view.health];
        let mut best: Option<(usize, f64)> = None;
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

/// W against the floor, choices compared with those of a plain loop.
fn against_floor() {
    let mut report = Report::new("evaluation");
    let exact = Settings { jitter_amount: 0.0, ..Settings::default() };
    let mut plain = Workload::new(W, &exact);
    let mut jittered = Workload::new(W, &Settings::default());
    let mut choices = Vec::new();
    let (mut compared, mut different) = (0, 0);
    for round in 0..WARM_UP + ROUNDS {
        plain.next_round();
        jittered.next_round();
        if round < WARM_UP {
            jittered.decide(&mut choices);
            plain.sample_all();
            plain.decide(&mut choices);
            continue;
        }
        report.time("floor", 1.0, || plain.sample_all());
        report.time("core with jitter", 1.0, || jittered.decide(&mut choices));
        report.time("core", 1.0, || plain.decide(&mut choices));
        for (choice, view) in choices.iter().zip(&plain.views) {
            compared += 1;
            let agree = |(a, b): &((usize, f64), (usize, f64))| a.0 == b.0 && (a.1 - b.1).abs() <= 1e-9;
            different += usize::from(choice.zip(plain.wanted(view)).filter(agree).is_none());
        }
    }
    report.print_raw();
    report.print_ratio("core", "floor", "<= 6");
    report.print_ratio("core with jitter", "floor", "");
    report.print_same("choice and score, plain loop and ours", compared, different);
    report.finish();
}

/// What twice the work costs, side by side.
fn sizes() {
    let report = Report::new("evaluation, sizes");
    let sizes = [
        W,
        Size { agents: 500, ..W },
        Size { agents: 2000, ..W },
        Size { actions: 24, ..W },
        Size { scorers: 6, ..W },
    ];
    let settings = Settings::default();
    let mut works = sizes.map(|size| (Workload::new(size, &settings), Vec::<f64>::new()));
    let mut choices = Vec::new();
    for round in 0..WARM_UP + ROUNDS {
        for (work, times) in &mut works {
            work.next_round();
            let begin = std::time::Instant::now();
            work.decide(&mut choices);
            if round >= WARM_UP {
                times.push(begin.elapsed().as_secs_f64());
            }
        }
    }
    let ratio = |a: usize, b: usize| {
        let pairs = works[a].1.iter().zip(&works[b].1);
        median(&pairs.map(|(a, b)| a / b).collect::<Vec<f64>>())
    };
    report.print_number("1,000 agents / 500", ratio(0, 1), "<= 2.2");
    report.print_number("2,000 agents / 1,000", ratio(2, 0), "<= 2.2");
    report.print_number("24 actions / 12", ratio(3, 0), "<= 2.2");
    report.print_number("6 scorers / 3", ratio(4, 0), "<= 2.2");
}

fn main() {
    against_floor();
    sizes();
}
