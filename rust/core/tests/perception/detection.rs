//! Detection over time, with its worked examples.

use glam::{DMat3, DVec3};
use riposte_core::perception::{Event, LossReason, PerceiverSettings, Senses, SourceSettings, TargetState};

use crate::scene::*;

fn slow() -> PerceiverSettings {
    PerceiverSettings { detection_time: 2.0, ..looker() }
}

fn stage(settings: PerceiverSettings) -> (Scene, Watcher, Thing) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, settings);
    let thing = scene.thing(v(0.0, 0.0, -10.0));
    (scene, watcher, thing)
}

/// The events of so many ticks, with the number of the tick.
fn run(scene: &mut Scene, watcher: Watcher, ticks: u32) -> Vec<(u32, Event)> {
    let told = (0..ticks).flat_map(|n| scene.tick(watcher).into_iter().map(move |event| (n, event)));
    told.collect()
}

fn when(events: &[(u32, Event)]) -> Vec<(u32, riposte_core::perception::EventKind)> {
    events.iter().map(|(tick, event)| (*tick, event.kind)).collect()
}

#[test]
fn ex_10_17() {
    let (mut scene, watcher, thing) = stage(slow());
    let events = run(&mut scene, watcher, 5);
    assert_eq!(when(&events), [(1, DetectionStarted)]);
    assert_eq!(events[0].1.location, v(0.0, 0.0, -10.0));
    assert_eq!(events[0].1.target, Some(scene.target(thing)));
    let level = scene.detection(watcher, thing);
    assert!((level - 4.0 * 0.1 * 0.3125).abs() < 1e-9, "{level}");
    assert_eq!(scene.world.target_state(watcher.key, scene.target(thing)), TargetState::Detecting);
    let events = run(&mut scene, watcher, 30);
    // Tick 32 of the whole.
    assert_eq!(when(&events), [(27, Perceived), (27, SightGained)]);
    assert_eq!(scene.detection(watcher, thing), 1.0);
    assert_eq!(scene.world.target_state(watcher.key, scene.target(thing)), TargetState::Sensed);
}

#[test]
fn ex_10_18() {
    let (mut scene, watcher, _) = stage(slow());
    let points = vec![v(0.0, 1.0, 0.0), v(0.0, 2.0, 0.0)];
    let angle = 22.5_f64.to_radians();
    let at = v(libm::sin(angle), 0.0, -libm::cos(angle)) * 10.0;
    let thing = scene.thing_with(at, SourceSettings { extra_aim_points: points, ..plain() }, &[]);
    scene.frames.masks.insert(thing.key.index(), 0b011);
    run(&mut scene, watcher, 2);
    assert!((scene.detection(watcher, thing) - 0.015_625).abs() < 1e-9);
    run(&mut scene, watcher, 62);
    assert!(!scene.seen(watcher, thing), "tick 63");
    run(&mut scene, watcher, 1);
    assert!(scene.seen(watcher, thing), "tick 64");
}

/// Level 0.5 after tick 16.
fn half_made_out(settings: PerceiverSettings) -> (Scene, Watcher, Thing) {
    let (mut scene, watcher, thing) = stage(settings);
    run(&mut scene, watcher, 17);
    assert!((scene.detection(watcher, thing) - 0.5).abs() < 1e-9);
    (scene, watcher, thing)
}

#[test]
fn ex_10_19() {
    let (mut scene, watcher, thing) = half_made_out(slow());
    scene.hide(watcher, thing);
    let events = run(&mut scene, watcher, 20);
    assert_eq!(when(&events), [(9, DetectionAborted)]);
    assert_eq!(scene.detection(watcher, thing), 0.0);
    assert_eq!(scene.world.target_state(watcher.key, scene.target(thing)), TargetState::Unknown);
}

#[test]
fn ex_10_20() {
    let (mut scene, watcher, _) = stage(PerceiverSettings { auto_detect_radius: 10.0, ..slow() });
    assert_eq!(when(&run(&mut scene, watcher, 1)), [(0, Perceived), (0, SightGained)]);
}

#[test]
fn ex_10_38() {
    let (mut scene, watcher, thing) = stage(PerceiverSettings { forget_time: 0.5, ..slow() });
    run(&mut scene, watcher, 33);
    assert!(scene.seen(watcher, thing));
    scene.hide(watcher, thing);
    assert_eq!(when(&run(&mut scene, watcher, 10)), [(0, SightLost), (4, Lost)]);
    scene.show(watcher, thing);
    let events = run(&mut scene, watcher, 40);
    assert_eq!(when(&events), [(1, DetectionStarted), (32, Perceived), (32, SightGained)]);
}

#[test]
fn a_level_falls_at_once_without_decay_time() {
    let (mut scene, watcher, thing) =
        half_made_out(PerceiverSettings { detection_decay_time: 0.0, ..slow() });
    scene.move_thing(thing, v(0.0, 0.0, 10.0));
    assert_eq!(when(&run(&mut scene, watcher, 1)), [(0, DetectionAborted)]);
}

#[test]
fn a_level_goes_on_from_where_it_fell_to() {
    let (mut scene, watcher, thing) = half_made_out(slow());
    scene.hide(watcher, thing);
    run(&mut scene, watcher, 4);
    assert!((scene.detection(watcher, thing) - 0.3).abs() < 1e-9);
    scene.show(watcher, thing);
    assert_eq!(when(&run(&mut scene, watcher, 1)), []);
    assert!((scene.detection(watcher, thing) - 0.331_25).abs() < 1e-9);
}

#[test]
fn a_source_is_made_out_faster_or_slower_by_its_scale() {
    let (mut scene, watcher, thing) = stage(slow());
    scene.set_source(thing, |settings| settings.detection_scale = 2.0);
    run(&mut scene, watcher, 2);
    assert!((scene.detection(watcher, thing) - 0.0625).abs() < 1e-9);
    scene.set_source(thing, |settings| settings.detection_scale = 0.0);
    run(&mut scene, watcher, 2);
    assert!((scene.detection(watcher, thing) - 0.0625).abs() < 1e-9);
}

#[test]
fn the_far_factor_is_measured_in_the_radius_of_the_source() {
    let (mut scene, watcher, thing) = stage(slow());
    scene.set_source(thing, |settings| settings.sight_range_scale = 0.5);
    run(&mut scene, watcher, 2);
    assert!((scene.detection(watcher, thing) - 0.1 * 0.5 * 0.25).abs() < 1e-9);
}

#[test]
fn a_known_target_is_seen_again_without_delay() {
    let (mut scene, watcher, thing) = stage(slow());
    scene.noise(v(0.0, 0.0, -9.0), 1.0, Some(thing));
    let events = run(&mut scene, watcher, 2);
    let kinds = [(0, Perceived), (0, NoiseHeard), (1, SightGained)];
    assert_eq!(when(&events), kinds);
    assert_eq!(events[0].1.sense, Senses::HEARING);
}

#[test]
fn a_record_by_another_sense_ends_the_level_without_a_word() {
    let (mut scene, watcher, thing) = half_made_out(slow());
    scene.hide(watcher, thing);
    scene.noise(v(0.0, 0.0, -9.0), 1.0, Some(thing));
    let events = run(&mut scene, watcher, 60);
    assert_eq!(when(&events), [(0, Perceived), (0, NoiseHeard), (50, Lost)]);
    assert_eq!(scene.detection(watcher, thing), 0.0);
}

#[test]
fn dismissal_starts_detection_over() {
    let (mut scene, watcher, thing) = half_made_out(slow());
    let target = scene.target(thing);
    assert!(!scene.world.forget(watcher.key, target), "there is no record");
    assert_eq!(scene.detection(watcher, thing), 0.0);
    let events = run(&mut scene, watcher, 34);
    let kinds = [(0, DetectionAborted), (1, DetectionStarted), (32, Perceived), (32, SightGained)];
    assert_eq!(when(&events), kinds);
    // With a record: at once lost, then made out from the beginning.
    assert_eq!(scene.world.forget_all(watcher.key), 1);
    let events = run(&mut scene, watcher, 34);
    let kinds = [(0, SightLost), (0, Lost), (1, DetectionStarted), (32, Perceived), (32, SightGained)];
    assert_eq!(when(&events), kinds);
    assert_eq!(events[1].1.reason, LossReason::Dismissed);
}

#[test]
fn what_goes_is_not_made_out_any_more() {
    let (mut scene, watcher, thing) = half_made_out(slow());
    let target = scene.target(thing);
    scene.world.remove_source(thing.key);
    assert_eq!(scene.world.detection(watcher.key, target), 0.0);
    assert_eq!(when(&run(&mut scene, watcher, 2)), [(0, DetectionAborted)]);
    assert!(scene.world.target_of(thing.agent).is_none(), "nobody names it");
    for change in [
        (|settings: &mut PerceiverSettings| settings.enabled = false) as fn(&mut PerceiverSettings),
        |settings| settings.sight_enabled = false,
    ] {
        let (mut scene, watcher, _) = half_made_out(slow());
        scene.set(watcher, change);
        assert_eq!(when(&run(&mut scene, watcher, 2)), [(0, DetectionAborted)]);
    }
}

#[test]
fn levels_are_kept_of_the_closest() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, PerceiverSettings { max_perceived_targets: 2, ..slow() });
    let things: Vec<Thing> = (1..=3).map(|n| scene.thing(v(0.0, 0.0, -5.0 * f64::from(n)))).collect();
    let events = run(&mut scene, watcher, 3);
    assert_eq!(when(&events), [(1, DetectionStarted), (1, DetectionStarted)]);
    assert_eq!(scene.detection(watcher, things[2]), 0.0);
    let mut list = Vec::new();
    scene.world.detecting(watcher.key, DVec3::ZERO, &mut list);
    assert_eq!(list, [scene.target(things[0]), scene.target(things[1])]);
    // A closer one comes: the farthest level goes.
    let close = scene.thing(v(0.0, 0.0, -1.0));
    let events = run(&mut scene, watcher, 2);
    assert_eq!(when(&events), [(0, DetectionAborted), (1, DetectionStarted)]);
    assert_eq!(events[0].1.target, Some(scene.target(things[1])));
    assert!(scene.detection(watcher, close) > 0.0);
}

#[test]
fn a_perceiver_with_levels_only_notices_that_all_sources_are_gone() {
    let (mut scene, watcher, thing) = half_made_out(slow());
    scene.set(watcher, |settings| settings.update_interval = 5.0);
    run(&mut scene, watcher, 1);
    scene.set_source(thing, |settings| settings.enabled = false);
    assert_eq!(when(&run(&mut scene, watcher, 1)), [(0, DetectionAborted)]);
}

#[test]
fn a_started_detection_that_could_not_be_told_ends_without_a_word() {
    let (mut scene, watcher, thing) = stage(slow());
    let events = run(&mut scene, watcher, 2);
    scene.world.not_delivered(&events[0].1);
    scene.world.remove_source(thing.key);
    assert_eq!(when(&run(&mut scene, watcher, 2)), []);
}

#[test]
fn the_cone_edge_is_slower_and_a_full_cone_ends_behind() {
    let (mut scene, watcher, thing) = stage(PerceiverSettings { sight_fov_degrees: 360.0, ..slow() });
    let turned = DMat3::from_rotation_y(std::f64::consts::PI);
    scene.frames.perceivers.get_mut(&watcher.key.index()).unwrap().basis = turned;
    run(&mut scene, watcher, 2);
    assert!((scene.detection(watcher, thing) - 0.1 * 0.5 * 0.625 * 0.5).abs() < 1e-9);
}

#[test]
fn who_comes_and_gives_way_in_the_same_tick_goes_on_being_made_out() {
    let (mut scene, watcher, thing) = stage(PerceiverSettings { max_perceived_targets: 1, ..slow() });
    let attacker = scene.thing(v(0.0, 0.0, 15.0));
    assert_eq!(when(&run(&mut scene, watcher, 2)), [(1, DetectionStarted)]);
    // It would be known by its noise, but the one that hurts takes the only place.
    scene.noise(v(0.0, 0.0, -1.0), 1.0, Some(thing));
    scene.hurt(watcher, Some(attacker), DVec3::Y, 1.0);
    let events = run(&mut scene, watcher, 1);
    let of = |thing| move |event: &&(u32, Event)| event.1.target == Some(thing);
    let [thing, attacker] = [thing, attacker].map(|it| scene.target(it));
    let kinds = |target| events.iter().filter(of(target)).map(|event| event.1.kind).collect::<Vec<_>>();
    assert_eq!(kinds(attacker), [Perceived, DamageSensed]);
    assert_eq!(kinds(thing), [NoiseHeard], "neither a second start nor an end");
    assert_eq!(when(&run(&mut scene, watcher, 3)), []);
}
