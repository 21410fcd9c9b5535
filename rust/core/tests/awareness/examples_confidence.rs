//! Worked examples 1 to 11, 24, 33 and 35: senses, fusion, lifecycle.

use riposte_core::awareness::{
    Answer, FusionRule, HealthAnswers, LateHealth, Lifecycle, Profile, Question, SenseId, SenseSlot,
    ThreatLevel, health_percent, pain_factor,
};
use riposte_core::perception::SourceSettings;

use crate::scene::*;
use crate::stage::*;

use Lifecycle::{Detected, Expired, Lost, Suspected, Undetected};

const HIDDEN: f64 = 100.0;

/// Value and weight of a sense that is active.
type Active = Option<(f64, f64)>;

/// What fusion makes of these senses.
fn fused(sight: Active, hearing: Active, damage: Active, rule: FusionRule) -> f64 {
    let slot = |sense, active: Active| {
        let (value, weight) = active.unwrap_or((1.0, 1.0));
        SenseSlot { weight, ..flat(sense, value) }
    };
    let mut play = Play::tuned(|profile| {
        profile.fusion = rule;
        profile.senses =
            vec![slot(SenseId::Sight, sight), slot(SenseId::Hearing, hearing), slot(SenseId::Damage, damage)];
    });
    let at = if sight.is_some() { v(0.0, 0.0, -5.0) } else { v(0.0, 0.0, HIDDEN) };
    let thing = play.scene.thing(at);
    if hearing.is_some() {
        play.scene.noise(at, 100.0, Some(thing));
    }
    if damage.is_some() {
        play.scene.hurt(play.watcher, Some(thing), at, 1.0);
    }
    play.tick();
    round(play.belief(thing).fused)
}

fn plain_weight(value: f64) -> Active {
    Some((value, 1.0))
}

#[test]
fn ex_20_1() {
    assert_eq!(fused(plain_weight(0.5), plain_weight(0.2), None, FusionRule::BuiltIn), 0.6);
}

#[test]
fn ex_20_2() {
    assert_eq!(fused(plain_weight(0.9), None, None, FusionRule::BuiltIn), 0.9);
    assert_eq!(fused(plain_weight(0.3), plain_weight(0.3), None, FusionRule::BuiltIn), 0.4);
}

#[test]
fn ex_20_3() {
    let all = fused(plain_weight(0.95), plain_weight(0.3), plain_weight(0.2), FusionRule::BuiltIn);
    assert_eq!(all, 1.0);
}

#[test]
fn ex_20_4() {
    let mut play = Play::tuned(|profile| {
        let hearing = SenseSlot { hold_time: 0.0, fall_time: 1e9, ..flat(SenseId::Hearing, 0.9) };
        profile.senses = vec![flat(SenseId::Sight, 0.4), hearing];
    });
    let thing = play.scene.thing(v(0.0, 0.0, -5.0));
    play.scene.noise(v(0.0, 0.0, -5.0), 1.0, Some(thing));
    play.run_to(1);
    let samples = play.samples(thing);
    assert!(near(samples[1].value, 0.9) && !samples[1].active, "{samples:?}");
    assert!(near(samples[0].value, 0.4) && samples[0].active);
    assert_eq!(round(play.belief(thing).fused), 0.4);
}

#[test]
fn ex_20_5() {
    assert_eq!(fused(Some((0.8, 0.5)), plain_weight(0.5), None, FusionRule::BuiltIn), 0.6);
}

#[test]
fn ex_20_6() {
    assert_eq!(fused(plain_weight(0.3), plain_weight(0.3), None, FusionRule::Summing), 0.6);
}

/// The reading of sight: distances tick by tick, visible points of three.
fn sight_reading(places: &[f64], visible: u16) -> f64 {
    let mut play = Play::tuned(|profile| {
        profile.senses = vec![SenseSlot { rise_time: 0.0, ..SenseSlot::new(SenseId::Sight) }];
    });
    let points = SourceSettings { extra_aim_points: vec![v(0.0, 0.1, 0.0), v(0.0, 0.2, 0.0)], ..plain() };
    let thing = play.scene.thing_with(v(0.0, 0.0, -1.0), points, &[]);
    play.scene.frames.masks.insert(thing.key.index(), visible);
    for at in places {
        play.scene.move_thing(thing, v(0.0, 0.0, -at));
        play.tick();
    }
    let belief = play.belief(thing).key();
    round(play.minds.explain(play.mind, belief).unwrap().senses[0].reading)
}

#[test]
fn ex_20_7() {
    assert_eq!(sight_reading(&[10.0], 7), 0.85);
    let mut play = Play::new(hostile());
    let thing = play.scene.thing(v(0.0, 0.0, -10.0));
    for (tick, state, confidence) in [
        (0, Undetected, 0.0),
        (2, Undetected, 0.17),
        (3, Suspected, 0.255),
        (7, Suspected, 0.595),
        (8, Detected, 0.68),
        (10, Detected, 0.85),
        (20, Detected, 0.85),
    ] {
        play.run_to(tick);
        assert_eq!((play.state(thing), round(play.belief(thing).confidence)), (state, confidence), "{tick}");
    }
    assert_eq!(play.states(thing), [(3, Undetected, Suspected), (8, Suspected, Detected)]);
}

#[test]
fn ex_20_8() {
    let mut play = Play::new(hostile());
    let thing = play.scene.thing(v(0.0, 0.0, 0.0));
    play.run_to(3);
    assert_eq!((play.state(thing), round(play.belief(thing).confidence)), (Suspected, 0.3));
    play.run_to(6);
    assert_eq!((play.state(thing), round(play.belief(thing).confidence)), (Detected, 0.6));
    assert_eq!(play.states(thing), [(3, Undetected, Suspected), (6, Suspected, Detected)]);
    assert!(near(sight_reading(&[10.0], 0b101), 0.56667));
    assert_eq!(sight_reading(&[10.0, 22.0], 7), 0.7);
}

#[test]
fn ex_20_9() {
    let mut play = Play::new(hostile());
    let thing = play.scene.thing(v(0.0, 0.0, HIDDEN));
    play.scene.noise(v(0.0, 0.0, 7.5), 1.0, Some(thing));
    for (tick, state, confidence) in [
        (0, Suspected, 0.5),
        (10, Suspected, 0.5),
        (11, Suspected, 0.49),
        (40, Suspected, 0.2),
        (41, Undetected, 0.19),
        (49, Undetected, 0.11),
        (50, Expired, 0.0),
    ] {
        play.run_to(tick);
        assert_eq!((play.state(thing), round(play.belief(thing).confidence)), (state, confidence), "{tick}");
    }
    let states = play.states(thing);
    assert_eq!(states, [(0, Undetected, Suspected), (41, Suspected, Undetected), (50, Undetected, Expired)]);
}

/// Example 10: seen at 10 m up to tick 20, then hidden.
fn lost_after_tick_20() -> (Play, Thing) {
    let mut play = Play::new(hostile());
    let thing = play.scene.thing(v(0.0, 0.0, -10.0));
    play.run_to(20);
    play.scene.hide(play.watcher, thing);
    (play, thing)
}

#[test]
fn ex_20_10() {
    let (mut play, thing) = lost_after_tick_20();
    play.run_to(24);
    assert_eq!(play.state(thing), Detected);
    play.run_to(25);
    assert_eq!((play.state(thing), round(play.belief(thing).confidence)), (Lost, 0.8));
    play.run_to(69);
    assert_eq!(play.state(thing), Lost);
    play.run_to(70);
    assert_eq!(play.state(thing), Expired);
    let id = play.id(thing);
    play.run_to(169);
    assert!(play.minds.belief(play.mind, id).is_some());
    play.run_to(170);
    assert!(play.minds.belief(play.mind, id).is_none());
    let from_20: Vec<_> = play.states(thing).into_iter().filter(|(tick, ..)| *tick > 20).collect();
    assert_eq!(from_20, [(25, Detected, Lost), (70, Lost, Expired)]);
}

#[test]
fn ex_20_11() {
    let mut play = Play::new(hostile());
    let thing = play.scene.thing(v(0.0, 0.0, HIDDEN));
    play.scene.hurt(play.watcher, Some(thing), v(0.0, 0.0, 0.0), 25.0);
    play.tick();
    assert_eq!(play.states(thing), [(0, Undetected, Detected)]);
    assert_eq!(play.threat(thing), (0.575, ThreatLevel::Medium));
    play.run_to(10);
    assert!(near(play.belief(thing).damage, 20.0));
    assert_eq!(play.threat(thing), (0.54, ThreatLevel::Medium));
    assert_eq!(play.states(thing).len(), 1);
}

#[test]
fn ex_20_24() {
    let profile = Profile { pain_enabled: true, ..hostile() };
    for (health, factor) in [(1.0, 1.0), (0.5, 1.0), (0.4, 0.9), (0.25, 0.75), (0.1, 0.6), (0.0, 0.5)] {
        assert!(near(pain_factor(&profile, health), factor), "health {health}");
    }
    let mut play = Play::tuned(|tuned| {
        tuned.pain_enabled = true;
        tuned.senses = vec![SenseSlot { rise_time: 0.0, ..SenseSlot::new(SenseId::Sight) }];
    });
    play.script(|_, _, question| match question {
        Question::Health => Answer::Number(0.25),
        _ => Answer::None,
    });
    let thing = play.scene.thing(v(0.0, 0.0, -10.0));
    play.tick();
    assert_eq!(round(play.samples(thing)[0].value), 0.6375);
    assert!(near(play.minds.pain(play.mind), 0.75));
}

#[test]
fn ex_20_25() {
    assert_eq!(health_percent(40.0), Some(0.4));
    assert_eq!(health_percent(0.4), Some(0.4));
    assert_eq!(health_percent(1.0), Some(1.0));
    let late = |late| HealthAnswers { late, ..HealthAnswers::default() }.health();
    assert_eq!(late(Some(LateHealth::Share(30.0, 120.0))), 0.25);
    assert_eq!(late(Some(LateHealth::Share(30.0, 0.0))), 0.0);
    assert_eq!(late(None), 1.0);
}

#[test]
fn ex_20_26() {
    let answers = HealthAnswers { fraction: Some(0.2), vital: None, late: Some(LateHealth::Percent(50.0)) };
    assert_eq!(answers.health(), 0.2);
}

#[test]
fn ex_20_33() {
    let (mut play, thing) = lost_after_tick_20();
    play.scene.hurt(play.watcher, Some(thing), v(0.0, 0.0, 0.0), 1.0);
    play.run_to(70);
    play.run_to(75);
    assert_eq!(play.state(thing), Expired);
    play.run_to(89);
    play.scene.noise(v(0.0, 0.0, 7.5), 1.0, Some(thing));
    play.tick();
    let states = play.states(thing);
    assert_eq!(states[states.len() - 2..], [(90, Expired, Undetected), (90, Undetected, Suspected)]);
    let belief = play.belief(thing);
    assert_eq!((round(belief.confidence), belief.damage, belief.damage_total), (0.5, 0.0, 0.0));
}

#[test]
fn ex_20_35() {
    let mut play = Play::tuned(|profile| {
        profile.fusion = FusionRule::Script;
        profile.confidence_fade_time = 0.0;
    });
    let thing = play.scene.thing(v(0.0, 0.0, -10.0));
    for (confidence, state) in [(0.7, Detected), (0.58, Detected), (0.54, Suspected)] {
        play.script(move |_, _, question| match question {
            Question::Fuse { .. } => Answer::Number(confidence),
            _ => Answer::None,
        });
        play.tick();
        assert!(near(play.belief(thing).confidence, confidence));
        assert_eq!(play.state(thing), state, "C {confidence}");
    }
}
