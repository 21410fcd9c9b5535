//! Row `awareness` in the core: 1,000 agents with 8 beliefs each, updated every 0.1 s, at 60 ticks a second.
//!
//! Against itself at other sizes, and against what perception pays to settle the records that the beliefs follow.

mod bench;

use std::sync::Arc;
use std::time::Instant;

use bench::{Report, median};
use glam::DVec3;
use riposte_core::awareness::{Answer, AwarenessWorld, FusionRule, MindKey, Profile, Question, Surroundings};
use riposte_core::perception::{
    Affiliation, Frame, LineOfSight, PerceiverPlace, PerceiverSettings, PerceptionWorld, Scope, SourcePlace,
    SourceSettings, WorldSettings,
};
use riposte_core::tags::{TagSet, TagTable};

const STEP: f64 = 1.0 / 60.0;
/// Steps per round: every mind is updated ten times.
const STEPS: usize = 60;
const WARM_UP: usize = 3;
const ROUNDS: usize = 10;
const AGENTS: usize = 1000;
/// Agents that stand together and know the same targets.
const TOGETHER: usize = 10;
/// Between groups: they do not sense each other's targets.
const APART: f64 = 100.0;
/// Agent ids of sources from here on.
const FIRST_SOURCE: i64 = 1_000_000;

/// Everything is visible.
struct Open;

impl LineOfSight for Open {
    fn visible_points(&mut self, _question: &riposte_core::perception::Question<'_>) -> u16 {
        1
    }
}

/// Microseconds and counts of some steps.
#[derive(Clone, Copy, Default)]
struct Cost {
    settle: f64,
    records: f64,
    awareness: f64,
    beliefs: f64,
    policies: f64,
    adapters: f64,
    fused: f64,
    events: f64,
}

impl Cost {
    fn per_record(&self) -> f64 {
        self.settle / self.records.max(1.0)
    }

    fn per_belief(&self) -> f64 {
        self.awareness / self.beliefs.max(1.0)
    }
}

/// Agents with targets all around them.
struct Crowd {
    world: PerceptionWorld,
    minds: AwarenessWorld,
    tags: TagTable,
    perceivers: Vec<Frame>,
    sources: Vec<DVec3>,
    targets: usize,
    due: Vec<MindKey>,
    events: Vec<riposte_core::awareness::Event>,
    steps: u64,
}

impl Crowd {
    fn new(targets: usize, fusion: FusionRule) -> Self {
        let unlimited = WorldSettings { max_rays_per_tick: 0, ..WorldSettings::default() };
        let mut crowd = Self {
            world: PerceptionWorld::new(unlimited),
            minds: AwarenessWorld::new(),
            tags: TagTable::new(),
            perceivers: Vec::new(),
            sources: Vec::new(),
            targets,
            due: Vec::new(),
            events: Vec::new(),
            steps: 0,
        };
        let space = Some(crowd.world.add_space(false));
        let mut profile = Profile { fusion, ..Profile::default() };
        profile.relations.team_root = crowd.tags.intern("Team").ok();
        let profile = Arc::new(profile);
        let settings = PerceiverSettings { sight_fov_degrees: 360.0, ..PerceiverSettings::default() };
        for number in 0..AGENTS {
            let group = number / TOGETHER;
            let at = DVec3::new((group % 10) as f64, 0.0, (group / 10) as f64) * APART;
            crowd.perceivers.push(Frame::at(at));
            let key = crowd.world.add_perceiver(settings.clone(), Affiliation::default());
            crowd.world.place_perceiver(key, PerceiverPlace { space, agent: number as i64 + 1, order: 0 });
            let mind = crowd.minds.add(profile.clone());
            crowd.minds.set_perceiver(mind, Some(key));
        }
        for group in 0..AGENTS / TOGETHER {
            let at = crowd.perceivers[group * TOGETHER].origin;
            (0..targets).for_each(|number| crowd.add_source(at, number, space));
        }
        crowd
    }

    fn add_source(&mut self, at: DVec3, number: usize, space: Option<riposte_core::perception::SpaceId>) {
        let turn = number as f64 * 2.4;
        let out = DVec3::new(libm::cos(turn), 0.0, libm::sin(turn)) * (4.0 + number as f64 * 0.5);
        let agent = Some(FIRST_SOURCE + self.sources.len() as i64);
        self.sources.push(at + out);
        let key = self.world.add_source(SourceSettings::default(), TagSet::default());
        self.world.place_source(key, SourcePlace { space, agent, ..SourcePlace::default() });
    }

    fn step(&mut self, cost: &mut Cost) {
        // They sway, so that distances and velocities change.
        let sway = DVec3::X * libm::sin(self.steps as f64 * 0.05) * 0.5;
        self.steps += 1;
        let mut tick = self.world.begin(Scope::Common, STEP);
        let (perceivers, sources) = (&self.perceivers, &self.sources);
        tick.read(|key| perceivers[key.index()], |key| Frame::at(sources[key.index()] + sway));
        self.world.look(&mut tick);
        tick.ask(&mut Open);
        cost.records += f64::from(tick.stats().scans) * self.targets as f64;
        let begin = Instant::now();
        let told = self.world.finish(tick);
        cost.settle += micros(begin);
        self.world.recycle(told);
        let begin = Instant::now();
        self.update(cost);
        cost.awareness += micros(begin);
        let stats = self.minds.take_stats();
        cost.beliefs += f64::from(stats.beliefs_updated);
        cost.policies += f64::from(stats.policy_questions);
        cost.adapters += f64::from(stats.adapter_questions);
        cost.events += self.events.len() as f64;
        self.events.clear();
    }

    fn update(&mut self, cost: &mut Cost) {
        self.minds.due(&self.world, Scope::Common, &mut self.due);
        for key in &self.due {
            let place = self.minds.perceiver(*key).map_or(0, riposte_core::perception::PerceiverKey::index);
            let around = Surroundings {
                perception: &self.world,
                tags: &self.tags,
                origin: self.perceivers[place].origin,
                own_tags: None,
            };
            let Some(update) = self.minds.begin(*key, &around) else { continue };
            while let Some(question) = self.minds.next(update) {
                cost.fused += f64::from(u8::from(matches!(question, Question::Fuse { .. })));
                self.minds.answer(update, Answer::Number(0.5));
            }
            self.minds.take_events(*key, &mut self.events);
        }
    }
}

fn micros(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e6
}

fn main() {
    let mut report = Report::new("awareness");
    let row = "awareness";
    let mut crowds = [
        ("8 beliefs", Crowd::new(8, FusionRule::BuiltIn)),
        ("16 beliefs", Crowd::new(16, FusionRule::BuiltIn)),
        ("no beliefs", Crowd::new(0, FusionRule::BuiltIn)),
        ("a fusion policy", Crowd::new(8, FusionRule::Script)),
    ];
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); crowds.len()];
    for round in 0..WARM_UP + ROUNDS {
        for ((name, crowd), costs) in crowds.iter_mut().zip(&mut costs) {
            let mut cost = Cost::default();
            (0..STEPS).for_each(|_| crowd.step(&mut cost));
            if round >= WARM_UP {
                report.add(name, cost.awareness / STEPS as f64);
                costs.push(cost);
            }
        }
    }
    report.print_raw();
    let of =
        |crowd: usize, value: fn(&Cost) -> f64| median(&costs[crowd].iter().map(value).collect::<Vec<f64>>());
    let settle = of(0, Cost::per_record) * 1e3;
    let belief = of(0, Cost::per_belief) * 1e3;
    println!("raw   {row}: settling a record {settle:.1} ns, updating a belief {belief:.1} ns");
    println!("raw   {row}: per step {:.1} beliefs updated", of(0, |cost| cost.beliefs) / STEPS as f64);
    report.print_ratio("16 beliefs", "8 beliefs", "<= 2.2");
    report.print_number(
        "calls of policies and adapters without any",
        of(0, |cost| cost.policies + cost.adapters),
        "0",
    );
    report.print_number(
        "calls of a fusion policy per belief updated",
        of(3, |cost| cost.fused / cost.beliefs),
        "1",
    );
    report.print_ratio("no beliefs", "8 beliefs", "<= 0.02");
    report.print_number(
        "updating a belief / settling a record",
        median(&costs[0].iter().map(|cost| cost.per_belief() / cost.per_record()).collect::<Vec<f64>>()),
        "<= 2",
    );
    report.print_number("events in a round without a change", of(0, |cost| cost.events), "0");
    let lost =
        costs[0].iter().filter(|cost| (cost.beliefs - cost.records).abs() > 8.0 * AGENTS as f64).count();
    report.print_same("rounds with as many beliefs updated as records settled", ROUNDS, lost);
    report.finish();
}
