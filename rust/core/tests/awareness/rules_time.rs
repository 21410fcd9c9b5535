//! Rules of time, of several stimuli in a tick, and of what may happen while a script is asked.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use riposte_core::awareness::{
    Answer, AttentionReason, AttentionRule, Lifecycle, Override, Profile, Question, ScoreWeights, SenseId,
    SenseSlot, Surroundings, ThreatRule,
};
use riposte_core::perception::{PerceiverPlace, Scope};

use crate::rules::two;
use crate::scene::*;
use crate::stage::*;

use AttentionReason::{Acquired, Overridden, Switched};

#[test]
fn a_long_interval_does_not_lose_a_target_early_or_end_a_hold_early() {
    let mut play = Play::tuned(|profile| {
        profile.update_interval = 1.0;
        profile.lost_delay = 0.5;
        profile.senses = vec![SenseSlot { rise_time: 0.0, ..SenseSlot::new(SenseId::Sight) }];
    });
    let thing = play.scene.thing(v(0.0, 0.0, -5.0));
    play.run_to(8);
    play.scene.hide(play.watcher, thing);
    play.tick();
    assert_eq!(play.minds.take_stats().updates, 2);
    assert_eq!(play.state(thing), Lifecycle::Detected, "without a sense for 0.1 s");
    assert!(near(play.belief(thing).inactive_time, 0.1));
    play.scene.show(play.watcher, thing);
    let mut held = Play::tuned(|profile| {
        profile.update_interval = 1.0;
        profile.senses = vec![SenseSlot { hold_time: 0.2, ..SenseSlot::new(SenseId::Sight) }];
    });
    let thing = held.scene.thing(v(0.0, 0.0, -5.0));
    held.run_to(8);
    held.scene.hide(held.watcher, thing);
    held.tick();
    assert_eq!(held.belief(thing).active_senses, 1);
}

#[test]
fn of_several_stimuli_in_a_tick_the_strongest_counts() {
    let mut play = Play::new(hostile());
    let smell = SenseId::Custom(play.scene.ids(&["Smell"])[0]);
    let senses = [SenseId::Hearing, smell].map(SenseSlot::new).to_vec();
    play.minds.set_profile(play.mind, Arc::new(Profile { senses, ..hostile() }));
    let thing = play.scene.thing(v(0.0, 0.0, 50.0));
    for distance in [7.5, 15.0] {
        play.scene.noise(v(0.0, 0.0, distance), 1.0, Some(thing));
    }
    for strength in [0.7, 0.3] {
        play.scene.smell(play.watcher, thing, strength);
    }
    for amount in [3.0, 4.0] {
        play.scene.hurt(play.watcher, Some(thing), v(0.0, 0.0, 0.0), amount);
    }
    play.tick();
    let samples = play.samples(thing);
    assert_eq!((round(samples[0].value), round(samples[1].value)), (0.5, 0.7));
    let belief = play.belief(thing);
    assert_eq!((belief.damage, belief.damage_total, belief.last_damage), (7.0, 7.0, Some(0.1)));
    // A later noise says something new, even if it is farther away.
    play.scene.noise(v(0.0, 0.0, 15.0), 1.0, Some(thing));
    play.tick();
    assert!(near(play.samples(thing)[0].value, 0.45), "falls by 0.1 / 2 s towards 0.2");
}

/// Three targets in view; their scores are what the test says.
fn three(profile: impl FnOnce(&mut Profile)) -> (Play, [Thing; 3], Rc<RefCell<[f64; 3]>>) {
    let mut play = Play::tuned(|tuned| {
        tuned.senses = vec![flat(SenseId::Sight, 1.0)];
        tuned.threat = ThreatRule::Script;
        tuned.score_weights = ScoreWeights { threat: 1.0, confidence: 0.0, proximity: 0.0 };
        tuned.attention_stickiness_time = 0.0;
        profile(tuned);
    });
    let things = [-1.0, 0.0, 1.0].map(|x| play.scene.thing(v(x, 0.0, -5.0)));
    let scores = Rc::new(RefCell::new([0.5, 0.0, 0.0]));
    let said = scores.clone();
    play.script(move |_, _, question| match question {
        Question::Threat { belief, .. } => Answer::Number(said.borrow()[belief.target_id as usize]),
        _ => Answer::None,
    });
    (play, things, scores)
}

#[test]
fn a_challenge_begins_anew_with_another_rival_or_after_a_lost_lead() {
    let (mut play, [a, b, c], scores) = three(|profile| profile.attention_challenge_time = 0.5);
    play.run_to(9);
    *scores.borrow_mut() = [0.5, 0.7, 0.0];
    play.run_to(12);
    // C leads from 13 on; loses the lead in 16; leads again from 17 on.
    *scores.borrow_mut() = [0.5, 0.7, 0.8];
    play.run_to(15);
    *scores.borrow_mut() = [0.5, 0.5, 0.6];
    play.run_to(16);
    *scores.borrow_mut() = [0.5, 0.7, 0.8];
    play.run_to(30);
    let (a, c) = (Some(a.agent), Some(c.agent));
    assert_eq!(play.attention(), [(0, None, a, Acquired), (22, a, c, Switched)]);
    assert!(!play.attends(b));
}

#[test]
fn equal_scores_keep_the_current_one_even_without_a_threshold() {
    let (mut play, [a, b, _], scores) = three(|profile| profile.attention_switch_threshold = 0.0);
    *scores.borrow_mut() = [0.0, 0.5, 0.0];
    play.tick();
    *scores.borrow_mut() = [0.5, 0.5, 0.0];
    play.run_to(5);
    assert!(play.attends(b));
    scores.borrow_mut()[0] = 0.51;
    play.tick();
    assert!(play.attends(a));
}

/// Begins the update of the next tick and goes on to a question that `stops` takes.
fn ask_until(play: &mut Play, stops: impl Fn(&Question) -> bool) -> Option<riposte_core::awareness::Update> {
    play.scene.tick(play.watcher);
    play.at += 1;
    let mut due = Vec::new();
    play.minds.due(&play.scene.world, Scope::One(play.watcher.key), &mut due);
    let (perception, tags) = (&play.scene.world, &play.scene.tags);
    let around = Surroundings { perception, tags, origin: v(0.0, 0.0, 0.0), own_tags: None };
    let update = play.minds.begin(due[0], &around)?;
    while let Some(question) = play.minds.next(update) {
        if stops(&question) {
            return Some(update);
        }
    }
    None
}

#[test]
fn an_override_from_inside_a_policy_wins_over_its_answer() {
    let (mut play, a, b) = two(|profile| profile.attention = AttentionRule::Script);
    let update = ask_until(&mut play, |question| matches!(question, Question::Attention { .. })).unwrap();
    assert_eq!(play.minds.set_attention_override(play.mind, play.id(b)), Override::Holds);
    play.minds.answer(update, Answer::Target(Some(play.id(a))));
    assert_eq!(play.minds.next(update), None);
    let mut told = Vec::new();
    play.minds.take_events(play.mind, &mut told);
    play.told.extend(told.into_iter().map(|event| (0, event)));
    assert_eq!(play.attention(), [(0, None, Some(b.agent), Overridden)]);
}

#[test]
fn an_agent_that_goes_away_while_it_is_asked_ends_its_update() {
    let (mut play, ..) = two(|profile| profile.threat = ThreatRule::Script);
    let update = ask_until(&mut play, |question| matches!(question, Question::Threat { .. })).unwrap();
    play.minds.remove(play.mind);
    play.minds.answer(update, Answer::Number(1.0));
    assert_eq!(play.minds.next(update), None);
    assert_eq!(play.update(Scope::One(play.watcher.key)), []);
    assert!(play.minds.is_empty());
}

#[test]
fn a_profile_given_while_an_update_is_under_way_counts_from_the_next_one_on() {
    let (mut play, a, _) = two(|profile| profile.threat = ThreatRule::Script);
    let update = ask_until(&mut play, |question| matches!(question, Question::Threat { .. })).unwrap();
    let senses = vec![SenseSlot::new(SenseId::Hearing)];
    play.minds.set_profile(play.mind, Arc::new(Profile { senses, ..hostile() }));
    play.minds.answer(update, Answer::Number(0.3));
    while play.minds.next(update).is_some() {}
    assert_eq!((play.belief(a).threat, play.samples(a).len()), (0.3, 3));
    play.tick();
    assert_eq!(play.samples(a).len(), 1);
}

#[test]
fn a_perceiver_that_leaves_the_tree_ends_its_beliefs_and_another_clock_changes_no_age() {
    let (mut play, a, _) = two(|_| {});
    play.run_to(9);
    let other = play.scene.watcher(v(0.0, 0.0, 0.0), looker());
    play.minds.set_perceiver(play.mind, Some(other.key));
    play.watcher = other;
    play.tick();
    let now = play.minds.now(play.mind);
    assert!(near(now, 0.1) && near(now - play.belief(a).state_since, 0.9), "{now}");
    assert!(near(play.minds.time_on_attention(play.mind), 0.9));
    assert_eq!(play.states(a).len(), 1);
    let place = PerceiverPlace { space: None, agent: other.agent, order: 0 };
    play.scene.world.place_perceiver(other.key, place);
    play.update(Scope::Common);
    assert_eq!(play.states(a).last(), Some(&(10, Lifecycle::Detected, Lifecycle::Expired)));
}

#[test]
fn a_mind_that_comes_late_believes_in_whom_its_perceiver_knows_already() {
    let (mut play, a, _) = two(|_| {});
    play.minds.set_enabled(play.mind, false);
    play.run_to(5);
    assert_eq!(play.minds.take_stats().updates, 0);
    let enabled_late = play.mind;
    play.minds.set_enabled(enabled_late, true);
    let added_late = play.minds.add(Arc::new(hostile()));
    play.minds.set_perceiver(added_late, Some(play.watcher.key));
    play.tick();
    for mind in [enabled_late, added_late] {
        assert!(play.minds.belief(mind, play.id(a)).is_some());
    }
    play.minds.drop_beliefs(added_late);
    play.tick();
    assert!(play.minds.belief(added_late, play.id(a)).is_some());
}

#[test]
fn a_new_mind_with_a_saved_state_keeps_the_interval() {
    let (mut play, ..) = two(|profile| profile.update_interval = 0.3);
    play.run_to(4);
    let state = play.minds.export(play.mind, |sense| format!("{sense:?}")).unwrap();
    let profile = play.minds.profile(play.mind).unwrap().clone();
    let new = play.minds.add(profile.clone());
    play.minds.set_perceiver(new, Some(play.watcher.key));
    let sense =
        |name: &str| profile.senses.iter().map(|slot| slot.sense).find(|sense| format!("{sense:?}") == name);
    let world = &play.scene.world;
    let now = world.time(play.watcher.key);
    play.minds.import(new, &state, now, |agent| world.target_of(agent), sense).unwrap();
    let mut updated = Vec::new();
    for tick in 5..10 {
        play.scene.tick(play.watcher);
        let mut due = Vec::new();
        play.minds.due(&play.scene.world, Scope::One(play.watcher.key), &mut due);
        for key in due {
            let (perception, tags) = (&play.scene.world, &play.scene.tags);
            let around = Surroundings { perception, tags, origin: v(0.0, 0.0, 0.0), own_tags: None };
            let update = play.minds.begin(key, &around).unwrap();
            assert_eq!(play.minds.next(update), None);
            updated.push((tick, key == new));
        }
    }
    assert_eq!(updated, [(6, false), (6, true), (9, false), (9, true)]);
}

/// Ticks everybody, and says whether the mind was due.
fn common_tick(play: &mut Play) -> bool {
    play.scene.run(Scope::Common, 0.1);
    play.minds.take_stats();
    play.update(Scope::Common);
    play.minds.take_stats().updates > 0
}

/// Minds without beliefs are not looked at; each of these has to be noticed nevertheless.
#[test]
fn a_mind_at_rest_wakes_by_everything_that_may_give_it_a_belief() {
    let settings = riposte_core::perception::PerceiverSettings { manual: false, ..looker() };
    let at_rest = || {
        let mut play = Play::with(hostile(), settings.clone());
        (0..3).for_each(|_| assert!(!common_tick(&mut play)));
        play
    };
    let mut seen = at_rest();
    let thing = seen.scene.thing(v(0.0, 0.0, -5.0));
    assert!(common_tick(&mut seen) && seen.minds.belief(seen.mind, seen.id(thing)).is_some());

    let mut hit = at_rest();
    let behind = hit.scene.thing(v(0.0, 0.0, 50.0));
    hit.scene.hurt(hit.watcher, Some(behind), v(0.0, 0.0, 0.0), 3.0);
    assert!(common_tick(&mut hit));

    let mut off = at_rest();
    off.minds.set_enabled(off.mind, false);
    off.scene.thing(v(0.0, 0.0, -5.0));
    (0..3).for_each(|_| assert!(!common_tick(&mut off)));
    off.minds.set_enabled(off.mind, true);
    assert!(common_tick(&mut off), "its perceiver knew somebody all the time");

    let mut late = at_rest();
    let other = late.scene.watcher(v(0.0, 0.0, 0.0), settings.clone());
    late.minds.set_perceiver(late.mind, None);
    late.scene.thing(v(0.0, 0.0, -5.0));
    (0..3).for_each(|_| assert!(!common_tick(&mut late)));
    late.minds.set_perceiver(late.mind, Some(other.key));
    assert!(common_tick(&mut late));

    let mut forgetful = at_rest();
    forgetful.scene.thing(v(0.0, 0.0, -5.0));
    assert!(common_tick(&mut forgetful));
    forgetful.minds.drop_beliefs(forgetful.mind);
    assert!(common_tick(&mut forgetful));
}

/// A perceiver that ticked by hand noticed somebody, and ticks with the others from now on.
#[test]
fn a_change_that_came_in_a_tick_of_one_is_not_lost_in_the_next_common_tick() {
    let settings = riposte_core::perception::PerceiverSettings { manual: false, ..looker() };
    let mut play = Play::with(hostile(), settings.clone());
    let watcher = play.scene.watcher(v(0.0, 0.0, 0.0), looker());
    play.minds.set_perceiver(play.mind, Some(watcher.key));
    (0..3).for_each(|_| assert!(!common_tick(&mut play)));
    let thing = play.scene.thing(v(0.0, 0.0, -5.0));
    play.scene.tick(watcher);
    assert!(!common_tick(&mut play), "it is not among the others");
    play.update(Scope::One(watcher.key));
    assert!(play.minds.belief(play.mind, play.id(thing)).is_some());
}
