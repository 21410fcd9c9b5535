//! Whatever happens and whatever scripts answer: numbers stay in their ranges, every change is told once, and a saved
//! state goes on like the run that was saved.

use proptest::prelude::*;
use riposte_core::awareness::Event;

use crate::play::{PROFILES, Play, SOURCES, Step};

fn step() -> impl Strategy<Value = Step> {
    let s = 0..SOURCES;
    prop_oneof![
        16 => (0u8..4).prop_map(Step::Tick),
        5 => (s.clone(), -24i8..24).prop_map(|(a, z)| Step::Move(a, z)),
        3 => (s.clone(), any::<bool>()).prop_map(|(a, b)| Step::Block(a, b)),
        2 => (s.clone(), any::<bool>()).prop_map(|(a, b)| Step::Enable(a, b)),
        3 => (s.clone(), 1u8..4).prop_map(|(a, b)| Step::Noise(a, b)),
        3 => (s.clone(), 1u8..80).prop_map(|(a, b)| Step::Hurt(a, b)),
        2 => s.clone().prop_map(Step::Smell),
        1 => s.clone().prop_map(Step::Forget),
        1 => any::<bool>().prop_map(Step::Perceiver),
        1 => any::<bool>().prop_map(Step::Mind),
        2 => (0..PROFILES).prop_map(Step::Tune),
        1 => s.clone().prop_map(Step::Attend),
        1 => Just(Step::Free),
        1 => (s.clone(), 0i64..5).prop_map(|(a, b)| Step::Relate(a, b)),
        1 => s.clone().prop_map(Step::Unrelate),
        1 => Just(Step::Unobserve),
        1 => Just(Step::Away),
        1 => Just(Step::Save),
        1 => (s, any::<bool>()).prop_map(|(a, b)| Step::Tags(a, b)),
    ]
}

fn run(steps: &[Step], seed: u64, wild: bool) -> Play {
    let mut play = Play::new(seed, wild);
    steps.iter().for_each(|step| play.act(step));
    play
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_change_is_told_once_and_numbers_stay_in_range(
        steps in prop::collection::vec(step(), 1..120),
        seed in any::<u64>(),
    ) {
        run(&steps, seed, false);
    }

    #[test]
    fn a_script_may_do_anything_while_it_is_asked(
        steps in prop::collection::vec(step(), 1..100),
        seed in any::<u64>(),
    ) {
        run(&steps, seed, true);
    }

    #[test]
    fn a_saved_state_goes_on_like_the_run_that_was_saved(
        steps in prop::collection::vec(step(), 1..100),
        seed in any::<u64>(),
    ) {
        let without: Vec<Step> = steps.iter().filter(|step| !matches!(step, Step::Save)).cloned().collect();
        prop_assert_eq!(told(&steps, seed), told(&without, seed));
    }
}

/// What was switched on just before it was saved still looks at whom its perceiver knows.
#[test]
fn a_mind_that_was_switched_on_wakes_also_when_it_is_saved_in_between() {
    let steps = [Step::Mind(false), Step::Tick(0), Step::Mind(true), Step::Save, Step::Tick(0)];
    let without = [Step::Mind(false), Step::Tick(0), Step::Mind(true), Step::Tick(0)];
    let events = told(&without, 8868);
    assert!(!events.is_empty());
    assert_eq!(told(&steps, 8868), events);
}

fn told(steps: &[Step], seed: u64) -> Vec<String> {
    run(steps, seed, false).log.into_iter().map(without_serial).collect()
}

/// An event without the number of its belief, which a loaded belief does not keep.
fn without_serial(event: Event) -> String {
    let text = format!("{event:?}");
    let from = text.find("serial: ").unwrap_or(text.len());
    let rest = text[from..].find(' ').map_or(text.len(), |at| from + at);
    let rest = text[rest..].find('}').map_or(text.len(), |at| rest + at);
    format!("{}{}", &text[..from], &text[rest..])
}
