//! Chords, and inputs that share an action.

use riposte_core::tags::TagTable;

use crate::stage::{ATTACK, DODGE, GUARD, Stage, chord, held, input};

fn parts(seconds: f64) -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![
        input(&mut tags, "LA", &[ATTACK]),
        input(&mut tags, "GD", &[GUARD]),
        input(&mut tags, "DG", &[DODGE]),
        chord(&mut tags, "AG", &[ATTACK, GUARD], seconds),
        chord(&mut tags, "AGD", &[ATTACK, GUARD, DODGE], seconds),
    ];
    Stage::new(tags, inputs, vec![])
}

#[test]
fn the_longest_chord_wins() {
    let mut stage = parts(0.06);
    for (at, action) in [(0.0, ATTACK), (0.02, GUARD), (0.04, DODGE)] {
        stage.until(at, 0.01);
        stage.key(action, true);
    }
    stage.until(0.5, 0.01);
    assert_eq!(stage.log, ["AGD 0.04"]);
    for action in [ATTACK, GUARD, DODGE] {
        stage.key(action, false);
    }
    stage.until(0.6, 0.01);
    assert_eq!(stage.log, ["AGD 0.04", "AGD↑ 0.5"], "the parts and the shorter chord send nothing");
}

#[test]
fn a_shorter_chord_follows_when_the_longest_does_not_come() {
    let mut stage = parts(0.06);
    stage.key(ATTACK, true);
    stage.key(GUARD, true);
    stage.until(0.2, 0.01);
    assert_eq!(stage.log, ["AG 0.06"]);
}

#[test]
fn parts_need_a_fresh_press() {
    let mut stage = parts(0.06);
    for action in [ATTACK, GUARD, DODGE] {
        stage.key(action, true);
    }
    stage.until(0.2, 0.01);
    stage.key(ATTACK, false);
    stage.key(GUARD, false);
    stage.key(DODGE, false);
    stage.until(0.3, 0.01);
    stage.key(ATTACK, true);
    stage.until(0.5, 0.01);
    assert_eq!(stage.log, ["AGD 0", "AGD↑ 0.2", "LA 0.36"]);
}

#[test]
fn a_late_last_part_still_makes_the_chord() {
    let mut tags = TagTable::new();
    let inputs = vec![
        input(&mut tags, "GD", &[GUARD]),
        input(&mut tags, "LA", &[ATTACK]),
        chord(&mut tags, "BASH", &[GUARD, ATTACK], 0.06),
    ];
    let mut stage = Stage::new(tags, inputs, vec![]);
    stage.key(GUARD, true);
    stage.until(1.0, 0.01);
    stage.key(ATTACK, true);
    stage.until(1.2, 0.01);
    stage.key(ATTACK, false);
    stage.key(GUARD, false);
    stage.until(1.4, 0.01);
    assert_eq!(stage.log, ["GD 0.06", "BASH 1", "BASH↑ 1.2", "GD↑ 1.2"]);
}

#[test]
fn without_a_time_the_parts_act_at_once_and_the_chord_too() {
    let mut stage = parts(0.0);
    stage.key(ATTACK, true);
    stage.until(0.1, 0.01);
    stage.key(GUARD, true);
    stage.drain();
    assert_eq!(stage.log, ["LA 0", "AG 0.1"], "the chord is walked before its last part");
    let mut dropped = parts(0.0);
    dropped.dropped.push(dropped.tag("AG"));
    dropped.key(ATTACK, true);
    dropped.until(0.1, 0.01);
    dropped.key(GUARD, true);
    dropped.drain();
    assert_eq!(dropped.log, ["LA 0", "AG 0.1", "GD 0.1"]);
}

#[test]
fn a_tap_and_a_hold_share_a_button() {
    let mut tags = TagTable::new();
    let inputs = vec![input(&mut tags, "LA", &[ATTACK]), held(&mut tags, "HV", &[ATTACK], 0.3)];
    let mut stage = Stage::new(tags, inputs, vec![]);
    stage.key(ATTACK, true);
    stage.until(0.5, 0.1);
    stage.key(ATTACK, false);
    stage.until(0.6, 0.1);
    assert_eq!(stage.log, ["LA 0", "HV 0.3", "LA↑ 0.5"]);
    assert!(!stage.recorder.is_held(stage.tag("HV")), "its release was left out, it is not held any more");
}

#[test]
fn a_held_part_of_a_chord_is_held_back_and_then_held() {
    let mut tags = TagTable::new();
    let inputs = vec![held(&mut tags, "HV", &[ATTACK], 0.3), chord(&mut tags, "SP", &[ATTACK, GUARD], 0.06)];
    let mut stage = Stage::new(tags, inputs, vec![]);
    stage.key(ATTACK, true);
    stage.until(0.4, 0.01);
    assert_eq!(stage.log, ["HV 0.3"], "counted from when the button went down");
    stage.key(ATTACK, false);
    stage.until(0.5, 0.01);
    stage.key(ATTACK, true);
    stage.until(0.53, 0.01);
    stage.key(ATTACK, false);
    stage.drain();
    assert_eq!(stage.log[1..], ["HV↑ 0.4", "HV↟ 0.53"]);
}
