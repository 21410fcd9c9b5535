//! Worked examples 27 to 30 and 34: stances, observation, shared profiles.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use riposte_core::awareness::{
    Answer, Asks, AwarenessWorld, FusionRule, Posture, Profile, Question, SourceStance, StanceAnswers,
    Surroundings, crouch_member,
};
use riposte_core::perception::{PerceiverSettings, Scope, SourceSettings, Stance};

use crate::scene::*;
use crate::stage::*;

#[test]
fn ex_20_27() {
    let seen = |stance: Stance, points: usize, visible: u16| {
        let mut play = Play::new(hostile());
        let extra = (1..points).map(|n| v(0.0, 0.1 * n as f64, 0.0)).collect();
        let settings = SourceSettings { stance, extra_aim_points: extra, ..plain() };
        let thing = play.scene.thing_with(v(0.0, 0.0, -5.0), settings, &[]);
        play.scene.frames.masks.insert(thing.key.index(), visible);
        play.tick();
        play.scene.seen(play.watcher, thing)
    };
    assert!(seen(Stance::Standing, 3, 0b010));
    assert!(!seen(Stance::Crouched, 3, 0b010));
    assert!(seen(Stance::Crouched, 3, 0b011));
    assert!(!seen(Stance::Prone, 3, 0b011));
    assert!(seen(Stance::Prone, 1, 0b001));
}

#[test]
fn ex_20_28() {
    let source = |auto_detect| Some(SourceStance { stance: Posture::Crouched, auto_detect });
    let on = StanceAnswers { reported: Some(Posture::Standing), source: source(true), crouch: None };
    assert_eq!((on.vision(), on.posture()), (Stance::Crouched, Posture::Standing));
    let off = StanceAnswers { reported: Some(Posture::Prone), source: source(false), crouch: None };
    assert_eq!(off.vision(), Stance::Crouched);
}

#[test]
fn ex_20_29() {
    let answers = StanceAnswers {
        reported: None,
        source: Some(SourceStance { stance: Posture::Unreported, auto_detect: true }),
        crouch: crouch_member(None, Some(true)),
    };
    assert_eq!((answers.posture(), answers.vision()), (Posture::Crouched, Stance::Crouched));
}

/// Sneaking fraction and guessed time after 4 s in view.
fn observe(posture: Posture, speed: f64) -> (f64, f64) {
    let mut play = Play::new(hostile());
    play.minds.set_asks(play.mind, Asks { posture: true, ..Asks::default() });
    play.script(move |_, _, question| match question {
        Question::Posture { .. } => Answer::Posture(posture),
        _ => Answer::None,
    });
    let thing = play.scene.thing(v(0.0, 0.0, -15.0));
    for tick in 0..=40 {
        play.scene.move_thing(thing, v(0.0, 0.0, -15.0 + f64::from(tick) * speed * DT));
        play.tick();
    }
    let seen = play.minds.observation(play.mind, thing.agent).unwrap();
    assert!(near(seen.time(None), 4.0));
    (round(seen.sneaking_fraction()), round(seen.guessed))
}

#[test]
fn ex_20_30() {
    let says_no = crouch_member(None, Some(false)).unwrap();
    assert_eq!(observe(says_no, 0.0), (0.0, 0.0));
    assert_eq!(observe(Posture::Unreported, 1.0), (1.0, 4.0));
    assert_eq!(observe(Posture::Unreported, 0.0).0, 0.0);
    assert_eq!(observe(Posture::Unreported, 3.0).0, 0.0);
}

/// Two agents share a profile: each is asked for itself. That each has an instance of its own is up to the adapter.
#[test]
fn ex_20_34() {
    let mut scene = Scene::new();
    let profile = Arc::new(Profile { fusion: FusionRule::Script, ..hostile() });
    let mut minds = AwarenessWorld::new();
    let settings = PerceiverSettings { manual: false, update_phase: 0.0, ..looker() };
    for at in [v(0.0, 0.0, 0.0), v(100.0, 0.0, 0.0)] {
        let watcher = scene.watcher(at, settings.clone());
        let mind = minds.add(profile.clone());
        minds.set_perceiver(mind, Some(watcher.key));
    }
    // One in front of the first agent, two in front of the second.
    for at in [v(0.0, 0.0, -5.0), v(100.0, 0.0, -5.0), v(101.0, 0.0, -5.0)] {
        scene.thing(at);
    }
    let counts = Rc::new(RefCell::new(BTreeMap::new()));
    let mut due = Vec::new();
    for _ in 0..3 {
        scene.run(Scope::Common, DT);
        minds.due(&scene.world, Scope::Common, &mut due);
        for key in &due {
            let around = Surroundings {
                perception: &scene.world,
                tags: &scene.tags,
                origin: v(0.0, 0.0, 0.0),
                own_tags: None,
            };
            let update = minds.begin(*key, &around).unwrap();
            while let Some(question) = minds.next(update) {
                if let Question::Fuse { .. } = question {
                    *counts.borrow_mut().entry(update.mind()).or_insert(0) += 1;
                }
                minds.answer(update, Answer::None);
            }
        }
    }
    assert_eq!(counts.borrow().values().copied().collect::<Vec<i32>>(), [3, 6]);
}
