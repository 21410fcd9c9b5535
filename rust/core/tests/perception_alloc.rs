//! A steady tick allocates nothing.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod counting;
#[path = "perception/scene.rs"]
#[allow(dead_code, unused_imports, reason = "shared with the other tests")]
mod scene;

use glam::DVec3;
use riposte_core::perception::{
    About, LineOfSight, Muffling, Noise, PerceiverSettings, Question, Scope, SourceSettings, Stance,
    WorldSettings,
};
use riposte_core::random::draw;
use scene::*;

struct Half;

impl LineOfSight for Half {
    fn visible_points(&mut self, question: &Question<'_>) -> u16 {
        u16::from((question.perceiver.index() + question.source.index()).is_multiple_of(2)) * 3
    }

    fn occluders(&mut self, question: &Muffling) -> (u32, u32) {
        (question.perceiver.index() as u32 % 2, 2)
    }

    fn stance(&mut self, question: &About) -> Stance {
        if question.source.index().is_multiple_of(4) { Stance::Crouched } else { Stance::Standing }
    }
}

fn scene(perceivers: u64, settings: WorldSettings) -> Scene {
    let mut scene = Scene::new();
    scene.world.set_settings(settings);
    let place = |what: &str, n: u64| v(draw(1, what, "x", n) * 80.0, 0.0, draw(1, what, "z", n) * 80.0);
    for n in 0..perceivers {
        let settings = PerceiverSettings {
            manual: false,
            detection_time: if n % 3 == 0 { 1.0 } else { 0.0 },
            max_perceived_targets: if n % 4 == 0 { 2 } else { 16 },
            hearing_occlusion: n % 2 == 0,
            min_points_by_stance: (n % 5 == 0).then_some([1, 2, 2]),
            ..PerceiverSettings::default()
        };
        scene.watcher(place("perceiver", n), settings);
    }
    for n in 0..60 {
        let (asks_stance, extra_aim_points) = (n % 2 == 0, vec![DVec3::ZERO; (n % 3) as usize]);
        let settings = SourceSettings { asks_stance, extra_aim_points, ..SourceSettings::default() };
        scene.thing_with(place("source", n), settings, &[]);
    }
    scene
}

/// Ticks of one round.
const PERIOD: u32 = 600;

/// Sums of some ticks.
#[derive(Clone, Copy, Default, Debug)]
struct Sums {
    events: usize,
    scans: u32,
    asked: u32,
    deferred: u32,
    most_scans: u32,
    allocations: u64,
}

fn run(scene: &mut Scene, ticks: std::ops::Range<u32>) -> Sums {
    let mut sums = Sums::default();
    let heard = scene.tag_set(&["Noise"]);
    for n in ticks {
        if n % 20 == 0 {
            // A report is a thing of its own; what the tick makes of it is counted.
            let (space, tag) = (scene.space, heard.clone());
            let noise =
                Noise { space, location: v(40.0, 0.0, 40.0), loudness: 2.0, tag, lineage: Vec::new() };
            scene.world.report_noise(noise, None);
        }
        let before = counting::all();
        // Slow circles, so that targets come and go, and all is again as it was.
        let angle = f64::from(n % PERIOD) / f64::from(PERIOD) * std::f64::consts::TAU;
        let drift = v(libm::cos(angle), 0.0, libm::sin(angle)) * 15.0;
        let mut tick = scene.world.begin(Scope::Common, 1.0 / 60.0);
        let frames = &scene.frames;
        let moved = |index: usize| {
            let mut frame = frames.sources[&index];
            frame.origin += drift;
            frame
        };
        tick.read(|key| frames.perceivers[&key.index()], |key| moved(key.index()));
        scene.world.look(&mut tick);
        tick.ask(&mut Half);
        let told = scene.world.finish(tick);
        sums.events += told.len();
        scene.world.recycle(told);
        sums.allocations += counting::all() - before;
        let stats = scene.world.last_stats();
        sums.scans += stats.scans;
        sums.asked += stats.questions;
        sums.deferred += stats.rays_deferred;
        sums.most_scans = sums.most_scans.max(stats.scans);
    }
    sums
}

#[test]
fn a_steady_tick_allocates_nothing() {
    let before = counting::all();
    drop(std::hint::black_box(Box::new(1)));
    assert!(counting::all() > before, "the counter counts");

    let plenty = WorldSettings { max_rays_per_tick: 0, ..WorldSettings::default() };
    let short = WorldSettings { max_rays_per_tick: 12, ..WorldSettings::default() };
    let threads = WorldSettings { workers: 2, stagger: false, ..plenty };
    for (perceivers, settings) in [(100, plenty), (100, short), (150, threads)] {
        let mut scene = scene(perceivers, settings);
        // With a short budget it takes a while until every list has had its longest.
        run(&mut scene, 0..6 * PERIOD);
        let sums = run(&mut scene, 6 * PERIOD..8 * PERIOD);
        assert_eq!(sums.allocations, 0, "allocations in two rounds, {settings:?}");
        assert!(sums.events > 100 && sums.scans > 10_000 && sums.asked > 5_000, "{sums:?}");
        assert_eq!(settings.max_rays_per_tick == 12, sums.deferred > 0, "{sums:?}");
        assert!(settings.workers == 0 || sums.most_scans >= 64, "{sums:?}");
    }
}
