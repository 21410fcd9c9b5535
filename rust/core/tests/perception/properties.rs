//! Whatever happens: beginnings and ends match, limits hold, and the same happens twice.

use std::collections::BTreeMap;

use proptest::prelude::*;
use riposte_core::perception::{Event, EventKind, LossReason, RecordView};

use crate::play::*;
use crate::scene::*;

/// What was told of one pair.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    known: bool,
    seen: bool,
    detecting: bool,
}

/// Each beginning is followed by exactly one end, each `gained` by one `lost sight`, inside the record; what begins to
/// be made out is perceived or comes to nothing.
fn check_pairs(log: &[Event]) -> BTreeMap<(usize, u64), Told> {
    let mut states: BTreeMap<(usize, u64), Told> = BTreeMap::new();
    for event in log {
        let Some(target) = event.target else { continue };
        let state = states.entry((event.perceiver.index(), target.id)).or_default();
        match event.kind {
            Perceived => {
                assert!(!std::mem::replace(&mut state.known, true), "perceived twice");
                state.detecting = false;
            }
            Lost => {
                assert!(std::mem::replace(&mut state.known, false), "lost without perceived");
                assert!(!state.seen, "lost while seen");
            }
            SightGained => {
                assert!(state.known, "seen without a record");
                assert!(!std::mem::replace(&mut state.seen, true), "gained twice");
            }
            SightLost => {
                assert!(std::mem::replace(&mut state.seen, false), "lost sight without gaining it");
            }
            DetectionStarted => {
                assert!(!state.known, "made out with a record");
                assert!(!std::mem::replace(&mut state.detecting, true), "started twice");
            }
            DetectionAborted => {
                assert!(std::mem::replace(&mut state.detecting, false), "aborted without a start");
            }
            NoiseHeard | DamageSensed => {}
        }
    }
    states
}

/// Perceivers in order, their events by kind, inside a kind by target.
fn check_order(told: &[Event]) {
    let by_target = |kind: EventKind| !matches!(kind, NoiseHeard | DamageSensed);
    let rank = |event: &Event| {
        let target = event.target.filter(|_| by_target(event.kind)).map_or(0, |target| target.id);
        (event.perceiver.index(), event.kind, target)
    };
    assert!(told.is_sorted_by_key(rank), "{:?}", told.iter().map(rank).collect::<Vec<_>>());
}

fn records(play: &Play, watcher: Watcher) -> Vec<RecordView> {
    play.scene.world.records(watcher.key).collect()
}

/// What holds of a perceiver right after its tick.
fn check_settled(play: &Play, watcher: Watcher, before: &[RecordView], told: &[Event]) {
    let world = &play.scene.world;
    let (records, settings) = (records(play, watcher), world.perceiver_settings(watcher.key).unwrap());
    let limit = settings.max_perceived_targets as usize;
    assert!(records.len() <= limit, "{} records, at most {limit}", records.len());
    for record in &records {
        assert!(world.record(watcher.key, record.target).is_some(), "a record of who cannot be sensed");
        assert!(record.velocity.is_finite() && record.age >= 0.0);
        assert_eq!(world.detection(watcher.key, record.target), 1.0);
        assert!(settings.enabled, "a record of a perceiver that is off");
        assert!(settings.sight_enabled || !record.senses.intersects(riposte_core::perception::Senses::SIGHT));
    }
    let mut detecting = Vec::new();
    world.detecting(watcher.key, glam::DVec3::ZERO, &mut detecting);
    assert!(detecting.len() <= limit);
    for target in detecting {
        let level = world.detection(watcher.key, target);
        assert!(level > 0.0 && level <= 1.0, "level {level}");
    }
    let own: Vec<&Event> = told.iter().filter(|event| event.perceiver == watcher.key).collect();
    let told_ends = own.iter().filter(|event| event.kind == Lost).map(|event| event.target.unwrap().id);
    let mut ends: Vec<u64> = world.ended(watcher.key).iter().map(|ended| ended.target.id).collect();
    ends.sort_unstable();
    for end in told_ends {
        assert!(ends.contains(&end), "an end that those who build on it are not told");
    }
    if !world.changed(watcher.key) {
        let bits =
            |list: &[RecordView]| -> Vec<_> { list.iter().map(|it| (it.target.id, it.senses)).collect() };
        assert_eq!(bits(before), bits(&records), "a change that is not said");
        assert!(own.iter().all(|event| matches!(event.kind, DetectionStarted | DetectionAborted)));
    }
}

fn check_protected(play: &Play, told: &[Event]) {
    for event in told.iter().filter(|event| event.kind == Lost && event.reason == LossReason::Displaced) {
        let perceiver = play.watchers.iter().position(|watcher| watcher.key == event.perceiver).unwrap();
        let protected = play.protected[perceiver].map(|target| target.id);
        assert_ne!(event.target.map(|target| target.id), protected, "the protected target was displaced");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn beginnings_and_ends_match(steps in prop::collection::vec(step(), 1..120), budget in 0u32..5) {
        let mut play = Play::new(budget);
        for step in &steps {
            let ticked = play.ticked(step);
            let before: Vec<_> = ticked.iter().map(|watcher| records(&play, *watcher)).collect();
            let told = play.apply(step);
            check_order(&told);
            check_protected(&play, &told);
            for (watcher, before) in ticked.iter().zip(&before) {
                check_settled(&play, *watcher, before, &told);
            }
        }
        check_pairs(&play.log);
        // In the end all sources go: every record ends.
        for thing in play.things.clone() {
            play.scene.world.remove_source(thing.key);
        }
        for watcher in play.watchers.clone() {
            play.scene.world.set_frozen(watcher.key, false);
        }
        play.apply(&Step::Rays(0));
        play.apply(&Step::Tick);
        play.apply(&Step::TickManual);
        for ((perceiver, target), state) in check_pairs(&play.log) {
            prop_assert!(!state.known && !state.seen, "perceiver {perceiver} still knows {target}");
            prop_assert!(!state.detecting, "perceiver {perceiver} still makes {target} out");
        }
        play.apply(&Step::Tick);
        for thing in &play.things {
            prop_assert!(play.scene.world.target_of(thing.agent).is_none(), "a target is left over");
        }
    }

    #[test]
    fn the_same_steps_give_the_same_events(steps in prop::collection::vec(step(), 1..80), budget in 0u32..5) {
        let run = || {
            let mut play = Play::new(budget);
            for step in &steps {
                play.apply(step);
            }
            play.log
        };
        prop_assert_eq!(run(), run());
    }
}
