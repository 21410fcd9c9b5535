//! Thresholds, held tags, pushes by scripts, and the limits of the queue.

use glam::DVec2;
use riposte_core::graph::Moment;
use riposte_core::graph::input::{Pushed, QUEUE_LENGTH, Recorded, Strength};
use riposte_core::tags::TagTable;

use crate::stage::{ATTACK, GUARD, RIGHT, Stage, held, input};

fn plain() -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![input(&mut tags, "LA", &[ATTACK]), held(&mut tags, "HV", &[GUARD], 0.3)];
    Stage::new(tags, inputs, vec![])
}

#[test]
fn a_source_between_the_thresholds_keeps_an_action_down() {
    let mut stage = plain();
    stage.push(ATTACK, 1, 1.0);
    stage.push(ATTACK, 2, 0.4);
    stage.push(ATTACK, 1, 0.0);
    stage.tick(0.1);
    assert_eq!(stage.log, ["LA 0"], "the other source is not below 0.3");
    stage.push(ATTACK, 2, 0.29);
    stage.tick(0.1);
    assert_eq!(stage.log, ["LA 0", "LA↑ 0.1"]);
}

#[test]
fn held_from_button_to_button() {
    let mut stage = plain();
    let (la, hv) = (stage.tag("LA"), stage.tag("HV"));
    stage.key(ATTACK, true);
    stage.key(GUARD, true);
    assert!(!stage.recorder.is_held(la), "the tick has not seen it");
    stage.until(0.25, 0.05);
    assert!(stage.recorder.is_held(la) && stage.recorder.is_held(hv), "a hold under way counts");
    assert!((stage.recorder.held_time(hv, stage.now) - 0.25).abs() < 1e-9);
    stage.until(0.5, 0.05);
    assert!((stage.recorder.held_time(hv, stage.now) - 0.5).abs() < 1e-9, "since the button went down");
    stage.key(ATTACK, false);
    stage.key(GUARD, false);
    stage.tick(0.05);
    assert!(!stage.recorder.is_held(la) && !stage.recorder.is_held(hv));
    assert_eq!(stage.recorder.held_time(la, stage.now), 0.0);
}

#[test]
fn a_script_marks_what_it_sends() {
    let mut stage = plain();
    let la = stage.tag("LA");
    stage.recorder.mark(la, Moment::Pressed, 0.0);
    stage.tick(0.2);
    assert!(stage.recorder.is_held(la));
    assert!((stage.recorder.held_time(la, stage.now) - 0.2).abs() < 1e-9);
    stage.key(ATTACK, true);
    stage.key(ATTACK, false);
    stage.tick(0.1);
    assert!(stage.recorder.is_held(la), "the device let go of its own only");
    stage.recorder.mark(la, Moment::Released, stage.now);
    assert!(!stage.recorder.is_held(la));
}

#[test]
fn a_push_goes_through_trigger_and_hold() {
    let mut stage = plain();
    let (la, hv, free) = (stage.tag("LA"), stage.tag("HV"), stage.tag("Nothing"));
    assert_eq!(stage.recorder.push(la, true, None, 0.0), Pushed::Sent);
    stage.walk();
    assert_eq!(stage.recorder.push(la, true, None, 0.0), Pushed::Nothing, "it is down");
    assert_eq!(stage.recorder.push(hv, true, Some(DVec2::X), 0.0), Pushed::Waits);
    assert_eq!(stage.recorder.push(free, true, None, 0.0), Pushed::Sent, "the map need not have it");
    stage.walk();
    stage.until(0.3, 0.1);
    assert_eq!(stage.log, ["LA 0", "Nothing 0", "HV 0.3"]);
    assert_eq!(stage.recorder.push(hv, false, None, stage.now), Pushed::Sent);
    stage.walk();
    assert_eq!(stage.log[3], "HV↑ 0.3");
    assert_eq!(stage.recorder.push(hv, false, None, stage.now), Pushed::Nothing);
    stage.recorder.push(hv, true, None, stage.now);
    stage.tick(0.1);
    stage.recorder.push(hv, false, None, stage.now);
    stage.walk();
    assert_eq!(stage.log[4], "HV↟ 0.4");
}

#[test]
fn a_push_does_not_work_off_what_waits_for_the_tick() {
    let mut stage = plain();
    stage.key(ATTACK, true);
    stage.recorder.push(stage.tag("Nothing"), true, None, 0.0);
    stage.walk();
    assert_eq!(stage.log, ["Nothing 0"]);
    stage.tick(0.1);
    assert_eq!(stage.log, ["Nothing 0", "LA 0"]);
}

#[test]
fn a_full_queue_refuses_and_nothing_stays_stuck() {
    let mut stage = plain();
    for _ in 0..QUEUE_LENGTH / 2 {
        assert_eq!(stage.push(ATTACK, 1, 1.0), Recorded::Queued);
        assert_eq!(stage.push(ATTACK, 1, 0.0), Recorded::Queued);
    }
    assert_eq!(stage.push(ATTACK, 1, 1.0), Recorded::Full);
    assert_eq!(stage.push(ATTACK, 1, 0.0), Recorded::Full);
    assert_eq!(stage.push(GUARD, 2, 1.0), Recorded::Full);
    stage.tick(0.1);
    assert_eq!(stage.log.len(), QUEUE_LENGTH);
    stage.tick(1.0);
    assert_eq!(stage.log.len(), QUEUE_LENGTH, "a refused press starts no hold");
    stage.push(GUARD, 2, 0.0);
    stage.push(GUARD, 2, 1.0);
    stage.tick(1.0);
    assert_eq!(stage.log.len(), QUEUE_LENGTH + 1, "pressed anew it counts");
}

#[test]
fn a_refused_release_comes_all_the_same() {
    let mut stage = plain();
    for _ in 0..QUEUE_LENGTH / 2 - 1 {
        stage.push(ATTACK, 1, 1.0);
        stage.push(ATTACK, 1, 0.0);
    }
    stage.push(GUARD, 2, 1.0);
    assert_eq!(stage.push(ATTACK, 1, 1.0), Recorded::Queued);
    assert_eq!(stage.push(ATTACK, 1, 0.0), Recorded::Full);
    stage.tick(0.1);
    assert!(!stage.recorder.is_held(stage.tag("LA")));
    assert!(stage.log.last().unwrap().starts_with("LA↑"));
}

#[test]
fn the_stick_moves_the_player_and_lets_go() {
    let mut stage = plain();
    stage.recorder.set_move_direction(DVec2::new(0.0, 1.0));
    assert_eq!(stage.recorder.move_direction(), DVec2::new(0.0, 1.0));
    stage.lean(0.15, 0.0);
    assert_eq!(stage.recorder.move_direction(), DVec2::new(0.0, 1.0), "inside the dead zone");
    stage.lean(0.6, 0.0);
    assert_eq!(stage.recorder.stick(), DVec2::new(0.6, 0.0), "not stretched");
    assert_eq!(stage.recorder.move_direction(), DVec2::new(0.6, 0.0));
    stage.recorder.set_move_direction(DVec2::new(0.0, 1.0));
    assert_eq!(stage.recorder.move_direction(), DVec2::new(0.6, 0.0), "the stick is pushed");
    stage.recorder.turn_stick(DVec2::new(-1.0, 0.0), false);
    assert_eq!(stage.recorder.move_direction(), DVec2::new(0.0, -0.6), "the camera turned to the left");
    stage.lean(0.0, 0.0);
    assert_eq!(stage.recorder.move_direction(), DVec2::ZERO);
    stage.event(7, &[Strength { action: RIGHT, strength: 0.0, raw: 0.9 }]);
    assert_eq!(stage.recorder.stick(), DVec2::new(0.9, 0.0), "dead zones of actions do not count for it");
}

#[test]
fn what_is_saved_is_held_again() {
    let mut stage = plain();
    let (la, hv, free) = (stage.tag("LA"), stage.tag("HV"), stage.tag("Nothing"));
    stage.key(ATTACK, true);
    stage.key(GUARD, true);
    stage.recorder.mark(free, Moment::Pressed, 0.0);
    stage.until(0.2, 0.1);
    let saved = stage.recorder.save(stage.now);
    let mut again = plain();
    again.now = 5.0;
    again.key(GUARD, true);
    again.recorder.restore(&saved, again.now);
    again.tick(0.05);
    assert_eq!(again.log, ["LA↑ 5"], "its button is not down here");
    assert!(again.recorder.is_held(free) && again.recorder.is_held(hv) && !again.recorder.is_held(la));
    again.until(5.2, 0.05);
    assert_eq!(again.log, ["LA↑ 5", "HV 5.1"], "the hold goes on");
}
