//! What other peers are told of the orders, and what of it is news to them.

use super::{Phase, RunResult, Vector};

/// One order as other peers know it. `T` names a target, `N` what else has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedOrder<N, T> {
    /// Its number.
    pub command: u64,
    /// The number of its start; 0 before the first.
    pub execution: u64,
    /// What was ordered.
    pub name: N,
    /// The index of its form.
    pub variant: i64,
    /// In order.
    pub targets: Vec<T>,
    /// The place it is aimed at.
    pub location: Option<Vector>,
    /// The direction it is aimed in.
    pub direction: Option<Vector>,
    /// Who asked for it.
    pub source: N,
    /// What it does.
    pub phase: Phase,
    /// It waits to go on after an interruption.
    pub suspended: bool,
    /// Requests can stop it.
    pub cancelable: bool,
    /// How often it was started.
    pub attempt: u32,
    /// How it ended.
    pub result: RunResult,
    /// Why.
    pub reason: N,
}

/// All orders as other peers know them.
#[derive(Clone, Debug, PartialEq)]
pub struct Published<N, T> {
    /// What happens.
    pub phase: Phase,
    /// The order that runs.
    pub current: Option<PublishedOrder<N, T>>,
    /// Those that wait.
    pub queue: Vec<PublishedOrder<N, T>>,
    /// The one that ended last.
    pub last: Option<PublishedOrder<N, T>>,
}

/// What became different between two looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PublishedNews {
    /// Another order is the current one, or none.
    pub current: bool,
    /// Other orders wait, or in another order.
    pub queue: bool,
    /// Another order is the last result.
    pub last: bool,
}

impl<N, T> Default for Published<N, T> {
    fn default() -> Self {
        Self { phase: Phase::Idle, current: None, queue: Vec::new(), last: None }
    }
}

impl<N, T> Published<N, T> {
    /// What is news in `now` to who knew this. It says what became of the orders, not each step on the way.
    pub fn news(&self, now: &Self) -> PublishedNews {
        let number = |order: &Option<PublishedOrder<N, T>>| order.as_ref().map(|order| order.command);
        let line = |known: &Self| -> Vec<(u64, bool)> {
            known.queue.iter().map(|order| (order.command, order.suspended)).collect()
        };
        PublishedNews {
            current: number(&self.current) != number(&now.current),
            queue: line(self) != line(now),
            last: number(&self.last) != number(&now.last),
        }
    }

    /// The highest numbers of an order and of a start that it names.
    pub fn highest(&self) -> (u64, u64) {
        let all = self.current.iter().chain(&self.queue).chain(&self.last);
        all.fold((0, 0), |most, order| (most.0.max(order.command), most.1.max(order.execution)))
    }

    /// An order by its number.
    pub fn find(&self, command: u64) -> Option<&PublishedOrder<N, T>> {
        let mut all = self.current.iter().chain(&self.queue).chain(&self.last);
        all.find(|order| order.command == command)
    }
}

impl PublishedNews {
    /// Nothing to tell.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(command: u64) -> PublishedOrder<&'static str, &'static str> {
        PublishedOrder {
            command,
            execution: 0,
            name: "Move",
            variant: 0,
            targets: Vec::new(),
            location: None,
            direction: None,
            source: "",
            phase: Phase::Idle,
            suspended: false,
            cancelable: true,
            attempt: 0,
            result: RunResult::None,
            reason: "",
        }
    }

    #[test]
    fn only_what_signals_tell_is_news() {
        let before = Published { current: Some(order(1)), queue: vec![order(2)], ..Published::default() };
        assert!(before.news(&before.clone()).is_empty());
        let mut now = before.clone();
        now.phase = Phase::Cancelling;
        now.current = Some(PublishedOrder { phase: Phase::Cancelling, ..order(1) });
        assert!(before.news(&now).is_empty(), "the same order in another phase is no other order");
        now = Published { current: Some(order(2)), queue: Vec::new(), last: Some(order(1)), ..now };
        assert_eq!(before.news(&now), PublishedNews { current: true, queue: true, last: true });
        let mut back = before.clone();
        back.queue[0].suspended = true;
        assert_eq!(before.news(&back), PublishedNews { queue: true, ..PublishedNews::default() });
    }

    #[test]
    fn orders_are_found_and_numbers_go_on() {
        let mut known = Published { queue: vec![order(7), order(3)], ..Published::default() };
        known.last = Some(PublishedOrder { execution: 9, ..order(2) });
        assert_eq!(known.highest(), (7, 9));
        assert_eq!(known.find(3).map(|order| order.command), Some(3));
        assert_eq!(known.find(4), None);
    }
}
