//! Whatever hands do: presses and releases of a tag take turns, nothing stays held, and a tick's length changes nothing but times.

use glam::DVec2;
use proptest::prelude::*;
use riposte_core::graph::Moment;
use riposte_core::graph::direction::Way;
use riposte_core::graph::input::Step;
use riposte_core::tags::TagTable;

use crate::pauses::down;
use crate::stage::{ATTACK, DODGE, GUARD, Stage, chord, held, input, sequence};

fn player() -> Stage {
    let mut tags = TagTable::new();
    let inputs = vec![
        input(&mut tags, "LA", &[ATTACK]),
        input(&mut tags, "GD", &[GUARD]),
        held(&mut tags, "HV", &[DODGE], 0.3),
        chord(&mut tags, "AG", &[ATTACK, GUARD], 0.06),
        chord(&mut tags, "AGD", &[ATTACK, GUARD, DODGE], 0.0),
    ];
    let la = tags.find("LA").expect("a tag");
    let sequences = vec![
        sequence(&mut tags, "FB", vec![Step::Way(Way::Down), Step::Way(Way::Forward), Step::Tag(la)]),
        sequence(&mut tags, "SIT", vec![Step::Held(Way::Down, 0.2)]),
    ];
    Stage::new(tags, inputs, sequences)
}

#[derive(Clone, Debug)]
enum Deed {
    Key(usize, bool),
    Lean(i8, i8),
    Script(usize, bool),
    Wait(u8),
    Focus,
    Pause(Vec<usize>),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (0_usize..3, any::<bool>()).prop_map(|(action, down)| Deed::Key(action, down)),
        3 => (-1_i8..2, -1_i8..2).prop_map(|(x, y)| Deed::Lean(x, y)),
        2 => (0_usize..4, any::<bool>()).prop_map(|(tag, down)| Deed::Script(tag, down)),
        4 => (1_u8..30).prop_map(Deed::Wait),
        1 => Just(Deed::Focus),
        1 => prop::collection::vec(0_usize..3, 0..3).prop_map(Deed::Pause),
    ]
}

fn perform(stage: &mut Stage, deed: &Deed, tick: f64) {
    match deed {
        Deed::Key(action, down) => stage.key(*action, *down),
        Deed::Lean(x, y) => stage.lean(f64::from(*x), f64::from(*y)),
        Deed::Script(at, down) => {
            let tag = stage.tag(["LA", "HV", "AG", "Nothing"][*at]);
            stage.recorder.push(tag, *down, None, stage.now);
            stage.walk();
        }
        Deed::Wait(hundredths) => {
            let end = stage.now + f64::from(*hundredths) * 0.01;
            // Events are worked off when the wait begins, whatever the tick.
            stage.drain();
            stage.until(end, tick);
        }
        Deed::Focus => stage.recorder.lose_focus(),
        Deed::Pause(held) => {
            stage.recorder.pause();
            let held: Vec<_> = held.iter().map(|action| down(*action)).collect();
            stage.recorder.resume(&held, DVec2::NEG_Y, false);
        }
    }
}

fn play(deeds: &[Deed], tick: f64, drops_all: bool) -> Stage {
    let mut stage = player();
    if drops_all {
        let names = ["LA", "GD", "HV", "AG", "AGD", "FB", "SIT", "Nothing"];
        stage.dropped = names.iter().map(|name| stage.tag(name)).collect();
    }
    for deed in deeds {
        perform(&mut stage, deed, tick);
    }
    stage.drain();
    stage
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn presses_and_releases_take_turns(deeds in prop::collection::vec(deed(), 1..60)) {
        // All alternatives are walked, so that nothing is left out of the count.
        let mut stage = play(&deeds, 0.02, true);
        // What is held back counts as held before it is sent.
        stage.until(stage.now + 0.1, 0.05);
        for name in ["GD", "AGD", "FB", "SIT"] {
            let tag = stage.tag(name);
            let mut is_down = false;
            for entry in stage.seen.iter().filter(|entry| entry.tag == tag) {
                prop_assert_eq!(entry.moment == Moment::Released, is_down, "{}: {:?}", name, stage.log);
                is_down = entry.moment == Moment::Pressed;
            }
            prop_assert_eq!(is_down, stage.recorder.is_held(tag), "{}: {:?}", name, stage.log);
        }
        // All fingers off: nothing is held, and nothing waits.
        for name in ["LA", "HV", "AG", "Nothing"] {
            stage.recorder.push(stage.tag(name), false, None, stage.now);
        }
        stage.walk();
        stage.recorder.lose_focus();
        stage.until(stage.now + 1.0, 0.05);
        prop_assert_eq!(stage.recorder.held().count(), 0, "{:?}", stage.log);
        prop_assert!(stage.recorder.is_idle());
    }

    #[test]
    fn the_length_of_a_tick_changes_nothing(deeds in prop::collection::vec(deed(), 1..40)) {
        let long = play(&deeds, 0.1, false);
        let short = play(&deeds, 0.013, false);
        prop_assert_eq!(long.log, short.log);
    }

    #[test]
    fn a_group_is_taken_once(deeds in prop::collection::vec(deed(), 1..60)) {
        let stage = play(&deeds, 0.02, false);
        for pair in stage.seen.windows(2) {
            prop_assert!(pair[0].group < pair[1].group, "{:?}", stage.log);
        }
    }
}
