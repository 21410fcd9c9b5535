//! Older versions of the files of actions.

use riposte_core::action::*;

type Old = CompactAction<&'static str>;

fn range(range: &'static str, always_one: bool) -> Option<CompactRange<&'static str>> {
    Some(CompactRange { range, always_one })
}

#[test]
fn ex_35_e38() {
    let old = Old {
        ability: Some("Slash"),
        timeout: 4.0,
        distance_range: Some("near"),
        speed_range: range("any", true),
        stamina_cost: 20.0,
        ..Old::default()
    };
    let new = from_version_0(old);
    assert_eq!(new.method, Some(MigratedMethod::Ability { ability: "Slash", timeout: 4.0 }));
    assert_eq!(new.scorers, [(MigratedScorer::Distance, "near")]);
    assert_eq!(new.min_stamina, Some(20.0));
}

#[test]
fn methods_of_version_0() {
    let tagged = Old { ability_tag: "Attack".into(), timeout: 2.0, ..Old::default() };
    let by_tag = MigratedMethod::ByTag { tag: "Attack".into(), timeout: 2.0 };
    assert_eq!(from_version_0(tagged.clone()).method, Some(by_tag));
    let both = Old { ability: Some("Slash"), ..tagged.clone() };
    let ability = MigratedMethod::Ability { ability: "Slash", timeout: 2.0 };
    assert_eq!(from_version_0(both.clone()).method, Some(ability), "the tag counts without an ability only");
    let left = MigratedMethod::FireAndForget { ability: Some("Slash"), tag: String::new() };
    assert_eq!(from_version_0(Old { wait_for_end: false, ..both.clone() }).method, Some(left));
    let left = MigratedMethod::FireAndForget { ability: None, tag: "Attack".into() };
    assert_eq!(from_version_0(Old { wait_for_end: false, ..tagged }).method, Some(left));
    let trees = Old { trees: vec!["Flee"], wait_for_end: false, ..both };
    let sequence = MigratedMethod::Trees { trees: vec!["Flee"], timeout: 2.0, payload: Some("Slash") };
    assert_eq!(from_version_0(trees).method, Some(sequence));
    assert_eq!(from_version_0(Old { wait_for_end: false, ..Old::default() }).method, None);
}

#[test]
fn scorers_and_gates_of_version_0() {
    let old = Old {
        distance_range: Some("d"),
        angle_range: Some("a"),
        health_range: range("h", false),
        speed_range: range("s", false),
        ..Old::default()
    };
    use MigratedScorer::{Angle, Distance, Health, Speed};
    assert_eq!(
        from_version_0(old.clone()).scorers,
        [(Distance, "d"), (Angle, "a"), (Health, "h"), (Speed, "s")]
    );
    assert_eq!(from_version_0(old).min_stamina, None, "a cost of 0 asks for nothing");
    let flat = Old { health_range: range("h", true), timeout: f64::NAN, ..Old::default() };
    assert_eq!(from_version_0(flat).scorers, []);
    let bad = Old { ability: Some("x"), timeout: -1.0, ..Old::default() };
    assert_eq!(from_version_0(bad).method, Some(MigratedMethod::Ability { ability: "x", timeout: 0.0 }));
}
