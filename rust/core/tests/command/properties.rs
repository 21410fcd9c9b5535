//! What holds whatever is done, whatever executions do, and whatever hooks and handlers call.

use std::collections::BTreeSet;
use std::fmt::Write;

use riposte_core::command::{NewOrder, Outcome, Reason};

use super::chance::Chance;
use super::fuzz::Fuzz;
use super::notation::Entry;
use super::stage::{Stage, answer_of, entry_of};
use super::trace::{self, Event, Verdict};
use super::trial::{self, Act};

pub const RUNS: u64 = 3000;
const LENGTH: usize = 200;

/// How a run is made.
#[derive(Clone, Copy)]
pub struct Manner {
    /// Hooks and handlers call something once in so many times; 0: never.
    pub calls_once_in: usize,
    pub wild: bool,
    pub judge: fn(&mut Stage, &Act) -> Verdict,
}

/// A stage with random definitions and limits.
pub fn stage(seed: u64, manner: Manner) -> Stage {
    let mut chance = Chance::new(seed);
    let mut stage = Stage::new();
    for order in trial::definitions(&mut chance) {
        stage.definition(&order);
    }
    for letter in trial::TARGETS {
        stage.targets.entry(letter).or_insert((1, true));
    }
    stage.settings.max_queue_length = 3 + chance.below(6) as u32;
    stage.settings.max_starts_per_turn = if chance.once_in(3) { 4 } else { 64 };
    stage.settings.max_events_per_turn = if chance.once_in(4) { 40 } else { 4096 };
    stage.machine.set_settings(stage.settings);
    stage.machine.set_insert_only_sources(vec!["ai".to_owned()]);
    stage.spare = chance.once_in(2).then(|| trial::TARGETS[chance.below(3)]);
    stage.fuzz = Some(Fuzz::new(seed ^ 0xABCD, manner.calls_once_in, manner.wild));
    stage
}

/// Makes the calls, lets everything end, and judges.
fn run(seed: u64, acts: &[Act], manner: Manner) -> Result<Stage, String> {
    let mut stage = stage(seed, manner);
    for act in acts {
        if let Some(fuzz) = &mut stage.fuzz {
            fuzz.calls_left = 6;
        }
        (manner.judge)(&mut stage, act)?;
        if let Some(fault) = stage.broken.first() {
            return Err(fault.clone());
        }
    }
    drain(&mut stage)?;
    trace::check(&stage.events)?;
    match stage.most_starts <= stage.settings.max_starts_per_turn {
        true => Ok(stage),
        false => Err(format!("{} starts in one turn", stage.most_starts)),
    }
}

/// Executions answer and time passes, so everything comes to rest.
pub fn drain(stage: &mut Stage) -> Verdict {
    if let Some(fuzz) = &mut stage.fuzz {
        (fuzz.calls_once_in, fuzz.wild) = (0, false);
    }
    stage.illegal.clear();
    stage.enter();
    stage.enable(true);
    for _ in 0..200 {
        if stage.machine.is_idle() {
            break;
        }
        stage.report(stage.last_execution, super::notation::Report::Succeeded, "");
        stage.tick(1.0);
    }
    if !stage.machine.is_idle() {
        return Err(format!("never comes to rest: {}", stage.snapshot()));
    }
    if !stage.tags.is_empty() {
        return Err(format!("tags of executions {:?} stay", stage.tags));
    }
    match stage.broken.first() {
        Some(fault) => Err(fault.clone()),
        None => Ok(()),
    }
}

pub fn acts(seed: u64) -> Vec<Act> {
    let mut chance = Chance::new(seed.wrapping_add(1 << 40));
    (0..LENGTH).map(|_| trial::act(&mut chance)).collect()
}

/// All runs; the first that fails is told with the calls that are needed for it.
pub fn explore(runs: u64, manner: Manner) {
    for seed in 0..runs {
        let mut acts = acts(seed);
        let Err(mut fault) = run(seed, &acts, manner) else { continue };
        let mut at = 0;
        while at < acts.len() {
            let mut fewer = acts.clone();
            fewer.remove(at);
            match run(seed, &fewer, manner) {
                Ok(_) => at += 1,
                Err(other) => (acts, fault) = (fewer, other),
            }
        }
        panic!("seed {seed}: {fault}\n{}", story(seed, &acts, manner));
    }
}

/// What happened in a run, for a person.
fn story(seed: u64, acts: &[Act], manner: Manner) -> String {
    let mut stage = stage(seed, manner);
    let mut text = String::new();
    for order in &stage.definitions {
        writeln!(text, "{:?}", (&order.name, super::stage::plan(order), order.target)).ok();
    }
    writeln!(text, "{:?}", stage.settings).ok();
    for act in acts {
        if let Some(fuzz) = &mut stage.fuzz {
            fuzz.calls_left = 6;
            fuzz.made.clear();
        }
        let verdict = (manner.judge)(&mut stage, act);
        let made = stage.fuzz.as_ref().map(|fuzz| fuzz.made.clone());
        let words = std::mem::take(&mut stage.words).join(" ");
        let state = stage.state();
        writeln!(text, "{act:?} {words} {state}\n    from inside: {made:?} {verdict:?}").ok();
    }
    text
}

/// The books balance: what lived or came in and did not end lives. What changes nothing leaves everything alone.
fn judge(stage: &mut Stage, act: &Act) -> Verdict {
    let before = stage.living();
    let current = stage.machine.current().map(|key| key.id);
    let shown = stage.snapshot();
    let (events, made) = (stage.events.len(), stage.fuzz.as_ref().map_or(0, |fuzz| fuzz.made.len()));
    let receipts = stage.act(act);
    let after = stage.living();
    let news = &stage.events[events..];
    let alone = stage.fuzz.as_ref().map_or(0, |fuzz| fuzz.made.len()) == made;
    balance(&before, &after, news)?;
    let idle = |outcome: Outcome, reason: &Reason| {
        outcome == Outcome::Rejected || (outcome == Outcome::NoChange && *reason != Reason::AlreadyRunning)
    };
    if !receipts.is_empty() && receipts.iter().all(|receipt| idle(receipt.outcome, &receipt.reason)) {
        let happened = news.iter().any(|event| !matches!(event, Event::Reported { believed: false, .. }));
        if happened || stage.snapshot() != shown {
            return Err(format!("{} changed something: {news:?}", answer_of(&receipts[0])));
        }
    }
    if let [Event::Reported { believed: false, .. }] = news
        && stage.snapshot() != shown
    {
        return Err("a report that is not believed changed something".to_owned());
    }
    let takes_one = match act {
        Act::RemoveAt(_) => true,
        Act::CancelAt(place) => before.get(*place).is_some_and(|&id| current != Some(id)),
        _ => false,
    };
    let ends = news.iter().filter(|event| matches!(event, Event::Ended { .. })).count();
    if takes_one && alone && ends > 1 {
        return Err(format!("{ends} orders end, one was to go"));
    }
    let suspended = stage
        .machine
        .queue()
        .filter(|&key| stage.machine.info(key).is_some_and(|info| info.suspended))
        .count();
    if stage.machine.queue_length() > stage.settings.max_queue_length as usize + suspended {
        return Err(format!("{} orders wait", stage.machine.queue_length()));
    }
    Ok(())
}

fn balance(before: &[u64], after: &[u64], news: &[Event]) -> Verdict {
    let mut living: BTreeSet<u64> = before.iter().copied().collect();
    living.extend(news.iter().filter_map(|event| match event {
        Event::Accepted(order) => Some(*order),
        _ => None,
    }));
    for event in news {
        if let Event::Ended { order, .. } = event
            && !living.remove(order)
        {
            return Err(format!("order {order} ends and did not live"));
        }
    }
    let after: BTreeSet<u64> = after.iter().copied().collect();
    match living == after {
        true => Ok(()),
        false => Err(format!("{living:?} should live, {after:?} do")),
    }
}

const WILD: Manner = Manner { calls_once_in: 12, wild: true, judge };

#[test]
fn lives_of_orders_hold_whatever_is_called() {
    explore(RUNS, WILD);
}

#[test]
fn lives_of_orders_hold_without_calls_from_inside() {
    explore(RUNS, Manner { calls_once_in: 0, ..WILD });
}

#[test]
fn the_same_calls_give_the_same_log() {
    for seed in 0..RUNS / 10 {
        let log = || run(seed, &acts(seed), WILD).map(|stage| stage.words);
        assert_eq!(log(), log(), "seed {seed}");
    }
}

/// A dry run has no effect, and tells what will be for executions that answer at once.
fn judge_dry_run(stage: &mut Stage, act: &Act) -> Verdict {
    let Act::Submit(entry, definition) = *act else {
        stage.act(act);
        return Ok(());
    };
    if stage.refusal(definition).is_some() {
        return Ok(());
    }
    let source = stage.definitions[definition].source.clone();
    let NewOrder { plan, data } = stage.new_order(definition, &source);
    let (shown, events) = (stage.snapshot(), stage.events.len());
    let wanted = stage.machine.check(entry_of(entry), &NewOrder { plan, data });
    if shown != stage.snapshot() || stage.machine.begin_turn() && stage.machine.next_effect().is_some() {
        return Err("a dry run has an effect".to_owned());
    }
    let receipt = stage.submit(entry, definition, &source);
    if stage.events.len() == events && receipt.is_accepted() {
        return Err("nothing happened".to_owned());
    }
    match wanted.outcome == receipt.outcome && (receipt.is_accepted() || wanted.reason == receipt.reason) {
        true => Ok(()),
        false => Err(format!("{entry:?}: {} was foretold, {} came", answer_of(&wanted), answer_of(&receipt))),
    }
}

#[test]
fn a_dry_run_foretells_the_outcome() {
    explore(RUNS, Manner { calls_once_in: 0, wild: false, judge: judge_dry_run });
}

#[test]
fn orders_that_are_only_enqueued_start_as_they_came() {
    for seed in 0..RUNS / 10 {
        let mut stage = stage(seed, Manner { calls_once_in: 0, ..WILD });
        let mut chance = Chance::new(seed);
        for _ in 0..LENGTH {
            let act = match chance.below(3) {
                0 => Act::Tick(0.25),
                1 => Act::Report(super::notation::Report::Succeeded),
                _ => Act::Submit(Entry::Enqueue, chance.below(10)),
            };
            stage.act(&act);
        }
        let starts: Vec<u64> = (stage.events.iter())
            .filter_map(|event| match event {
                Event::Started(order) => Some(*order),
                _ => None,
            })
            .collect();
        assert!(starts.is_sorted(), "seed {seed}: {starts:?}");
    }
}
