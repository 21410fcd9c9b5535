//! Rules of what comes, goes and is switched while a game runs.

use glam::DVec3;
use riposte_core::perception::{
    Affiliation, Frame, LossReason, PerceiverPlace, PerceiverSettings, Scope, Senses, SourcePlace,
    TargetState,
};

use crate::scene::*;

#[test]
fn a_disabled_perceiver_forgets_all_and_starts_fresh() {
    let (mut scene, watcher, thing) = watching();
    scene.set(watcher, |settings| settings.enabled = false);
    scene.noise(v(0.0, 0.0, 1.0), 1.0, Some(thing));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost]);
    assert_eq!(lost_reasons(&events), [LossReason::Dismissed]);
    assert_eq!(scene.tick(watcher), []);
    scene.noise(v(0.0, 0.0, 1.0), 1.0, Some(thing));
    scene.set(watcher, |settings| (settings.enabled, settings.update_interval) = (true, 5.0));
    assert_eq!(kinds(&scene.tick(watcher)), [Perceived, SightGained], "scans at once, without the noise");
}

#[test]
fn switching_sight_off_takes_the_bit_and_starts_ageing() {
    let (mut scene, watcher, thing) = watching();
    scene.set(watcher, |settings| settings.sight_enabled = false);
    assert_eq!(kinds(&scene.tick(watcher)), [SightLost]);
    assert!((scene.age(watcher, thing).unwrap() - 0.1).abs() < 1e-9);
    scene.set(watcher, |settings| settings.sight_enabled = true);
    assert_eq!(kinds(&scene.tick(watcher)), [SightGained]);
    assert_eq!(scene.age(watcher, thing), Some(0.0));
}

#[test]
fn a_frozen_perceiver_stands_still_and_catches_up_on_ends() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { manual: false, ..looker() });
    let (a, b) = (scene.thing(v(0.0, 0.0, -5.0)), scene.thing(v(1.0, 0.0, -5.0)));
    scene.run(Scope::Common, DT);
    scene.world.set_frozen(watcher.key, true);
    scene.world.remove_source(b.key);
    scene.world.forget(watcher.key, scene.target(a));
    scene.noise(v(0.0, 0.0, 1.0), 1.0, None);
    for _ in 0..100 {
        assert_eq!(scene.run(Scope::Common, DT), []);
    }
    assert_eq!(scene.world.time(watcher.key), DT);
    scene.world.set_frozen(watcher.key, false);
    scene.hide(watcher, a);
    let events = scene.run(Scope::Common, DT);
    assert_eq!(kinds(&events), [SightLost, SightLost, Lost, Lost], "and not the noise of long ago");
    assert_eq!(lost_reasons(&events), [LossReason::Dismissed, LossReason::Gone]);
}

#[test]
fn a_frozen_manual_perceiver_gets_no_report_of_that_time() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    scene.world.set_frozen(watcher.key, true);
    scene.noise(v(0.0, 0.0, 1.0), 1.0, None);
    scene.hurt(watcher, None, DVec3::ZERO, 1.0);
    assert_eq!(scene.tick(watcher), []);
    scene.world.set_frozen(watcher.key, false);
    scene.noise(v(0.0, 0.0, 1.0), 3.0, None);
    let told: Vec<f64> = scene.tick(watcher).iter().map(|event| event.strength).collect();
    assert_eq!(told, [3.0]);
}

#[test]
fn a_perceiver_that_comes_back_before_the_next_tick_goes_on() {
    for ticks_away in [0, 1] {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { manual: false, ..looker() });
        scene.thing(v(0.0, 0.0, -5.0));
        scene.run(Scope::Common, DT);
        let place = PerceiverPlace { space: Some(scene.space), agent: watcher.agent, order: 0 };
        scene.world.place_perceiver(watcher.key, PerceiverPlace { space: None, ..place });
        assert_eq!(scene.known(watcher, DVec3::ZERO), [], "out of the tree it knows nobody");
        for _ in 0..ticks_away {
            assert_eq!(scene.run(Scope::Common, DT), []);
        }
        scene.world.place_perceiver(watcher.key, place);
        assert_eq!(scene.known(watcher, DVec3::ZERO).len(), 1 - ticks_away);
        let events = scene.run(Scope::Common, DT);
        assert_eq!(events.len(), 2 * ticks_away, "perceived anew only after a tick without it");
    }
}

#[test]
fn records_across_worlds_end() {
    let (mut scene, watcher, thing) = watching();
    let other = scene.world.add_space(false);
    let place = SourcePlace { space: Some(other), agent: Some(thing.agent), ..SourcePlace::default() };
    scene.world.place_source(thing.key, place);
    assert_eq!(lost_reasons(&scene.tick(watcher)), [LossReason::Gone]);
    let (mut scene, watcher, _) = watching();
    let other = scene.world.add_space(false);
    let place = PerceiverPlace { space: Some(other), agent: watcher.agent, order: 0 };
    scene.world.place_perceiver(watcher.key, place);
    assert_eq!(lost_reasons(&scene.tick(watcher)), [LossReason::Gone]);
    assert_eq!(scene.tick(watcher), []);
}

#[test]
fn a_source_that_gets_another_agent_is_another_target() {
    let (mut scene, watcher, thing) = watching();
    let other = scene.agent();
    let place = SourcePlace { space: Some(scene.space), agent: Some(other), ..SourcePlace::default() };
    scene.world.place_source(thing.key, place);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost, Perceived, SightGained]);
    assert_eq!((events[1].target.unwrap().agent, events[2].target.unwrap().agent), (thing.agent, other));
}

#[test]
fn the_second_source_of_an_agent_takes_over() {
    let (mut scene, watcher, thing) = watching();
    let second = scene.source_of(thing.agent, &[], 1, v(0.0, 0.0, -6.0), plain(), &[]);
    assert_eq!(scene.tick(watcher), []);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, -5.0)), "the first counts");
    scene.set_source(thing, |settings| settings.enabled = false);
    assert!(scene.seen(watcher, second));
    assert_eq!(scene.tick(watcher), []);
    assert_eq!(scene.location(watcher, second), Some(v(0.0, 0.0, -6.0)));
    scene.set_source(thing, |settings| settings.enabled = true);
    assert_eq!(scene.tick(watcher), []);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, -5.0)));
}

#[test]
fn forget_target_ends_at_once_and_is_told_before_it_is_perceived_anew() {
    let (mut scene, watcher, thing) = watching();
    let target = scene.target(thing);
    assert!(scene.world.forget(watcher.key, target));
    assert!(!scene.world.forget(watcher.key, target));
    assert_eq!(scene.world.target_state(watcher.key, target), TargetState::Unknown);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [SightLost, Lost, Perceived, SightGained]);
    assert_eq!((events[1].reason, events[1].sense), (LossReason::Dismissed, Senses::SIGHT));
}

#[test]
fn lowered_limits_work_at_the_next_settle() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { update_interval: 5.0, ..looker() });
    for n in 0..6 {
        scene.thing(v(0.0, 0.0, -2.0 - f64::from(n)));
    }
    scene.tick(watcher);
    scene.set(watcher, |settings| settings.max_perceived_targets = 4);
    let events = scene.tick(watcher);
    assert_eq!(lost_reasons(&events), [LossReason::Displaced, LossReason::Displaced]);
    let ends: Vec<f64> = events.iter().filter(|it| it.kind == Lost).map(|it| it.location.z).collect();
    assert_eq!(ends, [-6.0, -7.0]);
    scene.set(watcher, |settings| settings.sight_enabled = false);
    for _ in 0..10 {
        scene.tick(watcher);
    }
    scene.set(watcher, |settings| settings.forget_time = 0.75);
    assert_eq!(lost_reasons(&scene.tick(watcher)), [LossReason::Forgotten; 4]);
}

#[test]
fn the_first_perceiver_of_an_agent_stands_for_it_and_all_feel_its_damage() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { manual: false, ..looker() });
    let second =
        scene.world.add_perceiver(PerceiverSettings { manual: false, ..looker() }, Affiliation::default());
    let place = PerceiverPlace { space: Some(scene.space), agent: watcher.agent, order: 0 };
    scene.world.place_perceiver(watcher.key, PerceiverPlace { order: 1, ..place });
    scene.world.place_perceiver(second, place);
    scene.frames.perceivers.insert(second.index(), Frame::at(DVec3::ZERO));
    assert_eq!(scene.world.perceivers_of_agent(watcher.agent), [second, watcher.key]);
    scene.hurt(watcher, None, DVec3::ZERO, 1.0);
    assert_eq!(scene.run(Scope::Common, DT).len(), 2);
    scene.world.remove_perceiver(second);
    assert_eq!(scene.world.perceivers_of_agent(watcher.agent), [watcher.key]);
}
