//! The worked examples of sight. Unless stated: manual, dt 0.1, perceiver at the origin, no offsets, nothing blocks.

use glam::{DMat3, DVec3};
use riposte_core::perception::{
    Event, Frame, PerceiverSettings, SourceSettings, TargetState, eye_and_forward,
};

use crate::scene::*;

/// One watcher, one thing, one tick.
fn seen_at(at: DVec3) -> bool {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(at);
    scene.tick(watcher);
    scene.seen(watcher, thing)
}

#[test]
fn ex_10_1() {
    assert!(seen_at(v(0.0, 0.0, -20.0)));
    assert!(!seen_at(v(0.0, 0.0, -20.01)));
}

#[test]
fn ex_10_2() {
    assert!(seen_at(v(14.0, 0.0, -14.0)));
    assert!(!seen_at(v(14.1, 0.0, -14.0)));
}

/// Example 3, up to its end; the events so far.
fn run_example_3() -> (Scene, Watcher, Thing, Vec<Event>) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -10.0));
    let mut events = scene.tick(watcher);
    assert!(scene.seen(watcher, thing));
    for (z, seen) in [(10.0, true), (25.0, true), (25.01, false)] {
        scene.move_thing(thing, v(0.0, 0.0, z));
        events.extend(scene.tick(watcher));
        assert_eq!(scene.seen(watcher, thing), seen, "z {z}");
    }
    (scene, watcher, thing, events)
}

#[test]
fn ex_10_3() {
    let (scene, watcher, thing, _) = run_example_3();
    assert_eq!(scene.world.target_state(watcher.key, scene.target(thing)), TargetState::Remembered);
    assert!((scene.age(watcher, thing).unwrap() - 0.1).abs() < 1e-9);
}

#[test]
fn ex_10_4() {
    let (mut scene, watcher, thing, before) = run_example_3();
    assert_eq!(kinds(&before), [Perceived, SightGained, SightLost]);
    let mut events = Vec::new();
    for (z, seen) in [(22.0, false), (-22.0, false), (-19.0, true)] {
        scene.move_thing(thing, v(0.0, 0.0, z));
        events.extend(scene.tick(watcher));
        assert_eq!(scene.seen(watcher, thing), seen, "z {z}");
    }
    assert_eq!(kinds(&events), [SightGained]);
}

#[test]
fn ex_10_9() {
    let seen = |z: f64, auto_detect_radius: f64| {
        let mut scene = Scene::new();
        let settings = PerceiverSettings { manual: true, auto_detect_radius, ..PerceiverSettings::default() };
        let watcher = scene.watcher(DVec3::ZERO, settings);
        let thing = scene.thing_with(v(0.0, 0.0, z), SourceSettings::default(), &[]);
        scene.tick(watcher);
        scene.seen(watcher, thing)
    };
    assert!(seen(-1.0, 0.0));
    assert!(!seen(-0.5, 0.0));
    assert!(seen(-0.5, 1.0));
}

#[test]
fn ex_10_10() {
    let seen = |detectable: &[&str], tags: &[&str]| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, looker());
        scene.detect(watcher, detectable, &[]);
        let thing = scene.thing_with(v(0.0, 0.0, -5.0), plain(), tags);
        scene.tick(watcher);
        scene.seen(watcher, thing)
    };
    assert!(!seen(&["Team.Blue"], &["Team.Red"]));
    assert!(seen(&["Team"], &["Team.Red"]));
    assert!(!seen(&["Team.Red"], &["Team"]));
    assert!(!seen(&["Team"], &[]));
}

#[test]
fn ex_10_15() {
    let run = |needed: u32| {
        let mut scene = Scene::new();
        let watcher =
            scene.watcher(DVec3::ZERO, PerceiverSettings { sight_min_visible_points: needed, ..looker() });
        let points = vec![v(0.0, 1.0, 0.0), v(0.0, 2.0, 0.0)];
        let thing =
            scene.thing_with(v(0.0, 0.0, -9.0), SourceSettings { extra_aim_points: points, ..plain() }, &[]);
        scene.frames.masks.insert(thing.key.index(), 0b101);
        scene.tick(watcher);
        let fraction = scene.world.record(watcher.key, scene.target(thing)).map(|it| it.visible_fraction());
        (scene.seen(watcher, thing), fraction)
    };
    let (seen, fraction) = run(2);
    assert!(seen && (fraction.unwrap() - 0.6667).abs() < 1e-4);
    assert_eq!(run(3), (false, None));
}

#[test]
fn ex_10_16() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { sight_min_visible_points: 3, ..looker() });
    let thing = scene.thing(v(0.0, 0.0, -9.0));
    scene.tick(watcher);
    assert!(scene.seen(watcher, thing));
}

#[test]
fn ex_10_26() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let first = scene.thing(v(3.0, 0.0, -4.0));
    let second = scene.thing(v(-3.0, 0.0, -4.0));
    scene.tick(watcher);
    assert_eq!(scene.known(watcher, DVec3::ZERO), [first.agent, second.agent]);
}

#[test]
fn ex_10_27() {
    let seen = |z: f64| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { use_model_front: true, ..looker() });
        let thing = scene.thing(v(0.0, 0.0, z));
        scene.tick(watcher);
        scene.seen(watcher, thing)
    };
    assert!(seen(10.0));
    assert!(!seen(-10.0));
}

#[test]
fn ex_10_28() {
    let frame = Frame { origin: DVec3::ZERO, basis: DMat3::IDENTITY * 3.0 };
    let settings = PerceiverSettings { eye_offset: v(0.0, 1.6, 0.0), ..looker() };
    let (eye, _) = eye_and_forward(&frame.pose().unwrap(), &settings, false);
    assert!(eye.distance(v(0.0, 1.6, 0.0)) < 1e-12);
}

#[test]
fn ex_10_29() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let dark = || SourceSettings { sight_range_scale: 0.5, ..plain() };
    let near = scene.thing_with(v(0.0, 0.0, -10.0), dark(), &[]);
    let far = scene.thing_with(v(0.0, 0.0, -10.01), dark(), &[]);
    scene.tick(watcher);
    assert!(scene.seen(watcher, near) && !scene.seen(watcher, far));
    scene.move_thing(near, v(0.0, 0.0, 12.5));
    scene.tick(watcher);
    assert!(scene.seen(watcher, near));
    scene.move_thing(near, v(0.0, 0.0, 12.51));
    scene.tick(watcher);
    assert!(!scene.seen(watcher, near));
}

#[test]
fn ex_10_40() {
    let seen = |x: f64, y: f64| {
        let mut scene = Scene::new();
        scene.space = scene.world.add_space(true);
        let settings = PerceiverSettings { sight_radius: 400.0, lose_sight_radius: 500.0, ..looker() };
        let watcher = scene.watcher(DVec3::ZERO, settings);
        let thing = scene.thing(v(x, y, 0.0));
        scene.tick(watcher);
        scene.seen(watcher, thing)
    };
    assert!(seen(400.0, 0.0));
    assert!(seen(282.0, 282.0));
    assert!(!seen(283.0, 283.0));
    assert!(!seen(0.0, 400.0));
}

/// What stands in the way is for those who cast the rays to judge; what they say counts, and so does every cast.
#[test]
fn ex_10_36() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -10.0));
    scene.frames.recasts.insert(thing.key.index(), 2);
    scene.tick(watcher);
    assert!(scene.seen(watcher, thing));
    assert_eq!(scene.world.last_stats().rays, 3);
    scene.frames.recasts.clear();
    scene.hide(watcher, thing);
    scene.tick(watcher);
    assert!(!scene.seen(watcher, thing));
    assert_eq!(scene.world.last_stats().rays, 1);
}
