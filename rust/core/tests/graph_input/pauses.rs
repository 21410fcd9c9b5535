//! Pause, focus, another map.

use std::sync::Arc;

use glam::DVec2;
use riposte_core::graph::input::{InputPlan, InputPolicy, SourceId, Stay, Strength};
use riposte_core::tags::TagTable;

use crate::stage::{ACTIONS, ATTACK, GUARD, Stage, held, input, stick};

/// What a resume finds: the key of this action is down.
pub fn down(action: usize) -> (SourceId, Strength) {
    (SourceId(action as u64), Strength { action, strength: 1.0, raw: 1.0 })
}

fn player() -> Stage {
    let mut tags = TagTable::new();
    let mut dropped = input(&mut tags, "LA", &[ATTACK]);
    dropped.policy = InputPolicy { in_pause: Stay::Drop, ..InputPolicy::default() };
    let inputs = vec![dropped, held(&mut tags, "HV", &[GUARD], 0.3)];
    Stage::new(tags, inputs, vec![])
}

fn resume(stage: &mut Stage, now_down: &[usize]) {
    let now_down: Vec<_> = now_down.iter().map(|action| down(*action)).collect();
    stage.recorder.resume(&now_down, DVec2::NEG_Y, false);
}

#[test]
fn entries_that_are_not_kept_in_a_pause_go() {
    let mut stage = player();
    stage.key(ATTACK, true);
    stage.key(GUARD, true);
    stage.recorder.pause();
    resume(&mut stage, &[ATTACK, GUARD]);
    stage.until(0.4, 0.1);
    assert_eq!(stage.log, ["HV 0.3"], "the dropped press is down, and no press");
    stage.key(ATTACK, false);
    stage.key(ATTACK, true);
    stage.tick(0.1);
    assert_eq!(stage.log, ["HV 0.3", "LA 0.4"]);
}

#[test]
fn an_unfinished_hold_that_is_up_is_forgotten() {
    let mut stage = player();
    stage.key(GUARD, true);
    stage.until(0.2, 0.1);
    stage.recorder.pause();
    resume(&mut stage, &[]);
    stage.until(1.0, 0.1);
    assert!(stage.log.is_empty(), "{:?}", stage.log);
}

#[test]
fn an_unfinished_hold_goes_on_when_it_is_still_down() {
    let mut stage = player();
    stage.key(GUARD, true);
    stage.until(0.2, 0.1);
    stage.recorder.pause();
    resume(&mut stage, &[GUARD]);
    stage.until(0.4, 0.1);
    assert_eq!(stage.log, ["HV 0.3"]);
}

#[test]
fn a_button_pressed_in_the_pause_is_no_press() {
    let mut stage = player();
    stage.recorder.pause();
    resume(&mut stage, &[ATTACK]);
    stage.tick(0.1);
    stage.push(ATTACK, ATTACK as u64, 0.8);
    stage.tick(0.1);
    assert!(stage.log.is_empty(), "a trigger that trembles is no press either");
    stage.key(ATTACK, false);
    stage.tick(0.1);
    assert!(stage.log.is_empty(), "and its release is none");
}

#[test]
fn what_a_script_holds_outlasts_pause_and_focus() {
    let mut stage = player();
    stage.recorder.push(stage.tag("LA"), true, None, 0.0);
    stage.walk();
    stage.recorder.pause();
    resume(&mut stage, &[]);
    stage.recorder.lose_focus();
    stage.tick(0.1);
    assert!(stage.recorder.is_held(stage.tag("LA")));
    assert_eq!(stage.log, ["LA 0"]);
}

#[test]
fn focus_is_lost_in_its_turn() {
    let mut stage = player();
    stage.key(ATTACK, true);
    stage.recorder.lose_focus();
    stage.key(ATTACK, true);
    stage.tick(0.1);
    assert_eq!(stage.log, ["LA 0", "LA↑ 0", "LA 0"]);
}

#[test]
fn another_map_releases_what_was_held() {
    let mut stage = player();
    stage.key(ATTACK, true);
    stage.recorder.push(stage.tag("HV"), true, None, 0.0);
    stage.until(0.4, 0.1);
    let mut tags = stage.tags.clone();
    let plan = InputPlan::new(ACTIONS, vec![input(&mut tags, "LA", &[ATTACK])], vec![], stick());
    stage.recorder.set_plan(Arc::new(plan), stage.now);
    resume(&mut stage, &[ATTACK]);
    stage.tick(0.1);
    assert_eq!(stage.log, ["LA 0", "HV 0.3", "LA↑ 0.4", "HV↑ 0.4"]);
    assert_eq!(stage.recorder.held().count(), 0, "what goes on to be held is no press");
}
