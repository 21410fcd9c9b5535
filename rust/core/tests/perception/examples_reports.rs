//! The worked examples of noises and damage.

use glam::DVec3;
use riposte_core::perception::{Affiliation, Frame, PerceiverPlace, PerceiverSettings, Reported, Senses};

use crate::scene::*;

#[test]
fn ex_10_7() {
    let heard = |loudness: f64, distance: f64| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, looker());
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
    let watcher = scene.watcher(DVec3::ZERO, looker());
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
fn ex_10_11() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
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

#[test]
fn ex_10_30() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
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
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    scene.tick(watcher);
    scene.noise(v(0.0, 0.0, 5.0), 1.0, Some(thing));
    scene.tick(watcher);
    assert_eq!(scene.senses(watcher, thing), 3);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, -5.0)));
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
    assert_eq!(scene.known(watcher, DVec3::ZERO), []);
}

#[test]
fn ex_10_21() {
    let heard = |walls: u32| {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { hearing_occlusion: true, ..looker() });
        let thing = scene.thing(v(0.0, 0.0, 14.0));
        scene.frames.walls = walls;
        scene.noise(v(0.0, 0.0, 14.0), 2.0, Some(thing));
        scene.tick(watcher);
        scene.senses(watcher, thing) & Senses::HEARING.bits() != 0
    };
    assert!(heard(0) && heard(1));
    assert!(!heard(2));
}
