//! Very many orders that were interrupted: whatever is done to all of them takes as long as they are many, not a square of it.

use riposte_core::command::{
    Commands, Effect, Entry, FailurePolicy, NewOrder, OrderData, OrderPlan, Reason, RunResult, Settings,
};

/// Enough that a square of them takes minutes.
const MANY: usize = 60_000;

#[derive(Clone, Debug)]
struct Card;

impl OrderData for Card {
    type Source = u8;

    fn same_request(&self, _: &Self) -> bool {
        false
    }

    fn source(&self) -> &u8 {
        &0
    }

    fn has_targets(&self) -> bool {
        false
    }
}

/// Runs the turn; starts run on, cancels are answered at once. How many orders ended, and the reason of the last one.
fn run(machine: &mut Commands<Card>) -> (usize, Reason) {
    let mut ended = (0, Reason::None);
    while let Some(effect) = machine.next_effect() {
        match effect {
            Effect::Cancel { execution, .. } => {
                machine.report(execution, RunResult::Cancelled, Reason::None);
            }
            Effect::Ended { info, .. } => ended = (ended.0 + 1, info.reason),
            _ => {}
        }
    }
    ended
}

/// One order runs, which interrupted another one, which interrupted another one.
fn crowd(failure: FailurePolicy) -> Commands<Card> {
    let mut machine = Commands::new(Settings::default());
    let plan = OrderPlan { cancelable: true, failure, ..OrderPlan::default() };
    for _ in 0..=MANY {
        machine.submit(Entry::Interrupt, NewOrder { plan, data: Card });
        assert!(machine.begin_turn());
        run(&mut machine);
    }
    assert_eq!(machine.queue_length(), MANY);
    machine
}

#[test]
fn many_interrupted_orders_end_with_the_agent() {
    let mut machine = crowd(FailurePolicy::Clear);
    machine.leave_tree(true);
    assert_eq!(run(&mut machine), (MANY + 1, Reason::AgentRemoved));
    assert!(machine.is_idle());
}

#[test]
fn many_interrupted_orders_are_not_restored() {
    let mut machine = crowd(FailurePolicy::Continue);
    assert!(machine.report(machine.execution(), RunResult::Failed, Reason::None) && machine.begin_turn());
    assert_eq!(run(&mut machine), (MANY + 1, Reason::NotRestored));
    assert!(machine.is_idle());
}

#[test]
fn many_interrupted_orders_are_cleared() {
    let mut machine = crowd(FailurePolicy::Clear);
    machine.clear_queue(Some(&0));
    assert!(machine.begin_turn());
    assert_eq!(run(&mut machine), (MANY, Reason::Cleared));
    assert!(!machine.is_idle(), "the one that runs goes on");
}
