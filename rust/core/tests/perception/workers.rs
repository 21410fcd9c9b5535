//! Threads for the maths leave no trace in what happens.

use glam::DMat3;
use riposte_core::perception::{Event, PerceiverSettings, Scope, SourceSettings, Stance, WorldSettings};
use riposte_core::random::draw;

use crate::scene::*;

const PERCEIVERS: u64 = 240;
const SOURCES: u64 = 60;

fn field(what: &str, n: u64) -> glam::DVec3 {
    v(draw(1, what, "x", n) * 90.0, 0.0, draw(1, what, "z", n) * 90.0)
}

fn crowd(settings: WorldSettings) -> Scene {
    let mut scene = Scene::new();
    scene.world.set_settings(settings);
    for n in 0..PERCEIVERS {
        let settings = PerceiverSettings {
            manual: false,
            update_interval: if n % 3 == 0 { 0.05 } else { 0.1 },
            detection_time: if n % 4 == 0 { 0.5 } else { 0.0 },
            max_perceived_targets: 2 + (n % 5) as u32,
            hearing_occlusion: n % 2 == 0,
            min_points_by_stance: (n % 6 == 0).then_some([1, 2, 2]),
            ..looker()
        };
        let watcher = scene.watcher(field("perceiver", n), settings);
        let turned = DMat3::from_rotation_y(draw(1, "perceiver", "turn", n) * std::f64::consts::TAU);
        scene.frames.perceivers.get_mut(&watcher.key.index()).unwrap().basis = turned;
        if n % 7 == 0 {
            scene.detect(watcher, &["Team.Red"], &[]);
        }
    }
    for n in 0..SOURCES {
        let tags: &[&str] = if n % 2 == 0 { &["Team.Red.Scout"] } else { &["Team.Blue"] };
        let settings = SourceSettings {
            sight_range_scale: 1.0 + (n % 3) as f64 * 0.25,
            extra_aim_points: vec![glam::DVec3::Y; (n % 3) as usize],
            asks_stance: n % 5 == 0,
            ..plain()
        };
        let thing = scene.thing_with(field("source", n), settings, tags);
        scene.frames.stances.insert(thing.key.index(), Stance::Crouched);
    }
    scene.frames.walls = 1;
    for perceiver in 0..PERCEIVERS as usize {
        let hidden = (0..SOURCES as usize).filter(|source| (perceiver * 7 + source * 3) % 4 == 0);
        scene.frames.blocked.extend(hidden.map(|source| (perceiver, source)));
    }
    scene
}

/// Everything that is told, the counts, and how many ticks had enough scans for threads.
fn play(settings: WorldSettings) -> (Vec<Event>, Vec<[u32; 4]>, u32) {
    let mut scene = crowd(settings);
    let (mut log, mut counts, mut crowded) = (Vec::new(), Vec::new(), 0);
    for tick in 0..150u64 {
        for n in 0..SOURCES {
            let angle = tick as f64 * 0.03 + n as f64;
            let way = v(libm::cos(angle), 0.0, libm::sin(angle)) * (2.0 + (n % 9) as f64 * 3.0);
            let frame = scene.frames.sources.get_mut(&(n as usize)).unwrap();
            frame.origin = field("source", n) + way;
        }
        if tick % 11 == 0 {
            scene.noise(field("noise", tick), 1.5, None);
        }
        log.extend(scene.run(Scope::Common, if tick % 2 == 0 { 0.05 } else { 1.0 / 60.0 }));
        let stats = scene.world.last_stats();
        counts.push([stats.scans, stats.distance_tests, stats.rays, stats.rays_deferred]);
        crowded += u32::from(stats.scans >= 64);
    }
    (log, counts, crowded)
}

#[test]
fn the_same_with_any_number_of_threads() {
    for max_rays_per_tick in [0, 40] {
        let with =
            |workers: i32| play(WorldSettings { max_rays_per_tick, workers, ..WorldSettings::default() });
        let (log, counts, crowded) = with(0);
        assert!(log.len() > 600 && crowded > 60, "{} events, {crowded} crowded ticks", log.len());
        assert_eq!(max_rays_per_tick > 0, counts.iter().any(|[.., deferred]| *deferred > 0));
        for workers in [1, 2, 4] {
            let threaded = with(workers);
            assert!(threaded.0 == log, "{workers} threads tell another story");
            assert_eq!(threaded.1, counts, "{workers} threads");
        }
    }
}

#[test]
fn threads_may_be_stopped_and_changed_between_ticks() {
    let mut scene = crowd(WorldSettings { workers: 2, ..WorldSettings::default() });
    let mut same = crowd(WorldSettings { workers: 0, ..WorldSettings::default() });
    for tick in 0..40 {
        match tick {
            10 => scene.world.stop_workers(),
            20 => scene.world.set_settings(WorldSettings { workers: -1, ..WorldSettings::default() }),
            _ => {}
        }
        assert!(scene.run(Scope::Common, 0.05) == same.run(Scope::Common, 0.05), "tick {tick}");
    }
}
