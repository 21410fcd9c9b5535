//! State out and in.

use super::chance::Chance;
use super::notation::{Report, Step};
use super::properties::{self, Manner};
use super::stage::Stage;
use super::trace::Verdict;
use super::trial::Act;

fn set_up(steps: &[&str]) -> Stage {
    let mut stage = Stage::new();
    for step in steps {
        stage.perform_step(&Step::read(step));
    }
    stage.words.clear();
    stage
}

#[test]
fn ex_40_76() {
    let stage = set_up(&["issue A~", "issue R"]);
    let mut fresh = stage.fresh();
    fresh.import(stage.export());
    assert_eq!(fresh.words.join(" "), "end(A,C,replaced) start(R) cur(-→R) started(R)");
    let mut stage = set_up(&["issue A"]);
    stage.import(stage.export());
    assert_eq!(stage.words, Vec::<String>::new());
    assert!(stage.report(stage.last_execution, Report::Succeeded, ""));
    assert_eq!(stage.words.join(" "), "end(A,S) cur(A→-) idle");
}

#[test]
fn a_start_that_is_not_the_saved_one_is_stopped_without_an_end() {
    let saved = set_up(&["issue A", "enq Q"]);
    let mut stage = set_up(&["issue A~", "enq Q", "S"]);
    assert_eq!(stage.state(), "Q[]");
    stage.import(saved.export());
    assert_eq!(stage.words.join(" "), "cancel(Q) start(A) cur(Q→A) resumed(A) queue");
    assert_eq!(stage.state(), "A[Q]");
}

#[test]
fn the_numbers_of_orders_and_starts_go_on() {
    let saved = set_up(&["issue A", "enq Q", "S"]);
    let mut fresh = saved.fresh();
    fresh.import(saved.export());
    assert_eq!(fresh.last_execution, 3, "two starts before, a new one for the order that ran");
    let definition = fresh.definition(&super::notation::Order::read(&["B"]));
    assert_eq!(fresh.submit(super::notation::Entry::Enqueue, definition, "").command, 3);
}

/// Saved and loaded in between, on the same agent: nothing is heard of it, and it is saved the same again.
fn judge(stage: &mut Stage, act: &Act) -> Verdict {
    stage.act(act);
    let saved = stage.export();
    let events = stage.events.len();
    stage.import(saved.clone());
    if stage.events.len() != events {
        return Err(format!("loading is heard: {:?}", &stage.events[events..]));
    }
    match stage.export() == saved {
        true => Ok(()),
        false => Err(format!("{saved:?} became {:?}", stage.export())),
    }
}

#[test]
fn export_import_export_is_equal() {
    properties::explore(properties::RUNS / 5, Manner { calls_once_in: 0, wild: true, judge });
}

/// What an order that starts anew does not know: that is of the start that is over, or of the world before the cut.
fn is_plain(act: &Act) -> bool {
    let bound_to_a_start = matches!(act, Act::SetCancelable(_) | Act::ExecutorLost);
    !bound_to_a_start && !matches!(act, Act::FreeTarget(_) | Act::Legal(..) | Act::Enable(_) | Act::Leave)
}

#[test]
fn a_run_cut_by_export_and_import_ends_the_same() {
    let mut cuts = 0;
    for seed in 0..properties::RUNS / 2 {
        let acts: Vec<Act> = properties::acts(seed).into_iter().filter(is_plain).collect();
        let mut chance = Chance::new(seed);
        let mut stage = properties::stage(seed, Manner { calls_once_in: 0, wild: false, judge });
        for order in &mut stage.definitions {
            order.time_limit = 0.0;
        }
        let (first, rest) = acts.split_at(chance.below(acts.len()));
        first.iter().for_each(|act| drop(stage.act(act)));
        if stage.machine.execution() == 0 {
            continue;
        }
        cuts += 1;
        let mut fresh = stage.fresh();
        fresh.machine.set_insert_only_sources(vec!["ai".to_owned()]);
        fresh.import(stage.export());
        for other in [&mut stage, &mut fresh] {
            rest.iter().for_each(|act| drop(other.act(act)));
            properties::drain(other).unwrap();
        }
        assert_eq!(stage.results, fresh.results, "seed {seed}");
    }
    assert!(cuts > 500, "{cuts} runs were cut");
}
