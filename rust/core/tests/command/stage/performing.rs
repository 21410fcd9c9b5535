//! What the machine wants done: hooks, answers and signals, each written down.

use riposte_core::command::{Answer, Effect, Info, OrderKey, Reason, RunResult};

use super::{Card, Stage};
use crate::fuzz::Fuzz;
use crate::notation::{Behavior, Report};
use crate::trace::Event;

impl Stage {
    pub(super) fn pump(&mut self) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        loop {
            let front = self.machine.queue().next().map(|key| key.id);
            let current = self.machine.current().map(|key| key.id);
            let Some(effect) = self.machine.next_effect() else { break };
            if let Effect::Start(start) = &effect
                && current != Some(start.order.id)
                && front != Some(start.order.id)
            {
                self.broken.push(format!("order {} starts, {front:?} was in front", start.order.id));
            }
            self.perform(effect);
        }
        self.depth -= 1;
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Start(start) => {
                self.starts += 1;
                self.most_starts = self.most_starts.max(self.starts);
                self.last_execution = start.execution;
                self.tags.insert(start.execution);
                self.events.push(Event::Start { order: start.order.id, execution: start.execution });
                let name = self.label(start.order.id);
                self.write(format!("start({name})"));
                self.begin(start.order, start.execution);
            }
            Effect::Cancel { order, execution, .. } => {
                self.events.push(Event::Cancel { order: order.id, execution });
                let name = self.label(order.id);
                self.write(format!("cancel({name})"));
                self.stop(order, execution);
            }
            Effect::Left { execution, .. } => {
                if !self.tags.remove(&execution) {
                    self.broken.push(format!("execution {execution} is over twice"));
                }
            }
            Effect::Validate(ticket, order) => {
                let answer = self.validate(order);
                self.react();
                self.machine.answer(ticket, answer);
            }
            Effect::FindTarget(ticket, order) => {
                let answer = self.find_target(order);
                self.react();
                self.machine.answer(ticket, answer);
            }
            Effect::Rejected(_) | Effect::StartsHeld => {}
            signal => self.tell(signal),
        }
    }

    fn tell(&mut self, signal: Effect) {
        let (event, word) = match signal {
            Effect::CurrentChanged { previous, current } => {
                let (previous, current) =
                    (previous.map(|info| info.order.id), current.map(|info| info.order.id));
                let word = format!("cur({}→{})", self.name(previous), self.name(current));
                (Event::Current { previous, current }, word)
            }
            Effect::Started(info) => self.about("started", &info, Event::Started(info.order.id)),
            Effect::Resumed(info) => self.about("resumed", &info, Event::Resumed(info.order.id)),
            Effect::Suspended(info) => self.about("susp", &info, Event::Suspended(info.order.id)),
            Effect::CancelTimedOut(info) => self.about("timeout", &info, Event::TimedOut(info.order.id)),
            Effect::Retried(info) => {
                let event = Event::Retried(info.order.id, info.attempt);
                (event, format!("retried({},{})", self.label(info.order.id), info.attempt))
            }
            Effect::Ended { info, started } => {
                let (result, reason) = (letter(info.result), info.reason.name().to_owned());
                let name = self.label(info.order.id);
                let why = if reason.is_empty() { String::new() } else { format!(",{reason}") };
                self.results.insert(info.order.id, (result, reason.clone()));
                if started == (result == 'D') {
                    self.broken
                        .push(format!("order {} had started: {started}, ends {result}", info.order.id));
                }
                let word = format!("end({name},{result}{why})");
                (Event::Ended { order: info.order.id, result, reason }, word)
            }
            Effect::QueueChanged => (Event::Queue, "queue".to_owned()),
            Effect::BecameIdle => {
                if !self.machine.is_idle()
                    || self.machine.queue_length() > 0
                    || self.machine.current().is_some()
                {
                    self.broken.push("idle is told and is not so".to_owned());
                }
                (Event::Idle, "idle".to_owned())
            }
            other => unreachable!("no signal: {other:?}"),
        };
        self.events.push(event);
        self.write(word);
    }

    fn about(&mut self, word: &str, info: &Info, event: Event) -> (Event, String) {
        (event, format!("{word}({})", self.label(info.order.id)))
    }

    fn write(&mut self, word: String) {
        self.words.push(word.clone());
        let waits = |pattern: &str| {
            let open = pattern.strip_suffix(')').map(|open| format!("{open},"));
            word == pattern || open.is_some_and(|open| word.starts_with(&open))
        };
        if let Some(at) = self.reactions.iter().position(|(pattern, _)| waits(pattern)) {
            let (_, step) = self.reactions.remove(at);
            let at = self.words.len();
            let answer = self.perform_step(&step);
            self.words.insert(at, format!("[{answer}]"));
        }
        self.react();
    }

    /// What an execution does when it starts.
    fn begin(&mut self, order: OrderKey, execution: u64) {
        match self.definitions[self.made[&order.id]].behavior {
            Behavior::Succeeds => self.report(execution, Report::Succeeded, ""),
            Behavior::Fails => self.report(execution, Report::Failed, ""),
            _ => false,
        };
        if let Some(report) = self.fuzz.as_mut().and_then(Fuzz::at_start) {
            self.report(execution, report, "");
        }
    }

    /// What an execution does when it is asked to stop.
    fn stop(&mut self, order: OrderKey, execution: u64) {
        let report = match &mut self.fuzz {
            Some(fuzz) => fuzz.at_cancel(),
            None if self.definitions[self.made[&order.id]].behavior == Behavior::Later => None,
            None => Some(Report::Cancelled),
        };
        if let Some(report) = report {
            self.report(execution, report, "");
        }
    }

    fn validate(&mut self, order: OrderKey) -> Answer<Card> {
        let card = self.machine.data(order).expect("an order in front").clone();
        if self.lost(&card) {
            return Answer::Lost;
        }
        if self.illegal.contains(&card.definition) {
            return Answer::Refused(Reason::AgentMissingTag);
        }
        Answer::Legal
    }

    fn find_target(&mut self, order: OrderKey) -> Answer<Card> {
        let Some(card) = self.machine.data(order).cloned() else { return Answer::Retarget(None) };
        let spare = self.spare.filter(|letter| self.targets[letter].1);
        let found = spare.map(|letter| Card { target: Some((letter, self.targets[&letter].0)), ..card });
        Answer::Retarget(found)
    }
}

fn letter(result: RunResult) -> char {
    match result {
        RunResult::None => '-',
        RunResult::Succeeded => 'S',
        RunResult::Failed => 'F',
        RunResult::Cancelled => 'C',
        RunResult::Dropped => 'D',
    }
}
