//! What one agent was granted, and what of it runs.

use std::sync::Arc;

use super::ending::End;
use super::starting::Start;
use super::{AbilityPlan, AbilityRefusal};
use crate::action::EndReason;
use crate::tags::{TagId, TagSet};
use crate::time::TIME_TOLERANCE;

/// Names a start or an end that is being performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobId(u64);

/// One start of one ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The ability.
    pub handle: i64,
    /// Which start; numbers are never used again.
    pub id: i64,
}

/// How an activation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbilityEnd {
    /// Why.
    pub reason: EndReason,
    /// It was cancelled because the ability was taken away.
    pub revoked: bool,
    /// Steps that it had.
    pub steps: u32,
}

/// What the caller has to do next in a start or an end. Bare numbers are handles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Make the private copy, fill in its context and let its script receive it.
    Receive(i64),
    /// Ask its script whether it starts, and [`Abilities::answer`].
    Ask(i64),
    /// End another activation, by its id, with all steps of that.
    End(i64, EndReason),
    /// It is active: put its tags on the agent, take its guards.
    Take(Activation),
    /// Tell that it was activated.
    Announce(Activation),
    /// Let its script begin.
    Run(Activation),
    /// Tell that it did not start.
    Refused(i64, AbilityRefusal),
    /// It is not active any more: take its tags and guards back.
    Release(Activation, AbilityEnd),
    /// Let its script end.
    Finish(Activation, EndReason),
    /// Tell that it ended.
    Ended(Activation, EndReason),
    /// Tell that it is not granted any more.
    Revoked(i64),
}

/// The answer to a wish to start something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Perform this.
    Job(JobId),
    /// It may not; to be told.
    Refused(AbilityRefusal),
    /// Starts start each other without end.
    TooDeep,
}

/// The answer to a wish to end something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndRequest {
    /// There is nothing to end.
    Unknown,
    /// Only the count of its grants went down.
    Kept,
    /// It is done as soon as its start was told.
    Later,
    /// Perform this.
    Job(JobId),
}

/// Time left of a cooldown.
#[derive(Clone, Copy, Debug, Default)]
struct Cooldown {
    left: f64,
    /// The frame it began in does not count.
    since: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Grant {
    pub(super) handle: i64,
    pub(super) plan: Arc<AbilityPlan>,
    /// How often it was granted and not taken away; 0: it is going.
    pub(super) count: u32,
    /// Grants that go as soon as it does not run.
    pub(super) releases: u32,
    pub(super) active: Option<Active>,
    /// A start is under way that is not active yet.
    pub(super) starting: bool,
    /// It is being told that it is gone.
    pub(super) revoking: bool,
    cooldown: Cooldown,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub(super) id: i64,
    elapsed: f64,
    pub(super) steps: u32,
    /// The frame it began in does not count, so that the order of nodes does not matter.
    since: u64,
    /// Its start was told.
    pub(super) announced: bool,
    /// It is to end as soon as its start was told; true: because it was taken away.
    pub(super) pending: Option<(EndReason, bool)>,
}

/// Abilities of one agent, in the order in which they were granted.
#[derive(Clone, Debug, Default)]
pub struct Abilities {
    pub(super) grants: Vec<Grant>,
    jobs: Vec<(JobId, Job)>,
    last_handle: i64,
    last_activation: i64,
    last_job: u64,
    closed: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Job {
    Start(Start),
    End(End),
}

/// Handles or activations, in order.
pub type Grants = Vec<i64>;

/// Starts that may be under way in each other.
const DEEPEST: usize = 32;

impl Abilities {
    /// Nothing is granted.
    pub fn new() -> Self {
        Self::default()
    }

    /// Grants an ability that is not there yet; its handle.
    pub fn grant(&mut self, plan: Arc<AbilityPlan>) -> i64 {
        self.last_handle += 1;
        self.grants.push(Grant {
            handle: self.last_handle,
            plan,
            count: 1,
            releases: 0,
            active: None,
            starting: false,
            revoking: false,
            cooldown: Cooldown::default(),
        });
        self.last_handle
    }

    /// Grants once more what is there. False: it is not, or it is going.
    pub fn grant_again(&mut self, handle: i64) -> bool {
        let grant = self.granted_mut(handle);
        grant.map(|grant| grant.count = grant.count.saturating_add(1)).is_some()
    }

    /// The definition was edited.
    pub fn set_plan(&mut self, handle: i64, plan: Arc<AbilityPlan>) {
        if let Some(grant) = self.grant_mut(handle) {
            grant.plan = plan;
        }
    }

    /// Whether checks 1 to 5 let it start, in their order.
    pub fn check(&self, handle: i64, owned: &TagSet) -> Result<(), AbilityRefusal> {
        self.check_after(handle, owned, &[])
    }

    /// The same for the moment after these activations have ended.
    pub fn check_after(&self, handle: i64, owned: &TagSet, ending: &[i64]) -> Result<(), AbilityRefusal> {
        let grant = self.granted(handle).ok_or(AbilityRefusal::Unknown)?;
        let active = grant.active.as_ref().is_some_and(|active| !ending.contains(&active.id));
        // Until its start was told it cannot end, so it cannot make room either.
        let begins = grant.starting || grant.active.is_some_and(|active| !active.announced);
        if begins || active && !grant.plan.retrigger {
            return Err(AbilityRefusal::AlreadyActive);
        }
        if grant.cooldown.left > TIME_TOLERANCE {
            return Err(AbilityRefusal::Cooldown);
        }
        grant.plan.check_tags(owned)
    }

    /// Begins a start in this frame.
    pub fn start(&mut self, handle: i64, owned: &TagSet, frame: u64) -> Request {
        if self.closed {
            return Request::Refused(AbilityRefusal::Unknown);
        }
        if let Err(refusal) = self.check(handle, owned) {
            return Request::Refused(refusal);
        }
        let starts = self.jobs.iter().filter(|job| matches!(job.1, Job::Start(_))).count();
        if starts >= DEEPEST {
            return Request::TooDeep;
        }
        if let Some(grant) = self.grant_mut(handle) {
            grant.starting = true;
        }
        Request::Job(self.add_job(Job::Start(Start::new(handle, frame))))
    }

    /// The answer to [`Step::Ask`].
    pub fn answer(&mut self, job: JobId, yes: bool) {
        if let Some((_, Job::Start(start))) = self.jobs.iter_mut().find(|known| known.0 == job) {
            start.answer(yes);
        }
    }

    /// What to do next; `None`: the job is done.
    pub fn next(&mut self, job: JobId) -> Option<Step> {
        let at = self.jobs.iter().position(|known| known.0 == job)?;
        // Taken out meanwhile, so that it may change the rest.
        let mut taken = std::mem::replace(&mut self.jobs[at].1, Job::End(End::over()));
        let step = match &mut taken {
            Job::Start(start) => start.next(self),
            Job::End(end) => end.next(self),
        };
        match step {
            Some(step) => {
                self.jobs[at].1 = taken;
                Some(step)
            }
            None => {
                self.jobs.remove(at);
                None
            }
        }
    }

    /// Moves the time by `dt`, in this frame: the activations whose script is to be called, oldest first.
    pub fn advance(&mut self, dt: f64, frame: u64) -> Grants {
        let mut ticks = Grants::new();
        for grant in &mut self.grants {
            let cooldown = &mut grant.cooldown;
            if cooldown.left > 0.0 && cooldown.since != frame {
                let left = cooldown.left - dt;
                cooldown.left = if left > TIME_TOLERANCE { left } else { 0.0 };
            }
            if let Some(active) = grant.active.as_mut().filter(|active| active.since != frame) {
                active.elapsed += dt;
                active.steps = active.steps.saturating_add(1);
                if grant.plan.ticks {
                    ticks.push(active.id);
                }
            }
        }
        ticks.sort_unstable();
        ticks
    }

    /// False: time changes nothing.
    pub fn is_moving(&self) -> bool {
        self.grants.iter().any(|grant| grant.active.is_some() || grant.cooldown.left > 0.0)
    }

    /// The agent left the tree: what runs has to end, and nothing starts until [`Self::open`].
    pub fn close(&mut self) -> Grants {
        self.closed = true;
        self.activations(|_| true)
    }

    /// Ends that are under way, oldest first. Who leaves the tree in the middle of one performs what is left of it, as its
    /// caller may find nothing left to tell by.
    pub fn unfinished_ends(&self) -> Vec<JobId> {
        self.jobs.iter().filter(|job| matches!(job.1, Job::End(_))).map(|job| job.0).collect()
    }

    /// The agent is in the tree.
    pub fn open(&mut self) {
        self.closed = false;
    }

    /// True from [`Self::close`] to [`Self::open`].
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The granted abilities that are found by this tag.
    pub fn with_tag(&self, tag: TagId) -> Grants {
        self.handles(|grant| grant.plan.tags.matches(tag))
    }

    /// The granted abilities that this event starts: one of their triggers is the event, or above it.
    pub fn triggered_by(&self, event: &TagSet) -> Grants {
        self.handles(|grant| event.matches_any(&grant.plan.triggers))
    }

    /// The abilities that run.
    pub fn active_handles(&self) -> Grants {
        self.grants.iter().filter(|grant| grant.active.is_some()).map(|grant| grant.handle).collect()
    }

    /// The activations whose ability carries one of these tags; without tags all.
    pub fn activations_with(&self, tags: &[TagId]) -> Grants {
        self.activations(|plan| tags.is_empty() || plan.tags.matches_any(tags))
    }

    /// The activation of an ability that runs.
    pub fn activation(&self, handle: i64) -> Option<i64> {
        self.grant_of(handle)?.active.map(|active| active.id)
    }

    /// The activation that began last; 0: none has.
    pub fn last_activation(&self) -> i64 {
        self.last_activation
    }

    /// Seconds since the start of an activation; `None` if it does not run.
    pub fn elapsed(&self, activation: i64) -> Option<f64> {
        let found =
            self.grants.iter().find_map(|grant| grant.active.filter(|active| active.id == activation));
        found.map(|active| active.elapsed)
    }

    /// The tags that an ability puts on the agent.
    pub fn granted_tags(&self, handle: i64) -> Vec<TagId> {
        self.grant_of(handle).map(|grant| grant.plan.granted.clone()).unwrap_or_default()
    }

    /// Seconds left of the cooldown.
    pub fn cooldown(&self, handle: i64) -> f64 {
        self.grant_of(handle).map_or(0.0, |grant| grant.cooldown.left)
    }

    /// Sets the seconds left of the cooldown.
    pub fn set_cooldown(&mut self, handle: i64, left: f64) {
        if let Some(grant) = self.grant_mut(handle) {
            grant.cooldown = Cooldown { left, since: u64::MAX };
        }
    }

    /// True if it may be started, at some time.
    pub fn is_granted(&self, handle: i64) -> bool {
        self.granted(handle).is_some()
    }

    /// Makes an ability active.
    pub(super) fn commit(&mut self, handle: i64, frame: u64) -> Option<i64> {
        let id = self.last_activation + 1;
        let grant = self.granted_mut(handle)?;
        grant.starting = false;
        grant.active =
            Some(Active { id, elapsed: 0.0, steps: 0, since: frame, announced: false, pending: None });
        if grant.plan.cooldown > 0.0 {
            grant.cooldown = Cooldown { left: grant.plan.cooldown, since: frame };
        }
        self.last_activation = id;
        Some(id)
    }

    pub(super) fn add_job(&mut self, job: Job) -> JobId {
        self.last_job += 1;
        let id = JobId(self.last_job);
        self.jobs.push((id, job));
        id
    }

    pub(super) fn grant_mut(&mut self, handle: i64) -> Option<&mut Grant> {
        self.grants.iter_mut().find(|grant| grant.handle == handle)
    }

    pub(super) fn granted_mut(&mut self, handle: i64) -> Option<&mut Grant> {
        self.grant_mut(handle).filter(|grant| grant.count > 0)
    }

    pub(super) fn grant_of(&self, handle: i64) -> Option<&Grant> {
        self.grants.iter().find(|grant| grant.handle == handle)
    }

    pub(super) fn granted(&self, handle: i64) -> Option<&Grant> {
        self.grant_of(handle).filter(|grant| grant.count > 0)
    }

    fn handles(&self, wanted: impl Fn(&Grant) -> bool) -> Grants {
        let live = self.grants.iter().filter(|grant| grant.count > 0);
        live.filter(|grant| wanted(grant)).map(|grant| grant.handle).collect()
    }

    fn activations(&self, wanted: impl Fn(&AbilityPlan) -> bool) -> Grants {
        let wanted = self.grants.iter().filter(|grant| wanted(&grant.plan));
        wanted.filter_map(|grant| grant.active).map(|active| active.id).collect()
    }
}
