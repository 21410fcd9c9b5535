//! A steady update allocates nothing.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod counting;
#[path = "perception/scene.rs"]
#[allow(dead_code, unused_imports, reason = "shared with the other tests")]
mod scene;

use std::sync::Arc;

use riposte_core::awareness::{Answer, Asks, AwarenessWorld, Posture, Profile, Question, Surroundings};
use riposte_core::perception::{LineOfSight, PerceiverSettings, Scope};
use scene::*;

/// Nothing is hidden.
struct Open;

impl LineOfSight for Open {
    fn visible_points(&mut self, _question: &riposte_core::perception::Question<'_>) -> u16 {
        1
    }
}

#[test]
fn the_counter_counts() {
    let before = counting::own();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(counting::own(), before + 1);
}

#[test]
fn a_steady_update_allocates_nothing() {
    let mut scene = Scene::new();
    let mut minds = AwarenessWorld::new();
    let profile = Arc::new(Profile { pain_enabled: true, ..Profile::default() });
    for n in 0..20 {
        let settings =
            PerceiverSettings { manual: false, sight_fov_degrees: 360.0, ..PerceiverSettings::default() };
        let watcher = scene.watcher(v(f64::from(n), 0.0, 0.0), settings);
        let mind = minds.add(profile.clone());
        minds.set_perceiver(mind, Some(watcher.key));
        minds.set_asks(mind, Asks { relationship: true, posture: true });
    }
    for n in 0..8 {
        scene.thing(v(0.0, 0.0, f64::from(n)));
    }
    let (mut due, mut events, mut problems, mut samples) = (vec![], vec![], vec![], vec![]);
    let (mut updates, mut told) = (0, 0);
    let mut run = |scene: &mut Scene, ticks: std::ops::Range<u32>| {
        for n in ticks {
            // They walk, so that distances, order and attention change.
            let drift = v(10.0 * libm::cos(f64::from(n) * 0.01), 0.0, 0.0);
            let mut tick = scene.world.begin(Scope::Common, 1.0 / 60.0);
            let frames = &scene.frames;
            let moved = |index: usize| {
                let mut frame = frames.sources[&index];
                frame.origin += drift * (index as f64 * 0.2);
                frame
            };
            tick.read(|key| frames.perceivers[&key.index()], |key| moved(key.index()));
            scene.world.look(&mut tick);
            tick.ask(&mut Open);
            let perceived = scene.world.finish(tick);
            scene.world.recycle(perceived);
            minds.due(&scene.world, Scope::Common, &mut due);
            for key in &due {
                let (perception, tags) = (&scene.world, &scene.tags);
                let around = Surroundings { perception, tags, origin: v(0.0, 0.0, 0.0), own_tags: None };
                let update = minds.begin(*key, &around).unwrap();
                while let Some(question) = minds.next(update) {
                    let answer = match question {
                        Question::Health => Answer::Number(0.4),
                        Question::Posture { .. } => Answer::Posture(Posture::Crouched),
                        _ => Answer::None,
                    };
                    minds.answer(update, answer);
                }
                events.clear();
                minds.take_events(*key, &mut events);
                minds.take_problems(*key, &mut problems);
                told += events.len();
                if let Some(belief) = minds.beliefs(*key).next() {
                    minds.samples(*key, belief.key(), &mut samples);
                }
                updates += 1;
            }
        }
    };
    run(&mut scene, 0..2000);
    let before = counting::own();
    run(&mut scene, 2000..3000);
    assert_eq!(counting::own() - before, 0, "allocations in 1000 ticks");
    assert!(updates > 20 * 490 && told > 100, "{updates} updates, {told} events");
}
