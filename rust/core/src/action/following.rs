//! An evaluator that another peer decides for: its clock and timers go on, everything else is told to it.

use std::collections::BTreeMap;

use super::machine::{Frame, Outcome};
use super::step::StepFrame;
use super::{ActionId, ActionRef, Evaluator, Event, Run, RunId};

/// What the peer that decides tells the others of an evaluator. Nodes and resources are named by the adapter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// The running action; empty when idle.
    pub running: String,
    /// On whom; empty without a target.
    pub target: String,
    /// Number of the run, or of the last one.
    pub run: RunId,
    /// The integer of the last end's reason.
    pub reason: i64,
    /// The set in use.
    pub set: String,
    /// Where the set comes from.
    pub source: i64,
    /// By action: seconds of the cooldown, and the number of its stamp.
    pub cooldowns: BTreeMap<String, (f64, i64)>,
}

/// A difference between two published states.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Another set or source.
    Set(String, i64),
    /// A run ended: action, integer of the reason, number.
    Ended(String, i64, RunId),
    /// A run began: action, target, number.
    Started(String, String, RunId),
    /// A cooldown began: action, seconds.
    Cooldown(String, f64),
}

impl Published {
    /// True if `other` says nothing new: a cooldown that is over need not be told.
    pub fn tells_all_of(&self, other: &Published) -> bool {
        let runs = |told: &Published| (told.running.clone(), told.target.clone(), told.run, told.reason);
        let sets = |told: &Published| (told.set.clone(), told.source);
        let known = |row: (&String, &(f64, i64))| self.cooldowns.get(row.0) == Some(row.1);
        runs(self) == runs(other) && sets(self) == sets(other) && other.cooldowns.iter().all(known)
    }

    /// What runs is still the run of `other`.
    pub fn is_run_of(&self, other: &Published) -> bool {
        self.run == other.run && self.running == other.running
    }
}

/// A cooldown as it is published.
#[derive(Clone, Copy, Debug)]
struct Stamp {
    seconds: f64,
    serial: i64,
    until: f64,
}

/// What the deciding peer remembers of its events, to publish it.
#[derive(Clone, Debug, Default)]
pub struct Publisher {
    stamps: BTreeMap<u32, Stamp>,
    last_reason: i64,
    last_run: RunId,
}

impl Publisher {
    /// An event of the evaluator was told.
    pub fn note(&mut self, evaluator: &Evaluator, event: Event) {
        match event {
            Event::CooldownStarted(action, seconds) => {
                let until = evaluator.now() + seconds;
                let stamp = self.stamps.entry(action.0).or_insert(Stamp { seconds, serial: 0, until });
                *stamp = Stamp { seconds, serial: stamp.serial + 1, until };
            }
            Event::Ended(_, reason, run) => (self.last_reason, self.last_run) = (reason.code(), run),
            _ => {}
        }
    }

    /// Everything that is told of the evaluator now, but what only the adapter can name.
    pub fn publish(&mut self, evaluator: &Evaluator) -> Published {
        // A stamp that a refund, a reset or an import changed goes on as what is left.
        const SAME: f64 = 1e-3;
        let now = evaluator.now();
        let mut cooldowns = BTreeMap::new();
        for (action, stamp) in &mut self.stamps {
            let action = ActionRef(*action);
            let left = evaluator.cooldown_left(action);
            if (left - (stamp.until - now).max(0.0)).abs() > SAME {
                (stamp.seconds, stamp.until) = (left, now + left);
            }
            if left > 0.0 || stamp.seconds == 0.0 {
                cooldowns.insert(evaluator.name(action).to_owned(), (stamp.seconds, stamp.serial));
            }
        }
        let run = evaluator.running();
        Published {
            running: run.map(|run| run.plan().id.name().to_owned()).unwrap_or_default(),
            run: run.map_or(self.last_run, Run::id),
            reason: self.last_reason,
            cooldowns,
            ..Published::default()
        }
    }
}

impl Evaluator {
    /// Begins without deciding anything: no spawn cooldowns, nothing told. False if begun already.
    pub fn start_following(&mut self) -> bool {
        if std::mem::replace(&mut self.started, true) {
            return false;
        }
        self.schedule.due = self.memory.now;
        for entry in &self.list.clone().entries {
            self.memory.record_mut(entry.action).spawned = true;
        }
        true
    }

    /// One step of game time: clock and expired timers only.
    pub fn step_clock(&mut self, delta: f64) {
        self.machine.outcome = Outcome::None;
        if self.is_active() && delta > 0.0 && delta.is_finite() {
            self.machine.push(Frame::Step(StepFrame::clock(delta)), false);
        }
    }

    /// A cooldown as the deciding peer has it, without a word; 0 lets one that runs expire at the next step.
    fn follow_cooldown(&mut self, name: &str, seconds: f64) {
        let action = self.memory.find(name).unwrap_or_else(|| self.memory.meet(&ActionId::new(name)));
        self.memory.set_cooldown(action, seconds);
    }

    /// This peer decides from now on; run ids go on after those of the peer before.
    pub fn take_over(&mut self, last_run: RunId) {
        self.next_run = self.next_run.max(last_run);
        self.schedule.due = self.memory.now;
    }

    /// Takes over what the deciding peer published after `before`: cooldowns count on this evaluator's clock from now on.
    /// What became different, in the order in which it is to be told.
    pub fn follow(&mut self, before: &Published, told: &Published) -> Vec<News> {
        let mut news = Vec::new();
        if (&before.set, before.source) != (&told.set, told.source) {
            news.push(News::Set(told.set.clone(), told.source));
        }
        if !told.is_run_of(before) {
            if !before.running.is_empty() {
                news.push(News::Ended(before.running.clone(), told.reason, before.run));
            }
            if !told.running.is_empty() {
                news.push(News::Started(told.running.clone(), told.target.clone(), told.run));
            }
        }
        self.follow_cooldowns(before, told, &mut news);
        news
    }

    fn follow_cooldowns(&mut self, before: &Published, told: &Published, news: &mut Vec<News>) {
        for (name, (seconds, serial)) in &told.cooldowns {
            match before.cooldowns.get(name) {
                Some(known) if *known == (*seconds, *serial) => continue,
                Some((_, known)) if known == serial => {}
                _ if *seconds > 0.0 => news.push(News::Cooldown(name.clone(), *seconds)),
                _ => {}
            }
            self.follow_cooldown(name, *seconds);
        }
        for name in before.cooldowns.keys().filter(|name| !told.cooldowns.contains_key(*name)) {
            if self.find(name).is_some_and(|action| self.cooldown_left(action) > 0.0) {
                self.follow_cooldown(name, 0.0);
            }
        }
    }
}
