//! Gates of an action: what they ask, and what they say where that takes no script.

use std::sync::Arc;

use super::plan::{ActionPlan, TagQueries};
use super::readings::{Limits, Readings};
use super::snapshot::Snapshot;
use super::targets::Seen;
use crate::tags::{TagId, TagSet};

/// Whose tags a gate looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagsOf {
    /// The agent's.
    #[default]
    Agent,
    /// The target's; without a target the gate passes.
    Target,
    /// Those of the world.
    World,
}

/// What a gate asks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GateKind {
    /// Tags that must be there, and tags that must not.
    Tags {
        /// Whose.
        of: TagsOf,
        /// All must match.
        required: TagQueries,
        /// None may match.
        blocked: TagQueries,
    },
    /// Combat tokens on the target; vetoes without one. They are held while the action runs.
    Tokens {
        /// Which ones.
        tag: TagId,
        /// How many.
        cost: u32,
    },
    /// A number that was read has to be within limits. It passes where the number is missing.
    Reading(Limits),
    /// A script that overrides the gate's virtual.
    Script {
        /// Its place in the action's script table.
        slot: usize,
    },
}

/// One gate of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct GatePlan {
    /// What it asks.
    pub kind: GateKind,
    /// Display name, the detail of a refusal.
    pub label: Arc<str>,
}

impl GatePlan {
    /// True passes; `None` for a script.
    fn passes(&self, plan: &ActionPlan, snapshot: &Snapshot, seen: &Seen) -> Option<bool> {
        let passes = match &self.kind {
            GateKind::Tags { of, required, blocked } => {
                let target = seen.view(snapshot);
                let tags = match of {
                    TagsOf::Agent => Some(snapshot.tags),
                    TagsOf::Target => target.map(|view| view.tags),
                    TagsOf::World => Some(snapshot.world),
                };
                let open = |tags: &TagSet| {
                    let has = |tag: &TagId| tags.matches(*tag);
                    required.ids().iter().all(has) && !blocked.ids().iter().any(has)
                };
                tags.is_none_or(open)
            }
            GateKind::Tokens { tag, .. } => {
                let view = seen.view(snapshot);
                view.is_some_and(|view| view.free_tokens(*tag) >= u64::from(plan.token_cost(*tag)))
            }
            GateKind::Reading(limits) => {
                let target = seen.view(snapshot).map(|view| view.readings);
                Readings { own: snapshot.readings, target }.within(limits)
            }
            GateKind::Script { .. } => return None,
        };
        Some(passes)
    }

    /// The place of a script in the script table.
    pub(super) fn slot(&self) -> Option<usize> {
        match self.kind {
            GateKind::Script { slot } => Some(slot),
            GateKind::Tags { .. } | GateKind::Tokens { .. } | GateKind::Reading(_) => None,
        }
    }
}

/// The first gate that says no by itself, and whether a script stands before it.
pub(super) fn first_veto(plan: &ActionPlan, snapshot: &Snapshot, seen: &Seen) -> Option<(usize, bool)> {
    let mut scripted = false;
    for (at, gate) in plan.gates.iter().enumerate() {
        match gate.passes(plan, snapshot, seen) {
            Some(false) => return Some((at, scripted)),
            Some(true) => {}
            None => scripted = true,
        }
    }
    None
}

impl ActionPlan {
    /// The combat tokens that a run takes: each tag once, with the costs of all gates on it.
    pub fn tokens(&self) -> Vec<(TagId, u32)> {
        let mut wanted: Vec<(TagId, u32)> = Vec::new();
        for gate in &self.gates {
            if let GateKind::Tokens { tag, .. } = gate.kind
                && !wanted.iter().any(|(known, _)| *known == tag)
            {
                wanted.push((tag, self.token_cost(tag)));
            }
        }
        wanted
    }

    /// A run takes combat tokens.
    pub fn takes_tokens(&self) -> bool {
        self.gates.iter().any(|gate| matches!(gate.kind, GateKind::Tokens { .. }))
    }

    /// Costs of several gates on one tag add up.
    fn token_cost(&self, wanted: TagId) -> u32 {
        let cost = |gate: &GatePlan| match gate.kind {
            GateKind::Tokens { tag, cost } if tag == wanted => cost,
            _ => 0,
        };
        self.gates.iter().map(cost).fold(0, u32::saturating_add)
    }
}
