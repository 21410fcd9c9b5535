//! Rules that the worked examples leave open: reports, order, and what changes while a game runs.

use glam::DVec3;
use riposte_core::perception::{
    Affiliation, Damage, Frame, LossReason, Noise, PerceiverPlace, PerceiverSettings, Reported, Scope,
    Senses, SourcePlace, SourceSettings, TargetState, WorldSettings,
};

use crate::scene::*;

fn watching() -> (Scene, Watcher, Thing) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -5.0));
    assert_eq!(kinds(&scene.tick(watcher)), [Perceived, SightGained]);
    (scene, watcher, thing)
}

fn lost_reasons(events: &[riposte_core::perception::Event]) -> Vec<LossReason> {
    events.iter().filter(|event| event.kind == Lost).map(|event| event.reason).collect()
}

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
fn a_full_queue_drops_the_oldest() {
    let mut scene = Scene::new();
    scene.world.set_settings(WorldSettings { max_queued_reports: 3, ..WorldSettings::default() });
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let reported: Vec<Reported> =
        (0..4).map(|n| scene.noise(v(0.0, 0.0, 1.0), 1.0 + f64::from(n), None)).collect();
    assert_eq!(reported[2..], [Reported::Accepted, Reported::AcceptedDroppingOldest]);
    let told: Vec<f64> = scene.tick(watcher).iter().map(|event| event.strength).collect();
    assert_eq!(told, [2.0, 3.0, 4.0]);
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
