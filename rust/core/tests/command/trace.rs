//! What happened, and what must hold of it whatever was done.

use std::collections::{BTreeMap, BTreeSet};

/// A hook, a signal or a call that changed something.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The start hook.
    Start {
        order: u64,
        execution: u64,
    },
    /// The cancel hook.
    Cancel {
        order: u64,
        execution: u64,
    },
    Current {
        previous: Option<u64>,
        current: Option<u64>,
    },
    Started(u64),
    Resumed(u64),
    Retried(u64, u32),
    Suspended(u64),
    Ended {
        order: u64,
        result: char,
        reason: String,
    },
    Queue,
    Idle,
    TimedOut(u64),
    /// A request was answered: STARTED or QUEUED.
    Accepted(u64),
    /// An execution reported, and was believed or not.
    Reported {
        execution: u64,
        believed: bool,
    },
    /// The agent left the tree.
    Left,
}

pub type Verdict = Result<(), String>;

/// Everything that one run must fulfil when all orders are over.
pub fn check(events: &[Event]) -> Verdict {
    one_start_and_one_end(events)?;
    starts_never_overlap(events)?;
    one_cancel_and_one_report(events)?;
    current_orders_form_a_chain(events)?;
    rest_comes_once(events)
}

/// Every accepted order starts or is dropped, and ends once; no other does either.
fn one_start_and_one_end(events: &[Event]) -> Verdict {
    let mut accepted = BTreeSet::new();
    let mut started = BTreeSet::new();
    let mut ended: BTreeMap<u64, (u32, char)> = BTreeMap::new();
    for event in events {
        match event {
            Event::Accepted(order) if !accepted.insert(*order) => {
                return Err(format!("order {order} was accepted twice"));
            }
            Event::Start { order, .. } => {
                if ended.contains_key(order) {
                    return Err(format!("order {order} starts after its end"));
                }
                started.insert(*order);
            }
            Event::Ended { order, result, .. } => {
                let end = ended.entry(*order).or_insert((0, *result));
                end.0 += 1;
            }
            _ => {}
        }
    }
    for order in &accepted {
        match ended.get(order) {
            Some((1, 'D')) if started.contains(order) => {
                return Err(format!("order {order} had started and was dropped"));
            }
            Some((1, 'D')) => {}
            Some((1, _)) if started.contains(order) => {}
            Some((1, result)) => return Err(format!("order {order} never started and ended {result}")),
            other => return Err(format!("order {order} has ends {other:?}")),
        }
    }
    match started.iter().chain(ended.keys()).find(|order| !accepted.contains(order)) {
        Some(order) => Err(format!("order {order} was not accepted")),
        None => Ok(()),
    }
}

/// Between a start hook and the end of that start there is no other start hook.
fn starts_never_overlap(events: &[Event]) -> Verdict {
    let mut living: Option<(u64, u64)> = None;
    for event in events {
        match event {
            Event::Start { order, execution } => {
                if let Some((_, other)) = living {
                    return Err(format!("execution {execution} starts while {other} runs"));
                }
                living = Some((*order, *execution));
            }
            Event::Reported { execution, believed: true } => match living {
                Some((_, other)) if other == *execution => living = None,
                _ => return Err(format!("a report of execution {execution} is believed after its end")),
            },
            Event::TimedOut(order) | Event::Ended { order, .. }
                if living.is_some_and(|(other, _)| other == *order) =>
            {
                living = None;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The cancel hook runs once per start at the most, for a living one; one report per start is believed at the most.
fn one_cancel_and_one_report(events: &[Event]) -> Verdict {
    let mut living: Option<u64> = None;
    let mut cancelled = BTreeSet::new();
    let mut reported = BTreeSet::new();
    for event in events {
        match event {
            Event::Start { execution, .. } => living = Some(*execution),
            Event::Cancel { execution, .. } => {
                if living != Some(*execution) || reported.contains(execution) {
                    return Err(format!("the cancel hook of execution {execution}, which does not live"));
                }
                if !cancelled.insert(*execution) {
                    return Err(format!("two cancel hooks of execution {execution}"));
                }
            }
            Event::Reported { execution, believed: true } if !reported.insert(*execution) => {
                return Err(format!("two reports of execution {execution} are believed"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Each change of the current order begins where the last one ended; started, resumed and suspended agree with it.
fn current_orders_form_a_chain(events: &[Event]) -> Verdict {
    let mut now: Option<u64> = None;
    let mut been = BTreeSet::new();
    let mut started = BTreeSet::new();
    let mut away: BTreeMap<u64, i32> = BTreeMap::new();
    for event in events {
        match event {
            Event::Current { previous, current } => {
                if *previous != now || previous == current {
                    return Err(format!("{previous:?} → {current:?} while {now:?} was current"));
                }
                now = *current;
                been.extend(*current);
            }
            Event::Started(order) if !started.insert(*order) || !been.contains(order) => {
                return Err(format!("order {order} is told to have started twice or too early"));
            }
            Event::Suspended(order) => *away.entry(*order).or_default() += 1,
            Event::Resumed(order) => {
                let count = away.entry(*order).or_default();
                *count -= 1;
                if *count < 0 {
                    return Err(format!("order {order} was resumed and not suspended"));
                }
            }
            _ => {}
        }
    }
    match been.symmetric_difference(&started).next() {
        Some(order) => Err(format!("order {order} became current or started, not both")),
        None => Ok(()),
    }
}

/// Between two times of rest an order was accepted, and rest has no current order.
fn rest_comes_once(events: &[Event]) -> Verdict {
    let mut now: Option<u64> = None;
    let mut starts_since = 1;
    for event in events {
        match event {
            Event::Current { current, .. } => now = *current,
            // Orders are accepted before anything of theirs happens; a request tells it when it returns.
            Event::Started(_) | Event::Ended { .. } => starts_since += 1,
            Event::Idle => {
                if now.is_some() || starts_since == 0 {
                    return Err("at rest with a current order, or twice".to_owned());
                }
                starts_since = 0;
            }
            _ => {}
        }
    }
    Ok(())
}
