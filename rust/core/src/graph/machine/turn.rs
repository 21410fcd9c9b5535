//! A turn: what is told and decided, one after the other.

use super::calls::Call;
use super::change::{Change, Removal};
use super::replay::Played;
use super::state::{Doing, Machine};
use super::walk::Origin;
use crate::graph::parts::PartsWorld;
use crate::graph::{Answer, Effect, MoveEnd, Question, Ticket};

/// Queued calls that one tick makes.
const MOST_CALLS: u32 = 64;

impl Machine {
    /// Who made a call, or let time pass, runs the turn, if this is true: [`Machine::next`] until nothing is left. False: one
    /// is running, and will come to it.
    pub fn begin_turn(&mut self) -> bool {
        if self.turn.running {
            return false;
        }
        self.turn.running = true;
        self.clock.calm.stop();
        self.turn.made = 0;
        self.turn.entered = 0;
        self.turn.replies.clear();
        true
    }

    /// True while a turn runs: calls are queued.
    pub fn in_turn(&self) -> bool {
        self.turn.running
    }

    /// What to do next, with nothing held; `None`: the turn is over. `world` is the world as it is now.
    pub fn next(&mut self, world: &PartsWorld) -> Option<Effect> {
        if self.turn.asked.take().is_some() && self.desk.answer.is_none() {
            self.desk.answer = Some(false);
        }
        loop {
            if let Some(effect) = self.turn.told.pop_front() {
                return Some(effect);
            }
            if let Some(effect) = self.step(world) {
                return Some(effect);
            }
            if self.turn.told.is_empty() && !self.is_busy() && !self.next_job(world) {
                self.end_turn();
                return None;
            }
        }
    }

    /// The answer to a question. One that came too late has no effect.
    pub fn answer(&mut self, ticket: Ticket, answer: Answer) {
        if self.turn.asked.take_if(|asked| *asked == ticket).is_some() {
            let Answer::Bool(answer) = answer;
            self.desk.answer = Some(answer);
        }
    }

    /// The answer to a question about a condition, and to those about the scripted ones that stand directly behind it at the
    /// same transition: so many hold, and this is what is said of the next one.
    pub fn answer_row(&mut self, ticket: Ticket, held: u32, answer: Answer) {
        if self.turn.asked == Some(ticket) {
            self.desk.held = held;
        }
        self.answer(ticket, answer);
    }

    /// The next question after an answer, if that is all that comes next. `world` is the world as it is after the answer was
    /// found. `None`: [`Machine::next`] goes on.
    pub fn ask_on(&mut self, world: &PartsWorld) -> Option<(Ticket, Question)> {
        if self.desk.answer.is_none() || !self.turn.told.is_empty() {
            return None;
        }
        let question = self.walk_on(world)?;
        Some((self.give_ticket(), question))
    }

    pub(super) fn ask(&mut self, question: Question) -> Effect {
        Effect::Ask(self.give_ticket(), question)
    }

    fn give_ticket(&mut self) -> Ticket {
        self.turn.tickets += 1;
        let ticket = Ticket(self.turn.tickets);
        self.turn.asked = Some(ticket);
        (self.desk.answer, self.desk.held) = (None, 0);
        ticket
    }

    fn is_busy(&self) -> bool {
        let turn = &self.turn;
        !matches!(turn.doing, Doing::Nothing) || turn.settle.is_on() || turn.scan.is_on()
    }

    /// One step of what has begun.
    fn step(&mut self, world: &PartsWorld) -> Option<Effect> {
        match &self.turn.doing {
            Doing::Nothing => {}
            Doing::Walk(_) => return self.step_walk(world),
            Doing::Change(_) => {
                let Doing::Change(change) = std::mem::take(&mut self.turn.doing) else { return None };
                return self.step_change(change, world);
            }
        }
        if self.turn.settle.is_on() {
            self.step_settle(world);
            return None;
        }
        if self.turn.scan.is_on() {
            return self.step_scan(world);
        }
        None
    }

    /// Begins the next thing to do. False: there is none.
    fn next_job(&mut self, world: &PartsWorld) -> bool {
        self.turn.thaw &= self.clock.frozen <= 0.0;
        if self.turn.thaw {
            match self.frozen.pop_front() {
                Some(entry) => self.walk_live(entry, Origin::Thaw),
                None => self.turn.thaw = false,
            }
            return true;
        }
        if self.step_device(world) {
            return true;
        }
        if self.turn.made < MOST_CALLS {
            if let Some((id, call)) = self.turn.calls.pop() {
                // The times of a payload's animation belong to its start.
                let counts = id > self.turn.outer && !matches!(call, Call::RunTimes(..));
                self.turn.made += u32::from(counts);
                self.perform(id, call, world);
                return true;
            }
        } else if !self.turn.calls.is_empty() && !self.turn.overflowed {
            self.turn.overflowed = true;
            self.tell(Effect::Overflow);
            return true;
        }
        if let Some(played) = self.next_played() {
            match played {
                Played::Call(call) => self.perform(0, call, world),
                Played::Graph(graph) => self.tell(Effect::ReplayGraph(graph)),
            }
            return true;
        }
        self.step_tick(world)
    }

    fn end_turn(&mut self) {
        self.turn.running = false;
        self.turn.overflowed = false;
        self.look_ahead();
    }

    /// The agent leaves the tree, or is freed: what runs is over. Works also inside of a turn; [`Machine::next`] until nothing
    /// is left follows in any case. `quiet`: nothing is told but the end of the run.
    pub fn leave_tree(&mut self, quiet: bool) {
        let removal = if quiet { Removal::Gone } else { Removal::Left };
        let turn = &mut self.turn;
        let cut_short = match std::mem::take(&mut turn.doing) {
            Doing::Change(change) => Some(change),
            Doing::Walk(_) | Doing::Nothing => None,
        };
        // Of what was called and not made only a graph is left.
        let swaps = |(_, call)| match call {
            Call::SetGraph(graph, binding) => Some((graph, binding)),
            _ => None,
        };
        if let Some(swap) = std::iter::from_fn(|| turn.calls.pop()).filter_map(swaps).last() {
            turn.next_graph = Some(swap);
        }
        turn.told.clear();
        (turn.asked, turn.tick, turn.device) = (None, None, None);
        (turn.thaw, turn.pushing, turn.running) = (false, false, true);
        turn.restore = None;
        turn.settle.stop();
        turn.scan.stop();
        self.clock.calm.stop();
        self.waiting.clear();
        self.frozen.clear();
        self.grace = None;
        match quiet {
            true => self.sequence = None,
            false => _ = self.end_sequence(MoveEnd::Interrupted),
        }
        let told_end = cut_short.as_ref().is_some_and(|change| change.has_told_end());
        if let Some(change) = cut_short.filter(|_| told_end) {
            // It has ended already; only what it holds is left.
            self.turn.begin_change(change.redirected(removal));
        } else if self.run.is_some() {
            self.begin_change(Change::removed(removal));
        } else {
            self.swapped(!quiet);
        }
    }
}
