//! Motion inputs.

use riposte_core::graph::direction::Way;
use riposte_core::graph::input::{SequenceSpec, Step};
use riposte_core::tags::{TagId, TagTable};

use crate::stage::{ATTACK, Stage, input, sequence};

fn player(make: impl FnOnce(&mut TagTable, TagId) -> Vec<SequenceSpec>) -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![input(&mut tags, "LA", &[ATTACK])];
    let la = tags.find("LA").expect("a tag");
    let sequences = make(&mut tags, la);
    Stage::new(tags, inputs, sequences)
}

/// Leans at these times.
fn lean(stage: &mut Stage, moves: &[(f64, f64, f64)]) {
    for (at, x, y) in moves {
        stage.until(*at, 0.01);
        stage.lean(*x, *y);
        stage.drain();
    }
}

fn press(stage: &mut Stage, at: f64) {
    stage.until(at, 0.01);
    stage.key(ATTACK, true);
    stage.drain();
}

fn forward_forward(tags: &mut TagTable) -> SequenceSpec {
    sequence(tags, "DASH", vec![Step::Way(Way::Forward), Step::Way(Way::Neutral), Step::Way(Way::Forward)])
}

#[test]
fn a_double_tap_is_held_as_long_as_the_stick_stays() {
    let mut stage = player(|tags, _| vec![forward_forward(tags)]);
    lean(&mut stage, &[(0.0, 1.0, 0.0), (0.1, 0.0, 0.0), (0.2, 1.0, 0.0)]);
    assert_eq!(stage.log, ["DASH 0.2"]);
    stage.until(0.5, 0.1);
    assert!(stage.recorder.is_held(stage.tag("DASH")));
    lean(&mut stage, &[(0.5, 0.0, 0.0)]);
    assert_eq!(stage.log, ["DASH 0.2", "DASH↑ 0.5"]);
    lean(&mut stage, &[(0.6, 1.0, 0.0)]);
    assert_eq!(stage.log.len(), 2, "a third tap begins anew");
}

#[test]
fn forward_is_where_the_character_looks_if_it_is_mirrored() {
    let mirrored = |tags: &mut TagTable| SequenceSpec { mirrored: true, ..forward_forward(tags) };
    let mut left = player(|tags, _| vec![mirrored(tags)]);
    left.looks_left = true;
    lean(&mut left, &[(0.0, -1.0, 0.0), (0.1, 0.0, 0.0), (0.2, -1.0, 0.0)]);
    assert_eq!(left.log, ["DASH 0.2"]);
    let mut right = player(|tags, _| vec![mirrored(tags)]);
    lean(&mut right, &[(0.0, -1.0, 0.0), (0.1, 0.0, 0.0), (0.2, -1.0, 0.0)]);
    assert!(right.log.is_empty());
}

#[test]
fn other_directions_between_count_against_a_strict_one_only() {
    let steps = || vec![Step::Way(Way::Down), Step::Way(Way::Forward)];
    let roll = [(0.0, 0.0, 1.0), (0.05, 0.7, 0.7), (0.1, 1.0, 0.0)];
    let mut free = player(|tags, _| vec![sequence(tags, "X", steps())]);
    lean(&mut free, &roll);
    assert_eq!(free.log, ["X 0.1"]);
    let mut strict = player(|tags, _| vec![SequenceSpec { strict: true, ..sequence(tags, "X", steps()) }]);
    lean(&mut strict, &roll);
    assert!(strict.log.is_empty());
    lean(&mut strict, &[(0.2, 0.0, 1.0), (0.3, 1.0, 0.0)]);
    assert_eq!(strict.log, ["X 0.3"]);
}

#[test]
fn a_charge_is_held_first_and_its_time_is_not_part_of_the_whole() {
    let steps = |la| vec![Step::Held(Way::Back, 0.8), Step::Way(Way::Forward), Step::Tag(la)];
    let mut stage = player(|tags, la| vec![sequence(tags, "BOOM", steps(la))]);
    lean(&mut stage, &[(0.0, -1.0, 0.0), (0.9, 0.0, 0.0), (0.95, 1.0, 0.0)]);
    press(&mut stage, 1.0);
    assert_eq!(stage.log, ["BOOM 1"]);
    let mut short = player(|tags, la| vec![sequence(tags, "BOOM", steps(la))]);
    lean(&mut short, &[(0.0, -1.0, 0.0), (0.7, 0.0, 0.0), (0.75, 1.0, 0.0)]);
    press(&mut short, 0.8);
    assert_eq!(short.log, ["LA 0.8"]);
}

#[test]
fn a_charge_that_is_still_held_counts_for_a_press() {
    let mut stage =
        player(|tags, la| vec![sequence(tags, "BOOM", vec![Step::Held(Way::Back, 0.8), Step::Tag(la)])]);
    lean(&mut stage, &[(0.0, -1.0, 0.0)]);
    press(&mut stage, 0.9);
    assert_eq!(stage.log, ["BOOM 0.9"]);
}

#[test]
fn a_last_step_that_is_held_fires_by_itself() {
    let mut stage =
        player(|tags, _| vec![sequence(tags, "SIT", vec![Step::Way(Way::Up), Step::Held(Way::Down, 0.4)])]);
    lean(&mut stage, &[(0.0, 0.0, -1.0), (0.1, 0.0, 1.0)]);
    stage.until(2.0, 0.03);
    assert_eq!(stage.log, ["SIT 0.5"], "once, whatever the tick");
    lean(&mut stage, &[(2.0, 0.0, 0.0)]);
    assert_eq!(stage.log, ["SIT 0.5", "SIT↑ 2"]);
}

#[test]
fn the_whole_has_a_limit_too() {
    let ways = [Way::Down, Way::DownForward, Way::Forward, Way::UpForward];
    let steps: Vec<Step> = ways.into_iter().map(Step::Way).collect();
    let moves = |gap: f64| [(0.0, 0.0, 1.0), (gap, 0.7, 0.7), (2.0 * gap, 1.0, 0.0), (3.0 * gap, 0.7, -0.7)];
    let mut quick = player(|tags, _| vec![sequence(tags, "X", steps.clone())]);
    lean(&mut quick, &moves(0.2));
    assert_eq!(quick.log, ["X 0.6"], "the limits count");
    let tight = |tags: &mut TagTable| SequenceSpec { max_total: 0.5, ..sequence(tags, "X", steps.clone()) };
    let mut slow = player(|tags, _| vec![tight(tags)]);
    lean(&mut slow, &moves(0.2));
    assert!(slow.log.is_empty());
}

#[test]
fn the_one_with_the_most_steps_is_walked_first() {
    let mut stage = player(|tags, la| {
        let quarter = vec![Step::Way(Way::DownForward), Step::Way(Way::Forward), Step::Tag(la)];
        let mut half = vec![Step::Way(Way::Back), Step::Way(Way::Down)];
        half.extend(&quarter);
        vec![sequence(tags, "SHORT", quarter), sequence(tags, "LONG", half)]
    });
    stage.dropped = vec![stage.tag("LONG"), stage.tag("SHORT")];
    lean(&mut stage, &[(0.0, -1.0, 0.0), (0.1, 0.0, 1.0), (0.2, 0.7, 0.7), (0.3, 1.0, 0.0)]);
    press(&mut stage, 0.4);
    assert_eq!(stage.log, ["LONG 0.4", "SHORT 0.4", "LA 0.4"]);
    stage.key(ATTACK, false);
    stage.drain();
    assert_eq!(stage.log[3..], ["LONG↑ 0.4", "SHORT↑ 0.4", "LA↑ 0.4"]);
}

#[test]
fn a_step_may_come_twice_and_the_better_one_counts() {
    // The first "b" is near enough to "a", the second to the press: either alone would fail.
    let mut stage = player(|tags, la| {
        let steps = vec![Step::Way(Way::Up), Step::Way(Way::Down), Step::Tag(la)];
        vec![SequenceSpec { max_step_gap: 0.2, max_total: 0.0, ..sequence(tags, "X", steps) }]
    });
    lean(&mut stage, &[(0.0, 0.0, -1.0), (0.1, 0.0, 1.0), (0.2, 0.0, 0.0), (0.25, 0.0, 1.0)]);
    press(&mut stage, 0.28);
    assert_eq!(stage.log, ["X 0.28"]);
}
