//! The order of a start.

use std::collections::VecDeque;

use super::AbilityRefusal;
use super::state::{Abilities, Activation, Step};
use crate::action::EndReason;

/// A start that is under way.
#[derive(Clone, Debug)]
pub(super) struct Start {
    handle: i64,
    frame: u64,
    stage: Stage,
    /// Activations that have to end first.
    ends: VecDeque<i64>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Receive,
    Ask,
    Asked(bool),
    EndOthers,
    Announce(i64),
    Run(i64),
    Over,
}

impl Start {
    pub(super) fn new(handle: i64, frame: u64) -> Self {
        Self { handle, frame, stage: Stage::Receive, ends: VecDeque::new() }
    }

    pub(super) fn answer(&mut self, yes: bool) {
        if let Stage::Asked(answer) = &mut self.stage {
            *answer = yes;
        }
    }

    pub(super) fn next(&mut self, all: &mut Abilities) -> Option<Step> {
        let handle = self.handle;
        match self.stage {
            Stage::Receive => self.go_on(all, Stage::Ask, Step::Receive(handle)),
            Stage::Ask => self.go_on(all, Stage::Asked(false), Step::Ask(handle)),
            Stage::Asked(false) => self.refuse(all, AbilityRefusal::Script),
            Stage::Asked(true) => {
                self.ends = in_the_way(all, handle);
                self.stage = Stage::EndOthers;
                self.end_others(all)
            }
            Stage::EndOthers => self.end_others(all),
            Stage::Announce(activation) => {
                self.stage = Stage::Run(activation);
                let active = all.grant_mut(handle)?.active.as_mut()?;
                active.announced = true;
                Some(Step::Announce(Activation { handle, id: activation }))
            }
            Stage::Run(activation) => {
                self.stage = Stage::Over;
                let active = all.grant_mut(handle)?.active.filter(|active| active.id == activation)?;
                Some(match active.pending {
                    Some((reason, _)) => Step::End(activation, reason),
                    None => Step::Run(Activation { handle, id: activation }),
                })
            }
            Stage::Over => None,
        }
    }

    /// The next step, if scripts did not take the ability away meanwhile.
    fn go_on(&mut self, all: &mut Abilities, stage: Stage, step: Step) -> Option<Step> {
        if !all.is_granted(self.handle) || all.is_closed() {
            return self.refuse(all, AbilityRefusal::Unknown);
        }
        self.stage = stage;
        Some(step)
    }

    fn end_others(&mut self, all: &mut Abilities) -> Option<Step> {
        while let Some(activation) = self.ends.pop_front() {
            if all.elapsed(activation).is_some() {
                return Some(Step::End(activation, EndReason::Interrupted));
            }
        }
        let committed = if all.is_closed() { None } else { all.commit(self.handle, self.frame) };
        let Some(activation) = committed else { return self.refuse(all, AbilityRefusal::Unknown) };
        self.stage = Stage::Announce(activation);
        Some(Step::Take(Activation { handle: self.handle, id: activation }))
    }

    fn refuse(&mut self, all: &mut Abilities, refusal: AbilityRefusal) -> Option<Step> {
        self.stage = Stage::Over;
        if let Some(grant) = all.grant_mut(self.handle) {
            grant.starting = false;
        }
        Some(Step::Refused(self.handle, refusal))
    }
}

/// What ends before an ability starts: itself, if it runs, then those that it cancels, in grant order.
fn in_the_way(all: &Abilities, handle: i64) -> VecDeque<i64> {
    let Some(own) = all.grant_of(handle) else { return VecDeque::new() };
    let mut ends: VecDeque<i64> = own.active.iter().map(|active| active.id).collect();
    for other in all.grants.iter().filter(|other| other.handle != handle) {
        let active = other.active.filter(|_| other.plan.tags.matches_any(&own.plan.cancels));
        ends.extend(active.map(|active| active.id));
    }
    ends
}
