//! What a tick leaves for those who build beliefs on it.

use glam::DVec3;
use riposte_core::perception::{EndedRecord, LossReason, PerceiverSettings, Scope, Senses};

use crate::scene::*;

#[test]
fn a_tick_tells_what_it_applied_to_known_targets() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, 40.0));
    scene.noise(v(0.0, 0.0, 7.5), 1.0, Some(thing));
    scene.noise(v(0.0, 0.0, 3.0), 2.0, Some(thing));
    scene.noise(v(0.0, 0.0, 1.0), 1.0, None);
    scene.hurt(watcher, Some(thing), DVec3::Y, 25.0);
    scene.tick(watcher);
    let sensed = scene.world.sensed(watcher.key);
    let numbers: Vec<_> = sensed.iter().map(|it| (it.sense, it.x, it.strength)).collect();
    let expected = [(Senses::HEARING, 0.5, 1.0), (Senses::HEARING, 0.1, 2.0), (Senses::DAMAGE, 0.0, 25.0)];
    assert_eq!(numbers, expected);
    assert!(sensed.iter().all(|it| it.target == scene.target(thing)));
    assert!(scene.world.changed(watcher.key));
    // The bits go off: a change, but nothing sensed. Then nothing at all.
    scene.tick(watcher);
    assert!(scene.world.changed(watcher.key) && scene.world.sensed(watcher.key).is_empty());
    scene.tick(watcher);
    assert!(!scene.world.changed(watcher.key));
}

#[test]
fn a_noise_of_a_place_is_a_change_without_a_target() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    scene.noise(v(0.0, 0.0, 1.0), 1.0, None);
    scene.tick(watcher);
    assert!(scene.world.changed(watcher.key) && scene.world.sensed(watcher.key).is_empty());
}

#[test]
fn a_record_shows_the_last_check_and_its_age() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -10.0));
    scene.tick(watcher);
    scene.move_thing(thing, v(0.0, 0.0, -11.0));
    scene.tick(watcher);
    let record = scene.world.records(watcher.key).next().unwrap();
    assert!((record.sight_x - 0.55).abs() < 1e-12);
    assert_eq!((record.visible_fraction, record.age, record.senses), (1.0, 0.0, Senses::SIGHT));
    assert!((record.last_check.unwrap() - 0.2).abs() < 1e-12);
    scene.hide(watcher, thing);
    scene.tick(watcher);
    let record = scene.world.records(watcher.key).next().unwrap();
    assert_eq!((record.visible_fraction, record.senses), (0.0, Senses::NONE));
    assert!((record.age - 0.1).abs() < 1e-9);
    assert_eq!(record.location, v(0.0, 0.0, -11.0));
    assert_eq!(record.velocity.round(), v(0.0, 0.0, -10.0));
}

#[test]
fn ended_records_name_their_reason_for_one_tick() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { max_perceived_targets: 2, ..looker() });
    let things: Vec<Thing> = (1..=2).map(|n| scene.thing(v(0.0, 0.0, -5.0 * f64::from(n)))).collect();
    scene.tick(watcher);
    assert_eq!(scene.world.ended(watcher.key), []);
    scene.thing(v(0.0, 0.0, -1.0));
    let gone = scene.target(things[0]);
    let far = scene.target(things[1]);
    scene.world.forget(watcher.key, gone);
    scene.hide(watcher, things[0]);
    scene.tick(watcher);
    assert_eq!(scene.world.ended(watcher.key), [EndedRecord { target: gone, reason: LossReason::Dismissed }]);
    scene.thing(v(0.0, 0.0, -0.5));
    scene.tick(watcher);
    assert_eq!(scene.world.ended(watcher.key), [EndedRecord { target: far, reason: LossReason::Displaced }]);
    scene.tick(watcher);
    assert_eq!(scene.world.ended(watcher.key), []);
}

#[test]
fn the_protected_target_is_never_displaced() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { max_perceived_targets: 2, ..looker() });
    let near = scene.thing(v(0.0, 0.0, -5.0));
    let far = scene.thing(v(0.0, 0.0, -19.0));
    scene.tick(watcher);
    scene.world.set_protected(watcher.key, Some(scene.target(far)));
    let newcomer = scene.thing(v(0.0, 0.0, -1.0));
    scene.tick(watcher);
    assert!(scene.seen(watcher, far) && scene.seen(watcher, newcomer) && !scene.seen(watcher, near));
    // Nor by damage, nor by a lower limit; a newcomer that could displace only it is not recorded.
    scene.set(watcher, |settings| settings.max_perceived_targets = 1);
    scene.hurt(watcher, Some(near), DVec3::ZERO, 1.0);
    scene.tick(watcher);
    assert_eq!(scene.known(watcher, DVec3::ZERO), [far.agent]);
    scene.world.set_protected(watcher.key, None);
    scene.tick(watcher);
    assert_eq!(scene.known(watcher, DVec3::ZERO), [newcomer.agent]);
}

#[test]
fn a_scope_ticks_those_that_run() {
    let mut scene = Scene::new();
    let manual = scene.watcher(DVec3::ZERO, looker());
    let common = scene.watcher(DVec3::ZERO, PerceiverSettings { manual: false, ..looker() });
    let ticks = |scene: &Scene, watcher: Watcher| {
        let one = scene.world.ticks_in(watcher.key, Scope::One(watcher.key));
        (scene.world.ticks_in(watcher.key, Scope::Common), one)
    };
    assert_eq!(ticks(&scene, manual), (false, true));
    assert!(ticks(&scene, common).0);
    assert!(!scene.world.ticks_in(common.key, Scope::One(manual.key)));
    scene.world.set_frozen(common.key, true);
    assert!(!ticks(&scene, common).0);
}
