//! The worked examples of device inputs.

use glam::DVec2;
use riposte_core::graph::direction::Way;
use riposte_core::graph::input::Step;
use riposte_core::tags::TagTable;

use crate::stage::{ATTACK, GUARD, Stage, chord, held, input, sequence};

const TICK: f64 = 1.0 / 60.0;

fn plain() -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![input(&mut tags, "LA", &[ATTACK])];
    Stage::new(tags, inputs, vec![])
}

#[test]
fn ex_50_i1() {
    let mut stage = plain();
    // A frame of 70 ms: four ticks follow it, the events came before the first.
    stage.key(ATTACK, true);
    stage.key(ATTACK, false);
    stage.tick(TICK);
    assert_eq!(stage.log, ["LA 0", "LA↑ 0"]);
    for _ in 0..3 {
        stage.tick(TICK);
    }
    assert_eq!(stage.log.len(), 2, "the other ticks see nothing");
}

#[test]
fn ex_50_i2() {
    // 144 frames a second: frames without a tick between the press and the next tick.
    let mut fast = plain();
    fast.tick(TICK);
    fast.key(ATTACK, true);
    assert!(fast.log.is_empty());
    fast.tick(TICK);
    fast.tick(TICK);
    assert_eq!(fast.log, ["LA 0.017"]);
    // 30 frames a second: two ticks in each.
    let mut slow = plain();
    slow.key(ATTACK, true);
    slow.tick(TICK);
    assert_eq!(slow.log, ["LA 0"], "in the first of the two");
    slow.tick(TICK);
    assert_eq!(slow.log.len(), 1);
}

#[test]
fn ex_50_i3() {
    let mut stage = plain();
    for (strength, expected) in [(0.2, 0), (0.55, 1), (0.45, 1), (0.35, 1), (0.52, 1), (0.25, 2)] {
        stage.push(ATTACK, 7, strength);
        stage.tick(TICK);
        assert_eq!(stage.log.len(), expected, "at {strength}: {:?}", stage.log);
    }
    assert!(stage.log[0].starts_with("LA ") && stage.log[1].starts_with("LA↑"));
}

fn hold() -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![held(&mut tags, "HV", &[ATTACK], 0.3)];
    Stage::new(tags, inputs, vec![])
}

#[test]
fn ex_50_i4() {
    let mut stage = hold();
    stage.key(ATTACK, true);
    for _ in 0..17 {
        stage.tick(TICK);
    }
    assert!(stage.log.is_empty());
    // The next tick would reach 0.3 s: the event comes before its time.
    stage.key(ATTACK, false);
    stage.tick(TICK);
    assert_eq!(stage.log, ["HV↟ 0.283"]);
}

fn with_chord() -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![
        input(&mut tags, "LA", &[ATTACK]),
        input(&mut tags, "GD", &[GUARD]),
        chord(&mut tags, "SP", &[ATTACK, GUARD], 0.06),
    ];
    Stage::new(tags, inputs, vec![])
}

#[test]
fn ex_50_i5() {
    let mut stage = with_chord();
    stage.key(ATTACK, true);
    stage.until(0.04, 0.01);
    stage.key(GUARD, true);
    stage.until(0.2, 0.01);
    stage.key(ATTACK, false);
    stage.until(0.3, 0.01);
    stage.key(GUARD, false);
    stage.until(0.5, 0.01);
    assert_eq!(stage.log, ["SP 0.04", "SP↑ 0.2"]);
}

#[test]
fn ex_50_i6() {
    let mut alone = with_chord();
    alone.key(ATTACK, true);
    alone.until(0.2, 0.01);
    assert_eq!(alone.log, ["LA 0.06"]);
    let mut short = with_chord();
    short.key(ATTACK, true);
    short.until(0.03, 0.01);
    short.key(ATTACK, false);
    short.until(0.2, 0.01);
    assert_eq!(short.log, ["LA 0.03", "LA↑ 0.03"]);
}

fn fireball() -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![input(&mut tags, "LA", &[ATTACK])];
    let la = tags.find("LA").expect("a tag");
    let steps =
        vec![Step::Way(Way::Down), Step::Way(Way::DownForward), Step::Way(Way::Forward), Step::Tag(la)];
    let sequences = vec![sequence(&mut tags, "FB", steps)];
    Stage::new(tags, inputs, sequences)
}

fn quarter_turn(stage: &mut Stage, press: f64) {
    stage.lean(0.0, 1.0);
    stage.until(0.06, 0.01);
    stage.lean(0.7, 0.7);
    stage.until(0.12, 0.01);
    stage.lean(1.0, 0.0);
    stage.until(press, 0.01);
    stage.key(ATTACK, true);
    stage.drain();
}

#[test]
fn ex_50_i7() {
    let mut taken = fireball();
    quarter_turn(&mut taken, 0.2);
    assert_eq!(taken.log, ["FB 0.2"], "it is taken: the plain press is not walked");
    let mut dropped = fireball();
    dropped.dropped.push(dropped.tag("FB"));
    quarter_turn(&mut dropped, 0.2);
    assert_eq!(dropped.log, ["FB 0.2", "LA 0.2"]);
    let mut late = fireball();
    quarter_turn(&mut late, 0.12 + 0.25);
    assert_eq!(late.log, ["LA 0.37"]);
}

#[test]
fn ex_50_i8() {
    let mut early = hold();
    early.key(ATTACK, true);
    early.until(0.2, 0.01);
    early.recorder.lose_focus();
    early.until(1.0, 0.01);
    assert!(early.log.is_empty(), "{:?}", early.log);
    let mut late = hold();
    late.key(ATTACK, true);
    late.until(0.5, 0.01);
    late.recorder.lose_focus();
    late.until(1.0, 0.01);
    assert_eq!(late.log, ["HV 0.3", "HV↑ 0.5"]);
    late.key(ATTACK, false);
    late.until(1.1, 0.01);
    assert_eq!(late.log.len(), 2, "its true release comes to nothing");
}

#[test]
fn ex_50_i9() {
    let down = crate::pauses::down(ATTACK);
    let mut throughout = plain();
    throughout.key(ATTACK, true);
    throughout.until(0.5, 0.01);
    throughout.recorder.pause();
    throughout.recorder.resume(&[down], DVec2::NEG_Y, false);
    throughout.until(0.6, 0.01);
    assert_eq!(throughout.log, ["LA 0"]);
    let mut released = plain();
    released.key(ATTACK, true);
    released.until(0.5, 0.01);
    released.recorder.pause();
    released.recorder.resume(&[], DVec2::NEG_Y, false);
    released.until(0.6, 0.01);
    assert_eq!(released.log, ["LA 0", "LA↑ 0.5"]);
}

#[test]
fn ex_50_i10() {
    let mut stage = plain();
    let (key, pad) = (1, 2);
    for (source, strength, expected) in [(key, 1.0, 1), (pad, 1.0, 1), (key, 0.0, 1), (pad, 0.0, 2)] {
        stage.push(ATTACK, source, strength);
        stage.tick(TICK);
        assert_eq!(stage.log.len(), expected, "{:?}", stage.log);
    }
    assert!(stage.log[1].starts_with("LA↑"));
}

#[test]
fn ex_50_d3() {
    let mut stage = plain();
    stage.lean(-1.0, 0.0);
    stage.key(ATTACK, true);
    stage.lean(1.0, 0.0);
    stage.tick(TICK);
    assert_eq!(stage.seen[0].stick, DVec2::new(-1.0, 0.0));
    assert_eq!(stage.seen[0].direction, DVec2::new(-1.0, 0.0));
    assert_eq!(stage.recorder.move_direction(), DVec2::new(1.0, 0.0));
}
