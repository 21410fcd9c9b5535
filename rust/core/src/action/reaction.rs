//! Reactions: answers to events, on the same candidates, scores, starts and ends as actions.
//!
//! An evaluator in reaction mode decides when an event comes, not by a schedule. It knows what the agent's actions are
//! doing only by what it is told ([`Evaluator::set_rival`]), and takes their place by a question.

use super::choice::wish_of;
use super::decision::DecisionOutcome;
use super::delayed::DelayedFrame;
use super::evaluation::{EvaluationFrame, Purpose, Stage};
use super::executor::StartFrame;
use super::list::Entry;
use super::machine::{Flow, Frame, Outcome};
use super::run::Phase;
use super::score::Row;
use super::state::Queued;
use super::{
    ActionPlan, ActionRef, EndReason, Evaluator, Event, InterruptClass, Question, Refusal, Run, Settings,
    StartRequest, TargetKey, TargetWish,
};
use crate::random::draw;
use crate::tags::TagSet;
use crate::time::expired;

/// What makes an action a reaction.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionPlan {
    /// Events that it answers.
    pub trigger_tags: super::TagQueries,
    /// Weakest event that it answers.
    pub min_magnitude: f64,
    /// Strongest event that it answers.
    pub max_magnitude: f64,
    /// Share of the events that it answers, 0 to 1.
    pub chance: f64,
    /// Seconds between event and start.
    pub delay: f64,
    /// ± share of the delay, 0 to 1.
    pub delay_randomization: f64,
    /// The running action has to end for it.
    pub interrupts_action: bool,
    /// Even one that may not be interrupted.
    pub force_interrupt: bool,
}

impl Default for ReactionPlan {
    fn default() -> Self {
        Self {
            trigger_tags: super::TagQueries::default(),
            min_magnitude: 0.0,
            max_magnitude: 1e6,
            chance: 1.0,
            delay: 0.0,
            delay_randomization: 0.2,
            interrupts_action: true,
            force_interrupt: false,
        }
    }
}

/// Names the context of a start or an event, which the adapter keeps.
pub type ContextKey = i64;

/// Something that happened to the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionEvent {
    /// Its tag.
    pub tags: TagSet,
    /// How strong it is.
    pub magnitude: f64,
    /// Whom a reaction is aimed at.
    pub target: TargetWish,
    /// The adapter's name for its context.
    pub context: ContextKey,
}

/// What has the place that a reaction wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// What may break it.
    pub class: InterruptClass,
    /// How important it is.
    pub priority: i64,
}

/// A chosen reaction that waits for its delay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub action: ActionRef,
    rival: Rival,
    pub target: Option<TargetKey>,
    pub context: ContextKey,
    pub seed: u64,
    due: f64,
}

/// What an evaluator in reaction mode knows beyond that of actions.
#[derive(Clone, Debug, Default)]
pub(super) struct Reacting {
    live_seed: bool,
    /// The event that is being answered.
    pub event: Option<ReactionEvent>,
    /// The event that waits for the sequence in progress.
    queued: Option<ReactionEvent>,
    /// What the agent's action is.
    rival: Option<Rival>,
    waiting: Option<Waiting>,
}

impl Reacting {
    /// Nothing is left to chance: all seeds are 0 and scores do not vary.
    pub fn is_seedless(&self) -> bool {
        !self.live_seed
    }

    /// Its trigger or its range does not fit the event.
    pub fn ignores(&self, plan: &ActionPlan) -> bool {
        let Some((event, reaction)) = self.event.as_ref().zip(plan.reaction.as_ref()) else {
            return false;
        };
        let answers = event.tags.matches_any(reaction.trigger_tags.ids());
        !answers || !(reaction.min_magnitude..=reaction.max_magnitude).contains(&event.magnitude)
    }

    /// What runs or waits does not make room for it.
    pub fn is_busy(&self, plan: &ActionPlan, running: Option<Rival>) -> bool {
        let Some(reaction) = &plan.reaction else {
            return false;
        };
        let force = reaction.force_interrupt;
        let reactions = running.into_iter().chain(self.waiting.map(|waiting| waiting.rival));
        let kept = |old: Rival| !gives_way(old, plan.priority, force);
        let acts = self.rival.filter(|_| reaction.interrupts_action && !force);
        reactions.into_iter().any(kept) || acts.is_some_and(|old| !action_gives_way(old, plan.priority))
    }
}

/// A running or waiting reaction makes room for one of higher priority, or of the same if it is of class ANY.
fn gives_way(old: Rival, priority: i64, force: bool) -> bool {
    match old.class {
        InterruptClass::Never => force && priority > old.priority,
        InterruptClass::ByPriority => priority > old.priority,
        InterruptClass::ByMargin | InterruptClass::Any => priority >= old.priority,
    }
}

/// A running action makes room for a reaction by its class.
fn action_gives_way(old: Rival, priority: i64) -> bool {
    match old.class {
        InterruptClass::Never => false,
        InterruptClass::ByPriority => priority > old.priority,
        InterruptClass::ByMargin | InterruptClass::Any => true,
    }
}

impl Rival {
    fn of(plan: &ActionPlan) -> Self {
        Self { class: plan.interrupt_class, priority: plan.priority }
    }
}

impl Evaluator {
    /// An evaluator of reactions.
    pub fn new_reacting(settings: Settings) -> Self {
        // What is used up by choosing among actions again and again has no meaning here.
        let settings = Settings {
            novelty_penalty: 0.0,
            global_multiplier: 1.0,
            auto_evaluate: false,
            evaluate_on_end: false,
            ..settings
        };
        Self { reacting: Some(Box::default()), ..Self::new(settings) }
    }

    /// Off, the default: the seeds of every event are 0 and scores do not vary.
    pub fn set_live_seed(&mut self, live: bool) {
        if let Some(reacting) = &mut self.reacting {
            reacting.live_seed = live;
        }
    }

    /// What the agent's action is, for the decision that is about to be made.
    pub fn set_rival(&mut self, rival: Option<Rival>) {
        if let Some(reacting) = &mut self.reacting {
            reacting.rival = rival;
        }
    }

    /// It answers events.
    pub fn is_reacting(&self) -> bool {
        self.reacting.is_some()
    }

    /// What runs or starts here and would have to make room.
    pub fn rival(&self) -> Option<Rival> {
        let run = self.run.as_ref().filter(|run| run.phase != Phase::Ending);
        run.or(self.starting.as_ref()).map(|run| Rival::of(&run.plan))
    }

    /// The reaction that waits for its delay.
    pub fn pending(&self) -> Option<ActionRef> {
        Some(self.reacting.as_ref()?.waiting?.action)
    }

    /// Answers an event; the outcome is [`Outcome::Reacted`] if a reaction starts or waits. True: the event has to wait for
    /// the sequence in progress.
    pub fn react(&mut self, event: ReactionEvent) -> bool {
        self.machine.outcome = Outcome::None;
        let busy = self.is_busy();
        if self.reacting.is_none() || !self.is_active() {
            self.tell(vec![Event::EventRefused(event.context)]);
            return false;
        }
        if busy {
            self.replace_queue(Queued::Event);
            if let Some(reacting) = &mut self.reacting {
                reacting.queued = Some(event);
            }
            return true;
        }
        let frame = self.new_reaction(event);
        self.machine.push(frame, false);
        false
    }

    pub(super) fn new_reaction(&mut self, event: ReactionEvent) -> Frame {
        let target = event.target;
        if let Some(reacting) = &mut self.reacting {
            reacting.event = Some(event);
        }
        self.new_evaluation(Purpose::React, target)
    }

    /// The event that waited.
    pub(super) fn take_event(&mut self) -> Option<ReactionEvent> {
        self.reacting.as_mut()?.queued.take()
    }

    /// Forgets the reaction that waits; false if none does.
    pub fn cancel_pending(&mut self) -> bool {
        let dropped = self.drop_waiting();
        self.tell(dropped.into_iter().collect());
        dropped.is_some()
    }

    /// Forgets events and what waits, without a word.
    pub(super) fn forget_events(&mut self) {
        if let Some(reacting) = &mut self.reacting {
            (reacting.event, reacting.queued, reacting.waiting) = (None, None, None);
        }
    }

    /// The context of the event that is being answered.
    pub(super) fn event_context(&self) -> Option<ContextKey> {
        Some(self.reacting.as_ref()?.event.as_ref()?.context)
    }

    /// The dice of a reaction for event number `n`.
    pub(super) fn takes_chance(&self, plan: &ActionPlan, n: u64) -> bool {
        let chance = plan.reaction.as_ref().map_or(1.0, |reaction| reaction.chance);
        draw(self.memory.seed, "chance", plan.id.name(), n) < chance
    }

    /// Seconds until a reaction to event number `n` starts.
    pub(super) fn delay_of(&self, plan: &ActionPlan, n: u64) -> f64 {
        let Some(reaction) = plan.reaction.as_ref().filter(|reaction| reaction.delay > 0.0) else {
            return 0.0;
        };
        let u = draw(self.memory.seed, "delay", plan.id.name(), n);
        (reaction.delay * (1.0 + reaction.delay_randomization * (2.0 * u - 1.0))).max(0.0)
    }

    /// A chosen reaction waits from now on.
    pub(super) fn wait(&mut self, entry: &Entry, target: Option<TargetKey>, seed: u64, delay: f64) {
        let (due, context) = (self.memory.now + delay, self.event_context().unwrap_or_default());
        let rival = Rival::of(&entry.plan);
        let waiting = Waiting { action: entry.action, rival, target, context, seed, due };
        if let Some(reacting) = &mut self.reacting {
            reacting.waiting = Some(waiting);
        }
    }

    /// Another reaction to an event has the place of the one that waits.
    pub(super) fn drop_waiting(&mut self) -> Option<Event> {
        let waiting = self.reacting.as_mut()?.waiting.take();
        waiting.map(|waiting| Event::EventRefused(waiting.context))
    }

    /// The delay is over by then.
    pub(super) fn ends_waiting(&self, now: f64) -> bool {
        let waiting = self.reacting.as_ref().and_then(|reacting| reacting.waiting);
        waiting.is_some_and(|waiting| expired(now, waiting.due))
    }

    /// What waited long enough, ready to start.
    pub(super) fn take_waited(&mut self) -> Option<Frame> {
        if !self.ends_waiting(self.memory.now) || self.is_busy() || !self.is_active() {
            return None;
        }
        let waiting = self.reacting.as_mut()?.waiting.take()?;
        Some(Frame::Delayed(DelayedFrame::new(waiting)))
    }

    /// Seconds of recovery that the end of a reaction adds to that of the actions.
    pub(super) fn recovery_of_reaction(&self, run: &Run, reason: EndReason) -> f64 {
        let completed = reason == EndReason::Completed && run.plan.recovery.is_some();
        let number = super::BoundNumber::RecoveryTime;
        if completed { self.memory.number(run.action, &run.plan, number) } else { 0.0 }
    }
}

impl EvaluationFrame {
    /// The dice, for those that stand, in list order.
    pub(super) fn roll(&mut self, evaluator: &Evaluator) {
        for row in self.scratch.rows.iter_mut().filter(|row| row.refusal == Refusal::None) {
            if !evaluator.takes_chance(&self.list.entries[row.index].plan, self.index) {
                row.refusal = Refusal::Chance;
            }
        }
    }

    /// The winner starts, or waits for its delay.
    pub(super) fn answer_event(&mut self, evaluator: &mut Evaluator, row: &Row) -> Flow {
        let entry = self.list.entries[row.index].clone();
        evaluator.last.head(Some(*row), DecisionOutcome::Started);
        let delay = evaluator.delay_of(&entry.plan, self.index);
        if delay > 0.0 {
            self.reacted = Some(row.action);
            self.stage = Stage::Settle;
            self.notice = evaluator.drop_waiting();
            evaluator.wait(&entry, row.target, self.seed, delay);
            return Flow::Ask(Question::Tell(Event::Pending(row.action, delay)));
        }
        let context = evaluator.event_context().unwrap_or_default();
        let id = evaluator.reserve_run();
        let request = StartRequest { action: Some(row.action), target: wish_of(row), respect_gates: false };
        Flow::Call(Frame::Start(StartFrame::scored(id, request, self.seed, false).with_context(context)))
    }

    /// The event's last word, if no reaction came of it.
    pub(super) fn tell_unanswered(&mut self, evaluator: &mut Evaluator) -> Flow {
        self.stage = Stage::TellDecision;
        let event = evaluator.reacting.as_mut().and_then(|reacting| reacting.event.take());
        match event.filter(|_| self.reacted.is_none()) {
            Some(event) => Flow::Ask(Question::Tell(Event::EventRefused(event.context))),
            None => Flow::Again,
        }
    }
}
