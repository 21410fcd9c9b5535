//! Compiled actions: immutable values that all agents with the same resource share.
//!
//! A plan knows no engine object. What runs in a script is a *slot*: the index of the resource in a table that
//! the adapter keeps beside the plan, one table per action. The execution method stays with the adapter too;
//! the plan only knows whether there is a usable one.

use std::sync::{Arc, OnceLock};

use super::flat::FlatList;
use super::gates::{GateKind, GatePlan};
use super::list::{Entry, List, plan_base};
use super::targeting::{InterruptClass, LostPolicy, RetargetPolicy, TargetMode};
use super::{ActionRef, BindingPlan, RangeCurve, ReactionPlan, Share, Source};
use crate::random::hash;
use crate::tags::{TagId, TagTable};

/// The name of an action, with its hash for seeds and quick comparison.
#[derive(Clone, Debug, Eq)]
pub struct ActionId {
    name: Arc<str>,
    hash: u64,
}

impl ActionId {
    /// The id with this name.
    pub fn new(name: &str) -> Self {
        Self { name: Arc::from(name), hash: hash(name) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name, without a copy.
    pub fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }

    /// FNV-1a of the name.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

impl PartialEq for ActionId {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.name == other.name
    }
}

impl Default for ActionId {
    fn default() -> Self {
        Self::new("")
    }
}

/// Tags that are asked for, with their names for messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TagQueries {
    ids: Vec<TagId>,
    names: Vec<Arc<str>>,
}

impl TagQueries {
    /// The queries in the order given; names come from the table.
    pub fn new(table: &TagTable, ids: impl IntoIterator<Item = TagId>) -> Self {
        let ids: Vec<TagId> = ids.into_iter().collect();
        let names = ids.iter().map(|id| Arc::from(table.name(*id))).collect();
        Self { ids, names }
    }

    /// The tags, in the order given.
    pub fn ids(&self) -> &[TagId] {
        &self.ids
    }

    /// The name of query number `index`.
    pub fn name(&self, index: usize) -> &Arc<str> {
        &self.names[index]
    }

    /// The name of query number `index`, if there are so many.
    pub fn try_name(&self, index: usize) -> Option<&Arc<str>> {
        self.names.get(index)
    }
}

/// A factor for a tag that matches on agent, target or world.
#[derive(Clone, Debug, PartialEq)]
pub struct TagMultiplier {
    /// What is asked for.
    pub tag: TagId,
    /// Its name, for the breakdown.
    pub name: Arc<str>,
    /// The factor while it matches.
    pub multiplier: f64,
}

/// What a scorer looks at. A `range` of `None` has no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ScorerKind {
    /// Distance to the target; 0 without one.
    Distance {
        /// In metres, or in world units if `in_pixels`.
        range: Option<RangeCurve>,
        /// 2D only: the range is in pixels.
        in_pixels: bool,
    },
    /// Absolute angle to the target in degrees; 0 without one.
    Angle {
        /// In degrees, 0 facing, 180 behind.
        range: Option<RangeCurve>,
    },
    /// Fraction of full health.
    Health {
        /// Of 0 to 1.
        range: Option<RangeCurve>,
        /// Whose health.
        source: Source,
    },
    /// A number that was read: speed, a vital, an attribute. No effect where it is missing.
    Reading {
        /// Of the number, or of its share.
        range: Option<RangeCurve>,
        /// Which one; `None` has no effect either.
        share: Option<Share>,
    },
    /// A script that overrides the scorer's virtual.
    Script {
        /// Its place in the action's script table.
        slot: usize,
    },
}

/// One scorer of an action.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorerPlan {
    /// What it looks at.
    pub kind: ScorerKind,
    /// Display name for the breakdown.
    pub label: Arc<str>,
}

/// A follow-up that an action prefers.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainPlan {
    /// The follow-up.
    pub action: ActionId,
    /// The factor it gets.
    pub bonus: f64,
}

/// The delay between two uses of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CooldownPlan {
    /// Base delay in seconds.
    pub duration: f64,
    /// Blocks the action for this long at spawn.
    pub initial: f64,
    /// ± share of the duration, 0 to 1.
    pub randomization: f64,
    /// Share of the time left that is given back when the run is cut short, 0 to 1.
    pub interrupt_refund: f64,
    /// Chance to start on a rolled cooldown, 0 to 1.
    pub spawn_chance: f64,
    /// It begins when the run ends. Off: when the run begins.
    pub on_end: bool,
}

impl Default for CooldownPlan {
    fn default() -> Self {
        Self {
            duration: 0.0,
            initial: 0.0,
            randomization: 0.2,
            interrupt_refund: 0.0,
            spawn_chance: 0.0,
            on_end: false,
        }
    }
}

/// One compiled action. `Default` gives the defaults of a new `ActionSpec`.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionPlan {
    /// Unique in a set.
    pub id: ActionId,
    /// Off: never chosen.
    pub enabled: bool,
    /// There is an execution method and it says that its data is valid.
    pub has_method: bool,
    /// Base score.
    pub selection_weight: f64,
    /// Divides the score.
    pub risk_penalty: f64,
    /// In array order; scripted ones that override nothing are left out.
    pub scorers: Vec<ScorerPlan>,
    /// In array order; scripted ones that override nothing are left out.
    pub gates: Vec<GatePlan>,
    /// All must match on agent, target or world.
    pub requires_tags: TagQueries,
    /// None may match on agent, target or world.
    pub block_tags: TagQueries,
    /// Refused on a target that the agent does not see.
    pub require_line_of_sight: bool,
    /// In dictionary order.
    pub tag_multipliers: Vec<TagMultiplier>,
    /// Scales the novelty penalty; 0 exempts.
    pub novelty_weight: f64,
    /// Delay between uses.
    pub cooldown: CooldownPlan,
    /// Uses in a row; -1 is unlimited.
    pub max_consecutive_uses: i64,
    /// Preferred follow-ups.
    pub chain_links: Vec<ChainPlan>,
    /// Its own recovery after completion, in place of the config's.
    pub recovery: Option<f64>,
    /// It may be chosen while the agent recovers.
    pub ignore_recovery: bool,
    /// Numbers that follow attributes.
    pub bindings: Vec<BindingPlan>,
    /// It answers events.
    pub reaction: Option<ReactionPlan>,
    /// On the agent while the action runs.
    pub add_tags: TagQueries,
    /// Whom it is scored on.
    pub target_mode: TargetMode,
    /// Refused without a target.
    pub require_target: bool,
    /// What becomes of its run when another target is better.
    pub retarget_policy: RetargetPolicy,
    /// What becomes of its run when the target is gone.
    pub target_lost_policy: LostPolicy,
    /// What may break its run.
    pub interrupt_class: InterruptClass,
    /// Against what runs; no part of the score.
    pub priority: i64,
    /// Seconds for which its run is kept; negative: as the evaluator says.
    pub commitment_time: f64,
}

impl Default for ActionPlan {
    fn default() -> Self {
        Self {
            id: ActionId::default(),
            enabled: true,
            has_method: false,
            selection_weight: 1.0,
            risk_penalty: 1.0,
            scorers: Vec::new(),
            gates: Vec::new(),
            requires_tags: TagQueries::default(),
            block_tags: TagQueries::default(),
            require_line_of_sight: false,
            tag_multipliers: Vec::new(),
            novelty_weight: 1.0,
            cooldown: CooldownPlan::default(),
            max_consecutive_uses: -1,
            chain_links: Vec::new(),
            recovery: None,
            ignore_recovery: false,
            bindings: Vec::new(),
            reaction: None,
            add_tags: TagQueries::default(),
            target_mode: TargetMode::default(),
            require_target: false,
            retarget_policy: RetargetPolicy::default(),
            target_lost_policy: LostPolicy::default(),
            interrupt_class: InterruptClass::default(),
            priority: 0,
            commitment_time: -1.0,
        }
    }
}

impl ActionPlan {
    /// Some gate or scorer is a script, so a decision about this action asks questions.
    pub fn has_scripts(&self) -> bool {
        let scorer = |scorer: &ScorerPlan| matches!(scorer.kind, ScorerKind::Script { .. });
        let gate = |gate: &GatePlan| matches!(gate.kind, GateKind::Script { .. });
        self.scorers.iter().any(scorer) || self.gates.iter().any(gate)
    }

    /// An action with this id and all else at its default.
    pub fn named(id: &str) -> Self {
        Self { id: ActionId::new(id), ..Self::default() }
    }
}

/// A compiled list of actions; the order is the tie-break.
#[derive(Clone, Debug, Default)]
pub struct SetPlan {
    actions: Vec<Arc<ActionPlan>>,
    /// The same as the list of an evaluator that has met no other action before, made when somebody uses the set first.
    list: OnceLock<Arc<List>>,
}

impl PartialEq for SetPlan {
    fn eq(&self, other: &Self) -> bool {
        self.actions == other.actions
    }
}

impl SetPlan {
    /// The actions that count: an empty id, or one that came before, is left out.
    ///
    /// An adapter that keeps a table beside the plan adds a row only when [`SetPlan::push`] took the action.
    pub fn new(actions: impl IntoIterator<Item = Arc<ActionPlan>>) -> Self {
        let mut set = Self::default();
        for action in actions {
            set.push(action);
        }
        set
    }

    /// Adds an action at the end; false if its id is empty or taken.
    pub fn push(&mut self, action: Arc<ActionPlan>) -> bool {
        let accepted = !action.id.name().is_empty() && self.find(action.id.name()).is_none();
        if accepted {
            self.actions.push(action);
            self.list = OnceLock::new();
        }
        accepted
    }

    /// The list in which action `n` is the `n`th that was ever met; all who use the set share it.
    pub(super) fn list(&self) -> &Arc<List> {
        self.list.get_or_init(|| {
            let numbers = (0..).map(ActionRef);
            let entries = self.actions.iter().cloned().zip(numbers);
            let flat = FlatList::of(&self.actions, plan_base).map(Arc::new);
            Arc::new(List { entries: entries.map(|(plan, action)| Entry::new(plan, action)).collect(), flat })
        })
    }

    /// The index of an action.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.actions.iter().position(|action| action.id.name() == id)
    }

    /// In order.
    pub fn actions(&self) -> &[Arc<ActionPlan>] {
        &self.actions
    }

    /// Combat tokens that these actions take, each once.
    pub fn token_tags(&self) -> Vec<TagId> {
        let mut tags: Vec<TagId> =
            self.actions.iter().flat_map(|action| action.tokens()).map(|(tag, _)| tag).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// What decisions about these actions look at, so that the adapter reads nothing in vain.
    pub fn needs(&self) -> Needs {
        self.actions.iter().fold(Needs::default(), |needs, action| needs.with(action))
    }
}

/// Parts of the world that a decision looks at. A script may look at all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Some gate or scorer is a script.
    pub scripts: bool,
    /// The angle to the target.
    pub angle: bool,
    /// The agent's health.
    pub health: bool,
    /// The target's health.
    pub target_health: bool,
    /// Tags of agent, target and world.
    pub tags: bool,
    /// All targets that the agent knows of.
    pub each: bool,
    /// Numbers of actions that follow attributes.
    pub numbers: bool,
    /// Combat tokens that are free on the target.
    pub tokens: bool,
}

impl Needs {
    /// The same with all that a script may look at.
    pub fn with_scripts(self) -> Self {
        Self { scripts: true, angle: true, health: true, tags: true, ..self }
    }

    fn with(mut self, action: &ActionPlan) -> Self {
        self.each |= action.target_mode == TargetMode::Each;
        let queries = [&action.requires_tags, &action.block_tags];
        self.numbers |= !action.bindings.is_empty();
        self.tags |= queries.iter().any(|tags| !tags.ids().is_empty()) || !action.tag_multipliers.is_empty();
        for gate in &action.gates {
            self.tags |= matches!(gate.kind, GateKind::Tags { .. });
            self.tokens |= matches!(gate.kind, GateKind::Tokens { .. });
        }
        for scorer in &action.scorers {
            match scorer.kind {
                ScorerKind::Angle { .. } => self.angle = true,
                ScorerKind::Health { source: Source::Agent, .. } => self.health = true,
                ScorerKind::Health { source: Source::Target, .. } => self.target_health = true,
                ScorerKind::Distance { .. } | ScorerKind::Reading { .. } | ScorerKind::Script { .. } => {}
            }
        }
        if action.has_scripts() {
            self = self.with_scripts();
        }
        self
    }
}
