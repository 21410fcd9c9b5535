//! Starts of runs: the numbered steps, in their order.

use super::ending::EndFrame;
use super::evaluation::{self, Purpose};
use super::machine::{Flow, Frame, Outcome};
use super::run::{Phase, Run};
use super::score;
use super::switching::{Held, Standing};
use super::{
    Answer, BoundNumber, ContextKey, EndReason, Evaluator, Event, HookMoment, Origin, Prepare, Question,
    Refusal, RunId, StartRequest,
};

#[derive(Clone, Copy, Debug)]
enum StartStage {
    Check,
    Prepare,
    Tokens,
    Interrupt,
    InterruptAction,
    Begin,
    Veto,
    /// The hooks from that one on.
    Hooks(usize),
    Hooked,
    Numbers,
    Commit,
    TellCooldown,
    TellStarted,
    After,
    Started,
    /// The adapter holds a duplicate that has no run.
    Release(Refusal),
    TellRefused(Refusal),
    Refused(Refusal),
}

impl StartStage {
    /// Its number; `None` for what comes of a refusal.
    fn step(self) -> Option<u8> {
        Some(match self {
            Self::Check => 1,
            Self::Prepare => 2,
            Self::Tokens => 3,
            Self::Interrupt | Self::InterruptAction => 4,
            Self::Begin => 5,
            Self::Veto | Self::Hooks(_) | Self::Hooked => 6,
            Self::Numbers | Self::Commit => 7,
            Self::TellCooldown | Self::TellStarted => 9,
            Self::After | Self::Started => 10,
            Self::Release(_) | Self::TellRefused(_) | Self::Refused(_) => return None,
        })
    }
}

/// A start, S1 to S10.
#[derive(Debug)]
pub(super) struct StartFrame {
    id: RunId,
    request: StartRequest,
    origin: Origin,
    stage: StartStage,
    cooldown: f64,
    told: bool,
    /// A hook said no.
    refused: bool,
    /// Names the context that the start came with.
    context: ContextKey,
    /// Context seed of the decision that chose it.
    seed: Option<u64>,
    /// It takes the place of a run of the same action.
    restart: bool,
    /// The numbered step that it is at.
    step: u8,
}

impl StartFrame {
    /// A start that a script asked for, with the id that was reserved for it.
    pub fn forced(id: RunId, request: StartRequest) -> Self {
        let stage = StartStage::Check;
        Self {
            id,
            request,
            context: id,
            origin: Origin::Forced,
            stage,
            cooldown: 0.0,
            told: false,
            refused: false,
            seed: None,
            restart: false,
            step: 1,
        }
    }

    /// The start of what an evaluation chose.
    pub fn scored(id: RunId, request: StartRequest, seed: u64, restart: bool) -> Self {
        Self { origin: Origin::Scored, seed: Some(seed), restart, ..Self::forced(id, request) }
    }

    /// The start of what is done when nothing is valid.
    pub fn fallback(id: RunId, request: StartRequest, seed: u64) -> Self {
        Self { origin: Origin::Fallback, seed: Some(seed), ..Self::forced(id, request) }
    }

    /// The same with a context that the adapter keeps under another name than that of the run.
    pub fn with_context(self, context: ContextKey) -> Self {
        Self { context, ..self }
    }

    pub fn poll(&mut self, evaluator: &mut Evaluator) -> Flow {
        self.step = self.stage.step().unwrap_or(self.step);
        match self.stage {
            StartStage::Check => self.check(evaluator),
            StartStage::Prepare => self.prepare(evaluator),
            StartStage::Tokens => self.take_tokens(evaluator),
            StartStage::Interrupt => self.interrupt(evaluator),
            StartStage::InterruptAction => self.interrupt_action(evaluator),
            StartStage::Begin => self.begin(evaluator),
            StartStage::Veto => self.veto(evaluator, StartStage::Hooks(0)),
            StartStage::Hooks(from) => self.call_hooks(evaluator, from),
            StartStage::Hooked => self.veto(evaluator, StartStage::Numbers),
            StartStage::Numbers => {
                self.stage = StartStage::Commit;
                evaluator.numbers(self.id).map_or(Flow::Again, Flow::Call)
            }
            StartStage::Commit => self.commit(evaluator),
            StartStage::TellCooldown => self.tell_cooldown(evaluator),
            StartStage::TellStarted => self.tell_started(evaluator),
            StartStage::After => self.after(evaluator),
            StartStage::Started => self.over(evaluator, Outcome::Started(self.id)),
            StartStage::Release(refusal) => {
                self.ask(StartStage::TellRefused(refusal), Question::Release(self.id))
            }
            // Of an event only the last word is told, when nothing came of it.
            StartStage::TellRefused(refusal) if self.answers_event(evaluator) => {
                self.go(StartStage::Refused(refusal))
            }
            StartStage::TellRefused(refusal) => {
                evaluator.refused_step = self.step;
                let event = Event::StartRefused(self.request.action, refusal, self.id);
                self.ask(StartStage::Refused(refusal), Question::Tell(event))
            }
            StartStage::Refused(refusal) => {
                evaluator.starting = None;
                evaluator.note_start(self.origin, self.request.action, None, refusal);
                self.over(evaluator, Outcome::Refused(refusal))
            }
        }
    }

    pub fn answer(&mut self, evaluator: &mut Evaluator, answer: Answer) {
        match answer {
            Answer::Prepared { ok: false, .. } | Answer::Begun { ok: false, .. } => {
                self.stage = StartStage::Release(Refusal::BeginFailed);
            }
            Answer::Bool(false) if matches!(self.stage, StartStage::Hooks(_)) => self.refused = true,
            // A forced run goes on without them.
            Answer::Bool(false)
                if matches!(self.stage, StartStage::Interrupt)
                    && (self.origin != Origin::Forced || self.request.respect_gates) =>
            {
                self.stage = StartStage::Release(Refusal::NoToken);
            }
            Answer::Prepared { target, .. } => {
                if let Some(run) = &mut evaluator.starting {
                    run.target = target;
                }
            }
            Answer::Begun { timeout, instant, ticks, .. } => {
                let hard = evaluator.settings.hard_timeout;
                if let Some(run) = &mut evaluator.starting {
                    run.timeout = wanted_timeout(timeout, hard);
                    run.instant = instant;
                    run.ticks = ticks;
                }
            }
            _ => {}
        }
    }

    /// The gates of a start that respects them; the end of what ran before says nothing.
    pub fn child(&mut self, outcome: Outcome) {
        if let Outcome::Gates(refusal, _) = outcome
            && refusal != Refusal::None
        {
            self.stage = StartStage::TellRefused(refusal);
        }
    }

    fn go(&mut self, stage: StartStage) -> Flow {
        self.stage = stage;
        Flow::Again
    }

    fn ask(&mut self, stage: StartStage, question: Question) -> Flow {
        self.stage = stage;
        Flow::Ask(question)
    }

    /// A forced start is a decision of its own; one that was chosen is part of its evaluation's.
    fn over(&mut self, evaluator: &mut Evaluator, outcome: Outcome) -> Flow {
        let tell = self.origin == Origin::Forced && evaluator.is_recording();
        if tell && !std::mem::replace(&mut self.told, true) {
            evaluator.remember_decision();
            return Flow::Ask(Question::Tell(Event::DecisionMade));
        }
        Flow::Done(outcome)
    }

    fn refuse(&mut self, refusal: Refusal) -> Flow {
        self.go(StartStage::TellRefused(refusal))
    }

    /// S1.
    fn check(&mut self, evaluator: &mut Evaluator) -> Flow {
        let listed =
            self.request.action.and_then(|action| evaluator.entry(action).map(|entry| (action, entry)));
        let Some((action, entry)) = listed else {
            return self.refuse(Refusal::UnknownAction);
        };
        if !entry.plan.has_method {
            return self.refuse(Refusal::NoMethod);
        }
        let plan = entry.plan.clone();
        evaluator.starting = Some(Run::new(self.id, action, plan));
        self.stage = StartStage::Prepare;
        if !self.request.respect_gates {
            return Flow::Again;
        }
        Flow::Call(evaluator.new_evaluation(Purpose::Gates(action), self.request.target))
    }

    /// S2.
    fn prepare(&mut self, evaluator: &mut Evaluator) -> Flow {
        if vetoed(evaluator) {
            return self.refuse(Refusal::HookVeto);
        }
        let running = evaluator.run.as_ref().filter(|_| self.request.respect_gates);
        if let (Some(run), Some(starting)) = (running, &evaluator.starting)
            && let Err(refusal) = Held::of(run, &evaluator.settings).admits(&starting.plan, Standing::Rival)
        {
            return self.refuse(refusal);
        }
        // The gates may have run scripts that changed the list.
        let index = self.request.action.and_then(|action| evaluator.memory.record(action).index);
        let Some(index) = index else {
            return self.refuse(Refusal::UnknownAction);
        };
        let list = evaluator.list_version;
        let prepare =
            Prepare { run: self.id, list, index, target: self.request.target, context: self.context };
        self.ask(StartStage::Tokens, Question::Prepare(prepare))
    }

    /// S3, all of them or none.
    fn take_tokens(&mut self, evaluator: &Evaluator) -> Flow {
        if vetoed(evaluator) {
            return self.go(StartStage::Release(Refusal::HookVeto));
        }
        let takes = evaluator.starting.as_ref().is_some_and(|run| run.plan.takes_tokens());
        if takes {
            return self.ask(StartStage::Interrupt, Question::TakeTokens(self.id));
        }
        self.go(StartStage::Interrupt)
    }

    /// S4 ends what runs.
    fn interrupt(&mut self, evaluator: &mut Evaluator) -> Flow {
        if vetoed(evaluator) {
            return self.go(StartStage::Release(Refusal::HookVeto));
        }
        self.stage = StartStage::InterruptAction;
        match &evaluator.run {
            Some(run) if self.restart => Flow::Call(Frame::End(EndFrame::restart(run.id))),
            Some(run) => Flow::Call(Frame::End(EndFrame::new(run.id, EndReason::Interrupted))),
            None => Flow::Again,
        }
    }

    /// S4 of a reaction: the agent's action ends too.
    fn interrupt_action(&mut self, evaluator: &Evaluator) -> Flow {
        self.stage = StartStage::Begin;
        let reaction = evaluator.starting.as_ref().and_then(|run| run.plan.reaction.as_ref());
        let interrupts = reaction.is_some_and(|reaction| reaction.interrupts_action) && !vetoed(evaluator);
        if interrupts { Flow::Ask(Question::InterruptAction(self.id)) } else { Flow::Again }
    }

    fn answers_event(&self, evaluator: &Evaluator) -> bool {
        evaluator.reacting.is_some() && self.origin == Origin::Scored
    }

    /// S5.
    fn begin(&mut self, evaluator: &mut Evaluator) -> Flow {
        if vetoed(evaluator) {
            return self.go(StartStage::Release(Refusal::HookVeto));
        }
        self.ask(StartStage::Veto, Question::Begin(self.id))
    }

    /// S6. Both hooks are called, whatever the first one says.
    fn call_hooks(&mut self, evaluator: &Evaluator, mut from: usize) -> Flow {
        let hooks = evaluator.starting.as_ref().map(|run| run.hooks).unwrap_or_default();
        match HookMoment::Before.next_call(self.id, &hooks, &mut from) {
            Some(question) => self.ask(StartStage::Hooks(from), question),
            None => self.go(StartStage::Hooked),
        }
    }

    /// An abort that was asked for since S5 is a veto too.
    fn veto(&mut self, evaluator: &Evaluator, next: StartStage) -> Flow {
        if self.refused || vetoed(evaluator) {
            let undo = Question::Abort(self.id, EndReason::Cancelled);
            return self.ask(StartStage::Release(Refusal::HookVeto), undo);
        }
        self.go(next)
    }

    /// S7, then S8.
    fn commit(&mut self, evaluator: &mut Evaluator) -> Flow {
        let Some(mut run) = evaluator.starting.take() else {
            return Flow::Done(Outcome::None);
        };
        run.step = evaluator.steps;
        run.tagged = !run.plan.add_tags.ids().is_empty();
        run.origin = self.origin;
        if let Some(entry) = evaluator.entry(run.action) {
            let seed = self.seed.unwrap_or_else(|| evaluator.memory.context_seed());
            let pass = evaluation::pass(evaluator, &evaluator.list, None, seed);
            run.frozen = score::frozen(&pass, entry, run.target);
        }
        evaluator.memory.commit(run.action, run.id, &evaluator.settings);
        let scale = evaluator.settings.cooldown_scale;
        if !run.plan.cooldown.on_end {
            self.cooldown = evaluator.memory.stamp(run.action, &run.plan, scale);
        }
        run.commitment = run
            .plan
            .bindings
            .iter()
            .any(|one| one.number == BoundNumber::CommitmentTime)
            .then(|| evaluator.memory.number(run.action, &run.plan, BoundNumber::CommitmentTime));
        if self.origin == Origin::Scored {
            evaluator.nothing_valid = false;
        }
        self.stage = StartStage::TellCooldown;
        // A script may have replaced the list since S2.
        evaluator.stale_run |= evaluator.loses(&run, false);
        let tagged = run.tagged;
        evaluator.run = Some(run);
        if tagged { Flow::Ask(Question::AddTags(self.id)) } else { Flow::Again }
    }

    /// S9.
    fn tell_cooldown(&mut self, evaluator: &Evaluator) -> Flow {
        self.stage = StartStage::TellStarted;
        match &evaluator.run {
            Some(run) if self.cooldown > 0.0 => {
                Flow::Ask(Question::Tell(Event::CooldownStarted(run.action, self.cooldown)))
            }
            _ => Flow::Again,
        }
    }

    fn tell_started(&mut self, evaluator: &mut Evaluator) -> Flow {
        let Some(run) = &mut evaluator.run else {
            return Flow::Done(Outcome::None);
        };
        run.announced = true;
        let event = Event::Started(run.action, run.target, run.id);
        evaluator.note_start(self.origin, self.request.action, Some(self.id), Refusal::None);
        self.ask(StartStage::After, Question::Tell(event))
    }

    /// S10, and an abort that was asked for since S7.
    fn after(&mut self, evaluator: &mut Evaluator) -> Flow {
        self.stage = StartStage::Started;
        let started = evaluator.is_active();
        let Some(run) = evaluator.run.as_mut().filter(|run| run.id == self.id) else {
            return Flow::Again;
        };
        run.phase = Phase::Running;
        let stopped = (!started).then_some(EndReason::Cancelled);
        let instant = run.instant.then_some(EndReason::Completed);
        match instant.or(run.abort.take()).or(stopped) {
            Some(reason) => Flow::Call(Frame::End(EndFrame::new(self.id, reason))),
            None => Flow::Again,
        }
    }
}

/// The method's own time-out, or the hard one.
pub(super) fn wanted_timeout(own: f64, hard: f64) -> f64 {
    if own.is_finite() && own > 0.0 { own } else { hard }
}

/// A script stopped the evaluator or asked for an abort while a start was going on.
fn vetoed(evaluator: &Evaluator) -> bool {
    !evaluator.is_active() || evaluator.starting.as_ref().is_none_or(|run| run.abort.is_some())
}
