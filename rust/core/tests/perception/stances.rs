//! Stances of targets, and aim points that are nodes.

use glam::DVec3;
use riposte_core::perception::{PerceiverSettings, SourceSettings, Stance, aim_points};

use crate::scene::*;

fn tall() -> SourceSettings {
    SourceSettings {
        sight_target_offset: v(0.0, 1.0, 0.0),
        extra_aim_points: vec![v(0.0, 2.0, 0.0)],
        has_node_points: true,
        asks_stance: true,
        ..plain()
    }
}

#[test]
fn offset_points_come_down_in_a_stance_and_nodes_do_not() {
    for (stance, scale) in [(Stance::Standing, 1.0), (Stance::Crouched, 0.6), (Stance::Prone, 0.25)] {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, looker());
        let thing = scene.thing_with(v(0.0, 5.0, -10.0), tall(), &[]);
        scene.frames.stances.insert(thing.key.index(), stance);
        scene.frames.node_points.insert(thing.key.index(), vec![v(1.0, 9.0, -10.0)]);
        scene.tick(watcher);
        let points = &scene.frames.questions[0];
        let heights: Vec<f64> = points.iter().map(|point| point.y).collect();
        assert!((heights[0] - (5.0 + scale)).abs() < 1e-12, "{stance:?}: {heights:?}");
        assert!((heights[1] - (5.0 + 2.0 * scale)).abs() < 1e-12, "{stance:?}: {heights:?}");
        assert_eq!(points[2], v(1.0, 9.0, -10.0));
    }
}

#[test]
fn what_the_settings_say_holds_where_nobody_is_asked_or_nobody_answers() {
    for asks_stance in [false, true] {
        let mut scene = Scene::new();
        let watcher = scene.watcher(DVec3::ZERO, looker());
        let settings = SourceSettings { stance: Stance::Prone, asks_stance, ..tall() };
        let thing = scene.thing_with(v(0.0, 0.0, -10.0), settings.clone(), &[]);
        let mut tick = scene.world.begin(riposte_core::perception::Scope::One(watcher.key), DT);
        let frames = &scene.frames;
        tick.read(|key| frames.perceivers[&key.index()], |key| frames.sources[&key.index()]);
        scene.world.look(&mut tick);
        let mut seen = Vec::new();
        while let Some(asked) = tick.question() {
            match asked {
                riposte_core::perception::Ask::Sight(question) => {
                    seen = question.points.to_vec();
                    tick.answer_sight(1, 2);
                }
                _ => tick.pass(),
            }
        }
        let pose = scene.frames.sources[&thing.key.index()].pose().unwrap();
        let expected: Vec<DVec3> = aim_points(&settings, &pose, Stance::Prone).collect();
        assert_eq!(expected[0], v(0.0, 0.25, -10.0));
        assert_eq!(seen, expected, "asked: {asks_stance}");
        scene.world.finish(tick);
    }
}

#[test]
fn a_source_is_asked_about_once_per_tick_and_only_when_a_ray_is_due() {
    let mut scene = Scene::new();
    let watchers = [scene.watcher(DVec3::ZERO, looker()), scene.watcher(DVec3::ZERO, looker())];
    for watcher in watchers {
        scene.set(watcher, |settings| settings.manual = false);
    }
    scene.limit_rays(0);
    let near = scene.thing_with(v(0.0, 0.0, -10.0), SourceSettings { has_node_points: false, ..tall() }, &[]);
    scene.thing_with(v(0.0, 0.0, 10.0), tall(), &[]);
    for watcher in watchers {
        scene.world.scan_now(watcher.key);
    }
    scene.run(riposte_core::perception::Scope::Common, DT);
    assert_eq!(scene.frames.pairs.len(), 2, "both look at the near one");
    assert_eq!(scene.frames.asked_about, [near.key.index()]);
}

#[test]
fn the_stance_decides_how_many_points_must_be_visible() {
    let seen = |stance: Stance, mask: u16| {
        let mut scene = Scene::new();
        let settings = PerceiverSettings { min_points_by_stance: Some([1, 2, 3]), ..looker() };
        let watcher = scene.watcher(DVec3::ZERO, settings);
        let thing = scene.thing_with(v(0.0, 0.0, -10.0), tall(), &[]);
        scene.frames.node_points.insert(thing.key.index(), vec![v(0.0, 0.0, -10.0)]);
        scene.frames.stances.insert(thing.key.index(), stance);
        scene.frames.masks.insert(thing.key.index(), mask);
        scene.tick(watcher);
        scene.seen(watcher, thing)
    };
    assert!(seen(Stance::Standing, 1) && !seen(Stance::Crouched, 1) && !seen(Stance::Prone, 3));
    assert!(seen(Stance::Crouched, 5) && seen(Stance::Prone, 7));
}

#[test]
fn no_more_than_sixteen_points() {
    let mut scene = Scene::new();
    let watcher = scene.watcher(DVec3::ZERO, looker());
    let many = vec![DVec3::Y; 10];
    let settings = SourceSettings { extra_aim_points: many.clone(), has_node_points: true, ..plain() };
    let thing = scene.thing_with(v(0.0, 0.0, -10.0), settings, &[]);
    let other = scene.thing_with(v(0.0, 0.0, -11.0), plain(), &[]);
    scene.frames.node_points.insert(thing.key.index(), many);
    scene.tick(watcher);
    let counts: Vec<usize> = scene.frames.questions.iter().map(Vec::len).collect();
    assert_eq!(counts, [16, 1]);
    assert_eq!(scene.frames.questions[1], [v(0.0, 0.0, -11.0)], "the next source keeps its own");
    assert!(scene.seen(watcher, thing) && scene.seen(watcher, other));
}
