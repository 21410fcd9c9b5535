//! The ray budget: what is served, what waits, and for how long.

use glam::DVec3;
use proptest::prelude::*;
use riposte_core::perception::{PerceiverSettings, Scope, SourceSettings};

use crate::scene::*;

fn common() -> PerceiverSettings {
    PerceiverSettings { manual: false, update_interval: 1.0, ..looker() }
}

/// One common watcher and so many things in a row, closest first.
fn row(budget: u32, things: u32, settings: PerceiverSettings) -> (Scene, Watcher, Vec<Thing>) {
    let mut scene = Scene::new();
    scene.limit_rays(budget);
    let watcher = scene.watcher(DVec3::ZERO, settings);
    let things = (1..=things).map(|n| scene.thing(v(0.0, 0.0, -f64::from(n)))).collect();
    (scene, watcher, things)
}

fn sources(things: &[Thing]) -> Vec<(usize, usize)> {
    things.iter().map(|thing| (0, thing.key.index())).collect()
}

#[test]
fn a_scan_goes_on_where_it_stopped() {
    let (mut scene, _, things) = row(2, 5, common());
    for served in [&things[..2], &things[2..4], &things[4..], &[]] {
        scene.run(Scope::Common, DT);
        assert_eq!(scene.asked(), sources(served));
    }
}

#[test]
fn a_scan_goes_on_with_fresh_positions() {
    let (mut scene, watcher, things) = row(1, 3, common());
    (0..3).for_each(|_| drop(scene.run(Scope::Common, DT)));
    assert_eq!(scene.asked(), sources(&things));
    scene.world.scan_now(watcher.key);
    scene.run(Scope::Common, DT);
    assert_eq!(scene.asked(), sources(&things[..1]));
    // The second comes closer than the first, the third goes too far: that needs no ray.
    scene.move_thing(things[1], v(0.0, 0.0, -0.5));
    scene.move_thing(things[2], v(0.0, 0.0, -26.0));
    let events = scene.run(Scope::Common, DT);
    assert_eq!(scene.asked(), sources(&things[1..2]));
    assert_eq!(kinds(&events), [SightLost]);
    assert_eq!(scene.location(watcher, things[1]), Some(v(0.0, 0.0, -0.5)));
    scene.run(Scope::Common, DT);
    assert_eq!(scene.asked(), []);
}

#[test]
fn what_waits_for_its_rays_keeps_its_verdict() {
    let (mut scene, watcher, things) = row(1, 2, common());
    (0..2).for_each(|_| drop(scene.run(Scope::Common, DT)));
    for thing in &things {
        scene.hide(watcher, *thing);
    }
    scene.world.scan_now(watcher.key);
    scene.run(Scope::Common, DT);
    assert!(!scene.seen(watcher, things[0]) && scene.seen(watcher, things[1]));
    assert_eq!(scene.world.last_stats().rays_deferred, 1);
    scene.run(Scope::Common, DT);
    assert!(!scene.seen(watcher, things[1]));
}

#[test]
fn no_second_scan_of_a_perceiver_waits_behind_the_first() {
    // Due in every tick, finished in every third.
    let (mut scene, _, things) = row(1, 3, PerceiverSettings { update_interval: DT, ..common() });
    for tick in 0..9 {
        scene.run(Scope::Common, DT);
        assert_eq!(scene.asked(), sources(&things[tick % 3..tick % 3 + 1]), "tick {tick}");
    }
}

#[test]
fn the_oldest_scan_comes_first_then_the_lower_id() {
    let mut scene = Scene::new();
    scene.limit_rays(1);
    let watchers: Vec<Watcher> = (0..3).map(|_| scene.watcher(DVec3::ZERO, common())).collect();
    for n in 1..=2 {
        scene.thing(v(0.0, 0.0, -f64::from(n)));
    }
    // Who asks to scan before the tick, and who is served in it.
    let ticks = [
        (None, 0),
        // While its scan goes on this is that scan.
        (Some(0), 0),
        (None, 1),
        (None, 1),
        (None, 2),
        (None, 2),
        (Some(2), 2),
        // Due later: the older one is finished first, although its id is higher.
        (Some(0), 2),
        (None, 0),
        (None, 0),
    ];
    for (tick, (forced, served)) in ticks.into_iter().enumerate() {
        if let Some(watcher) = forced {
            scene.world.scan_now(watchers[watcher].key);
        }
        scene.run(Scope::Common, 0.01);
        let asked: Vec<usize> = scene.asked().iter().map(|(perceiver, _)| *perceiver).collect();
        assert_eq!(asked, [served], "tick {tick}");
    }
}

#[test]
fn one_pair_at_least_is_served_whole_and_recasts_are_counted_after() {
    let (mut scene, watcher, things) = row(2, 0, common());
    assert!(things.is_empty());
    let extra = vec![DVec3::Y, DVec3::X];
    let many = SourceSettings { extra_aim_points: extra, ..plain() };
    let first = scene.thing_with(v(0.0, 0.0, -3.0), many, &[]);
    let second = scene.thing(v(0.0, 0.0, -4.0));
    scene.frames.recasts.insert(first.key.index(), 4);
    scene.run(Scope::Common, DT);
    assert_eq!(scene.world.last_stats().rays, 7);
    assert!(scene.seen(watcher, first) && !scene.seen(watcher, second));
    scene.run(Scope::Common, DT);
    assert_eq!(scene.world.last_stats().rays, 1);
    assert!(scene.seen(watcher, second));
}

#[test]
fn a_tick_of_one_manual_perceiver_has_no_budget() {
    let (mut scene, watcher, things) = row(1, 5, PerceiverSettings { manual: true, ..common() });
    scene.tick(watcher);
    assert_eq!(scene.asked(), sources(&things));
    assert_eq!(scene.world.last_stats().rays, 5);
}

#[test]
fn a_scan_stops_after_as_many_newcomers_as_can_be_kept_over_several_ticks() {
    let (mut scene, _, things) = row(1, 4, PerceiverSettings { max_perceived_targets: 2, ..common() });
    for served in [&things[..1], &things[1..2], &[], &[]] {
        scene.run(Scope::Common, DT);
        assert_eq!(scene.asked(), sources(served));
    }
}

#[test]
fn without_rays_scans_wait_and_then_the_oldest_comes_first() {
    let (mut scene, watcher, things) = row(1, 1, common());
    for tick in 1..=3 {
        assert_eq!(scene.run_blind(Scope::Common, DT), []);
        assert!((scene.world.last_stats().oldest_scan_wait - DT * f64::from(tick)).abs() < 1e-9);
    }
    scene.run(Scope::Common, DT);
    assert!(scene.seen(watcher, things[0]));
    assert_eq!(scene.world.last_stats().oldest_scan_wait, 0.0);
}

#[test]
fn a_noise_without_rays_left_waits_a_tick_and_is_served_first() {
    let mut scene = Scene::new();
    scene.limit_rays(1);
    let settings = || PerceiverSettings { hearing_occlusion: true, ..common() };
    let watchers = [scene.watcher(DVec3::ZERO, settings()), scene.watcher(v(1.0, 0.0, 0.0), settings())];
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    scene.noise(v(0.0, 0.0, 5.0), 1.0, None);
    assert_eq!(kinds(&scene.run(Scope::Common, DT)), [NoiseHeard]);
    assert_eq!(scene.asked(), [], "the noise took the ray");
    scene.noise(v(0.0, 0.0, 6.0), 1.0, None);
    let events = scene.run(Scope::Common, DT);
    let heard: Vec<_> = events.iter().map(|event| (event.perceiver, event.location.z)).collect();
    assert_eq!(heard, [(watchers[1].key, 5.0)], "the older noise, then nothing is left");
    let mut heard = Vec::new();
    for _ in 0..3 {
        heard.extend(scene.run(Scope::Common, DT).iter().map(|event| (event.perceiver, event.kind)));
    }
    let expected =
        [(watchers[0].key, NoiseHeard), (watchers[1].key, NoiseHeard), (watchers[0].key, Perceived)];
    assert_eq!(heard, [&expected[..], &[(watchers[0].key, SightGained)]].concat());
    assert!(scene.seen(watchers[0], thing));
}

#[test]
fn a_noise_is_heard_once_and_not_through_more_bodies_than_count() {
    let mut scene = Scene::new();
    scene.frames.walls = 9;
    let settings = PerceiverSettings {
        hearing_occlusion: true,
        hearing_occlusion_factor: 0.5,
        hearing_max_occluders: 2,
        ..common()
    };
    let watcher = scene.watcher(DVec3::ZERO, settings);
    // 15 m times 1/4; beyond 15 m no ray is spent.
    for at in [3.75, 3.76, 15.1] {
        scene.noise(v(0.0, 0.0, at), 1.0, None);
    }
    let events = scene.run(Scope::Common, DT);
    assert_eq!(events.iter().map(|event| event.location.z).collect::<Vec<_>>(), [3.75]);
    assert_eq!(scene.frames.noises.len(), 2);
    assert!(scene.frames.noises.iter().all(|noise| noise.perceiver == watcher.key && noise.most == 2));
    assert_eq!(scene.run(Scope::Common, DT), []);
}

#[derive(Clone, Debug)]
struct Crowd {
    budget: u32,
    perceivers: Vec<(u8, bool)>,
    sources: Vec<(u8, u8, u32)>,
    noisy: bool,
}

fn crowd() -> impl Strategy<Value = Crowd> {
    let perceivers = prop::collection::vec((0u8..4, any::<bool>()), 1..6);
    let sources = prop::collection::vec((1u8..20, 0u8..4, 0u32..5), 1..6);
    (1u32..9, perceivers, sources, any::<bool>()).prop_map(|(budget, perceivers, sources, noisy)| Crowd {
        budget,
        perceivers,
        sources,
        noisy,
    })
}

fn stage(crowd: &Crowd) -> Scene {
    let mut scene = Scene::new();
    scene.limit_rays(crowd.budget);
    scene.frames.walls = 3;
    for (interval, hears) in &crowd.perceivers {
        let (update_interval, hearing_occlusion) = (f64::from(*interval) * DT, *hears);
        let fov = 360.0;
        let base = PerceiverSettings { hearing_occlusion, sight_fov_degrees: fov, ..common() };
        scene.watcher(DVec3::ZERO, PerceiverSettings { update_interval, ..base });
    }
    for (at, extra, recasts) in &crowd.sources {
        let settings = SourceSettings { extra_aim_points: vec![DVec3::Y; usize::from(*extra)], ..plain() };
        let thing = scene.thing_with(v(0.0, 0.0, -f64::from(*at)), settings, &[]);
        scene.frames.recasts.insert(thing.key.index(), *recasts);
    }
    scene
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// rays ≤ max(budget, rays of one pair) + recasts of the last pair (or of a noise).
    #[test]
    fn rays_stay_within_the_bound(crowd in crowd()) {
        let mut scene = stage(&crowd);
        let most_points = crowd.sources.iter().map(|(_, extra, _)| 1 + u32::from(*extra)).max().unwrap_or(1);
        let most_recasts = crowd.sources.iter().map(|(_, _, recasts)| *recasts).max().unwrap_or(0).max(3);
        let mut served = 0;
        for tick in 0..60 {
            if crowd.noisy && tick % 2 == 0 {
                scene.noise(v(1.0, 0.0, 1.0), 1.0, None);
            }
            scene.run(Scope::Common, DT);
            let stats = scene.world.last_stats();
            prop_assert!(stats.rays <= crowd.budget.max(most_points) + most_recasts, "tick {tick}: {stats:?}");
            // Something is served in every tick in which something waits.
            prop_assert!(stats.rays_deferred == 0 || stats.rays > 0, "tick {tick}: {stats:?}");
            served += stats.rays;
        }
        prop_assert!(served > 0);
    }

    /// Nobody starves: each tick serves a pair, so no scan waits longer than all pairs of everybody take.
    #[test]
    fn every_scan_gets_its_turn(crowd in crowd()) {
        let mut scene = stage(&crowd);
        let pairs = crowd.perceivers.len() * crowd.sources.len();
        let mut last = vec![vec![0; crowd.sources.len()]; crowd.perceivers.len()];
        let ticks = 12 * pairs + 30;
        for tick in 0..ticks {
            scene.run(Scope::Common, DT);
            let wait = scene.world.last_stats().oldest_scan_wait;
            prop_assert!(wait <= (pairs as f64 + 1.0) * DT + 1e-6, "tick {tick}: {wait}");
            for (perceiver, source) in scene.asked() {
                last[perceiver][source] = tick;
            }
        }
        // 4 ticks between two scans at the most, and a turn of everybody.
        let old = last.iter().flatten().filter(|at| **at + 2 * pairs + 4 < ticks).count();
        prop_assert_eq!(old, 0, "{:?} of {}", last, ticks);
    }
}
