//! Script scorers that are asked in rows say what they say one by one.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod action_support;

use std::cell::Cell;

use action_support::*;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use riposte_core::action::*;

const IDS: [&str; 5] = ["A", "B", "C", "D", "E"];
const FACTORS: [f64; 7] = [0.0, 0.3, 1.0, 1.7, -2.0, f64::NAN, 1e300];

/// One action in plain numbers.
#[derive(Clone, Debug)]
struct Traits {
    weight: f64,
    /// Distance, angle and two scripts, by these numbers.
    scorers: Vec<usize>,
    /// What the scripts say.
    factors: [f64; 2],
    gated: bool,
    each: bool,
    sight: bool,
}

fn traits() -> impl Strategy<Value = Traits> {
    let order = subsequence(vec![0usize, 1, 2, 3], 0..5).prop_shuffle();
    let factor = || select(FACTORS.to_vec());
    let rare = || prop::bool::weighted(0.15);
    (0.0..3.0f64, order, [factor(), factor()], rare(), rare(), rare()).prop_map(
        |(weight, scorers, factors, gated, each, sight)| Traits {
            weight,
            scorers,
            factors,
            gated,
            each,
            sight,
        },
    )
}

fn plan(id: &str, traits: &Traits) -> ActionPlan {
    let scorers = [distance(), angle(), script_scorer(0), script_scorer(1)];
    ActionPlan {
        scorers: traits.scorers.iter().map(|n| scorers[*n].clone()).collect(),
        gates: if traits.gated { vec![script_gate(2, "Gate")] } else { Vec::new() },
        target_mode: if traits.each { TargetMode::Each } else { TargetMode::Focus },
        require_line_of_sight: traits.sight,
        ..weighted(id, traits.weight)
    }
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => Just(Act::EvaluateNow),
        3 => Just(Act::Preview),
        2 => select(IDS.to_vec()).prop_map(Act::Execute),
        2 => select(IDS.to_vec()).prop_map(|id| Act::Multiply(id, 0.0)),
        1 => Just(Act::Unlist),
        1 => Just(Act::Stop),
        1 => Just(Act::Teardown),
    ]
}

#[derive(Clone, Debug)]
struct Case {
    actions: Vec<Traits>,
    record: bool,
    jitter: f64,
    virtuals: Virtuals,
    /// What scripts do when they are asked about an action.
    acts: Vec<(&'static str, Act)>,
}

fn case() -> impl Strategy<Value = Case> {
    let actions = proptest::collection::vec(traits(), IDS.len());
    let virtuals = (prop::bool::weighted(0.1), prop::bool::weighted(0.1));
    let acts = proptest::collection::vec((select(IDS.to_vec()), act()), 0..3);
    (actions, any::<bool>(), select(vec![0.0, 0.2]), virtuals, acts).prop_map(
        |(actions, record, jitter, (may_execute, modify), acts)| Case {
            actions,
            record,
            jitter,
            virtuals: Virtuals { may_execute, modify, builds: false },
            acts,
        },
    )
}

/// All that can be seen of some decisions, and how many calls came in rows.
fn play(case: &Case, in_rows: bool) -> (String, usize) {
    let mut rig = Rig::new(Settings { jitter_amount: case.jitter, record: case.record, ..quiet() });
    (rig.in_rows, rig.once) = (in_rows, true);
    rig.aim(1.7, 30.0);
    rig.each = vec![(21, 1.2), (22, 2.4)];
    rig.core.set_virtuals(case.virtuals);
    for (id, traits) in IDS.iter().zip(&case.actions) {
        for (slot, factor) in traits.factors.into_iter().enumerate() {
            rig.scripts.insert((id.to_string(), slot), Box::new(move |_| factor));
        }
    }
    rig.list(IDS.iter().zip(&case.actions).map(|(id, traits)| plan(id, traits)));
    rig.call(Evaluator::start);
    for (id, act) in &case.acts {
        rig.acts.entry(format!("score {id}")).or_default().push(act.clone());
    }
    let mut seen = String::new();
    for _ in 0..3 {
        let decision = rig.preview();
        let started = rig.evaluate();
        seen += &format!("{decision:?} {started} {}\n", rig.running_name());
        rig.abort(EndReason::Cancelled);
        rig.step(0.1);
    }
    seen += &format!("{:?} {:?} {:?} {}", rig.log, rig.previews, rig.refused, rig.warnings);
    (seen, rig.followers)
}

#[test]
fn rows_of_script_scorers_say_what_single_ones_say() {
    let followers = Cell::new(0);
    proptest!(ProptestConfig::with_cases(2000), |(case in case())| {
        let (single, none) = play(&case, false);
        let (rows, some) = play(&case, true);
        prop_assert_eq!(none, 0);
        prop_assert_eq!(single, rows);
        followers.set(followers.get() + some);
    });
    assert!(followers.get() > 2000, "{} calls came in rows", followers.get());
}

#[test]
fn a_row_has_all_candidates_with_one_script_each() {
    let mut rig = Rig::new(quiet());
    rig.in_rows = true;
    rig.aim(1.7, 30.0);
    let scripted = |id: &str| ActionPlan { scorers: vec![distance(), script_scorer(0)], ..spec(id) };
    rig.list(IDS.map(scripted));
    rig.call(Evaluator::start);
    rig.preview();
    assert_eq!(rig.followers, IDS.len() - 1);
    // What a script does ends the row.
    rig.acts.insert("score B".to_owned(), vec![Act::Multiply("C", 0.5)]);
    rig.followers = 0;
    rig.preview();
    assert_eq!(rig.followers, IDS.len() - 2);
}
