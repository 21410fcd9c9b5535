//! One ability, compiled, and why it may not start.

use crate::tags::{TagId, TagSet};

/// What the definition of an ability says.
#[derive(Clone, Debug, Default)]
pub struct AbilityPlan {
    /// What it is found by.
    pub tags: TagSet,
    /// Events that start it.
    pub triggers: Vec<TagId>,
    /// The agent must own all of them.
    pub required: Vec<TagId>,
    /// The agent must own none of them.
    pub blocked: Vec<TagId>,
    /// Active abilities that carry one of them end when this one starts.
    pub cancels: Vec<TagId>,
    /// On the agent while it is active, each once.
    pub granted: Vec<TagId>,
    /// Seconds from the start.
    pub cooldown: f64,
    /// Starting it while it is active ends and restarts it.
    pub retrigger: bool,
    /// Its script wants a call in each step.
    pub ticks: bool,
}

/// Why an ability did not start. The integers are the `ABILITY_*` constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum AbilityRefusal {
    /// Not granted, or not any more.
    Unknown = 1,
    /// It runs, or it is about to.
    AlreadyActive = 2,
    /// Its cooldown runs.
    Cooldown = 3,
    /// A required tag is missing.
    RequiredTags = 4,
    /// A blocking tag is there.
    BlockedTags = 5,
    /// Its script said no.
    Script = 6,
}

impl AbilityRefusal {
    /// The integer of the `ABILITY_*` constant.
    pub fn code(self) -> i64 {
        self as i64
    }
}

impl AbilityPlan {
    /// Whether the tags of the agent let it start.
    pub(super) fn check_tags(&self, owned: &TagSet) -> Result<(), AbilityRefusal> {
        if !self.required.iter().all(|tag| owned.matches(*tag)) {
            return Err(AbilityRefusal::RequiredTags);
        }
        if owned.matches_any(&self.blocked) {
            return Err(AbilityRefusal::BlockedTags);
        }
        Ok(())
    }
}
