//! Rules of attention that no worked example shows.

use riposte_core::awareness::{
    Answer, AttentionReason, AttentionRule, Event, Override, Problem, Relationship,
};

use crate::rules::two;
use crate::scene::*;

use AttentionReason::{Acquired, Expired, Overridden, Released, Switched};

#[test]
fn the_nearest_is_kept_until_another_is_nearer_by_a_fraction() {
    let (mut play, a, b) = two(|profile| {
        profile.attention = AttentionRule::Nearest;
        profile.attention_stickiness_time = 0.5;
    });
    play.tick();
    assert!(play.attends(a));
    play.scene.move_thing(b, v(0.0, 0.0, -4.3));
    play.run_to(12);
    assert!(play.attends(a), "4.3 > 5 × 0.85");
    play.scene.move_thing(b, v(0.0, 0.0, -4.25));
    play.run_to(14);
    assert!(play.attends(b));
    play.scene.move_thing(a, v(0.0, 0.0, -1.0));
    play.run_to(17);
    assert!(play.attends(b), "switched in 13, sticks until 18");
    play.run_to(19);
    assert!(play.attends(a));
}

#[test]
fn who_hurt_last_is_attended_to_for_as_long_as_that_is_remembered() {
    let (mut play, a, b) = two(|profile| profile.attention = AttentionRule::LastAttacker(1.0));
    play.run_to(20);
    assert!(play.attends(a));
    play.scene.hurt(play.watcher, Some(b), v(0.0, 0.0, 0.0), 1.0);
    play.tick();
    assert!(play.attends(b));
    play.scene.hurt(play.watcher, Some(a), v(0.0, 0.0, 0.0), 1.0);
    play.tick();
    assert!(play.attends(a));
    let (a, b) = (Some(a.agent), Some(b.agent));
    let changes = [(0, None, a, Acquired), (21, a, b, Switched), (22, b, a, Switched)];
    assert_eq!(play.attention(), changes);
}

#[test]
fn an_override_holds_until_it_is_cleared_or_its_target_expires() {
    let (mut play, a, b) = two(|_| {});
    assert_eq!(play.minds.set_attention_override(play.mind, play.id(b)), Override::Refused);
    play.tick();
    assert!(play.attends(a));
    let told = play.minds.set_attention_override(play.mind, play.id(b));
    let (was, is) = (Some(play.scene.target(a)), Some(play.scene.target(b)));
    let event = Event::Attention { previous: was, current: is, reason: Overridden };
    assert_eq!(told, Override::Changed(event));
    assert_eq!(play.minds.set_attention_override(play.mind, play.id(b)), Override::Holds);
    play.run_to(40);
    assert!(play.attends(b) && play.minds.is_overridden(play.mind));
    play.scene.hide(play.watcher, b);
    play.run_to(89);
    assert!(play.attends(b));
    play.tick();
    assert_eq!(play.attention()[1..], [(90, Some(b.agent), Some(a.agent), Expired)]);
    assert!(!play.minds.is_overridden(play.mind));
}

#[test]
fn a_target_that_is_not_worth_it_is_released_at_once() {
    let (mut play, a, b) = two(|_| {});
    play.tick();
    play.minds.set_relationship_override(play.mind, a.agent, Relationship::Friendly);
    play.tick();
    assert_eq!(play.attention()[1..], [(1, Some(a.agent), Some(b.agent), Released)]);
    play.scene.set_source(b, |source| source.can_hold_attention = false);
    play.tick();
    assert_eq!(play.attention()[2..], [(2, Some(b.agent), None, Released)]);
}

#[test]
fn a_policy_chooses_a_candidate_the_current_one_or_nobody() {
    let (mut play, a, b) = two(|profile| profile.attention = AttentionRule::Script);
    let answers = [
        Answer::Target(Some(1)),
        Answer::Target(Some(0)),
        Answer::Stranger,
        Answer::Target(Some(99)),
        Answer::Target(None),
    ];
    for answer in answers {
        play.script(move |_, _, _| answer);
        play.tick();
    }
    let (a, b) = (Some(a.agent), Some(b.agent));
    let changes = [(0, None, b, Acquired), (1, b, a, Switched), (4, a, None, Released)];
    assert_eq!(play.attention(), changes);
    assert_eq!(play.problems, [Problem::Stranger; 2]);
}
