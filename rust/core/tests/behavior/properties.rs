//! Whatever scripts do: one exit per enter, suspend and resume alternate, only the active one is ticked.

use std::collections::BTreeMap;

use proptest::prelude::*;
use riposte_core::runner::RunnerStatus;

use super::play::{Act, Play};

const LAYERS: [&str; 3] = ["Unit", "Squad", "Command"];
const OTHERS: [&[&str]; 3] = [&LAYERS, &["Command", "Unit"], &["Squad"]];

fn act() -> impl Strategy<Value = Act> {
    (0..20u8, 0..3usize, 1..6i64, 1..30i64).prop_map(|(kind, layer, behavior, route)| match kind {
        0..8 => Act::Set(LAYERS[layer], behavior),
        8..11 => Act::Remove(route),
        11..15 => {
            Act::Finish(route, if behavior > 3 { RunnerStatus::Failed } else { RunnerStatus::Succeeded })
        }
        15 => Act::Free(behavior),
        16 => Act::Enable(behavior > 2),
        17 => Act::Layers(OTHERS[layer]),
        18 => Act::Close,
        _ => Act::Open,
    })
}

fn line() -> impl Strategy<Value = String> {
    let hook = (proptest::sample::select(vec!["enter", "suspend", "resume", "tick"]), 1..6i64)
        .prop_map(|(word, behavior)| format!("{word}({behavior})"));
    let exit = (1..6i64, 1..7i64).prop_map(|(behavior, reason)| format!("exit({behavior},{reason})"));
    let over = (1..30i64, 1..7i64).prop_map(|(route, reason)| format!("over({route},{reason})"));
    let told = (proptest::sample::select(vec!["entered", "suspended", "resumed"]), 0..3usize, 1..30i64)
        .prop_map(|(word, layer, route)| format!("{word}({},{route})", LAYERS[layer]));
    let active = (0..3usize).prop_map(|layer| format!("active(-→{})", LAYERS[layer]));
    prop_oneof![4 => hook, 2 => exit, 2 => over, 2 => told, 1 => active]
}

fn played(acts: &[(String, Act)], calls: &[(Act, bool)], ends: &[i64], loops: &[i64]) -> Play {
    let mut play = Play::new();
    play.acts = acts.to_vec();
    play.loops = loops.to_vec();
    for behavior in ends {
        play.ends.insert(*behavior, RunnerStatus::Succeeded);
    }
    for (call, ticks) in calls {
        play.perform(call);
        if *ticks {
            play.tick();
        }
        play.gone.clear();
    }
    play
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_enter_has_one_exit(
        acts in proptest::collection::vec((line(), act()), 0..24),
        calls in proptest::collection::vec((act(), any::<bool>()), 1..200),
        ends in proptest::collection::vec(1..6i64, 0..3),
        loops in proptest::collection::vec(1..6i64, 0..3),
    ) {
        let mut play = played(&acts, &calls, &ends, &loops);
        let again = played(&acts, &calls, &ends, &loops);
        prop_assert_eq!(&play.lines, &again.lines, "the same operations give the same log");
        play.acts.clear();
        let had = play.core.routes();
        play.perform(&Act::Close);
        prop_assert!(play.core.routes().is_empty());
        check_log(&play.lines, &had)?;
    }
}

/// Where a behaviour stands by the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Out,
    Inside,
    Suspended,
}

/// Hooks of behaviours, signals of routes, and their order.
fn check_log(lines: &[String], had: &[i64]) -> Result<(), TestCaseError> {
    let mut hooks: BTreeMap<String, At> = BTreeMap::new();
    let mut told: BTreeMap<String, At> = BTreeMap::new();
    let mut over: Vec<String> = Vec::new();
    let mut active = "-".to_owned();
    for line in lines {
        let (word, rest) = line.trim_end_matches(')').split_once('(').unwrap_or_default();
        let arguments: Vec<&str> = rest.split(',').collect();
        match word {
            "enter" | "suspend" | "resume" | "exit" | "tick" => {
                step(&mut hooks, word, arguments[0], line)?;
                let inside = hooks.values().filter(|at| **at == At::Inside).count();
                prop_assert!(inside <= 1, "two at once: {}", line);
            }
            "entered" => step(&mut told, "enter", arguments[1], line)?,
            "suspended" => step(&mut told, "suspend", arguments[1], line)?,
            "resumed" => step(&mut told, "resume", arguments[1], line)?,
            "exited" => step(&mut told, "exit", arguments[1], line)?,
            "over" => {
                prop_assert!(!over.contains(&arguments[0].to_owned()), "twice over: {}", line);
                over.push(arguments[0].to_owned());
            }
            _ => {
                let (old, new) = rest.split_once('→').unwrap_or_default();
                prop_assert_eq!(old, active.as_str(), "a chain");
                prop_assert_ne!(old, new);
                new.clone_into(&mut active);
            }
        }
    }
    prop_assert!(hooks.values().all(|at| *at == At::Out), "all left: {:?}", hooks);
    prop_assert!(told.values().all(|at| *at == At::Out), "all were told to leave: {:?}", told);
    prop_assert!(had.iter().all(|route| over.contains(&route.to_string())), "every route is over");
    prop_assert_eq!(active.as_str(), "-");
    Ok(())
}

fn step(all: &mut BTreeMap<String, At>, word: &str, who: &str, line: &str) -> Result<(), TestCaseError> {
    let at = all.entry(who.to_owned()).or_insert(At::Out);
    let (allowed, next) = match word {
        "enter" => (*at == At::Out, At::Inside),
        "suspend" => (*at == At::Inside, At::Suspended),
        "resume" => (*at == At::Suspended, At::Inside),
        "tick" => (*at == At::Inside, At::Inside),
        _ => (*at != At::Out, At::Out),
    };
    prop_assert!(allowed, "{} while {:?}", line, at);
    *at = next;
    Ok(())
}
