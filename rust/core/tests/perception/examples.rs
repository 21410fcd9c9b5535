//! The worked examples. Unless stated: manual, dt 0.1, perceiver at the origin, no offsets, nothing blocks.

use glam::{DMat3, DVec3};
use riposte_core::perception::{
    Affiliation, Event, Frame, LossReason, PerceiverPlace, PerceiverSettings, Reported, Scope, Senses,
    SourcePlace, SourceSettings, TargetState, eye_and_forward,
};

use crate::scene::*;

fn origin() -> DVec3 {
    DVec3::ZERO
}

/// One watcher, one thing, one tick.
fn seen_at(at: DVec3) -> bool {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
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
    let watcher = scene.watcher(origin(), looker());
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

/// Seen up to tick 7, then blocked. Gives (tick, event) from tick 8 on.
fn lose_after_tick_7(settings: PerceiverSettings, ticks: u32) -> Vec<(u32, Event)> {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), settings);
    let thing = scene.thing(v(0.0, 0.0, -10.0));
    let mut events = Vec::new();
    for tick in 0..ticks {
        scene.move_thing(thing, v(f64::from(tick), 0.0, -10.0));
        if tick == 8 {
            scene.hide(watcher, thing);
        }
        let told = scene.tick(watcher);
        if tick >= 8 {
            events.extend(told.into_iter().map(|event| (tick, event)));
        } else {
            assert!(scene.seen(watcher, thing), "tick {tick}");
        }
    }
    events
}

fn when(events: &[(u32, Event)]) -> Vec<(u32, riposte_core::perception::EventKind)> {
    events.iter().map(|(tick, event)| (*tick, event.kind)).collect()
}

#[test]
fn ex_10_5() {
    let events = lose_after_tick_7(looker(), 60);
    assert_eq!(when(&events), [(8, SightLost), (57, Lost)]);
    assert_eq!(events[1].1.reason, LossReason::Forgotten);
    assert_eq!(events[1].1.location, v(7.0, 0.0, -10.0));
}

#[test]
fn ex_10_6() {
    let events = lose_after_tick_7(PerceiverSettings { forget_time: 0.0, ..looker() }, 12);
    assert_eq!(when(&events), [(8, SightLost), (8, Lost)]);
}

#[test]
fn ex_10_7() {
    let heard = |loudness: f64, distance: f64| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(origin(), looker());
        let thing = scene.thing(v(0.0, 0.0, 100.0));
        scene.noise(v(0.0, 0.0, distance), loudness, Some(thing));
        scene.tick(watcher);
        scene.senses(watcher, thing) == Senses::HEARING.bits()
    };
    assert!(heard(0.5, 7.5));
    assert!(!heard(0.5, 7.51));
    assert!(heard(3.0, 45.0));
    assert!(!heard(3.0, 45.01));
}

#[test]
fn ex_10_8() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let thing = scene.thing(v(0.0, 0.0, 3.0));
    let mut lost = Vec::new();
    for tick in 0..60 {
        if tick == 4 {
            scene.noise(v(0.0, 0.0, 5.0), 1.0, Some(thing));
        }
        let events = scene.tick(watcher);
        match tick {
            4 => {
                assert_eq!(kinds(&events), [Perceived, NoiseHeard]);
                assert_eq!(scene.senses(watcher, thing), Senses::HEARING.bits());
                assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, 5.0)));
            }
            5 => assert_eq!(scene.senses(watcher, thing), 0),
            _ => {}
        }
        lost.extend(events.iter().filter(|event| event.kind == Lost).map(|event| (tick, event.location)));
    }
    assert_eq!(lost, [(54, v(0.0, 0.0, 5.0))]);
}

#[test]
fn ex_10_9() {
    let seen = |z: f64, auto_detect_radius: f64| {
        let mut scene = Scene::new();
        let settings = PerceiverSettings { manual: true, auto_detect_radius, ..PerceiverSettings::default() };
        let watcher = scene.watcher(origin(), settings);
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
        let watcher = scene.watcher(origin(), looker());
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
fn ex_10_11() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    scene.detect(watcher, &["Team.Blue"], &[]);
    let thing = scene.thing_with(v(0.0, 0.0, 300.0), plain(), &["Team.Red"]);
    scene.hide(watcher, thing);
    assert_eq!(scene.hurt(watcher, Some(thing), v(0.0, 1.0, 0.5), 25.0), Reported::Accepted);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, DamageSensed]);
    assert_eq!(events[0].sense, Senses::DAMAGE);
    assert_eq!(events[0].strength, 25.0);
    assert_eq!(events[0].location, v(0.0, 0.0, 300.0));
    assert_eq!(events[0].stimulus_location, v(0.0, 1.0, 0.5));
    scene.tick(watcher);
    assert_eq!(scene.senses(watcher, thing), 0);
    let lost: Vec<u32> =
        (2..60).filter(|_| scene.tick(watcher).iter().any(|event| event.kind == Lost)).collect();
    assert_eq!(lost, [50]);
}

/// 20 things in a row, closest first, after one tick.
fn twenty() -> (Scene, Watcher, Vec<Thing>, Vec<Event>) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let things: Vec<Thing> = (1..=20).map(|n| scene.thing(v(0.0, 0.0, -f64::from(n)))).collect();
    let events = scene.tick(watcher);
    (scene, watcher, things, events)
}

#[test]
fn ex_10_12() {
    let (scene, watcher, things, events) = twenty();
    let closest: Vec<i64> = things[..16].iter().map(|thing| thing.agent).collect();
    assert_eq!(scene.known(watcher, origin()), closest);
    assert_eq!(events.iter().filter(|event| event.kind == Perceived).count(), 16);
    assert_eq!(events.len(), 32);
}

#[test]
fn ex_10_13() {
    let (mut scene, watcher, things, _) = twenty();
    let close = scene.thing(v(0.0, 0.0, -0.5));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost, Perceived, SightGained]);
    assert_eq!(events[1].reason, LossReason::Displaced);
    assert_eq!(events[1].target.unwrap().agent, things[15].agent);
    assert_eq!(events[2].target.unwrap().agent, close.agent);
}

#[test]
fn ex_10_14() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    for n in 1..=16 {
        scene.thing(v(0.0, 0.0, -f64::from(n)));
    }
    scene.tick(watcher);
    let newcomer = scene.thing(v(0.0, 0.0, -15.5));
    assert_eq!(scene.tick(watcher), []);
    assert_eq!(scene.senses(watcher, newcomer), 0);
}

#[test]
fn ex_10_15() {
    let run = |needed: u32| {
        let mut scene = Scene::new();
        let watcher =
            scene.watcher(origin(), PerceiverSettings { sight_min_visible_points: needed, ..looker() });
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
    let watcher = scene.watcher(origin(), PerceiverSettings { sight_min_visible_points: 3, ..looker() });
    let thing = scene.thing(v(0.0, 0.0, -9.0));
    scene.tick(watcher);
    assert!(scene.seen(watcher, thing));
}

#[test]
fn ex_10_22() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let thing = scene.thing(v(0.0, 0.0, -10.0));
    scene.tick(watcher);
    scene.move_thing(thing, v(1.0, 0.0, -10.0));
    scene.tick(watcher);
    let velocity = |scene: &Scene| scene.world.record(watcher.key, scene.target(thing)).unwrap().velocity;
    assert!(velocity(&scene).distance(v(10.0, 0.0, 0.0)) < 1e-9);
    scene.hide(watcher, thing);
    scene.tick(watcher);
    assert!(velocity(&scene).distance(v(10.0, 0.0, 0.0)) < 1e-9);
}

#[test]
fn ex_10_23() {
    let mut scene = Scene::new();
    let settings = || PerceiverSettings { manual: false, ..looker() };
    let watchers: Vec<Watcher> = (0..3).map(|_| scene.watcher(origin(), settings())).collect();
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
        let watcher = scene.watcher(origin(), looker());
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
fn ex_10_26() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let first = scene.thing(v(3.0, 0.0, -4.0));
    let second = scene.thing(v(-3.0, 0.0, -4.0));
    scene.tick(watcher);
    assert_eq!(scene.known(watcher, origin()), [first.agent, second.agent]);
}

#[test]
fn ex_10_27() {
    let seen = |z: f64| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(origin(), PerceiverSettings { use_model_front: true, ..looker() });
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
    let watcher = scene.watcher(origin(), looker());
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
fn ex_10_30() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    scene.noise(v(0.0, 0.0, 3.0), 1.0, Some(thing));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, SightGained, NoiseHeard]);
    let event = &events[0];
    assert_eq!((event.sense, event.strength, event.senses.bits()), (Senses::SIGHT, 0.0, 3));
    assert_eq!(event.location, v(0.0, 0.0, -5.0));
    assert_eq!((events[2].sense, events[2].strength), (Senses::HEARING, 1.0));
    assert_eq!(events[2].location, v(0.0, 0.0, -5.0));
    assert_eq!(events[2].stimulus_location, v(0.0, 0.0, 3.0));
}

#[test]
fn ex_10_31() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    scene.tick(watcher);
    scene.noise(v(0.0, 0.0, 5.0), 1.0, Some(thing));
    scene.tick(watcher);
    assert_eq!(scene.senses(watcher, thing), 3);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, -5.0)));
}

#[test]
fn ex_10_32() {
    let slow = PerceiverSettings { time_scale: 0.5, ..looker() };
    assert_eq!(when(&lose_after_tick_7(slow, 110)), [(8, SightLost), (107, Lost)]);
    let frozen = PerceiverSettings { time_scale: 0.0, update_interval: 0.0, ..looker() };
    assert_eq!(when(&lose_after_tick_7(frozen, 500)), [(8, SightLost)]);
}

/// A watcher that sees a thing.
fn watching() -> (Scene, Watcher, Thing) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    scene.tick(watcher);
    (scene, watcher, thing)
}

#[test]
fn ex_10_33() {
    // Freed: out of the tree, then unregistered.
    let (mut scene, watcher, thing) = watching();
    let target = scene.target(thing);
    scene.world.place_source(thing.key, SourcePlace::default());
    scene.world.remove_source(thing.key);
    assert!(scene.world.record(watcher.key, target).is_none());
    assert_eq!(scene.known(watcher, origin()), []);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost]);
    assert_eq!(events[1].reason, LossReason::Gone);
    assert!(scene.world.target_of(thing.agent).is_none());
    // Only disabled: the same, and the agent is still the target of the event.
    let (mut scene, watcher, thing) = watching();
    scene.set_source(thing, |settings| settings.enabled = false);
    assert!(!scene.seen(watcher, thing));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost]);
    assert_eq!(events[1].reason, LossReason::Gone);
    assert_eq!(events[1].target.unwrap().agent, thing.agent);
}

#[test]
fn ex_10_34() {
    let (mut scene, watcher, thing) = watching();
    let place = SourcePlace { space: Some(scene.space), agent: Some(thing.agent), ..SourcePlace::default() };
    scene.world.place_source(thing.key, SourcePlace { space: None, ..place.clone() });
    assert!(!scene.seen(watcher, thing), "not while it is out of the tree");
    scene.world.place_source(thing.key, SourcePlace { ancestors: vec![7], ..place });
    assert!(scene.seen(watcher, thing));
    assert_eq!(scene.tick(watcher), []);
}

#[test]
fn ex_10_35() {
    // The handler of the first target_perceived removes the perceiver: the rest is not delivered.
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let (a, b) = (scene.thing(v(0.0, 0.0, -5.0)), scene.thing(v(0.0, 0.0, -6.0)));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, Perceived, SightGained, SightGained]);
    scene.world.remove_perceiver(watcher.key);
    for event in &events[1..] {
        scene.world.not_delivered(event);
    }
    assert_eq!(scene.tick(watcher), []);
    // It frees target b: its beginning is not told, nor its end.
    let watcher = scene.watcher(origin(), looker());
    let events = scene.tick(watcher);
    scene.world.remove_source(b.key);
    for event in events.iter().filter(|event| event.target.unwrap().agent == b.agent) {
        scene.world.not_delivered(event);
    }
    assert_eq!(scene.tick(watcher), []);
    assert!(scene.seen(watcher, a));
    // It calls forget_all: what was told ends once, and is perceived anew.
    assert_eq!(scene.world.forget_all(watcher.key), 1);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost, Perceived, SightGained]);
    assert_eq!(events[1].reason, LossReason::Dismissed);
}

#[test]
fn ex_10_37() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(origin(), looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    for _ in 0..8 {
        scene.tick(watcher);
    }
    scene.hide(watcher, thing);
    let events = scene.tick_by(watcher, 6.0);
    assert_eq!(kinds(&events), [SightLost, Lost]);
    assert_eq!(events[1].reason, LossReason::Forgotten);
}

#[test]
fn ex_10_39() {
    let mut scene = Scene::new();
    let agent = scene.agent();
    let key = scene.world.add_perceiver(looker(), Affiliation::default());
    scene.world.place_perceiver(key, PerceiverPlace { space: Some(scene.space), agent, order: 0 });
    scene.frames.perceivers.insert(key.index(), Frame::at(DVec3::ZERO));
    let watcher = Watcher { key, agent };
    let own = scene.source_of(agent, &[], 0, v(0.0, 0.0, -1.0), plain(), &[]);
    let child_agent = scene.agent();
    let child = scene.source_of(child_agent, &[agent, 1], 0, v(0.0, 0.0, -2.0), plain(), &[]);
    scene.noise(v(0.0, 0.0, -1.0), 1.0, Some(own));
    scene.noise(v(0.0, 0.0, -1.0), 1.0, Some(child));
    assert_eq!(scene.hurt(watcher, Some(own), DVec3::ZERO, 5.0), Reported::Ignored);
    assert_eq!(scene.hurt(watcher, Some(child), DVec3::ZERO, 5.0), Reported::Ignored);
    assert_eq!(scene.tick(watcher), []);
    assert_eq!(scene.known(watcher, origin()), []);
}

#[test]
fn ex_10_40() {
    let seen = |x: f64, y: f64| {
        let mut scene = Scene::new();
        scene.space = scene.world.add_space(true);
        let settings = PerceiverSettings { sight_radius: 400.0, lose_sight_radius: 500.0, ..looker() };
        let watcher = scene.watcher(origin(), settings);
        let thing = scene.thing(v(x, y, 0.0));
        scene.tick(watcher);
        scene.seen(watcher, thing)
    };
    assert!(seen(400.0, 0.0));
    assert!(seen(282.0, 282.0));
    assert!(!seen(283.0, 283.0));
    assert!(!seen(0.0, 400.0));
}
