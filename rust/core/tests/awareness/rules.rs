//! Rules that no worked example shows.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use riposte_core::awareness::{
    Answer, Asks, AttentionReason, AttentionRule, Event, FusionRule, Lifecycle, Mended, Problem, Profile,
    Question, RelationSource, Relationship, SenseId, SenseSlot, Surroundings, ThreatLevel, ThreatRule,
};
use riposte_core::perception::{PerceiverSettings, Scope};
use riposte_core::tags::TagSet;

use crate::scene::*;
use crate::stage::*;

use AttentionReason::Expired;

/// Two hostile targets in view, detected at once: A at 5 m, B at 10 m.
pub fn two(change: impl FnOnce(&mut Profile)) -> (Play, Thing, Thing) {
    let mut play = Play::tuned(|profile| {
        profile.senses[0].rise_time = 0.0;
        change(profile);
    });
    let a = play.scene.thing(v(0.0, 0.0, -5.0));
    let b = play.scene.thing(v(0.0, 0.0, -10.0));
    (play, a, b)
}

fn asked(play: &mut Play) -> Rc<RefCell<Vec<Question>>> {
    let list = Rc::new(RefCell::new(Vec::new()));
    let into = list.clone();
    play.script(move |_, _, question| {
        into.borrow_mut().push(question);
        Answer::None
    });
    list
}

#[test]
fn without_policies_and_adapters_nothing_is_asked() {
    let (mut play, ..) = two(|_| {});
    let list = asked(&mut play);
    play.run_to(20);
    assert_eq!(*list.borrow(), []);
    let stats = play.minds.take_stats();
    assert_eq!((stats.updates, stats.beliefs_updated), (21, 42));
    assert_eq!((stats.policy_questions, stats.adapter_questions), (0, 0));
}

#[test]
fn each_policy_is_asked_once_per_belief_or_update_in_order() {
    let (mut play, a, b) = two(|profile| {
        profile.fusion = FusionRule::Script;
        profile.threat = ThreatRule::Script;
        profile.attention = AttentionRule::Script;
        profile.pain_enabled = true;
    });
    play.minds.set_asks(play.mind, Asks { relationship: true, posture: true });
    let list = asked(&mut play);
    play.run_to(1);
    list.borrow_mut().clear();
    play.tick();
    let name = |question: &Question| match question {
        Question::Health => ("health", 0),
        Question::Fuse { belief, .. } => ("fuse", belief.target_id),
        Question::Relationship { target } => ("relationship", target.id),
        Question::Threat { belief, .. } => ("threat", belief.target_id),
        Question::Attention { .. } => ("attention", 0),
        Question::Posture { target } => ("posture", target.id),
        _ => ("other", 0),
    };
    let (a, b) = (play.id(a), play.id(b));
    assert_eq!(
        list.borrow().iter().map(name).collect::<Vec<_>>(),
        [
            ("health", 0),
            ("fuse", a),
            ("fuse", b),
            ("relationship", a),
            ("relationship", b),
            ("threat", a),
            ("threat", b),
            ("attention", 0),
            ("posture", a),
            ("posture", b)
        ]
    );
}

#[test]
fn fusion_is_answered_in_a_row() {
    let (mut play, a, b) = two(|profile| profile.fusion = FusionRule::Script);
    let c = play.scene.thing(v(0.0, 0.0, -15.0));
    play.tick();
    play.minds.take_stats();
    play.scene.tick(play.watcher);
    let around = Surroundings {
        perception: &play.scene.world,
        tags: &play.scene.tags,
        origin: v(0.0, 0.0, 0.0),
        own_tags: None,
    };
    let update = play.minds.begin(play.mind, &around).expect("it is there");
    let mut samples = Vec::new();
    assert_eq!(play.minds.samples_in_a_row(update, &mut samples), 0, "nothing was asked");
    assert!(matches!(play.minds.next(update), Some(Question::Fuse { .. })));
    assert_eq!(play.minds.samples_in_a_row(update, &mut samples), 3);
    assert_eq!(samples, [play.samples(a), play.samples(b), play.samples(c)].concat());
    assert!(play.minds.fuse_on(update, &[0.25, 0.5]), "the third is out");
    assert_eq!(play.minds.samples_in_a_row(update, &mut samples), 1);
    assert_eq!(samples, play.samples(c));
    assert!(!play.minds.fuse_on(update, &[0.75, 0.9]), "there is no fourth");
    assert_eq!(play.minds.samples_in_a_row(update, &mut samples), 0);
    assert_eq!(play.minds.next(update), None);
    assert_eq!([a, b, c].map(|thing| play.belief(thing).fused), [0.25, 0.5, 0.75]);
    assert_eq!(play.minds.take_stats().policy_questions, 3);
    assert!(!play.minds.fuse_on(update, &[0.1]), "the update is over");
}

#[test]
fn an_agent_is_updated_by_its_interval_and_when_perception_changes() {
    let mut play = Play::with(
        Profile { update_interval: 0.25, ..hostile() },
        PerceiverSettings { update_interval: 0.0, ..looker() },
    );
    let thing = play.scene.thing(v(0.0, 0.0, -5.0));
    let mut updates = Vec::new();
    for tick in 0..16 {
        match tick {
            4 => drop(play.scene.noise(v(0.0, 0.0, -5.0), 1.0, Some(thing))),
            12 => play.scene.hide(play.watcher, thing),
            _ => {}
        }
        play.tick();
        updates.extend((play.minds.take_stats().updates > 0).then_some(tick));
    }
    // Begun in 0; 0.3 s later; noise on in 4, off in 5; 8; 11; sight off in 12; 15.
    assert_eq!(updates, [0, 3, 4, 5, 8, 11, 12, 15]);
}

#[test]
fn nothing_known_nothing_to_do() {
    let mut play = Play::new(hostile());
    play.run_to(5);
    assert_eq!(play.minds.take_stats().updates, 0);
}

#[test]
fn relationships_are_said_by_the_first_who_knows() {
    let (mut play, a, _) = two(|_| {});
    let expect = |play: &mut Play, relationship, source| {
        play.tick();
        let belief = play.belief(a);
        assert_eq!((belief.relationship, belief.relationship_source), (relationship, source));
    };
    expect(&mut play, Relationship::Hostile, RelationSource::Default);
    play.minds.set_asks(play.mind, Asks { relationship: true, ..Asks::default() });
    play.script(|_, _, question| match question {
        Question::Relationship { .. } => Answer::Relationship(2),
        _ => Answer::None,
    });
    expect(&mut play, Relationship::Neutral, RelationSource::Adapter);
    play.script(|_, _, _| Answer::Relationship(9));
    expect(&mut play, Relationship::Hostile, RelationSource::Default);
    assert_eq!(play.problems, [Problem::Relationship(9); 2]);
    play.minds.set_relationship_override(play.mind, a.agent, Relationship::Teammate);
    expect(&mut play, Relationship::Teammate, RelationSource::Override);
    play.minds.clear_relationship_override(play.mind, a.agent);
    expect(&mut play, Relationship::Hostile, RelationSource::Default);
}

#[test]
fn changed_tags_count_from_the_next_update_on() {
    let mut play = Play::new(hostile());
    let mut profile = hostile();
    profile.relations.team_root = play.scene.ids(&["Team"]).first().copied();
    play.minds.set_profile(play.mind, Arc::new(profile));
    let thing = play.scene.thing_with(v(0.0, 0.0, -5.0), plain(), &["Team.Red"]);
    play.tick();
    assert_eq!(play.belief(thing).relationship_source, RelationSource::Default);
    play.own_tags = play.scene.tag_set(&["Team.Red"]);
    play.tick();
    assert_eq!(play.belief(thing).relationship, Relationship::Teammate);
    let blue = play.scene.tag_set(&["Team.Blue"]);
    play.scene.world.set_source_tags(thing.key, blue);
    play.tick();
    assert_eq!(play.belief(thing).relationship, Relationship::Hostile);
    assert_eq!(play.belief(thing).relationship_source, RelationSource::Team);
}

#[test]
fn an_attacker_without_a_source_is_asked_for_its_tags() {
    let mut play = Play::new(Profile::default());
    let mut profile = Profile::default();
    profile.relations.teammate = play.scene.ids(&["Team.Red"]);
    play.minds.set_profile(play.mind, Arc::new(profile));
    let target = play.scene.world.stray(77, &[], play.scene.space);
    let damage = riposte_core::perception::Damage {
        victim: play.watcher.agent,
        attacker: Some((target, v(0.0, 0.0, 9.0))),
        hit: v(0.0, 0.0, 0.0),
        amount: 5.0,
    };
    play.scene.world.report_damage(damage);
    let red = play.scene.tag_set(&["Team.Red"]);
    play.scene.tick(play.watcher);
    let mut due = Vec::new();
    play.minds.due(&play.scene.world, Scope::One(play.watcher.key), &mut due);
    let around = riposte_core::awareness::Surroundings {
        perception: &play.scene.world,
        tags: &play.scene.tags,
        origin: v(0.0, 0.0, 0.0),
        own_tags: None,
    };
    let update = play.minds.begin(due[0], &around).unwrap();
    assert_eq!(play.minds.next(update), Some(Question::Identity { agent: 77 }));
    play.minds.answer_identity(update, &play.scene.tags, &red);
    assert_eq!(play.minds.next(update), None);
    let belief = play.minds.belief(play.mind, target.id).unwrap();
    assert_eq!((belief.relationship, belief.turned_hostile), (Relationship::Teammate, false));
    assert!(belief.can_hold_attention);
}

#[test]
fn nobody_is_hostile_for_damage_where_that_is_off_or_after_it_expired() {
    for turns in [true, false] {
        let mut play = Play::tuned(|profile| {
            profile.relations.default = Relationship::Neutral;
            profile.relations.turn_hostile_on_damage = turns;
        });
        let thing = play.scene.thing(v(0.0, 0.0, 50.0));
        play.scene.hurt(play.watcher, Some(thing), v(0.0, 0.0, 0.0), 10.0);
        play.run_to(40);
        assert_eq!(play.belief(thing).relationship == Relationship::Hostile, turns);
        play.run_to(55);
        assert_eq!(play.state(thing), Lifecycle::Expired);
        play.scene.noise(v(0.0, 0.0, 5.0), 1.0, Some(thing));
        play.tick();
        assert_eq!(play.belief(thing).relationship, Relationship::Neutral);
    }
}

#[test]
fn no_number_counts_as_nothing() {
    let (mut play, a, _) = two(|profile| {
        profile.fusion = FusionRule::Script;
        profile.threat = ThreatRule::Script;
    });
    play.script(|_, _, _| Answer::Number(f64::NAN));
    play.tick();
    assert_eq!((play.belief(a).confidence, play.belief(a).threat), (0.0, 0.0));
    assert_eq!(play.problems.len(), 4);
    play.script(|_, _, _| Answer::Number(f64::INFINITY));
    play.tick();
    assert_eq!((play.belief(a).confidence, play.belief(a).threat), (1.0, 1.0));
}

#[test]
fn switched_off_it_believes_nothing_and_begins_afresh() {
    let (mut play, a, b) = two(|_| {});
    play.run_to(3);
    play.minds.set_enabled(play.mind, false);
    let told = play.tick();
    assert_eq!(play.state(a), Lifecycle::Expired);
    assert_eq!(play.attention()[1..], [(4, Some(a.agent), None, Expired)]);
    let last = Event::Highest { level: ThreatLevel::None, previous: ThreatLevel::Medium };
    assert!(told.contains(&last), "{told:?}");
    assert!(play.scene.seen(play.watcher, a), "perception goes on");
    play.run_to(20);
    assert_eq!((play.state(b), play.minds.attention_target(play.mind)), (Lifecycle::Expired, None));
    play.minds.set_enabled(play.mind, true);
    play.run_to(22);
    assert_eq!(play.state(a), Lifecycle::Detected);
    assert_eq!(play.states(a).iter().filter(|(tick, ..)| *tick > 4).count(), 2, "expired, fresh, detected");
}

#[test]
fn without_a_perceiver_beliefs_expire_in_the_next_tick() {
    let (mut play, a, _) = two(|_| {});
    play.run_to(3);
    let id = play.id(a);
    play.minds.set_perceiver(play.mind, None);
    play.update(Scope::Common);
    assert_eq!(play.states(a).last(), Some(&(3, Lifecycle::Detected, Lifecycle::Expired)));
    assert!(play.minds.belief(play.mind, id).is_none());
    assert_eq!(play.update(Scope::Common), []);
}

#[test]
fn a_gone_target_is_removed_after_its_signal_with_everything_known() {
    let (mut play, a, _) = two(|_| {});
    play.run_to(3);
    let (target, key) = (play.scene.target(a), play.belief(a).key());
    play.scene.world.remove_source(a.key);
    let told = play.tick();
    assert!(matches!(told[0], Event::State { belief, state: Lifecycle::Expired, .. } if belief == key));
    assert!(play.minds.belief(play.mind, target.id).is_none());
    let frozen = &play.minds.removed(play.mind)[0];
    assert_eq!((frozen.belief.key(), frozen.belief.state), (key, Lifecycle::Expired));
    assert_eq!((frozen.samples.len(), frozen.explanation.threat), (3, 0.0));
}

#[test]
fn another_profile_keeps_what_the_senses_say() {
    let mut play = Play::new(hostile());
    let thing = play.scene.thing(v(0.0, 0.0, 0.0));
    play.run_to(5);
    assert!(near(play.samples(thing)[0].value, 0.5));
    let senses = [SenseId::Damage, SenseId::Sight].map(SenseSlot::new).to_vec();
    play.minds.set_profile(play.mind, Arc::new(Profile { senses, ..hostile() }));
    play.tick();
    let samples = play.samples(thing);
    assert_eq!((samples.len(), samples[1].sense), (2, SenseId::Sight));
    assert!(near(samples[1].value, 0.6));
}

#[test]
fn custom_senses_count_where_they_have_a_slot() {
    for slot in [true, false] {
        let mut play = Play::new(hostile());
        let smell = SenseId::Custom(play.scene.ids(&["Smell"])[0]);
        if slot {
            let senses = vec![SenseSlot { max_confidence: 0.8, ..SenseSlot::new(smell) }];
            play.minds.set_profile(play.mind, Arc::new(Profile { senses, ..hostile() }));
        }
        let thing = play.scene.thing(v(0.0, 0.0, 50.0));
        play.scene.smell(play.watcher, thing, 0.5);
        play.tick();
        assert_eq!(round(play.belief(thing).confidence), if slot { 0.4 } else { 0.0 });
        play.run_to(10);
        assert_eq!(play.belief(thing).active_senses, u32::from(slot), "holds for a second");
        play.run_to(11);
        assert_eq!(play.belief(thing).active_senses, 0);
    }
}

#[test]
fn numbers_out_of_range_are_mended_and_said() {
    let mut profile = Profile {
        update_interval: 9.0,
        damage_full: 0.0,
        detect_threshold: f64::NAN,
        threat_levels: [0.5, 0.4, 0.65, 0.6],
        ..Profile::default()
    };
    profile.senses.push(SenseSlot::new(SenseId::Sight));
    let (mended, what) = profile.mended();
    assert_eq!((mended.update_interval, mended.damage_full, mended.detect_threshold), (2.0, 1e-3, 0.6));
    assert_eq!(mended.threat_levels, [0.5, 0.5, 0.65, 0.65]);
    assert_eq!(mended.senses.len(), 3);
    for done in [
        Mended::Number("update_interval"),
        Mended::Number("damage_full"),
        Mended::Number("detect_threshold"),
        Mended::Threshold(1),
        Mended::Threshold(3),
        Mended::SecondSlot(SenseId::Sight),
    ] {
        assert!(what.contains(&done), "{done:?}");
    }
    assert_eq!(what.len(), 6);
    assert_eq!(Profile::default().mended(), (Profile::default(), vec![]));
}

#[test]
fn relationships_of_strangers_are_known_too() {
    let (mut play, ..) = two(|_| {});
    let nothing = TagSet::default();
    let ask = |play: &Play, adapter| {
        let tags = (&nothing, &nothing);
        play.minds.relationship(play.mind, 4711, adapter, tags, &play.scene.tags).0
    };
    assert_eq!(ask(&play, None), Relationship::Hostile);
    assert_eq!(ask(&play, Some(Relationship::Friendly)), Relationship::Friendly);
    play.minds.set_relationship_override(play.mind, 4711, Relationship::Neutral);
    assert_eq!(ask(&play, Some(Relationship::Friendly)), Relationship::Neutral);
}
