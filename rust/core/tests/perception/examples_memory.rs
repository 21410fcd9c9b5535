//! The worked examples of records, memory and places.

use glam::DVec3;
use riposte_core::perception::{Event, EventKind, LossReason, PerceiverSettings};

use crate::scene::*;

/// Seen up to tick 7, then blocked. Gives (tick, event) from tick 8 on.
fn lose_after_tick_7(settings: PerceiverSettings, ticks: u32) -> Vec<(u32, Event)> {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, settings);
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

fn when(events: &[(u32, Event)]) -> Vec<(u32, EventKind)> {
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

/// 20 things in a row, closest first, after one tick.
fn twenty() -> (Scene, Watcher, Vec<Thing>, Vec<Event>) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let things: Vec<Thing> = (1..=20).map(|n| scene.thing(v(0.0, 0.0, -f64::from(n)))).collect();
    let events = scene.tick(watcher);
    (scene, watcher, things, events)
}

#[test]
fn ex_10_12() {
    let (scene, watcher, things, events) = twenty();
    let closest: Vec<i64> = things[..16].iter().map(|thing| thing.agent).collect();
    assert_eq!(scene.known(watcher, DVec3::ZERO), closest);
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
    let watcher = scene.watcher(DVec3::ZERO, looker());
    for n in 1..=16 {
        scene.thing(v(0.0, 0.0, -f64::from(n)));
    }
    scene.tick(watcher);
    let newcomer = scene.thing(v(0.0, 0.0, -15.5));
    assert_eq!(scene.tick(watcher), []);
    assert_eq!(scene.senses(watcher, newcomer), 0);
}

#[test]
fn ex_10_22() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
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
fn ex_10_32() {
    let slow = PerceiverSettings { time_scale: 0.5, ..looker() };
    assert_eq!(when(&lose_after_tick_7(slow, 110)), [(8, SightLost), (107, Lost)]);
    let frozen = PerceiverSettings { time_scale: 0.0, update_interval: 0.0, ..looker() };
    assert_eq!(when(&lose_after_tick_7(frozen, 500)), [(8, SightLost)]);
}

#[test]
fn ex_10_37() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    for _ in 0..8 {
        scene.tick(watcher);
    }
    scene.hide(watcher, thing);
    let events = scene.tick_by(watcher, 6.0);
    assert_eq!(kinds(&events), [SightLost, Lost]);
    assert_eq!(events[1].reason, LossReason::Forgotten);
}
