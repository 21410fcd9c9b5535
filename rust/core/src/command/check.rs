//! Whether an order fits its definition: the part that needs no script. First failing check wins.

use crate::tags::{TagId, TagSet, TagTable};

use super::Reason;
use super::check_shape::TargetType;

/// When the distance to the target counts. The integers are the `RANGE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum RangeRule {
    /// It never refuses; the execution reads it.
    #[default]
    Inform = 0,
    /// When the order is accepted.
    AtIssue = 1,
    /// When the order starts.
    AtStart = 2,
}

impl RangeRule {
    /// The rule of a `RANGE_*` constant.
    pub fn from_int(value: i64) -> Option<Self> {
        match value {
            0 => Some(Self::Inform),
            1 => Some(Self::AtIssue),
            2 => Some(Self::AtStart),
            _ => None,
        }
    }

    /// Whether the distance is tested at this moment.
    pub fn applies(self, moment: Moment) -> bool {
        match self {
            Self::Inform => false,
            Self::AtIssue => moment != Moment::Start,
            Self::AtStart => moment != Moment::Acceptance,
        }
    }
}

/// When an order is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// It is accepted, and others come first.
    Acceptance,
    /// It is accepted, and starts at once or takes the place of what runs.
    AcceptanceAndStart,
    /// It waited, and starts now.
    Start,
}

/// Distances in world units, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RangeLimits {
    /// Nearer is too close.
    pub min: f64,
    /// Further is too far; 0 is unlimited.
    pub max: f64,
}

/// What a definition, with one variant merged over it, asks of an order.
#[derive(Clone, Debug, Default)]
pub struct CheckPlan {
    /// The shape.
    pub target_type: TargetType,
    /// The agent may be its own target.
    pub allow_self: bool,
    /// Targets at the most.
    pub max_targets: usize,
    /// Each target is in one of the groups that the definition names.
    pub grouped: bool,
    /// The agent must own all of these.
    pub agent_required: Vec<TagId>,
    /// The agent must own none of these.
    pub agent_blocked: Vec<TagId>,
    /// Each target must own all of these.
    pub target_required: Vec<TagId>,
    /// Each target must own none of these.
    pub target_blocked: Vec<TagId>,
    /// How near, how far.
    pub range: RangeLimits,
    /// When that counts.
    pub range_rule: RangeRule,
}

/// Why a check failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The reason.
    pub reason: Reason,
    /// What it is about.
    pub detail: CheckDetail,
}

/// What a failure says beyond its reason.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CheckDetail {
    /// Nothing.
    #[default]
    None,
    /// The tag of the list that is missing or there.
    Tag(TagId),
    /// The distance, in world units.
    Distance(f64),
    /// How many there are, and how many may be.
    Count(usize, usize),
    /// Which of the targets.
    Target(usize),
    /// Which of the values.
    Member(&'static str),
}

impl Failure {
    pub(super) fn plain(reason: Reason) -> Self {
        Self { reason, detail: CheckDetail::None }
    }

    pub(super) fn of(reason: Reason, detail: CheckDetail) -> Self {
        Self { reason, detail }
    }
}

impl CheckDetail {
    /// As scripts and players read it; empty for nothing.
    pub fn text(self, table: &TagTable) -> String {
        match self {
            Self::None => String::new(),
            Self::Tag(tag) => table.name(tag).to_owned(),
            Self::Distance(distance) => distance_text(distance),
            Self::Count(given, most) => format!("{given} of {most}"),
            Self::Target(index) => format!("targets[{index}]"),
            Self::Member(name) => name.to_owned(),
        }
    }
}

/// Hundredths, without zeros at the end.
fn distance_text(distance: f64) -> String {
    let short = format!("{distance:.2}");
    let short = short.trim_end_matches('0').trim_end_matches('.');
    short.to_owned()
}

/// What the checks read of the world; asked in the order of the checks, and only what they need.
pub trait CheckWorld {
    /// The target is the agent itself.
    fn is_agent(&self, target: usize) -> bool;
    /// The target is in one of the groups that the definition names.
    fn is_in_group(&self, target: usize) -> bool;
    /// Reads the tags of the agent; empty ones if it has none.
    fn agent_tags(&self, read: &mut dyn FnMut(&TagSet));
    /// Reads the tags of a target.
    fn target_tags(&self, target: usize, read: &mut dyn FnMut(&TagSet));
    /// Centre to centre to the first target or to the location; none where one of the two has no position.
    fn distance(&self) -> Option<f64>;
}

/// The checks behind those of the shape and of lost targets. `targets` is how many there are.
pub fn check_world(
    plan: &CheckPlan,
    targets: usize,
    moment: Moment,
    world: &impl CheckWorld,
) -> Result<(), Failure> {
    if !plan.allow_self
        && let Some(own) = (0..targets).find(|target| world.is_agent(*target))
    {
        return Err(Failure::of(Reason::TargetIsSelf, CheckDetail::Target(own)));
    }
    if plan.grouped
        && let Some(stray) = (0..targets).find(|target| !world.is_in_group(*target))
    {
        return Err(Failure::of(Reason::TargetNotInGroup, CheckDetail::Target(stray)));
    }
    check_tags(plan, targets, world)?;
    let measured = matches!(plan.target_type, TargetType::Node | TargetType::Location);
    if measured && plan.range_rule.applies(moment) {
        check_range(plan.range, world.distance())?;
    }
    Ok(())
}

fn check_tags(plan: &CheckPlan, targets: usize, world: &impl CheckWorld) -> Result<(), Failure> {
    let mut found = Ok(());
    if !plan.agent_required.is_empty() || !plan.agent_blocked.is_empty() {
        world.agent_tags(&mut |tags| {
            found = required(&plan.agent_required, tags, Reason::AgentMissingTag)
                .and_then(|()| blocked(&plan.agent_blocked, tags, Reason::AgentBlockedTag));
        });
        found?;
    }
    // What one target lacks comes before what another one has too much.
    type Check = fn(&[TagId], &TagSet, Reason) -> Result<(), Failure>;
    let of_targets: [(Check, &[TagId], Reason); 2] = [
        (required, &plan.target_required, Reason::TargetMissingTag),
        (blocked, &plan.target_blocked, Reason::TargetBlockedTag),
    ];
    for (check, list, reason) in of_targets {
        for target in 0..if list.is_empty() { 0 } else { targets } {
            let mut found = Ok(());
            world.target_tags(target, &mut |tags| found = check(list, tags, reason.clone()));
            found?;
        }
    }
    Ok(())
}

/// All of the list are there, or a tag below each.
fn required(list: &[TagId], owned: &TagSet, reason: Reason) -> Result<(), Failure> {
    match list.iter().find(|tag| !owned.matches(**tag)) {
        Some(missing) => Err(Failure::of(reason, CheckDetail::Tag(*missing))),
        None => Ok(()),
    }
}

/// None of the list is there, nor a tag below one. Also what stops all orders of an agent.
pub fn blocked(list: &[TagId], owned: &TagSet, reason: Reason) -> Result<(), Failure> {
    match list.iter().find(|tag| owned.matches(**tag)) {
        Some(there) => Err(Failure::of(reason, CheckDetail::Tag(*there))),
        None => Ok(()),
    }
}

/// Whether a distance is within the limits.
pub fn check_range(range: RangeLimits, distance: Option<f64>) -> Result<(), Failure> {
    let Some(distance) = distance else { return Ok(()) };
    if distance < range.min {
        return Err(Failure::of(Reason::TooClose, CheckDetail::Distance(distance)));
    }
    if range.max > 0.0 && distance > range.max {
        return Err(Failure::of(Reason::TooFar, CheckDetail::Distance(distance)));
    }
    Ok(())
}
