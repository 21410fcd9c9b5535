//! The order of an end, and how grants go.

use super::state::{Abilities, AbilityEnd, Activation, EndRequest, Grant, Job, Step};
use crate::action::EndReason;

/// An end that is under way.
#[derive(Clone, Debug)]
pub(super) struct End {
    handle: i64,
    activation: i64,
    how: AbilityEnd,
    stage: Stage,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Release,
    Finish,
    Tell,
    Settle,
    Forget,
    Over,
}

impl End {
    /// Nothing left to do.
    pub(super) fn over() -> Self {
        Self::of(0, Stage::Over)
    }

    fn of(handle: i64, stage: Stage) -> Self {
        Self {
            handle,
            activation: 0,
            how: AbilityEnd { reason: EndReason::Cancelled, revoked: false, steps: 0 },
            stage,
        }
    }

    pub(super) fn next(&mut self, all: &mut Abilities) -> Option<Step> {
        let Self { handle, activation, how, .. } = *self;
        let which = Activation { handle, id: activation };
        match self.stage {
            Stage::Release => self.then(Stage::Finish, Step::Release(which, how)),
            Stage::Finish => self.then(Stage::Tell, Step::Finish(which, how.reason)),
            Stage::Tell => self.then(Stage::Settle, Step::Ended(which, how.reason)),
            Stage::Settle => {
                let grant = all.grant_mut(handle)?;
                if grant.active.is_some() || grant.revoking {
                    return None;
                }
                grant.count -= grant.releases;
                grant.releases = 0;
                if grant.count > 0 {
                    return None;
                }
                grant.revoking = true;
                self.then(Stage::Forget, Step::Revoked(handle))
            }
            Stage::Forget => {
                all.grants.retain(|grant| grant.handle != handle);
                None
            }
            Stage::Over => None,
        }
    }

    fn then(&mut self, stage: Stage, step: Step) -> Option<Step> {
        self.stage = stage;
        Some(step)
    }
}

impl Abilities {
    /// Begins the end of an activation. From now on it does not run any more, and nothing else can end it.
    pub fn end(&mut self, activation: i64, reason: EndReason) -> EndRequest {
        self.end_because(activation, reason, false)
    }

    /// Takes one grant away; with the last one it goes, and what runs of it ends.
    pub fn revoke(&mut self, handle: i64) -> EndRequest {
        let Some(grant) = self.granted_mut(handle) else { return EndRequest::Unknown };
        grant.count -= 1;
        grant.releases = grant.releases.min(grant.count);
        if grant.count > 0 {
            return EndRequest::Kept;
        }
        match grant.active.map(|active| active.id) {
            Some(activation) => self.end_because(activation, EndReason::Cancelled, true),
            None => EndRequest::Job(self.add_job(Job::End(End::of(handle, Stage::Settle)))),
        }
    }

    /// Takes one grant away as soon as the ability does not run.
    pub fn release(&mut self, handle: i64) -> EndRequest {
        match self.granted_mut(handle) {
            Some(grant) if grant.active.is_some() => {
                grant.releases = grant.count.min(grant.releases + 1);
                EndRequest::Later
            }
            _ => self.revoke(handle),
        }
    }

    fn end_because(&mut self, activation: i64, reason: EndReason, revoked: bool) -> EndRequest {
        let running = |grant: &&mut Grant| grant.active.is_some_and(|active| active.id == activation);
        let Some(grant) = self.grants.iter_mut().find(running) else { return EndRequest::Unknown };
        if let Some(active) = grant.active.as_mut().filter(|active| !active.announced) {
            active.pending.get_or_insert((reason, revoked));
            return EndRequest::Later;
        }
        let steps = grant.active.map_or(0, |active| active.steps);
        let pending = grant.active.take().and_then(|active| active.pending);
        let how = AbilityEnd { reason, revoked: revoked || pending.is_some_and(|pending| pending.1), steps };
        let handle = grant.handle;
        EndRequest::Job(self.add_job(Job::End(End { handle, activation, how, stage: Stage::Release })))
    }
}
