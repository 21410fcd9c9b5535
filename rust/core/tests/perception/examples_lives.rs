//! The worked examples of targets and perceivers that come and go.

use glam::DVec3;
use riposte_core::perception::{LossReason, SourcePlace};

use crate::scene::*;

#[test]
fn ex_10_33() {
    // Freed: out of the tree, then unregistered.
    let (mut scene, watcher, thing) = watching();
    let target = scene.target(thing);
    scene.world.place_source(thing.key, SourcePlace::default());
    scene.world.remove_source(thing.key);
    assert!(scene.world.record(watcher.key, target).is_none());
    assert_eq!(scene.known(watcher, DVec3::ZERO), []);
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
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let (a, b) = (scene.thing(v(0.0, 0.0, -5.0)), scene.thing(v(0.0, 0.0, -6.0)));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, Perceived, SightGained, SightGained]);
    scene.world.remove_perceiver(watcher.key);
    for event in &events[1..] {
        scene.world.not_delivered(event);
    }
    assert_eq!(scene.tick(watcher), []);
    // It frees target b: its beginning is not told, nor its end.
    let watcher = scene.watcher(DVec3::ZERO, looker());
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
