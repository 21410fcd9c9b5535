//! Rules of noises and damage that the worked examples leave open.

use glam::DVec3;
use riposte_core::perception::{
    Damage, LossReason, Noise, PerceiverSettings, Reported, Scope, Senses, SourceSettings, WorldSettings,
};

use crate::scene::*;

#[test]
fn a_noise_of_a_place_makes_no_record_and_is_filtered_by_its_own_tag() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let shot = scene.tag_set(&["Noise.Shot"]);
    let noise = Noise {
        space: scene.space,
        location: v(1.0, 0.0, 2.0),
        loudness: 2.0,
        tag: shot.clone(),
        lineage: Vec::new(),
    };
    assert_eq!(scene.world.report_noise(noise.clone(), None), Reported::Accepted);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [NoiseHeard]);
    assert_eq!((events[0].target, events[0].location), (None, v(1.0, 0.0, 2.0)));
    assert_eq!((events[0].strength, events[0].tag), (2.0, Some(shot.tags()[0])));
    for (detectable, heard) in [(&["Team"][..], 0), (&["Noise"], 1), (&["Noise.Shot"], 1)] {
        scene.detect(watcher, detectable, &[]);
        scene.world.report_noise(noise.clone(), None);
        assert_eq!(scene.tick(watcher).len(), heard, "{detectable:?}");
    }
    scene.detect(watcher, &[], &["Noise"]);
    scene.world.report_noise(noise, None);
    assert_eq!(scene.tick(watcher), []);
}

#[test]
fn an_instigator_that_is_gone_by_the_tick_leaves_the_noise_of_a_place() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, 50.0));
    scene.noise(v(0.0, 0.0, 5.0), 1.0, Some(thing));
    scene.world.remove_source(thing.key);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [NoiseHeard]);
    assert_eq!(events[0].target, None);
}

#[test]
fn a_switched_off_or_mute_source_is_not_heard() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let off = scene.thing_with(v(0.0, 0.0, 5.0), SourceSettings { enabled: false, ..plain() }, &[]);
    let mute = scene.thing_with(v(0.0, 0.0, 5.0), SourceSettings { registered_senses: 1, ..plain() }, &[]);
    for thing in [off, mute] {
        assert_eq!(scene.noise(v(0.0, 0.0, 5.0), 1.0, Some(thing)), Reported::Ignored);
    }
    assert_eq!(scene.tick(watcher), []);
}

#[test]
fn of_several_noises_the_last_tells_the_place_and_all_are_told() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, 50.0));
    for (z, loudness) in [(4.0, 1.0), (5.0, 2.0), (3.0, 1.5)] {
        scene.noise(v(0.0, 0.0, z), loudness, Some(thing));
    }
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, NoiseHeard, NoiseHeard, NoiseHeard]);
    assert_eq!((events[0].location.z, events[0].strength), (3.0, 1.5));
    let told: Vec<_> = events[1..].iter().map(|event| (event.stimulus_location.z, event.strength)).collect();
    assert_eq!(told, [(4.0, 1.0), (5.0, 2.0), (3.0, 1.5)]);
    assert!(events.iter().all(|event| event.location.z == 3.0 && event.senses == Senses::HEARING));
}

#[test]
fn damage_beats_hearing_in_a_tick_whatever_came_first() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, 9.0));
    scene.hurt(watcher, Some(thing), v(0.0, 1.0, 0.0), 6.0);
    scene.noise(v(0.0, 0.0, 8.0), 1.5, Some(thing));
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, NoiseHeard, DamageSensed]);
    assert_eq!((events[0].sense, events[0].strength), (Senses::DAMAGE, 6.0));
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, 9.0)));
}

#[test]
fn damage_may_hide_the_attacker_and_takes_its_place_at_the_report() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, 90.0));
    scene.hurt(watcher, Some(thing), v(0.0, 1.0, 0.0), 5.0);
    scene.move_thing(thing, v(70.0, 0.0, 0.0));
    scene.tick(watcher);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, 90.0)));
    scene.set(watcher, |settings| settings.damage_reveals_attacker = false);
    scene.hurt(watcher, Some(thing), v(0.0, 1.0, 0.0), 5.0);
    scene.tick(watcher);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 1.0, 0.0)));
}

#[test]
fn an_attacker_without_a_source_is_a_target_until_it_is_gone() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let trap = scene.agent();
    let target = scene.world.stray(trap, &[], scene.space);
    let damage =
        Damage { victim: watcher.agent, attacker: Some((target, DVec3::X)), hit: DVec3::Y, amount: 8.0 };
    assert_eq!(scene.world.report_damage(damage), Reported::Accepted);
    assert_eq!(kinds(&scene.tick(watcher)), [Perceived, DamageSensed]);
    assert_eq!(scene.known(watcher, DVec3::ZERO), [trap]);
    assert_eq!(scene.world.strays().map(|it| it.agent).collect::<Vec<_>>(), [trap]);
    scene.world.set_stray_space(target.key, None);
    assert_eq!(scene.known(watcher, DVec3::ZERO), []);
    assert_eq!(lost_reasons(&scene.tick(watcher)), [LossReason::Gone]);
    scene.run(Scope::Common, DT);
    assert_eq!(scene.world.strays().count(), 0);
    assert!(scene.world.target_of(trap).is_none(), "nothing is kept of it");
}

#[test]
fn damage_that_nobody_feels_leaves_nothing_behind() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { damage_enabled: false, ..looker() });
    let trap = scene.agent();
    let target = scene.world.stray(trap, &[], scene.space);
    let attacker = Some((target, DVec3::X));
    let damage = Damage { victim: watcher.agent, attacker, hit: DVec3::Y, amount: 8.0 };
    assert_eq!(scene.world.report_damage(damage), Reported::Ignored);
    assert!(scene.world.target_of(trap).is_none());
}

#[test]
fn damage_without_attacker_is_sensed_without_target() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    scene.hurt(watcher, None, v(0.0, 1.0, 0.0), 3.0);
    scene.hurt(watcher, None, v(0.0, 1.0, 0.0), 4.0);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [DamageSensed, DamageSensed]);
    assert_eq!(events.iter().map(|event| event.strength).collect::<Vec<_>>(), [3.0, 4.0]);
    assert!(events.iter().all(|event| event.target.is_none() && event.location == v(0.0, 1.0, 0.0)));
}

#[test]
fn a_newcomer_by_damage_always_displaces() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { max_perceived_targets: 2, ..looker() });
    let first = scene.thing(v(0.0, 0.0, -5.0));
    let second = scene.thing(v(0.0, 0.0, -8.0));
    scene.tick(watcher);
    let sniper = scene.thing(v(0.0, 0.0, 120.0));
    scene.hurt(watcher, Some(sniper), DVec3::ZERO, 1.0);
    let events = scene.tick(watcher);
    assert_eq!(lost_reasons(&events), [LossReason::Displaced]);
    assert_eq!(scene.known(watcher, DVec3::ZERO), [first.agent, sniper.agent]);
    assert_eq!(scene.senses(watcher, second), 0);
}

#[test]
fn reports_made_while_a_sense_is_off_are_ignored() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let noise = |scene: &mut Scene, loudness: f64| {
        scene.noise(v(0.0, 0.0, 1.0), loudness, None);
        scene.hurt(watcher, None, DVec3::ZERO, loudness);
    };
    noise(&mut scene, 1.0);
    scene.set(watcher, |settings| (settings.hearing_enabled, settings.damage_enabled) = (false, false));
    noise(&mut scene, 2.0);
    let told: Vec<f64> = scene.tick(watcher).iter().map(|event| event.strength).collect();
    assert_eq!(told, [1.0, 1.0], "what came before is sensed");
    noise(&mut scene, 3.0);
    scene.set(watcher, |settings| (settings.hearing_enabled, settings.damage_enabled) = (true, true));
    noise(&mut scene, 4.0);
    let told: Vec<f64> = scene.tick(watcher).iter().map(|event| event.strength).collect();
    assert_eq!(told, [4.0, 4.0]);
}

#[test]
fn common_perceivers_take_the_reports_of_the_last_frame_manual_ones_keep_them() {
    let mut scene = Scene::new();
    let common = scene.watcher(DVec3::ZERO, PerceiverSettings { manual: false, ..looker() });
    let manual = scene.watcher(DVec3::ZERO, looker());
    scene.noise(v(0.0, 0.0, 1.0), 1.0, None);
    let late = scene.watcher(DVec3::ZERO, PerceiverSettings { manual: false, ..looker() });
    let events = scene.run(Scope::Common, DT);
    assert_eq!(events.iter().map(|event| event.perceiver).collect::<Vec<_>>(), [common.key]);
    assert_eq!(scene.run(Scope::Common, DT), []);
    assert_eq!(scene.tick(manual).len(), 1);
    assert_eq!(scene.tick(manual), []);
    assert_eq!(scene.world.time(late.key), 2.0 * DT);
}

#[test]
fn reports_go_when_everybody_has_had_them() {
    let waiting = |scene: &Scene| scene.world.export_queue(&scene.tags, |_| None).reports.len();
    let mut scene = Scene::new();
    let first = scene.watcher(DVec3::ZERO, looker());
    let second = scene.watcher(DVec3::ZERO, looker());
    let mut heard = 0;
    for _ in 0..1000 {
        scene.noise(DVec3::X, 1.0, None);
        heard += scene.tick(first).len();
        heard += scene.tick(second).len();
    }
    assert_eq!(heard, 2000);
    assert!(waiting(&scene) < 100, "nobody ticks them together, and still they go: {}", waiting(&scene));
    // One that is behind keeps them, one that is paused does not.
    for _ in 0..200 {
        scene.noise(DVec3::X, 1.0, None);
        scene.tick(first);
    }
    assert!(waiting(&scene) >= 200);
    scene.world.set_frozen(second.key, true);
    scene.run(Scope::Common, DT);
    assert_eq!(waiting(&scene), 0);
}

#[test]
fn a_full_queue_drops_the_oldest() {
    let mut scene = Scene::new();
    scene.world.set_settings(WorldSettings { max_queued_reports: 3, ..WorldSettings::default() });
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let reported: Vec<Reported> =
        (0..4).map(|n| scene.noise(v(0.0, 0.0, 1.0), 1.0 + f64::from(n), None)).collect();
    assert_eq!(reported[2..], [Reported::Accepted, Reported::AcceptedDroppingOldest]);
    let told: Vec<f64> = scene.tick(watcher).iter().map(|event| event.strength).collect();
    assert_eq!(told, [2.0, 3.0, 4.0]);
    // A limit that is lowered holds from the next report on.
    for _ in 0..3 {
        scene.noise(DVec3::X, 1.0, None);
    }
    scene.world.set_settings(WorldSettings { max_queued_reports: 2, ..WorldSettings::default() });
    assert_eq!(scene.noise(DVec3::X, 1.5, None), Reported::AcceptedDroppingOldest);
    let told: Vec<f64> = scene.tick(watcher).iter().map(|event| event.strength).collect();
    assert_eq!(told, [1.0, 1.5]);
}
