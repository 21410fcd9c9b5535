//! Worked examples 12 to 18, 31 and 32: threat, levels, score, relationships.

use riposte_core::awareness::{
    Answer, Profile, Question, Relationship, SenseId, SenseSlot, ThreatLevel, ThreatRule,
};

use crate::scene::*;
use crate::stage::*;

use ThreatLevel::{Critical, High, Low, Medium, None as NoLevel};

/// Confidence 0.75 from sight; damage is no sense of its own, so it adds none, and does not fade.
fn three_quarters(profile: &mut Profile) {
    let mut heard = flat(SenseId::Hearing, 0.1);
    heard.hold_time = 0.0;
    profile.senses = vec![flat(SenseId::Sight, 0.75), heard, flat(SenseId::Damage, 0.0)];
    profile.senses[2].hold_time = 0.0;
    profile.corroboration_bonus = 0.0;
    profile.damage_fade_time = 1e12;
}

fn scene_12(relationship: Relationship) -> (Play, Thing) {
    let mut play = Play::tuned(|profile| {
        three_quarters(profile);
        profile.relations.default = relationship;
        profile.relations.turn_hostile_on_damage = false;
    });
    let thing = play.scene.thing(v(0.0, 0.0, -10.0));
    play.tick();
    assert!(near(play.belief(thing).confidence, 0.75));
    assert_eq!(play.belief(thing).active_senses, 1);
    (play, thing)
}

#[test]
fn ex_20_12() {
    let (play, thing) = scene_12(Relationship::Hostile);
    assert_eq!(play.threat(thing), (0.45, Medium));
}

/// As 12, with damage, without a slot that senses it; perhaps heard too.
fn with_damage(amount: f64, heard: bool) -> (Play, Thing) {
    let mut play = Play::tuned(|profile| {
        three_quarters(profile);
        profile.senses[2] = SenseSlot::new(SenseId::Sight);
    });
    // Three slots, none of them for damage.
    let smell = SenseId::Custom(play.scene.ids(&["Smell"])[0]);
    let mut profile = Profile::clone(play.minds.profile(play.mind).unwrap());
    profile.senses[2] = SenseSlot::new(smell);
    play.minds.set_profile(play.mind, std::sync::Arc::new(profile));
    let thing = play.scene.thing(v(0.0, 0.0, -5.0));
    play.scene.hurt(play.watcher, Some(thing), v(0.0, 0.0, 0.0), amount);
    if heard {
        play.scene.noise(v(0.0, 0.0, -5.0), 1.0, Some(thing));
    }
    play.tick();
    assert_eq!(play.belief(thing).active_senses, 1 + u32::from(heard));
    assert_eq!(play.samples(thing).len(), 3);
    (play, thing)
}

#[test]
fn ex_20_13() {
    for (amount, heard, threat) in
        [(25.0, false, (0.625, Medium)), (50.0, false, (0.8, High)), (50.0, true, (0.85, Critical))]
    {
        let (play, thing) = with_damage(amount, heard);
        assert_eq!(play.threat(thing), threat);
    }
}

#[test]
fn ex_20_14() {
    for (relationship, threat) in [
        (Relationship::Unknown, (0.27, Low)),
        (Relationship::Neutral, (0.1125, NoLevel)),
        (Relationship::Friendly, (0.0, NoLevel)),
    ] {
        let (play, thing) = scene_12(relationship);
        assert_eq!(play.threat(thing), threat, "{relationship:?}");
    }
}

#[test]
fn ex_20_15() {
    let scene = |fresh: bool| {
        let mut play = Play::tuned(|profile| {
            three_quarters(profile);
            profile.senses[0].hold_time = 100.0;
        });
        let thing = play.scene.thing(v(0.0, 0.0, -10.0));
        play.tick();
        assert_eq!(play.threat(thing), (0.45, Medium));
        play.scene.hide(play.watcher, thing);
        if fresh {
            play.minds.set_relationship_override(play.mind, thing.agent, Relationship::Friendly);
        }
        play.run_to(14);
        play.minds.clear_relationship_override(play.mind, thing.agent);
        play.tick();
        assert!(near(play.belief(thing).confidence, 0.75));
        (play, thing)
    };
    let (play, thing) = scene(true);
    assert_eq!(play.threat(thing), (0.375, Low));
    let (mut play, thing) = scene(false);
    assert_eq!(play.threat(thing), (0.375, Medium));
    play.run_to(30);
    assert_eq!(play.threat(thing), (0.3, Low));
}

fn scripted_threat(relationship: Relationship) -> (Play, Thing) {
    let mut play = Play::tuned(|profile| {
        profile.threat = ThreatRule::Script;
        profile.relations.default = relationship;
    });
    let thing = play.scene.thing(v(0.0, 0.0, -10.0));
    (play, thing)
}

fn answer_threat(play: &mut Play, threat: f64) {
    play.script(move |_, _, question| match question {
        Question::Threat { .. } => Answer::Number(threat),
        _ => Answer::None,
    });
    play.tick();
}

#[test]
fn ex_20_16() {
    let (mut play, thing) = scripted_threat(Relationship::Hostile);
    for (threat, level) in [(0.5, Medium), (0.38, Medium), (0.36, Low)] {
        answer_threat(&mut play, threat);
        assert_eq!(play.threat(thing), (threat, level));
    }
}

#[test]
fn ex_20_17() {
    let (mut play, thing) = scripted_threat(Relationship::Teammate);
    answer_threat(&mut play, 1.0);
    assert_eq!(play.threat(thing), (0.0, NoLevel));
    let (mut play, thing) = scripted_threat(Relationship::Hostile);
    answer_threat(&mut play, 2.0);
    assert_eq!(play.threat(thing), (1.0, Critical));
}

#[test]
fn ex_20_18() {
    let (play, thing) = scene_12(Relationship::Hostile);
    assert_eq!(round(play.belief(thing).score), 0.5475);
    let (play, thing) = with_damage(50.0, false);
    assert_eq!(play.threat(thing).0, 0.8);
    assert_eq!(round(play.belief(thing).score), 0.7875);
}

/// What a target with these tags is to an agent of the red team.
fn relation(tags: &[&str], hostile_tags: &[&str]) -> Relationship {
    let mut play = Play::new(Profile::default());
    let mut profile = Profile::default();
    profile.relations.team_root = Some(play.scene.ids(&["Team"])[0]);
    profile.relations.hostile = play.scene.ids(hostile_tags);
    play.minds.set_profile(play.mind, std::sync::Arc::new(profile));
    play.own_tags = play.scene.tag_set(&["Team.Red"]);
    let thing = play.scene.thing_with(v(0.0, 0.0, -5.0), plain(), tags);
    play.tick();
    play.belief(thing).relationship
}

#[test]
fn ex_20_31() {
    assert_eq!(relation(&["Team.Red"], &[]), Relationship::Teammate);
    assert_eq!(relation(&["Team.Blue"], &[]), Relationship::Hostile);
    assert_eq!(relation(&[], &[]), Relationship::Unknown);
    assert_eq!(relation(&["Team.Red"], &["Team.Red"]), Relationship::Hostile);
}

#[test]
fn ex_20_32() {
    for (default, after) in
        [(Relationship::Neutral, Relationship::Hostile), (Relationship::Friendly, Relationship::Friendly)]
    {
        let mut play = Play::tuned(|profile| profile.relations.default = default);
        let thing = play.scene.thing(v(0.0, 0.0, -5.0));
        play.run_to(3);
        assert_eq!(play.belief(thing).relationship, default);
        play.scene.hurt(play.watcher, Some(thing), v(0.0, 0.0, 0.0), 10.0);
        play.tick();
        assert_eq!(play.belief(thing).relationship, after);
        assert_eq!(play.belief(thing).threat == 0.0, default == Relationship::Friendly);
    }
}
