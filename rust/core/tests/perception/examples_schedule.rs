//! The worked examples of when scans are done and how many rays they may cast.

use glam::DVec3;
use riposte_core::perception::{PerceiverSettings, Scope};

use crate::scene::*;

#[test]
fn ex_10_23() {
    let mut scene = Scene::new();
    let settings = || PerceiverSettings { manual: false, ..looker() };
    let watchers: Vec<Watcher> = (0..3).map(|_| scene.watcher(DVec3::ZERO, settings())).collect();
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    let mut scans = vec![Vec::new(); 3];
    for tick in 0..18 {
        // A scan shows by the place that it leaves in the record.
        let at = v(0.0, 0.0, -5.0 - 0.1 * f64::from(tick));
        scene.move_thing(thing, at);
        scene.run(Scope::Common, 1.0 / 60.0);
        for (watcher, list) in watchers.iter().zip(&mut scans) {
            if scene.location(*watcher, thing) == Some(at) {
                list.push(tick);
            }
        }
    }
    assert_eq!(scans, [vec![0, 6, 12], vec![4, 10, 16], vec![2, 8, 14]]);
}

#[test]
fn ex_10_24() {
    let scans = |dt: f64, ticks: u32| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, looker());
        let thing = scene.thing(v(0.0, 0.0, -5.0));
        let mut list = Vec::new();
        for tick in 0..ticks {
            let at = v(0.0, 0.0, -5.0 - 0.1 * f64::from(tick));
            scene.move_thing(thing, at);
            scene.tick_by(watcher, dt);
            if scene.location(watcher, thing) == Some(at) {
                list.push(tick);
            }
        }
        list
    };
    assert_eq!(scans(0.04, 11), [0, 3, 5, 8, 10]);
    assert_eq!(scans(0.25, 5), [0, 1, 2, 3, 4]);
}

#[test]
fn ex_10_25() {
    let mut scene = Scene::new();
    scene.limit_rays(10);
    let settings = || PerceiverSettings { manual: false, update_interval: 1.0, ..looker() };
    let watchers: Vec<Watcher> = (0..10).map(|_| scene.watcher(DVec3::ZERO, settings())).collect();
    let things: Vec<Thing> = (1..=3).map(|n| scene.thing(v(0.0, 0.0, -f64::from(n)))).collect();
    let known = |scene: &Scene, at: usize| scene.known(watchers[at], DVec3::ZERO).len();
    let mut rays = Vec::new();
    let mut deferred = Vec::new();
    for tick in 0..4 {
        scene.run(Scope::Common, DT);
        rays.push(scene.world.last_stats().rays);
        deferred.push(scene.world.last_stats().rays_deferred);
        if tick == 0 {
            let known: Vec<usize> = (0..10).map(|at| known(&scene, at)).collect();
            assert_eq!(known, [3, 3, 3, 1, 0, 0, 0, 0, 0, 0]);
            assert!(scene.seen(watchers[3], things[0]), "the closest first");
        }
    }
    assert_eq!(rays, [10, 10, 10, 0]);
    assert_eq!(deferred, [20, 10, 0, 0]);
    assert!((0..10).all(|at| known(&scene, at) == 3));
}
