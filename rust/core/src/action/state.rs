//! One evaluator: everything an agent's action system knows between two calls.

use std::sync::Arc;

use super::asking::Virtuals;
use super::choice::LastDecision;
use super::ending::EndFrame;
use super::evaluation::{EvaluationFrame, Purpose};
use super::executor::StartFrame;
use super::history::History;
use super::list::{Entry, List};
use super::machine::{Frame, Machine, Outcome};
use super::memory::Memory;
use super::quiet::Marks;
use super::reaction::Reacting;
use super::run::{Phase, Run};
use super::schedule::Schedule;
use super::step::{ListFrame, StepFrame};
use super::switching::Held;
use super::{
    ActionId, ActionPlan, ActionRef, EndReason, Event, Question, Refusal, RunId, Settings, StartRequest,
    TargetWish,
};
use crate::random::draw;

/// What waits for the sequence in progress to return.
#[derive(Clone, Copy, Debug)]
pub(super) enum Queued {
    Start(RunId, StartRequest),
    Evaluation,
    /// What reactions hold ready.
    Event,
}

/// The action system of one agent.
///
/// Every call that may ask questions is *pumped*: note [`Evaluator::depth`], make the call, then take
/// [`Evaluator::next`] until it returns `None`, answering each question. A call that comes in while a question is
/// out is pumped on its own, from its own depth.
///
/// The order of fields is the order in memory: what every step and every quiet decision reads lies in as few lines of the
/// processor's caches as possible, because with thousands of agents all of it comes from far.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub struct Evaluator {
    pub(super) list: Arc<List>,
    /// It answers events, and has reactions for actions.
    pub(super) reacting: Option<Box<Reacting>>,
    pub(super) steps: u64,
    /// Number of the list; another one for every change.
    pub(super) list_version: u64,
    pub(super) started: bool,
    /// Out of the tree: nothing begins until it comes back.
    pub(super) away: bool,
    /// The list lost the running action.
    pub(super) stale_run: bool,
    /// Nothing is evaluated.
    pub(super) selection_held: bool,
    /// Resources changed since the last step.
    pub(super) stale: bool,
    /// There is no list at all.
    pub(super) setless: bool,
    pub(super) ended_in_step: bool,
    pub(super) nothing_valid: bool,
    /// A state was imported before the start: the schedule goes on with it.
    pub(super) resumed: bool,
    /// The numbered step of a start that refused last.
    pub(super) refused_step: u8,
    pub(super) virtuals: Virtuals,
    /// The run whose method is asked something from outside.
    pub(super) calling: Option<RunId>,
    pub(super) memory: Memory,
    pub(super) schedule: Schedule,
    pub(super) settings: Settings,
    pub(super) history: History,
    pub(super) machine: Machine,
    /// What the tags are that the list asks for, as they were last read.
    pub(super) marks: Marks,
    /// Evaluations that are over, for their memory.
    #[allow(clippy::vec_box, reason = "the boxes themselves are what is used again")]
    pub(super) pool: Vec<Box<EvaluationFrame>>,
    pub(super) next_run: RunId,
    /// How long the run lasted that ended last.
    pub(super) ended_after: f64,
    pub(super) queue: Option<Queued>,
    pub(super) run: Option<Run>,
    /// The start that goes on, until its commit.
    pub(super) starting: Option<Run>,
    /// Actions and scorers whose bad number was told.
    pub(super) warned: Vec<(ActionRef, Option<u32>)>,
    /// Started when nothing is valid.
    pub(super) fallback: Option<ActionId>,
    pub(super) last: LastDecision,
}

impl Evaluator {
    /// An evaluator that was not started and has no actions.
    pub fn new(settings: Settings) -> Self {
        Self { settings, setless: true, ..Self::default() }
    }

    /// Replaces the settings.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.marks.forget();
    }

    /// Changes some of the settings.
    pub fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        self.marks.forget();
    }

    /// The id that the next start gets, also one that is refused.
    pub fn next_run_id(&self) -> RunId {
        self.next_run + 1
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many sequences go on: the base for pumping the next call.
    pub fn depth(&self) -> usize {
        self.machine.depth()
    }

    /// How the call that was pumped last went.
    pub fn take_outcome(&mut self) -> Outcome {
        std::mem::take(&mut self.machine.outcome)
    }

    /// A scripted gate or scorer of this evaluator is on the stack, or the world is being read for it.
    pub fn is_scoring(&self) -> bool {
        self.machine.is_scoring()
    }

    /// Between [`Evaluator::start`] and [`Evaluator::stop`].
    pub fn is_started(&self) -> bool {
        self.started
    }

    /// Seconds since the start.
    pub fn now(&self) -> f64 {
        self.memory.now
    }

    /// The seed of all draws.
    pub fn seed(&self) -> u64 {
        self.memory.seed
    }

    /// Sets the seed of all draws from now on.
    pub fn set_seed(&mut self, seed: u64) {
        self.memory.seed = seed;
    }

    /// Started and in the tree.
    pub(super) fn is_active(&self) -> bool {
        self.started && !self.away
    }

    /// Out of the tree, or on its way out.
    pub fn is_away(&self) -> bool {
        self.away
    }

    /// Back in the tree: idle, with everything it knew.
    pub fn enter(&mut self) {
        self.away = false;
    }

    // Pumped calls.

    /// Begins: the list's spawn cooldowns, the first evaluation in the schedule. False if begun already.
    pub fn start(&mut self) -> bool {
        if std::mem::replace(&mut self.started, true) {
            return false;
        }
        let resumed = std::mem::take(&mut self.resumed);
        let phase = if self.settings.random_phase { draw(self.memory.seed, "phase", "", 0) } else { 0.0 };
        if !resumed {
            self.schedule.due = self.memory.now + self.settings.evaluation_interval * phase;
        }
        let mut events = vec![Event::SetChanged];
        self.spawn_cooldowns(&mut events);
        self.tell(events);
        true
    }

    /// Ends what runs and decides nothing more.
    pub fn stop(&mut self) {
        self.started = false;
        self.schedule.rest();
        self.abort(EndReason::Cancelled);
    }

    /// One step of game time.
    pub fn step(&mut self, delta: f64) {
        self.machine.outcome = Outcome::None;
        let steps = self.is_active() && delta > 0.0 && delta.is_finite();
        if steps && !self.step_calmly(delta) {
            self.machine.push(Frame::Step(StepFrame::new(delta)), false);
        }
    }

    /// Evaluates at once, or when the sequence in progress returns (true: it will).
    pub fn evaluate_now(&mut self) -> bool {
        self.machine.outcome = Outcome::None;
        if self.is_busy() {
            self.replace_queue(Queued::Evaluation);
            return true;
        }
        if self.is_active() && self.can_decide() {
            let frame = self.new_evaluation(Purpose::Decide, TargetWish::Focus);
            self.machine.push(frame, false);
        }
        false
    }

    /// The next step evaluates.
    pub fn request_evaluation(&mut self) {
        self.schedule.requested = true;
    }

    /// Scores without consequences; the outcome is a decision.
    pub fn preview(&mut self, target: TargetWish) {
        self.machine.outcome = Outcome::None;
        let frame = self.new_evaluation(Purpose::Preview, target);
        self.machine.push(frame, false);
    }

    /// Scores one action without consequences; the outcome is a score.
    pub fn score(&mut self, action: ActionRef, target: TargetWish) {
        self.machine.outcome = Outcome::None;
        let frame = self.new_evaluation(Purpose::Score(action), target);
        self.machine.push(frame, false);
    }

    /// Starts an action; its run id, also when the start has to wait (`true`) for the sequence in progress.
    pub fn execute(&mut self, request: StartRequest) -> (RunId, bool) {
        self.machine.outcome = Outcome::None;
        let id = self.reserve_run();
        if self.is_busy() {
            self.replace_queue(Queued::Start(id, request));
            return (id, true);
        }
        self.machine.push(Frame::Start(StartFrame::forced(id, request)), false);
        (id, false)
    }

    /// Resources changed: the next step asks for a new list.
    pub fn mark_stale(&mut self) {
        self.stale = true;
    }

    // Queries.

    /// The action of that name, if this evaluator ever met it.
    pub fn find(&self, name: &str) -> Option<ActionRef> {
        self.memory.find(name)
    }

    /// Its name.
    pub fn name(&self, action: ActionRef) -> &str {
        self.memory.record(action).id.name()
    }

    /// The names of all actions that this evaluator has met; number `n` is that of `ActionRef(n)`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.memory.names()
    }

    /// Its place in the list.
    pub fn index(&self, action: ActionRef) -> Option<usize> {
        // Mostly an action stands at its own number, and that can be seen in the list, which all share.
        let at = action.0 as usize;
        let stands_there = self.list.entries.get(at).is_some_and(|entry| entry.action == action);
        if stands_there { Some(at) } else { self.memory.record(action).index }
    }

    /// The listed actions in order.
    pub fn listed(&self) -> impl Iterator<Item = (ActionRef, &Arc<ActionPlan>)> {
        self.list.entries.iter().map(|entry| (entry.action, &entry.plan))
    }

    /// Number of the list; another one for every change.
    pub fn list_version(&self) -> u64 {
        self.list_version
    }

    /// Seconds left of a cooldown; 0 when free.
    pub fn cooldown_left(&self, action: ActionRef) -> f64 {
        self.memory.cooldown_left(action)
    }

    /// All cooldowns with the seconds left: listed actions in order, then the others by name.
    pub fn cooldowns(&self) -> Vec<(ActionRef, f64)> {
        let all = self.memory.listing_order().into_iter();
        all.map(|action| (action, self.cooldown_left(action))).filter(|(_, left)| *left > 0.0).collect()
    }

    /// The factor that was set for one action; 1 without.
    pub fn multiplier(&self, action: ActionRef) -> f64 {
        self.memory.multiplier(action)
    }

    /// Sets or clears that factor; true if one was set before.
    pub fn set_multiplier(&mut self, action: ActionRef, multiplier: Option<f64>) -> bool {
        self.memory.set_multiplier(action, multiplier)
    }

    /// Clears the factors of all actions.
    pub fn clear_multipliers(&mut self) {
        self.memory.clear_multipliers();
    }

    /// What runs, from its commit until its end is settled.
    pub fn running(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// The run of that id, also while it only begins.
    pub fn run(&self, id: RunId) -> Option<&Run> {
        [self.starting.as_ref(), self.run.as_ref()].into_iter().flatten().find(|run| run.id == id)
    }

    // For the sequences.

    /// Context seed of the next evaluation; 0 for events, unless their seeds are live.
    pub(super) fn context_seed(&self) -> u64 {
        let seedless = self.reacting.as_ref().is_some_and(|reacting| reacting.is_seedless());
        if seedless { 0 } else { self.memory.context_seed() }
    }

    pub(super) fn new_evaluation(&mut self, purpose: Purpose, wish: TargetWish) -> Frame {
        Frame::Evaluation(self.pool.pop().unwrap_or_default().reuse(purpose, wish))
    }

    pub(super) fn entry(&self, action: ActionRef) -> Option<&Entry> {
        self.list.entries.get(self.index(action)?)
    }

    /// A start, an end or a decision goes on; more of that has to wait.
    pub(super) fn is_busy(&self) -> bool {
        let ending = self.run.as_ref().is_some_and(|run| run.phase != Phase::Running);
        ending || self.starting.is_some() || self.machine.is_evaluating()
    }

    /// The action that is started when nothing is valid, if it is in the list.
    pub fn set_fallback(&mut self, fallback: Option<ActionId>) {
        self.fallback = fallback;
    }

    /// There is something to score: nothing runs, or something may take its place.
    pub(super) fn can_decide(&self) -> bool {
        let held = self.run.as_ref();
        !self.setless
            && !self.selection_held
            && held.is_none_or(|run| Held::of(run, &self.settings).may_yield(&self.list))
    }

    /// False: [`Evaluator::take_due`] has nothing.
    pub(super) fn may_be_due(&self) -> bool {
        self.stale_run || self.queue.is_some()
    }

    /// What waited for the sequence that just returned.
    pub(super) fn take_due(&mut self) -> Option<Frame> {
        if !self.stale_run && self.queue.is_none() || self.machine.is_held() {
            return None;
        }
        let run = self.run.as_ref().filter(|run| !run.ticking);
        if let Some(run) = run.filter(|_| self.stale_run) {
            self.stale_run = false;
            return Some(Frame::End(EndFrame::new(run.id, EndReason::Cancelled)));
        }
        match self.queue.take()? {
            Queued::Event if self.is_active() => self.take_event().map(|event| self.new_reaction(event)),
            Queued::Start(id, request) => Some(Frame::Start(StartFrame::forced(id, request))),
            Queued::Evaluation if self.is_active() && self.can_decide() => {
                Some(self.new_evaluation(Purpose::Decide, TargetWish::Focus))
            }
            Queued::Evaluation | Queued::Event => None,
        }
    }

    pub(super) fn replace_queue(&mut self, queued: Queued) {
        let replaced = match self.queue.replace(queued) {
            Some(Queued::Start(id, request)) => Some(Event::StartRefused(request.action, Refusal::Busy, id)),
            Some(Queued::Event) => self.take_event().map(|event| Event::EventRefused(event.context)),
            Some(Queued::Evaluation) | None => None,
        };
        self.tell(replaced.into_iter().collect());
    }

    pub(super) fn tell(&mut self, events: Vec<Event>) {
        if !events.is_empty() {
            let questions = events.into_iter().map(Question::Tell).collect();
            self.machine.push(Frame::List(ListFrame::new(questions)), true);
        }
    }
}
