//! Rules of scans and of the order of events that the worked examples leave open.

use glam::DVec3;
use riposte_core::perception::{Frame, PerceiverSettings, Scope};

use crate::scene::*;

#[test]
fn a_lose_radius_below_the_sight_radius_counts_as_the_sight_radius() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { lose_sight_radius: 5.0, ..looker() });
    let thing = scene.thing(v(0.0, 0.0, -20.0));
    for (at, seen) in [(v(0.0, 0.0, -20.0), true), (v(20.0, 0.0, 0.0), true), (v(20.01, 0.0, 0.0), false)] {
        scene.move_thing(thing, at);
        scene.tick(watcher);
        assert_eq!(scene.seen(watcher, thing), seen, "{at}");
    }
}

#[test]
fn tags_and_senses_work_at_the_next_check() {
    let (mut scene, watcher, thing) = watching();
    scene.detect(watcher, &["Team.Red"], &[]);
    assert_eq!(kinds(&scene.tick(watcher)), [SightLost]);
    let red = scene.tag_set(&["Team.Red.Scout"]);
    scene.world.set_source_tags(thing.key, red);
    assert_eq!(kinds(&scene.tick(watcher)), [SightGained]);
    scene.detect(watcher, &[], &["Team"]);
    assert_eq!(kinds(&scene.tick(watcher)), [SightLost]);
    scene.detect(watcher, &[], &[]);
    scene.set_source(thing, |settings| settings.registered_senses = 2);
    assert_eq!(kinds(&scene.tick(watcher)), []);
    scene.set_source(thing, |settings| settings.registered_senses = 1);
    assert_eq!(kinds(&scene.tick(watcher)), [SightGained]);
}

#[test]
fn without_rays_the_last_verdict_stays_and_the_scan_is_done_again() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { update_interval: 1.0, ..looker() });
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    scene.tick(watcher);
    let newcomer = scene.thing(v(0.0, 0.0, -6.0));
    scene.hide(watcher, thing);
    scene.world.scan_now(watcher.key);
    let mut tick = scene.world.begin(Scope::One(watcher.key), DT);
    let frames = &scene.frames;
    tick.read(|key| frames.perceivers[&key.index()], |key| frames.sources[&key.index()]);
    scene.world.look(&mut tick);
    let mut passed = 0;
    while tick.question().is_some() {
        tick.pass();
        passed += 1;
    }
    assert_eq!(passed, 2);
    assert_eq!(scene.world.finish(tick), []);
    assert!(scene.seen(watcher, thing) && !scene.seen(watcher, newcomer));
    assert_eq!(kinds(&scene.tick(watcher)), [SightLost, Perceived, SightGained]);
}

#[test]
fn no_ray_for_what_cannot_be_recorded() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { max_perceived_targets: 2, ..looker() });
    for z in [-9.0, -3.0, -6.0] {
        scene.thing(v(0.0, 0.0, z));
    }
    scene.tick(watcher);
    let asked: Vec<f64> = scene.frames.questions.drain(..).map(|points| points[0].z).collect();
    assert_eq!(asked, [-3.0, -6.0], "closest first, and no more than can be kept");
    scene.tick(watcher);
    let asked: Vec<f64> = scene.frames.questions.drain(..).map(|points| points[0].z).collect();
    assert_eq!(asked, [-3.0, -6.0], "-9 could displace nothing");
}

#[test]
fn broken_numbers_skip_a_node_for_the_tick() {
    let (mut scene, watcher, thing) = watching();
    let broken = Frame::at(v(f64::NAN, 0.0, 0.0));
    scene.frames.sources.insert(thing.key.index(), broken);
    assert_eq!(kinds(&scene.tick(watcher)), [SightLost]);
    scene.move_thing(thing, v(0.0, 0.0, -5.0));
    scene.frames.perceivers.insert(watcher.key.index(), broken);
    scene.noise(v(0.0, 0.0, 1.0), 1.0, None);
    assert_eq!(scene.tick(watcher), []);
}

#[test]
fn events_of_a_tick_are_in_the_stated_order() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { forget_time: 0.2, ..looker() });
    let things: Vec<Thing> = (0..4).map(|n| scene.thing(v(f64::from(n), 0.0, -5.0))).collect();
    scene.hide(watcher, things[2]);
    scene.noise(v(0.0, 0.0, 1.0), 1.0, Some(things[3]));
    scene.hide(watcher, things[3]);
    scene.tick(watcher);
    scene.tick(watcher);
    // 3 is forgotten, 1 goes out of sight, 2 comes in sight, 0 makes noise and hurts.
    scene.hide(watcher, things[1]);
    scene.show(watcher, things[2]);
    scene.hurt(watcher, Some(things[0]), DVec3::ZERO, 1.0);
    scene.noise(v(0.0, 0.0, 1.0), 1.0, Some(things[0]));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost, Perceived, SightGained, NoiseHeard, DamageSensed]);
    let about: Vec<i64> = events.iter().map(|event| event.target.unwrap().agent).collect();
    assert_eq!(about, [1, 3, 2, 2, 0, 0].map(|n: usize| things[n].agent));
}

#[test]
fn perceivers_are_told_in_order_of_registration() {
    let mut scene = Scene::new();
    let settings = || PerceiverSettings { manual: false, update_phase: 0.0, ..looker() };
    let watchers: Vec<Watcher> = (0..3).map(|_| scene.watcher(DVec3::ZERO, settings())).collect();
    scene.world.remove_perceiver(watchers[0].key);
    let reused = scene.watcher(DVec3::ZERO, settings());
    scene.thing(v(0.0, 0.0, -5.0));
    let events = scene.run(Scope::Common, DT);
    let order: Vec<_> =
        events.iter().filter(|event| event.kind == Perceived).map(|event| event.perceiver).collect();
    assert_eq!(order, [watchers[1].key, watchers[2].key, reused.key]);
}

#[test]
fn a_tick_with_nothing_to_do_reads_nothing() {
    let mut scene = Scene::new();
    let watcher =
        scene.watcher(DVec3::ZERO, PerceiverSettings { manual: false, update_interval: 1.0, ..looker() });
    scene.thing(v(0.0, 0.0, -5.0));
    scene.run(Scope::Common, DT);
    let tick = scene.world.begin(Scope::Common, DT);
    assert!(tick.perceivers_to_read().is_empty() && tick.sources_to_read().is_empty());
    assert_eq!(scene.world.finish(tick), []);
    assert!(scene.world.record(watcher.key, scene.world.target_of(102).unwrap()).is_some());
}
