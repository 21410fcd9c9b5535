//! Rules of settings and times that change while a game runs.

use glam::DVec3;
use riposte_core::perception::{LossReason, PerceiverSettings, Senses, TargetState};

use crate::scene::*;

#[test]
fn without_time_nothing_ages_or_is_scanned_but_reports_are_applied() {
    for still in [|it: &mut PerceiverSettings| it.time_scale = 0.0, |_: &mut PerceiverSettings| {}] {
        let (mut scene, watcher, thing) = watching();
        scene.set(watcher, still);
        scene.hide(watcher, thing);
        let other = scene.thing(v(1.0, 0.0, -5.0));
        let scaled = scene.world.perceiver_settings(watcher.key).unwrap().time_scale == 0.0;
        let dt = if scaled { DT } else { 0.0 };
        for _ in 0..100 {
            assert_eq!(scene.tick_by(watcher, dt), []);
        }
        assert!(scene.seen(watcher, thing) && !scene.seen(watcher, other));
        scene.noise(v(0.0, 0.0, 1.0), 1.0, Some(other));
        assert_eq!(kinds(&scene.tick_by(watcher, dt)), [Perceived, NoiseHeard]);
        for _ in 0..100 {
            assert_eq!(scene.tick_by(watcher, dt), []);
        }
        let target = scene.target(other);
        assert_eq!(scene.world.target_state(watcher.key, target), TargetState::Remembered);
        assert_eq!(scene.age(watcher, other), Some(0.0));
    }
}

#[test]
fn without_interval_every_tick_scans_even_without_time() {
    let (mut scene, watcher, thing) = watching();
    scene.set(watcher, |settings| settings.update_interval = 0.0);
    scene.hide(watcher, thing);
    assert_eq!(kinds(&scene.tick_by(watcher, 0.0)), [SightLost]);
    // Nothing is made out without time.
    scene.set(watcher, |settings| settings.detection_time = 1.0);
    let slow = scene.thing(v(0.0, 0.0, -3.0));
    for _ in 0..10 {
        assert_eq!(scene.tick_by(watcher, 0.0), []);
    }
    assert_eq!(scene.detection(watcher, slow), 0.0);
}

#[test]
fn a_shorter_interval_shortens_the_wait_and_a_longer_one_does_not() {
    let scans = |interval: f64| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { update_interval: 1.0, ..looker() });
        scene.tick(watcher);
        scene.set(watcher, |settings| settings.update_interval = interval);
        let thing = scene.thing(v(0.0, 0.0, -5.0));
        (1..30).find(|_| {
            scene.tick(watcher);
            scene.seen(watcher, thing)
        })
    };
    assert_eq!(scans(1.0), Some(10));
    assert_eq!(scans(0.2), Some(3));
    assert_eq!(scans(2.0), Some(10));
}

#[test]
fn geometry_works_at_the_next_check_and_what_fails_is_forgotten_normally() {
    let changes: [fn(&mut PerceiverSettings); 2] = [
        |settings| (settings.sight_radius, settings.lose_sight_radius) = (3.0, 4.0),
        |settings| settings.sight_min_visible_points = 2,
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let (mut scene, watcher, thing) = watching();
        scene.frames.masks.insert(thing.key.index(), 1);
        scene.set_source(thing, |settings| settings.extra_aim_points = vec![DVec3::Y]);
        scene.set(watcher, |settings| settings.update_interval = 0.2);
        scene.tick(watcher);
        scene.set(watcher, change);
        let mut told = Vec::new();
        for tick in 0..60 {
            told.extend(scene.tick(watcher).into_iter().map(|event| (tick, event.kind, event.reason)));
        }
        assert_eq!(told.len(), 2, "{at}: {told:?}");
        assert_eq!((told[0].1, told[1].1), (SightLost, Lost));
        assert_eq!((told[1].0 - told[0].0, told[1].2), (49, LossReason::Forgotten));
    }
    // A narrower cone takes nothing from who is seen: what is seen stays seen at any angle.
    let (mut scene, watcher, thing) = watching();
    scene.move_thing(thing, v(4.0, 0.0, -5.0));
    scene.set(watcher, |settings| settings.sight_fov_degrees = 10.0);
    assert_eq!(scene.tick(watcher), []);
    scene.hide(watcher, thing);
    scene.tick(watcher);
    scene.show(watcher, thing);
    assert_eq!(scene.tick(watcher), [], "to be seen again it must be inside the cone");
}

#[test]
fn a_long_frame_is_one_tick_and_one_scan() {
    let (mut scene, watcher, thing) = watching();
    scene.frames.questions.clear();
    scene.tick_by(watcher, 3.0);
    assert_eq!(scene.frames.questions.len(), 1);
    assert!((scene.world.time(watcher.key) - 3.1).abs() < 1e-9);
    // What was out of sight for all of it has aged by all of it.
    scene.hide(watcher, thing);
    scene.tick_by(watcher, 4.0);
    assert!((scene.age(watcher, thing).unwrap() - 4.0).abs() < 1e-9);
}

#[test]
fn what_is_added_between_two_ticks_takes_part_in_the_next() {
    let (mut scene, watcher, _) = watching();
    let thing = scene.thing(v(1.0, 0.0, -5.0));
    assert!(!scene.seen(watcher, thing));
    assert_eq!(kinds(&scene.tick(watcher)), [Perceived, SightGained]);
    let other = scene.watcher(DVec3::ZERO, looker());
    assert_eq!(scene.tick(other).len(), 4);
}

#[test]
fn velocity_needs_two_checks_at_most_a_second_apart() {
    let (mut scene, watcher, thing) = watching();
    let velocity = |scene: &Scene| scene.world.record(watcher.key, scene.target(thing)).unwrap().velocity;
    assert_eq!(velocity(&scene), DVec3::ZERO, "after one check");
    scene.move_thing(thing, v(2.0, 0.0, -5.0));
    scene.tick_by(watcher, 1.0);
    assert!(velocity(&scene).distance(v(2.0, 0.0, 0.0)) < 1e-9, "a second apart");
    scene.move_thing(thing, v(4.0, 0.0, -5.0));
    scene.tick_by(watcher, 1.1);
    assert_eq!(velocity(&scene), DVec3::ZERO, "more than a second apart");
    // Out of sight and back: the checks that saw it count.
    scene.move_thing(thing, v(4.5, 0.0, -5.0));
    scene.tick_by(watcher, 0.5);
    scene.hide(watcher, thing);
    scene.tick(watcher);
    assert!(velocity(&scene).distance(v(1.0, 0.0, 0.0)) < 1e-9, "kept while it is not seen");
    scene.show(watcher, thing);
    scene.move_thing(thing, v(4.9, 0.0, -5.0));
    scene.tick(watcher);
    assert!(velocity(&scene).distance(v(2.0, 0.0, 0.0)) < 1e-9);
    // A noise says nothing of the speed.
    scene.noise(v(0.0, 0.0, 3.0), 1.0, Some(thing));
    scene.hide(watcher, thing);
    scene.tick(watcher);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, 3.0)));
    assert!(velocity(&scene).distance(v(2.0, 0.0, 0.0)) < 1e-9);
}

#[test]
fn no_velocity_comes_of_next_to_no_time() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { update_interval: 0.0, ..looker() });
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    for x in 0..3 {
        scene.move_thing(thing, v(f64::from(x), 0.0, -5.0));
        scene.tick_by(watcher, 1e-310);
    }
    let record = scene.world.record(watcher.key, scene.target(thing)).unwrap();
    assert_eq!(record.velocity, DVec3::ZERO);
}

#[test]
fn who_is_sensed_by_whom() {
    let (mut scene, watcher, thing) = watching();
    let other = scene.watcher(DVec3::ZERO, looker());
    scene.hide(other, thing);
    scene.noise(v(0.0, 0.0, 1.0), 1.0, Some(thing));
    scene.tick(watcher);
    scene.tick(other);
    let target = scene.target(thing);
    let by = |scene: &Scene, senses| {
        let mut list = vec![watcher.key];
        scene.world.perceivers_of(target, senses, &mut list);
        list
    };
    assert_eq!(by(&scene, Senses::ANY), [watcher.key, other.key]);
    assert_eq!(by(&scene, Senses::SIGHT), [watcher.key]);
    scene.tick(other);
    assert_eq!(by(&scene, Senses::ANY), [watcher.key]);
    assert_eq!(by(&scene, Senses::NONE), [watcher.key, other.key], "an empty set asks for a record");
    scene.set_source(thing, |settings| settings.enabled = false);
    assert_eq!(by(&scene, Senses::NONE), []);
}

#[test]
fn lists_are_by_distance_then_by_number_and_reuse_the_buffer() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let far = scene.thing(v(0.0, 0.0, -9.0));
    let left = scene.thing(v(-3.0, 0.0, -4.0));
    let right = scene.thing(v(3.0, 0.0, -4.0));
    scene.tick(watcher);
    let mut list = vec![scene.target(far); 7];
    scene.world.targets(watcher.key, DVec3::ZERO, &mut list);
    assert_eq!(list, [scene.target(left), scene.target(right), scene.target(far)]);
    assert_eq!(scene.world.closest_target(watcher.key, DVec3::ZERO), Some(scene.target(left)));
    assert_eq!(scene.world.closest_target(watcher.key, v(0.0, 0.0, -9.0)), Some(scene.target(far)));
    scene.world.forget_all(watcher.key);
    scene.world.targets(watcher.key, DVec3::ZERO, &mut list);
    assert_eq!(list, []);
    assert_eq!(scene.world.closest_target(watcher.key, DVec3::ZERO), None);
}

#[test]
fn points_and_fraction_are_those_of_the_last_check() {
    let (mut scene, watcher, thing) = watching();
    scene.set_source(thing, |settings| settings.extra_aim_points = vec![DVec3::Y, DVec3::X, DVec3::Z]);
    scene.frames.masks.insert(thing.key.index(), 0b1010);
    let target = scene.target(thing);
    let now = |scene: &Scene| {
        let world = &scene.world;
        (world.visible_points(watcher.key, target), world.visible_fraction(watcher.key, target))
    };
    assert_eq!(now(&scene), (1, 1.0));
    scene.tick(watcher);
    assert_eq!(now(&scene), (0b1010, 0.5));
    scene.hide(watcher, thing);
    scene.tick(watcher);
    assert_eq!(now(&scene), (0, 0.0));
}
