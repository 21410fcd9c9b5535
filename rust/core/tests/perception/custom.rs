//! Custom senses, and the filter of noises by their tag.

use glam::DVec3;
use riposte_core::perception::{Affiliation, LossReason, Noise, Reported, Scope, Senses, SourceSettings};

use crate::scene::*;

fn hidden() -> (Scene, Watcher, Thing) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, 300.0));
    (scene, watcher, thing)
}

#[test]
fn a_custom_sense_makes_a_record_at_any_distance() {
    let (mut scene, watcher, thing) = hidden();
    let other = scene.watcher(DVec3::ZERO, looker());
    assert_eq!(scene.smell(watcher, thing, 0.5), Reported::Accepted);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived]);
    let (event, smell) = (&events[0], scene.ids(&["Smell"])[0]);
    assert_eq!((event.sense, event.senses), (Senses::CUSTOM, Senses::CUSTOM));
    assert_eq!((event.strength, event.tag), (0.5, Some(smell)));
    assert_eq!((event.location, event.stimulus_location), (v(0.0, 0.0, 300.0), v(0.0, 0.0, 300.0)));
    let sensed = scene.world.sensed(watcher.key)[0];
    assert_eq!((sensed.sense, sensed.strength, sensed.tag), (Senses::CUSTOM, 0.5, Some(smell)));
    // Only who is named senses it, and only for this tick.
    assert_eq!(scene.tick(other), []);
    let mut lost = Vec::new();
    for tick in 1..60 {
        let events = scene.tick(watcher);
        assert_eq!(scene.senses(watcher, thing), 0);
        lost.extend(events.into_iter().map(|event| (tick, event.kind, event.reason, event.sense)));
    }
    assert_eq!(lost, [(50, Lost, LossReason::Forgotten, Senses::CUSTOM)]);
}

#[test]
fn a_custom_sense_asks_neither_tags_nor_senses() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    scene.detect(watcher, &["Team.Blue"], &["Team.Red"]);
    let mute = SourceSettings { registered_senses: 0, ..plain() };
    let thing = scene.thing_with(v(0.0, 0.0, -5.0), mute, &["Team.Red"]);
    scene.set(watcher, |settings| {
        settings.sight_enabled = false;
        settings.hearing_enabled = false;
        settings.damage_enabled = false;
    });
    scene.smell(watcher, thing, 7.0);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived]);
    assert_eq!(events[0].strength, 1.0, "strength is 0..1");
}

#[test]
fn what_cannot_be_sensed_is_ignored() {
    let (mut scene, watcher, thing) = hidden();
    for strength in [0.0, -1.0, f64::NAN] {
        assert_eq!(scene.smell(watcher, thing, strength), Reported::Ignored);
    }
    let own = scene.source_of(watcher.agent, &[], 0, DVec3::X, plain(), &[]);
    assert_eq!(scene.smell(watcher, own, 1.0), Reported::Ignored);
    scene.set(watcher, |settings| settings.enabled = false);
    assert_eq!(scene.smell(watcher, thing, 1.0), Reported::Ignored);
    scene.set(watcher, |settings| settings.enabled = true);
    // In another world, or gone by the tick: no record.
    scene.smell(watcher, thing, 1.0);
    scene.set_source(thing, |settings| settings.enabled = false);
    let space = scene.space;
    scene.space = scene.world.add_space(false);
    let abroad = scene.thing(DVec3::ZERO);
    scene.space = space;
    scene.smell(watcher, abroad, 1.0);
    assert_eq!(scene.tick(watcher), []);
}

#[test]
fn the_other_senses_lead_a_custom_one() {
    let (mut scene, watcher, thing) = hidden();
    scene.smell(watcher, thing, 1.0);
    scene.noise(v(0.0, 0.0, 3.0), 1.0, Some(thing));
    scene.smell(watcher, thing, 1.0);
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, NoiseHeard]);
    assert_eq!((events[0].sense, events[0].location), (Senses::HEARING, v(0.0, 0.0, 3.0)));
    assert_eq!(events[0].senses, Senses::HEARING | Senses::CUSTOM);
    // While it is seen, only sight tells the place.
    scene.move_thing(thing, v(0.0, 0.0, -5.0));
    scene.tick(watcher);
    scene.move_thing(thing, v(0.0, 0.0, -6.0));
    scene.set(watcher, |settings| settings.update_interval = 5.0);
    scene.tick(watcher);
    scene.smell(watcher, thing, 1.0);
    scene.move_thing(thing, v(0.0, 0.0, -7.0));
    scene.tick(watcher);
    assert_eq!(scene.location(watcher, thing), Some(v(0.0, 0.0, -6.0)));
    assert_eq!(scene.world.senses(watcher.key, scene.target(thing)), Senses::SIGHT | Senses::CUSTOM);
}

#[test]
fn a_target_without_a_source_can_be_smelt_and_leaves_nothing_behind() {
    let (mut scene, watcher, _) = hidden();
    let agent = scene.agent();
    let smell = |scene: &mut Scene, strength: f64| {
        let target = scene.world.stray(agent, &[], scene.space);
        let sense = scene.ids(&["Smell"])[0];
        let (perceiver, location) = (watcher.key, DVec3::X);
        let it = riposte_core::perception::Stimulation { perceiver, target, location, sense, strength };
        scene.world.report_stimulus(it)
    };
    assert_eq!(smell(&mut scene, 0.0), Reported::Ignored);
    assert!(scene.world.target_of(agent).is_none());
    assert_eq!(smell(&mut scene, 1.0), Reported::Accepted);
    assert_eq!(kinds(&scene.tick(watcher)), [Perceived]);
    let target = scene.world.target_of(agent).unwrap();
    scene.world.set_stray_space(target.key, None);
    assert_eq!(kinds(&scene.tick(watcher)), [Lost]);
    scene.run(Scope::Common, DT);
    assert!(scene.world.target_of(agent).is_none());
}

#[test]
fn only_noises_of_the_wanted_kind_are_heard() {
    let heard = |wanted: &[&str], tag: &[&str]| {
        let (mut scene, watcher, thing) = hidden();
        let affiliation = Affiliation { noises: scene.ids(wanted), ..Affiliation::default() };
        scene.world.set_affiliation(watcher.key, affiliation);
        let (space, source) = (scene.space, scene.target(thing));
        let noise = |tag| Noise { space, location: DVec3::X, loudness: 1.0, tag, lineage: vec![thing.agent] };
        let tag = scene.tag_set(tag);
        scene.world.report_noise(noise(tag.clone()), Some(source));
        scene.world.report_noise(Noise { lineage: Vec::new(), ..noise(tag) }, None);
        let events = scene.tick(watcher);
        events.iter().filter(|event| event.kind == NoiseHeard).count()
    };
    assert_eq!(heard(&[], &[]), 2);
    assert_eq!(heard(&[], &["Noise.Shot"]), 2);
    assert_eq!(heard(&["Noise"], &["Noise.Shot"]), 2);
    assert_eq!(heard(&["Noise.Shot"], &["Noise"]), 0);
    assert_eq!(heard(&["Noise.Shot", "Noise.Step"], &["Noise.Step"]), 2);
    assert_eq!(heard(&["Noise.Shot"], &[]), 0, "a noise of no kind is none of these");
}
