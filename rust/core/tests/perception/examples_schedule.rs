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
