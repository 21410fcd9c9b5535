//! Row `sight` in the core: 1,000 perceivers and 200 walking sources on a square of 250 m, default properties.
//!
//! Against a plain loop over flat arrays that keeps the same records, and against itself at other sizes.

mod bench;

use std::collections::BTreeMap;

use bench::{Random, Report, median};
use glam::{DMat3, DVec3};
use riposte_core::perception::{
    Affiliation, Frame, LineOfSight, PerceiverKey, PerceiverPlace, PerceiverSettings, PerceptionWorld,
    Question, Scope, Senses, SourcePlace, SourceSettings, WorldSettings,
};
use riposte_core::random::mix;
use riposte_core::tags::TagSet;

const STEP: f64 = 1.0 / 60.0;
/// Steps per round: every perceiver scans ten times.
const STEPS: usize = 60;
const WARM_UP: usize = 2;
const ROUNDS: usize = 10;
const SPEED: f64 = 2.0;
/// Agent ids of sources from here on.
const FIRST_SOURCE: i64 = 1_000_000;

/// Where everybody is.
struct Field {
    side: f64,
    perceivers: Vec<Frame>,
    sources: Vec<DVec3>,
    headings: Vec<DVec3>,
}

impl Field {
    fn new(perceivers: usize, sources: usize, side: f64) -> Self {
        let mut random = Random::new(1);
        let mut turned = |scale: f64| DMat3::from_rotation_y(random.range(-scale, scale));
        let turns: Vec<DMat3> = (0..perceivers + sources).map(|_| turned(std::f64::consts::PI)).collect();
        let mut place = || DVec3::new(random.range(0.0, side), 0.0, random.range(0.0, side));
        Self {
            side,
            perceivers: turns[..perceivers]
                .iter()
                .map(|basis| Frame { origin: place(), basis: *basis })
                .collect(),
            sources: (0..sources).map(|_| place()).collect(),
            headings: turns[perceivers..].iter().map(|basis| *basis * DVec3::NEG_Z * SPEED).collect(),
        }
    }

    fn walk(&mut self) {
        for (at, heading) in self.sources.iter_mut().zip(&mut self.headings) {
            *at += *heading * STEP;
            for axis in [0, 2] {
                if at[axis] < 0.0 || at[axis] > self.side {
                    heading[axis] = -heading[axis];
                }
            }
            *at = at.clamp(DVec3::ZERO, DVec3::splat(self.side));
        }
    }
}

/// Says for half of all pairs that there is a wall between them.
#[derive(Clone, Copy)]
struct Table {
    blocks: bool,
}

impl Table {
    fn is_visible(self, perceiver: usize, source: usize) -> bool {
        !self.blocks || mix((perceiver * 100_003 + source) as u64) & 1 == 0
    }
}

impl LineOfSight for Table {
    fn visible_points(&mut self, question: &Question<'_>) -> u16 {
        u16::from(self.is_visible(question.perceiver.index(), question.source.index()))
    }
}

/// Microseconds and counts of some steps.
#[derive(Clone, Copy, Default)]
struct Cost {
    begin: f64,
    read: f64,
    look: f64,
    ask: f64,
    finish: f64,
    scans: f64,
    tests: f64,
    questions: f64,
    events: f64,
    most_scans: f64,
}

impl Cost {
    fn total(&self) -> f64 {
        self.begin + self.read + self.look + self.ask + self.finish
    }

    /// Per scan: everything that is not done once per step for the sources.
    fn maths_per_scan(&self) -> f64 {
        self.look / self.scans.max(1.0)
    }
}

/// Our side.
struct Ours {
    world: PerceptionWorld,
    perceivers: Vec<PerceiverKey>,
    table: Table,
}

impl Ours {
    fn new(field: &Field, table: Table) -> Self {
        let mut world = PerceptionWorld::new(WorldSettings::default());
        let space = Some(world.add_space(false));
        let mut perceivers = Vec::new();
        for (number, _) in field.perceivers.iter().enumerate() {
            let key = world.add_perceiver(PerceiverSettings::default(), Affiliation::default());
            world.place_perceiver(key, PerceiverPlace { space, agent: number as i64 + 1, order: 0 });
            perceivers.push(key);
        }
        for (number, _) in field.sources.iter().enumerate() {
            let key = world.add_source(SourceSettings::default(), TagSet::default());
            let agent = Some(FIRST_SOURCE + number as i64);
            world.place_source(key, SourcePlace { space, agent, ..SourcePlace::default() });
        }
        Self { world, perceivers, table }
    }

    fn step(&mut self, field: &Field, cost: &mut Cost) {
        let mut clock = Lap::start();
        let mut tick = self.world.begin(Scope::Common, STEP);
        clock.lap(&mut cost.begin);
        tick.read(|key| field.perceivers[key.index()], |key| Frame::at(field.sources[key.index()]));
        clock.lap(&mut cost.read);
        self.world.look(&mut tick);
        clock.lap(&mut cost.look);
        tick.ask(&mut self.table);
        clock.lap(&mut cost.ask);
        let stats = tick.stats();
        let events = self.world.finish(tick);
        cost.events += events.len() as f64;
        self.world.recycle(events);
        clock.lap(&mut cost.finish);
        cost.scans += f64::from(stats.scans);
        cost.tests += f64::from(stats.distance_tests);
        cost.questions += f64::from(stats.questions);
        cost.most_scans = cost.most_scans.max(f64::from(stats.scans));
    }

    /// Source → seen.
    fn known(&self, perceiver: usize) -> BTreeMap<usize, bool> {
        let (key, mut targets) = (self.perceivers[perceiver], Vec::new());
        self.world.targets(key, DVec3::ZERO, &mut targets);
        let seen = |target| self.world.senses(key, target).intersects(Senses::SIGHT);
        targets.iter().map(|target| ((target.agent - FIRST_SOURCE) as usize, seen(*target))).collect()
    }
}

/// Adds the time since the last lap.
struct Lap(std::time::Instant);

impl Lap {
    fn start() -> Self {
        Self(std::time::Instant::now())
    }

    fn lap(&mut self, sum: &mut f64) {
        let now = std::time::Instant::now();
        *sum += (now - self.0).as_secs_f64() * 1e6;
        self.0 = now;
    }
}

/// What a plain loop keeps of a source.
struct Known {
    source: usize,
    seen: bool,
    age: f64,
}

/// The plain loop: every due perceiver looks at every source.
struct Plain {
    waits: Vec<f64>,
    known: Vec<Vec<Known>>,
    table: Table,
    limit: f64,
}

impl Plain {
    fn new(field: &Field, table: Table) -> Self {
        let phase = |number: usize| (number as f64 * 0.618_033_988_749_894_9).fract();
        Self {
            waits: (0..field.perceivers.len()).map(|number| phase(number) * 0.1).collect(),
            known: field.perceivers.iter().map(|_| Vec::new()).collect(),
            table,
            limit: 45.01_f64.to_radians().cos(),
        }
    }

    fn step(&mut self, field: &Field) {
        for number in 0..self.waits.len() {
            let scan = self.waits[number] <= 1e-6;
            if scan {
                self.waits[number] = (self.waits[number] + 0.1).max(0.0);
                self.look(number, field);
            }
            self.waits[number] -= STEP;
            let known = &mut self.known[number];
            known.iter_mut().filter(|known| !known.seen).for_each(|known| known.age += STEP);
            known.retain(|known| known.seen || known.age + 1e-6 < 5.0);
        }
    }

    fn look(&mut self, number: usize, field: &Field) {
        let frame = &field.perceivers[number];
        let eye = frame.origin + frame.basis * DVec3::new(0.0, 1.6, 0.0);
        let forward = frame.basis * DVec3::NEG_Z;
        let known = &mut self.known[number];
        for (source, at) in field.sources.iter().enumerate() {
            let squared = frame.origin.distance_squared(*at);
            if squared > 25.0001 * 25.0001 {
                continue;
            }
            let place = known.iter().position(|known| known.source == source);
            let retains = place.is_some_and(|place| known[place].seen);
            let to = *at + DVec3::Y - eye;
            let inside = squared <= 20.0001 * 20.0001 && forward.dot(to) >= self.limit * to.length();
            let seen = (retains || inside) && self.table.is_visible(number, source);
            match place {
                Some(place) if seen => known[place] = Known { source, seen, age: 0.0 },
                Some(place) => known[place].seen = false,
                None if seen => known.push(Known { source, seen, age: 0.0 }),
                None => {}
            }
        }
        for known in known.iter_mut().filter(|known| known.seen) {
            known.seen = frame.origin.distance_squared(field.sources[known.source]) <= 25.0001 * 25.0001;
        }
    }

    fn known(&self, perceiver: usize) -> BTreeMap<usize, bool> {
        self.known[perceiver].iter().map(|known| (known.source, known.seen)).collect()
    }
}

/// W with and without a line of sight that blocks, against the plain loop.
fn against_plain(row: &'static str, blocks: bool) {
    let mut report = Report::new(row);
    let mut field = Field::new(1000, 200, 250.0);
    let (mut ours, mut plain) = (Ours::new(&field, Table { blocks }), Plain::new(&field, Table { blocks }));
    let mut all = Cost::default();
    let (mut compared, mut different) = (0, 0);
    for round in 0..WARM_UP + ROUNDS {
        let (mut cost, mut lap) = (Cost::default(), 0.0);
        for _ in 0..STEPS {
            field.walk();
            ours.step(&field, &mut cost);
            let mut clock = Lap::start();
            plain.step(&field);
            clock.lap(&mut lap);
        }
        if round >= WARM_UP {
            let steps = STEPS as f64;
            report.add("tick", cost.total() / steps);
            for (phase, micros) in [
                ("begin", cost.begin),
                ("read", cost.read),
                ("look", cost.look),
                ("ask", cost.ask),
                ("finish", cost.finish),
            ] {
                report.add(phase, micros / steps);
            }
            report.add("plain loop in Rust", lap / steps);
            all = cost;
        }
        for number in 0..field.perceivers.len() {
            compared += 1;
            different += usize::from(ours.known(number) != plain.known(number));
        }
    }
    report.print_raw();
    let per_step = |count: f64| count / STEPS as f64;
    println!(
        "raw   {row}: per step {:.1} scans (at most {}), {:.1} distance tests, {:.1} questions, {:.2} events",
        per_step(all.scans),
        all.most_scans,
        per_step(all.tests),
        per_step(all.questions),
        per_step(all.events),
    );
    report.print_number(
        "busiest step / mean, in scans",
        all.most_scans / per_step(all.scans),
        "<= 1.25 and 2 scans",
    );
    report.print_ratio("plain loop in Rust", "tick", "");
    report.print_same("what is known and seen, plain loop and ours", compared, different);
    report.finish();
}

/// What another size costs, side by side.
fn sizes() {
    let report = Report::new("sight, sizes");
    let sizes = [
        (1000, 200, 250.0),
        (1000, 400, 250.0),
        (2000, 400, 250.0 * std::f64::consts::SQRT_2),
        (1000, 800, 250.0),
        (1000, 0, 250.0),
    ];
    let mut worlds: Vec<(Field, Ours, Vec<Cost>)> = sizes
        .iter()
        .map(|(perceivers, sources, side)| {
            let field = Field::new(*perceivers, *sources, *side);
            let ours = Ours::new(&field, Table { blocks: true });
            (field, ours, Vec::new())
        })
        .collect();
    for round in 0..WARM_UP + ROUNDS {
        for (field, ours, costs) in &mut worlds {
            let mut cost = Cost::default();
            for _ in 0..STEPS {
                field.walk();
                ours.step(field, &mut cost);
            }
            if round >= WARM_UP {
                costs.push(cost);
            }
        }
    }
    let ratio = |a: usize, b: usize, value: fn(&Cost) -> f64| {
        let pairs = worlds[a].2.iter().zip(&worlds[b].2);
        median(&pairs.map(|(a, b)| value(a) / value(b)).collect::<Vec<f64>>())
    };
    let tests = worlds[0].2.iter().map(|cost| cost.tests / cost.scans);
    let inside = 200.0 * std::f64::consts::PI * 20.0 * 20.0 / (250.0 * 250.0);
    report.print_number(
        "twice the sources on the ground: maths per scan",
        ratio(1, 0, Cost::maths_per_scan),
        "<= 2.2",
    );
    report.print_number("twice the world: maths per scan", ratio(2, 0, Cost::maths_per_scan), "<= 1.15");
    let tests = median(&tests.collect::<Vec<f64>>()) / inside;
    report.print_number("distance tests / sources inside the radius", tests, "<= 3");
    report.print_number("four times the sources: reading", ratio(3, 0, |cost| cost.read), "<= 4.4");
    report.print_number("no sources at all: whole tick", ratio(4, 0, Cost::total), "<= 0.02");
}

/// With a word on the command line only the parts that contain it run, for a profiler.
fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    if "no rays".contains(&wanted) {
        against_plain("sight, no rays", false);
    }
    if "half blocked".contains(&wanted) {
        against_plain("sight, half blocked", true);
    }
    if "sizes".contains(&wanted) {
        sizes();
    }
}
