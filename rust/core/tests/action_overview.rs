//! What is shown of an agent that runs: live scores, cooldowns, refusals; and what other peers are told of it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod action_support;

use action_support::*;
use riposte_core::action::*;

fn row(rig: &Rig, id: &str) -> ActionOverview {
    rig.core.overview().into_iter().find(|row| &*row.action == id).unwrap()
}

#[test]
fn every_listed_action_has_a_row_before_the_first_decision() {
    let rig = Rig::quiet([spec("Jab"), spec("Heavy")]);
    let names: Vec<_> = rig.core.overview().into_iter().map(|row| row.action.to_string()).collect();
    assert_eq!(names, ["Jab", "Heavy"]);
    let first = row(&rig, "Jab");
    assert_eq!((first.running, first.cooldown_left, first.cooldown_length), (false, 0.0, 0.0));
    assert_eq!((first.uses, first.row), (0, None));
}

#[test]
fn scores_and_refusals_are_those_of_the_last_evaluation() {
    let gated = ActionPlan { gates: vec![script_gate(0, "Mana")], ..spec("Throw") };
    let mut rig = Rig::quiet([ActionPlan { scorers: vec![distance()], ..spec("Jab") }, gated]);
    rig.set(|settings| settings.record = true);
    rig.script("Throw", 0, |_| 0.0);
    rig.aim(3.75, 0.0);
    assert_eq!(rig.pick(), "Jab");
    let jab = row(&rig, "Jab");
    let candidate = jab.row.unwrap();
    assert!(jab.running && candidate.won);
    near(candidate.score, 0.5);
    let throw = row(&rig, "Throw").row.unwrap();
    assert_eq!((throw.refusal, throw.detail.as_str()), (Refusal::Gate, "Mana"));
    let text = rig.core.last_decision().to_text(&|_| "Foe".to_owned());
    for candidate in [candidate, throw] {
        assert!(text.contains(&candidate.line(&|_| "Foe".to_owned())), "the line of the log");
    }
}

#[test]
fn a_forced_start_keeps_the_scores() {
    let mut rig = Rig::quiet([spec("Jab"), weighted("Heavy", 0.5)]);
    rig.pick();
    rig.abort(EndReason::Cancelled);
    rig.execute("Heavy");
    assert!(rig.core.last_decision().rows.is_empty(), "a forced start has no candidates");
    near(row(&rig, "Jab").row.unwrap().score, 1.0);
    assert!(row(&rig, "Heavy").running && !row(&rig, "Jab").running);
}

#[test]
fn a_cooldown_has_its_whole_length_also_after_a_refund() {
    let cooldown =
        CooldownPlan { duration: 10.0, randomization: 0.0, interrupt_refund: 0.5, ..CooldownPlan::default() };
    let mut rig = Rig::quiet([ActionPlan { cooldown, ..spec("Jab") }]);
    rig.execute("Jab");
    rig.step(4.0);
    let jab = row(&rig, "Jab");
    near(jab.cooldown_left, 6.0);
    near(jab.cooldown_length, 10.0);
    assert_eq!(jab.uses, 1);
    rig.abort(EndReason::Interrupted);
    near(row(&rig, "Jab").cooldown_left, 3.0);
    near(row(&rig, "Jab").cooldown_length, 10.0);
    rig.step(3.0);
    assert_eq!((row(&rig, "Jab").cooldown_left, row(&rig, "Jab").cooldown_length), (0.0, 0.0));
}

fn published() -> Published {
    Published { running: "Jab".into(), target: "/root/Foe".into(), run: 3, source: 1, ..Published::default() }
}

#[test]
fn what_is_new_comes_in_the_order_set_end_start_cooldown() {
    let mut rig = Rig::quiet([spec("Jab"), spec("Heavy")]);
    let before = published();
    let mut told = Published { running: "Heavy".into(), run: 4, reason: 1, source: 5, ..published() };
    told.set = "res://b.tres".into();
    told.cooldowns.insert("Jab".into(), (2.0, 1));
    let news = rig.core.follow(&before, &told);
    let wanted = [
        News::Set("res://b.tres".into(), 5),
        News::Ended("Jab".into(), 1, 3),
        News::Started("Heavy".into(), "/root/Foe".into(), 4),
        News::Cooldown("Jab".into(), 2.0),
    ];
    assert_eq!(news, wanted);
    near(rig.cooldown("Jab"), 2.0);
    assert_eq!(rig.core.follow(&told, &told), [], "nothing is new");
}

#[test]
fn a_cooldown_that_was_shortened_is_no_new_one_and_one_that_is_gone_is_free() {
    let mut rig = Rig::quiet([spec("Jab")]);
    let with = |seconds, serial| {
        let mut told = published();
        told.cooldowns.insert("Jab".into(), (seconds, serial));
        told
    };
    rig.core.follow(&published(), &with(4.0, 1));
    assert_eq!(rig.core.follow(&with(4.0, 1), &with(1.0, 1)), [], "the same stamp");
    near(rig.cooldown("Jab"), 1.0);
    assert_eq!(rig.core.follow(&with(1.0, 1), &with(4.0, 2)), [News::Cooldown("Jab".into(), 4.0)]);
    assert_eq!(rig.core.follow(&with(4.0, 2), &published()), []);
    near(rig.cooldown("Jab"), 0.0);
}

#[test]
fn what_is_published_tells_stamps_and_only_differences_count() {
    let mut rig = Rig::quiet([ActionPlan {
        cooldown: CooldownPlan { duration: 2.0, randomization: 0.0, ..CooldownPlan::default() },
        ..spec("Jab")
    }]);
    let mut publisher = Publisher::default();
    let jab = rig.find("Jab");
    let run = rig.execute("Jab");
    publisher.note(&rig.core, Event::CooldownStarted(jab, 2.0));
    let told = publisher.publish(&rig.core);
    assert_eq!((told.running.as_str(), told.run), ("Jab", run));
    assert_eq!(told.cooldowns["Jab"], (2.0, 1));
    rig.step(0.5);
    assert!(told.tells_all_of(&publisher.publish(&rig.core)), "time alone is no news");
    rig.abort(EndReason::Cancelled);
    publisher.note(&rig.core, Event::Ended(jab, EndReason::Cancelled, run));
    let ended = publisher.publish(&rig.core);
    assert!(!told.tells_all_of(&ended));
    assert_eq!((ended.running.as_str(), ended.run, ended.reason), ("", run, 2));
    rig.step(2.0);
    assert!(ended.tells_all_of(&publisher.publish(&rig.core)), "nor is a cooldown that is over");
}
