//! Random orders on random executions: what is done in a run, and what is to be seen of it.

use riposte_core::command::Receipt;

use super::chance::Chance;
use super::notation::{Behavior, Endless, Entry, Lost, Order, Report};
use super::stage::Stage;

/// What can be done to a system from outside, from a hook or from a handler.
#[derive(Clone, Debug)]
pub enum Act {
    Submit(Entry, usize),
    Replace(Vec<usize>),
    /// The living execution reports.
    Report(Report),
    /// An execution that was reports again.
    Stale(Report, usize),
    Cancel,
    /// An order by place among all that live; beyond them: one that is not there.
    CancelAt(usize),
    Skip,
    ClearQueue,
    Clear,
    RemoveAt(i64),
    RemoveRange(i64, i64),
    SetCancelable(bool),
    Tick(f64),
    FreeTarget(char),
    NewTarget(char),
    Enable(bool),
    /// From now on the orders of this definition are legal or not.
    Legal(usize, bool),
    ExecutorLost,
    Leave,
    Return,
}

pub const TARGETS: [char; 3] = ['t', 'u', 'v'];

/// The definitions of a run: each policy in some of them.
pub fn definitions(chance: &mut Chance) -> Vec<Order> {
    (0..10).map(|number| definition(chance, number)).collect()
}

fn definition(chance: &mut Chance, number: u8) -> Order {
    let endless = match chance.below(10) {
        0 => Some(Endless::End),
        1 => Some(Endless::Wait),
        2 => Some(Endless::Reject),
        _ => None,
    };
    let lost = [None, Some(Lost::Fail), Some(Lost::Continue), Some(Lost::Succeed), Some(Lost::Retarget)];
    Order {
        name: char::from(b'A' + number).to_string(),
        behavior: Behavior::Plain,
        fixed: chance.once_in(4),
        cancelled_is_success: chance.once_in(3),
        failure_goes_on: chance.once_in(3),
        endless,
        retries: if chance.once_in(3) { 1 + chance.below(2) as u32 } else { 0 },
        retry_delay: if chance.once_in(2) { 0.25 } else { 0.0 },
        target: chance.once_in(3).then(|| TARGETS[chance.below(3)]),
        lost: lost[chance.below(5)],
        invalid_fails: chance.once_in(3),
        time_limit: if chance.once_in(4) { 0.75 } else { 0.0 },
        restarts: chance.once_in(3),
        source: ["player", "ai", ""][chance.below(3)].to_owned(),
    }
}

/// Something that comes from outside.
pub fn act(chance: &mut Chance) -> Act {
    match chance.below(40) {
        0..5 => Act::Tick([0.0, 0.25, 0.25, 0.5, 1.0][chance.below(5)]),
        5 if chance.once_in(3) => Act::Leave,
        6 | 7 => Act::Return,
        _ => call(chance),
    }
}

/// Something that a hook or a handler can do, too.
pub fn call(chance: &mut Chance) -> Act {
    match chance.below(36) {
        0..5 => submit(chance, Entry::Issue),
        5..10 => submit(chance, Entry::Enqueue),
        10..13 => submit(chance, Entry::Next),
        13..16 => submit(chance, Entry::Interrupt),
        16 => Act::Replace((0..chance.below(4)).map(|_| chance.below(10)).collect()),
        17..23 => Act::Report(report(chance)),
        23 => Act::Stale(report(chance), chance.below(8)),
        24 => Act::Cancel,
        25 => Act::CancelAt(chance.below(6)),
        26 => Act::Skip,
        27 => Act::ClearQueue,
        28 => Act::Clear,
        29 => Act::RemoveAt(chance.below(5) as i64 - 1),
        30 => Act::RemoveRange(chance.below(4) as i64 - 1, chance.below(4) as i64),
        31 => Act::SetCancelable(chance.once_in(2)),
        32 => Act::FreeTarget(TARGETS[chance.below(3)]),
        33 => Act::NewTarget(TARGETS[chance.below(3)]),
        34 => match chance.below(3) {
            0 => Act::Enable(!chance.once_in(3)),
            _ => Act::Enable(true),
        },
        _ => match chance.below(3) {
            0 => Act::ExecutorLost,
            _ => Act::Legal(chance.below(10), !chance.once_in(3)),
        },
    }
}

fn submit(chance: &mut Chance, entry: Entry) -> Act {
    Act::Submit(entry, chance.below(10))
}

fn report(chance: &mut Chance) -> Report {
    [Report::Succeeded, Report::Succeeded, Report::Failed, Report::Cancelled][chance.below(4)]
}

impl Stage {
    /// Does it; what it answered.
    pub fn act(&mut self, act: &Act) -> Vec<Receipt> {
        let receipt = match act {
            Act::Submit(entry, definition) => {
                let source = self.definitions[*definition].source.clone();
                self.submit(*entry, *definition, &source)
            }
            Act::Replace(definitions) => return self.replace(definitions),
            Act::Cancel => self.control(|machine| machine.cancel(0)),
            Act::CancelAt(place) => {
                let id = self.living().get(*place).copied().unwrap_or(u64::MAX);
                self.control(|machine| machine.cancel(id))
            }
            Act::Skip => self.control(|machine| machine.skip()),
            Act::ClearQueue => self.control(|machine| machine.clear_queue(None)),
            Act::Clear => self.control(|machine| machine.clear()),
            Act::RemoveAt(at) => self.control(|machine| machine.remove_at(*at)),
            Act::RemoveRange(from, count) => self.control(|machine| machine.remove_range(*from, *count)),
            other => {
                self.act_silently(other);
                return Vec::new();
            }
        };
        vec![receipt]
    }

    fn act_silently(&mut self, act: &Act) {
        match act {
            Act::Report(report) => {
                self.report(self.last_execution, *report, "");
            }
            Act::Stale(report, back) => {
                self.report(self.last_execution.saturating_sub(1 + *back as u64), *report, "");
            }
            Act::SetCancelable(cancelable) => {
                self.set_cancelable(*cancelable);
            }
            Act::Tick(seconds) => {
                self.tick(*seconds);
            }
            Act::FreeTarget(letter) => self.free_target(*letter),
            Act::NewTarget(letter) => self.new_target(*letter),
            Act::Enable(enabled) => self.enable(*enabled),
            Act::Legal(definition, true) => {
                self.illegal.remove(definition);
            }
            Act::Legal(definition, false) => {
                self.illegal.insert(*definition);
            }
            Act::ExecutorLost => {
                if self.machine.watch(self.last_execution) {
                    self.orphan = self.last_execution;
                }
            }
            Act::Leave => self.leave(true),
            Act::Return => self.enter(),
            other => unreachable!("{other:?} has an answer"),
        }
    }
}
