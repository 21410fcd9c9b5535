//! Ends of runs: the numbered steps, in their order, exactly one end per start.

use super::machine::{Flow, Frame, Outcome};
use super::run::Phase;
use super::step::ListFrame;
use super::{BoundNumber, EndReason, Evaluator, Event, HookMoment, Question, RunId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndStage {
    Abort,
    Tags,
    Tokens,
    Hooks,
    Numbers,
    Settle,
    Forget,
    Tell,
    Over,
}

/// An end, E1 to E8.
#[derive(Debug)]
pub(super) struct EndFrame {
    run: RunId,
    reason: EndReason,
    stage: EndStage,
    /// No call into the method: it is on the stack, and its agent is going.
    mute: bool,
    /// The same action begins anew: neither recovery nor refund.
    restart: bool,
    /// What is told when the run is forgotten, in this order.
    told: [Option<Event>; 3],
}

impl EndFrame {
    pub fn new(run: RunId, reason: EndReason) -> Self {
        Self { run, reason, stage: EndStage::Abort, mute: false, restart: false, told: [None; 3] }
    }

    /// The end of a run whose action begins anew on another target.
    pub fn restart(run: RunId) -> Self {
        Self { restart: true, ..Self::new(run, EndReason::Interrupted) }
    }

    /// The end of a run whose evaluator leaves the tree.
    pub fn teardown(run: RunId, mute: bool) -> Self {
        Self { mute, ..Self::new(run, EndReason::Cancelled) }
    }

    /// The rest of an end that was cut off by the evaluator leaving the tree.
    pub fn rest(run: RunId, reason: EndReason) -> Self {
        Self { stage: EndStage::Tags, ..Self::new(run, reason) }
    }

    /// Only the listeners are left to hear of it.
    pub fn was_told(&self) -> bool {
        self.stage == EndStage::Over
    }

    pub fn poll(&mut self, evaluator: &mut Evaluator) -> Flow {
        let tearing_down = evaluator.away;
        let Some(run) = evaluator.run.as_mut().filter(|run| run.id == self.run) else {
            return self.poll_forgotten();
        };
        match self.stage {
            EndStage::Abort => {
                if run.phase == Phase::Ending {
                    return Flow::Done(Outcome::None);
                }
                // E1 and E2.
                run.phase = Phase::Ending;
                run.ending = Some(self.reason);
                self.stage = EndStage::Tags;
                let own = run.result.is_some() || run.instant || self.mute;
                if own { Flow::Again } else { Flow::Ask(Question::Abort(self.run, self.reason)) }
            }
            // E3.
            EndStage::Tags => {
                self.stage = EndStage::Tokens;
                let tagged = std::mem::take(&mut run.tagged);
                if tagged { Flow::Ask(Question::RemoveTags(self.run)) } else { Flow::Again }
            }
            // E4.
            EndStage::Tokens => {
                self.stage = EndStage::Hooks;
                let takes = run.plan.takes_tokens();
                if takes { Flow::Ask(Question::ReleaseTokens(self.run)) } else { Flow::Again }
            }
            // E5.
            EndStage::Hooks => {
                let moment = HookMoment::After { reason: self.reason, tearing_down };
                if let Some(question) = moment.next_call(run.id, &run.hooks, &mut run.hooked_ends) {
                    return Flow::Ask(question);
                }
                self.stage = EndStage::Numbers;
                Flow::Again
            }
            // E6.
            EndStage::Numbers => {
                self.stage = EndStage::Settle;
                evaluator.numbers(self.run).map_or(Flow::Again, Flow::Call)
            }
            EndStage::Settle => {
                self.stage = EndStage::Forget;
                self.settle(evaluator);
                Flow::Again
            }
            // E7.
            EndStage::Forget => {
                self.stage = EndStage::Tell;
                self.told[0] = run.announced.then_some(Event::Ended(run.action, self.reason, run.id));
                evaluator.ended_after = run.elapsed;
                evaluator.run = None;
                // What the list lost is gone; the next run is none of that.
                evaluator.stale_run = false;
                evaluator.ended_in_step = true;
                Flow::Ask(Question::Release(self.run))
            }
            EndStage::Tell | EndStage::Over => Flow::Done(Outcome::None),
        }
    }

    /// E8: the run is history.
    fn poll_forgotten(&mut self) -> Flow {
        let ours = matches!(self.stage, EndStage::Tell | EndStage::Over);
        self.stage = EndStage::Over;
        match self.told.iter_mut().find_map(Option::take).filter(|_| ours) {
            Some(event) => Flow::Ask(Question::Tell(event)),
            None => Flow::Done(Outcome::None),
        }
    }

    /// Refund or cooldown, recovery, chain windows.
    fn settle(&mut self, evaluator: &mut Evaluator) {
        let Some(run) = &evaluator.run else { return };
        let (action, plan, requested) = (run.action, run.plan.clone(), run.requested_recovery);
        let (memory, settings) = (&mut evaluator.memory, &evaluator.settings);
        memory.finish(&plan, action, run.id, self.reason, !self.restart);
        if plan.cooldown.on_end {
            let reason = if self.restart { EndReason::Completed } else { self.reason };
            let seconds = memory.stamp_end(action, &plan, reason, settings.cooldown_scale);
            self.told[1] = (seconds > 0.0).then_some(Event::CooldownStarted(action, seconds));
        }
        if self.restart {
            return;
        }
        if evaluator.reacting.is_some() {
            let seconds = evaluator.recovery_of_reaction(run, self.reason);
            self.told[2] = (seconds > 0.0).then_some(Event::RecoveryAdded(seconds));
            return;
        }
        let own = plan.recovery.map(|_| memory.number(action, &plan, BoundNumber::RecoveryTime));
        let seconds = memory.recovery_after(action, self.reason, own, requested, settings);
        self.told[2] = memory.rest(seconds).then_some(Event::RecoveryStarted(seconds));
    }
}

impl Evaluator {
    /// A start that the evaluation or a script wants, with the next run id.
    pub(super) fn reserve_run(&mut self) -> RunId {
        self.next_run += 1;
        self.next_run
    }

    /// Records what the method said about its run; performed at the next step. Only the first time counts.
    ///
    /// False if there is no such run or it has a result or an end already.
    pub fn record_result(&mut self, id: RunId, reason: EndReason) -> bool {
        let run = [self.starting.as_mut(), self.run.as_mut()].into_iter().flatten().find(|run| run.id == id);
        match run.filter(|run| run.result.is_none() && run.phase != Phase::Ending) {
            Some(run) => {
                run.result = Some(reason);
                true
            }
            None => false,
        }
    }

    /// The method's time is over: the run ends as timed out in this step, and the method undoes what it began.
    ///
    /// False if there is no such run, or it has a result already.
    pub fn time_out(&mut self, id: RunId) -> bool {
        let ours = self.run.as_ref().is_some_and(|run| run.id == id && run.result.is_none());
        ours && self.end_running(EndReason::TimedOut)
    }

    /// The run whose method is asked something that is not a question of the core, for as long as it is: if the evaluator
    /// leaves the tree meanwhile, the method hears no more. What it was before.
    pub fn set_calling(&mut self, run: Option<RunId>) -> Option<RunId> {
        std::mem::replace(&mut self.calling, run)
    }

    /// Everything stops: the evaluator leaves the tree. Ends the run once; to be pumped like any call.
    pub fn teardown(&mut self) {
        let calling = |id| self.machine.is_calling(id) || self.calling == Some(id);
        let starting = self.starting.take().map(|run| run.id);
        let frame = self.run.as_ref().map(|run| match run.ending {
            Some(reason) => EndFrame::rest(run.id, reason),
            None => EndFrame::teardown(run.id, calling(run.id)),
        });
        self.away = true;
        self.schedule.leave_line();
        self.machine.kill_all();
        self.queue = None;
        self.forget_events();
        self.stale_run = false;
        if let Some(frame) = frame {
            self.machine.push(Frame::End(frame), true);
        }
        if let Some(id) = starting {
            self.machine.push(Frame::List(ListFrame::new(vec![Question::Release(id)])), true);
        }
    }

    /// Ends what runs. False if nothing does; a start in progress is vetoed.
    ///
    /// While the method's tick or a start is on the stack the end waits until that returns.
    pub fn abort(&mut self, reason: EndReason) -> bool {
        let vetoed = self.starting.as_mut().is_some_and(|run| run.want_end(reason));
        self.end_running(reason) || vetoed
    }

    /// Ends this run only.
    pub fn cancel(&mut self, id: RunId) -> bool {
        if let Some(starting) = self.starting.as_mut().filter(|run| run.id == id) {
            return starting.want_end(EndReason::Cancelled);
        }
        self.run.as_ref().is_some_and(|run| run.id == id) && self.end_running(EndReason::Cancelled)
    }

    fn end_running(&mut self, reason: EndReason) -> bool {
        let Some(run) = &mut self.run else {
            return false;
        };
        match run.phase {
            Phase::Ending => false,
            Phase::Running if !run.ticking => {
                let frame = Frame::End(EndFrame::new(run.id, reason));
                self.machine.push(frame, true);
                true
            }
            Phase::Starting | Phase::Running => run.want_end(reason),
        }
    }
}
