//! A run that is saved in its middle and goes on elsewhere tells the same as the run that went on.

use glam::DVec3;
use proptest::prelude::*;
use riposte_core::perception::{
    Event, NodeId, PerceiverKey, PerceiverSettings, PerceiverState, QueueState, ReportState, StateError,
    TargetRef,
};
use riposte_core::tags::TagTable;
use serde::{Deserialize, Serialize};

use crate::play::*;
use crate::scene::*;

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Saved {
    queue: QueueState,
    perceivers: Vec<PerceiverState>,
}

/// The perceiver's node: here its agent stands for it.
fn node_of(watchers: &[Watcher], key: PerceiverKey) -> Option<NodeId> {
    watchers.iter().find(|watcher| watcher.key == key).map(|watcher| watcher.agent)
}

/// All targets: a test stage counts its agents from 101 on.
fn targets(scene: &Scene) -> Vec<TargetRef> {
    (101..300).filter_map(|agent| scene.world.target_of(agent)).collect()
}

fn save(scene: &Scene, watchers: &[Watcher]) -> String {
    let queue = scene.world.export_queue(&scene.tags, |key| node_of(watchers, key));
    let state = |watcher: &Watcher| scene.world.export_perceiver(watcher.key).unwrap();
    let saved = Saved { queue, perceivers: watchers.iter().map(state).collect() };
    ron::to_string(&saved).unwrap()
}

fn restore(scene: &mut Scene, watchers: &[Watcher], text: &str) {
    let saved: Saved = ron::from_str(text).unwrap();
    let known = targets(scene);
    let resolve = |agent: NodeId| known.iter().find(|target| target.agent == agent).copied();
    let perceiver_of =
        |node: NodeId| watchers.iter().find(|watcher| watcher.agent == node).map(|watcher| watcher.key);
    let Scene { world, tags, .. } = scene;
    world.import_queue(&saved.queue, tags, resolve, perceiver_of).unwrap();
    for (watcher, state) in watchers.iter().zip(&saved.perceivers) {
        world.import_perceiver(watcher.key, state, resolve).unwrap();
    }
}

/// What was saved, with spans of time rounded: they are differences, and lose a bit each time.
fn rounded(text: &str) -> Saved {
    let round = |span: &mut f64| *span = (*span * 1e9).round() / 1e9;
    let mut saved: Saved = ron::from_str(text).unwrap();
    for state in &mut saved.perceivers {
        state.records.iter_mut().chain(&mut state.dismissed).for_each(|record| round(&mut record.age));
        state.scan.iter_mut().for_each(|scan| round(&mut scan.seconds));
    }
    saved
}

/// Everything that an event says, without the number of a report, which counts from the beginning of a run.
fn said(log: &[Event]) -> Vec<String> {
    let line = |event: &Event| {
        let text = format!("{event:?}");
        text.split(", order: ").next().unwrap().to_owned()
    };
    log.iter().map(line).collect()
}

/// Goes on from a save in a world that has seen nothing but the nodes and their settings.
fn elsewhere(steps: &[Step], budget: u32, text: &str) -> Play {
    let mut play = Play::new(budget);
    for step in steps.iter().filter(|step| step.is_structural()) {
        play.apply(step);
    }
    let watchers = play.watchers.clone();
    restore(&mut play.scene, &watchers, text);
    let again = rounded(&save(&play.scene, &watchers));
    assert_eq!(again, rounded(text), "what was restored is not what was saved");
    play
}

fn goes_on_the_same(steps: &[Step], budget: u32) {
    // A target that loses its last source and gets another is a new one, with a number of its own.
    let mut steps: Vec<Step> =
        steps.iter().filter(|step| !matches!(step, Step::Adopt(..))).cloned().collect();
    // The reports that everyone has had go in the next common tick at the latest.
    steps.push(Step::Tick);
    let mut play = Play::new(budget);
    let mut saves = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if step.is_tick() {
            saves.push((at, save(&play.scene, &play.watchers), play.log.len()));
        }
        play.apply(step);
    }
    for (at, text, told) in saves {
        let mut other = elsewhere(&steps[..at], budget, &text);
        for step in &steps[at..] {
            other.apply(step);
        }
        assert_eq!(said(&other.log), said(&play.log[told..]), "saved before step {at}");
        let ends = [&other, &play].map(|play| rounded(&save(&play.scene, &play.watchers)));
        assert_eq!(ends[0], ends[1]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_goes_on_from_any_tick(steps in prop::collection::vec(step(), 1..70), budget in 0u32..5) {
        goes_on_the_same(&steps, budget);
    }
}

/// A watcher that remembers one thing, sees another and makes out a third.
fn busy() -> (Scene, Watcher, Vec<Thing>) {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let things: Vec<Thing> = (1..=3).map(|n| scene.thing(v(0.0, 0.0, -4.0 * f64::from(n)))).collect();
    scene.hide(watcher, things[2]);
    scene.tick(watcher);
    scene.hide(watcher, things[0]);
    scene.show(watcher, things[2]);
    scene.set(watcher, |settings: &mut PerceiverSettings| settings.detection_time = 3.0);
    scene.tick(watcher);
    scene.tick(watcher);
    (scene, watcher, things)
}

fn restored(scene: &mut Scene, watcher: Watcher, state: &PerceiverState) -> Result<(), StateError> {
    let known = targets(scene);
    let resolve = |agent: NodeId| known.iter().find(|target| target.agent == agent).copied();
    scene.world.import_perceiver(watcher.key, state, resolve)
}

#[test]
fn the_state_says_what_is_known() {
    let (scene, watcher, things) = busy();
    let state = scene.world.export_perceiver(watcher.key).unwrap();
    let known: Vec<_> = state.records.iter().map(|record| (record.target, record.senses)).collect();
    assert_eq!(known, [(things[0].agent, 0), (things[1].agent, 1)]);
    assert!((state.records[0].age - 0.2).abs() < 1e-9);
    assert_eq!((state.records[1].fraction, state.records[1].points), (1.0, 1));
    assert_eq!(state.detection[0].target, things[2].agent);
    assert!(state.detection[0].level > 0.0 && state.detection[0].announced);
    assert!((state.time - 0.3).abs() < 1e-9);
}

#[test]
fn restoring_tells_nothing_and_takes_the_place_of_what_was_known() {
    let (mut scene, watcher, things) = busy();
    let state = scene.world.export_perceiver(watcher.key).unwrap();
    scene.show(watcher, things[0]);
    scene.set(watcher, |settings| settings.detection_time = 0.0);
    scene.tick(watcher);
    assert!(scene.seen(watcher, things[0]) && scene.seen(watcher, things[2]));
    restored(&mut scene, watcher, &state).unwrap();
    assert!(!scene.seen(watcher, things[0]) && scene.seen(watcher, things[1]));
    assert!((scene.age(watcher, things[0]).unwrap() - 0.2).abs() < 1e-9);
    assert!(scene.detection(watcher, things[2]) < 1.0);
    assert!(!scene.world.changed(watcher.key));
    // What is found out from there on is told: one has a record already, the other not.
    let events = scene.tick(watcher);
    assert_eq!(kinds(&events), [Perceived, SightGained, SightGained]);
}

#[test]
fn a_state_that_is_not_sound_changes_nothing() {
    let (mut scene, watcher, _) = busy();
    let good = scene.world.export_perceiver(watcher.key).unwrap();
    let spoilt: [fn(&mut PerceiverState); 8] = [
        |state| state.version = 2,
        |state| state.time = f64::NAN,
        |state| state.records[0].age = -1.0,
        |state| state.records[1].location.x = f64::INFINITY,
        |state| state.records[1].fraction = 0.0,
        |state| state.records[0].senses = 64,
        |state| state.detection[0].level = 1.5,
        |state| state.wait = f64::NEG_INFINITY,
    ];
    for spoil in spoilt {
        let mut state = good.clone();
        spoil(&mut state);
        state.records.truncate(2);
        assert!(restored(&mut scene, watcher, &state).is_err());
        assert_eq!(scene.world.export_perceiver(watcher.key).unwrap(), good);
    }
}

#[test]
fn a_target_that_is_not_found_is_left_out_and_one_that_is_gone_ends() {
    let (mut scene, watcher, things) = busy();
    let mut state = scene.world.export_perceiver(watcher.key).unwrap();
    state.records[0].target = 1;
    state.detection.clear();
    scene.set_source(things[1], |settings| settings.enabled = false);
    scene.hide(watcher, things[2]);
    restored(&mut scene, watcher, &state).unwrap();
    let state = scene.world.export_perceiver(watcher.key).unwrap();
    assert_eq!(state.records.len(), 1);
    assert_eq!(kinds(&scene.tick(watcher)), [SightLost, Lost]);
    scene.world.remove_source(things[1].key);
    assert!(scene.world.target_of(things[1].agent).is_none(), "nobody names it any more");
}

#[test]
fn a_report_that_makes_no_sense_any_more_keeps_the_place_of_the_others() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let thing = scene.thing(v(0.0, 0.0, -300.0));
    scene.smell(watcher, thing, 0.5);
    scene.noise(DVec3::X, 1.0, None);
    let watchers = [watcher];
    let mut queue = scene.world.export_queue(&scene.tags, |key| node_of(&watchers, key));
    let ReportState::Stimulus { sense, .. } = &queue.reports[0] else { panic!("{queue:?}") };
    assert_eq!(sense, "Smell");
    queue.version = 2;
    let refused = scene.world.import_queue(&queue, &mut TagTable::new(), |_| None, |_| None);
    assert_eq!(refused, Err(StateError::Version(2)));
    queue.version = 1;
    queue.readers[0].next = 1;
    let Scene { world, tags, .. } = &mut scene;
    world.import_queue(&queue, tags, |_| None, |_| Some(watcher.key)).unwrap();
    assert_eq!(kinds(&scene.tick(watcher)), [NoiseHeard]);
}
